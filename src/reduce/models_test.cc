// The parts of the reducers by themselves: trees, splits, models of belief, loops.

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "reduce/activity_graph.h"
#include "reduce/backward.h"
#include "reduce/cdd.h"
#include "reduce/hdd.h"
#include "reduce/lhdd.h"
#include "reduce/pre_pass.h"
#include "reduce/probdd.h"
#include "reduce/testing/oracles.h"
#include "reduce/wdd.h"

namespace marmoset {
namespace {

constexpr uint32_t kRoot = Hierarchy::kRoot;

TEST(Hierarchy, OfTheExampleInItsHeader) {
  const std::vector<uint32_t> states = {0, 0, 1, 1, 0, 2, 2};
  const Hierarchy tree = Hierarchy::FromStates(states);
  const std::vector<uint32_t> parents = {kRoot, kRoot, 1, 1, kRoot, 4, 4};
  for (uint32_t i = 0; i < states.size(); ++i) EXPECT_EQ(tree.parent(i), parents[i]) << i;
  EXPECT_EQ(tree.NodesAt(1), (std::vector<uint32_t>{0, 1, 4}));
  EXPECT_EQ(tree.SubtreeSize(1), 3u);
  EXPECT_EQ(tree.depth(), 2u);
}

// The paper's rule read literally, on every sequence of up to 7 states out of 3; and the tree's own laws.
TEST(Hierarchy, FollowsThePapersRule) {
  for (uint32_t n = 0; n <= (kSanitized ? 5u : 7u); ++n) {
    uint32_t sequences = 1;
    for (uint32_t i = 0; i < n; ++i) sequences *= 3;
    for (uint32_t code = 0; code < sequences; ++code) {
      std::vector<uint32_t> states;
      for (uint32_t i = 0, rest = code; i < n; ++i, rest /= 3) states.push_back(rest % 3);
      const Hierarchy tree = Hierarchy::FromStates(states);
      uint32_t top = 0;
      for (uint32_t i = 0; i < n; ++i) {
        std::vector<uint32_t> path;  // From the previous node up.
        for (uint32_t at = i == 0 ? kRoot : i - 1; at != kRoot; at = tree.parent(at)) path.push_back(at);
        uint32_t expected = i == 0 ? kRoot : i - 1;
        for (const uint32_t node : path) {
          if (states[node] != states[i]) continue;
          expected = tree.parent(node);
          break;
        }
        ASSERT_EQ(tree.parent(i), expected);
        ASSERT_EQ(tree.level(i), expected == kRoot ? 1 : tree.level(expected) + 1);
        if (tree.level(i) == 1) top += tree.SubtreeSize(i);
        for (uint32_t below = i + 1; below < tree.end(i); ++below)
          ASSERT_GT(tree.level(below), tree.level(i));
      }
      ASSERT_EQ(top, n);
      // The last node is the last of its level, and so is each node above it.
      if (n == 0) continue;
      for (uint32_t at = n - 1; at != kRoot; at = tree.parent(at))
        ASSERT_EQ(tree.NodesAt(tree.level(at)).back(), at);
    }
  }
}

// Every split covers the list in order; only the published one may leave a tail.
TEST(SplitList, CoversTheList) {
  Random random(1);
  for (size_t n = 1; n <= 20; ++n) {
    std::vector<double> weights(n);
    for (double& weight : weights) weight = static_cast<double>(1 + random.Below(9));
    for (size_t parts = 1; parts <= n; ++parts) {
      for (const Split split : {Split::kEqual, Split::kByWeight, Split::kAsPublished}) {
        const auto ranges = SplitList(weights, parts, split);
        ASSERT_EQ(ranges.size(), parts);
        size_t at = 0;
        for (const auto& [from, to] : ranges) {
          ASSERT_EQ(from, at);
          ASSERT_TRUE(to > from || split == Split::kAsPublished);
          at = to;
        }
        ASSERT_TRUE(at == n || (split == Split::kAsPublished && at < n));
        if (split != Split::kEqual) continue;
        for (const auto& [from, to] : ranges) ASSERT_LE(ranges[0].second - (to - from), 1u);
      }
    }
  }
}

// The values of the paper's figure 3.
TEST(ProbDd, UpdatesAsPublished) {
  ProbDdModel model(8, 0.25, {});
  const UnitList first = model.Select();
  EXPECT_EQ(first, (UnitList{0, 1, 2, 3}));
  model.Missed(first);
  EXPECT_NEAR(model.probability(0), 0.3657, 1e-4);
  const UnitList second = model.Select();
  EXPECT_EQ(second, (UnitList{4, 5, 6, 7}));
  model.Missed(second);
  const UnitList third = model.Select();
  EXPECT_EQ(third, (UnitList{0, 1}));
  model.Missed(third);
  EXPECT_NEAR(model.probability(0), 0.6119, 1e-4);
  model.Missed({0});
  EXPECT_EQ(model.probability(0), 1);
}

// The set chosen has the largest expected gain of all sets.
TEST(ProbDd, ChoosesTheBestSet) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> weights;
    const size_t n = 1 + random.Below(8);
    ProbDdModel model(n, 0.1 + 0.4 * random.Unit(), {});
    for (int i = 0; i < 6; ++i) {
      UnitList some;
      for (uint32_t u = 0; u < n; ++u)
        if (random.Chance(0.4)) some.push_back(u);
      if (some.size() > 1) model.Missed(some);
    }
    const auto gain = [&](const UnitList& set) {
      double succeeds = 1;
      for (const uint32_t u : set) succeeds *= 1 - model.probability(u);
      return static_cast<double>(set.size()) * succeeds;
    };
    double best = 0;
    for (uint32_t mask = 1; mask < (1u << n); ++mask) best = std::max(best, gain(KeptOf(mask)));
    EXPECT_NEAR(gain(model.Select()), best, 1e-9);
  }
}

