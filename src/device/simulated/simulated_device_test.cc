#include "device/simulated/simulated_device.h"

#include <gtest/gtest.h>

#include <set>

#include "gui/selector.h"

namespace marmoset {
namespace {

std::unique_ptr<SimulatedDevice> Sample(const std::string& name) {
  auto device = SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (name + ".yaml"));
  EXPECT_TRUE(device) << device.error().message();
  return std::move(*device);
}

std::unique_ptr<SimulatedDevice> FromText(const std::string& screens) {
  auto model = ParseAppModel(
      "marmoset_model: 1\npackage: com.example\nvariables: {n: 0, checked: 0}\nscreens:\n" + screens);
  EXPECT_TRUE(model) << model.error().message();
  auto device = std::make_unique<SimulatedDevice>(std::move(*model));
  EXPECT_TRUE(device->Reset({1}));
  return device;
}

// The middle of the first reachable widget that is called so.
Point Find(SimulatedDevice& device, std::string_view label) {
  const Screen screen = device.Observe().value();
  for (const WidgetRef ref : ReachableWidgets(screen))
    if (At(screen, ref).text == label || ShortName(At(screen, ref).resource_id) == label)
      return At(screen, ref).bounds.center();
  ADD_FAILURE() << "nothing is called " << label;
  return {};
}

Outcome Do(SimulatedDevice& device, const Action& action) { return device.Perform(action).value(); }
Outcome TapOn(SimulatedDevice& device, std::string_view label) {
  return Do(device, Tap{Find(device, label)});
}
std::string Activity(SimulatedDevice& device) { return device.Observe().value().activity; }

TEST(SimulatedDevice, NothingIsLaunchedAfterAReset) {
  const auto device = Sample("tip");
  ASSERT_TRUE(device->Reset({1}));
  const Screen home = device->Observe().value();
  EXPECT_EQ(home.package, "com.android.launcher");
  EXPECT_EQ(home.activity, "");
  EXPECT_TRUE(home.windows.empty());
  EXPECT_FALSE(Do(*device, Tap{{500, 500}}).process_died());
  EXPECT_EQ(device->Screenshot().error().code(), ErrorCode::kUnsupported);
}

TEST(SimulatedDevice, TheTipCalculatorsFirstBugNeedsItsSteps) {
  const auto device = Sample("tip");
  ASSERT_TRUE(device->Reset({1}));
  EXPECT_EQ(Do(*device, Launch{}).activities, std::vector<std::string>{"com.example.tip.MainActivity"});
  const Outcome split = TapOn(*device, "Split the bill");
  EXPECT_EQ(split.activities, std::vector<std::string>{"com.example.tip.SplitActivity"});
  EXPECT_EQ(split.now_ms, 450);
  TapOn(*device, "One fewer");
  EXPECT_FALSE(TapOn(*device, "Show shares").process_died());  // Not yet: one person is left.
  TapOn(*device, "OK");
  TapOn(*device, "One fewer");
  const Outcome crash = TapOn(*device, "Show shares");
  ASSERT_TRUE(crash.crash);
  EXPECT_EQ(SignatureOf(*crash.crash).ToString(),
            "java.lang.ArithmeticException at com.example.tip.SplitActivity.share(SplitActivity.java:101)");
  ASSERT_EQ(crash.log.size(), 1u);
  EXPECT_EQ(crash.log[0].message, "sharing 0 among 0");
  EXPECT_EQ(Activity(*device), "");
  EXPECT_EQ(device->Perform(Launch{}).error().code(), ErrorCode::kInternal);
  ASSERT_TRUE(device->Reset({1}));
  EXPECT_TRUE(device->Perform(Launch{}));
}

TEST(SimulatedDevice, TheTipCalculatorsSecondBugNeedsItsSteps) {
  const auto device = Sample("tip");
  ASSERT_TRUE(device->Reset({1}));
  Do(*device, Launch{});
  TapOn(*device, "History");
  EXPECT_EQ(TapOn(*device, "Bill 3").toasts, std::vector<std::string>{"Bill 2"});
  Do(*device, PressKey{"BACK"});
  TapOn(*device, "Settings");
  TapOn(*device, "Dark mode");
  EXPECT_EQ(TapOn(*device, "About").left_app.size(), 1u);
  Do(*device, PressKey{"BACK"});
  TapOn(*device, "History");
  EXPECT_FALSE(TapOn(*device, "Bill 2").process_died());
  const Outcome crash = TapOn(*device, "Bill 3");
  ASSERT_TRUE(crash.crash);
  EXPECT_EQ(crash.crash->stack.find("java.lang.IllegalStateException: no colour for row 2\n"), 0u);
}

TEST(SimulatedDevice, TheUploaderCrashesInHalfOfTheSeeds) {
  const auto device = Sample("upload");
  int crashes = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    ASSERT_TRUE(device->Reset({seed}));
    Do(*device, Launch{});
    TapOn(*device, "Photos");
    TapOn(*device, "Photo 2");
    crashes += TapOn(*device, "Upload").crash.has_value();
  }
  EXPECT_GT(crashes, 160);
  EXPECT_LT(crashes, 240);
}

