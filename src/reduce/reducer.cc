#include "reduce/reducer.h"

#include "base/check.h"
#include "reduce/pre_pass.h"
#include "reduce/sweep.h"

namespace marmoset {

Reduction Reducer::Reduce(const Problem& problem, Judge& judge, const OnBest& on_best,
                          std::stop_token stop) const {
  MARMOSET_CHECK(problem.states.empty() || problem.states.size() == problem.size);
  MARMOSET_CHECK(problem.pre_pass.empty() || problem.pre_pass.size() == problem.size);
  MARMOSET_CHECK(problem.costs.empty() || problem.costs.size() == problem.size);
  Session session(problem.size, judge, on_best, std::move(stop));
  if (!problem.pre_pass.empty()) PrePass(problem.pre_pass, session);
  Search(problem, session);
  if (problem.final_sweep) SweepItems(session);
  return std::move(session).Finish();
}

Reduction Reducer::Reduce(uint32_t n, const Oracle& oracle, const OnBest& on_best,
                          std::stop_token stop) const {
  SequentialJudge judge(oracle);
  Problem problem;
  problem.size = n;
  return Reduce(problem, judge, on_best, std::move(stop));
}

}  // namespace marmoset
