#include "trace/touch_folder.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

using Kind = TouchFolder::Kind;

TEST(TouchFolder, DownAndUpIsATapEvenWithMonkeysDrift) {
  TouchFolder touches;
  EXPECT_FALSE(touches.Add(Kind::kDown, {{0, {100, 200}}}, 0));
  EXPECT_TRUE(touches.open());
  EXPECT_EQ(touches.Add(Kind::kUp, {{0, {125, 175}}}, 0), Action(Tap{{100, 200}}));
  EXPECT_FALSE(touches.open());
}

TEST(TouchFolder, AFartherUpWithoutMovesIsASwipeWhoseMovesAreNotInTheLog) {
  TouchFolder touches;
  touches.Add(Kind::kDown, {{0, {100, 200}}}, 0);
  EXPECT_EQ(touches.Add(Kind::kUp, {{0, {126, 200}}}, 0), Action(Swipe{{100, 200}, {126, 200}, 50}));
}

TEST(TouchFolder, MovesMakeASwipe) {
  TouchFolder touches;
  touches.Add(Kind::kDown, {{0, {100, 200}}}, 0);
  for (int i = 1; i <= 8; ++i) touches.Add(Kind::kMove, {{0, {100, 200 + i}}}, 0);
  EXPECT_EQ(touches.Add(Kind::kUp, {{0, {100, 208}}}, 0), Action(Swipe{{100, 200}, {100, 208}, 80}));
}

TEST(TouchFolder, StayingIsALongTap) {
  TouchFolder touches;
  touches.Add(Kind::kDown, {{0, {100, 200}}}, 1000);
  touches.Add(Kind::kMove, {{0, {101, 200}}}, 1200);
  EXPECT_EQ(touches.Add(Kind::kUp, {{0, {100, 200}}}, 1700), Action(LongTap{{100, 200}, 700}));
}

TEST(TouchFolder, TwoFingersPinch) {
  TouchFolder touches;
  touches.Add(Kind::kDown, {{0, {100, 100}}}, 0);
  touches.Add(Kind::kOtherDown, {{0, {100, 100}}, {1, {300, 300}}}, 0);
  touches.Add(Kind::kMove, {{0, {150, 150}}, {1, {250, 250}}, {2, {9, 9}}}, 0);
  touches.Add(Kind::kOtherUp, {{0, {150, 150}}, {1, {240, 240}}}, 0);
  EXPECT_EQ(touches.Add(Kind::kUp, {{0, {160, 160}}}, 0),
            Action(Pinch{{100, 100}, {160, 160}, {300, 300}, {240, 240}, 50}));
}

TEST(TouchFolder, WhatHasNoBeginningOrIsCancelledGivesNothing) {
  TouchFolder touches;
  EXPECT_FALSE(touches.Add(Kind::kMove, {{0, {1, 1}}}, 0));
  EXPECT_FALSE(touches.Add(Kind::kUp, {{0, {1, 1}}}, 0));
  touches.Add(Kind::kDown, {{0, {1, 1}}}, 0);
  EXPECT_FALSE(touches.Add(Kind::kCancel, {}, 0));
  EXPECT_FALSE(touches.Add(Kind::kUp, {{0, {1, 1}}}, 0));
  touches.Add(Kind::kDown, {{7, {1, 1}}}, 0);
  EXPECT_FALSE(touches.Add(Kind::kUp, {{-1, {1, 1}}}, 0));
}

}  // namespace
}  // namespace marmoset
