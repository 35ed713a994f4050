#include "explore/strategy.h"

#include <gtest/gtest.h>

#include <map>

#include "explore/monkey.h"
#include "gui/selector.h"
#include "gui/testing.h"

namespace marmoset {
namespace {

constexpr char kButton[] = "android.widget.Button";

Screen ThreeButtons() {
  return ScreenOf("A", {RowWidget(0, kButton, "p:id/a", "A"), RowWidget(1, kButton, "p:id/b", "B"),
                        RowWidget(2, kButton, "p:id/danger", "Delete everything")});
}

std::string TouchedId(const Screen& screen, const Decision& decision) {
  const auto point = TouchedPoint(decision.action);
  if (!point) return "";
  const auto selector = SelectorAt(screen, *point);
  return selector ? selector->resource_id : "";
}

TEST(Strategy, UnknownNamesAreAnsweredWithTheKnownOnes) {
  const auto none = MakeStrategy("clever", {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("monkey"), std::string::npos);
}

TEST(Strategy, PickingAContactBelongsToUsingTheApp) {
  Screen screen;
  screen.package = "com.android.contacts";
  screen.activity = "com.android.contacts.activities.ContactSelectionActivity";
  EXPECT_TRUE(IsContactPicker(screen));
  screen.activity = "com.android.contacts.Main";
  EXPECT_FALSE(IsContactPicker(screen));
}

TEST(Strategy, ABlockedWidgetIsNeverTouched) {
  const Screen screen = ThreeButtons();
  for (const char* pattern : {"danger", "p:id/danger", "Delete everything"}) {
    for (const StrategyEntry& entry : Strategies()) {
      auto strategy = MakeStrategy(entry.name, {.widgets = {{pattern}, {}}});
      ASSERT_TRUE(strategy);
      Random random(1);
      for (int i = 0; i < 2000; ++i)
        ASSERT_NE(TouchedId(screen, (*strategy)->Choose(screen, random)), "p:id/danger") << entry.name;
    }
  }
}

TEST(Strategy, RandomPrefersWhatWasNotTried) {
  const Screen screen = ThreeButtons();
  auto strategy = MakeStrategy("random", {});
  ASSERT_TRUE(strategy);
  Step tried;
  tried.action = Tap{{500, 50}};
  tried.selector = SelectorAt(screen, {500, 50});
  tried.activity = "A";
  for (int i = 0; i < 20; ++i) (*strategy)->Remember(tried, screen, true, 0);
  Random random(1);
  std::map<std::string, int> times;
  for (int i = 0; i < 2000; ++i) ++times[TouchedId(screen, (*strategy)->Choose(screen, random))];
  EXPECT_GT(times["p:id/b"], 2.5 * times["p:id/a"]);
  EXPECT_GT(times["p:id/a"], 0);
}

TEST(Strategy, RandomTypesIntoFieldsAndScrollsLists) {
  Widget field = RowWidget(0, "android.widget.EditText", "p:id/field", "");
  field.editable = true;
  Widget list = RowWidget(1, "android.widget.ListView", "p:id/list", "");
  list.scrollable = true;
  list.clickable = false;
  const Screen screen = ScreenOf("A", {field, list});
  auto strategy = MakeStrategy("random", {});
  Random random(1);
  std::map<std::string, int> kinds;
  for (int i = 0; i < 1000; ++i) ++kinds[std::string(KindName((*strategy)->Choose(screen, random).action))];
  EXPECT_GT(kinds["text"], 200);
  EXPECT_GT(kinds["swipe"], 100);
  EXPECT_EQ(kinds["tap"], 0);
}

TEST(Strategy, AScreenWithoutWidgetsIsNoTrap) {
  for (const StrategyEntry& entry : Strategies()) {
    auto strategy = MakeStrategy(entry.name, {});
    Random random(1);
    for (int i = 0; i < 100; ++i) (void)(*strategy)->Choose(Screen{}, random);
  }
}

TEST(Monkey, SharesAreCompletedAsMonkeyDoes) {
  const MonkeyShares defaults = CompleteShares({}).value();
  EXPECT_NEAR(defaults.touch, 15.0 / 84 * 100, 1e-9);
  EXPECT_NEAR(defaults.rotation, 0, 1e-9);
  MonkeyShares touch;
  touch.touch = 70;
  const MonkeyShares rest = CompleteShares(touch).value();
  EXPECT_EQ(rest.touch, 70);
  EXPECT_NEAR(rest.nav, 25.0 / 69 * 30, 1e-9);
  double sum = rest.touch + rest.motion + rest.pinchzoom + rest.rotation + rest.permission + rest.nav +
               rest.majornav + rest.syskeys + rest.appswitch + rest.anyevent;
  EXPECT_NEAR(sum, 100, 1e-9);
  touch.motion = 40;
  EXPECT_FALSE(CompleteShares(touch));
}

TEST(Monkey, EventsComeInTheirShares) {
  MonkeyShares shares;
  shares.touch = 80;
  auto strategy = MakeStrategy("monkey", {.monkey = shares});
  const Screen screen = ThreeButtons();
  Random random(1);
  int taps = 0;
  for (int i = 0; i < 5000; ++i)
    taps += std::holds_alternative<Tap>((*strategy)->Choose(screen, random).action);
  EXPECT_NEAR(taps, 4000, 150);
}

}  // namespace
}  // namespace marmoset
