#include "report/chart.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

TEST(Chart, MarksAreRoundAndFew) {
  EXPECT_DOUBLE_EQ(MarkDistance(5), 1);
  EXPECT_DOUBLE_EQ(MarkDistance(7), 2);
  EXPECT_DOUBLE_EQ(MarkDistance(5000), 1000);
  EXPECT_DOUBLE_EQ(MarkDistance(0.3), 0.05);
  for (double top = 0.01; top < 1e6; top *= 1.37) {
    EXPECT_LE(top / MarkDistance(top), 6) << top;
    EXPECT_GE(top / MarkDistance(top), 2) << top;
  }
}

TEST(Chart, HasTheCurvesAndEscapesTheirNames) {
  const std::string svg =
      ToSvg({"A & B", "events", "methods", {{"a<b", {{0, 0, 0, 0}, {10, 5, 4, 6}}}, {"none", {}}}});
  EXPECT_NE(svg.find("A &amp; B"), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(ToSvg({}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace marmoset
