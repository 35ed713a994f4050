#include "report/steps_page.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

TEST(StepsPage, ShowsEachStepAndEscapesWhatTheAppSays) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  StepsReport report;
  report.title = "<script>";
  report.width = 100;
  report.height = 200;
  report.steps = {{"PNG1", Rect{10, 20, 60, 70}, "tap '<b>'", "Main"}, {"", {}, "the crash", "Main"}};
  ASSERT_TRUE(WriteStepsReport(folder->path(), report));
  const std::string html = ReadFile(folder->path() / "index.html").value();
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find("tap '&lt;b&gt;'"), std::string::npos);
  EXPECT_NE(html.find("left:10.00%;top:10.00%;width:50.00%;height:25.00%"), std::string::npos);
  EXPECT_EQ(ReadFile(folder->path() / "01.png").value(), "PNG1");
  EXPECT_FALSE(fs::exists(folder->path() / "02.png"));
}

TEST(StepsPage, TheListNumbersTheSteps) {
  Trace trace;
  trace.steps = {{Launch{}, {}, "", "", 0, 0, 0}, {PressKey{"BACK"}, {}, "", "", 0, 0, 0}};
  trace.crash = CrashSignature{"a.B", "c.D.e(D.java:1)"};
  EXPECT_EQ(StepsAsText(trace), "1. launch the app\n2. press BACK\n→ a.B at c.D.e(D.java:1)\n");
}

}  // namespace
}  // namespace marmoset
