#include "minimize/minimizer.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/simulated/simulated_device.h"
#include "minimize/verdict_memory.h"
#include "reduce/registry.h"

namespace marmoset {
namespace {

std::unique_ptr<SimulatedDevice> Open(const std::string& model) {
  return std::move(*SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (model + ".yaml")));
}

// A tap on the widget with this id, or, without an id, on a text.
Step DoIn(const std::string& package, const std::string& activity, const std::string& id,
          const std::string& label) {
  Step step;
  step.action = Tap{{1, 1}};
  step.selector = Selector{};
  if (id.empty())
    step.selector->class_name = "android.widget.TextView";
  else
    step.selector->resource_id = package + ":id/" + id;
  step.selector->label = "'" + label + "'";
  if (!activity.empty()) step.activity = package + "." + activity;
  return step;
}

Step Do(const std::string& id, const std::string& label) { return DoIn("com.example.tip", "", id, label); }

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

MinimizeWorld On(Device& device, std::stop_token stop = {}) { return {{{&device, {}}}, std::move(stop)}; }

class MinimizerTest : public testing::Test {
 protected:
  MinimizeOptions Options(const std::string& target, const std::string& method = "ddmin") {
    MinimizeOptions options;
    options.target = *ParseTarget(target);
    options.method = method;
    options.out = folder_.path();
    return options;
  }
  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make());
};

TEST_F(MinimizerTest, FindsTheModelsMinimalSteps) {
  auto device = Open("tip");
  int renewed = 0;
  const auto result = Minimize({{{device.get(), [&] { ++renewed; }}}, {}}, LongTrace(),
                               Options("crash:java.lang.ArithmeticException"), {});
  ASSERT_TRUE(result) << result.error().message();
  ASSERT_EQ(result->kept.size(), 5u);
  EXPECT_TRUE(result->one_minimal);
  EXPECT_TRUE(std::holds_alternative<JudgeOnce>(result->judgement));
  EXPECT_EQ(result->pre_check, (Counts{2, 0}));
  EXPECT_EQ(result->confirmed, (Counts{20, 0}));
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
    MinimizeOptions options = Options("crash:java.lang.ArithmeticException", std::string(info.name));
    options.out = folder.path();
    const auto result = Minimize(On(*device), trace, options, {});
    ASSERT_TRUE(result) << info.name << ": " << result.error().message();
    EXPECT_EQ(result->kept.size(), 5u) << info.name;
    EXPECT_TRUE(result->one_minimal) << info.name;
    EXPECT_EQ(result->confirmed, (Counts{20, 0})) << info.name;
    // Again in the same folder: local targets are remembered, too.
    const auto again = Minimize(On(*device), trace, options, {});
    ASSERT_TRUE(again) << info.name;
    EXPECT_EQ(again->replays, 20u) << info.name;
  }
}

TEST_F(MinimizerTest, SaysThatTheTargetIsNotReached) {
  auto device = Open("tip");
  MinimizeOptions options = Options("crash:a.B");
  options.pre_check = FixedRule{3, 1};
  options.judgement = JudgeOnce();
  const auto result = Minimize(On(*device), LongTrace(), options, {});
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
  const auto first =
      Minimize(On(*device, stop.get_token()), LongTrace(), options, [&](const MinimizeProgress& p) {
        before = p.replays;
        if (p.replays >= 8) stop.request_stop();
      });
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->stopped);
  EXPECT_EQ(first->stopped->code(), ErrorCode::kCancelled);
  // The best so far is on disk and is a trace.
  EXPECT_TRUE(ReadTrace(folder_.path() / "minimal.trace.jsonl"));

  const auto second = Minimize(On(*device), LongTrace(), options, {});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kept.size(), 5u);
  EXPECT_GT(second->remembered, 0u);
  TemporaryFolder fresh = std::move(*TemporaryFolder::Make());
  MinimizeOptions elsewhere = options;
  elsewhere.out = fresh.path();
  const auto whole = Minimize(On(*device), LongTrace(), elsewhere, {});
  EXPECT_EQ(whole->kept, second->kept);
  EXPECT_LT(second->replays, whole->replays);
}

