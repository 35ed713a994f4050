#include "explore/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "device/perform.h"
#include "device/simulated/simulated_device.h"

namespace marmoset {
namespace {

fs::path Model(const std::string& name) { return fs::path(MARMOSET_SAMPLES) / "models" / (name + ".yaml"); }

struct Explored {
  Result<ExploreResult> result = Fail(ErrorCode::kInternal, "not run");
  std::vector<CrashEntry> crashes;
  std::vector<std::string> activities;
  std::string trace;        // Of the first crash, as text.
  std::vector<Step> steps;  // Of all episodes.
};

// Explores a model into `folder`, which may hold an interrupted run. `stop_after` requests a stop after so
// many events.
Explored RunOn(const std::string& model, const fs::path& folder, ExploreOptions options,
               const std::string& strategy = "random", int64_t stop_after = 0) {
  auto device = SimulatedDevice::Open(Model(model));
  EXPECT_TRUE(device);
  auto record = fs::exists(folder / "run.sqlite") ? RunRecord::Open(folder) : RunRecord::Create(folder);
  EXPECT_TRUE(record) << record.error().message();
  auto walk = MakeStrategy(strategy, {});
  EXPECT_TRUE(walk);
  Trace header;
  header.package = (*device)->model().package;
  header.device = "simulated";
  ManualClock clock;
  std::stop_source stop;
  Explored run;
  run.result = Explore({**device, *record, clock, stop.get_token()}, header, options, **walk,
                       [&](const ExploreProgress& p) {
                         if (stop_after > 0 && p.events >= stop_after) stop.request_stop();
                       });
  run.crashes = record->Crashes().value();
  run.activities = record->Activities().value();
  if (!run.crashes.empty()) run.trace = ReadFile(folder / run.crashes[0].trace_file).value();
  for (int64_t episode = 1;; ++episode) {
    const std::vector<Step> steps = record->EpisodeSteps(episode).value();
    if (steps.empty()) break;
    run.steps.insert(run.steps.end(), steps.begin(), steps.end());
  }
  return run;
}

class ExplorerTest : public testing::Test {
 protected:
  fs::path Folder(const std::string& name) { return folder_.path() / name; }
  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make());
};

TEST_F(ExplorerTest, TellsHowLargeTheModelOfTheStrategyIs) {
  ExploreOptions options;
  options.events = 60;
  const Explored ape = RunOn("tip", Folder("ape"), options, "ape");
  ASSERT_TRUE(ape.result && ape.result->total.model);
  EXPECT_GE(ape.result->total.model->states, 4u);
  EXPECT_GE(ape.result->total.model->transitions, ape.result->total.model->states);
  EXPECT_FALSE(RunOn("tip", Folder("random"), options).result->total.model);
}

TEST_F(ExplorerTest, FindsBothBugsOfTheModelFromEverySeed) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    ExploreOptions options;
    options.seed = seed;
    options.events = 3000;
    const Explored run = RunOn("tip", Folder(std::to_string(seed)), options);
    ASSERT_TRUE(run.result);
    EXPECT_EQ(run.result->end, ExploreEnd::kEvents);
    EXPECT_EQ(run.result->total.events, 3000);
    EXPECT_EQ(run.crashes.size(), 2u) << "seed " << seed;
    EXPECT_EQ(run.activities.size(), 4u);
  }
}

TEST_F(ExplorerTest, TheTraceOfACrashBeginsWithItsLaunchAndEndsWithIt) {
  ExploreOptions options;
  options.stop_on_crash = true;
  const Explored run = RunOn("tip", Folder("a"), options);
  ASSERT_TRUE(run.result);
  EXPECT_EQ(run.result->end, ExploreEnd::kCrash);
  ASSERT_EQ(run.crashes.size(), 1u);
  const Trace trace = ParseTrace(run.trace).value();
  ASSERT_GE(trace.steps.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Launch>(trace.steps[0].action));
  EXPECT_EQ(trace.crash, run.crashes[0].signature);
  EXPECT_EQ(trace.steps.back(), run.steps.back());
}

