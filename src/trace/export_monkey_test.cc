#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace/export.h"
#include "trace/monkey_script.h"

namespace marmoset {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Trace TraceOf(std::vector<Action> actions) {
  Trace trace;
  trace.package = "com.example";
  for (Action& action : actions) {
    Step step;
    step.action = std::move(action);
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

Exported Write(const Trace& trace) { return std::move(*WriteMonkeyScript(trace, "com.example.Main")); }

// What our reader makes of the script, without the waits.
std::vector<Action> ReadBack(const Exported& exported) {
  Warnings warnings;
  const auto script = ReadMonkeyScript(exported.text, false, warnings);
  EXPECT_TRUE(script) << exported.text;
  std::vector<Action> actions;
  for (const ScriptAction& a : script->actions)
    if (!std::holds_alternative<Wait>(a.action)) actions.push_back(a.action);
  return actions;
}

TEST(ExportMonkey, WhatMonkeyCanDoComesBackTheSame) {
  const std::vector<Action> actions = {Launch{"com.example/com.example.Main"},
                                       Tap{{10, 20}},
                                       LongTap{{30, 40}, 1500},
                                       Swipe{{1, 2}, {3, 400}, 300},
                                       Pinch{{1, 2}, {3, 4}, {5, 6}, {7, 8}, 500},
                                       PressKey{"BACK"},
                                       Rotate{1},
                                       TypeText{"hello big world", false}};
  const Exported exported = Write(TraceOf(actions));
  EXPECT_EQ(ReadBack(exported), actions);
  EXPECT_THAT(exported.warnings, ElementsAre());
}

TEST(ExportMonkey, TheLauncherIsNamed) {
  EXPECT_THAT(Write(TraceOf({Launch{}})).text, HasSubstr("LaunchActivity(com.example,com.example.Main)"));
  EXPECT_THAT(Write(TraceOf({Launch{"com.other/.Two"}})).text,
              HasSubstr("LaunchActivity(com.other,com.other.Two)"));
}

TEST(ExportMonkey, WhatMonkeySplitsAtIsPressedAsKeys) {
  const std::vector<Action> expected = {TypeText{"f", false},  PressKey{"NUMPAD_LEFT_PAREN"},
                                        TypeText{"1", false},  PressKey{"COMMA"},
                                        TypeText{" 2", false}, PressKey{"NUMPAD_RIGHT_PAREN"}};
  EXPECT_EQ(ReadBack(Write(TraceOf({TypeText{"f(1, 2)", false}}))), expected);
  EXPECT_EQ(ReadBack(Write(TraceOf({TypeText{"5%s", false}}))),
            (std::vector<Action>{TypeText{"5%", false}, TypeText{"s", false}}));
}

TEST(ExportMonkey, AFieldIsTouchedAndEmptiedFirst) {
  Trace trace = TraceOf({TypeText{"7", true}});
  trace.steps[0].selector = Selector{};
  trace.steps[0].selector->text = "\u00fc2";
  trace.steps[0].selector->bounds = {0, 0, 100, 50};
  EXPECT_EQ(ReadBack(Write(trace)), (std::vector<Action>{Tap{{50, 25}}, PressKey{"MOVE_END"}, PressKey{"DEL"},
                                                         PressKey{"DEL"}, TypeText{"7", false}}));
}

TEST(ExportMonkey, ADragRestsFirst) {
  const std::vector<Action> actions = ReadBack(Write(TraceOf({Drag{{0, 0}, {100, 200}, 1000}})));
  ASSERT_EQ(actions.size(), 1u);
  ASSERT_TRUE(std::holds_alternative<Drag>(actions[0]) || std::holds_alternative<Swipe>(actions[0]));
}

TEST(ExportMonkey, WarnsWhereMonkeyWouldDoSomethingElse) {
  Trace trace = TraceOf({TypeText{"Tap me", false}, AnswerPermission{true}, TypeText{"\u00fc", false}});
  const Exported exported = Write(trace);
  ASSERT_EQ(exported.warnings.size(), 3u);
  EXPECT_THAT(exported.warnings[0], HasSubstr("step 1: Monkey finds 'Tap'"));
  EXPECT_THAT(exported.warnings[1], HasSubstr("pm grant"));
  EXPECT_THAT(exported.warnings[2], HasSubstr("ASCII"));
  // A comment with an event in it would be performed.
  trace.steps[0].action = TypeText{"Tap(1,2)", false};
  EXPECT_THAT(Write(trace).text, testing::Not(HasSubstr("Tap(1,2)")));
}

TEST(ExportMonkey, RefusesWhatHasNoApp) {
  EXPECT_EQ(WriteMonkeyScript(Trace{}, "").error().code(), ErrorCode::kNothingToDo);
  Trace trace = TraceOf({Tap{{1, 2}}});
  trace.package.clear();
  EXPECT_EQ(WriteMonkeyScript(trace, "").error().code(), ErrorCode::kBadInput);
}

}  // namespace
}  // namespace marmoset
