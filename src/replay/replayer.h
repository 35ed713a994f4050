// A replay: the steps of a trace, or some of them, done on a device from a clean start, and what came of it.
//
// This is the only place that asks "was the target reached?". The answer is a verdict: `reached`, `missed`,
// or `unresolved` when the device or the host failed, so that nothing was learned about the app.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/device.h"
#include "gui/crash.h"
#include "gui/selector.h"
#include "reduce/oracle.h"
#include "replay/target.h"
#include "trace/trace.h"

namespace marmoset {

struct Divergence {
  size_t step = 0;  // Index in Trace::steps.
  std::string reason;
};

struct Replay {
  Verdict verdict = Verdict::kMissed;
  std::string reason;                   // Why it is missed or unresolved; empty when reached.
  std::optional<CrashSignature> crash;  // The crash that ended it, be it the target or another one.
  std::string stack;                    // Of that crash, or of the host gap.
  bool device_failed = false;  // Unresolved since the device itself did (lost, or no answer in time).
  bool began = false;          // The device was reset.
  size_t steps_done = 0;       // Of those asked for.
  size_t found_by_point = 0;   // Steps whose widget was not found, so that the recorded point was used.
  size_t left_out = 0;  // Steps that touched what this device's display does not have (gui/display_map.h).
  // Where that was asked for: the first difference from the recording, of how many steps it holds the
  // activity that they led to, and how many of these led there again.
  std::optional<Divergence> divergence;
  size_t with_activity = 0;
  size_t same_activity = 0;
};

struct ReplayOptions {
  uint64_t seed = 0;              // For Device::Reset.
  uint64_t schedule_seed = 0;     // Likewise; another one shows another order of the app's threads.
  bool watch_divergence = false;  // Compare each step with the recording (costs an Observe per step).
  // Set: asked about the screen after the last step, in place of the target. A crash on the way is a miss.
  std::function<bool(const Screen& screen)> reached_at_end;
  // Called before each step with the screen it meets, and after the last one with `step` empty.
  std::function<Status(const Step* step, const Action& action, const Screen& screen)> on_step;
};

// Replays the steps `kept` (indices into trace.steps, ascending). An Error only when the user stopped
// (kCancelled) or our own side failed; a lost device is an unresolved verdict.
Result<Replay> ReplaySteps(Device& device, const Trace& trace, const Kept& kept, const Target& target,
                           const ReplayOptions& options, std::stop_token stop);

// All steps of the trace.
Kept AllSteps(const Trace& trace);

}  // namespace marmoset