TEST(SimulatedDevice, AScheduleSeedChangesTheOutcomeAndSettlesIt) {
  const auto device = Sample("upload");
  const auto crashes = [&](uint64_t schedule_seed) {
    EXPECT_TRUE(device->Reset({.seed = 1, .schedule_seed = schedule_seed}));
    Do(*device, Launch{});
    TapOn(*device, "Photos");
    TapOn(*device, "Photo 2");
    return TapOn(*device, "Upload").crash.has_value();
  };
  int count = 0;
  for (uint64_t schedule_seed = 0; schedule_seed < 100; ++schedule_seed) {
    const bool crashed = crashes(schedule_seed);
    count += crashed;
    EXPECT_EQ(crashes(schedule_seed), crashed) << schedule_seed;
  }
  EXPECT_GT(count, 30);
  EXPECT_LT(count, 70);
}

TEST(SimulatedDevice, TheUnreliableDeviceFailsAndComesBack) {
  const auto device = Sample("unreliable");
  int lost = 0, gaps = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    ASSERT_TRUE(device->Reset({seed}));
    for (int i = 0; i < 10; ++i) {
      const auto outcome = device->Perform(Launch{});
      if (!outcome) {
        EXPECT_EQ(outcome.error().code(), ErrorCode::kDeviceLost);
        EXPECT_EQ(device->Observe().error().code(), ErrorCode::kDeviceLost);
        EXPECT_EQ(device->Perform(Launch{}).error().code(), ErrorCode::kDeviceLost);
        ++lost;
        break;
      }
      if (outcome->host_gap) {
        ++gaps;
        break;
      }
    }
  }
  EXPECT_GT(lost, 20);
  EXPECT_GT(gaps, 30);
}

// Random actions; everything that can be seen as one text.
std::string History(SimulatedDevice& device, uint64_t seed, bool look) {
  std::string text;
  Random random(99);
  EXPECT_TRUE(device.Reset({seed}));
  for (int i = 0; i < 200; ++i) {
    const Point at{static_cast<int>(random.Below(1080)), static_cast<int>(random.Below(1920))};
    const Action action = random.Chance(0.1) ? Action(Launch{}) : Action(Tap{at});
    const auto outcome = device.Perform(action);
    text += outcome
                ? fmt::format("{} {} {};", outcome->now_ms, outcome->toasts.size(), outcome->process_died())
                : outcome.error().message();
    if (look) (void)device.Observe();  // Looking changes nothing.
    text += std::to_string(ContentHash(device.Observe().value())) + "\n";
    if (outcome && outcome->process_died()) (void)device.Reset({++seed});
  }
  return text;
}

TEST(SimulatedDevice, ARunIsAFunctionOfModelSeedAndActions) {
  const auto one = Sample("upload"), two = Sample("upload");
  EXPECT_EQ(History(*one, 5, false), History(*two, 5, true));
  EXPECT_EQ(History(*one, 5, true), History(*one, 5, false));
  EXPECT_NE(History(*one, 5, false), History(*one, 6, false));
}

