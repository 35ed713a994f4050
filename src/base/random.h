// The random source of a run: one seed, one sequence, on every machine and compiler.
//
// The standard library's distributions differ between implementations, so the few that we need are here. The
// generator is xoshiro256** (Blackman and Vigna), seeded through splitmix64. Its state can be saved and
// restored, so that an interrupted run goes on with the numbers it would have drawn.
//
// Not safe for use by several threads at once; give each its own, made by Fork().

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"

namespace marmoset {

class Random {
 public:
  explicit Random(uint64_t seed);

  // Uniform over all 64-bit values.
  uint64_t Next();

  // Uniform over 0 … bound-1. REQUIRES: bound > 0.
  uint64_t Below(uint64_t bound);

  // Uniform over [0, 1).
  double Unit();

  // True with probability `p`; always for p >= 1, never for p <= 0.
  bool Chance(double p) { return Unit() < p; }

  // An index drawn in proportion to the weights; negative ones count as 0. REQUIRES: at least one is
  // positive.
  size_t Weighted(std::span<const double> weights);

  // A generator of its own, whose numbers do not repeat this one's.
  Random Fork() { return Random(Next()); }

  // The state as 64 hexadecimal digits, and back (kBadInput when it is not that).
  std::string Save() const;
  static Result<Random> Restore(const std::string& saved);

  friend bool operator==(const Random&, const Random&) = default;

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace marmoset
