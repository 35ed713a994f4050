#include "schedule/acceptance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "schedule/interval.h"

namespace marmoset {
namespace {

TEST(Acceptance, EighteenOfTwentyCostsWhatItCosts) {
  const Acceptance rule{FixedRule()};
  struct Row {
    double p, runs, accepted;
  };
  for (const Row& row :
       {Row{0, 3, 0}, Row{.2, 3.75, 0}, Row{.5, 6.0, 0}, Row{.7, 9.8, .035}, Row{.8, 13.5, .21},
        Row{.85, 15.6, .41}, Row{.9, 17.5, .68}, Row{.95, 18.5, .93}, Row{1, 18, 1}}) {
    EXPECT_NEAR(rule.ExpectedRuns(row.p), row.runs, 0.06) << row.p;
    EXPECT_NEAR(rule.AcceptProbability(row.p), row.accepted, 0.006) << row.p;
    EXPECT_NEAR(rule.AcceptProbability(row.p), AtLeast(18, 20, row.p), 1e-12);
  }
  EXPECT_EQ(rule.SuccessesToAccept({5, 1}), 13u);
  EXPECT_EQ(rule.MissesToReject({5, 1}), 2u);
  EXPECT_EQ(rule.Left({5, 1}), 14u);
  EXPECT_EQ(rule.Left({5, 3}), 0u);
}

// The sequential test against 18 of 20, at the error rates that 18 of 20 has at 0.7 and 0.95: fewer replays
// for every p.
TEST(Acceptance, SequentialNeedsFewerReplaysAtTheSameErrorRates) {
  const Acceptance fixed{FixedRule()};
  SequentialOptions options;
  options.alpha = fixed.AcceptProbability(options.bad);
  options.beta = 1 - fixed.AcceptProbability(options.good);
  const Result<Acceptance> sequential = Acceptance::Sequential(options);
  ASSERT_TRUE(sequential) << sequential.error().message();
  EXPECT_LE(sequential->AcceptProbability(options.bad), options.alpha);
  EXPECT_LE(1 - sequential->AcceptProbability(options.good), options.beta);
  double sum_fixed = 0, sum_sequential = 0;
  for (int i = 0; i <= 20; ++i) {
    const double p = i / 20.0;
    if (testing::FLAGS_gtest_brief == 0)
      printf("p %.2f  18 of 20: %5.2f replays, accepted %.4f   sequential: %5.2f replays, accepted %.4f\n", p,
             fixed.ExpectedRuns(p), fixed.AcceptProbability(p), sequential->ExpectedRuns(p),
             sequential->AcceptProbability(p));
    EXPECT_LT(sequential->ExpectedRuns(p), fixed.ExpectedRuns(p)) << p;
    // No worse outside the region between the hypotheses either.
    EXPECT_TRUE(p > options.bad || sequential->AcceptProbability(p) <= options.alpha + 1e-12);
    EXPECT_TRUE(p < options.good || sequential->AcceptProbability(p) >= 1 - options.beta - 1e-12);
    sum_fixed += fixed.ExpectedRuns(p);
    sum_sequential += sequential->ExpectedRuns(p);
  }
  EXPECT_LT(sum_sequential, 0.8 * sum_fixed);
}

// The exact figures against plain simulation.
TEST(Acceptance, TheExactFiguresAreThoseOfSimulation) {
  const Result<Acceptance> rule = Acceptance::Sequential({});
  ASSERT_TRUE(rule);
  Random random(1);
  for (const double p : {0.0, 0.3, 0.6, 0.8, 0.95, 1.0}) {
    constexpr int kRounds = 4000;
    double runs = 0, accepted = 0;
    for (int i = 0; i < kRounds; ++i) {
      Counts counts;
      while (rule->Left(counts) > 0) ++(random.Chance(p) ? counts.reached : counts.missed);
      runs += counts.runs();
      accepted += rule->Accepts(counts);
      ASSERT_NE(rule->Accepts(counts), rule->Rejects(counts));
    }
    EXPECT_NEAR(runs / kRounds, rule->ExpectedRuns(p), 0.5);
    EXPECT_NEAR(accepted / kRounds, rule->AcceptProbability(p), 0.03);
  }
}

TEST(Acceptance, RefusesContradictions) {
  EXPECT_FALSE(Acceptance::Sequential({.bad = 0.9, .good = 0.8}));
  EXPECT_FALSE(Acceptance::Sequential({.alpha = 0}));
  const Result<Acceptance> short_one = Acceptance::Sequential({.alpha = 0.001, .beta = 0.001, .max_runs = 5});
  ASSERT_FALSE(short_one);
  EXPECT_EQ(short_one.error().code(), ErrorCode::kBadInput);
}

TEST(Interval, OfTheExample) {
  const Interval wilson = WilsonInterval({38, 2});
  EXPECT_NEAR(wilson.low, 0.835, 0.001);
  EXPECT_NEAR(wilson.high, 0.986, 0.001);
  const Interval exact = ClopperPearsonInterval({38, 2});
  EXPECT_NEAR(exact.low, 0.831, 0.001);
  EXPECT_NEAR(exact.high, 0.994, 0.001);
  EXPECT_EQ(WilsonInterval({0, 0}).high, 1);
  EXPECT_EQ(ClopperPearsonInterval({0, 10}).low, 0);
  EXPECT_NEAR(ClopperPearsonInterval({0, 10}).high, 1 - std::pow(0.025, 0.1), 1e-9);
  EXPECT_EQ(ClopperPearsonInterval({10, 0}).high, 1);
}

// The share of outcomes whose interval holds p: never under 95 % for Clopper and Pearson, near it for Wilson.
TEST(Interval, CoversAsStated) {
  for (const uint32_t n : {5u, 20u, 40u}) {
    double sum = 0;
    int points = 0;
    for (double p = 0.03; p < 1; p += 0.047, ++points) {
      double exact = 0, wilson = 0;
      for (uint32_t k = 0; k <= n; ++k) {
        const double probability = AtLeast(k, n, p) - AtLeast(k + 1, n, p);
        const Interval e = ClopperPearsonInterval({k, n - k}), w = WilsonInterval({k, n - k});
        if (e.low <= p && p <= e.high) exact += probability;
        if (w.low <= p && p <= w.high) wilson += probability;
      }
      EXPECT_GE(exact, 0.95 - 1e-9) << n << " " << p;
      EXPECT_GE(wilson, 0.83) << n << " " << p;
      sum += wilson;
    }
    EXPECT_NEAR(sum / points, 0.95, 0.02) << n;
  }
}

}  // namespace
}  // namespace marmoset
