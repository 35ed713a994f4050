#include "minimize/minimizer.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/simulated/simulated_device.h"
#include "minimize/verdict_memory.h"
#include "reduce/ddmin.h"
#include "reduce/registry.h"

namespace marmoset {
namespace {

std::unique_ptr<SimulatedDevice> Open(const std::string& model) {
  return std::move(*SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (model + ".yaml")));
}

Step Do(const std::string& id, const std::string& label) {
  Step step;
  step.action = Tap{{1, 1}};
  step.selector = Selector{};
  step.selector->resource_id = "com.example.tip:id/" + id;
  step.selector->label = "'" + label + "'";
  return step;
}

// The bug's steps among others that do not matter.
Trace LongTrace() {
  Trace trace;
  trace.package = "com.example.tip";
  trace.steps.resize(1);
  trace.steps[0].action = Launch{};
  auto& steps = trace.steps;
  for (int i = 0; i < 3; ++i) {
    steps.push_back(Do("settings", "Settings"));
    steps.push_back(Do("dark", "Dark mode"));
    steps.push_back({PressKey{"BACK"}, {}, "", "", 0, 0, 0});
  }
  steps.push_back(Do("split", "Split the bill"));
  for (int i = 0; i < 4; ++i) steps.push_back(Do("fewer", "One fewer"));
  steps.push_back(Do("show", "Show shares"));
  steps.push_back({PressKey{"BACK"}, {}, "", "", 0, 0, 0});  // After the crash: not needed for it.
  return trace;
}

class MinimizerTest : public testing::Test {
 protected:
  MinimizeOptions Options(const std::string& target) {
    MinimizeOptions options;
    options.target = *ParseTarget(target);
    options.out = folder_.path();
    options.confirmations = 20;
    return options;
  }
  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make());
};

TEST_F(MinimizerTest, FindsTheModelsMinimalSteps) {
  auto device = Open("tip");
  int renewed = 0;
  const auto result = Minimize({*device, [&] { ++renewed; }, {}}, LongTrace(), Ddmin(),
                               Options("crash:java.lang.ArithmeticException"), {});
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_EQ(result->kept.size(), 5u);
  EXPECT_TRUE(result->one_minimal);
  EXPECT_EQ(result->reached, 20);
  EXPECT_EQ(result->runs, 20);
  EXPECT_EQ(renewed, 1);
  ASSERT_TRUE(result->minimal.crash);
  EXPECT_EQ(ReadTrace(folder_.path() / "minimal.trace.jsonl").value(), result->minimal);
  EXPECT_EQ(Describe(result->minimal.steps[1]), "tap 'Split the bill'");
}

TEST_F(MinimizerTest, EveryMethodFindsThem) {
  // The recorded activities, so that the hierarchical methods have their hierarchy.
  Trace trace = LongTrace();
  std::string activity = ".MainActivity";
  for (Step& step : trace.steps) {
    step.activity = "com.example.tip" + activity;
    if (step.selector && step.selector->resource_id.ends_with("settings")) activity = ".SettingsActivity";
    if (step.selector && step.selector->resource_id.ends_with("split")) activity = ".SplitActivity";
    if (std::holds_alternative<PressKey>(step.action)) activity = ".MainActivity";
  }
  for (const ReducerInfo& info : AllReducers()) {
    auto device = Open("tip");
    TemporaryFolder folder = std::move(*TemporaryFolder::Make());
    MinimizeOptions options = Options("crash:java.lang.ArithmeticException");
    options.out = folder.path();
    const auto result = Minimize({*device, {}, {}}, trace, *info.make(), options, {});
    ASSERT_TRUE(result) << info.name << ": " << result.error().message();
    EXPECT_EQ(result->kept.size(), 5u) << info.name;
    EXPECT_TRUE(result->one_minimal) << info.name;
    EXPECT_EQ(result->reached, 20) << info.name;
    // Again in the same folder: local targets are remembered, too.
    const auto again = Minimize({*device, {}, {}}, trace, *info.make(), options, {});
    ASSERT_TRUE(again) << info.name;
    EXPECT_EQ(again->replays, 21u) << info.name;
  }
}

TEST_F(MinimizerTest, SaysThatTheTargetIsNotReached) {
  auto device = Open("tip");
  MinimizeOptions options = Options("crash:a.B");
  options.pre_checks = 3;
  const auto result = Minimize({*device, {}, {}}, LongTrace(), Ddmin(), options, {});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->pre_check_failed);
  EXPECT_EQ(result->replays, 3u);
  EXPECT_EQ(result->kept.size(), LongTrace().steps.size());
}

