#include "gui/selector.h"

#include <gtest/gtest.h>

#include "gui/testing.h"

namespace marmoset {
namespace {

constexpr char kText[] = "android.widget.TextView";
constexpr char kButton[] = "android.widget.Button";

TEST(Selector, FollowsAWidgetThatMoved) {
  const Screen before =
      ScreenOf("A", {RowWidget(0, kButton, "p:id/a", "One"), RowWidget(1, kButton, "p:id/b", "Two")});
  const Screen after =
      ScreenOf("A", {RowWidget(0, kButton, "p:id/new", "New"), RowWidget(5, kButton, "p:id/b", "Two")});
  const Point point{250, 125};
  const auto selector = SelectorAt(before, point);
  ASSERT_TRUE(selector);
  EXPECT_EQ(selector->label, "'Two'");
  const FoundWidget found = Find(*selector, after);
  EXPECT_EQ(found.by, FoundBy::kAll);
  EXPECT_EQ(Aim(Tap{point}, *selector, found, after), Action(Tap{{250, 525}}));
  EXPECT_EQ(Aim(Swipe{point, {250, 25}, 300}, *selector, found, after),
            Action(Swipe{{250, 525}, {250, 425}, 300}));
}

TEST(Selector, AChangedTextIsFoundByItsId) {
  const Screen before = ScreenOf("A", {RowWidget(0, kText, "p:id/date", "Monday")});
  const Screen after = ScreenOf("A", {RowWidget(3, kText, "p:id/date", "Tuesday")});
  EXPECT_EQ(Find(*SelectorAt(before, {1, 1}), after).by, FoundBy::kResourceId);
}

TEST(Selector, OfEqualRowsTheOneWithTheSamePathIsMeant) {
  const Screen screen =
      ScreenOf("A", {RowWidget(0, kText, "p:id/row", "same"), RowWidget(1, kText, "p:id/row", "same")});
  const FoundWidget found = Find(*SelectorAt(screen, {1, 150}), screen);
  EXPECT_EQ(found.widget, (WidgetRef{0, 2}));
}

TEST(Selector, ARowIsKnownByTheTextInsideIt) {
  auto list = [](std::vector<std::string> texts) {
    std::vector<Widget> rows;
    for (const std::string& text : texts) {
      const int row = static_cast<int>(rows.size() / 2);
      rows.push_back(RowWidget(row, "android.widget.LinearLayout", "", ""));
      Widget inner = RowWidget(row, kText, "", text);
      inner.parent = static_cast<int>(rows.size());
      inner.index = 0;
      inner.clickable = false;
      rows.push_back(inner);
    }
    return ScreenOf("A", rows);
  };
  const auto selector = SelectorAt(list({"Bread", "Milk"}), {1, 150});
  ASSERT_TRUE(selector);
  EXPECT_EQ(selector->label, "'Milk'");
  const FoundWidget found = Find(*selector, list({"Apples", "Bread", "Milk"}));
  EXPECT_EQ(found.by, FoundBy::kLabel);
  EXPECT_EQ(found.widget, (WidgetRef{0, 5}));
}

TEST(Selector, AnUnknownWidgetIsNotGuessed) {
  const Screen before = ScreenOf("A", {RowWidget(0, kButton, "", "Save")});
  const Screen after = ScreenOf("A", {RowWidget(0, kButton, "", "Delete")});
  const auto selector = SelectorAt(before, {500, 50});
  const FoundWidget found = Find(*selector, after);
  EXPECT_EQ(found.by, FoundBy::kPoint);
  EXPECT_EQ(Aim(Tap{{500, 50}}, *selector, found, after), Action(Tap{{500, 50}}));
}

TEST(Selector, OnlyTheFrontWindowCounts) {
  Screen screen = ScreenOf("A", {RowWidget(0, kButton, "p:id/a", "Behind")});
  Window dialog = screen.windows[0];
  dialog.type = WindowType::kDialog;
  dialog.widgets[1].resource_id = "p:id/front";
  screen.windows.push_back(dialog);
  EXPECT_EQ(SelectorAt(screen, {1, 1})->resource_id, "p:id/front");
  screen.windows.back().type = WindowType::kToast;
  EXPECT_EQ(SelectorAt(screen, {1, 1})->resource_id, "p:id/a");
}

TEST(Selector, NothingIsAtAPointOutside) { EXPECT_FALSE(SelectorAt(ScreenOf("A", {}), {5000, 1})); }

TEST(Screen, TheHashSeesEveryAttribute) {
  const Screen base = ScreenOf("A", {RowWidget(0, kButton, "p:id/a", "x")});
  auto changed = [&](auto change) {
    Screen s = base;
    change(s.windows[0].widgets[1]);
    return ContentHash(s) != ContentHash(base);
  };
  EXPECT_TRUE(changed([](Widget& w) { w.text = "y"; }));
  EXPECT_TRUE(changed([](Widget& w) { w.checked = true; }));
  EXPECT_TRUE(changed([](Widget& w) { w.editable = true; }));
  EXPECT_TRUE(changed([](Widget& w) { w.bounds.left = 1; }));
  // Two texts must not hash like one.
  EXPECT_TRUE(changed([](Widget& w) { w.text = "", w.description = "x"; }));
}

TEST(Screen, LongLabelsAreCutBetweenCharacters) {
  const Screen screen = ScreenOf("A", {RowWidget(0, kText, "", std::string(39, 'a') + "äöü")});
  EXPECT_EQ(Describe(screen, {0, 1}), "'" + std::string(39, 'a') + "…'");
}

}  // namespace
}  // namespace marmoset
