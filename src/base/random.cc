#include "base/random.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/check.h"

namespace marmoset {

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    word = z ^ (z >> 31);
  }
}

uint64_t Random::Next() {
  auto& s = state_;
  const uint64_t result = std::rotl(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t bound) {
  MARMOSET_CHECK(bound > 0);
  // Values below this threshold would make the first residues more likely than the last.
  const uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const uint64_t value = Next();
    if (value >= threshold) return value % bound;
  }
}

double Random::Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

size_t Random::Weighted(std::span<const double> weights) {
  double total = 0;
  for (const double w : weights) total += std::max(w, 0.0);
  MARMOSET_CHECK(total > 0);
  double rest = Unit() * total;
  size_t last_positive = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last_positive = i;
    rest -= weights[i];
    if (rest < 0) return i;
  }
  return last_positive;  // Rounding ate the last crumb of weight.
}

std::string Random::Save() const {
  std::string text;
  for (const uint64_t word : state_) text += fmt::format("{:016x}", word);
  return text;
}

Result<Random> Random::Restore(const std::string& saved) {
  Random random(0);
  if (saved.size() != 64)
    return Fail(ErrorCode::kBadInput, "random state: 64 digits expected, {} found", saved.size());
  for (size_t i = 0; i < 4; ++i) {
    const char* begin = saved.data() + 16 * i;
    const auto [end, error] = std::from_chars(begin, begin + 16, random.state_[i], 16);
    if (error != std::errc() || end != begin + 16)
      return Fail(ErrorCode::kBadInput, "random state: not hexadecimal at digit {}", 16 * i);
  }
  return random;
}

}  // namespace marmoset
