// Which reducer to use on a trace, and what the recording alone says about the outcome.
//
// Pure functions of a trace. Offline figures come from the activity-graph oracle (reduce/activity_graph.h):
// they plan a minimization and compare methods, they prove nothing about the app.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "minimize/states.h"
#include "reduce/reducer.h"
#include "reduce/registry.h"
#include "trace/trace.h"

namespace marmoset {

// How many steps at the front are always kept: the launch, without which there is no app to test.
size_t FixedSteps(const Trace& trace);

// The steps that a reducer may drop.
Kept DroppableSteps(const Trace& trace);

struct MethodChoice {
  const ReducerInfo* method;
  std::string why;  // For people; empty when the user chose.
};

// `name` is one of AllReducers() or "auto", which goes by the states before the steps (as far as they are
// known). kBadInput with all names otherwise.
Result<MethodChoice> ChooseMethod(std::string_view name, const States& states);

// "auto, ddmin, …".
std::string MethodNames();

struct OfflineReduction {
  Kept kept;  // Indices into the trace's steps, the launch included.
  uint64_t replays = 0;
  uint64_t replayed_events = 0;  // Without the launches.
  bool one_minimal = false;
};

// Reduces the trace with the activity-graph oracle; the target is that its last step acts. kUnsupported if no
// activities are recorded; kNothingToDo without steps beside the launch.
Result<OfflineReduction> MinimizeOffline(const Trace& trace, const Reducer& reducer);

}  // namespace marmoset
