#include "gui/display_map.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

constexpr Display kOld{480, 800, 240, 38, 0};      // Android 4: one bar.
constexpr Display kNew{1080, 1920, 420, 63, 126};  // Two bars.
constexpr Display kSmall{540, 960, 210, 30, 60};

std::optional<Point> Mapped(Point p, const Display& from, const Display& to, bool turned = false) {
  const auto action = OnDisplay(Tap{p}, from, to, turned);
  return action ? std::optional(std::get<Tap>(*action).at) : std::nullopt;
}

TEST(DisplayMap, TheSameDisplayChangesNothing) {
  EXPECT_EQ(Mapped({-5, 9999}, kOld, kOld), (Point{-5, 9999}));
}

TEST(DisplayMap, AreasAndBarsGoOntoTheirLike) {
  EXPECT_EQ(Mapped({0, 38}, kOld, kNew), (Point{0, 63}));
  EXPECT_EQ(Mapped({240, 419}, kOld, kNew), (Point{540, 928})) << "the middle of the app's area";
  EXPECT_EQ(Mapped({479, 799}, kOld, kNew)->y, 1791) << "above the bar at the bottom";
  EXPECT_EQ(Mapped({100, 19}, kOld, kNew), (Point{225, 31}));
  EXPECT_EQ(Mapped({540, 1857}, kNew, kSmall), (Point{270, 930})) << "the bar at the bottom";
}

TEST(DisplayMap, WhatIsNotThereIsNotTouched) {
  EXPECT_EQ(Mapped({540, 1857}, kNew, kOld), std::nullopt) << "no bar at the bottom";
  EXPECT_EQ(Mapped({1080, 500}, kNew, kOld), std::nullopt) << "beside the display";
  EXPECT_EQ(Mapped({500, 1920}, kNew, kOld), std::nullopt);
  EXPECT_EQ(Mapped({500, -1}, kNew, kOld), std::nullopt);
}

TEST(DisplayMap, ATurnedDisplayIsAsWideAsItWasHigh) {
  EXPECT_EQ(Mapped({1919, 63}, kNew, kSmall, true), (Point{959, 30}));
  EXPECT_EQ(Mapped({1919, 63}, kNew, kSmall), std::nullopt);
}

TEST(DisplayMap, GesturesKeepTheirShareOfTheDisplay) {
  const auto swipe = OnDisplay(Swipe{{540, 1700}, {540, 100}}, kNew, kSmall, false);
  ASSERT_TRUE(swipe);
  EXPECT_EQ(*swipe, Action(Swipe{{270, 852}, {270, 48}}));
  const auto out = OnDisplay(Swipe{{240, 400}, {240, 5000}}, kOld, kNew, false);
  ASSERT_TRUE(out);
  EXPECT_EQ(std::get<Swipe>(*out).to, (Point{540, 1791})) << "ends at the edge";
  const auto pinch = OnDisplay(Pinch{{540, 900}, {540, 800}, {540, 1000}, {540, 1100}}, kNew, kSmall, false);
  ASSERT_TRUE(pinch);
  EXPECT_EQ(std::get<Pinch>(*pinch).from2.x, 270);
}

// Onto a display of the same shape and back: each point of the area comes home within a pixel of the smaller
// one.
TEST(DisplayMap, ThereAndBackIsTheSamePoint) {
  for (int x = 0; x < kNew.width; x += 7)
    for (int y = 0; y < kNew.height; y += 11) {
      const auto there = Mapped({x, y}, kNew, kSmall);
      ASSERT_TRUE(there);
      const auto back = Mapped(*there, kSmall, kNew);
      ASSERT_TRUE(back);
      EXPECT_NEAR(back->x, x, 3);
      EXPECT_NEAR(back->y, y, 3);
    }
}

TEST(DisplayMap, WhatTouchesNothingStaysAsItIs) {
  EXPECT_EQ(OnDisplay(PressKey{"BACK"}, kNew, kOld, false), Action(PressKey{"BACK"}));
}

}  // namespace
}  // namespace marmoset
