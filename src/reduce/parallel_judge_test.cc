#include "reduce/parallel_judge.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/random.h"
#include "reduce/registry.h"
#include "reduce/testing/oracles.h"

namespace marmoset {
namespace {

// Takes a little while, of random length, so that answers come out of order.
TargetOracle Slow(TargetOracle oracle, uint64_t seed) {
  return [oracle = std::move(oracle), random = std::make_shared<Random>(seed)](
             const Question& question, std::stop_token stop) -> Result<Verdict> {
    const uint64_t naps = random->Below(4);
    for (uint64_t i = 0; i < naps; ++i) {
      if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return oracle(question, stop);
  };
}

// With any number of devices every reducer gives the same result for the same number of counted calls.
TEST(ParallelJudge, GivesWhatOneDeviceGives) {
  Random random(3);
  for (const ReducerInfo& info : AllReducers()) {
    for (int round = 0; round < (kSanitized ? 3 : 10); ++round) {
      Problem problem;
      problem.size = 10;
      problem.states = StatesOfShape(10, static_cast<uint32_t>(random.Below(kShapes)));
      if (random.Chance(0.5)) problem.pre_pass = problem.states;
      const uint32_t a = static_cast<uint32_t>(random.Below(1024)),
                     b = static_cast<uint32_t>(random.Below(1024));
      const auto reaches = [a, b](uint32_t mask) { return (mask & a) == a || (mask & b) == b; };
      const auto local = [a](uint32_t mask) { return (mask & a & 0x1f) == (a & 0x1f); };
      SequentialJudge one(OracleOf(reaches, local));
      const std::unique_ptr<Reducer> reducer = info.make();
      const Reduction expected = reducer->Reduce(problem, one, {}, {});
      for (uint64_t width = 1; width <= 5; ++width) {
        std::vector<TargetOracle> oracles;
        for (uint64_t i = 0; i < width; ++i) oracles.push_back(Slow(OracleOf(reaches, local), i));
        ParallelJudge judge(std::move(oracles), true);
        const Reduction r = reducer->Reduce(problem, judge, {}, {});
        ASSERT_EQ(r.kept, expected.kept) << info.name << " on " << width;
        ASSERT_EQ(r.oracle_calls, expected.oracle_calls) << info.name << " on " << width;
        ASSERT_EQ(r.one_minimal, expected.one_minimal);
        ASSERT_TRUE(width > 1 || r.wasted_calls == 0);
      }
    }
  }
}

// Devices are lost one after the other; the last goes on alone.
TEST(ParallelJudge, GoesOnWithTheOtherDevices) {
  const auto reaches = [](uint32_t mask) { return (mask & 0b1001001) == 0b1001001; };
  std::vector<TargetOracle> oracles;
  for (int i = 0; i < 4; ++i) {
    auto left = std::make_shared<int>(i == 2 ? 1 << 20 : 1 + i);
    oracles.push_back([=, good = WithoutLocalTargets(OracleOf(reaches))](
                          const Question& question, std::stop_token stop) -> Result<Verdict> {
      if ((*left)-- == 0) return Fail(ErrorCode::kDeviceLost, "device {} is gone", i);
      return good(question, stop);
    });
  }
  ParallelJudge judge(std::move(oracles), false);
  Problem problem;
  problem.size = 20;
  const Reduction r = FindReducer("ddmin")->make()->Reduce(problem, judge, {}, {});
  EXPECT_EQ(r.kept, (Kept{0, 3, 6}));
  EXPECT_TRUE(r.one_minimal);
  EXPECT_FALSE(r.stopped);
  EXPECT_GE(judge.width(), 1u);
}

TEST(ParallelJudge, EndsWhenAllAreLost) {
  std::vector<TargetOracle> oracles(3,
                                    [left = std::make_shared<std::atomic<int>>(5)](
                                        const Question& question, std::stop_token) -> Result<Verdict> {
                                      if ((*left)-- <= 0) return Fail(ErrorCode::kDeviceLost, "gone");
                                      return question.kept.size() >= 10 ? Verdict::kReached
                                                                        : Verdict::kMissed;
                                    });
  ParallelJudge judge(std::move(oracles), false);
  Problem problem;
  problem.size = 20;
  const Reduction r = FindReducer("ddmin")->make()->Reduce(problem, judge, {}, {});
  ASSERT_TRUE(r.stopped);
  EXPECT_EQ(r.stopped->code(), ErrorCode::kDeviceLost);
  EXPECT_EQ(r.kept.size(), 10u);
  EXPECT_FALSE(r.one_minimal);
  EXPECT_EQ(judge.width(), 0u);
}

// A success cancels what runs behind it in the queue, and only that.
TEST(ParallelJudge, CancelsWhatIsBehindASuccess) {
  std::atomic<int> waiting = 0;
  std::atomic<int> cancelled = 0;
  const TargetOracle oracle = [&](const Question& question, std::stop_token stop) -> Result<Verdict> {
    if (question.kept == Kept{0}) {  // Reaches once the others are under way.
      while (waiting < 2) std::this_thread::yield();
      return Verdict::kReached;
    }
    ++waiting;
    while (!stop.stop_requested()) std::this_thread::yield();
    ++cancelled;
    return Fail(ErrorCode::kCancelled, "stopped");
  };
  ParallelJudge judge(std::vector<TargetOracle>(3, oracle), false);
  uint32_t next = 0;
  const Found found = judge.First([&] { return Question{{next++}, std::nullopt, 0}; }, {});
  ASSERT_TRUE(found.reached);
  EXPECT_EQ(*found.reached, 0u);
  EXPECT_EQ(found.calls, 1u);
  EXPECT_EQ(found.wasted, 2u);
  EXPECT_EQ(cancelled, 2);
  EXPECT_FALSE(found.stopped);
}

TEST(ParallelJudge, StopsWhenAsked) {
  std::stop_source source;
  std::atomic<int> calls = 0;
  const TargetOracle oracle = [&](const Question&, std::stop_token stop) -> Result<Verdict> {
    if (++calls == 2) source.request_stop();
    while (!stop.stop_requested()) std::this_thread::yield();
    return Fail(ErrorCode::kCancelled, "stopped");
  };
  ParallelJudge judge(std::vector<TargetOracle>(2, oracle), false);
  Problem problem;
  problem.size = 8;
  const Reduction r = FindReducer("probdd")->make()->Reduce(problem, judge, {}, source.get_token());
  ASSERT_TRUE(r.stopped);
  EXPECT_EQ(r.stopped->code(), ErrorCode::kCancelled);
  EXPECT_EQ(r.kept.size(), 8u);
}

}  // namespace
}  // namespace marmoset
