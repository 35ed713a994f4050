// The explorer's loop. For each step: look whether the app is still in front (if not, bring it back), let the
// strategy decide, perform, observe, commit. What has to survive an interruption (random state, counters) is
// committed with the step, as a small JSON object.

#include "explore/explorer.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/log.h"
#include "device/perform.h"
#include "gui/codec.h"
#include "gui/selector.h"

namespace marmoset {
namespace {

// BACK is tried this often before the app is launched over whatever is in front.
constexpr int kBacksWhenAway = 2;
// After this many steps of the explorer's own in a row the app is started anew.
constexpr int kMaxOwnSteps = 12;
// After this many episodes, or losses of the device, without a single event the run gives up.
constexpr int kMaxFruitless = 3;

uint64_t EpisodeSeed(uint64_t seed, int64_t episode) {
  return Hash64({reinterpret_cast<const char*>(&episode), sizeof episode}, seed);
}

bool Contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

class Exploration {
 public:
  Exploration(const ExploreWorld& world, const Trace& header, const ExploreOptions& options,
              Strategy& strategy, const std::function<void(const ExploreProgress&)>& on_progress)
      : world_(world),
        header_(header),
        options_(options),
        strategy_(strategy),
        on_progress_(on_progress),
        random_(options.seed),
        started_ms_(world.clock.NowMs()),
        entered_(world.device.methods().size()) {
    total_.wanted_events = options.events;
    const std::vector<AppMethod>& methods = world.device.methods();
    total_.methods.all = methods.size();
    total_.methods.own_all = static_cast<size_t>(
        std::count_if(methods.begin(), methods.end(), [](const AppMethod& m) { return m.own; }));
  }

  Result<ExploreResult> Run() {
    MARMOSET_TRY(Resume());
    int fruitless = 0;
    for (;;) {
      if (const auto end = End()) return ExploreResult{*end, total_};
      if (!running_) {
        if (fruitless == kMaxFruitless) return ExploreResult{ExploreEnd::kAppDoesNotStayUp, total_};
        ++fruitless;
        MARMOSET_TRY(Survive(StartEpisode()));
        continue;
      }
      const int64_t events = total_.events;
      MARMOSET_TRY(Survive(DoNext()));
      if (total_.events > events) fruitless = 0;
    }
  }

 private:
  std::optional<ExploreEnd> End() const {
    if (world_.stop.stop_requested()) return ExploreEnd::kStopped;
    if (options_.stop_on_crash && total_.crashes > 0) return ExploreEnd::kCrash;
    if (total_.events >= options_.events) return ExploreEnd::kEvents;
    if (options_.until_plateau &&
        total_.events - total_.news_at >= std::max(kPlateauEvents, total_.events / 2))
      return ExploreEnd::kPlateau;
    if (options_.seconds > 0 && world_.clock.NowMs() - started_ms_ >= options_.seconds * 1000)
      return ExploreEnd::kSeconds;
    return std::nullopt;
  }

  // A lost device costs the episode, not the run, unless it is lost again and again.
  Status Survive(Status status) {
    if (status) {
      losses_ = 0;
      return {};
    }
    const ErrorCode code = status.error().code();
    if (code == ErrorCode::kCancelled) return {};  // End() sees the stop request.
    if ((code != ErrorCode::kDeviceLost && code != ErrorCode::kTimeout) || ++losses_ >= kMaxFruitless)
      return Fail(std::move(status.error()));
    spdlog::warn("{}: starting the app anew", status.error().message());
    running_ = false;
    return {};
  }

  Status StartEpisode() {
    ++episode_;
    MARMOSET_TRY(world_.device.Reset({.seed = EpisodeSeed(options_.seed, episode_)}));
    BeginEpisode();
    return Do(Launch{}, std::nullopt, /*event=*/false);
  }

  void BeginEpisode() {
    running_ = true;
    steps_.clear();
    screen_ = Screen{};
    screen_hash_ = 0;
    now_ms_ = 0;
    prologue_done_ = 0;
    own_steps_ = 0;
    backs_ = 0;
  }

  Status DoPrologueStep(const Step& step) {
    if (std::holds_alternative<Launch>(step.action)) return {};  // The episode has begun with one.
    if (!step.selector) return Do(step.action, std::nullopt, false);
    const FoundWidget found = Find(*step.selector, screen_);
    if (found.by == FoundBy::kPoint)
      spdlog::warn("prologue: {}: the widget is not on the screen; its recorded point is used",
                   Describe(step));
    return Do(Aim(step.action, *step.selector, found, screen_), found.widget, false);
  }

