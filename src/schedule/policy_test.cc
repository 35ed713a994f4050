#include "schedule/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"

namespace marmoset {
namespace {

using Candidates = std::vector<Counts>;

// The paper's examples: 3 candidates, 15 devices (sections 4.1 and 4.2).
TEST(Policies, DoWhatThePaperShows) {
  const NaivePolicy naive;
  EXPECT_EQ(naive.Next(Candidates{{0, 0}, {0, 0}, {0, 0}}, 15), (Schedule{15, 0, 0}));
  EXPECT_EQ(naive.Next(Candidates{{13, 2}, {0, 0}, {0, 0}}, 15), (Schedule{5, 10, 0}));
  EXPECT_EQ(naive.Next(Candidates{{17, 3}, {3, 7}, {0, 0}}, 15), (Schedule{0, 0, 15}));
  EXPECT_EQ(naive.Next(Candidates{{17, 3}, {3, 7}, {15, 0}}, 15), (Schedule{0, 0, 5}));
  const RoundRobinPolicy round_robin;
  EXPECT_EQ(round_robin.Next(Candidates{{0, 0}, {0, 0}, {0, 0}}, 15), (Schedule{5, 5, 5}));
  EXPECT_EQ(round_robin.Next(Candidates{{4, 1}, {2, 3}, {5, 0}}, 15), (Schedule{8, 0, 7}));
  EXPECT_EQ(round_robin.Next(Candidates{{11, 2}, {2, 3}, {12, 0}}, 15), (Schedule{7, 0, 8}));
  const HeuristicPolicy heuristic;
  EXPECT_EQ(heuristic.Next(Candidates{{0, 0}, {0, 0}, {0, 0}}, 15), (Schedule{5, 5, 5}));
  EXPECT_EQ(heuristic.Next(Candidates{{4, 1}, {2, 3}, {5, 0}}, 15), (Schedule{2, 0, 13}));
}

// Whatever the state: the step is filled as far as the rule allows, and no further.
TEST(Policies, FillEveryStep) {
  Random random(5);
  const Result<Acceptance> sequential = Acceptance::Sequential({});
  ASSERT_TRUE(sequential);
  for (const Acceptance& rule : {Acceptance(FixedRule()), *sequential}) {
    const NaivePolicy naive(rule);
    const RoundRobinPolicy round_robin(rule);
    const HeuristicPolicy heuristic(rule);
    for (int round = 0; round < 2000; ++round) {
      Candidates candidates(1 + random.Below(7));
      for (Counts& counts : candidates) {
        const double p = random.Unit();
        for (uint64_t runs = random.Below(20); runs > 0 && rule.Left(counts) > 0; --runs)
          ++(random.Chance(p) ? counts.reached : counts.missed);
        if (rule.Accepts(counts)) --counts.reached;
      }
      uint32_t left = 0;
      for (const Counts& counts : candidates) left += rule.Left(counts);
      if (left == 0) continue;
      const auto devices = static_cast<uint32_t>(1 + random.Below(16));
      for (const Policy* policy : std::initializer_list<const Policy*>{&naive, &round_robin, &heuristic}) {
        const Schedule schedule = policy->Next(candidates, devices);
        ASSERT_EQ(schedule.size(), candidates.size());
        ASSERT_EQ(std::accumulate(schedule.begin(), schedule.end(), 0u), std::min(left, devices));
        for (size_t i = 0; i < schedule.size(); ++i) ASSERT_LE(schedule[i], rule.Left(candidates[i]));
      }
    }
  }
}

// p1 and p2 of the paper's tables 1 to 3, which truncate to two digits.
TEST(Prior, GivesThePublishedProbabilities) {
  const Prior prior = Prior::Published();
  const std::vector<std::pair<uint32_t, double>> p1 = {{20, .99}, {19, .94}, {18, .69}, {17, .43}, {16, .23},
                                                       {15, .11}, {14, .04}, {12, .00}, {11, .00}, {7, .00}};
  for (const auto& [reached, published] : p1)
    EXPECT_NEAR(ReliableProbability(prior, reached), published + 0.005, 0.02) << reached;
  const std::vector<std::pair<uint32_t, double>> p2 = {
      {0, 1.0},  {1, .98},  {2, .96},  {3, .95},  {5, .91},  {6, .90},  {7, .88},  {8, .87}, {10, .84},
      {11, .82}, {13, .80}, {15, .77}, {16, .76}, {19, .72}, {23, .67}, {25, .65}, {30, .59}};
  for (const auto& [length, published] : p2)
    EXPECT_NEAR(std::floor(MinimalProbability(prior, length) * 100 + 1e-9) / 100, published, 1e-9) << length;
  // Section 3: Pr[P > 0.85 | passed] > 0.95.
  double passed = 0, reliable = 0;
  for (const Prior::Point& point : prior.points()) {
    const double weight = point.weight * AtLeast(18, 20, point.p);
    passed += weight;
    if (point.p > 0.85 + 1e-9) reliable += weight;
  }
  EXPECT_GT(reliable / passed, 0.95);
}

TEST(Prior, PredictionsAreProbabilities) {
  const Prior prior = Prior::Published();
  for (const Counts& counts : {Counts{0, 0}, Counts{5, 1}, Counts{17, 2}}) {
    double sum = 0;
    for (uint32_t missed = 0; missed <= 9; ++missed) sum += prior.Predict(counts, 9, missed);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  // Two replays at once say what one after the other says.
  const double one_then_one = prior.Predict({3, 0}, 1, 0) * prior.Predict({4, 0}, 1, 0);
  EXPECT_NEAR(prior.Predict({3, 0}, 2, 0), one_then_one, 1e-12);
}

// Candidates drawn from another prior move the learned one there; none leave it alone.
TEST(Prior, LearnsFromWhatWasSeen) {
  const Prior start = Prior::Published();
  const Prior same = start.Learn({});
  for (size_t i = 0; i < start.points().size(); ++i)
    EXPECT_NEAR(same.points()[i].weight, start.points()[i].weight, 1e-6);
  Random random(2);
  Candidates seen(1000);
  for (Counts& counts : seen) {
    const double p = random.Chance(0.5) ? 0.5 : 1;
    for (int i = 0; i < 20; ++i) ++(random.Chance(p) ? counts.reached : counts.missed);
  }
  const Prior learned = start.Learn(seen);
  double near_half = 0, near_one = 0;
  for (const Prior::Point& point : learned.points()) {
    if (point.p >= 0.4 && point.p <= 0.6) near_half += point.weight;
    if (point.p >= 0.95) near_one += point.weight;
  }
  EXPECT_NEAR(near_half, 0.48, 0.04);
  EXPECT_NEAR(near_one, 0.48, 0.04);
}

}  // namespace
}  // namespace marmoset
