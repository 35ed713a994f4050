// Minimization of one trace: from a trace that reaches a target to the few steps that still do.
//
//   1. Pre-check: the whole trace is replayed. Where it does not reach the target there is nothing to
//      minimize; where it does so in some replays only, a single replay of a candidate will not do. Steps
//      after the one that reached it are dropped at once.
//   2. A reducer (reduce/) asks about candidates, then runs of two and three steps are tried; each is
//      replayed from a clean start, once or as often as its judgement wants, on all devices. Replays are kept
//      on disk, and so is the best trace so far.
//   3. Confirmation: the result is replayed again and again on renewed devices, and the figures are part of
//      the result. If single replays were believed and the confirmation says that they should not have been,
//      2 and 3 are done again with a sequential test.
//
// The leading launch is always kept: without it there is no app to test.
//
// Sources: SimplyDroid (reduce/hierarchy.h) for 2, ND3MIN (schedule/policy.h) for the counts of 1 to 3.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "minimize/device_farm.h"
#include "minimize/judgement.h"
#include "minimize/method.h"
#include "replay/replayer.h"
#include "replay/target.h"
#include "trace/trace.h"

namespace marmoset {

struct MinimizeOptions {
  Target target;
  std::string method = "auto";                      // As ChooseMethod.
  StateFunction states = StateFunction::kActivity;  // What makes the hierarchy.
  // Propose what the recorded screens suggest, first. That pays where screens show all there is; an app that
  // keeps a state which they do not show costs two long replays more.
  bool pre_pass = false;
  Judgement judgement = JudgeAuto();
  // The whole trace must reach in `needed` of at most `runs` replays. Not set: 1 of 20, but of 2 where all
  // replays are alike; 15 of 20 for ND3MIN's rule and the sequential test.
  std::optional<FixedRule> pre_check;
  PolicyName policy = PolicyName::kHeuristic;  // Which candidates get the devices, if judged more than once.
  double likely = 0.8;                         // The heuristic's c.
  std::shared_ptr<const Mdp> mdp;              // For PolicyName::kMdp.
  uint32_t confirmations = 20;                 // Replays of the result.
  Vary vary = Vary::kNothing;
  fs::path out;  // Folder for candidates.jsonl and minimal.trace.jsonl; must exist.
};

struct MinimizeProgress {
  std::string_view phase;  // "pre-check", "reduce", "confirm"
  size_t events = 0;       // Of the whole trace.
  size_t best = 0;         // Of the best so far.
  uint64_t replays = 0;
  uint64_t replays_left = 0;  // At least about so many more.
  uint64_t replayed_events = 0;
  Counts phase_counts;  // In "pre-check" and "confirm".
  uint32_t devices = 0;
};

struct Minimization {
  Kept kept;      // Indices into the given trace's steps, the launch included.
  Trace minimal;  // These steps, with the crash that they lead to.
  size_t events_before = 0;
  MethodChoice method{};
  Judgement judgement;  // As it was used; JudgeAuto only if the pre-check failed.

  Counts pre_check;         // Replays of the whole trace.
  Counts confirmed;         // Replays of the result.
  uint32_t unresolved = 0;  // Replays of either in which the device or the host failed.
  uint64_t replays = 0;     // All: pre-check, candidates, confirmation.
  uint64_t replayed_events = 0;
  uint64_t remembered = 0;  // Verdicts taken from the folder's memory instead of a replay.
  uint64_t wasted = 0;      // Replays made ahead of need on further devices.

  // No single step can be left out: each was tried, and rejected by the judgement.
  bool one_minimal = false;
  // ND3MIN's p1 and p2, by a prior that learned from this run's candidates: the probability that the result
  // reaches in more than 85 of 100 replays; that no result with one step less reaches in 18 of 20. Not set
  // where one replay decided.
  std::optional<double> reliable;
  std::optional<double> minimal_for_sure;

  std::string reason;             // Of the last replay that did not reach.
  bool pre_check_failed = false;  // The whole trace does not reach often enough; nothing was reduced.
  std::optional<Error> stopped;   // Why it ended early; the rest is the best so far.
  std::vector<std::string> lost;  // By device: why it was given up; empty: it was not.
};

struct MinimizeWorld {
  std::vector<FarmDevice> devices;
  std::stop_token stop;
};

// `on_progress` may be called by any thread, by one at a time.
Result<Minimization> Minimize(const MinimizeWorld& world, const Trace& trace, const MinimizeOptions& options,
                              const std::function<void(const MinimizeProgress&)>& on_progress);

}  // namespace marmoset
