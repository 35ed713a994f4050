// The state of the app around the steps of a trace, as labels for a reducer: what makes SimplyDroid's
// GUI-state hierarchy, and what LHDD's local targets are.
//
// Which state a screen is in is the caller's choice: its activity (as published), or its shape, which tells
// dialogs and fragments apart that share an activity. Activities are recorded in traces; shapes are seen when
// the trace is replayed.
//
// Pure functions. Source: SimplyDroid (reduce/hierarchy.h), section III.B.

#pragma once

#include <string>
#include <vector>

#include "gui/screen.h"
#include "reduce/reducer.h"
#include "trace/trace.h"

namespace marmoset {

enum class StateFunction { kActivity, kShape };

// The name of the state that a screen is in; empty: the home screen, or not known.
std::string StateName(StateFunction function, const Screen& screen);

// The states around steps: the state after a step is the one before the next, as in SimplyDroid's rule; after
// the last step comes a state of its own.
struct States {
  std::vector<StateChange> around;  // One per step.
  std::vector<std::string> names;   // By label; a label without a name is the state after the last step.

  // Whether there is a hierarchy: at least two states, and one of them known.
  bool usable() const { return names.size() >= 2; }
  size_t known() const;
};
States StatesOf(const std::vector<std::string>& names_before);

// The recorded activities before these steps.
std::vector<std::string> ActivitiesBefore(const Trace& trace, const Kept& steps);

// The recorded screens around these steps, each a state of its own; empty where one of them was not recorded.
std::vector<StateChange> ScreensAround(const Trace& trace, const Kept& steps);

}  // namespace marmoset
