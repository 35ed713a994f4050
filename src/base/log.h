// Diagnostics for people, on standard error. Results go to standard output or into files, never here.

#pragma once

#include <spdlog/spdlog.h>

namespace marmoset {

// How much is said: 0 warnings and errors, 1 the course of events, 2 everything. Called once, from main.
void SetUpLog(int verbosity);

}  // namespace marmoset
