// What all reducers have in common: they turn n items into fewer for which the oracle still says kReached.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reduce/oracle.h"

namespace marmoset {

struct Reduction {
  Kept kept;                  // Judged kReached itself, never larger than the input.
  uint64_t oracle_calls = 0;  // Calls made; repeated questions are answered from the memory and not counted.
  bool one_minimal = false;   // True: each single item was tried without, on top of this result, and missed.
  std::optional<Error> stopped;  // Set when the reduction ended early: why. `kept` is then the best so far.
};

// Called at every improvement with the new best candidate, so that it can be saved.
using OnBest = std::function<void(const Kept& kept)>;

// REQUIRES for all reducers: the oracle says kReached for all n items (the caller's pre-check). An unresolved
// answer keeps the items in question, and costs the guarantee of 1-minimality unless a later answer settles
// it.
class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual Reduction Reduce(uint32_t n, const Oracle& oracle, const OnBest& on_best,
                           std::stop_token stop) const = 0;
};

}  // namespace marmoset
