#include "schedule/scheduled_judge.h"

#include <algorithm>

#include "base/check.h"

namespace marmoset {

Found ScheduledJudge::First(const Queue& queue, std::stop_token stop) {
  Found found;
  std::optional<Question> next = queue();
  while (next) {
    const uint32_t number = next->group;
    std::vector<Question> group;
    while (next && next->group == number && group.size() < options_.window) {
      group.push_back(std::move(*next));
      next = queue();
    }
    if (!JudgeGroup(std::move(group), stop, &found)) break;
  }
  return found;
}

bool ScheduledJudge::JudgeGroup(std::vector<Question> group, std::stop_token stop, Found* found) {
  std::vector<Counts> counts(group.size());
  std::vector<uint32_t> unresolved(group.size());
  std::optional<size_t> accepted;
  for (size_t i = 0; i < group.size() && options_.known; ++i)
    counts[i] = rule_.Clamp(options_.known(group[i]));
  while (true) {
    for (size_t i = 0; i < group.size() && !accepted; ++i)
      if (rule_.Accepts(counts[i])) accepted = i;
    if (accepted) break;
    // What the policy may look at: those that are neither decided nor given up.
    std::vector<size_t> open;
    std::vector<Counts> seen;
    for (size_t i = 0; i < group.size(); ++i) {
      if (rule_.Left(counts[i]) == 0 || unresolved[i] >= options_.patience) continue;
      open.push_back(i);
      seen.push_back(counts[i]);
    }
    if (open.empty()) break;
    if (stop.stop_requested()) {
      found->stopped.emplace(ErrorCode::kCancelled, "stopped");
      break;
    }
    if (farm_.width() == 0) {
      found->stopped.emplace(ErrorCode::kDeviceLost, "no device is left");
      break;
    }
    const Schedule schedule = policy_.Next(seen, farm_.width());
    std::vector<const Question*> questions;
    std::vector<size_t> candidate;
    for (size_t i = 0; i < open.size(); ++i) {
      questions.insert(questions.end(), schedule[i], &group[open[i]]);
      candidate.insert(candidate.end(), schedule[i], open[i]);
    }
    MARMOSET_CHECK(!questions.empty() && questions.size() <= farm_.width());
    const Result<std::vector<Verdict>> verdicts = farm_.Replay(questions, stop);
    if (!verdicts) {
      found->stopped = verdicts.error();
      break;
    }
    MARMOSET_CHECK(verdicts->size() == questions.size());
    ++steps_;
    found->calls += questions.size();
    replays_ += questions.size();
    for (size_t i = 0; i < questions.size(); ++i) {
      switch ((*verdicts)[i]) {
        case Verdict::kReached:
          ++counts[candidate[i]].reached;
          break;
        case Verdict::kMissed:
          ++counts[candidate[i]].missed;
          break;
        case Verdict::kUnresolved:
          ++unresolved[candidate[i]];
          ++unresolved_;
          break;
      }
    }
  }

  history_.insert(history_.end(), counts.begin(), counts.end());
  const size_t first = found->verdicts.size();
  for (size_t i = 0; i < group.size(); ++i)
    found->verdicts.push_back(rule_.Rejects(counts[i]) ? Verdict::kMissed : Verdict::kUnresolved);
  if (accepted) {
    found->verdicts[first + *accepted] = Verdict::kReached;
    found->reached = first + *accepted;
    found->kept = std::move(group[*accepted].kept);
  }
  return !accepted && !found->stopped;
}

}  // namespace marmoset
