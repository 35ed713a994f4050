// What replay and minimize share: the target of a trace, and the folder with a picture of each step.

#pragma once

#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "device/device.h"
#include "replay/target.h"
#include "trace/trace.h"

namespace marmoset::cli {

// `chosen` as ParseTarget reads it, or the trace's crash. kBadInput, with the remedy, when there is neither.
Result<Target> TargetOfTrace(const Trace& trace, const std::string& chosen);

// Replays the trace once more, with a screenshot before each step and after the last, and writes the pages of
// report/steps_page.h and steps.txt into `folder`.
Status TakeStepPictures(Device& device, const Trace& trace, const Target& target, const std::string& summary,
                        const std::string& command, const fs::path& folder, std::stop_token stop);

}  // namespace marmoset::cli