TEST_F(MinimizerTest, AFolderOfAnotherQuestionIsRefused) {
  auto device = Open("tip");
  ASSERT_TRUE(Minimize(On(*device), LongTrace(), Options("crash"), {}));
  const auto other = Minimize(On(*device), LongTrace(), Options("activity:.SplitActivity"), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(other.error().message().find("--out"), std::string::npos);
}

TEST_F(MinimizerTest, AnEmptyTraceIsNothingToDo) {
  auto device = Open("tip");
  EXPECT_EQ(Minimize(On(*device), Trace{}, Options("crash"), {}).error().code(), ErrorCode::kNothingToDo);
}

TEST_F(MinimizerTest, ATraceOfOneStepStays) {
  auto device = Open("tip");
  Trace trace = LongTrace();
  trace.steps.resize(1);
  const auto result = Minimize(On(*device), trace, Options("activity:.MainActivity"), {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->kept, (Kept{0}));
}

// A device whose replays fail in ways that a test chooses, by the number of its reset.
class FailingDevice : public DeviceWrapper {
 public:
  FailingDevice(std::unique_ptr<Device> inner, std::function<bool(int)> fails)
      : DeviceWrapper(std::move(inner)), fails_(std::move(fails)) {}
  Status Reset(const ResetOptions& options) override {
    if (fails_(++resets_)) return Fail(ErrorCode::kDeviceLost, "unplugged");
    return DeviceWrapper::Reset(options);
  }
  int resets() const { return resets_; }

 private:
  std::function<bool(int)> fails_;
  int resets_ = 0;
};

TEST_F(MinimizerTest, SeveralDevicesFindWhatOneFinds) {
  auto one = Open("tip");
  const auto expected = Minimize(On(*one), LongTrace(), Options("crash", "probdd"), {});
  ASSERT_TRUE(expected);
  for (const size_t count : {2u, 3u, 8u}) {
    TemporaryFolder folder = std::move(*TemporaryFolder::Make());
    MinimizeOptions options = Options("crash", "probdd");
    options.out = folder.path();
    std::vector<std::unique_ptr<SimulatedDevice>> devices;
    MinimizeWorld world;
    for (size_t i = 0; i < count; ++i) {
      devices.push_back(Open("tip"));
      world.devices.push_back({devices.back().get(), {}});
    }
    const auto result = Minimize(world, LongTrace(), options, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->kept, expected->kept);
    EXPECT_TRUE(result->one_minimal);
    EXPECT_EQ(result->confirmed, (Counts{20, 0}));
  }
}

TEST_F(MinimizerTest, ADeviceThatFailsOnceIsTriedAgain) {
  FailingDevice device(Open("tip"), [](int reset) { return reset % 5 == 4; });
  const auto result = Minimize(On(device), LongTrace(), Options("crash"), {});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->stopped);
  EXPECT_EQ(result->kept.size(), 5u);
  EXPECT_TRUE(result->one_minimal);
  EXPECT_EQ(result->unresolved, 0u);
  EXPECT_EQ(result->lost, std::vector<std::string>{""});
}

// A device whose process ends in some steps; a new one is there at once.
class FragileDevice : public DeviceWrapper {
 public:
  FragileDevice(std::unique_ptr<Device> inner, std::function<bool(const Action&, int)> kills)
      : DeviceWrapper(std::move(inner)), kills_(std::move(kills)) {}
  Status Reset(const ResetOptions& options) override {
    performed_ = 0;
    return DeviceWrapper::Reset(options);
  }
  Result<Outcome> Perform(const Action& action) override {
    if (kills_(action, performed_++)) {
      ++killed_;
      return Fail(ErrorCode::kDeviceLost, "process ended");
    }
    return DeviceWrapper::Perform(action);
  }
  int killed() const { return killed_; }

 private:
  std::function<bool(const Action&, int)> kills_;
  int performed_ = 0;
  int killed_ = 0;
};

TEST_F(MinimizerTest, StepsThatNoDeviceSurvivesLeaveTheirCandidateUnresolved) {
  FragileDevice device(Open("tip"), [](const Action& action, int before) {
    return std::holds_alternative<PressKey>(action) && before < 3;
  });
  const auto result = Minimize(On(device), LongTrace(), Options("crash", "one-by-one"), {});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_FALSE(result->stopped);
  EXPECT_EQ(result->lost, std::vector<std::string>{""});
  EXPECT_EQ(result->kept.size(), 5u);
  EXPECT_TRUE(result->one_minimal);
  EXPECT_GE(device.killed(), 2 * DeviceFarm::kFailuresInARow);
}

TEST_F(MinimizerTest, ADeviceThatSurvivesNoStepsIsGivenUp) {
  FragileDevice device(Open("tip"), [broken = false](const Action& action, int before) mutable {
    broken |= std::holds_alternative<PressKey>(action) && before < 3;
    return broken;
  });
  const auto result = Minimize(On(device), LongTrace(), Options("crash"), {});
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->stopped);
  EXPECT_EQ(result->stopped->code(), ErrorCode::kDeviceLost);
  EXPECT_EQ(result->lost, std::vector<std::string>{"process ended"});
  EXPECT_LE(device.killed(), (DeviceFarm::kUnresolvedInARow + 1) * DeviceFarm::kFailuresInARow);
}

