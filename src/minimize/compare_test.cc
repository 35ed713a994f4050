#include "minimize/compare.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

TEST(Compare, SureTracesComeDownToWhatIsNeeded) {
  for (const Place place : {Place::kClustered, Place::kScattered, Place::kNested}) {
    const auto all = CompareOn(Family{100, 6, place, 1}, 1);
    ASSERT_GE(all.size(), place == Place::kNested ? AllReducers().size() : 8u);
    for (const Comparison& c : all) {
      // Nested ones need the way to them, too.
      EXPECT_EQ(c.length, place == Place::kNested ? all[0].length : 6u) << c.method;
      EXPECT_GE(c.length, 6u) << c.method;
      EXPECT_TRUE(c.one_minimal) << c.method;
      EXPECT_GT(c.replays, 6u) << c.method;
    }
  }
}

TEST(Compare, FlakyTracesNeedMoreReplaysAndKeepWhatIsNeeded) {
  const auto sure = CompareOn(Family{100, 3, Place::kScattered, 1}, 1);
  const auto flaky = CompareOn(Family{100, 3, Place::kScattered, 0.1}, 1);
  ASSERT_EQ(sure.size(), flaky.size());
  for (size_t i = 0; i < sure.size(); ++i) {
    EXPECT_GT(flaky[i].replays, 10 * sure[i].replays) << sure[i].method;
    EXPECT_GE(flaky[i].length, 3u) << sure[i].method;
  }
}

TEST(Compare, EqualSeedsGiveEqualResults) {
  const Family family{100, 3, Place::kScattered, 0.5};
  const auto a = CompareOn(family, 5);
  const auto b = CompareOn(family, 5);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].replays, b[i].replays);
}

TEST(Compare, FamiliesEndAtTheChosenLength) {
  EXPECT_EQ(Families(10000).size(), 108u);
  for (const Family& family : Families(999)) EXPECT_EQ(family.events, 100u);
}

}  // namespace
}  // namespace marmoset
