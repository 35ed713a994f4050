// The explorer: drives one or several devices with one strategy, keeps them in the app, and commits every
// step to a run record.
//
// A run is a sequence of episodes. Each begins with a clean start (Device::Reset) and a launch, and ends when
// the app's process dies. Whatever the app did to end itself is counted; a crash becomes an entry of the
// record with the episode's steps as its trace.
//
// On a deterministic device a run is a function of (app, seed, options, strategy). That also makes it
// resumable: the steps of the interrupted episode are done again, the random source is set to its saved
// state, and the run goes on as if nothing had happened.

#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "device/device.h"
#include "explore/strategy.h"
#include "trace/run_record.h"
#include "trace/trace.h"

namespace marmoset {

inline constexpr int64_t kPlateauEvents = 300;

struct ExploreOptions {
  int64_t events = 1000;  // Steps that the strategy decides; those of the explorer itself are not counted.
  int64_t seconds = 0;    // Wall time; 0: no limit.
  uint64_t seed = 0;
  bool stop_on_crash = false;
  // End when half of the events, and at least kPlateauEvents, have shown no activity, crash or method of the
  // app that was new.
  bool until_plateau = false;
  // Take a picture of each screen whose shape is new: screenshots/shape-HASH.png (ShapeHash) in the record's
  // folder.
  bool screenshots = false;
  std::vector<std::string> blocked_activities;  // Full class names; left at once.
  std::vector<std::string> allowed_activities;  // Empty: all that are not blocked.
  bool Permits(const std::string& activity) const;
  std::vector<Step> prologue;  // Done after each clean start, by their selectors: a login, for example.
};

// Methods of the app that have been entered, out of those that can be counted; zero on a device that does not
// count them.
struct MethodCounts {
  size_t entered = 0;
  size_t all = 0;
  size_t own_entered = 0;  // Without those of libraries.
  size_t own_all = 0;
};

struct ExploreProgress {
  int64_t events = 0;
  int64_t wanted_events = 0;
  int64_t elapsed_ms = 0;
  size_t activities = 0;    // Distinct, of the app.
  size_t screens = 0;       // Distinct by content.
  size_t crashes = 0;       // Distinct by signature.
  int64_t crash_count = 0;  // All.
  int64_t host_gaps = 0;
  MethodCounts methods;
  std::optional<ModelSize> model;  // Of the strategy, where it has one.
  int64_t news_at = 0;  // The event that last showed an activity, crash or method of the app that was new.
  std::string last_step;
};

// Why the run ended: the budget of events or seconds was spent; a crash with stop_on_crash; nothing new came
// for long with until_plateau; the user asked; the app does not stay up long enough for a single event.
enum class ExploreEnd { kEvents, kSeconds, kCrash, kPlateau, kStopped, kAppDoesNotStayUp };
std::string_view ExploreEndName(ExploreEnd end);

struct ExploreResult {
  ExploreEnd end = ExploreEnd::kEvents;
  ExploreProgress total;
};

struct ExploreWorld {
  Device& device;
  RunRecord& record;
  Clock& clock;
  std::stop_token stop;
  std::vector<Device*> more_devices = {};  // With the same app; each has an episode of its own.
};

// Runs, or goes on with, the exploration of the app that `header` describes (its steps are ignored).
// Everything seen is in the record when it returns, errors included. kDeviceLost when no device can be
// brought back. kUnsupported when it is to go on with a run on several devices, or on several.
Result<ExploreResult> Explore(const ExploreWorld& world, const Trace& header, const ExploreOptions& options,
                              Strategy& strategy,
                              const std::function<void(const ExploreProgress&)>& on_progress);

}  // namespace marmoset
