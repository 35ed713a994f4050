#include "replay/replayer.h"

#include <algorithm>

#include "base/subprocess.h"
#include "device/perform.h"
#include "gui/codec.h"
#include "gui/display_map.h"

namespace marmoset {
namespace {

constexpr int64_t kCommandMs = 120'000;

bool ShortMatch(const std::string& full, const std::string& wanted) {
  return full == wanted || (full.size() > wanted.size() && full.ends_with(wanted) &&
                            (full[full.size() - wanted.size() - 1] == '.' || wanted.starts_with('.')));
}

bool ShowsWidget(const Screen& screen, const std::string& pattern) {
  for (const Window& window : screen.windows)
    for (const Widget& w : window.widgets)
      if (pattern == w.resource_id || pattern == w.text || pattern == w.description ||
          (!w.resource_id.empty() && pattern == ShortName(w.resource_id)))
        return true;
  return false;
}

class Replayer {
 public:
  Replayer(Device& device, const Trace& trace, const Target& target, const ReplayOptions& options,
           std::stop_token stop)
      : device_(device), trace_(trace), target_(target), options_(options), stop_(std::move(stop)) {
    wants_screen_after_ = std::holds_alternative<ActivityTarget>(target) ||
                          std::holds_alternative<WidgetTarget>(target) || options.watch_divergence;
    // A screen hash says something only on the same kind of device with the same display.
    same_device_ = device.info().deterministic && device.info().name == trace.device &&
                   device.info().display == trace.display;
  }

