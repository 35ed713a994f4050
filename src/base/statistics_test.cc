#include "base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace marmoset {
namespace {

TEST(Statistics, MedianAndMean) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Mean(std::vector<double>{1, 2, 6}), 3);
}

using Values = std::vector<double>;

TEST(Statistics, Quantiles) {
  EXPECT_DOUBLE_EQ(Quantile({3, 1, 2, 10}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(Quantile({3, 1, 2, 10}, 0.9), 7.9);
  EXPECT_EQ(Quantile({3, 1, 2}, 0), 1);
  EXPECT_EQ(Quantile({3, 1, 2}, 1), 3);
  EXPECT_EQ(Quantile({5}, 0.3), 5);
}

TEST(Statistics, EffectSizes) {
  EXPECT_EQ(EffectSize(Values{2, 3}, Values{1, 1}), 1);
  EXPECT_EQ(EffectSize(Values{1}, Values{1}), 0.5);
  EXPECT_EQ(EffectSize(Values{1, 4}, Values{2, 3, 5, 6}), 2.0 / 8);
}

// Figures of SciPy's mannwhitneyu.
TEST(Statistics, MannWhitneyAsOthersCountIt) {
  EXPECT_NEAR(MannWhitney(Values{1, 2, 3, 4, 5}, Values{6, 7, 8, 9, 10}), 0.007936507936507936, 1e-12);
  EXPECT_NEAR(MannWhitney(Values{1, 4, 2, 8, 5, 7}, Values{3, 6, 9, 10}), 0.2571428571428571, 1e-12);
  EXPECT_NEAR(MannWhitney(Values{1, 2, 2, 3, 7, 7, 8}, Values{2, 3, 4, 4, 9, 7}), 0.5622900346305919, 1e-12);
  EXPECT_EQ(MannWhitney(Values{7, 7, 7}, Values{7, 7}), 1);
}

// The slow twin: all ways to choose which of the values are the first list's.
TEST(Statistics, MannWhitneyCountsAllOrders) {
  for (uint32_t n = 1; n <= 9; ++n) {
    for (uint32_t mask = 1; mask + 1 < 1u << n; ++mask) {
      const auto split = [n](uint32_t chosen) {
        std::pair<Values, Values> lists;
        for (uint32_t i = 0; i < n; ++i) (chosen >> i & 1 ? lists.first : lists.second).push_back(i);
        return lists;
      };
      const auto [a, b] = split(mask);
      const double here = std::abs(EffectSize(a, b) - 0.5);
      double all = 0, as_far = 0;
      for (uint32_t other = 1; other + 1 < 1u << n; ++other) {
        const auto [c, d] = split(other);
        if (c.size() != a.size()) continue;
        ++all;
        as_far += std::abs(EffectSize(c, d) - 0.5) >= here - 1e-9;
      }
      EXPECT_NEAR(MannWhitney(a, b), as_far / all, 1e-9);
    }
  }
}

}  // namespace
}  // namespace marmoset
