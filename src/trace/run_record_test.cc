#include "trace/run_record.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "gui/testing.h"
#include "trace/sqlite.h"

namespace marmoset {
namespace {

Screen ScreenNumber(int64_t number) {
  return ScreenOf("com.example.Main",
                  {RowWidget(0, "android.widget.Button", "com.example:id/a", std::to_string(number))});
}

StepRecord StepNumber(int64_t number, int64_t episode) {
  StepRecord record;
  record.episode = episode;
  record.step.action = Tap{{static_cast<int>(number), 50}};
  record.step.selector = SelectorAt(ScreenNumber(number), {500, 50});
  record.step.activity = "com.example.Main";
  record.step.activity_after = "com.example.Main";
  record.step.screen = ContentHash(ScreenNumber(number - 1));
  record.step.screen_after = ContentHash(ScreenNumber(number));
  record.step.at_ms = 100 * number;
  record.state_after = "state " + std::to_string(number) + std::string(1, '\0');
  record.activities = {"com.example.Main"};
  return record;
}

Crash CrashAt(int line) {
  return {
      CrashCause::kJava, "main",
      "java.lang.ArithmeticException: / by zero\n\tat com.example.A.b(A.java:" + std::to_string(line) + ")"};
}

class RunRecordTest : public testing::Test {
 protected:
  RunRecordTest() : temporary_(TemporaryFolder::Make().value()), folder_(temporary_.path() / "run") {}
  fs::path Database() const { return folder_ / "run.sqlite"; }
  TemporaryFolder temporary_;
  fs::path folder_;
};

TEST_F(RunRecordTest, KeepsWhatWasAppended) {
  {
    auto record = RunRecord::Create(folder_).value();
    EXPECT_EQ(record.LastStep().value(), std::nullopt);
    ASSERT_TRUE(record.SetMeta("seed", "1"));
    ASSERT_TRUE(record.SetMeta("seed", "2"));
    for (int64_t i = 1; i <= 5; ++i)
      EXPECT_EQ(record.Append(StepNumber(i, i <= 3 ? 1 : 2), ScreenNumber(i)).value().number, i);
  }
  auto record = RunRecord::Open(folder_).value();
  EXPECT_EQ(record.folder(), folder_);
  EXPECT_EQ(record.Meta("seed").value(), "2");
  EXPECT_EQ(record.Meta("none").value(), std::nullopt);
  EXPECT_EQ(record.StepCount().value(), 5);
  const auto last = record.LastStep().value();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->episode, 2);
  EXPECT_EQ(last->step, StepNumber(5, 2).step);
  EXPECT_EQ(last->state_after, StepNumber(5, 2).state_after);
  EXPECT_EQ(record.EpisodeSteps(1).value(),
            (std::vector{StepNumber(1, 1).step, StepNumber(2, 1).step, StepNumber(3, 1).step}));
  EXPECT_TRUE(record.EpisodeSteps(3).value().empty());
  EXPECT_EQ(record.ScreenByHash(ContentHash(ScreenNumber(2))).value(), ScreenNumber(2));
  EXPECT_EQ(record.ScreenByHash(1).value(), std::nullopt);
  EXPECT_EQ(record.Activities().value(), std::vector<std::string>{"com.example.Main"});
  EXPECT_EQ(record.Append(StepNumber(6, 3), ScreenNumber(6)).value().number, 6);
}

TEST_F(RunRecordTest, CountsCrashesBySignature) {
  auto record = RunRecord::Create(folder_).value();
  StepRecord step = StepNumber(1, 1);
  step.crash = CrashAt(1);
  const auto first = record.Append(step, ScreenNumber(1)).value();
  ASSERT_TRUE(first.crash);
  EXPECT_EQ(first.crash->count, 1);
  EXPECT_EQ(first.crash->signature.frame, "com.example.A.b(A.java:1)");
  ASSERT_TRUE(record.SetCrashFiles(first.crash->id, "crashes/1.trace.jsonl", "screenshots/crash-1.png"));
  step.crash->stack += "\n\tat com.example.C.d(C.java:9)";  // The same signature with another stack.
  EXPECT_EQ(record.Append(step, ScreenNumber(1)).value().crash->count, 2);
  step.crash = CrashAt(2);
  EXPECT_EQ(record.Append(step, ScreenNumber(1)).value().crash->id, 2);
  step.crash = Crash{CrashCause::kAnr, "main", "ANR in com.example"};
  EXPECT_EQ(record.Append(step, ScreenNumber(1)).value().crash->id, 3);

  const std::vector<CrashEntry> crashes = record.Crashes().value();
  ASSERT_EQ(crashes.size(), 3u);
  EXPECT_EQ(crashes[0].crash, CrashAt(1));
  EXPECT_EQ(crashes[0].count, 2);
  EXPECT_EQ(crashes[0].first_step, 1);
  EXPECT_EQ(crashes[0].trace_file, "crashes/1.trace.jsonl");
  EXPECT_EQ(crashes[0].screenshot_file, "screenshots/crash-1.png");
  EXPECT_EQ(crashes[1].first_step, 3);
  EXPECT_EQ(crashes[2].crash.cause, CrashCause::kAnr);
}

TEST_F(RunRecordTest, CountsHostGapsByPlace) {
  auto record = RunRecord::Create(folder_).value();
  StepRecord step = StepNumber(1, 1);
  step.host_gap = {"android.media.MediaPlayer.create", "stack 1"};
  ASSERT_TRUE(record.Append(step, ScreenNumber(1)));
  step.host_gap->second = "stack 2";
  ASSERT_TRUE(record.Append(step, ScreenNumber(1)));
  const auto gaps = record.HostGaps().value();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].where, "android.media.MediaPlayer.create");
  EXPECT_EQ(gaps[0].stack, "stack 1");
  EXPECT_EQ(gaps[0].count, 2);
}

