#include "explore/ape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "device/simulated/simulated_device.h"
#include "explore/explorer.h"
#include "gui/selector.h"
#include "gui/testing.h"

namespace marmoset {
namespace {

struct Explored {
  ExploreEnd end = ExploreEnd::kEvents;
  size_t crashes = 0;
  size_t activities = 0;
  std::vector<Step> steps;
};

SendIntent IntentTo(const std::string& component) {
  SendIntent intent;
  intent.component = component;
  return intent;
}

// Explores a model into `folder`, which may hold an interrupted run.
Explored RunOn(const std::string& model, const fs::path& folder, uint64_t seed, int64_t events,
               int64_t stop_after = 0) {
  auto device = SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (model + ".yaml"));
  EXPECT_TRUE(device);
  auto record = fs::exists(folder / "run.sqlite") ? RunRecord::Open(folder) : RunRecord::Create(folder);
  EXPECT_TRUE(record);
  auto strategy = MakeStrategy("ape", {.intents = {{IntentTo("p/A"), "p.A"}, {IntentTo("p/B"), "p.B"}}});
  EXPECT_TRUE(strategy);
  Trace header;
  header.package = (*device)->model().package;
  ManualClock clock;
  std::stop_source stop;
  ExploreOptions options;
  options.seed = seed;
  options.events = events;
  const auto result = Explore({**device, *record, clock, stop.get_token()}, header, options, **strategy,
                              [&](const ExploreProgress& p) {
                                if (stop_after > 0 && p.events >= stop_after) stop.request_stop();
                              });
  EXPECT_TRUE(result) << result.error().message();
  Explored run;
  run.end = result->end;
  run.crashes = record->Crashes()->size();
  run.activities = record->Activities()->size();
  for (int64_t episode = 1;; ++episode) {
    const std::vector<Step> steps = record->EpisodeSteps(episode).value();
    if (steps.empty()) break;
    run.steps.insert(run.steps.end(), steps.begin(), steps.end());
  }
  return run;
}

class ApeTest : public testing::Test {
 protected:
  fs::path Folder(const std::string& name) { return folder_.path() / name; }
  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make());
};

TEST_F(ApeTest, SeesTheWholeModelFromEverySeed) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Explored run = RunOn("tip", Folder(std::to_string(seed)), seed, 1000);
    EXPECT_EQ(run.activities, 4u) << seed;
    EXPECT_GE(run.crashes, 1u) << seed;
  }
}

TEST_F(ApeTest, TheSameSeedGivesTheSameRunAndAnotherAnother) {
  for (const char* model : {"tip", "upload"}) {
    const Explored one = RunOn(model, Folder(std::string("one") + model), 9, 400);
    EXPECT_EQ(RunOn(model, Folder(std::string("two") + model), 9, 400).steps, one.steps);
    EXPECT_NE(RunOn(model, Folder(std::string("other") + model), 10, 400).steps, one.steps);
  }
}

TEST_F(ApeTest, AnInterruptedRunGoesOnAsIfNothingHadHappened) {
  const Explored whole = RunOn("tip", Folder("whole"), 4, 300);
  for (const int64_t at : {1, 7, 50, 123, 250, 299}) {
    const fs::path folder = Folder(std::to_string(at));
    EXPECT_EQ(RunOn("tip", folder, 4, 300, at).end, ExploreEnd::kStopped);
    EXPECT_EQ(RunOn("tip", folder, 4, 300).steps, whole.steps) << "stopped after " << at;
  }
}

TEST_F(ApeTest, StartsAnewAfterAtMost300Steps) {
  const Explored run = RunOn("upload", Folder("a"), 2, 1500);
  int64_t since = 0, starts = 0;
  for (const Step& step : run.steps) {
    if (std::holds_alternative<Launch>(step.action)) {
      since = 0;
      ++starts;
    }
    EXPECT_LE(++since, 301);
  }
  EXPECT_GE(starts, 5);
}

// What a strategy does on an app of one screen that nothing changes.
std::vector<Action> OnOneScreen(Strategy& strategy, const Screen& screen, int steps) {
  Random random(3);
  Step launch;
  launch.action = Launch{};
  strategy.Remember(launch, screen, true, 0);
  std::vector<Action> done;
  while (static_cast<int>(done.size()) < steps) {
    const Decision decision = strategy.Choose(screen, random);
    if (decision.restart) {
      strategy.Remember(launch, screen, true, 0);
      continue;
    }
    Step step;
    step.action = decision.action;
    if (decision.widget) step.selector = SelectorOf(screen, *decision.widget, {500, 50});
    strategy.Remember(step, screen, true, 0);
    done.push_back(decision.action);
  }
  return done;
}

template <typename T>
int Count(const std::vector<Action>& actions) {
  return static_cast<int>(std::count_if(actions.begin(), actions.end(),
                                        [](const Action& a) { return std::holds_alternative<T>(a); }));
}