TEST_F(MinimizerTest, ALostDeviceLeavesItsWorkToTheOthers) {
  for (const char* accept : {"once", "18/20", "sequential"}) {
    TemporaryFolder folder = std::move(*TemporaryFolder::Make());
    FailingDevice first(Open("tip"), [](int reset) { return reset > 6; });
    auto second = Open("tip");
    MinimizeOptions options = Options("crash");
    options.judgement = *ParseJudgement(accept);
    options.out = folder.path();
    const auto result = Minimize({{{&first, {}}, {second.get(), {}}}, {}}, LongTrace(), options, {});
    ASSERT_TRUE(result) << accept;
    EXPECT_FALSE(result->stopped) << accept;
    EXPECT_EQ(result->kept.size(), 5u) << accept;
    EXPECT_EQ(result->confirmed, (Counts{20, 0})) << accept;
    EXPECT_EQ(result->lost, (std::vector<std::string>{"unplugged", ""})) << accept;
    EXPECT_EQ(first.resets(), 6 + DeviceFarm::kFailuresInARow) << accept;
  }
}

TEST_F(MinimizerTest, WhenAllDevicesAreLostTheBestIsKept) {
  FailingDevice first(Open("tip"), [](int reset) { return reset > 6; });
  FailingDevice second(Open("tip"), [](int reset) { return reset > 3; });
  const auto result = Minimize({{{&first, {}}, {&second, {}}}, {}}, LongTrace(), Options("crash"), {});
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->stopped);
  EXPECT_EQ(result->stopped->code(), ErrorCode::kDeviceLost);
  EXPECT_LT(result->kept.size(), LongTrace().steps.size());
  EXPECT_EQ(ReadTrace(folder_.path() / "minimal.trace.jsonl").value(), result->minimal);
  FailingDevice never(Open("tip"), [](int) { return true; });
  TemporaryFolder fresh = std::move(*TemporaryFolder::Make());
  MinimizeOptions options = Options("crash");
  options.out = fresh.path();
  EXPECT_EQ(Minimize(On(never), LongTrace(), options, {}).error().code(), ErrorCode::kDeviceLost);
}

