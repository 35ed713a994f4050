// One step on a device: an action aimed at a point.
//
// Only text needs more than Device::Perform: it goes into the focused field, so the field is tapped first
// where another one, or none, has the focus. Explorers and replayers share this, so that a replay does what
// was recorded.

#pragma once

#include <optional>

#include "base/error.h"
#include "device/device.h"

namespace marmoset {

// Performs `action`. For a TypeText, `field` is the point of the text field, and `screen` what is shown now.
Result<Outcome> PerformOn(Device& device, const Action& action, std::optional<Point> field,
                          const Screen& screen);

}  // namespace marmoset
