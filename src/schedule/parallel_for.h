// How a long computation is spread over threads: the caller says.

#pragma once

#include <cstddef>
#include <functional>

namespace marmoset {

// Calls body(0) … body(count-1), in any order, perhaps at the same time, and returns when all have returned.
using ParallelFor = std::function<void(size_t count, const std::function<void(size_t)>& body)>;

// On the calling thread.
ParallelFor OnThisThread();

// On `threads` threads, started for each call.
ParallelFor OnThreads(size_t threads);

}  // namespace marmoset