const AppMethod kRun{"app.Main", "run", "(I)V", 12, true};
const AppMethod kParse{"lib.Json", "parse", "()V", 0, false};
const AppMethod kHelp{"app.Help", "<init>", "()V", 3, true};

TEST_F(RunRecordTest, KeepsWhenEachMethodWasEnteredFirst) {
  {
    auto record = RunRecord::Create(folder_).value();
    for (int64_t i = 1; i <= 3; ++i) {
      StepRecord step = StepNumber(i, 1);
      step.event = i - 1;
      if (i == 1) step.entered = {kRun, kHelp};
      if (i == 3) step.entered = {kParse, kRun};
      ASSERT_TRUE(record.Append(step, ScreenNumber(i)));
    }
  }
  const auto covered = RunRecord::Open(folder_).value().Covered().value();
  ASSERT_EQ(covered.size(), 3u);
  EXPECT_EQ(covered[0].method, kHelp);
  EXPECT_EQ(covered[1].method, kRun);
  EXPECT_EQ(covered[1].first_step, 1);
  EXPECT_EQ(covered[1].first_event, 0);
  EXPECT_EQ(covered[2].method, kParse);
  EXPECT_EQ(covered[2].first_step, 3);
  EXPECT_EQ(covered[2].first_event, 2);
}

TEST_F(RunRecordTest, ARecordOfFormat1GoesOn) {
  {
    auto record = RunRecord::Create(folder_).value();
    ASSERT_TRUE(record.Append(StepNumber(1, 1), ScreenNumber(1)));
  }
  {
    auto database = Database::Open(Database(), Database::Mode::kExisting).value();
    ASSERT_TRUE(database->Execute("DROP TABLE methods; PRAGMA user_version=1"));
  }
  for (int64_t i = 2; i <= 3; ++i) {
    auto record = RunRecord::Open(folder_).value();
    StepRecord step = StepNumber(i, 1);
    step.entered = {kRun};
    ASSERT_TRUE(record.Append(step, ScreenNumber(i)));
    EXPECT_EQ(record.StepCount().value(), i);
    ASSERT_EQ(record.Covered().value().size(), 1u);
    EXPECT_EQ(record.Covered().value()[0].first_step, 2);
  }
}

