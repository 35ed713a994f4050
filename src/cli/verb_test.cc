#include "cli/verb.h"

#include <gtest/gtest.h>

#include "cli/app_under_test.h"
#include "cli/step_pictures.h"

namespace marmoset::cli {
namespace {

TEST(Cli, EveryErrorHasItsExitCode) {
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kBadInput, "")), 2);
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kNothingToDo, "")), 3);
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kMissingTool, "")), 10);
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kDeviceLost, "")), 10);
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kCancelled, "")), 19);
  EXPECT_EQ(ExitCodeFor(Error(ErrorCode::kInternal, "")), 20);
}

TEST(Cli, ReadsDisplays) {
  const Display display = ParseDisplay("1080x1920@480").value();
  EXPECT_EQ(display.width, 1080);
  EXPECT_EQ(display.height, 1920);
  EXPECT_EQ(display.density, 480);
  EXPECT_EQ(display.status_bar, 72);
  EXPECT_EQ(display.navigation_bar, 0);
  const Display bars = ParseDisplay("480x854@240,38,70").value();
  EXPECT_EQ(bars.status_bar, 38);
  EXPECT_EQ(bars.navigation_bar, 70);
  for (const char* wrong : {"", "1080", "1080x1920", "x@", "1080x1920@480@", "1080x1920@abc", "10x10@480",
                            "1080x1920@480,1,2,3", "99999999999x1@1"})
    EXPECT_FALSE(ParseDisplay(wrong)) << wrong;
}

TEST(Cli, ATraceWithoutCrashNeedsATarget) {
  Trace trace;
  const auto none = TargetOfTrace(trace, "");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("--target"), std::string::npos);
  trace.crash = CrashSignature{"a.B", ""};
  EXPECT_EQ(ToText(*TargetOfTrace(trace, "")), "crash:a.B");
  EXPECT_EQ(ToText(*TargetOfTrace(trace, "activity:.X")), "activity:.X");
}

TEST(Cli, AnAppThatWasNeverSeenIsAskedFor) {
  Trace trace;
  trace.package = "com.example";
  trace.apk_sha256 = std::string(64, '0');
  const auto app = AppOfTrace(trace, "");
  ASSERT_FALSE(app);
  EXPECT_NE(app.error().message().find("--app"), std::string::npos);
}

}  // namespace
}  // namespace marmoset::cli