TEST_F(ExplorerTest, TheSameSeedGivesTheSameBytes) {
  ExploreOptions options;
  options.seed = 9;
  options.events = 400;
  for (const char* strategy : {"random", "monkey"}) {
    const Explored one = RunOn("upload", Folder(std::string("one") + strategy), options, strategy);
    const Explored two = RunOn("upload", Folder(std::string("two") + strategy), options, strategy);
    EXPECT_EQ(one.trace, two.trace);
    EXPECT_EQ(one.steps, two.steps);
  }
}

TEST_F(ExplorerTest, AnInterruptedRunGoesOnAsIfNothingHadHappened) {
  ExploreOptions options;
  options.seed = 4;
  options.events = 300;
  const Explored whole = RunOn("tip", Folder("whole"), options);
  for (const int64_t at : {1, 7, 50, 123, 299}) {
    const fs::path folder = Folder(std::to_string(at));
    EXPECT_EQ(RunOn("tip", folder, options, "random", at).result->end, ExploreEnd::kStopped);
    const Explored resumed = RunOn("tip", folder, options);
    ASSERT_TRUE(resumed.result);
    EXPECT_EQ(resumed.result->total.events, 300);
    EXPECT_EQ(resumed.steps, whole.steps) << "stopped after " << at;
  }
}

// Counts the model's activities as methods, as the hosted device counts an app's.
class CountingDevice : public DeviceWrapper {
 public:
  explicit CountingDevice(const std::string& model)
      : DeviceWrapper(std::move(*SimulatedDevice::Open(Model(model)))) {}
  Status Reset(const ResetOptions& options) override {
    entered_.clear();
    return inner().Reset(options);
  }
  Result<Screen> Observe() override {
    Result<Screen> screen = inner().Observe();
    for (size_t i = 0; screen && i < methods_.size(); ++i)
      if (screen->activity == methods_[i].class_name) entered_.emplace(static_cast<uint32_t>(i), false);
    return screen;
  }
  const std::vector<AppMethod>& methods() const override { return methods_; }
  Result<std::vector<uint32_t>> TakeEntered() override {
    std::vector<uint32_t> taken;
    for (auto& [number, told] : entered_)
      if (!std::exchange(told, true)) taken.push_back(number);
    return taken;
  }

 private:
  std::vector<AppMethod> methods_ = {{"com.example.tip.HistoryActivity", "<init>", "()V", 0, true},
                                     {"com.example.tip.MainActivity", "<init>", "()V", 0, true},
                                     {"com.example.tip.NoSuchActivity", "<init>", "()V", 0, true},
                                     {"com.example.tip.SettingsActivity", "<init>", "()V", 0, false},
                                     {"com.example.tip.SplitActivity", "<init>", "()V", 0, true}};
  std::map<uint32_t, bool> entered_;  // Since the clean start; whether it has been told.
};

// Remembers what it is told and leaves the choice to the strategy `random`.
class Listener : public Strategy {
 public:
  Decision Choose(const Screen& screen, Random& random) override { return inner_->Choose(screen, random); }
  void Remember(const Step& step, const Screen& after, bool inside, size_t new_methods) override {
    told.push_back(new_methods);
    inner_->Remember(step, after, inside, new_methods);
  }
  std::vector<size_t> told;

 private:
  std::unique_ptr<Strategy> inner_ = std::move(*MakeStrategy("random", {}));
};

struct Counted {
  ExploreProgress total;
  std::vector<std::pair<std::string, int64_t>> covered;  // Class, first step.
  std::vector<size_t> told;
};