TEST(SimulatedDevice, BackAndHomeAndLaunchAreAndroids) {
  const auto device = FromText(
      "  a: {activity: .A, widgets: [{id: b, class: Button}], on: [{do: tap, at: b, go: b}]}\n"
      "  b: {activity: .B, widgets: [{id: a, class: Button}], on: [{do: tap, at: a, go: a}]}\n");
  Do(*device, Launch{});
  TapOn(*device, "b");
  EXPECT_EQ(Activity(*device), "com.example.B");
  Do(*device, PressKey{"HOME"});
  EXPECT_EQ(Activity(*device), "");
  EXPECT_TRUE(Do(*device, Launch{}).activities.empty());
  EXPECT_EQ(Activity(*device), "com.example.B");
  Do(*device, PressKey{"BACK"});
  EXPECT_EQ(Activity(*device), "com.example.A");
  const Outcome last = Do(*device, PressKey{"BACK"});
  EXPECT_TRUE(last.finished);
  EXPECT_EQ(Activity(*device), "");
  Do(*device, Launch{"com.example/.B"});
  EXPECT_EQ(Activity(*device), "com.example.B");
  EXPECT_EQ(Do(*device, Launch{"com.example/.C"}).log.size(), 1u);
  EXPECT_EQ(Activity(*device), "com.example.B");
  // Going to a screen that is open goes back to it.
  Do(*device, Launch{"com.example/.A"});
  TapOn(*device, "b");
  TapOn(*device, "a");
  EXPECT_TRUE(Do(*device, PressKey{"BACK"}).activities.empty());
}

TEST(SimulatedDevice, TypingGoesToTheFocusedField) {
  const auto device = FromText(
      "  a:\n    activity: .A\n    widgets: [{id: f, class: EditText, hint: Name}, {id: shown, text: "
      "'{n}'}]\n"
      "    on: [{do: text, at: f, set: {n: value + length * 100}}]\n");
  Do(*device, Launch{});
  Do(*device, TypeText{"12"});
  EXPECT_EQ(Find(*device, "0"), Find(*device, "shown"));  // Nothing was focused.
  TapOn(*device, "f");
  Do(*device, TypeText{"12"});
  EXPECT_EQ(Find(*device, "212"), Find(*device, "shown"));
  Do(*device, TypeText{"3", false});
  EXPECT_EQ(Find(*device, "123"), Find(*device, "f"));
  EXPECT_EQ(Find(*device, "423"), Find(*device, "shown"));
  Do(*device, TypeText{"x"});
  EXPECT_EQ(Find(*device, "100"), Find(*device, "shown"));
}

TEST(SimulatedDevice, ADialogLiesOverItsActivity) {
  const auto device = FromText(
      "  a: {activity: .A, widgets: [{id: ask, class: Button}], on: [{do: tap, at: ask, go: d}]}\n"
      "  d: {dialog: true, title: Sure, widgets: [{id: no, class: Button}, {id: yes, class: Button}],\n"
      "      on: [{do: tap, at: 'no', back: true}, {do: tap, at: 'yes', finish: true}]}\n");
  Do(*device, Launch{});
  EXPECT_TRUE(TapOn(*device, "ask").activities.empty());
  const Screen screen = device->Observe().value();
  EXPECT_EQ(screen.activity, "com.example.A");
  ASSERT_EQ(screen.windows.size(), 2u);
  EXPECT_EQ(screen.windows[1].type, WindowType::kDialog);
  EXPECT_EQ(screen.windows[1].title, "Sure");
  Do(*device, Tap{{5, 100}});  // Beside it.
  EXPECT_EQ(device->Observe().value(), screen);
  TapOn(*device, "no");
  EXPECT_EQ(device->Observe().value().windows.size(), 1u);
  TapOn(*device, "ask");
  EXPECT_TRUE(TapOn(*device, "yes").finished);
}

TEST(SimulatedDevice, AProcessDeathLosesWhatIsNotSaved) {
  const auto model = ParseAppModel(
      "marmoset_model: 1\npackage: com.example\nvariables: {kept: 3, lost: 4}\nunsaved: [lost]\nscreens:\n"
      "  a: {activity: .A, widgets: [{id: more, class: Button, text: '{kept} {lost}'}],\n"
      "      on: [{do: tap, at: more, set: {kept: kept + 1, lost: lost + 1}, go: b}]}\n"
      "  b: {activity: .B, widgets: [{id: text, text: '{kept} {lost}'}],\n"
      "      on: [{do: process_death, toast: back again}]}\n");
  ASSERT_TRUE(model) << model.error().message();
  SimulatedDevice device(*model);
  ASSERT_TRUE(device.Reset({1}));
  EXPECT_TRUE(Do(device, ProcessDeath{}).toasts.empty());
  EXPECT_EQ(Activity(device), "");  // Nothing to come back to.
  Do(device, Launch{});
  TapOn(device, "more");
  Find(device, "4 5");
  EXPECT_EQ(Do(device, ProcessDeath{}).toasts, std::vector<std::string>{"back again"});
  EXPECT_EQ(Activity(device), "com.example.B");
  Find(device, "4 4");
  Do(device, PressKey{"HOME"});
  Do(device, ProcessDeath{});
  EXPECT_EQ(Activity(device), "com.example.B");  // The user has come back.

  EXPECT_FALSE(
      ParseAppModel("marmoset_model: 1\npackage: com.example\nunsaved: [n]\nscreens: {a: {activity: .A}}\n"));
  EXPECT_FALSE(ParseAppModel(
      "marmoset_model: 1\npackage: com.example\nunsaved: [row]\nscreens: {a: {activity: .A}}\n"));
}

