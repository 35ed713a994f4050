// An action that was recorded on one display, done on another one.
//
// A display is the bar of the system at its top, the app's area, and the bar at its bottom; each is mapped
// onto its like, by fractions of its width and height, since apps fill the area that they get. Where the
// other display lacks a bar, what was touched there does not exist.

#pragma once

#include <optional>

#include "gui/action.h"
#include "gui/display.h"

namespace marmoset {

// The action with its points mapped from `recorded` to `here`; `turned`: both displays lie on their side. A
// gesture that ends where `here` has nothing ends at the edge. Empty: what the action touches first is not
// there.
std::optional<Action> OnDisplay(const Action& action, const Display& recorded, const Display& here,
                                bool turned);

}  // namespace marmoset