Counted Count(const fs::path& folder, int64_t events) {
  CountingDevice device("tip");
  auto record = fs::exists(folder / "run.sqlite") ? RunRecord::Open(folder) : RunRecord::Create(folder);
  Listener strategy;
  ManualClock clock;
  ExploreOptions options;
  options.events = events;
  Trace header;
  header.package = "com.example.tip";
  const auto result = Explore({device, *record, clock, {}}, header, options, strategy, {});
  EXPECT_TRUE(result);
  Counted counted{result->total, {}, strategy.told};
  const std::vector<CoveredMethod> covered = record->Covered().value();
  for (const CoveredMethod& one : covered)
    counted.covered.emplace_back(one.method.class_name, one.first_step);
  return counted;
}

TEST_F(ExplorerTest, CountsEachMethodOnceOverAllEpisodes) {
  const Counted run = Count(Folder("a"), 1000);
  EXPECT_EQ(run.total.methods.entered, 4u);
  EXPECT_EQ(run.total.methods.own_entered, 3u);
  EXPECT_EQ(run.total.methods.all, 5u);
  EXPECT_EQ(run.total.methods.own_all, 4u);
  EXPECT_GT(run.total.crash_count, 0) << "one episode only";
  ASSERT_EQ(run.covered.size(), 4u);
  EXPECT_EQ(run.covered[0], std::pair(std::string("com.example.tip.MainActivity"), int64_t{1}));
  size_t told = 0;
  for (const size_t news : run.told) told += news;
  EXPECT_EQ(told, 4u);
  for (const auto& [name, step] : run.covered) EXPECT_EQ(run.told[static_cast<size_t>(step - 1)], 1u) << name;
}

TEST_F(ExplorerTest, AResumedRunCountsAndTellsAsTheWholeOneDoes) {
  const Counted whole = Count(Folder("whole"), 1000);
  for (const int64_t at : {1, 3, 10, 200}) {
    const fs::path folder = Folder(std::to_string(at));
    Count(folder, at);
    const Counted resumed = Count(folder, 1000);
    EXPECT_EQ(resumed.covered, whole.covered) << at;
    EXPECT_EQ(resumed.told, whole.told) << at;
    EXPECT_EQ(resumed.total.methods.own_entered, whole.total.methods.own_entered);
  }
}

TEST_F(ExplorerTest, ADeviceThatDoesNotCountIsNotAsked) {
  auto device = SimulatedDevice::Open(Model("tip"));
  EXPECT_TRUE((*device)->methods().empty());
  EXPECT_EQ((*device)->TakeEntered().error().code(), ErrorCode::kUnsupported);
  const Explored run = RunOn("tip", Folder("a"), {});
  ASSERT_TRUE(run.result);
  EXPECT_EQ(run.result->total.methods.all, 0u);
}

TEST_F(ExplorerTest, ALostDeviceCostsAnEpisodeNotTheRun) {
  ExploreOptions options;
  options.events = 500;
  const Explored run = RunOn("unreliable", Folder("a"), options);
  ASSERT_TRUE(run.result) << run.result.error().message();
  EXPECT_EQ(run.result->total.events, 500);
  EXPECT_GT(run.result->total.host_gaps, 0);
  // A host gap is nobody's crash.
  for (const CrashEntry& c : run.crashes) EXPECT_EQ(c.signature.exception, "java.lang.ArithmeticException");
}

TEST_F(ExplorerTest, ABlockedActivityIsLeftAtOnce) {
  ExploreOptions options;
  options.events = 500;
  options.blocked_activities = {"com.example.tip.SettingsActivity"};
  const Explored run = RunOn("tip", Folder("a"), options);
  ASSERT_TRUE(run.result);
  for (size_t i = 0; i + 1 < run.steps.size(); ++i) {
    if (run.steps[i].activity_after != "com.example.tip.SettingsActivity") continue;
    EXPECT_EQ(run.steps[i + 1].action, Action(PressKey{"BACK"})) << i;
  }
}