TEST_F(RunRecordTest, AnExistingRecordIsNotOverwritten) {
  ASSERT_TRUE(RunRecord::Create(folder_));
  const auto again = RunRecord::Create(folder_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(again.error().message().find("--resume"), std::string::npos);
}

TEST_F(RunRecordTest, OfARunThatNeverBeganNothingIsLeft) {
  RunRecord::Create(folder_).value().Discard();
  EXPECT_TRUE(fs::is_empty(folder_));
  auto record = RunRecord::Create(folder_).value();
  ASSERT_TRUE(record.Append(StepNumber(1, 1), ScreenNumber(1)));
  record.Discard();
  EXPECT_EQ(record.LastStep().value()->episode, 1);
  EXPECT_TRUE(RunRecord::Open(folder_));
}

TEST_F(RunRecordTest, WhatAKilledCreationLeftBehindMayBeUsed) {
  fs::create_directories(folder_);
  ASSERT_TRUE(WriteFile(Database(), ""));
  EXPECT_EQ(RunRecord::Open(folder_).error().code(), ErrorCode::kBadInput);
  EXPECT_TRUE(RunRecord::Create(folder_));
}

TEST_F(RunRecordTest, ForeignFilesAreRefused) {
  EXPECT_EQ(RunRecord::Open(folder_).error().code(), ErrorCode::kNotFound);
  fs::create_directories(folder_);
  ASSERT_TRUE(WriteFile(Database(), std::string(5000, 'x')));
  EXPECT_EQ(RunRecord::Open(folder_).error().code(), ErrorCode::kBadInput);
  EXPECT_EQ(RunRecord::Create(folder_).error().code(), ErrorCode::kBadInput);
  fs::remove(Database());
  {
    auto foreign = Database::Open(Database(), Database::Mode::kCreate).value();
    ASSERT_TRUE(foreign->Execute("CREATE TABLE t (i INTEGER)"));
  }
  const auto opened = RunRecord::Open(folder_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::kBadInput);
  EXPECT_NE(opened.error().message().find("not a run record"), std::string::npos);
}

TEST_F(RunRecordTest, ANewerRecordIsRefusedWithTheRemedy) {
  ASSERT_TRUE(RunRecord::Create(folder_));
  {
    auto database = Database::Open(Database(), Database::Mode::kExisting).value();
    ASSERT_TRUE(database->Execute(("PRAGMA user_version=" + std::to_string(kRunRecordFormat + 1)).c_str()));
  }
  const auto opened = RunRecord::Open(folder_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(opened.error().message().find("update marmoset"), std::string::npos);
}

TEST_F(RunRecordTest, DamageIsAnErrorAndNeverACrash) {
  {
    auto record = RunRecord::Create(folder_).value();
    for (int64_t i = 1; i <= 20; ++i) ASSERT_TRUE(record.Append(StepNumber(i, 1), ScreenNumber(i)));
  }
  const std::string whole = ReadFile(Database()).value();
  int refused = 0;
  for (size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    fs::remove(folder_ / "run.sqlite-wal");
    fs::remove(folder_ / "run.sqlite-shm");
    // Not WriteFile: its sync would take most of the time of this test.
    std::ofstream(Database(), std::ios::binary) << damaged;
    auto record = RunRecord::Open(folder_);
    if (!record) {
      ++refused;
      continue;
    }
    // A changed byte inside a value may go unseen, or be seen only when the value is read.
    (void)record->LastStep();
    (void)record->EpisodeSteps(1);
    (void)record->Crashes();
    for (int64_t i = 1; i <= 20; ++i) (void)record->ScreenByHash(ContentHash(ScreenNumber(i)));
  }
  EXPECT_GT(refused, 0);
  ASSERT_TRUE(WriteFile(Database(), whole.substr(0, whole.size() / 2)));
  EXPECT_EQ(RunRecord::Open(folder_).error().code(), ErrorCode::kBadInput);
}

// Appends in a child process until it is killed; the child reports each committed step through a pipe.
TEST_F(RunRecordTest, AKilledProcessLosesAtMostTheStepInFlight) {
  ASSERT_TRUE(RunRecord::Create(folder_));
  int64_t before = 0;
  for (int round = 0; round < 20; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      auto record = RunRecord::Open(folder_);
      if (!record) _exit(1);
      for (int64_t i = before + 1;; ++i) {
        if (!record->Append(StepNumber(i, 1), ScreenNumber(i))) _exit(2);
        if (write(ends[1], "x", 1) != 1) _exit(3);
      }
    }
    close(ends[1]);
    // Somewhere inside the next Append, at a different place each time.
    char buffer[8];
    int64_t reported = 0;
    while (reported <= round) {
      const ssize_t n = read(ends[0], buffer, 1);
      ASSERT_GT(n, 0);
      reported += n;
    }
    usleep(static_cast<useconds_t>(round * 37));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    for (ssize_t n = 1; n > 0; reported += n) n = std::max<ssize_t>(read(ends[0], buffer, sizeof buffer), 0);
    close(ends[0]);

    auto record = RunRecord::Open(folder_);
    ASSERT_TRUE(record) << record.error().message();
    const int64_t count = record->StepCount().value();
    EXPECT_GE(count, before + reported);
    EXPECT_LE(count, before + reported + 1);  // Committed, but killed before the report.
    const auto last = record->LastStep().value();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->step, StepNumber(count, 1).step);
    EXPECT_EQ(last->state_after, StepNumber(count, 1).state_after);
    EXPECT_EQ(record->ScreenByHash(last->step.screen_after).value(), ScreenNumber(count));
    before = count;
  }
}