TEST(Ape, OpensAnActivityFromOutsideWhereNothingNewComes) {
  StrategyOptions options;
  const Screen screen = ScreenOf("com.example.A", {RowWidget(0, "android.widget.Button", "p:id/a", "A")});
  // The first opens what is in front already.
  options.intents = {{IntentTo("p/com.example.A"), "com.example.A"},
                     {IntentTo("p/com.example.B"), "com.example.B"}};
  for (const bool goes_elsewhere : {true, false}) {
    ApeParameters parameters;
    parameters.system_rate = 0;
    parameters.goes_elsewhere = goes_elsewhere;
    const auto actions = OnOneScreen(*MakeApeWith(parameters, options), screen, 300);
    ASSERT_EQ(Count<SendIntent>(actions), 1);
    const auto at = std::find_if(actions.begin(), actions.end(),
                                 [](const Action& a) { return std::holds_alternative<SendIntent>(a); });
    EXPECT_EQ(std::get<SendIntent>(*at), options.intents[1].intent);
    // At once where nothing is left to do, else after a time without news.
    EXPECT_GE(at - actions.begin(), goes_elsewhere ? 2 : parameters.jump_after);
    EXPECT_LE(at - actions.begin(), goes_elsewhere ? 10 : parameters.jump_after + 10);
  }
}

TEST(Ape, SystemEventsAreSeldomUntilNothingNewComesAndOnlyBeyondThePaper) {
  const Screen screen = ScreenOf("com.example.A", {RowWidget(0, "android.widget.Button", "p:id/a", "A")});
  const StrategyOptions options{.intents = {{IntentTo("p/com.example.A"), "com.example.A"}}};
  const auto system_events = [&](int64_t stale_after) {
    ApeParameters parameters;
    parameters.stale_after = stale_after;
    const auto actions = OnOneScreen(*MakeApeWith(parameters, options), screen, 3000);
    const auto homes = std::count(actions.begin(), actions.end(), Action(PressKey{"HOME"}));
    EXPECT_NEAR(static_cast<double>(homes), Count<ProcessDeath>(actions), 20);
    EXPECT_NEAR(Count<SendIntent>(actions), Count<ProcessDeath>(actions), 20);
    return static_cast<double>(homes) + Count<ProcessDeath>(actions) + Count<SendIntent>(actions);
  };
  EXPECT_NEAR(system_events(0), 30, 16);
  EXPECT_NEAR(system_events(250), 130, 40);  // Five times as many after 1,000 steps.
  const auto published = OnOneScreen(**MakeStrategy("ape-published", options), screen, 3000);
  EXPECT_EQ(Count<SendIntent>(published) + Count<ProcessDeath>(published), 0);
  EXPECT_EQ(std::count(published.begin(), published.end(), Action(PressKey{"HOME"})), 0);
}

// An activity whose buttons A and B open the same dialog with one button. Steps until that has been tapped
// after both; 1000 for never.
int StepsUntilTappedAfterBoth(ApeParameters parameters, uint64_t seed) {
  parameters.fuzzing_rate = parameters.system_rate = 0;
  const auto ape = MakeApeWith(parameters, {});
  const Screen activity = ScreenOf("com.example.A", {RowWidget(0, "android.widget.Button", "p:id/a", "A"),
                                                     RowWidget(1, "android.widget.Button", "p:id/b", "B")});
  Screen dialog = activity;
  dialog.windows.push_back(ScreenOf("", {RowWidget(0, "android.widget.Button", "p:id/ok", "OK")}).windows[0]);
  dialog.windows.back().type = WindowType::kDialog;
  Random random(seed);
  Step launch;
  launch.action = Launch{};
  const Screen* now = &activity;
  ape->Remember(launch, *now, true, 0);
  std::string opener;
  std::set<std::string> tapped_after;
  for (int i = 1; i < 1000; ++i) {
    const Decision decision = ape->Choose(*now, random);
    Step step;
    step.action = decision.restart ? Action(Launch{}) : decision.action;
    if (decision.restart) now = &activity;
    if (decision.widget) {
      const std::string id = At(*now, *decision.widget).resource_id;
      step.selector = SelectorOf(*now, *decision.widget, {500, 50});
      step.screen = ContentHash(*now);
      if (now == &dialog) {
        tapped_after.insert(opener);
        now = &activity;
      } else {
        opener = id;
        now = &dialog;
      }
      step.screen_after = ContentHash(*now);
    } else {
      now = &activity;
    }
    ape->Remember(step, *now, true, 0);
    if (tapped_after.size() == 2) return i;
  }
  return 1000;
}

