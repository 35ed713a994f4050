// Every reducer on every small oracle: the result reaches, is never larger, and is what the guarantee says.

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "reduce/registry.h"
#include "reduce/testing/oracles.h"

namespace marmoset {
namespace {

class EveryReducer : public testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<Reducer> reducer_ = FindReducer(GetParam())->make();
  bool needs_states_ = FindReducer(GetParam())->needs_states;

  // The shapes of hierarchy that are worth trying with this reducer.
  uint32_t shapes() const { return needs_states_ ? kShapes : 1; }

  Problem ProblemOf(uint32_t n, uint32_t shape) const {
    Problem problem;
    problem.size = n;
    if (needs_states_) problem.states = StatesOfShape(n, shape);
    return problem;
  }
};

std::vector<std::string_view> Names() {
  std::vector<std::string_view> names;
  for (const ReducerInfo& reducer : AllReducers()) names.push_back(reducer.name);
  return names;
}

std::string TestName(const testing::TestParamInfo<std::string_view>& reducer) {
  std::string name(reducer.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryReducer, testing::ValuesIn(Names()), TestName);

TEST_P(EveryReducer, FindsEveryNeededSubset) {
  for (uint32_t n = 0; n <= (kSanitized ? 8u : 12u); ++n) {
    for (uint32_t shape = 0; shape < (n <= 8 ? shapes() : 1); ++shape) {
      const Problem problem = ProblemOf(n, n <= 8 ? shape : kShapes - 1);
      for (uint32_t needed = 0; needed < (1u << n); ++needed) {
        // As an app would behave: a local target is reached when all that is needed up to there is kept.
        SequentialJudge judge(OracleOf([&](uint32_t m) { return (m & needed) == needed; },
                                       [&](uint32_t m) {
                                         const uint32_t before =
                                             m == 0 ? 0 : (2u << (31 - __builtin_clz(m))) - 1;
                                         return (m & needed & before) == (needed & before);
                                       }));
        uint32_t best = (1u << n) - 1;
        const Reduction r =
            reducer_->Reduce(problem, judge,
                             [&](const Kept& kept) {
                               ASSERT_LT(kept.size(), static_cast<size_t>(__builtin_popcount(best)));
                               best = MaskOf(kept);
                             },
                             {});
        ASSERT_EQ(MaskOf(r.kept), needed) << n << " items";
        ASSERT_EQ(best, needed);
        ASSERT_TRUE(r.one_minimal);
        ASSERT_FALSE(r.stopped);
        ASSERT_LE(r.oracle_calls, uint64_t{n} * n + 5 * n + 3);
      }
    }
  }
}

// On a monotone oracle 1-minimal means minimal: no subset of the result reaches.
TEST_P(EveryReducer, IsMinimalOnEveryMonotoneOracle) {
  for (uint32_t n = 1; n <= (kSanitized ? 4u : 5u); ++n) {
    const std::vector<uint32_t> tables = MonotoneTables(n);
    const std::vector<size_t> dedekind = {2, 3, 6, 20, 168, 7581};
    ASSERT_EQ(tables.size(), dedekind[n]);
    for (uint32_t shape = 0; shape < shapes(); ++shape) {
      const Problem problem = ProblemOf(n, shape);
      for (const uint32_t table : tables) {
        const auto reaches = [table](uint32_t mask) { return (table >> mask & 1) != 0; };
        const uint32_t all = (1u << n) - 1;
        if (!reaches(all)) continue;
        SequentialJudge judge(OracleOf(reaches, reaches));
        const Reduction r = reducer_->Reduce(problem, judge, {}, {});
        const uint32_t result = MaskOf(r.kept);
        ASSERT_TRUE(reaches(result));
        ASSERT_TRUE(r.one_minimal);
        for (uint32_t part = (result - 1) & result; result != 0; part = (part - 1) & result) {
          ASSERT_FALSE(reaches(part));
          if (part == 0) break;
        }
      }
    }
  }
}

// Any oracle, with local answers that may be all wrong: the result is everything, or was seen to reach; it is
// 1-minimal; and no candidate is judged twice by the whole target.
TEST_P(EveryReducer, KeepsItsPromiseOnEveryOracle) {
  for (uint32_t n = 1; n <= 4; ++n) {
    const uint64_t tables = uint64_t{1} << (1u << n);
    for (uint32_t shape = 0; shape < shapes(); ++shape) {
      for (const bool pre_pass : {false, true}) {
        if (pre_pass && !needs_states_) continue;
        Problem problem = ProblemOf(n, shape);
        problem.pre_pass = pre_pass ? problem.states : std::vector<StateChange>();
        for (uint64_t table = 0; table < tables; table += kSanitized ? 17 : 1) {
          std::set<uint32_t> asked;
          const auto reaches = [table](uint32_t mask) { return (table >> mask & 1) != 0; };
          SequentialJudge judge(OracleOf(
              [&](uint32_t mask) {
                EXPECT_TRUE(asked.insert(mask).second);
                return reaches(mask);
              },
              [table](uint32_t mask) { return ((table * 0x9E3779B97F4A7C15ull) >> (mask + 40) & 1) != 0; }));
          const Reduction r = reducer_->Reduce(problem, judge, {}, {});
          const uint32_t result = MaskOf(r.kept);
          ASSERT_TRUE(result == (1u << n) - 1 || reaches(result)) << table;
          ASSERT_TRUE(r.one_minimal);
          for (const uint32_t i : r.kept) ASSERT_FALSE(reaches(result & ~(1u << i))) << table;
          ASSERT_EQ(asked.count(result), result == (1u << n) - 1 ? 0u : 1u);
        }
      }
    }
  }
}

TEST_P(EveryReducer, AnUnresolvedAnswerKeepsItemsAndCostsTheGuarantee) {
  for (uint32_t shape = 0; shape < shapes(); ++shape) {
    SequentialJudge judge(TargetOracle([](const Question& question, std::stop_token) -> Result<Verdict> {
      const bool there = std::find(question.kept.begin(), question.kept.end(), 3u) != question.kept.end();
      return there ? Verdict::kReached : Verdict::kUnresolved;
    }));
    const Reduction r = reducer_->Reduce(ProblemOf(7, shape), judge, {}, {});
    EXPECT_EQ(r.kept, (Kept{3}));
    EXPECT_FALSE(r.one_minimal);
  }
}

// An error at any call ends the search with the best so far, which was saved.
TEST_P(EveryReducer, AnErrorAtAnyCallKeepsTheBest) {
  const auto needs = [](uint32_t mask) { return (mask & 0b0100010) == 0b0100010; };
  for (int fail_at = 1; fail_at < 60; ++fail_at) {
    int calls = 0;
    Kept saved = KeptOf(0x7f);
    const TargetOracle good = OracleOf(needs, needs);
    SequentialJudge judge(
        TargetOracle([&](const Question& question, std::stop_token stop) -> Result<Verdict> {
          if (++calls == fail_at) return Fail(ErrorCode::kDeviceLost, "gone");
          return good(question, stop);
        }));
    const Reduction r = reducer_->Reduce(ProblemOf(7, 2), judge, [&](const Kept& kept) { saved = kept; }, {});
    EXPECT_EQ(r.kept, saved);
    EXPECT_TRUE(needs(MaskOf(r.kept)));
    if (calls < fail_at) {
      EXPECT_TRUE(r.one_minimal);
      return;
    }
    ASSERT_TRUE(r.stopped);
    EXPECT_EQ(r.stopped->code(), ErrorCode::kDeviceLost);
    EXPECT_FALSE(r.one_minimal);
    EXPECT_EQ(calls, fail_at);
  }
}

TEST_P(EveryReducer, EmptyAndSingle) {
  for (const uint32_t n : {0u, 1u}) {
    Problem problem = ProblemOf(n, 0);
    problem.pre_pass = problem.states;
    for (const bool reaches : {true, false}) {
      SequentialJudge judge(OracleOf([&](uint32_t) { return reaches; }, [&](uint32_t) { return reaches; }));
      const Reduction r = reducer_->Reduce(problem, judge, {}, {});
      EXPECT_EQ(r.kept.size(), reaches ? 0u : n);
      EXPECT_TRUE(r.one_minimal);
      EXPECT_LE(r.oracle_calls, 2u);
    }
  }
}

// Larger random ones: clustered and scattered needed items in 300, with and without the pre-pass.
TEST_P(EveryReducer, FindsRandomSubsetsOfManyItems) {
  Random random(7);
  for (int round = 0; round < (kSanitized ? 4 : 40); ++round) {
    const uint32_t n = static_cast<uint32_t>(50 + random.Below(250));
    std::set<uint32_t> needed = {n - 1};
    const uint64_t count = random.Below(9);
    const uint32_t from = static_cast<uint32_t>(random.Below(n - 10));
    for (uint64_t i = 0; i < count; ++i)
      needed.insert(static_cast<uint32_t>(round % 2 == 0 ? random.Below(n) : from + random.Below(10)));
    Problem problem = ProblemOf(n, static_cast<uint32_t>(random.Below(kShapes)));
    if (needs_states_ && random.Chance(0.5)) problem.pre_pass = problem.states;
    for (uint32_t i = 0; i < n; ++i) problem.costs.push_back(1 + 10 * random.Unit());
    SequentialJudge judge(TargetOracle([&](const Question& question, std::stop_token) -> Result<Verdict> {
      const uint32_t last = question.kept.empty() ? 0 : question.kept.back();
      for (const uint32_t item : needed) {
        if (question.reach && item > last) continue;
        if (!std::binary_search(question.kept.begin(), question.kept.end(), item)) return Verdict::kMissed;
      }
      return Verdict::kReached;
    }));
    const Reduction r = reducer_->Reduce(problem, judge, {}, {});
    EXPECT_EQ(r.kept, Kept(needed.begin(), needed.end()));
    EXPECT_TRUE(r.one_minimal);
  }
}

TEST(Registry, KnowsItsNames) {
  std::set<std::string_view> names;
  for (const ReducerInfo& info : AllReducers()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(FindReducer(info.name), &info);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_NE(info.summary.back(), '.');
  }
  EXPECT_EQ(FindReducer("no such"), nullptr);
}

}  // namespace
}  // namespace marmoset
