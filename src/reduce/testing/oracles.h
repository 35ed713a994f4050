// Oracles and bounds for the tests of reducers. Sets of up to 32 items are bit masks here.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "reduce/reducer.h"

namespace marmoset {

// Sanitizers cost a factor of ten; exhaustive tests shrink under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

inline uint32_t MaskOf(const Kept& kept) {
  uint32_t mask = 0;
  for (const uint32_t item : kept) mask |= 1u << item;
  return mask;
}

inline Kept KeptOf(uint32_t mask) {
  Kept kept;
  for (uint32_t i = 0; i < 32; ++i)
    if (mask >> i & 1) kept.push_back(i);
  return kept;
}

using Predicate = std::function<bool(uint32_t mask)>;

inline Oracle OracleOf(Predicate reaches) {
  return [reaches = std::move(reaches)](const Kept& kept, std::stop_token) -> Result<Verdict> {
    return reaches(MaskOf(kept)) ? Verdict::kReached : Verdict::kMissed;
  };
}

// `local` answers the questions with a local target.
inline TargetOracle OracleOf(Predicate reaches, Predicate local) {
  return [reaches = std::move(reaches), local = std::move(local)](const Question& question,
                                                                  std::stop_token) -> Result<Verdict> {
    const uint32_t mask = MaskOf(question.kept);
    return (question.reach ? local(mask) : reaches(mask)) ? Verdict::kReached : Verdict::kMissed;
  };
}

// All monotone predicates over n items, as truth tables over masks: f(0 … n-1) is f0 where item n-1 is
// missing and f1 where it is there, with f0 implying f1. There are 3, 6, 20, 168, 7 581 for n = 1 … 5.
inline std::vector<uint32_t> MonotoneTables(uint32_t n) {
  std::vector<uint32_t> tables = {0, 1};
  for (uint32_t i = 0; i < n; ++i) {
    std::vector<uint32_t> next;
    for (const uint32_t f0 : tables)
      for (const uint32_t f1 : tables)
        if ((f0 & ~f1) == 0) next.push_back(f0 | f1 << (1u << i));
    tables = std::move(next);
  }
  return tables;
}

// State changes around n items, in several shapes of hierarchy; shape 0 is flat.
inline constexpr uint32_t kShapes = 4;
inline std::vector<StateChange> StatesOfShape(uint32_t n, uint32_t shape) {
  const auto before = [&](uint32_t i) -> uint32_t {
    switch (shape) {
      case 0:
        return 0;
      case 1:
        return i;  // One item below the other.
      case 2:
        return i % 4 < 3 ? i % 4 : 1;  // 0 1 2 1, again and again.
      default:
        return (i * 7 + i / 3) % 5 % 3;
    }
  };
  std::vector<StateChange> states;
  for (uint32_t i = 0; i < n; ++i) states.push_back({before(i), i + 1 < n ? before(i + 1) : 99});
  return states;
}

}  // namespace marmoset
