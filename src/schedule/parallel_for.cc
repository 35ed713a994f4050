#include "schedule/parallel_for.h"

#include <atomic>
#include <thread>
#include <vector>

namespace marmoset {

ParallelFor OnThisThread() {
  return [](size_t count, const std::function<void(size_t)>& body) {
    for (size_t i = 0; i < count; ++i) body(i);
  };
}

ParallelFor OnThreads(size_t threads) {
  return [threads](size_t count, const std::function<void(size_t)>& body) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < count; i = next++) body(i);
    };
    std::vector<std::jthread> others;
    for (size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
  };
}

}  // namespace marmoset
