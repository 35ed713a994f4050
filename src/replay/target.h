// A target: what a replay should reach.

#pragma once

#include <memory>
#include <regex>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "gui/crash.h"
#include "gui/screen.h"

namespace marmoset {

struct CrashTarget {
  CrashSignature signature;  // Without frame: any crash with this exception. Without exception: any crash.
};
struct ActivityTarget {
  std::string name;  // The activity in front: its full class name or the part after the last '.'.
};
struct WidgetTarget {
  std::string pattern;  // A widget on screen with this resource id (or its last part), text or description.
};
struct LogTarget {
  std::string pattern;  // A regular expression (ECMAScript) found in a log line "LEVEL/TAG: message".
  std::shared_ptr<const std::regex> compiled;
};
// A command that is run after the last step and finds the screen as JSON in the file that MARMOSET_SCREEN
// names. Exit status 0: reached, 1: missed, anything else: unresolved.
struct CommandTarget {
  std::string command;  // For `sh -c`.
};

using Target = std::variant<CrashTarget, ActivityTarget, WidgetTarget, LogTarget, CommandTarget>;

// "crash", "crash:SIGNATURE", "activity:NAME", "widget:PATTERN", "log:REGEX", "command:SHELL". kBadInput
// otherwise.
Result<Target> ParseTarget(std::string_view text);

// As ParseTarget reads it.
std::string ToText(const Target& target);

// "the crash java.lang.X at …": for messages.
std::string Describe(const Target& target);

}  // namespace marmoset
