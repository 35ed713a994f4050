// Minimization of one trace: from a trace that reaches a target to the few steps that still do.
//
//   1. Pre-check: the whole trace is replayed; where it does not reach the target there is nothing to
//      minimize. Steps after the one that reached it are dropped at once.
//   2. A reducer (reduce/) asks about candidates, then runs of two and three steps are tried; each is
//   replayed
//      from a clean start. Verdicts are kept on disk, and so is the best trace so far.
//   3. Confirmation: the result is replayed again and again on a renewed device, and the figures are part of
//      the result.
//
// The leading launch is always kept: without it there is no app to test.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "device/device.h"
#include "reduce/reducer.h"
#include "replay/replayer.h"
#include "replay/target.h"
#include "trace/trace.h"

namespace marmoset {

struct MinimizeOptions {
  Target target;
  int pre_checks = 1;      // Replays of the whole trace before it begins; one success is enough to go on.
  int confirmations = 20;  // Replays of the result.
  fs::path out;            // Folder for candidates.jsonl and minimal.trace.jsonl; must exist.
};

struct MinimizeProgress {
  std::string_view phase;  // "pre-check", "reduce", "confirm"
  size_t events = 0;       // Of the whole trace.
  size_t best = 0;         // Of the best so far.
  uint64_t replays = 0;
  uint64_t replayed_events = 0;
  int reached = 0;  // In the phase "confirm".
  int runs = 0;
};

struct Minimization {
  Kept kept;      // Indices into the given trace's steps, the launch included.
  Trace minimal;  // These steps, with the crash that they lead to.
  size_t events_before = 0;
  uint64_t replays = 0;  // All: pre-check, candidates, confirmation.
  uint64_t replayed_events = 0;
  uint64_t remembered = 0;        // Verdicts taken from the folder's memory instead of a replay.
  int reached = 0;                // Confirmations that reached the target …
  int runs = 0;                   // … of so many that were resolved.
  int unresolved = 0;             // Confirmations in which the device failed.
  bool one_minimal = false;       // No single step can be left out (each was tried).
  Replay last;                    // The last confirmation, or the pre-check where it failed.
  bool pre_check_failed = false;  // The whole trace did not reach the target; nothing was reduced.
  std::optional<Error> stopped;   // Why it ended early; the rest is the best so far.
};

struct MinimizeWorld {
  Device& device;
  std::function<void()>
      renew;  // Gives the device a fresh start of its own (another JVM) before the confirmation.
  std::stop_token stop;
};

Result<Minimization> Minimize(const MinimizeWorld& world, const Trace& trace, const Reducer& reducer,
                              const MinimizeOptions& options,
                              const std::function<void(const MinimizeProgress&)>& on_progress);

}  // namespace marmoset
