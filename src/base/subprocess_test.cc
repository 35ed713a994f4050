#include "base/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <optional>
#include <thread>

namespace marmoset {
namespace {

TEST(Subprocess, SpeaksLineByLine) {
  auto cat = Subprocess::Start({.argv = {"cat"}});
  ASSERT_TRUE(cat);
  ASSERT_TRUE(cat->WriteLine("one"));
  ASSERT_TRUE(cat->WriteLine("two"));
  EXPECT_EQ(cat->ReadLine(5000).value(), "one");
  EXPECT_EQ(cat->ReadLine(5000).value(), "two");
  cat->CloseInput();
  EXPECT_EQ(cat->ReadLine(5000).error().code(), ErrorCode::kDeviceLost);
  EXPECT_EQ(cat->Wait(5000), 0);
}

// The kernel's "kill it when its parent dies" means the thread that forked it.
TEST(Subprocess, OutlivesTheThreadThatStartedIt) {
  std::optional<Result<Subprocess>> cat;
  std::thread([&] { cat = Subprocess::Start({.argv = {"cat"}}); }).join();
  ASSERT_TRUE(*cat);
  ASSERT_TRUE((*cat)->WriteLine("still here"));
  EXPECT_EQ((*cat)->ReadLine(5000).value(), "still here");
  EXPECT_EQ((*cat)->ExitStatus(), std::nullopt);
}

TEST(Subprocess, GivesFilesAndLimits) {
  const Command command{.argv = {"sh", "-c", "cat <&4; cat <&3; ulimit -v"},
                        .files = {"three\n", "four\n"},
                        .address_space = 1u << 30};
  auto shell = Subprocess::Start(command);
  ASSERT_TRUE(shell);
  EXPECT_EQ(shell->ReadLine(5000).value(), "four");
  EXPECT_EQ(shell->ReadLine(5000).value(), "three");
  EXPECT_EQ(shell->ReadLine(5000).value(), "1048576");  // In KiB.
}

TEST(Subprocess, SaysWhatCannotBeStarted) {
  auto none = Subprocess::Start({.argv = {"no-such-program-here"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::kMissingTool);
  EXPECT_NE(none.error().message().find("no-such-program-here"), std::string::npos);
}

TEST(Subprocess, TimesOutAndStops) {
  auto sleep = Subprocess::Start({.argv = {"sleep", "60"}});
  ASSERT_TRUE(sleep);
  EXPECT_EQ(sleep->ReadLine(10).error().code(), ErrorCode::kTimeout);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(sleep->ReadLine(60'000, source.get_token()).error().code(), ErrorCode::kCancelled);
}

TEST(Subprocess, KillsTheWholeGroup) {
  auto shell = Subprocess::Start({.argv = {"sh", "-c", "sleep 60 & echo $!; wait"}});
  ASSERT_TRUE(shell);
  const pid_t grandchild = std::stoi(shell->ReadLine(5000).value());
  shell->Kill();
  EXPECT_EQ(shell->ExitStatus(), 128 + SIGKILL);
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    // Where nobody reaps orphans the killed grandchild stays as a zombie, which is gone enough.
    auto stat = ReadFile("/proc/" + std::to_string(grandchild) + "/stat");
    gone = !stat || stat->find(") Z ") != std::string::npos;
    if (!gone) ::usleep(10'000);
  }
  EXPECT_TRUE(gone);
}

TEST(Subprocess, RunGivesOutputErrorAndStatus) {
  auto done = RunToEnd({"sh", "-c", "echo out; echo err >&2; exit 7"}, 5000);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_status, 7);
  EXPECT_EQ(done->output, "out\n");
  EXPECT_EQ(done->error, "err\n");
}

TEST(Subprocess, FindsProgramsAsTheShellDoes) {
  EXPECT_FALSE(FindProgram("sh").empty());
  EXPECT_TRUE(FindProgram("no-such-program-here").empty());
}

}  // namespace
}  // namespace marmoset
