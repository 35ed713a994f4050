#include "gui/codec.h"

#include <gtest/gtest.h>

#include "gui/testing.h"

namespace marmoset {
namespace {

std::vector<Action> OneOfEachKind() {
  SendIntent intent;
  intent.action = "android.intent.action.VIEW";
  intent.data = "app://item/1";
  intent.categories = {"android.intent.category.BROWSABLE"};
  intent.extras = {{"a", std::string("x")}, {"b", int64_t{7}}, {"c", 0.5}, {"d", true}};
  return {Launch{"p/p.Main"},
          Tap{{1, 2}},
          DoubleTap{{1, 2}},
          LongTap{{1, 2}, 900},
          Swipe{{1, 2}, {3, 4}, 250},
          Drag{{1, 2}, {3, 4}, 999},
          Pinch{{1, 2}, {3, 4}, {5, 6}, {7, 8}, 10},
          TypeText{"grün\n\"", false},
          PressKey{"BACK"},
          Rotate{3},
          Wait{1500},
          intent,
          AnswerPermission{false},
          ProcessDeath{}};
}

TEST(Codec, EveryActionSurvives) {
  const std::vector<Action> actions = OneOfEachKind();
  ASSERT_EQ(actions.size(), std::variant_size_v<Action>);
  for (const Action& action : actions) {
    const auto json = ParseJson(ToJson(action).dump());
    ASSERT_TRUE(json);
    const auto back = ActionFromJson(*json);
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, action) << json->dump();
  }
}

TEST(Codec, ScreensAndTargetsSurvive) {
  Screen screen =
      ScreenOf("com.example.Main", {RowWidget(0, "android.widget.Button", "com.example:id/ok", "OK")});
  screen.windows[0].type = WindowType::kDialog;
  screen.keyboard = true;
  screen.notifications = 2;
  const auto back = ScreenFromJson(ToJson(screen));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, screen);
  EXPECT_EQ(ContentHash(*back), ContentHash(screen));

  const Selector selector = SelectorOf(screen, {0, 1}, {250, 50});
  const auto selector_back = SelectorFromJson(ToJson(selector));
  ASSERT_TRUE(selector_back);
  EXPECT_EQ(*selector_back, selector);
}

TEST(Codec, RefusesWhatIsWrongAndNamesIt) {
  auto message = [](const char* text) {
    const auto json = ParseJson(text);
    if (!json) return json.error().message();
    const auto action = ActionFromJson(*json);
    return action ? std::string("accepted") : action.error().message();
  };
  EXPECT_NE(message("{\"kind\":\"tap\",\"x\":\"1\"}").find("'x'"), std::string::npos);
  EXPECT_NE(message("{\"kind\":\"tap\",\"x\":99999999999}").find("out of range"), std::string::npos);
  EXPECT_NE(message("{\"kind\":\"fly\"}").find("fly"), std::string::npos);
  EXPECT_NE(message("{\"kind\":\"rotate\",\"rotation\":4}").find("rotation"), std::string::npos);
  EXPECT_NE(message("[1,2]").find("object"), std::string::npos);
  EXPECT_NE(message("{\"kind\":").find("not JSON"), std::string::npos);
  EXPECT_NE(message(std::string(100'000, '[').c_str()).find("nested"), std::string::npos);
  EXPECT_FALSE(ScreenFromJson(*ParseJson(R"({"windows":[{"widgets":[{"parent":0}]}]})")));
  EXPECT_FALSE(SelectorFromJson(*ParseJson(R"({"fraction":[2,0]})")));
}

}  // namespace
}  // namespace marmoset
