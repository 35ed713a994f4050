#include "replay/replayer.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"

namespace marmoset {
namespace {

std::unique_ptr<SimulatedDevice> Open(const std::string& model) {
  return std::move(*SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (model + ".yaml")));
}

// A tap on the widget with this id (and label, for rows and buttons), wherever it is.
Step TapOn(const std::string& id, const std::string& label) {
  Step step;
  step.action = Tap{{1, 1}};
  step.selector = Selector{};
  step.selector->resource_id = id;
  step.selector->label = "'" + label + "'";
  return step;
}

Trace TipCrash() {
  Trace trace;
  trace.package = "com.example.tip";
  trace.steps.resize(1);
  trace.steps[0].action = Launch{};
  for (const auto& [id, label] : {std::pair{"split", "Split the bill"},
                                  {"fewer", "One fewer"},
                                  {"more", "One more"},
                                  {"fewer", "One fewer"},
                                  {"fewer", "One fewer"},
                                  {"show", "Show shares"}})
    trace.steps.push_back(TapOn(std::string("com.example.tip:id/") + id, label));
  return trace;
}

Target AnyCrash() { return *ParseTarget("crash"); }

TEST(Replayer, ReachesTheRecordedCrash) {
  auto device = Open("tip");
  const Trace trace = TipCrash();
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace),
                                  *ParseTarget("crash:java.lang.ArithmeticException"), {}, {});
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->verdict, Verdict::kReached);
  EXPECT_EQ(replay->steps_done, trace.steps.size());
  EXPECT_EQ(replay->found_by_point, 0u);
  ASSERT_TRUE(replay->crash);
  EXPECT_EQ(replay->crash->frame, "com.example.tip.SplitActivity.share(SplitActivity.java:101)");
}

TEST(Replayer, ADifferentCrashIsAMiss) {
  auto device = Open("tip");
  const Trace trace = TipCrash();
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace), *ParseTarget("crash:a.Other"), {}, {});
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->verdict, Verdict::kMissed);
  EXPECT_NE(replay->reason.find("another crash"), std::string::npos);
}

TEST(Replayer, SaysWhereItLeftTheRecording) {
  auto device = Open("tip");
  Trace trace = TipCrash();
  trace.steps[1].selector->resource_id = "com.example.tip:id/gone";
  trace.steps[1].selector->label = "'Gone'";
  ReplayOptions options;
  options.watch_divergence = true;
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), options, {});
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->verdict, Verdict::kMissed);
  ASSERT_TRUE(replay->divergence);
  EXPECT_EQ(replay->divergence->step, 1u);
  EXPECT_GE(replay->found_by_point, 1u);
}

TEST(Replayer, ARecordedActivityThatDoesNotComeIsADivergence) {
  auto device = Open("tip");
  Trace trace = TipCrash();
  trace.steps[1].activity_after = "com.example.tip.Elsewhere";
  ReplayOptions options;
  options.watch_divergence = true;
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), options, {});
  ASSERT_TRUE(replay->divergence);
  EXPECT_EQ(replay->divergence->step, 1u);
  EXPECT_EQ(replay->verdict, Verdict::kReached);
}

TEST(Replayer, PointsOfAnotherDisplayAreMappedOrLeftOut) {
  auto device = Open("tip");
  const auto recorded = ReplaySteps(*device, TipCrash(), AllSteps(TipCrash()), AnyCrash(), {}, {});
  ASSERT_TRUE(recorded);
  // The same taps by points, from a display of half the size with a bar at the bottom.
  Trace trace = TipCrash();
  const Display here = device->info().display;
  trace.display = {here.width / 2, here.height / 2 + 60, here.density / 2, here.status_bar / 2, 60};
  ReplayOptions options;
  size_t next = 0;
  options.on_step = [&](const Step* step, const Action& action, const Screen&) -> Status {
    if (step != nullptr && next < trace.steps.size()) {
      if (const auto at = TouchedPoint(action)) trace.steps[next].action = Tap{{at->x / 2, at->y / 2}};
      trace.steps[next++].selector.reset();
    }
    return {};
  };
  Trace by_widgets = TipCrash();
  by_widgets.display = here;
  ASSERT_TRUE(ReplaySteps(*device, by_widgets, AllSteps(by_widgets), AnyCrash(), options, {}));
  Step bar;
  bar.action = Tap{{10, trace.display.height - 5}};
  trace.steps.insert(trace.steps.begin() + 1, bar);

  options.on_step = nullptr;
  options.watch_divergence = true;
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), options, {});
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->verdict, Verdict::kReached);
  EXPECT_EQ(replay->left_out, 1u);
  ASSERT_TRUE(replay->divergence);
  EXPECT_EQ(replay->divergence->step, 1u);
}

