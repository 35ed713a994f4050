#include "reduce/ddmin.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marmoset {
namespace {

Oracle Needs(Kept needed) {
  return [needed](const Kept& kept, std::stop_token) -> Result<Verdict> {
    return std::includes(kept.begin(), kept.end(), needed.begin(), needed.end()) ? Verdict::kReached
                                                                                 : Verdict::kMissed;
  };
}

uint32_t Bits(const Kept& kept) {
  uint32_t bits = 0;
  for (const uint32_t i : kept) bits |= 1u << i;
  return bits;
}

TEST(Ddmin, FindsTheExampleOfItsFile) {
  const Reduction r = Ddmin().Reduce(8, Needs({1, 6}), {}, {});
  EXPECT_EQ(r.kept, (Kept{1, 6}));
  EXPECT_TRUE(r.one_minimal);
}

// Every oracle with one needed subset over up to 10 items: exactly that subset is found.
TEST(Ddmin, FindsEveryNeededSubset) {
  for (uint32_t n = 0; n <= 10; ++n) {
    for (uint32_t needed = 0; needed < (1u << n); ++needed) {
      Kept items;
      for (uint32_t i = 0; i < n; ++i)
        if (needed >> i & 1) items.push_back(i);
      const Reduction r = Ddmin().Reduce(n, Needs(items), {}, {});
      ASSERT_EQ(r.kept, items);
      ASSERT_TRUE(r.one_minimal);
      ASSERT_LE(r.oracle_calls, uint64_t{n} * n + 3 * n);
    }
  }
}

// Every oracle at all over 4 items for which the whole reaches: the result reaches and is 1-minimal.
TEST(Ddmin, IsOneMinimalForEveryOracleOverFourItems) {
  for (uint32_t table = 0; table < 65536; ++table) {
    if (!(table >> 15 & 1)) continue;
    auto reaches = [table](uint32_t bits) { return table >> bits & 1; };
    const Reduction r = Ddmin().Reduce(4,
                                       [&](const Kept& kept, std::stop_token) -> Result<Verdict> {
                                         return reaches(Bits(kept)) ? Verdict::kReached : Verdict::kMissed;
                                       },
                                       {}, {});
    ASSERT_TRUE(reaches(Bits(r.kept)));
    ASSERT_TRUE(r.one_minimal);
    for (const uint32_t i : r.kept) ASSERT_FALSE(reaches(Bits(r.kept) & ~(1u << i))) << table;
  }
}

TEST(Ddmin, AnUnresolvedAnswerKeepsItemsAndCostsTheGuarantee) {
  const Reduction r = Ddmin().Reduce(4,
                                     [](const Kept& kept, std::stop_token) -> Result<Verdict> {
                                       if (std::find(kept.begin(), kept.end(), 3u) == kept.end())
                                         return Verdict::kUnresolved;
                                       return Verdict::kReached;
                                     },
                                     {}, {});
  EXPECT_EQ(r.kept, (Kept{3}));
  EXPECT_FALSE(r.one_minimal);
}

TEST(Ddmin, AnErrorEndsItWithTheBestSoFar) {
  int calls = 0;
  std::vector<Kept> seen;
  const Reduction r = Ddmin().Reduce(
      8,
      [&](const Kept& kept, std::stop_token stop) -> Result<Verdict> {
        if (++calls == 3) return Fail(ErrorCode::kDeviceLost, "gone");
        return Needs({7})(kept, stop);
      },
      [&](const Kept& best) { seen.push_back(best); }, {});
  ASSERT_TRUE(r.stopped);
  EXPECT_EQ(r.stopped->code(), ErrorCode::kDeviceLost);
  EXPECT_FALSE(r.one_minimal);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(r.kept, seen.back());
}

TEST(Ddmin, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const Reduction r = Ddmin().Reduce(8, Needs({7}), {}, source.get_token());
  ASSERT_TRUE(r.stopped);
  EXPECT_EQ(r.stopped->code(), ErrorCode::kCancelled);
  EXPECT_EQ(r.oracle_calls, 0u);
  EXPECT_EQ(r.kept.size(), 8u);
}

}  // namespace
}  // namespace marmoset
