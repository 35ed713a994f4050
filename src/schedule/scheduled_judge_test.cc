#include "schedule/scheduled_judge.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "reduce/registry.h"
#include "schedule/mdp.h"

namespace marmoset {
namespace {

// Devices on which a candidate that holds the needed items reaches with some probability, and another
// sometimes.
class SimulatedFarm : public ReplayFarm {
 public:
  SimulatedFarm(uint32_t devices, Kept needed, double p, double q, uint64_t seed)
      : devices_(devices), needed_(std::move(needed)), p_(p), q_(q), random_(seed) {}

  uint32_t width() const override { return devices_; }

  Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                      std::stop_token) override {
    if (lose_one_at_ > 0 && --lose_one_at_ == 0) {
      --devices_;
      if (devices_ == 0) return Fail(ErrorCode::kDeviceLost, "all gone");
    }
    std::vector<Verdict> verdicts;
    for (const Question* question : questions) {
      if (random_.Chance(unresolved_)) {
        verdicts.push_back(Verdict::kUnresolved);
        continue;
      }
      const Kept& kept = question->kept;
      const bool good = std::includes(kept.begin(), kept.end(), needed_.begin(), needed_.end());
      verdicts.push_back(random_.Chance(good ? p_ : q_) ? Verdict::kReached : Verdict::kMissed);
    }
    return verdicts;
  }

  double unresolved_ = 0;
  int lose_one_at_ = 0;

 private:
  uint32_t devices_;
  const Kept needed_;
  const double p_, q_;
  Random random_;
};

Problem Items(uint32_t n) {
  Problem problem;
  problem.size = n;
  return problem;
}

// A crash in all replays: every policy and rule gives what one sure replay gives.
TEST(ScheduledJudge, ASureCrashIsFoundAsByOneReplay) {
  const Result<Acceptance> sequential = Acceptance::Sequential({});
  ASSERT_TRUE(sequential);
  for (const Acceptance& rule : {Acceptance(FixedRule()), *sequential}) {
    const NaivePolicy naive(rule);
    const RoundRobinPolicy round_robin(rule);
    const HeuristicPolicy heuristic(rule);
    for (const Policy* policy : std::initializer_list<const Policy*>{&naive, &round_robin, &heuristic}) {
      SimulatedFarm farm(15, {3, 40, 41}, 1, 0, 1);
      ScheduledJudge judge(farm, *policy, rule);
      const Reduction r = FindReducer("nd3min")->make()->Reduce(Items(60), judge, {}, {});
      EXPECT_EQ(r.kept, (Kept{3, 40, 41}));
      EXPECT_TRUE(r.one_minimal);
      EXPECT_EQ(r.oracle_calls, judge.replays());
      for (const Counts& counts : judge.history()) EXPECT_TRUE(counts.reached == 0 || counts.missed == 0);
    }
  }
}

// A crash in 97 of 100 replays, devices that fail in 20 of 100, other candidates that crash in 10 of 100: all
// reducers end with the needed items; unresolved replays are never misses.
TEST(ScheduledJudge, AFlakyCrashOnFlakyDevices) {
  const HeuristicPolicy policy;
  int minimal = 0, runs = 0;
  for (const ReducerInfo& info : AllReducers()) {
    SimulatedFarm farm(15, {5, 17, 25}, 0.97, 0.1, 3);
    farm.unresolved_ = 0.2;
    ScheduledJudge judge(farm, policy, FixedRule(), {.patience = 100});
    const Reduction r = info.make()->Reduce(Items(30), judge, {}, {});
    EXPECT_GT(judge.unresolved(), 0u);
    uint64_t counted = judge.unresolved();
    for (const Counts& counts : judge.history()) counted += counts.runs();
    EXPECT_EQ(counted, judge.replays());
    minimal += r.kept == Kept{5, 17, 25};
    ++runs;
  }
  EXPECT_GE(minimal, runs - 3);
}

TEST(ScheduledJudge, OnlyUnresolvedIsNoMiss) {
  const HeuristicPolicy policy;
  SimulatedFarm farm(4, {}, 1, 1, 3);
  farm.unresolved_ = 1;
  ScheduledJudge judge(farm, policy, FixedRule());
  const Reduction r = FindReducer("one-by-one")->make()->Reduce(Items(5), judge, {}, {});
  EXPECT_EQ(r.kept.size(), 5u);
  EXPECT_FALSE(r.one_minimal);
  EXPECT_FALSE(r.stopped);
  for (const Counts& counts : judge.history()) EXPECT_EQ(counts.runs(), 0u);
}

TEST(ScheduledJudge, GoesOnWithFewerDevicesAndEndsWithNone) {
  const HeuristicPolicy policy;
  SimulatedFarm two(2, {1}, 1, 0, 3);
  two.lose_one_at_ = 4;
  ScheduledJudge judge(two, policy, FixedRule());
  EXPECT_EQ(FindReducer("ddmin")->make()->Reduce(Items(6), judge, {}, {}).kept, (Kept{1}));
  SimulatedFarm one(1, {1}, 1, 0, 3);
  one.lose_one_at_ = 30;
  ScheduledJudge last(one, policy, FixedRule());
  const Reduction r = FindReducer("ddmin")->make()->Reduce(Items(6), last, {}, {});
  ASSERT_TRUE(r.stopped);
  EXPECT_EQ(r.stopped->code(), ErrorCode::kDeviceLost);
}

TEST(ScheduledJudge, UsesTheTableOfTheProcess) {
  MdpOptions options;
  options.candidates = 2;
  const MdpPolicy policy(std::make_shared<const Mdp>(Mdp::Solve(options)));
  SimulatedFarm farm(15, {3, 9}, 0.98, 0.05, 5);
  ScheduledJudge judge(farm, policy, FixedRule());
  EXPECT_EQ(FindReducer("nd3min")->make()->Reduce(Items(12), judge, {}, {}).kept, (Kept{3, 9}));
}

}  // namespace
}  // namespace marmoset
