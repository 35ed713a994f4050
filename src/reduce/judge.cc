#include "reduce/judge.h"

#include "base/check.h"

namespace marmoset {

TargetOracle WithoutLocalTargets(Oracle oracle) {
  return [oracle = std::move(oracle)](const Question& question, std::stop_token stop) {
    MARMOSET_CHECK(!question.reach);
    return oracle(question.kept, std::move(stop));
  };
}

SequentialJudge::SequentialJudge(Oracle oracle)
    : oracle_(WithoutLocalTargets(std::move(oracle))), local_(false) {}

Found SequentialJudge::First(const Queue& queue, std::stop_token stop) {
  Found found;
  while (true) {
    if (stop.stop_requested()) {
      found.stopped.emplace(ErrorCode::kCancelled, "stopped");
      return found;
    }
    std::optional<Question> question = queue();
    if (!question) return found;
    ++found.calls;
    const Result<Verdict> verdict = oracle_(*question, stop);
    if (!verdict) {
      found.stopped = verdict.error();
      return found;
    }
    found.verdicts.push_back(*verdict);
    if (*verdict == Verdict::kReached) {
      found.reached = found.verdicts.size() - 1;
      found.kept = std::move(question->kept);
      return found;
    }
  }
}

}  // namespace marmoset
