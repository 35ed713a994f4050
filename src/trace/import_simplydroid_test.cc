#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "trace/import.h"
#include "trace/import_text.h"

namespace marmoset {
namespace {

constexpr char kScript[] =
    "# Start Script\n"
    "type= user\n"
    "count= 10\n"
    "speed= 1.0\n"
    "start data >>\n"
    "LaunchActivity(com.example, com.example.Main)\n"
    "Tap(12.9, 34.1, 0)\n"
    "Drag(10.0, 800.0, 10.0, 300.5, 8)\n"
    "DispatchPress(4)\n";

constexpr char kLog[] =
    "1;MonkeyActivityEvent;com.example;com.example.Main;1\n"
    "2;MonkeyThrottleEvent;com.example;com.example.Main;1\n"
    "3;MonkeyTouchEvent;com.example;com.example.Main;1\n"
    "4;MonkeyTouchEvent;com.example;com.example.Main;0\n"
    "5;MonkeyThrottleEvent;com.example;com.example.Split;1\n"
    "6;MonkeyTouchEvent;com.example;com.example.Split;1\n"
    "7;MonkeyTouchEvent;com.android.launcher3;com.android.launcher3.Launcher;1\n"
    "8;MonkeyThrottleEvent;com.android.launcher3;com.android.launcher3.Launcher;1\n"
    "9;MonkeyKeyEvent;com.example;com.example.Split;1\n"
    "// CRASH: // java.lang.RuntimeException: outer$$ \tat android.view.View.performClick(View.java:1)$$ "
    "Caused by: java.lang.ArithmeticException: divide by zero$$ \tat com.example.Split.add(Split.java:101)$$ "
    "\n"
    "10;MonkeyThrottleEvent;com.example;com.example.Split;1\n";

TEST(ImportSimplyDroid, AlignsEventsWithActivities) {
  const auto imported = ParseSimplyDroid(kScript, kLog, std::nullopt);
  ASSERT_TRUE(imported) << imported.error().message();
  const Trace& trace = imported->trace;
  EXPECT_EQ(trace.package, "com.example");
  EXPECT_EQ(trace.display, (Display{480, 854, 240, 38, 0}));
  EXPECT_EQ(trace.sdk, 19);
  EXPECT_EQ(trace.crash,
            (CrashSignature{"java.lang.ArithmeticException", "com.example.Split.add(Split.java:101)"}));
  ASSERT_EQ(trace.steps.size(), 4u);
  EXPECT_EQ(trace.steps[0].action, Action(Launch{"com.example/com.example.Main"}));
  EXPECT_EQ(trace.steps[1].action, Action(Tap{{12, 34}}));
  EXPECT_EQ(trace.steps[1].activity, "com.example.Main");
  EXPECT_EQ(trace.steps[1].activity_after, "com.example.Split");
  EXPECT_EQ(trace.steps[2].action, Action(Swipe{{10, 800}, {10, 300}, 80}));
  EXPECT_EQ(trace.steps[2].activity, "");  // The home screen.
  EXPECT_EQ(trace.steps[3].action, Action(PressKey{"BACK"}));
  EXPECT_EQ(trace.steps[3].activity, "com.example.Split");
  EXPECT_EQ(imported->warnings.size(), 1u);  // One event was not injected.
}

TEST(ImportSimplyDroid, TheDisplayCanBeGiven) {
  const Display display{1080, 2400, 420, 63, 48};
  EXPECT_EQ(ParseSimplyDroid(kScript, kLog, display)->trace.display, display);
}

TEST(ImportSimplyDroid, EventsAfterTheCrashAreLeftOut) {
  const auto imported = ParseSimplyDroid(std::string(kScript) + "Tap(1, 1, 0)\n",
                                         std::string(kLog) + "11;MonkeyThrottleEvent;a;b;1\n", std::nullopt);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->trace.steps.size(), 4u);
}

TEST(ImportSimplyDroid, ADamagedLogStillGivesTheEvents) {
  const auto imported =
      ParseSimplyDroid(kScript, "garbage\n1;2\n;;;;;;;;\n// CRASH: nothing\n", std::nullopt);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->trace.steps.size(), 4u);
  EXPECT_FALSE(imported->trace.crash);
  EXPECT_GE(imported->warnings.size(), 3u);
}

TEST(ImportSimplyDroid, AnAnrIsACrash) {
  EXPECT_EQ(ParseSimplyDroid(kScript, "// NOT RESPONDING: \n", std::nullopt)->trace.crash->ToString(), "ANR");
}

TEST(ImportSimplyDroid, ErrorsNameFileAndRemedy) {
  const auto headless = ParseSimplyDroid("Tap(1, 2)\n", "", std::nullopt);
  ASSERT_FALSE(headless);
  EXPECT_EQ(headless.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(headless.error().message().find("script.log: not a Monkey script"), std::string::npos);
  EXPECT_EQ(ParseSimplyDroid("start data >>\n", "", std::nullopt).error().code(), ErrorCode::kNothingToDo);
  EXPECT_EQ(ImportSimplyDroid("/nonexistent", std::nullopt).error().code(), ErrorCode::kNotFound);
}

// The study's own traces, where they are at hand.

std::vector<std::string> CsvFields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

std::vector<std::vector<std::string>> CsvRows(const fs::path& file) {
  const std::string text = ReadFile(file).value();
  std::vector<std::vector<std::string>> rows;
  Lines lines(text);
  std::string_view line;
  while (lines.Next(line))
    if (lines.number() > 1 && !line.empty()) rows.push_back(CsvFields(line));
  return rows;
}

TEST(ImportSimplyDroid, TheStudysTracesGiveItsFigures) {
  const char* data = std::getenv("MARMOSET_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "MARMOSET_TEST_DATA does not name a folder with simplydroid/";
  const fs::path root = fs::path(data) / "simplydroid";
  std::map<std::string, size_t> events;
  for (const auto& row : CsvRows(root / "trace_stats.csv"))
    events[row.at(0) + "/" + row.at(1)] = std::stoul(row.at(2));
  size_t traces = 0;
  for (const auto& row : CsvRows(root / "crashes.csv")) {
    const std::string name = row.at(0) + "/" + row.at(1);
    SCOPED_TRACE(name);
    const auto imported = ImportSimplyDroid(root / name, std::nullopt);
    ASSERT_TRUE(imported) << imported.error().message();
    const Trace& trace = imported->trace;
    ASSERT_TRUE(events.count(name));
    EXPECT_EQ(trace.steps.size(), events[name]);
    ASSERT_TRUE(trace.crash);
    const std::string& root_cause = row.at(2);
    EXPECT_EQ(trace.crash->exception, root_cause.substr(0, root_cause.find(':')));
    EXPECT_EQ(trace.crash->frame, row.at(3).empty() ? row.at(4) : row.at(3));
    EXPECT_FALSE(trace.steps[1].activity.empty());
    EXPECT_EQ(ParseTrace(ToText(trace)).value(), trace);
    ++traces;
  }
  EXPECT_EQ(traces, 65u);
}

}  // namespace
}  // namespace marmoset