  bool IsPermitted(const std::string& activity) const {
    if (Contains(options_.blocked_activities, activity)) return false;
    return options_.allowed_activities.empty() || Contains(options_.allowed_activities, activity);
  }

  // Where the strategy decides.
  bool IsInside(const Screen& screen) const {
    return IsPermissionQuestion(screen) ||
           (screen.package == header_.package && IsPermitted(screen.activity));
  }

  Status DoNext() {
    if (prologue_done_ < static_cast<int64_t>(options_.prologue.size()))
      return DoPrologueStep(options_.prologue[static_cast<size_t>(prologue_done_++)]);
    if (own_steps_ >= kMaxOwnSteps) {
      running_ = false;
      return {};
    }
    if (IsInside(screen_)) {
      own_steps_ = backs_ = 0;
      const Decision decision = strategy_.Choose(screen_, random_);
      if (decision.restart) {
        running_ = false;
        return {};
      }
      return Do(decision.action, decision.widget, true);
    }
    ++own_steps_;
    const bool home = screen_.windows.empty();
    if (!home && backs_ < kBacksWhenAway) {
      ++backs_;
      return Do(PressKey{"BACK"}, std::nullopt, false);
    }
    backs_ = 0;
    return Do(Launch{}, std::nullopt, false);
  }

  // Performs one action, observes, commits.
  Status Do(const Action& action, std::optional<WidgetRef> widget, bool event) {
    Step step;
    step.action = action;
    step.activity = screen_.activity;
    step.screen = screen_hash_;
    step.at_ms = now_ms_;
    std::optional<Point> field;
    if (const std::optional<Point> point = TouchedPoint(action)) {
      step.selector = widget ? SelectorOf(screen_, *widget, *point) : SelectorAt(screen_, *point);
    } else if (widget) {
      field = At(screen_, *widget).bounds.center();
      step.selector = SelectorOf(screen_, *widget, *field);
    }
    world_.device.BeginStep(step.at_ms);
    MARMOSET_ASSIGN(Outcome outcome, PerformOn(world_.device, action, field, screen_));
    MARMOSET_ASSIGN(Screen after, world_.device.Observe());
    outcome.Append(world_.device.TakeLate());
    MARMOSET_ASSIGN(std::vector<AppMethod> entered, TakeNewMethods());
    now_ms_ = outcome.now_ms;
    screen_ = std::move(after);
    screen_hash_ = ContentHash(screen_);
    running_ = !outcome.process_died();
    if (options_.screenshots && running_) MARMOSET_TRY(KeepPicture());
    if (event) ++total_.events;
    step.activity_after = screen_.activity;
    step.screen_after = screen_hash_;
    return Commit(std::move(step), outcome, std::move(entered));
  }

  Status KeepPicture() {
    const fs::path file = world_.record.folder() / PictureOf(screen_);
    if (fs::exists(file)) return {};
    const Result<std::string> png = world_.device.Screenshot();
    if (!png && png.error().code() == ErrorCode::kUnsupported) return {};
    if (!png) return Fail(Error(png.error()));
    return WriteFile(file, *png);
  }

  // What the app entered since the last look for the first time in this run.
  Result<std::vector<AppMethod>> TakeNewMethods() {
    std::vector<AppMethod> found;
    if (entered_.empty()) return found;
    MARMOSET_ASSIGN(const std::vector<uint32_t> numbers, world_.device.TakeEntered());
    for (const uint32_t number : numbers)
      if (Enter(number)) found.push_back(world_.device.methods()[number]);
    return found;
  }

  // Whether it is the first time.
  bool Enter(size_t number) {
    if (entered_[number]) return false;
    entered_[number] = true;
    ++total_.methods.entered;
    if (world_.device.methods()[number].own) ++total_.methods.own_entered;
    return true;
  }

