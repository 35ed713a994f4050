// The explorer's loop. For each step: look whether the app is still in front (if not, bring it back), let the
// strategy decide, perform, observe, commit. What has to survive an interruption (random state, counters) is
// committed with the step, as a small JSON object.
//
// Several devices go in rounds: the next step of each is decided in their order, all are performed at the
// same time, and they are committed in the same order. So the result does not depend on which is faster.

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
#include "schedule/parallel_for.h"

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

// A device with its episode.
struct Lane {
  Device* device = nullptr;
  size_t number = 0;
  int losses = 0;     // Of the device, in a row.
  int fruitless = 0;  // Episodes without a single event, in a row.
  bool given_up = false;

  int64_t episode = 0;
  bool running = false;  // The app's process is alive.
  std::vector<Step> steps;
  Screen screen;
  uint64_t screen_hash = 0;
  int64_t now_ms = 0;
  int64_t prologue_done = 0;
  int own_steps = 0;  // In a row.
  int backs = 0;      // Among these, since the last launch.

  void BeginEpisode() {
    running = true;
    steps.clear();
    screen = Screen{};
    screen_hash = 0;
    now_ms = 0;
    prologue_done = 0;
    own_steps = 0;
    backs = 0;
  }
};

// What a lane does next: where it begins an episode, after a clean start.
struct Planned {
  Lane* lane = nullptr;
  bool begins_episode = false;
  bool is_event = false;  // The strategy has decided it.
  Step step;
  std::optional<Point> field;
};

