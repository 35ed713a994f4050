// Traces in the formats of other tools.

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "trace/trace.h"

namespace marmoset {

struct Exported {
  std::string text;
  std::vector<std::string> warnings;  // One line each: "step 7: …: left out".
};

// A script for `monkey -f FILE 1`, in the strict form that Android's own reader takes. `launcher` is the
// class that a Launch without a component starts. What Monkey cannot do, or would take for something else,
// gets a warning. kBadInput for a trace without package; kNothingToDo for one without steps.
Result<Exported> WriteMonkeyScript(const Trace& trace, const std::string& launcher);

}  // namespace marmoset
