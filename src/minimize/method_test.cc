#include "minimize/method.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

// A launch, then a step in each of the activities.
Trace TraceOf(const std::vector<std::string>& activities) {
  Trace trace;
  trace.steps.resize(1 + activities.size());
  trace.steps[0].action = Launch{};
  for (size_t i = 0; i < activities.size(); ++i) {
    trace.steps[i + 1].action = Tap{{1, 1}};
    trace.steps[i + 1].activity = activities[i];
  }
  return trace;
}

States StatesIn(const Trace& trace) { return StatesOf(ActivitiesBefore(trace, DroppableSteps(trace))); }

// Events 1 to 36 of SimplyDroid's worked example (Dalvik, trace 1): event 1 is the launch; the others in the
// activities that give its published tree.
Trace WorkedExample() {
  std::vector<std::string> activities;
  for (int event = 2; event <= 36; ++event) {
    const bool top = event == 2 || event == 7 || event == 17 || event == 18 || event == 21 || event == 22;
    activities.push_back(top ? "Explorer" : event >= 24 ? "Setup" : event == 23 ? "New" : "Other");
  }
  return TraceOf(activities);
}

TEST(Method, EveryNameIsAMethod) {
  const Trace trace = TraceOf({"A"});
  for (const ReducerInfo& info : AllReducers()) {
    EXPECT_EQ(ChooseMethod(info.name, StatesIn(trace)).value().method->name, info.name);
    EXPECT_NE(MethodNames().find(info.name), std::string::npos);
  }
  const auto wrong = ChooseMethod("best", StatesIn(trace));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(wrong.error().message().find("auto, ddmin"), std::string::npos);
}

TEST(Method, AutoPicksByTheHierarchyAndSaysWhy) {
  const auto several = ChooseMethod("auto", StatesIn(TraceOf({"A", "B", "B"}))).value();
  EXPECT_EQ(several.method->name, "lhdd");
  EXPECT_NE(several.why.find("2 states"), std::string::npos);
  EXPECT_EQ(ChooseMethod("auto", StatesIn(TraceOf({"A", ""}))).value().method->name, "lhdd");
  const auto one = ChooseMethod("auto", StatesIn(TraceOf({"A", "A"}))).value();
  EXPECT_EQ(one.method->name, "probdd");
  EXPECT_NE(one.why.find("one state"), std::string::npos);
  EXPECT_NE(ChooseMethod("auto", StatesIn(TraceOf({"", ""}))).value().why.find("nothing is known"),
            std::string::npos);
  EXPECT_EQ(ChooseMethod("auto", StatesIn(Trace{})).value().method->name, "probdd");
}

TEST(Method, OfflineKeepsTheWorkedExamplesEvents) {
  const Trace trace = WorkedExample();
  for (const ReducerInfo& info : AllReducers()) {
    const auto reduced = MinimizeOffline(trace, *info.make());
    ASSERT_TRUE(reduced) << info.name;
    EXPECT_EQ(reduced->kept, (Kept{0, 21, 22, 35})) << info.name;  // Events 1, 22, 23, 36.
    EXPECT_TRUE(reduced->one_minimal) << info.name;
    EXPECT_GT(reduced->replays, 0u) << info.name;
    EXPECT_GE(reduced->replayed_events, reduced->replays) << info.name;
  }
}

TEST(Method, OfflineNeedsActivitiesAndSteps) {
  const ReducerInfo& ddmin = *FindReducer("ddmin");
  EXPECT_EQ(MinimizeOffline(TraceOf({}), *ddmin.make()).error().code(), ErrorCode::kNothingToDo);
  EXPECT_EQ(MinimizeOffline(TraceOf({"", ""}), *ddmin.make()).error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(MinimizeOffline(TraceOf({"A"}), *ddmin.make())->kept, (Kept{0, 1}));
}

TEST(Method, StatesAreLabelsOfActivities) {
  const States states = StatesOf(ActivitiesBefore(TraceOf({"A", "B", "A", ""}), {1, 2, 3, 4}));
  EXPECT_EQ(states.names, (std::vector<std::string>{"A", "B", ""}));
  EXPECT_EQ(states.around, (std::vector<StateChange>{{0, 1}, {1, 0}, {0, 2}, {2, 3}}));
  EXPECT_EQ(states.known(), 2u);
}

}  // namespace
}  // namespace marmoset
