#include "trace/trace.h"

#include <gtest/gtest.h>

#include <limits>

#include "gui/testing.h"

namespace marmoset {
namespace {

Trace Example() {
  const Screen screen = ScreenOf(
      "com.example.Main", {RowWidget(0, "android.widget.Button", "com.example:id/split", "Split bill")});
  Trace trace;
  trace.package = "com.example";
  trace.version_name = "1.2";
  trace.version_code = 12;
  trace.apk_sha256 = std::string(64, 'a');
  trace.display = {480, 854, 240, 38, 0};
  trace.sdk = 19;
  trace.device = "hosted";
  trace.seed = std::numeric_limits<uint64_t>::max();
  trace.origin = "marmoset explore app.apk";
  trace.crash = CrashSignature{"java.lang.ArithmeticException", "com.example.Split.add(Split.java:101)"};
  trace.steps = {
      {Launch{}, std::nullopt, "", "com.example.Main", 0, 0x8000000000000001, 0},
      {Tap{{500, 50}}, SelectorAt(screen, {500, 50}), "com.example.Main", "com.example.Split",
       0x8000000000000001, 7, 350},
      {TypeText{"grüße\n\"\\", false}, SelectorAt(screen, {500, 50}), "com.example.Split",
       "com.example.Split", 7, 8, 700},
      {PressKey{"BACK"}, std::nullopt, "com.example.Split", "", 8, 0, 900},
  };
  return trace;
}

std::string MessageFor(std::string_view text) {
  const Result<Trace> trace = ParseTrace(text);
  return trace ? "parsed" : trace.error().message();
}

bool Contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Trace, SurvivesARoundTrip) {
  const Trace trace = Example();
  EXPECT_EQ(ParseTrace(ToText(trace)).value(), trace);
  const Trace empty;
  EXPECT_EQ(ParseTrace(ToText(empty)).value(), empty);
  Trace elsewhere = trace;
  elsewhere.profile = R"({"name":"tablet","abis":["x86"]})";
  EXPECT_EQ(ParseTrace(ToText(elsewhere)).value(), elsewhere);
}

TEST(Trace, IsWrittenAsDocumented) {
  Trace trace = Example();
  trace.apk_sha256.clear();
  trace.seed = 1;
  const std::string header =
      R"_({"marmoset_trace":1,"package":"com.example","version_name":"1.2","version_code":12,)_"
      R"_("display":{"width":480,"height":854,"density":240,"status_bar":38,"navigation_bar":0},"sdk":19,)_"
      R"_("device":"hosted","seed":"1","origin":"marmoset explore app.apk",)_"
      R"_("crash":"java.lang.ArithmeticException at com.example.Split.add(Split.java:101)"})_";
  EXPECT_EQ(HeaderLine(trace), header + "\n");
  const std::string step =
      R"_({"action":{"kind":"key","key":"BACK"},"activity":"com.example.Split","screen":"0000000000000008",)_"
      R"_("at_ms":900})_";
  EXPECT_EQ(StepLine(trace.steps[3]), step + "\n");
}

TEST(Trace, AFileIsWrittenAndRead) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  const fs::path path = folder->path() / "a.trace.jsonl";
  ASSERT_TRUE(WriteTrace(path, Example()));
  EXPECT_EQ(ReadTrace(path).value(), Example());
  ASSERT_TRUE(WriteFile(path, "{}\n"));
  EXPECT_TRUE(Contains(ReadTrace(path).error().message(), path.string() + ": line 1: not a Marmoset trace"));
  EXPECT_EQ(ReadTrace(folder->path() / "none").error().code(), ErrorCode::kNotFound);
}

TEST(Trace, ACutLastLineLosesThatStepOnly) {
  const Trace trace = Example();
  const std::string text = ToText(trace);
  const size_t header = HeaderLine(trace).size();
  size_t last_begin = text.size() - StepLine(trace.steps.back()).size();
  for (size_t size = header; size <= text.size(); ++size) {
    const Result<Trace> cut = ParseTrace(std::string_view(text).substr(0, size));
    ASSERT_TRUE(cut) << size;
    if (size < last_begin) {
      EXPECT_LT(cut->steps.size(), trace.steps.size());
    } else {
      EXPECT_GE(cut->steps.size(), trace.steps.size() - 1);
    }
  }
  // A whole last line counts even when only its line feed is missing.
  EXPECT_EQ(ParseTrace(std::string_view(text).substr(0, text.size() - 1)).value(), trace);
}