TEST(Cdd, TakesThePublishedSizes) {
  const auto sizes = [](double initial, uint32_t rounds) {
    std::vector<size_t> result;
    for (uint32_t r = 0; r < rounds; ++r) result.push_back(CddModel::SizeInRound(initial, r));
    return result;
  };
  EXPECT_EQ(sizes(0.25, 3), (std::vector<size_t>{4, 2, 1}));
  EXPECT_EQ(sizes(0.1, 5), (std::vector<size_t>{10, 6, 3, 2, 1}));
  EXPECT_EQ(sizes(0.05, 7), (std::vector<size_t>{20, 12, 7, 5, 3, 2, 1}));
  EXPECT_EQ(sizes(0.01, 10), (std::vector<size_t>{100, 63, 39, 25, 15, 10, 6, 4, 2, 1}));
}

TEST(Wdd, SplitsAtHalfTheWeight) {
  const auto half = [](std::vector<double> weights) {
    Units units;
    units.cost = std::move(weights);
    UnitList all(units.cost.size());
    std::iota(all.begin(), all.end(), 0u);
    return HalfByWeight(units, all);
  };
  EXPECT_EQ(half({8, 1, 1, 1, 1, 1, 1}), 1u);
  EXPECT_EQ(half({1, 1, 1, 1, 1, 1, 8}), 6u);
  EXPECT_EQ(half({1, 1, 1, 1}), 2u);
  EXPECT_EQ(half({1, 4, 1}), 2u);  // 5 and 1 are as near to the half as 1 and 5.
  EXPECT_EQ(half({9, 1}), 1u);
  EXPECT_EQ(half({1, 9}), 1u);
}

