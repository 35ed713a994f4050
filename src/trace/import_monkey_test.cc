#include <gtest/gtest.h>

#include <cstdlib>

#include "trace/import.h"
#include "trace/import_text.h"

namespace marmoset {
namespace {

std::vector<Action> Actions(const Trace& trace) {
  std::vector<Action> actions;
  for (const Step& step : trace.steps) actions.push_back(step.action);
  return actions;
}

std::vector<Action> Actions(std::string_view text) {
  return Actions(ParseMonkey(text, std::nullopt).value().trace);
}

bool Warns(const Imported& imported, std::string_view part) {
  for (const std::string& w : imported.warnings)
    if (w.find(part) != std::string::npos) return true;
  return false;
}

std::string Script(std::string_view events) {
  return "type= raw events\ncount= 1\nspeed= 1.0\nstart data >>\nLaunchActivity(com.example, "
         "com.example.Main)\n" +
         std::string(events);
}

const Action kLaunch = Launch{"com.example/com.example.Main"};

TEST(MonkeyScript, EveryEventOfAUserIsUnderstood) {
  EXPECT_EQ(Actions(Script("Tap(10.5, 20)\n"
                           "Tap(10, 20, 30)\n"
                           "Tap(10, 20, 700)\n"
                           "PressAndHold(10, 20, 1500)\n"
                           "Drag(1, 2, 3, 4, 10)\n"
                           "PinchZoom(1, 2, 3, 4, 5, 6, 7, 8, 10)\n"
                           "RotateScreen(1, 0)\n"
                           "UserWait(1500)\n"
                           "ProfileWait()\n"
                           "DispatchPress(KEYCODE_ENTER)\n"
                           "LongPress()\n"
                           "DispatchString(hello%sworld)\n"
                           "DispatchKey(0,0,0,4,0,0,0,0)\n"
                           "DispatchKey(0,0,1,4,0,0,0,0)\n"
                           "LaunchActivity(com.example, .Other, 100)\n")),
            (std::vector<Action>{
                kLaunch, Tap{{10, 20}}, Tap{{10, 20}}, LongTap{{10, 20}, 700}, LongTap{{10, 20}, 1500},
                Swipe{{1, 2}, {3, 4}, 100}, Pinch{{1, 2}, {3, 4}, {5, 6}, {7, 8}, 100}, Rotate{1}, Wait{1500},
                Wait{5000}, PressKey{"ENTER"}, PressKey{"DPAD_CENTER"}, TypeText{"hello world", false},
                PressKey{"BACK"}, Launch{"com.example/com.example.Other"}}));
}

TEST(MonkeyScript, PointerEventsAreFolded) {
  EXPECT_EQ(Actions(Script("DispatchPointer(0,0,0,400,500,0,0,0,0,0,0,0)\n"
                           "DispatchPointer(0,0,1,400,500,0,0,0,0,0,0,0)\n"
                           "DispatchPointer(0,0,0,400,500,0,0,0,0,0,0,0)\n"
                           "UserWait(800)\n"
                           "DispatchPointer(0,0,1,400,500,0,0,0,0,0,0,0)\n"
                           "DispatchPointer(0,0,0,100,100,0,0,0,0,0,0,0,0)\n"
                           "DispatchPointer(0,0,261,300,300,0,0,0,0,0,0,0,1)\n"
                           "DispatchPointer(0,0,2,150,150,0,0,0,0,0,0,0,0)\n"
                           "DispatchPointer(0,0,262,250,250,0,0,0,0,0,0,0,1)\n"
                           "DispatchPointer(0,0,1,150,150,0,0,0,0,0,0,0,0)\n")),
            (std::vector<Action>{kLaunch, Tap{{400, 500}}, LongTap{{400, 500}, 800},
                                 Pinch{{100, 100}, {150, 150}, {300, 300}, {250, 250}, 50}}));
}

TEST(MonkeyScript, WaitsTellTheTime) {
  const auto imported = ParseMonkey(Script("UserWait(100)\nTap(1, 2)\n"), std::nullopt).value();
  EXPECT_EQ(imported.trace.steps.back().at_ms, 100);
}

TEST(MonkeyScript, LenientFormsAreTakenWithAWarning) {
  const auto imported =
      ParseMonkey(
          "\xef\xbb\xbf  type=user\r\n  count=10\r\nspeed = 1.0\r\n  start data >> \r\n"
          "  LaunchActivity(com.example,com.example.Main)\r\n\r\n# a comment\r\n"
          "DispatchPress(112)\r\nDispatchPress(BACK)\r\nRotateScreen(90,0)\r\nRunCmd(ls)\r\n",
          std::nullopt)
          .value();
  EXPECT_EQ(Actions(imported.trace),
            (std::vector<Action>{kLaunch, PressKey{"FORWARD_DEL"}, PressKey{"BACK"}, Rotate{1}}));
  EXPECT_TRUE(Warns(imported, "line 2: 'count=10'"));
  EXPECT_TRUE(Warns(imported, "line 3: 'speed = 1.0'"));
  EXPECT_TRUE(Warns(imported, "line 8: DispatchPress(112)"));
  EXPECT_TRUE(Warns(imported, "line 9: Monkey ignores 'BACK'"));
  EXPECT_TRUE(Warns(imported, "line 10: Monkey counts quarter turns"));
  EXPECT_TRUE(Warns(imported, "line 11: not a user's action"));
}

TEST(MonkeyScript, WhereMonkeyWouldDoSomethingElseIsSaid) {
  const auto imported = ParseMonkey(
                            "start data >>\nLaunchActivity(com.TapApp, com.TapApp.Main)\n# Tap(1, "
                            "2)\nFly(1)\nTap(1)\nTap(a, b)\nword\n"
                            "Drag(1, 2, 3, 4, 0)\nTap(NaN, "
                            "1)\nDispatchPress(999)\nDispatchTrackball(0,0,2,1,1,0,0,0,0,0,0,0)\n",
                            std::nullopt)
                            .value();
  EXPECT_EQ(imported.trace.steps.size(), 1u);
  EXPECT_EQ(imported.trace.package, "com.TapApp");
  for (const char* part :
       {"line 2: taken as LaunchActivity, but Monkey finds 'Tap'", "line 3: taken as a comment",
        "line 4: 'Fly'", "line 5: Tap with 1 arguments", "line 6: Tap with arguments that do not fit",
        "line 7: not an event", "line 8: Drag", "line 9: Tap", "line 10: DispatchPress",
        "line 11: no phone has a trackball"})
    EXPECT_TRUE(Warns(imported, part)) << part;
}

TEST(MonkeyLog, EventsAreFoldedAndCountedOut) {
  const auto imported =
      ParseMonkey(
          "PS C:\\> adb shell monkey -p com.example -v -v 10\r\n"
          "  bash arg: -p\r\n"
          ":Monkey: seed=42 count=10\r\n"
          ":AllowPackage: com.example\r\n"
          ":Switch: "
          "#Intent;action=android.intent.action.MAIN;launchFlags=0x10200000;component=com.example/"
          ".Main;end\r\n"
          "    // Allowing start of Intent { cmp=com.example/.Main } in package com.example\r\n"
          "Sleeping for 100 milliseconds\r\n"
          ":Sending Touch (ACTION_DOWN): 0:(953.0,838.0)\r\n"
          ":Sending Touch (ACTION_UP): 0:(957.0046,842.01575)\r\n"
          "Sleeping for 100 milliseconds\r\n"
          ":Sending Touch (ACTION_DOWN): 0:(100.0,100.0)\r\n"
          ":Sending Touch (ACTION_MOVE): 0:(120.0,100.0)\r\n"
          ":Sending Touch (ACTION_UP): 0:(140.0,100.0)\r\n"
          ":Sending Touch (ACTION_DOWN): 0:(100.0,100.0)\r\n"
          ":Sending Touch (ACTION_POINTER_DOWN 1): 0:(100.0,100.0) 1:(300.0,300.0)\r\n"
          ":Sending Touch (ACTION_MOVE): 0:(110.0,110.0) 1:(280.0,280.0)\r\n"
          ":Sending Touch (ACTION_POINTER_UP 1): 0:(110.0,110.0) 1:(280.0,280.0)\r\n"
          ":Sending Touch (ACTION_UP): 0:(110.0,110.0)\r\n"
          ":Sending Key (ACTION_DOWN): 4    // KEYCODE_BACK\r\n"
          ":Sending Key (ACTION_UP): 4    // KEYCODE_BACK\r\n"
          ":Sending Trackball (ACTION_MOVE): 0:(-1.0,-3.0)\r\n"
          ":Sending Flip keyboardOpen=false\r\n"
          "    // Injection Failed\r\n"
          ":Sending rotation degree=1, persist=false\r\n"
          ":Sending Key (ACTION_DOWN): 82    // KEYCODE_MENU\r\n"
          "    // Injection Failed\r\n"
          ":Sending Touch (ACTION_DOWN): 0:(5.0,5.0)\r\n"
          "    // Injection Failed\r\n"
          ":Sending Touch (ACTION_UP): 0:(5.0,5.0)\r\n"
          "Events injected: 10\r\n"
          ":Sending rotation degree=0, persist=false\r\n"
          ":Dropped: keys=0 pointers=0 trackballs=0 flips=0 rotations=0\r\n",
          std::nullopt)
          .value();
  const Trace& trace = imported.trace;
  EXPECT_EQ(Actions(trace), (std::vector<Action>{kLaunch, Tap{{953, 838}}, Swipe{{100, 100}, {140, 100}, 50},
                                                 Pinch{{100, 100}, {110, 110}, {300, 300}, {280, 280}, 50},
                                                 PressKey{"BACK"}, Rotate{1}}));
  EXPECT_EQ(trace.package, "com.example");
  EXPECT_EQ(trace.origin, "Monkey log (seed 42, count 10)");
  EXPECT_EQ(trace.steps[2].at_ms, 200);
  EXPECT_EQ(trace.display, (Display{1080, 1920, 480, 72, 0}));
  EXPECT_FALSE(trace.crash);
  EXPECT_TRUE(Warns(imported, "1 trackball events"));
  EXPECT_TRUE(Warns(imported, "1 keyboard flips"));
  EXPECT_TRUE(Warns(imported, "2 events that the phone did not take"));
  EXPECT_FALSE(Warns(imported, "ends before"));
}

constexpr char kCrashLog[] =
    ":Monkey: seed=1 count=100\n"
    ":AllowPackage: com.example\n"
    ":Switch: #Intent;component=com.example/.Main;end\n"
    "// CRASH: com.other (pid 7)\n"
    "// Short Msg: x\n"
    "// \n"
    ":Sending Touch (ACTION_DOWN): 0:(10.0,10.0)\n"
    ":Sending Touch (ACTION_UP): 0:(10.0,10.0)\n"
    "// CRASH: com.example:remote (pid 1234)\n"
    "// Short Msg: java.lang.ArithmeticException\n"
    "// Long Msg: java.lang.ArithmeticException: divide by zero\n"
    "// Build Label: x\n"
    "// Build Time: 1\n"
    "// java.lang.ArithmeticException: divide by zero\n"
    ":Sending Key (ACTION_DOWN): 4    // KEYCODE_BACK\n"
    "// \tat com.example.Split.add(Split.java:101)\n"
    "// \tat android.view.View.performClick(View.java:5204)\n"
    "// \n"
    ":Sending Touch (ACTION_DOWN): 0:(20.0,10.0)\n"
    ":Sending Touch (ACTION_UP): 0:(20.0,10.0)\n";

TEST(MonkeyLog, TheFirstCrashOfTheAppEndsTheTrace) {
  const auto imported = ParseMonkey(kCrashLog, std::nullopt).value();
  EXPECT_EQ(imported.trace.crash,
            (CrashSignature{"java.lang.ArithmeticException", "com.example.Split.add(Split.java:101)"}));
  EXPECT_EQ(Actions(imported.trace), (std::vector<Action>{kLaunch, Tap{{10, 10}}}));
  EXPECT_TRUE(Warns(imported, "a crash of another app, com.other"));
  EXPECT_TRUE(Warns(imported, "2 event lines after the first crash"));
}

TEST(MonkeyLog, ACrashReportMayBeTheLastThing) {
  const std::string_view log = kCrashLog;
  const auto imported = ParseMonkey(log.substr(0, log.find("// \tat android")), std::nullopt).value();
  ASSERT_TRUE(imported.trace.crash);
  EXPECT_EQ(imported.trace.crash->frame, "com.example.Split.add(Split.java:101)");
}

TEST(MonkeyLog, AnAnrIsACrash) {
  const auto imported =
      ParseMonkey(":Switch: #Intent;component=a.b/.C;end\n// NOT RESPONDING: a.b (pid 1)\n", std::nullopt)
          .value();
  EXPECT_EQ(imported.trace.crash->ToString(), "ANR");
}

TEST(MonkeyLog, APartOfALogGetsALaunch) {
  const auto imported =
      ParseMonkey(
          ":Sending Touch (ACTION_UP): 0:(1.0,1.0)\n:Sending Touch (ACTION_DOWN): 0:(5.0,5.0)\n"
          ":Sending Touch (ACTION_UP): 0:(5.0,5.0)\n:Sending Touch (ACTION_DOWN): 0:(5.0",
          std::nullopt)
          .value();
  EXPECT_EQ(Actions(imported.trace), (std::vector<Action>{Launch{}, Tap{{5, 5}}}));
  EXPECT_TRUE(Warns(imported, "a launch is put first"));
  EXPECT_TRUE(Warns(imported, "2 events are left out since the file does not hold them whole"));
  EXPECT_TRUE(Warns(imported, "the log ends before Monkey did"));
  EXPECT_TRUE(Warns(imported, "-v -v"));
}

TEST(MonkeyImport, WhatItIsNotIsSaid) {
  auto error = [](std::string_view text) { return ParseMonkey(text, std::nullopt).error(); };
  EXPECT_EQ(error("# Touch\ntouch down 160 200\ntouch up 160 200\n").code(), ErrorCode::kUnsupported);
  EXPECT_NE(error("1;MonkeyTouchEvent;a;b;1\n").message().find("import simplydroid"), std::string::npos);
  EXPECT_NE(error("Tap(1, 2)\n").message().find("start data >>"), std::string::npos);
  EXPECT_EQ(error("").code(), ErrorCode::kBadInput);
  EXPECT_EQ(error(std::string("\x7f"
                              "ELF\0\0",
                              6))
                .code(),
            ErrorCode::kBadInput);
  EXPECT_EQ(error(":Monkey: seed=1 count=1\nEvents injected: 1\n").code(), ErrorCode::kNothingToDo);
  EXPECT_EQ(error("start data >>\n").code(), ErrorCode::kNothingToDo);
  EXPECT_NE(ImportMonkey("/nonexistent", std::nullopt).error().message().find("/nonexistent"),
            std::string::npos);
}

TEST(MonkeyImport, SamplesFromTheWild) {
  const char* data = std::getenv("MARMOSET_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "MARMOSET_TEST_DATA does not name a folder with samples/";
  struct Expected {
    const char* file;
    size_t steps;  // 0: it must fail.
  };
  const Expected kExpected[] = {
      {"monkey_logs/k1_v_15000.txt", 1123},
      {"monkey_logs/k2_vv_10000_head.txt", 359},
      {"monkey_logs/k2_vv_10000_tail.txt", 37},
      {"monkey_logs/k3_powershell_prompt_1000.txt", 5},
      {"monkey_logs/k4_generic_500.txt", 42},
      {"monkey_logs/k5_vvv_100.txt", 23},
      {"monkey_logs/k6_touch70_head.txt", 120},
      {"monkey_logs/k6_touch70_tail.txt", 12},
      {"monkey_logs/k7_unfinished_run.txt", 24},
      {"monkey_logs/k8_abort_tail_fixture.rb", 0},
      {"monkey_scripts/s1_crlf_calculator.script", 13},
      {"monkey_scripts/s2_no_space_header.script", 8},
      {"monkey_scripts/s3_profilewait_string.script", 11},
      {"monkey_scripts/s4_qq_login.script", 42},
      {"monkey_scripts/s5_chart1.script", 16},
      {"monkey_scripts/s6_dalvik2.script", 75},
      {"monkey_scripts/s7_k9_1.execute.log", 0},
      {"monkey_scripts/s7_k9_1.script", 171},
      {"monkey_scripts/s8_network_protocol_example.txt", 0},
  };
  for (const Expected& e : kExpected) {
    SCOPED_TRACE(e.file);
    const auto imported = ImportMonkey(fs::path(data) / "samples" / e.file, std::nullopt);
    ASSERT_EQ(imported.has_value(), e.steps > 0) << (imported ? "imported" : imported.error().message());
    if (!imported) continue;
    EXPECT_EQ(imported->trace.steps.size(), e.steps);
    EXPECT_EQ(ParseTrace(ToText(imported->trace)).value(), imported->trace);
  }
}

}  // namespace
}  // namespace marmoset