TEST(Replayer, OtherTargets) {
  auto device = Open("tip");
  const Trace trace = TipCrash();
  const Kept two = {0, 1};
  auto verdict = [&](const char* target, const Kept& kept) {
    const auto replay = ReplaySteps(*device, trace, kept, *ParseTarget(target), {}, {});
    EXPECT_TRUE(replay) << target;
    return replay ? replay->verdict : Verdict::kUnresolved;
  };
  EXPECT_EQ(verdict("activity:.SplitActivity", two), Verdict::kReached);
  EXPECT_EQ(verdict("activity:com.example.tip.SplitActivity", two), Verdict::kReached);
  EXPECT_EQ(verdict("activity:lit", two), Verdict::kMissed);
  EXPECT_EQ(verdict("widget:show", two), Verdict::kReached);
  EXPECT_EQ(verdict("widget:People: 2", two), Verdict::kReached);
  EXPECT_EQ(verdict("widget:nothing", two), Verdict::kMissed);
  EXPECT_EQ(verdict("log:sharing \\d+ among 0", AllSteps(trace)), Verdict::kReached);
  EXPECT_EQ(verdict("log:sharing \\d+ among 1", AllSteps(trace)), Verdict::kMissed);
  EXPECT_EQ(verdict("command:grep -q 'People: 2' $MARMOSET_SCREEN", two), Verdict::kReached);
  EXPECT_EQ(verdict("command:grep -q 'People: 7' $MARMOSET_SCREEN", two), Verdict::kMissed);
  EXPECT_EQ(verdict("command:exit 3", two), Verdict::kUnresolved);
}

TEST(Replayer, AHostGapAndALostDeviceAreUnresolved) {
  auto device = Open("unreliable");
  Trace trace;
  trace.steps.resize(1);
  trace.steps[0].action = Launch{};
  trace.steps.push_back(TapOn("com.example.unreliable:id/sound", "Sound"));
  int unresolved = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ReplayOptions options;
    options.seed = seed;
    const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), options, {});
    ASSERT_TRUE(replay);
    unresolved += replay->verdict == Verdict::kUnresolved;
  }
  EXPECT_EQ(unresolved, 20);
}

TEST(Replayer, AnotherScheduleSeedMayMissTheCrash) {
  auto device = Open("upload");
  Trace trace;
  trace.steps.resize(1);
  trace.steps[0].action = Launch{};
  trace.steps.push_back(TapOn("com.example.upload:id/photos", "Photos"));
  trace.steps.push_back(TapOn("com.example.upload:id/list", "Photo 2"));
  trace.steps.push_back(TapOn("com.example.upload:id/upload", "Upload"));
  int reached = 0;
  for (uint64_t schedule_seed = 0; schedule_seed < 40; ++schedule_seed) {
    ReplayOptions options;
    options.schedule_seed = schedule_seed;
    const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), options, {});
    ASSERT_TRUE(replay);
    reached += replay->verdict == Verdict::kReached;
  }
  EXPECT_GT(reached, 5);
  EXPECT_LT(reached, 35);
}

TEST(Replayer, StopsWhenAsked) {
  auto device = Open("tip");
  const Trace trace = TipCrash();
  std::stop_source stop;
  stop.request_stop();
  const auto replay = ReplaySteps(*device, trace, AllSteps(trace), AnyCrash(), {}, stop.get_token());
  ASSERT_FALSE(replay);
  EXPECT_EQ(replay.error().code(), ErrorCode::kCancelled);
}

TEST(Target, ReadsWhatItWrites) {
  for (const char* text : {"crash", "crash:a.B at c.D.e(D.java:1)", "activity:.Main", "widget:Split bill",
                           "log:a+b", "command:test -f x"})
    EXPECT_EQ(ToText(*ParseTarget(text)), text);
  for (const char* wrong : {"", "crush", "activity:", "log:(", "log:"})
    EXPECT_FALSE(ParseTarget(wrong)) << wrong;
}

}  // namespace
}  // namespace marmoset
