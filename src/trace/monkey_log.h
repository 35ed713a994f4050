// Reads what Android's Monkey prints (`monkey -v -v`): the events it sent, the crash that ended it.
//
// Both of its output streams may be mixed in the file, so a crash report can be interrupted by event lines;
// shells add prompts before it; the file may stop anywhere. Lines that say nothing about the app's steps are
// passed over.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/crash.h"
#include "trace/import_text.h"
#include "trace/trace.h"

namespace marmoset {

struct MonkeyLog {
  std::vector<Step> steps;  // Without activities: Monkey does not print them.
  std::string package;      // The first that was allowed or, without one, of the first start.
  std::string seed;         // As printed; empty when the beginning is missing.
  std::string count;
  std::optional<CrashSignature> crash;  // Of the app; the steps then end with the one that led to it.
};

// True for lines that only a Monkey log has.
bool IsMonkeyLogLine(std::string_view line);

MonkeyLog ReadMonkeyLog(std::string_view text, Warnings& warnings);

}  // namespace marmoset