TEST_F(ExplorerTest, ThePrologueComesFirstInEveryEpisode) {
  // Recorded by hand: tap 'Settings', tap 'Dark mode'.
  auto tap = [](const char* id, const char* label) {
    Step step;
    step.action = Tap{{1, 1}};
    step.selector = Selector{};
    step.selector->resource_id = std::string("com.example.tip:id/") + id;
    step.selector->label = label;
    return step;
  };
  ExploreOptions options;
  options.events = 200;
  options.prologue = {tap("settings", "'Settings'"), tap("dark", "'Dark mode'")};
  const Explored run = RunOn("tip", Folder("a"), options);
  ASSERT_TRUE(run.result);
  ASSERT_GE(run.steps.size(), 3u);
  EXPECT_EQ(run.steps[1].selector->label, "'Settings'");
  EXPECT_EQ(run.steps[1].activity_after, "com.example.tip.SettingsActivity");
  EXPECT_EQ(run.steps[2].selector->label, "'Dark mode'");
}

TEST_F(ExplorerTest, AnAppThatNeverComesUpEndsTheRun) {
  class Broken : public DeviceWrapper {
   public:
    using DeviceWrapper::DeviceWrapper;
    Result<Outcome> Perform(const Action&) override {
      Outcome outcome;
      outcome.crash = Crash{CrashCause::kJava, "main", "a.B: x\n\tat c.D.e(D.java:1)\n"};
      return outcome;
    }
  };
  Broken device(std::move(*SimulatedDevice::Open(Model("tip"))));
  RunRecord record = std::move(*RunRecord::Create(Folder("a")));
  auto strategy = MakeStrategy("random", {});
  ManualClock clock;
  const auto result = Explore({device, record, clock, {}}, Trace{}, {}, **strategy, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, ExploreEnd::kAppDoesNotStayUp);
  ASSERT_EQ(record.Crashes()->size(), 1u);
  EXPECT_EQ((*record.Crashes())[0].count, 3);
}

// The tip model has four activities and two crashes, which 3 000 random events show more than once.
TEST_F(ExplorerTest, APlateauEndsTheRun) {
  ExploreOptions options;
  options.events = 100'000;
  options.until_plateau = true;
  const Explored run = RunOn("tip", Folder("plateau"), options);
  ASSERT_TRUE(run.result);
  EXPECT_EQ(run.result->end, ExploreEnd::kPlateau);
  const ExploreProgress& total = run.result->total;
  EXPECT_GT(total.news_at, 0);
  EXPECT_EQ(total.events - total.news_at, std::max(kPlateauEvents, total.events / 2));
  // Interrupted and resumed, it ends at the same event.
  EXPECT_EQ(RunOn("tip", Folder("again"), options, "random", total.news_at + 100).result->end,
            ExploreEnd::kStopped);
  EXPECT_EQ(RunOn("tip", Folder("again"), options).result->total.events, total.events);
}

// Is late at times, and lost for good after so many actions.
class Sluggish : public DeviceWrapper {
 public:
  Sluggish(std::unique_ptr<Device> inner, uint64_t seed, int64_t lives)
      : DeviceWrapper(std::move(inner)), random_(seed), lives_(lives) {}
  Status Reset(const ResetOptions& options) override {
    if (lives_ == 0) return Fail(ErrorCode::kDeviceLost, "gone");
    return inner().Reset(options);
  }
  Result<Outcome> Perform(const Action& action) override {
    if (lives_ == 0) return Fail(ErrorCode::kDeviceLost, "gone");
    --lives_;
    std::this_thread::sleep_for(std::chrono::microseconds(random_.Below(300)));
    return inner().Perform(action);
  }

 private:
  Random random_;
  int64_t lives_;
};

