// The activity-graph oracle: what a recorded trace says about its own parts, without a device.
//
// The problem. To plan a reduction, or to study reducers, one wants a replay's verdict without a replay.
//
// The idea. Read the recording as a graph: event k was sent in state s(k) and led to s(k+1). Assume that this
// is all there is to know: in a replay, event k acts only if the app is in s(k), and then the app is in
// s(k+1); otherwise nothing happens. The target is reached when the last event acts.
//
//     states before  A A B A C, then the crash     kept 2 4: 2 needs B but the app is in A; 4 needs C: missed
//                                                  kept 0 3 4: A, A to C, crash: reached
//
// What it is worth. States are the caller's, often activities. Where what happens inside a state matters,
// real minima are longer; and since the hierarchy of HDD, BHDD and LHDD is built from the same states, the
// oracle flatters them. Its figures plan, they do not prove.
//
// Source: ours; figures in docs/papers.md. Thread-safe but for the count of events.

#pragma once

#include <atomic>

#include "reduce/reducer.h"

namespace marmoset {

class ActivityGraph {
 public:
  // The states around each event, in order. The app starts in the state before the first. REQUIRES: not
  // empty.
  explicit ActivityGraph(std::vector<StateChange> states) : states_(std::move(states)) {}

  // From the states before each event alone; after the last event comes a state of its own.
  static std::vector<StateChange> FromStatesBefore(const std::vector<uint32_t>& before);

  // As a replay: stops at the target. Local targets are understood. Never kUnresolved.
  Verdict Ask(const Question& question) const;

  // An oracle that refers to this object.
  TargetOracle AsOracle() const;

  // Events sent by all replays so far.
  uint64_t replayed_events() const { return replayed_events_; }

 private:
  const std::vector<StateChange> states_;
  mutable std::atomic<uint64_t> replayed_events_ = 0;
};

}  // namespace marmoset