TEST(Ape, WhatADialogDoesIsTriedAgainWhereAnotherButtonHasOpenedIt) {
  int with = 0, without = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    ApeParameters parameters;
    parameters.walks = false;
    with = std::max(with, StepsUntilTappedAfterBoth(parameters, seed));
    parameters.knows_occasions = false;
    without = std::max(without, StepsUntilTappedAfterBoth(parameters, seed));
  }
  EXPECT_LE(with, 20);
  EXPECT_GT(without, with);
}

TEST(Ape, AQuestionForAPermissionIsAnsweredByYesAndByNo) {
  Screen question =
      ScreenOf("com.android.Question", {RowWidget(0, "android.widget.Button", "p:id/yes", "Allow"),
                                        RowWidget(1, "android.widget.Button", "p:id/no", "Deny")});
  question.package = "com.android.permissioncontroller";
  const auto actions = OnOneScreen(**MakeStrategy("ape", {}), question, 100);
  const auto allowed = std::count(actions.begin(), actions.end(), Action(AnswerPermission{true}));
  const auto denied = std::count(actions.begin(), actions.end(), Action(AnswerPermission{false}));
  EXPECT_GE(allowed + denied, 90);
  EXPECT_GE(std::min(allowed, denied), 30);
  EXPECT_EQ(Count<AnswerPermission>(OnOneScreen(**MakeStrategy("ape-published", {}), question, 100)), 0);
}

TEST(Ape, WhatNeverChangesAnythingIsLeftAlone) {
  std::vector<Widget> rows;
  for (int i = 0; i < 20; ++i)
    rows.push_back(RowWidget(i, "android.widget.TextView", "p:id/row", fmt::format("row {}", i)));
  for (Widget& row : rows) row.long_clickable = true;
  const auto done = [&](int64_t inert_after) {
    ApeParameters parameters;
    parameters.fuzzing_rate = parameters.system_rate = 0;
    parameters.inert_after = inert_after;
    parameters.walks = false;
    return OnOneScreen(*MakeApeWith(parameters, {}), ScreenOf("com.example.A", rows), 45);
  };
  EXPECT_GE(Count<Tap>(done(0)), 12);
  EXPECT_LE(Count<Tap>(done(4)), 10);
  EXPECT_GE(Count<LongTap>(done(0)), 10);
  EXPECT_LE(Count<LongTap>(done(4)), 6);
}

TEST(Ape, AWalkPrefersWhatHasShownAnEffect) {
  ApeParameters parameters;
  parameters.fuzzing_rate = parameters.system_rate = 0;
  const auto ape = MakeApeWith(parameters, {});
  std::vector<Widget> widgets;
  for (int i = 0; i < 9; ++i)
    widgets.push_back(RowWidget(i, "android.widget.TextView", "p:id/row", fmt::format("row {}", i)));
  widgets.push_back(RowWidget(9, "android.widget.Button", "p:id/next", "Next"));
  const Screen screen = ScreenOf("com.example.A", widgets);
  Random random(3);
  Step launch;
  launch.action = Launch{};
  ape->Remember(launch, screen, true, 0);
  int rows = 0, next = 0;
  for (int i = 0; i < 500; ++i) {
    const Decision decision = ape->Choose(screen, random);
    Step step;
    step.action = decision.restart ? Action(Launch{}) : decision.action;
    if (decision.widget) {
      step.selector = SelectorOf(screen, *decision.widget, {500, 50});
      const bool is_next = At(screen, *decision.widget).resource_id == "p:id/next";
      step.screen_after =
          is_next ? 1 : 0;  // Something changes, and has changed back when the app is seen again.
      ++(is_next ? next : rows);
    }
    ape->Remember(step, screen, true, 0);
  }
  EXPECT_GT(next, 2 * rows);
  EXPECT_GE(rows, 20);  // But nothing is given up.
}

TEST(Ape, MenuWaitsInAnAppThatHasNone) {
  ApeParameters parameters;
  parameters.fuzzing_rate = parameters.system_rate = 0;
  const auto ape = MakeApeWith(parameters, {});
  Random random(1);
  int menus = 0;
  for (int i = 0; i < 30; ++i) {  // Activities.
    const Screen screen = ScreenOf(fmt::format("com.example.A{}", i),
                                   {RowWidget(0, "android.widget.Button", "p:id/next", "Next"),
                                    RowWidget(1, "android.widget.Button", "p:id/other", "Other")});
    Step launch;
    launch.action = Launch{};
    ape->Remember(launch, screen, true, 0);
    for (int j = 0; j < 3; ++j) {
      const Decision decision = ape->Choose(screen, random);
      Step step;
      step.action = decision.action;
      if (decision.widget) {
        step.selector = SelectorOf(screen, *decision.widget, {500, 50});
        step.screen_after = 1;  // Taps change something.
      }
      menus += decision.action == Action(PressKey{"MENU"});
      ape->Remember(step, screen, true, 0);
    }
  }
  EXPECT_GE(menus, 1);
  EXPECT_LE(menus, parameters.inert_after);
}

}  // namespace
}  // namespace marmoset