// Explores with three devices, the second of which has so many lives. `tempo` decides who is late.
Explored RunOnThree(const fs::path& folder, const std::string& strategy_name, uint64_t tempo,
                    int64_t lives_of_second = -1) {
  std::vector<std::unique_ptr<Device>> devices;
  std::string package;
  for (uint64_t i = 0; i < 3; ++i) {
    auto device = SimulatedDevice::Open(Model("tip"));
    EXPECT_TRUE(device);
    package = (*device)->model().package;
    devices.push_back(
        std::make_unique<Sluggish>(std::move(*device), tempo + i, i == 1 ? lives_of_second : -1));
  }
  auto record = fs::exists(folder / "run.sqlite") ? RunRecord::Open(folder) : RunRecord::Create(folder);
  EXPECT_TRUE(record);
  auto strategy = MakeStrategy(strategy_name, {});
  Trace header;
  header.package = package;
  header.device = "simulated";
  ManualClock clock;
  ExploreOptions options;
  options.events = 400;
  options.seed = 5;
  Explored run;
  run.result = Explore({*devices[0], *record, clock, {}, {devices[1].get(), devices[2].get()}}, header,
                       options, **strategy, {});
  run.crashes = record->Crashes().value();
  if (!run.crashes.empty()) run.trace = ReadFile(folder / run.crashes[0].trace_file).value();
  const int64_t last = record->LastEpisode().value();
  for (int64_t episode = 1; episode <= last; ++episode) {
    const std::vector<Step> steps = record->EpisodeSteps(episode).value();
    run.steps.insert(run.steps.end(), steps.begin(), steps.end());
  }
  return run;
}

TEST_F(ExplorerTest, SeveralDevicesGiveTheSameRunWhicheverIsFaster) {
  for (const char* strategy : {"random", "ape"}) {
    const Explored one = RunOnThree(Folder(std::string("one") + strategy), strategy, 1);
    const Explored two = RunOnThree(Folder(std::string("two") + strategy), strategy, 77);
    ASSERT_TRUE(one.result && two.result);
    EXPECT_EQ(one.result->total.events, 400);
    EXPECT_EQ(one.steps, two.steps);
    EXPECT_EQ(one.trace, two.trace);
    EXPECT_FALSE(one.crashes.empty());
  }
}

TEST_F(ExplorerTest, EachEpisodeOfSeveralDevicesIsATraceByItself) {
  const Explored run = RunOnThree(Folder("a"), "ape", 1);
  for (size_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    if (step.screen == 0)
      EXPECT_TRUE(std::holds_alternative<Launch>(step.action)) << i;
    else
      EXPECT_EQ(step.screen, run.steps[i - 1].screen_after) << i;
  }
  // The crash's trace, on a device of its own, leads to the crash.
  ASSERT_FALSE(run.crashes.empty());
  const Trace trace = ReadTrace(Folder("a") / run.crashes[0].trace_file).value();
  auto device = SimulatedDevice::Open(Model("tip")).value();
  ASSERT_TRUE(device->Reset({.seed = trace.seed}));
  Outcome last;
  Screen screen;
  for (const Step& step : trace.steps) {
    std::optional<Point> field;
    if (step.selector) field = step.selector->bounds.center();
    last = PerformOn(*device, step.action, field, screen).value();
    screen = device->Observe().value();
  }
  ASSERT_TRUE(last.crash);
  EXPECT_EQ(SignatureOf(*last.crash), trace.crash);
}

TEST_F(ExplorerTest, WhereADeviceIsGoneTheOthersGoOn) {
  const Explored run = RunOnThree(Folder("a"), "random", 1, 20);
  ASSERT_TRUE(run.result) << run.result.error().message();
  EXPECT_EQ(run.result->end, ExploreEnd::kEvents);
  EXPECT_EQ(run.result->total.events, 400);
}

TEST_F(ExplorerTest, ARunOnSeveralDevicesIsNotGoneOnWith) {
  ASSERT_TRUE(RunOnThree(Folder("a"), "random", 1).result);
  const Explored again = RunOnThree(Folder("a"), "random", 1);
  ASSERT_FALSE(again.result);
  EXPECT_EQ(again.result.error().code(), ErrorCode::kUnsupported);
  ExploreOptions options;
  options.events = 1000;
  EXPECT_FALSE(RunOn("tip", Folder("a"), options).result);
}

}  // namespace
}  // namespace marmoset