  Result<Replay> Run(const Kept& kept) {
    if (Status reset = device_.Reset({options_.seed, options_.schedule_seed}); !reset)
      return Lost(std::move(reset.error()));
    replay_.began = true;
    for (const uint32_t index : kept) {
      if (stop_.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      const Result<bool> done = DoStep(index);
      if (!done) return Lost(Error(done.error()));
      if (*done) return std::move(replay_);
    }
    return Finish();
  }

 private:
  // The device's failure is this replay's verdict; the user's wish and our own faults are not.
  Result<Replay> Lost(Error error) {
    if (error.code() != ErrorCode::kDeviceLost && error.code() != ErrorCode::kTimeout)
      return Fail(std::move(error));
    replay_.verdict = Verdict::kUnresolved;
    replay_.device_failed = true;
    replay_.reason = error.message();
    return std::move(replay_);
  }

  // True: the app died while its screen was read, and the verdict is known.
  Result<bool> NeedScreen() {
    if (screen_known_) return false;
    MARMOSET_ASSIGN(screen_, device_.Observe());
    screen_known_ = true;
    const Outcome late = device_.TakeLate();
    return late.process_died() && Died(last_index_, late);
  }

  // True: the verdict is known.
  Result<bool> DoStep(uint32_t index) {
    const Step& step = trace_.steps[index];
    const Display& here = device_.info().display;
    const bool elsewhere = trace_.display != here && TouchedPoint(step.action);
    if (elsewhere || step.selector) {
      MARMOSET_ASSIGN(const bool died, NeedScreen());
      if (died) return true;
    }
    // Empty: what it touches does not exist here.
    std::optional<Action> aimed =
        OnDisplay(step.action, trace_.display, here, elsewhere && screen_.rotation % 2 != 0);
    std::optional<Point> field;
    if (step.selector) {
      const FoundWidget found = Find(*step.selector, screen_);
      if (found.widget) {
        aimed = Aim(step.action, *step.selector, found, screen_);
      } else if (aimed) {
        ++replay_.found_by_point;
        Diverge(index, "its widget is not on the screen; the recorded point was used");
      }
      if (!TouchedPoint(step.action))
        field = found.widget ? At(screen_, *found.widget).bounds.center() : step.selector->bounds.center();
    }
    if (!aimed) {
      ++replay_.left_out;
      Diverge(index, "left out: it touched what this display does not have");
    }
    const Action action = aimed.value_or(Wait{});
    if (options_.on_step) {
      MARMOSET_ASSIGN(const bool died, NeedScreen());
      if (died) return true;
      MARMOSET_TRY(options_.on_step(&step, action, screen_));
    }
    device_.BeginStep(step.at_ms);
    MARMOSET_ASSIGN(const Outcome outcome, PerformOn(device_, action, field, screen_));
    screen_known_ = false;
    last_index_ = index;
    ++replay_.steps_done;
    if (outcome.process_died()) return Died(index, outcome);
    if (!options_.reached_at_end && MatchesLog(outcome)) return Reached();
    if (wants_screen_after_) {
      MARMOSET_ASSIGN(const bool died, NeedScreen());
      if (died) return true;
      if (!options_.reached_at_end && IsTarget(screen_)) return Reached();
      Compare(index, step);
    }
    return false;
  }

  Result<bool> Died(uint32_t index, const Outcome& outcome) {
    if (outcome.crash) {
      replay_.crash = SignatureOf(*outcome.crash);
      replay_.stack = outcome.crash->stack;
      const auto* wanted = std::get_if<CrashTarget>(&target_);
      const bool any = wanted && wanted->signature.exception.empty();
      if (!options_.reached_at_end &&
          (any || (wanted && Matches(wanted->signature, *replay_.crash)) || MatchesLog(outcome)))
        return Reached();
      replay_.reason = "another crash: " + replay_.crash->ToString();
      Diverge(index, replay_.reason);
      return true;
    }
    if (outcome.host_gap) {
      replay_.verdict = Verdict::kUnresolved;
      replay_.reason = "host gap: " + outcome.host_gap->where;
      replay_.stack = outcome.host_gap->stack;
      Diverge(index, replay_.reason);
      return true;
    }
    replay_.reason = "the app ended its own process";
    Diverge(index, replay_.reason);
    return true;
  }

  bool Reached() {
    replay_.verdict = Verdict::kReached;
    replay_.reason.clear();
    return true;
  }

  bool IsTarget(const Screen& screen) const {
    if (const auto* t = std::get_if<ActivityTarget>(&target_)) return ShortMatch(screen.activity, t->name);
    if (const auto* t = std::get_if<WidgetTarget>(&target_)) return ShowsWidget(screen, t->pattern);
    return false;
  }

  bool MatchesLog(const Outcome& outcome) const {
    const auto* t = std::get_if<LogTarget>(&target_);
    return t && std::any_of(outcome.log.begin(), outcome.log.end(), [&](const LogLine& line) {
             return std::regex_search(fmt::format("{}/{}: {}", line.level, line.tag, line.message),
                                      *t->compiled);
           });
  }

  void Diverge(uint32_t index, std::string reason) {
    if (options_.watch_divergence && !replay_.divergence)
      replay_.divergence = Divergence{index, std::move(reason)};
  }

  void Compare(uint32_t index, const Step& step) {
    if (!options_.watch_divergence) return;
    if (!step.activity_after.empty()) {
      ++replay_.with_activity;
      if (screen_.activity == step.activity_after) ++replay_.same_activity;
    }
    if (!step.activity_after.empty() && screen_.activity != step.activity_after)
      Diverge(index, fmt::format("the recording went on in {}, the replay is in {}", step.activity_after,
                                 screen_.activity.empty() ? screen_.package : screen_.activity));
    else if (same_device_ && step.screen_after != 0 && ContentHash(screen_) != step.screen_after)
      Diverge(index, "the screen is not the recorded one");
  }

  Result<Replay> Finish() {
    // The last step's crash may come only when the screen is read.
    const Result<bool> died = NeedScreen();
    if (!died) return Lost(Error(died.error()));
    if (*died) return std::move(replay_);
    if (options_.reached_at_end) {
      if (options_.reached_at_end(screen_))
        Reached();
      else
        replay_.reason = "the last step led elsewhere";
      return std::move(replay_);
    }
    if (const auto* t = std::get_if<CommandTarget>(&target_)) return AskCommand(t->command);
    if (options_.on_step) {
      MARMOSET_TRY(options_.on_step(nullptr, Wait{}, screen_));
    }
    replay_.reason = "the end of the trace came without it";
    return std::move(replay_);
  }

  Result<Replay> AskCommand(const std::string& command) {
    MARMOSET_ASSIGN(const TemporaryFolder folder, TemporaryFolder::Make());
    const fs::path file = folder.path() / "screen.json";
    MARMOSET_TRY(WriteFile(file, ToJson(screen_).dump()));
    MARMOSET_ASSIGN(
        const Finished done,
        RunToEnd({"env", "MARMOSET_SCREEN=" + file.string(), "sh", "-c", command}, kCommandMs, stop_));
    if (done.exit_status == 0) replay_.verdict = Verdict::kReached;
    if (done.exit_status == 1) replay_.reason = "the command says no";
    if (done.exit_status > 1) {
      replay_.verdict = Verdict::kUnresolved;
      replay_.reason = fmt::format("the command ended with status {}", done.exit_status);
    }
    return std::move(replay_);
  }

  Device& device_;
  const Trace& trace_;
  const Target& target_;
  const ReplayOptions& options_;
  const std::stop_token stop_;
  bool wants_screen_after_ = false;
  bool same_device_ = false;
  Replay replay_;
  Screen screen_;
  bool screen_known_ = false;
  uint32_t last_index_ = 0;  // Of the step that was done last.
};

}  // namespace

Result<Replay> ReplaySteps(Device& device, const Trace& trace, const Kept& kept, const Target& target,
                           const ReplayOptions& options, std::stop_token stop) {
  return Replayer(device, trace, target, options, std::move(stop)).Run(kept);
}

Kept AllSteps(const Trace& trace) {
  Kept all(trace.steps.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace marmoset
