// The optimal policy for n candidates on m devices: ND3MIN's Markov decision process (prior.h), section 4.3.
//
// A state is what is known of the candidates that are not out yet; an action is a schedule; the cost of a
// state is the expected number of further steps. See mdp.cc for how it is computed in a minute instead of in
// 83 hours.

#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "schedule/parallel_for.h"
#include "schedule/policy.h"

namespace marmoset {

struct MdpOptions {
  uint32_t candidates = 5;  // n, from 1 to 6.
  uint32_t devices = 15;    // m.
  FixedRule rule;           // Up to 63 runs.
  Prior prior = Prior::Published();
  ParallelFor parallel = OnThisThread();
  bool prune = true;  // Skip actions that a lower bound excludes. Without it: the same result, slower.
};

// A solved process: the best schedule for each state that can occur when n candidates or fewer, of which
// nothing is known, are scheduled by it. A few hundred kilobytes.
class Mdp {
 public:
  struct Statistics {
    uint64_t states = 0;             // States whose cost was computed.
    uint64_t actions = 0;            // Schedules open in them …
    uint64_t actions_evaluated = 0;  // … and those for which the expectation was taken.
    uint64_t stored = 0;             // States in the table.
  };

  static Mdp Solve(const MdpOptions& options);

  // The expected number of steps for `n` candidates of which nothing is known. REQUIRES: 1 <= n <=
  // candidates().
  double ExpectedSteps(uint32_t n) const { return expected_[n]; }

  uint32_t candidates() const { return static_cast<uint32_t>(expected_.size()) - 1; }
  uint32_t devices() const { return devices_; }
  const FixedRule& rule() const { return rule_; }
  const Statistics& statistics() const { return statistics_; }

  // The best schedule; nothing if the state is not in the table (other devices, more candidates, or counts
  // that the policy itself does not lead to).
  std::optional<Schedule> Best(std::span<const Counts> candidates, uint32_t devices) const;

  // The table as bytes, and back (kBadInput with the offset if it is damaged).
  std::string Save() const;
  static Result<Mdp> Load(std::string_view bytes);

 private:
  // A state as a key: its candidates that are not out, ascending, one byte each, from the lowest byte on. A
  // byte is 1 + reached * (allowed misses + 1) + missed, so that 0 means none.
  struct Entry {
    uint64_t state;
    uint64_t schedule;  // Replays for each, one byte each, in the same order.
  };

  uint32_t devices_ = 0;
  FixedRule rule_;
  std::vector<double> expected_;
  std::vector<Entry> entries_;  // By state, ascending.
  Statistics statistics_;
};

// Schedules by the table where it can, by the heuristic elsewhere.
class MdpPolicy : public Policy {
 public:
  explicit MdpPolicy(std::shared_ptr<const Mdp> mdp, double likely = 0.8)
      : mdp_(std::move(mdp)), otherwise_(mdp_->rule(), likely) {}

  Schedule Next(std::span<const Counts> candidates, uint32_t devices) const override {
    if (std::optional<Schedule> best = mdp_->Best(candidates, devices)) return *std::move(best);
    return otherwise_.Next(candidates, devices);
  }

 private:
  std::shared_ptr<const Mdp> mdp_;
  HeuristicPolicy otherwise_;
};

}  // namespace marmoset
