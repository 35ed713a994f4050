#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace marmoset {
namespace {

// Golden values, so that a change of the generator, which would change every recorded seed, cannot slip in.
TEST(Random, IsTheSameSequenceEverywhere) {
  Random random(1);
  EXPECT_EQ(random.Next(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(random.Next(), 0x853b559647364ceau);
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(7);
  std::vector<int> seen(10);
  for (int i = 0; i < 10'000; ++i) ++seen.at(random.Below(10));
  for (const int n : seen) EXPECT_NEAR(n, 1000, 150);
}

TEST(Random, WeightedFollowsTheWeights) {
  Random random(7);
  const double weights[] = {0, 1, -5, 3};
  std::vector<int> seen(4);
  for (int i = 0; i < 4000; ++i) ++seen[random.Weighted(weights)];
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[2], 0);
  EXPECT_NEAR(seen[1], 1000, 150);
}

TEST(Random, GoesOnAfterARestore) {
  Random random(3);
  random.Next();
  auto restored = Random::Restore(random.Save());
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->Next(), random.Next());
}

TEST(Random, RefusesWhatIsNoState) {
  EXPECT_FALSE(Random::Restore("12"));
  EXPECT_FALSE(Random::Restore(std::string(63, '0') + "g"));
}

}  // namespace
}  // namespace marmoset