// What is left visits no state twice, starts and ends as before, and is connected.
TEST(PrePass, LeavesAPathWithoutLoops) {
  Random random(6);
  for (int round = 0; round < 500; ++round) {
    std::vector<uint32_t> before(1 + random.Below(15));
    for (uint32_t& state : before) state = static_cast<uint32_t>(random.Below(5));
    const std::vector<StateChange> states = ActivityGraph::FromStatesBefore(before);
    Kept all(before.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<bool> dropped(before.size());
    for (const auto& [from, to] : MaximalLoops(states, all)) {
      EXPECT_LT(from, to);
      EXPECT_EQ(states[from].before, states[to].before);
      for (size_t i = from; i < to; ++i) dropped[i] = true;
    }
    std::vector<bool> visited(6);
    uint32_t at = before[0];
    for (size_t i = 0; i < before.size(); ++i) {
      if (dropped[i]) continue;
      EXPECT_EQ(states[i].before, at);
      EXPECT_FALSE(visited[states[i].before]);
      visited[states[i].before] = true;
      at = states[i].after;
    }
    EXPECT_FALSE(dropped.back());
    EXPECT_EQ(at, states.back().after);
    // On the activity graph the first proposal is right.
    const ActivityGraph graph(states);
    SequentialJudge judge(graph.AsOracle());
    Session session(static_cast<uint32_t>(states.size()), judge, {}, {});
    PrePass(states, session);
    EXPECT_EQ(session.best().size(),
              all.size() - static_cast<size_t>(std::count(dropped.begin(), dropped.end(), true)));
  }
}

// Where the whole path misses, single loops are still found.
TEST(PrePass, ProposesSingleLoops) {
  const std::vector<uint32_t> before = {0, 1, 0, 2, 3, 2, 4, 5};
  const std::vector<StateChange> states = ActivityGraph::FromStatesBefore(before);
  SequentialJudge judge(OracleOf([](uint32_t mask) { return (mask & 0b11000111) == 0b11000111; }));
  Session session(8, judge, {}, {});
  PrePass(states, session);
  EXPECT_EQ(session.best(), (Kept{0, 1, 2, 5, 6, 7}));
}

// Local targets that are reached although what was dropped is needed later: LHDD notices at the crash and
// starts again.
TEST(Lhdd, RecoversFromMisleadingLocalTargets) {
  const std::vector<uint32_t> before = {0, 0, 0, 1, 1, 2, 2, 2};
  Problem problem;
  problem.size = 8;
  problem.states = ActivityGraph::FromStatesBefore(before);
  for (const bool check_levels : {false, true}) {
    for (const uint32_t needed : {0b10010101u, 0b11111111u, 0b10000001u, 0b10000000u}) {
      SequentialJudge judge(
          OracleOf([=](uint32_t mask) { return (mask & needed) == needed; }, [](uint32_t) { return true; }));
      const Reduction r = Lhdd({.check_levels = check_levels}).Reduce(problem, judge, {}, {});
      EXPECT_EQ(MaskOf(r.kept), needed);
      EXPECT_TRUE(r.one_minimal);
    }
  }
}

TEST(ActivityGraph, OfTheExampleInItsHeader) {
  const ActivityGraph graph(ActivityGraph::FromStatesBefore({0, 0, 1, 0, 2}));
  EXPECT_EQ(graph.Ask({{2, 4}, std::nullopt, 0}), Verdict::kMissed);
  EXPECT_EQ(graph.Ask({{0, 3, 4}, std::nullopt, 0}), Verdict::kReached);
  EXPECT_EQ(graph.Ask({{3, 4}, std::nullopt, 0}), Verdict::kReached);
  EXPECT_EQ(graph.replayed_events(), 7u);
  EXPECT_EQ(graph.Ask({{1}, 1, 0}), Verdict::kReached);
  EXPECT_EQ(graph.Ask({{1, 2}, 1, 0}), Verdict::kMissed);
  EXPECT_EQ(graph.Ask({{}, std::nullopt, 0}), Verdict::kMissed);
}

}  // namespace
}  // namespace marmoset
