// Other tools' recordings as traces.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "trace/trace.h"

namespace marmoset {

// What an importer made of the input, and what it had to leave out.
struct Imported {
  Trace trace;
  std::vector<std::string> warnings;  // One line each: "line 7: PowerLog is not a user's action: skipped".
};

// A folder of the SimplyDroid study: script.log (the events) and execute.log (the activities Monkey saw and
// the crash). Each script event becomes a step with the activity before and after it. `display` overrides the
// guess from the largest coordinate. The trace ends with the event during which the (first) crash was logged.
// kNotFound without the files; kBadInput, naming the file, when script.log is no script; kNothingToDo when it
// is empty. An execute.log that does not fit costs activities and a warning.
Result<Imported> ImportSimplyDroid(const fs::path& folder, std::optional<Display> display);
Result<Imported> ParseSimplyDroid(std::string_view script, std::string_view execute_log,
                                  std::optional<Display> display);

// A Monkey script (`monkey -f`) or the log of `monkey -v -v` (told apart by content); UTF-8 or UTF-16. Touch
// events are folded into taps, long taps, swipes and pinches; a trace from a log ends with the first crash of
// the app. kBadInput or kUnsupported with what the file is instead; kNothingToDo when it holds no event.
Result<Imported> ImportMonkey(const fs::path& file, std::optional<Display> display);
Result<Imported> ParseMonkey(std::string_view text, std::optional<Display> display);

}  // namespace marmoset