  Status Commit(Step step, const Outcome& outcome, std::vector<AppMethod> entered) {
    const size_t new_methods = entered.size();
    StepRecord record;
    record.episode = episode_;
    record.activities = outcome.activities;
    if (screen_.package == header_.package && !screen_.activity.empty())
      record.activities.push_back(screen_.activity);
    record.crash = outcome.crash;
    if (outcome.host_gap) record.host_gap.emplace(outcome.host_gap->where, outcome.host_gap->stack);
    record.step = step;
    record.event = total_.events;
    const bool own_method =
        std::any_of(entered.begin(), entered.end(), [](const AppMethod& m) { return m.own; });
    const bool new_activity =
        std::any_of(record.activities.begin(), record.activities.end(),
                    [&](const std::string& name) { return !activities_.contains(name); });
    if (own_method || new_activity) total_.news_at = total_.events;
    record.entered = std::move(entered);
    record.state_after = SavedState().dump();
    MARMOSET_ASSIGN(const RunRecord::Appended appended, world_.record.Append(record, screen_));

    strategy_.Remember(step, screen_, IsInside(screen_), new_methods);
    steps_.push_back(std::move(step));
    activities_.insert(record.activities.begin(), record.activities.end());
    screens_.insert(screen_hash_);
    if (outcome.host_gap) ++total_.host_gaps;
    if (appended.crash) {
      ++total_.crash_count;
      if (appended.crash->count == 1) {
        ++total_.crashes;
        total_.news_at = total_.events;
        MARMOSET_TRY(KeepCrash(*appended.crash));
      }
    }
    Report();
    return {};
  }

  // A crash seen for the first time: its trace, and a picture where the device still has one.
  Status KeepCrash(const CrashEntry& entry) {
    Trace trace = header_;
    trace.seed = EpisodeSeed(options_.seed, episode_);
    trace.crash = entry.signature;
    trace.steps = steps_;
    const std::string trace_file = fmt::format("crashes/{}.trace.jsonl", entry.id);
    MARMOSET_TRY(MakeWritableFolder(world_.record.folder() / "crashes"));
    MARMOSET_TRY(WriteTrace(world_.record.folder() / trace_file, trace));
    MARMOSET_TRY(
        WriteFile(world_.record.folder() / fmt::format("crashes/{}.stack.txt", entry.id), entry.crash.stack));
    std::string screenshot_file;
    if (Result<std::string> png = world_.device.Screenshot()) {
      screenshot_file = fmt::format("crashes/{}.png", entry.id);
      MARMOSET_TRY(WriteFile(world_.record.folder() / screenshot_file, *png));
    }
    return world_.record.SetCrashFiles(entry.id, trace_file, screenshot_file);
  }

  void Report() {
    total_.elapsed_ms = world_.clock.NowMs() - started_ms_;
    total_.activities = activities_.size();
    total_.screens = screens_.size();
    total_.model = strategy_.model_size();
    total_.last_step = steps_.empty() ? "" : Describe(steps_.back());
    if (on_progress_) on_progress_(total_);
  }

  Json SavedState() const {
    return {{"random", random_.Save()},  {"events", total_.events},
            {"news_at", total_.news_at}, {"prologue_done", prologue_done_},
            {"own_steps", own_steps_},   {"backs", backs_},
            {"running", running_}};
  }

  // Takes up an interrupted run: counts what is in the record, tells the strategy, and brings the device back
  // to where it was.
  Status Resume() {
    MARMOSET_ASSIGN(const std::optional<StepRecord> last, world_.record.LastStep());
    if (!last) return {};
    MARMOSET_ASSIGN(const Json state, ParseJson(last->state_after));
    MARMOSET_ASSIGN(const std::string random, StringAt(state, "random"));
    MARMOSET_ASSIGN(random_, Random::Restore(random));
    MARMOSET_ASSIGN(total_.events, IntegerAt(state, "events"));
    MARMOSET_ASSIGN(total_.news_at, IntegerAt(state, "news_at"));
    MARMOSET_ASSIGN(const std::vector<CrashEntry> crashes, world_.record.Crashes());
    MARMOSET_ASSIGN(const std::vector<HostGapEntry> gaps, world_.record.HostGaps());
    MARMOSET_ASSIGN(const std::vector<std::string> activities, world_.record.Activities());
    for (const CrashEntry& crash : crashes) total_.crash_count += crash.count;
    for (const HostGapEntry& gap : gaps) total_.host_gaps += gap.count;
    total_.crashes = crashes.size();
    activities_.insert(activities.begin(), activities.end());
    MARMOSET_ASSIGN(const auto new_methods, ResumeMethods());
    int64_t number = 0;
    for (episode_ = 1;; ++episode_) {
      MARMOSET_ASSIGN(std::vector<Step> steps, world_.record.EpisodeSteps(episode_));
      for (const Step& step : steps) {
        MARMOSET_ASSIGN(const std::optional<Screen> after, world_.record.ScreenByHash(step.screen_after));
        if (!after)
          return Fail(ErrorCode::kBadInput, "the run record lacks the screen {}", Hex64(step.screen_after));
        const auto found = new_methods.find(++number);
        strategy_.Remember(step, *after, IsInside(*after), found == new_methods.end() ? 0 : found->second);
        screens_.insert(step.screen_after);
      }
      if (episode_ < last->episode) continue;
      MARMOSET_ASSIGN(const bool running, BoolAt(state, "running"));
      if (running && End() == std::nullopt) MARMOSET_TRY(RedoEpisode(std::move(steps)));
      break;
    }
    // The redone launch and steps have reset these.
    MARMOSET_ASSIGN(const int64_t own_steps, IntegerAt(state, "own_steps"));
    MARMOSET_ASSIGN(const int64_t backs, IntegerAt(state, "backs"));
    MARMOSET_ASSIGN(prologue_done_, IntegerAt(state, "prologue_done"));
    own_steps_ = static_cast<int>(own_steps);
    backs_ = static_cast<int>(backs);
    Report();
    return {};
  }