TEST(SimulatedDevice, EveryKindOfActionCanBeAnswered) {
  const auto device = FromText(
      "  a:\n    activity: .A\n    widgets: [{id: w, class: Button}, {id: off, enabled: '0', class: "
      "Button}]\n    on:\n"
      "      - {do: long_tap, at: w, toast: long}\n"
      "      - {do: double_tap, at: w, toast: double}\n"
      "      - {do: swipe, direction: up, toast: up}\n"
      "      - {do: drag, at: w, toast: drag}\n"
      "      - {do: pinch, toast: pinch}\n"
      "      - {do: key, key: MENU, toast: menu}\n"
      "      - {do: rotate, toast: rotated}\n"
      "      - {do: wait, toast: waited}\n"
      "      - {do: intent, toast: intent}\n"
      "      - {do: permission, toast: permission}\n"
      "      - {do: tap, at: 'off', toast: never}\n"
      "      - {do: key, key: POWER, exit: true}\n");
  Do(*device, Launch{});
  const Point w = Find(*device, "w");
  auto toast = [&](const Action& action) {
    const auto toasts = Do(*device, action).toasts;
    return toasts.empty() ? "" : toasts[0];
  };
  EXPECT_EQ(toast(LongTap{w}), "long");
  EXPECT_EQ(toast(DoubleTap{w}), "double");
  EXPECT_EQ(toast(Swipe{w, {w.x + 1, w.y - 50}}), "up");
  EXPECT_EQ(toast(Swipe{w, {w.x + 90, w.y - 50}}), "");
  EXPECT_EQ(toast(Drag{w, {1, 1}}), "drag");
  EXPECT_EQ(toast(Drag{{500, 1900}, {1, 1}}), "");
  EXPECT_EQ(toast(Pinch{}), "pinch");
  EXPECT_EQ(toast(PressKey{"MENU"}), "menu");
  EXPECT_EQ(toast(PressKey{"ENTER"}), "");
  EXPECT_EQ(toast(SendIntent{}), "intent");
  EXPECT_EQ(toast(AnswerPermission{}), "permission");
  EXPECT_EQ(toast(Tap{Find(*device, "off")}), "");
  const int64_t before_ms = Do(*device, Tap{{1, 1900}}).now_ms;
  EXPECT_EQ(Do(*device, Wait{5000}).now_ms, before_ms + 5100);
  EXPECT_EQ(toast(Rotate{1}), "rotated");
  const Screen turned = device->Observe().value();
  EXPECT_EQ(turned.width, 1920);
  EXPECT_EQ(turned.rotation, 1);
  EXPECT_TRUE(Do(*device, PressKey{"POWER"}).exited);
}

TEST(SimulatedDevice, WidgetsWithoutLongPressTakeItForATap) {
  const auto device =
      FromText("  a: {activity: .A, widgets: [{id: c, class: CheckBox, checked: checked}]}\n");
  Do(*device, Launch{});
  const Point c = Find(*device, "c");
  auto checked = [&] { return device->Observe().value().windows[0].widgets[1].checked; };
  Do(*device, LongTap{c});
  EXPECT_TRUE(checked());
  Do(*device, Tap{c});
  EXPECT_FALSE(checked());
  Do(*device, DoubleTap{c});
  EXPECT_FALSE(checked());
}

TEST(SimulatedDevice, ManyWidgetsStillFit) {
  std::string widgets;
  for (int i = 0; i < 100; ++i) widgets += fmt::format("{{id: w{}, class: Button}},", i);
  const auto device = FromText("  a: {activity: .A, widgets: [" + widgets + "]}\n");
  Do(*device, Launch{});
  const Screen screen = device->Observe().value();
  for (const Widget& w : screen.windows[0].widgets) {
    EXPECT_FALSE(w.bounds.empty());
    EXPECT_LE(w.bounds.bottom, 1920);
  }
}

}  // namespace
}  // namespace marmoset
