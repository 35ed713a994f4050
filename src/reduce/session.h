// One reduction under way: the best candidate so far, what was already asked, and what it cost.
//
// All passes of a reduction (pre-pass, reducer, final sweep) share one session, so that none repeats a
// question of another: this is ddmin's published reuse of results, for everyone. Only misses need
// remembering, because a candidate that reached is the best and everything asked later is smaller. They are
// remembered as 128-bit hashes, since 10 000 items times thousands of candidates would not fit in memory
// otherwise.
//
// One thread at a time.

#pragma once

#include <unordered_set>

#include "reduce/judge.h"

namespace marmoset {

struct Reduction {
  Kept kept;                  // Judged kReached itself (or everything), never larger than the input.
  uint64_t oracle_calls = 0;  // Calls whose answers counted; what memory answers is not a call.
  uint64_t wasted_calls = 0;  // Calls made ahead of need on further devices.
  bool one_minimal = false;   // True: each single item was tried without, on top of this result, and missed.
  std::optional<Error> stopped;  // Set when the reduction ended early: why. `kept` is then the best so far.
};

// Called at every improvement with the new best candidate, so that it can be saved.
using OnBest = std::function<void(const Kept& kept)>;

class Session {
 public:
  // Starts with all of the items 0 … n-1 as the best. `judge` must outlive the session.
  Session(uint32_t n, Judge& judge, OnBest on_best, std::stop_token stop);

  const Kept& best() const { return best_; }
  bool stopped() const { return stopped_.has_value(); }
  bool KnowsLocalTargets() const { return judge_.KnowsLocalTargets(); }

  // Asks the queue's questions in order until one reaches, and returns its place in the queue. Questions
  // known to miss are passed over. A candidate that reaches the whole target becomes the best; one that
  // reaches a local target does not. Nothing: all missed, were unresolved, or the session stopped. REQUIRES:
  // each candidate for the whole target is a proper subset of the best.
  std::optional<size_t> First(const Queue& queue);

  // First() for a single candidate: whether it reached.
  bool Try(Kept kept);

  // Whether the candidate was asked for the whole target and missed.
  bool Missed(const Kept& kept) const;

  // The outcome, with the claim of 1-minimality worked out from what was asked.
  Reduction Finish() &&;

 private:
  struct Key {
    uint64_t low, high;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.low; }
  };
  using KeySet = std::unordered_set<Key, KeyHash>;

  static Key KeyOf(const Kept& kept, std::optional<uint32_t> reach);

  Judge& judge_;
  const OnBest on_best_;
  const std::stop_token stop_;
  Kept best_;
  KeySet missed_;
  uint64_t calls_ = 0;
  uint64_t wasted_ = 0;
  std::optional<Error> stopped_;
};

}  // namespace marmoset
