// The judge for a target that is reached in some replays only: many replays of several candidates on m
// devices, as a policy schedules them.
//
// Of each group of candidates (the parts of a trace, then all but each part) it takes the first that the
// acceptance rule accepts: ND3MIN's get_passing. A group is judged to the end before the next is looked at.
// In a large group, candidates are taken `window` at a time, since a policy's look at hundreds costs more
// than it gains and each holds memory.
//
// Unresolved replays are repeated, and never count. A candidate with `patience` unresolved replays is put
// aside as kUnresolved. The counts of every candidate remain, for the report and to learn the prior from.
//
// Source: ND3MIN (prior.h), sections 3 and 4. One thread at a time; the farm may use others.

#pragma once

#include "reduce/judge.h"
#include "schedule/policy.h"

namespace marmoset {

// Devices that replay at the same time.
class ReplayFarm {
 public:
  virtual ~ReplayFarm() = default;

  // Devices left; it may become smaller.
  virtual uint32_t width() const = 0;

  // Replays each question once, all at the same time, and returns when all have ended: one answer for each,
  // in order. A device lost on the way gives kUnresolved. An error ends the search: no device is left
  // (kDeviceLost), or the user stopped. REQUIRES: 1 to width() questions.
  virtual Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                              std::stop_token stop) = 0;
};

class ScheduledJudge : public Judge {
 public:
  struct Options {
    bool knows_local_targets = false;
    uint32_t window = 16;
    uint32_t patience = 10;
    // What earlier replays of a question said, if anything is remembered; may be empty.
    std::function<Counts(const Question&)> known = {};
  };

  // `farm` and `policy` must outlive the judge.
  ScheduledJudge(ReplayFarm& farm, const Policy& policy, Acceptance rule)
      : ScheduledJudge(farm, policy, std::move(rule), Options()) {}
  ScheduledJudge(ReplayFarm& farm, const Policy& policy, Acceptance rule, Options options)
      : farm_(farm), policy_(policy), rule_(std::move(rule)), options_(options) {}

  Found First(const Queue& queue, std::stop_token stop) override;
  bool KnowsLocalTargets() const override { return options_.knows_local_targets; }

  uint64_t steps() const { return steps_; }
  uint64_t replays() const { return replays_; }
  uint64_t unresolved() const { return unresolved_; }

  // The counts of all candidates judged so far, in order.
  const std::vector<Counts>& history() const { return history_; }

 private:
  // Judges one group; appends its verdicts. False if the search ends here.
  bool JudgeGroup(std::vector<Question> group, std::stop_token stop, Found* found);

  ReplayFarm& farm_;
  const Policy& policy_;
  const Acceptance rule_;
  const Options options_;
  uint64_t steps_ = 0;
  uint64_t replays_ = 0;
  uint64_t unresolved_ = 0;
  std::vector<Counts> history_;
};

}  // namespace marmoset