struct Performed {
  Outcome outcome;
  Screen after;
  std::vector<uint32_t> entered;
};

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
        entered_(world.device.methods().size()),
        lanes_(1 + world.more_devices.size()),
        in_parallel_(lanes_.size() == 1 ? OnThisThread() : OnThreads(lanes_.size())) {
    total_.wanted_events = options.events;
    const std::vector<AppMethod>& methods = world.device.methods();
    total_.methods.all = methods.size();
    total_.methods.own_all = static_cast<size_t>(
        std::count_if(methods.begin(), methods.end(), [](const AppMethod& m) { return m.own; }));
    for (size_t i = 0; i < lanes_.size(); ++i) {
      lanes_[i].number = i;
      lanes_[i].device = i == 0 ? &world.device : world.more_devices[i - 1];
    }
  }

  Result<ExploreResult> Run() {
    MARMOSET_TRY(Resume());
    for (;;) {
      if (const auto end = End()) return ExploreResult{*end, total_};
      std::vector<Planned> round;
      int64_t events = total_.events;
      for (Lane& lane : lanes_) {
        if (lane.given_up || events >= options_.events) continue;
        std::optional<Planned> planned = Plan(lane);
        if (!planned) return ExploreResult{ExploreEnd::kAppDoesNotStayUp, total_};
        events += planned->is_event;
        round.push_back(std::move(*planned));
      }
      std::vector<Result<Performed>> performed(round.size(), Fail(ErrorCode::kInternal, "not performed"));
      in_parallel_(round.size(), [&](size_t i) { performed[i] = Perform(round[i]); });
      for (size_t i = 0; i < round.size(); ++i) {
        Lane& lane = *round[i].lane;
        MARMOSET_TRY(Survive(lane, performed[i] ? Finish(std::move(round[i]), std::move(*performed[i]))
                                                : Status(Fail(std::move(performed[i].error())))));
      }
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

  // A lost device costs the episode, not the run, unless it is lost again and again; then the others go on.
  Status Survive(Lane& lane, Status status) {
    if (status) {
      lane.losses = 0;
      return {};
    }
    const ErrorCode code = status.error().code();
    if (code == ErrorCode::kCancelled) return {};  // End() sees the stop request.
    if (code != ErrorCode::kDeviceLost && code != ErrorCode::kTimeout) return Fail(std::move(status.error()));
    lane.running = false;
    if (++lane.losses >= kMaxFruitless) {
      lane.given_up = true;
      if (std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& l) { return l.given_up; }))
        return Fail(std::move(status.error()));
      spdlog::warn("device {}: {}: it is given up", lane.number + 1, status.error().message());
      return {};
    }
    spdlog::warn("{}: starting the app anew", status.error().message());
    return {};
  }

  // Where the strategy decides.
  bool IsInside(const Screen& screen) const {
    return IsPermissionQuestion(screen) || IsContactPicker(screen) || IsNotificationShade(screen) ||
           (screen.package == header_.package && options_.Permits(screen.activity));
  }

  // Nothing: the app does not stay up long enough.
  std::optional<Planned> Plan(Lane& lane) {
    for (;;) {
      if (!lane.running) {
        if (lane.fruitless == kMaxFruitless) return std::nullopt;
        ++lane.fruitless;
        lane.episode = ++episodes_;
        lane.BeginEpisode();
        Planned planned = StepOn(lane, Launch{}, std::nullopt, false);
        planned.begins_episode = true;
        return planned;
      }
      if (lane.prologue_done < static_cast<int64_t>(options_.prologue.size())) {
        const Step& step = options_.prologue[static_cast<size_t>(lane.prologue_done++)];
        if (std::holds_alternative<Launch>(step.action)) continue;  // The episode has begun with one.
        return PrologueStep(lane, step);
      }
      if (lane.own_steps >= kMaxOwnSteps) {
        lane.running = false;
        continue;
      }
      if (IsInside(lane.screen)) {
        lane.own_steps = lane.backs = 0;
        strategy_.OnDevice(lane.number);
        const Decision decision = strategy_.Choose(lane.screen, random_);
        if (!decision.restart) return StepOn(lane, decision.action, decision.widget, true);
        lane.running = false;
        continue;
      }
      ++lane.own_steps;
      const bool home = lane.screen.windows.empty();
      if (!home && lane.backs < kBacksWhenAway) {
        ++lane.backs;
        return StepOn(lane, PressKey{"BACK"}, std::nullopt, false);
      }
      lane.backs = 0;
      return StepOn(lane, Launch{}, std::nullopt, false);
    }
  }

  static Planned PrologueStep(Lane& lane, const Step& step) {
    if (!step.selector) return StepOn(lane, step.action, std::nullopt, false);
    const FoundWidget found = Find(*step.selector, lane.screen);
    if (found.by == FoundBy::kPoint)
      spdlog::warn("prologue: {}: the widget is not on the screen; its recorded point is used",
                   Describe(step));
    return StepOn(lane, Aim(step.action, *step.selector, found, lane.screen), found.widget, false);
  }

  static Planned StepOn(Lane& lane, const Action& action, std::optional<WidgetRef> widget, bool is_event) {
    Planned planned;
    planned.lane = &lane;
    planned.is_event = is_event;
    Step& step = planned.step;
    step.action = action;
    step.activity = lane.screen.activity;
    step.screen = lane.screen_hash;
    step.at_ms = lane.now_ms;
    if (const std::optional<Point> point = TouchedPoint(action)) {
      step.selector = widget ? SelectorOf(lane.screen, *widget, *point) : SelectorAt(lane.screen, *point);
    } else if (widget) {
      planned.field = At(lane.screen, *widget).bounds.center();
      step.selector = SelectorOf(lane.screen, *widget, *planned.field);
    }
    return planned;
  }

  // On a thread of the lane's own: touches its device and nothing else.
  Result<Performed> Perform(const Planned& planned) const {
    const Lane& lane = *planned.lane;
    Device& device = *lane.device;
    if (planned.begins_episode)
      MARMOSET_TRY(device.Reset({.seed = EpisodeSeed(options_.seed, lane.episode)}));
    device.BeginStep(planned.step.at_ms);
    Performed done;
    MARMOSET_ASSIGN(done.outcome, PerformOn(device, planned.step.action, planned.field, lane.screen));
    MARMOSET_ASSIGN(done.after, device.Observe());
    done.outcome.Append(device.TakeLate());
    if (!entered_.empty()) {
      MARMOSET_ASSIGN(done.entered, device.TakeEntered());
    }
    return done;
  }

  Status Finish(Planned planned, Performed done) {
    Lane& lane = *planned.lane;
    lane.now_ms = done.outcome.now_ms;
    lane.screen = std::move(done.after);
    lane.screen_hash = ContentHash(lane.screen);
    lane.running = !done.outcome.process_died();
    if (options_.screenshots && lane.running) MARMOSET_TRY(KeepPicture(lane));
    if (planned.is_event) {
      ++total_.events;
      lane.fruitless = 0;
    }
    planned.step.activity_after = lane.screen.activity;
    planned.step.screen_after = lane.screen_hash;
    return Commit(lane, std::move(planned.step), done.outcome, NewMethods(done.entered));
  }

  Status KeepPicture(const Lane& lane) {
    const fs::path file = world_.record.folder() / PictureOf(lane.screen);
    if (fs::exists(file)) return {};
    const Result<std::string> png = lane.device->Screenshot();
    if (!png && png.error().code() == ErrorCode::kUnsupported) return {};
    if (!png) return Fail(Error(png.error()));
    return WriteFile(file, *png);
  }

  // Those that the run has entered for the first time.
  std::vector<AppMethod> NewMethods(const std::vector<uint32_t>& numbers) {
    std::vector<AppMethod> found;
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

  Status Commit(Lane& lane, Step step, const Outcome& outcome, std::vector<AppMethod> entered) {
    const size_t new_methods = entered.size();
    StepRecord record;
    record.episode = lane.episode;
    record.activities = outcome.activities;
    if (lane.screen.package == header_.package && !lane.screen.activity.empty())
      record.activities.push_back(lane.screen.activity);
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
    record.state_after = SavedState(lane).dump();
    MARMOSET_ASSIGN(const RunRecord::Appended appended, world_.record.Append(record, lane.screen));

    strategy_.OnDevice(lane.number);
    strategy_.Remember(step, lane.screen, IsInside(lane.screen), new_methods);
    lane.steps.push_back(std::move(step));
    activities_.insert(record.activities.begin(), record.activities.end());
    screens_.insert(lane.screen_hash);
    if (outcome.host_gap) ++total_.host_gaps;
    if (appended.crash) {
      ++total_.crash_count;
      if (appended.crash->count == 1) {
        ++total_.crashes;
        total_.news_at = total_.events;
        MARMOSET_TRY(KeepCrash(lane, *appended.crash));
      }
    }
    Report(lane);
    return {};
  }

  // A crash seen for the first time: its trace, and a picture where the device still has one.
  Status KeepCrash(const Lane& lane, const CrashEntry& entry) {
    Trace trace = header_;
    trace.seed = EpisodeSeed(options_.seed, lane.episode);
    trace.crash = entry.signature;
    trace.steps = lane.steps;
    const std::string trace_file = fmt::format("crashes/{}.trace.jsonl", entry.id);
    MARMOSET_TRY(MakeWritableFolder(world_.record.folder() / "crashes"));
    MARMOSET_TRY(WriteTrace(world_.record.folder() / trace_file, trace));
    MARMOSET_TRY(
        WriteFile(world_.record.folder() / fmt::format("crashes/{}.stack.txt", entry.id), entry.crash.stack));
    std::string screenshot_file;
    if (Result<std::string> png = lane.device->Screenshot()) {
      screenshot_file = fmt::format("crashes/{}.png", entry.id);
      MARMOSET_TRY(WriteFile(world_.record.folder() / screenshot_file, *png));
    }
    return world_.record.SetCrashFiles(entry.id, trace_file, screenshot_file);
  }

  void Report(const Lane& lane) {
    total_.elapsed_ms = world_.clock.NowMs() - started_ms_;
    total_.activities = activities_.size();
    total_.screens = screens_.size();
    total_.model = strategy_.model_size();
    total_.last_step = lane.steps.empty() ? "" : Describe(lane.steps.back());
    if (on_progress_) on_progress_(total_);
  }

  Json SavedState(const Lane& lane) const {
    return {{"random", random_.Save()},    {"events", total_.events},
            {"news_at", total_.news_at},   {"prologue_done", lane.prologue_done},
            {"own_steps", lane.own_steps}, {"backs", lane.backs},
            {"running", lane.running},     {"devices", lanes_.size()}};
  }

  // Takes up an interrupted run: counts what is in the record, tells the strategy, and brings the device back
  // to where it was.
  Status Resume() {
    MARMOSET_ASSIGN(const std::optional<StepRecord> last, world_.record.LastStep());
    if (!last) return {};
    MARMOSET_ASSIGN(const Json state, ParseJson(last->state_after));
    if (lanes_.size() > 1 || state.value("devices", 1) > 1)
      return Fail(ErrorCode::kUnsupported,
                  "a run on several devices cannot be gone on with: of what was under way on each only the "
                  "last is known; start a new one");
    Lane& lane = lanes_[0];
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
    for (episodes_ = 1;; ++episodes_) {
      MARMOSET_ASSIGN(std::vector<Step> steps, world_.record.EpisodeSteps(episodes_));
      for (const Step& step : steps) {
        MARMOSET_ASSIGN(const std::optional<Screen> after, world_.record.ScreenByHash(step.screen_after));
        if (!after)
          return Fail(ErrorCode::kBadInput, "the run record lacks the screen {}", Hex64(step.screen_after));
        const auto found = new_methods.find(++number);
        strategy_.Remember(step, *after, IsInside(*after), found == new_methods.end() ? 0 : found->second);
        screens_.insert(step.screen_after);
      }
      if (episodes_ < last->episode) continue;
      MARMOSET_ASSIGN(const bool running, BoolAt(state, "running"));
      if (running && End() == std::nullopt) MARMOSET_TRY(RedoEpisode(lane, std::move(steps)));
      break;
    }
    // The redone launch and steps have reset these.
    MARMOSET_ASSIGN(const int64_t own_steps, IntegerAt(state, "own_steps"));
    MARMOSET_ASSIGN(const int64_t backs, IntegerAt(state, "backs"));
    MARMOSET_ASSIGN(lane.prologue_done, IntegerAt(state, "prologue_done"));
    lane.own_steps = static_cast<int>(own_steps);
    lane.backs = static_cast<int>(backs);
    Report(lane);
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

  Status RedoEpisode(Lane& lane, std::vector<Step> steps) {
    lane.episode = episodes_;
    MARMOSET_TRY(lane.device->Reset({.seed = EpisodeSeed(options_.seed, lane.episode)}));
    lane.BeginEpisode();
    for (Step& step : steps) {
      if (world_.stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      std::optional<Point> field;
      if (step.selector && !TouchedPoint(step.action)) field = step.selector->bounds.center();
      lane.device->BeginStep(step.at_ms);
      MARMOSET_ASSIGN(Outcome outcome, PerformOn(*lane.device, step.action, field, lane.screen));
      MARMOSET_ASSIGN(lane.screen, lane.device->Observe());
      outcome.Append(lane.device->TakeLate());
      lane.now_ms = outcome.now_ms;
      lane.screen_hash = ContentHash(lane.screen);
      if (outcome.process_died()) {
        spdlog::warn("resume: the app died where it had not before: starting it anew");
        lane.running = false;
        return {};
      }
      if (lane.screen_hash != step.screen_after)
        spdlog::warn("resume: after '{}' another screen than before; going on from it", Describe(step));
      lane.steps.push_back(std::move(step));
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
  std::vector<Lane> lanes_;
  const ParallelFor in_parallel_;  // Over the lanes.
  int64_t episodes_ = 0;
};

}  // namespace

bool ExploreOptions::Permits(const std::string& activity) const {
  if (Contains(blocked_activities, activity)) return false;
  return allowed_activities.empty() || Contains(allowed_activities, activity);
}

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
