// What the process was given from outside: environment variables and its own place in the file system. The
// only place that reads them.

#pragma once

#include <optional>
#include <string>

#include "base/file.h"

namespace marmoset {

// Empty when the variable is unset or empty.
std::optional<std::string> EnvironmentVariable(const char* name);

// The running program's file.
fs::path ExecutablePath();

// Where downloads and derived files that may be deleted at any time are kept: $XDG_CACHE_HOME/marmoset, else
// ~/.cache/marmoset, else a folder in the system's place for temporary files.
fs::path CacheFolder();

// True when standard error is a terminal on which colours and a progress line are welcome (NO_COLOR is
// honoured).
bool IsTerminal();

}  // namespace marmoset
