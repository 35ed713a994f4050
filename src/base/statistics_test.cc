#include "base/statistics.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

TEST(Statistics, MedianAndMean) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Mean(std::vector<double>{1, 2, 6}), 3);
}

}  // namespace
}  // namespace marmoset