TEST(Trace, ACutHeaderIsNoTrace) {
  const std::string header = HeaderLine(Example());
  EXPECT_TRUE(Contains(MessageFor(header.substr(0, header.size() / 2)), "line 1: not JSON"));
  EXPECT_TRUE(Contains(MessageFor(""), "empty"));
  EXPECT_TRUE(Contains(MessageFor("\n\n"), "empty"));
}

TEST(Trace, ErrorsNameTheLine) {
  const std::string header = HeaderLine(Example());
  const std::string good = StepLine(Example().steps[3]);
  EXPECT_TRUE(Contains(MessageFor(header + good + "{\"action\n" + good), "line 3: not JSON"));
  EXPECT_TRUE(Contains(MessageFor(header + good + "{}\n"), "line 3: a step needs an 'action'"));
  EXPECT_TRUE(Contains(MessageFor(header + "[]\n"), "line 2: an object expected"));
  EXPECT_TRUE(Contains(MessageFor(header + R"({"action":{"kind":"fly"}})"), "line 2: action kind 'fly'"));
  EXPECT_TRUE(Contains(MessageFor(header + R"({"action":{"kind":"launch"},"screen":"xyz"})"), "'screen'"));
  EXPECT_TRUE(Contains(MessageFor(header + R"({"action":{"kind":"launch"},"at_ms":-1})"), "'at_ms'"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":1,"seed":"-1"})"), "'seed'"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":1,"seed":"18446744073709551616"})"), "'seed'"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":1,"display":{"width":0}})"), "'display': 'width'"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":1,"profile":"phone"})"), "'profile': an object"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":1,"crash":" "})"), "'crash'"));
  EXPECT_TRUE(Contains(MessageFor(R"({"marmoset_trace":0})"), "no format 0"));
  EXPECT_TRUE(Contains(MessageFor("\x7f\x45LF\n"), "line 1: not JSON"));
}

TEST(Trace, AFormatFromTheFutureIsRefusedWithTheRemedy) {
  const auto trace = ParseTrace("{\"marmoset_trace\":2,\"display\":\"something new\"}\n{\"do\":\"x\"}\n");
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(Contains(trace.error().message(), "update marmoset"));
}

TEST(Trace, UnknownKeysBlankLinesAndCrLfAreTolerated) {
  const auto trace = ParseTrace(
      "{\"marmoset_trace\":1,\"note\":\"by hand\"}\r\n\r\n{\"action\":{\"kind\":\"launch\"},\"why\":1}\r\n");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->steps.size(), 1u);
}

TEST(Trace, BytesThatAreNotUtf8AreReplaced) {
  Trace trace;
  trace.steps.push_back({TypeText{"a\xff"
                                  "b"},
                         std::nullopt, "", "", 0, 0, 0});
  const auto again = ParseTrace(ToText(trace));
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<TypeText>(again->steps[0].action).text,
            "a\xef\xbf\xbd"
            "b");
}

TEST(Trace, StepsReadAsAPersonWouldTellThem) {
  const Trace trace = Example();
  EXPECT_EQ(Describe(trace.steps[0]), "launch the app");
  EXPECT_EQ(Describe(trace.steps[1]), "tap 'Split bill'");
  EXPECT_EQ(Describe(trace.steps[3]), "press BACK");
  Step step = trace.steps[1];
  auto described = [&step](Action action) {
    step.action = std::move(action);
    return Describe(step);
  };
  EXPECT_EQ(described(TypeText{"12"}), "enter '12' into 'Split bill'");
  EXPECT_EQ(described(TypeText{"12", false}), "append '12' to 'Split bill'");
  EXPECT_EQ(described(LongTap{{1, 2}}), "long-tap 'Split bill'");
  EXPECT_EQ(described(Swipe{{1, 9}, {1, 2}}), "swipe up from 'Split bill'");
  EXPECT_EQ(described(Drag{{1, 9}, {1, 2}}), "drag 'Split bill' to (1, 2)");
  EXPECT_EQ(described(Pinch{}), "pinch at 'Split bill'");
  step.selector.reset();
  EXPECT_EQ(described(Tap{{1, 2}}), "tap (1, 2)");
}

}  // namespace
}  // namespace marmoset