TEST_F(RunRecordTest, TwoWritersAreNoticed) {
  auto one = RunRecord::Create(folder_).value();
  auto two = RunRecord::Open(folder_).value();
  ASSERT_TRUE(one.Append(StepNumber(1, 1), ScreenNumber(1)));
  const auto second = two.Append(StepNumber(1, 1), ScreenNumber(2));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find("another process"), std::string::npos);
  EXPECT_EQ(one.StepCount().value(), 1);
  EXPECT_EQ(one.ScreenByHash(ContentHash(ScreenNumber(2))).value(), std::nullopt);
}

// A limit on the size of files stands in for a full disk: writing past it fails the same way.
TEST_F(RunRecordTest, AFullDiskIsSaidAndKeepsWhatWasCommitted) {
  ASSERT_TRUE(RunRecord::Create(folder_));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300'000, 300'000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
    auto record = RunRecord::Open(folder_);
    if (!record) _exit(2);
    for (int64_t i = 1; i < 100'000; ++i) {
      const auto appended = record->Append(StepNumber(i, 1), ScreenNumber(i));
      if (appended) continue;
      const std::string& message = appended.error().message();
      const bool good = appended.error().code() == ErrorCode::kIo &&
                        message.find("run.sqlite") != std::string::npos &&
                        message.find("free some space") != std::string::npos;
      if (!good) fprintf(stderr, "%s\n", message.c_str());
      // What was committed can still be read.
      _exit(good && i > 1 && record->StepCount() && record->StepCount().value() == i - 1 ? 0 : 3);
    }
    _exit(4);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  auto record = RunRecord::Open(folder_);
  ASSERT_TRUE(record) << record.error().message();
  const int64_t count = record->StepCount().value();
  EXPECT_GT(count, 0);
  EXPECT_TRUE(record->Append(StepNumber(count + 1, 1), ScreenNumber(count + 1)));
}

}  // namespace
}  // namespace marmoset
