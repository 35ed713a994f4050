// One stop request for Ctrl-C and time budgets, passed to everything that takes long.
//
// std::stop_token is the type; this header makes Ctrl-C and SIGTERM request it. Whoever loops checks
// `stop.stop_requested()` at least every second and then ends cleanly, keeping what it has.

#pragma once

#include <functional>
#include <stop_token>

namespace marmoset {

// Turns SIGINT and SIGTERM into `source.request_stop()`. The signals are blocked in all threads started
// afterwards and taken by one thread of its own, so that the request may run arbitrary callbacks. A second
// signal ends the process at once with exit status 19. REQUIRES: called once, before any other thread starts.
void StopOnSignals(std::stop_source source);

// Gives a child process, after fork, the signal mask that it would have had without StopOnSignals.
void RestoreSignalsInChild();

}  // namespace marmoset