// The upload model crashes in half of the replays, as the seed decides: four steps, among others.
Trace FlakyTrace() {
  Trace trace;
  trace.package = "com.example.upload";
  trace.steps.resize(1);
  trace.steps[0].action = Launch{};
  for (int i = 0; i < 2; ++i) {
    trace.steps.push_back(DoIn("com.example.upload", "MainActivity", "photos", "Photos"));
    trace.steps.push_back(DoIn("com.example.upload", "PhotosActivity", "", "Photo 1"));
    trace.steps.push_back(DoIn("com.example.upload", "PhotosActivity", "", "Photo 3"));
    trace.steps.push_back(DoIn("com.example.upload", "PhotosActivity", "", "Photo 2"));
    trace.steps.push_back({PressKey{"BACK"}, {}, "com.example.upload.PhotosActivity", "", 0, 0, 0});
  }
  trace.steps.push_back(DoIn("com.example.upload", "MainActivity", "photos", "Photos"));
  trace.steps.push_back(DoIn("com.example.upload", "PhotosActivity", "upload", "Upload"));
  return trace;
}

// By a single replay of each candidate half of the good ones are missed. What is accepted by counting keeps
// the whole trace's rate, and the confirmation says so.
TEST_F(MinimizerTest, AFlakyCrashIsMinimizedByCounting) {
  for (const char* method : {"ddmin", "lhdd", "probdd"}) {
    for (const bool shapes : {false, true}) {
      TemporaryFolder folder = std::move(*TemporaryFolder::Make());
      auto device = Open("upload");
      MinimizeOptions options = Options("crash", method);
      options.out = folder.path();
      options.vary = Vary::kSeed;
      options.confirmations = 200;
      if (shapes) options.states = StateFunction::kShape;
      const auto result = Minimize(On(*device), FlakyTrace(), options, {});
      ASSERT_TRUE(result) << method;
      EXPECT_GT(result->pre_check.missed, 0u);
      EXPECT_TRUE(std::holds_alternative<SequentialOptions>(result->judgement));
      EXPECT_EQ(result->kept.size(), 4u) << method;
      EXPECT_TRUE(result->one_minimal) << method;
      EXPECT_EQ(result->confirmed.runs(), 200u);
      EXPECT_GE(result->confirmed.reached, 75u);  // Of a coin: a chance of 1 in 5,000 to be less.
      EXPECT_LE(result->confirmed.reached, 125u);
      ASSERT_TRUE(result->reliable);
      EXPECT_LT(*result->reliable, 0.01);
    }
  }
}

TEST_F(MinimizerTest, ARateBelowTheRuleIsRefusedWithItsFigures) {
  auto device = Open("upload");
  MinimizeOptions options = Options("crash");
  options.vary = Vary::kSeed;
  options.judgement = FixedRule();
  const auto result = Minimize(On(*device), FlakyTrace(), options, {});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->pre_check_failed);
  EXPECT_GT(result->pre_check.reached, 0u);
  EXPECT_EQ(result->pre_check.missed, 6u);  // As soon as 15 of 20 are out of reach.
}

// The pre-check is lucky five times; the confirmation is not, and asks for more than single replays.
TEST_F(MinimizerTest, SingleReplaysThatMisledAreThoughtOverAgain) {
  auto device = Open("upload");
  const auto minimize = [&](uint64_t seed, uint32_t confirmations) {
    TemporaryFolder folder = std::move(*TemporaryFolder::Make());
    Trace trace = FlakyTrace();
    trace.seed = seed;
    MinimizeOptions options = Options("crash");
    options.out = folder.path();
    options.vary = Vary::kSeed;
    options.confirmations = confirmations;
    return Minimize(On(*device), trace, options, {}).value();
  };
  uint64_t seed = 0;
  while (minimize(seed, 0).pre_check != Counts{5, 0}) ASSERT_LT(++seed, 500u);
  const Minimization result = minimize(seed, 20);
  EXPECT_TRUE(std::holds_alternative<SequentialOptions>(result.judgement));
  EXPECT_EQ(result.pre_check.runs(), 20u);
  EXPECT_EQ(result.kept.size(), 4u);
}

