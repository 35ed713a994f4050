// ddmin: the classic delta debugging algorithm.
//
// The problem. A trace of n events reaches the target; find a small part of it that still does, by asking the
// oracle about as few parts as possible. For example, of events 0 … 7 only {1, 6} matter:
//
//     0 1 2 3 | 4 5 6 7       two halves: each alone misses
//     0 1 | 2 3 | 4 5 | 6 7   quarters alone miss; all but {2 3} reaches: go on with 0 1 4 5 6 7 in thirds
//     0 1 | 4 5 | 6 7         all but {4 5} reaches: go on with 0 1 6 7 in halves … 1 6
//
// The idea. Cut what is left into k chunks of nearly equal size. If one chunk alone reaches, keep only it (k
// = 2). Otherwise, if all but one chunk reaches, drop that chunk (k-1). Otherwise cut finer (2k), until the
// chunks are single items. When no single item can be dropped, the result is 1-minimal.
//
// The cost in oracle calls: O(log n) at best, n^2 + 3n at worst; each candidate is asked at most once,
// because verdicts are remembered (the published reuse of results). An unresolved verdict keeps the chunk; it
// is not remembered, so that a later round may ask again.

#include "reduce/ddmin.h"

#include <algorithm>
#include <set>

namespace marmoset {
namespace {

class Search {
 public:
  Search(const Oracle& oracle, const OnBest& on_best, std::stop_token stop)
      : oracle_(oracle), on_best_(on_best), stop_(std::move(stop)) {}

  Reduction Run(uint32_t n) {
    best_.kept.resize(n);
    for (uint32_t i = 0; i < n; ++i) best_.kept[i] = i;
    size_t chunks = 2;
    bool all_resolved = n == 0;
    while (!best_.kept.empty()) {
      chunks = std::min(chunks, best_.kept.size());
      unresolved_ = false;
      const bool smaller = TryChunks(chunks) || TryComplements(chunks);
      if (best_.stopped) return std::move(best_);
      if (smaller) {
        // A chunk alone starts again with halves; a complement goes on with the other chunks of the same
        // size.
        chunks = kept_alone_ ? 2 : std::max<size_t>(chunks - 1, 2);
        continue;
      }
      if (chunks == best_.kept.size()) {
        all_resolved = !unresolved_;
        break;
      }
      chunks *= 2;
    }
    best_.one_minimal = all_resolved || best_.kept.empty();
    return std::move(best_);
  }

 private:
  // The i-th of `chunks` parts of nearly equal size: their sizes differ by at most one.
  std::pair<size_t, size_t> Range(size_t i, size_t chunks) const {
    const size_t size = best_.kept.size();
    return {i * size / chunks, (i + 1) * size / chunks};
  }

  bool TryChunks(size_t chunks) {
    if (best_.kept.size() < 2) return false;  // The only chunk is everything.
    for (size_t i = 0; i < chunks; ++i) {
      const auto [from, to] = Range(i, chunks);
      Kept candidate(best_.kept.begin() + static_cast<ptrdiff_t>(from),
                     best_.kept.begin() + static_cast<ptrdiff_t>(to));
      if (Accept(std::move(candidate))) {
        kept_alone_ = true;
        return true;
      }
      if (best_.stopped) return false;
    }
    return false;
  }

  bool TryComplements(size_t chunks) {
    for (size_t i = 0; i < chunks; ++i) {
      const auto [from, to] = Range(i, chunks);
      Kept candidate = best_.kept;
      candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(from),
                      candidate.begin() + static_cast<ptrdiff_t>(to));
      if (Accept(std::move(candidate))) {
        kept_alone_ = false;
        return true;
      }
      if (best_.stopped) return false;
    }
    return false;
  }

  // Asks about the candidate, unless the answer is known, and takes it as the new best if it reaches the
  // target.
  bool Accept(Kept candidate) {
    if (missed_.contains(candidate)) return false;
    if (stop_.stop_requested()) {
      best_.stopped.emplace(ErrorCode::kCancelled, "stopped");
      return false;
    }
    ++best_.oracle_calls;
    const Result<Verdict> verdict = oracle_(candidate, stop_);
    if (!verdict) {
      best_.stopped = verdict.error();
      return false;
    }
    if (*verdict == Verdict::kMissed) missed_.insert(std::move(candidate));
    if (*verdict == Verdict::kUnresolved) unresolved_ = true;
    if (*verdict != Verdict::kReached) return false;
    best_.kept = std::move(candidate);
    if (on_best_) on_best_(best_.kept);
    return true;
  }

  const Oracle& oracle_;
  const OnBest& on_best_;
  const std::stop_token stop_;
  Reduction best_;
  std::set<Kept> missed_;
  bool kept_alone_ = false;
  bool unresolved_ = false;
};

}  // namespace

Reduction Ddmin::Reduce(uint32_t n, const Oracle& oracle, const OnBest& on_best, std::stop_token stop) const {
  return Search(oracle, on_best, std::move(stop)).Run(n);
}

}  // namespace marmoset