  // How many methods each step of the record was the first to enter, by its number.
  Result<std::map<int64_t, size_t>> ResumeMethods() {
    using Name = std::tuple<std::string_view, std::string_view, std::string_view>;
    const auto name = [](const AppMethod& m) { return Name(m.class_name, m.name, m.descriptor); };
    const std::vector<AppMethod>& methods = world_.device.methods();
    std::map<Name, size_t> numbers;
    for (size_t i = 0; i < methods.size(); ++i) numbers.emplace(name(methods[i]), i);
    std::map<int64_t, size_t> by_step;
    MARMOSET_ASSIGN(const std::vector<CoveredMethod> covered, world_.record.Covered());
    for (const CoveredMethod& one : covered) {
      ++by_step[one.first_step];
      const auto it = numbers.find(name(one.method));
      if (it != numbers.end()) Enter(it->second);
    }
    return by_step;
  }

  Status RedoEpisode(std::vector<Step> steps) {
    MARMOSET_TRY(world_.device.Reset({.seed = EpisodeSeed(options_.seed, episode_)}));
    BeginEpisode();
    for (Step& step : steps) {
      if (world_.stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      std::optional<Point> field;
      if (step.selector && !TouchedPoint(step.action)) field = step.selector->bounds.center();
      world_.device.BeginStep(step.at_ms);
      MARMOSET_ASSIGN(Outcome outcome, PerformOn(world_.device, step.action, field, screen_));
      MARMOSET_ASSIGN(screen_, world_.device.Observe());
      outcome.Append(world_.device.TakeLate());
      now_ms_ = outcome.now_ms;
      screen_hash_ = ContentHash(screen_);
      if (outcome.process_died()) {
        spdlog::warn("resume: the app died where it had not before: starting it anew");
        running_ = false;
        return {};
      }
      if (screen_hash_ != step.screen_after)
        spdlog::warn("resume: after '{}' another screen than before; going on from it", Describe(step));
      steps_.push_back(std::move(step));
    }
    return {};
  }

  const ExploreWorld& world_;
  const Trace& header_;
  const ExploreOptions& options_;
  Strategy& strategy_;
  const std::function<void(const ExploreProgress&)>& on_progress_;
  Random random_;
  const int64_t started_ms_;

  ExploreProgress total_;
  std::set<std::string> activities_;
  std::set<uint64_t> screens_;
  std::vector<bool> entered_;  // By the method's number; empty where the device does not count them.
  int losses_ = 0;             // Of the device, in a row.

  // The current episode.
  int64_t episode_ = 0;
  bool running_ = false;  // The app's process is alive.
  std::vector<Step> steps_;
  Screen screen_;
  uint64_t screen_hash_ = 0;
  int64_t now_ms_ = 0;
  int64_t prologue_done_ = 0;
  int own_steps_ = 0;  // In a row.
  int backs_ = 0;      // Among these, since the last launch.
};

}  // namespace

std::string_view ExploreEndName(ExploreEnd end) {
  switch (end) {
    case ExploreEnd::kEvents:
      return "events";
    case ExploreEnd::kSeconds:
      return "seconds";
    case ExploreEnd::kCrash:
      return "crash";
    case ExploreEnd::kPlateau:
      return "plateau";
    case ExploreEnd::kStopped:
      return "stopped";
    case ExploreEnd::kAppDoesNotStayUp:
      return "app_does_not_stay_up";
  }
  return "events";
}

Result<ExploreResult> Explore(const ExploreWorld& world, const Trace& header, const ExploreOptions& options,
                              Strategy& strategy,
                              const std::function<void(const ExploreProgress&)>& on_progress) {
  return Exploration(world, header, options, strategy, on_progress).Run();
}

}  // namespace marmoset