TEST_F(MinimizerTest, CountedReplaysAreNotDoneTwice) {
  auto device = Open("upload");
  MinimizeOptions options = Options("crash");
  options.vary = Vary::kSeed;
  const auto first = Minimize(On(*device), FlakyTrace(), options, {});
  ASSERT_TRUE(first);
  const auto second = Minimize(On(*device), FlakyTrace(), options, {});
  ASSERT_TRUE(second);
  EXPECT_LT(second->replays, first->replays / 2);
}

TEST(Judgement, ReadsWhatPeopleWrite) {
  EXPECT_TRUE(std::holds_alternative<JudgeAuto>(*ParseJudgement("auto")));
  EXPECT_TRUE(std::holds_alternative<JudgeOnce>(*ParseJudgement("once")));
  EXPECT_EQ(std::get<FixedRule>(*ParseJudgement("18/20")).needed, 18u);
  EXPECT_EQ(Describe(*ParseJudgement("18/20")), "18 of 20 replays");
  for (const char* wrong : {"", "often", "0/20", "21/20", "18/", "/20", "18/20/3", "1/99999", "-1/3"})
    EXPECT_EQ(ParseJudgement(wrong).error().code(), ErrorCode::kBadInput) << wrong;
  for (const char* wrong : {"", "best", "MDP"}) EXPECT_FALSE(ParsePolicy(wrong)) << wrong;
}

// For every rate there is a test that keeps its error rates.
TEST(Judgement, EveryRateHasATest) {
  for (int percent = 5; percent <= 100; percent += 5) {
    const SequentialOptions options = SequentialFor(percent / 100.0);
    const auto rule = Acceptance::Sequential(options);
    ASSERT_TRUE(rule) << percent << ": " << rule.error().message();
    EXPECT_LE(rule->AcceptProbability(options.bad), options.alpha + 1e-9) << percent;
    EXPECT_GE(rule->AcceptProbability(options.good), 1 - options.beta - 1e-9) << percent;
  }
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
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kMissed, 1));
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kReached, 1, "a.B"));
    for (const Verdict verdict : {Verdict::kReached, Verdict::kMissed, Verdict::kReached})
      ASSERT_TRUE(memory->Add({0, 1, 2}, verdict, 1, ""));  // The home screen.
  }
  auto memory = VerdictMemory::Open(file, 7);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->Find({0, 1}).counts, (Counts{0, 1}));
  EXPECT_EQ(memory->Find({0, 1}, "a.B").counts, (Counts{1, 0}));
  EXPECT_EQ(memory->Find({0, 1}, "").counts, Counts());
  EXPECT_EQ(memory->Find({0, 1, 2}, "").counts, (Counts{2, 1}));
  EXPECT_EQ(memory->Find({0, 1, 2}).counts, Counts());
}

TEST(VerdictMemory, ACutOffLineIsDropped) {
  TemporaryFolder folder = std::move(*TemporaryFolder::Make());
  const fs::path file = folder.path() / "candidates.jsonl";
  {
    auto memory = VerdictMemory::Open(file, 7);
    ASSERT_TRUE(memory);
    ASSERT_TRUE(memory->Add({0, 1}, Verdict::kMissed, 1));
    ASSERT_TRUE(memory->Add({0, 2}, Verdict::kReached, 1));
    ASSERT_TRUE(memory->Add({0, 3}, Verdict::kUnresolved, 1));
  }
  const std::string text = ReadFile(file).value();
  ASSERT_TRUE(WriteFile(file, text.substr(0, text.size() - 5)));
  auto memory = VerdictMemory::Open(file, 7);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->Find({0, 1}).counts, (Counts{0, 1}));
  EXPECT_EQ(memory->Find({0, 2}).counts, Counts());
  EXPECT_EQ(memory->size(), 1u);
  EXPECT_FALSE(VerdictMemory::Open(file, 8));
}

}  // namespace
}  // namespace marmoset