TEST_F(MinimizerTest, AnInterruptedOneGoesOnWithoutAskingTwice) {
  auto device = Open("tip");
  const MinimizeOptions options = Options("crash");
  std::stop_source stop;
  uint64_t before = 0;
  const auto first = Minimize({*device, {}, stop.get_token()}, LongTrace(), Ddmin(), options,
                              [&](const MinimizeProgress& p) {
                                before = p.replays;
                                if (p.replays >= 8) stop.request_stop();
                              });
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->stopped);
  EXPECT_EQ(first->stopped->code(), ErrorCode::kCancelled);
  // The best so far is on disk and is a trace.
  EXPECT_TRUE(ReadTrace(folder_.path() / "minimal.trace.jsonl"));

  const auto second = Minimize({*device, {}, {}}, LongTrace(), Ddmin(), options, {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kept.size(), 5u);
  EXPECT_GT(second->remembered, 0u);
  TemporaryFolder fresh = std::move(*TemporaryFolder::Make());
  MinimizeOptions elsewhere = options;
  elsewhere.out = fresh.path();
  const auto whole = Minimize({*device, {}, {}}, LongTrace(), Ddmin(), elsewhere, {});
  EXPECT_EQ(whole->kept, second->kept);
  EXPECT_LT(second->replays, whole->replays);
}

TEST_F(MinimizerTest, AFolderOfAnotherQuestionIsRefused) {
  auto device = Open("tip");
  ASSERT_TRUE(Minimize({*device, {}, {}}, LongTrace(), Ddmin(), Options("crash"), {}));
  const auto other =
      Minimize({*device, {}, {}}, LongTrace(), Ddmin(), Options("activity:.SplitActivity"), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(other.error().message().find("--out"), std::string::npos);
}

TEST_F(MinimizerTest, AnEmptyTraceIsNothingToDo) {
  auto device = Open("tip");
  EXPECT_EQ(Minimize({*device, {}, {}}, Trace{}, Ddmin(), Options("crash"), {}).error().code(),
            ErrorCode::kNothingToDo);
}

TEST_F(MinimizerTest, ATraceOfOneStepStays) {
  auto device = Open("tip");
  Trace trace = LongTrace();
  trace.steps.resize(1);
  const auto result = Minimize({*device, {}, {}}, trace, Ddmin(), Options("activity:.MainActivity"), {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->kept, (Kept{0}));
}

TEST(VerdictMemory, RangesSurvive) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    Kept kept;
    for (uint32_t k = 0; k < 30; ++k)
      if (random.Chance(0.6)) kept.push_back(k);
    EXPECT_EQ(ParseRanges(ToRanges(kept)).value(), kept);
  }
  EXPECT_EQ(ToRanges({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  for (const char* wrong : {"a", "3-1", "1,1", "1-", "-1", "0-99999999999", "5,3"})
    EXPECT_FALSE(ParseRanges(wrong)) << wrong;
}

TEST(VerdictMemory, LocalTargetsAreOfTheirOwn) {
  TemporaryFolder folder = std::move(*TemporaryFolder::Make());
  const fs::path file = folder.path() / "candidates.jsonl";
  {
    auto memory = VerdictMemory::Open(file, 7);
    ASSERT_TRUE(memory);
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kMissed));
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kReached, "a.B"));
    ASSERT_TRUE(memory->Add({0, 1, 2}, Verdict::kReached, ""));  // The home screen.
  }
  auto memory = VerdictMemory::Open(file, 7);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->Find({0, 1}), Verdict::kMissed);
  EXPECT_EQ(memory->Find({0, 1}, "a.B"), Verdict::kReached);
  EXPECT_EQ(memory->Find({0, 1}, ""), std::nullopt);
  EXPECT_EQ(memory->Find({0, 1, 2}, ""), Verdict::kReached);
  EXPECT_EQ(memory->Find({0, 1, 2}), std::nullopt);
}

TEST(VerdictMemory, ACutOffLineIsDropped) {
  TemporaryFolder folder = std::move(*TemporaryFolder::Make());
  const fs::path file = folder.path() / "candidates.jsonl";
  {
    auto memory = VerdictMemory::Open(file, 7);
    ASSERT_TRUE(memory);
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kMissed));
    ASSERT_TRUE(memory->Add({0, 2}, Verdict::kReached));
    ASSERT_TRUE(memory->Add({0, 3}, Verdict::kUnresolved));
  }
  const std::string text = ReadFile(file).value();
  ASSERT_TRUE(WriteFile(file, text.substr(0, text.size() - 5)));
  auto memory = VerdictMemory::Open(file, 7);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->Find({0, 1}), Verdict::kMissed);
  EXPECT_EQ(memory->Find({0, 2}), std::nullopt);
  EXPECT_EQ(memory->size(), 1u);
  EXPECT_FALSE(VerdictMemory::Open(file, 8));
}

}  // namespace
}  // namespace marmoset
