// The hosted device against an app that wants to break out of it (samples/hostile): a real JVM in the real
// sandbox. All attacks are made on one device, one after the other, so that each shows what the one before
// has left behind.
//
// ctest -L hosted; it takes a minute or two. Skipped where hosted/setup build/hosted or samples/build
// build/samples has not been run.

#include "device/hosted/hosted_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>
#include <iostream>
#include <map>

#include "base/clock.h"
#include "base/environment.h"
#include "base/subprocess.h"

namespace marmoset {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Matcher;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr char kNothing[] = "survivors: []";

struct Attack {
  std::string name;
  Matcher<std::string> verdict;  // Of what Attempt makes of the outcome.
};

// What the device makes of each attack: a crash as a phone would report it, an end of the process, or what
// the app was told when it asked.
const std::vector<Attack>& Attacks() {
  const auto out_of_memory = StartsWith("crash java.lang.OutOfMemoryError");
  const auto no_process = AllOf(HasSubstr("IOException"), Not(HasSubstr("returned")));
  static const std::vector<Attack> attacks = {
      {"plant", StartsWith("planted")},
      {"immortal", StartsWith("started")},
      {"background", StartsWith("planned 1 job")},
      {"loop", StartsWith("anr")},
      {"recursion", StartsWith("crash java.lang.StackOverflowError")},
      {"heap", out_of_memory},
      {"direct", out_of_memory},
      {"bitmaps", out_of_memory},
      {"threads", out_of_memory},
      {"spinners", AnyOf(StartsWith("anr"), StartsWith("started"))},
      {"fork", no_process},
      {"hidden fork", no_process},
      {"exit", StartsWith("exited")},
      // By reflection it ends the JVM, and the host cannot say why.
      {"hidden exit", StartsWith("lost")},
      {"hidden halt", StartsWith("lost")},
      {"kill", StartsWith("exited")},
      {"socket", HasSubstr("Exception")},
      {"name", HasSubstr("UnknownHostException")},
      {"read", StartsWith("read []")},
      {"hidden read", StartsWith("read []")},
      {"write", StartsWith("wrote []")},
      {"hidden write", StartsWith("wrote []")},
      {"environment", Not(HasSubstr("MARMOSET_SECRET"))},
      {"hidden environment", Not(HasSubstr("MARMOSET_SECRET"))},
      {"file", HasSubstr("IOException")},
      {"log", AnyOf(StartsWith("logged"), StartsWith("anr"))},
      {"print", AnyOf(StartsWith("printed"), StartsWith("anr"))},
      {"answer", StartsWith("answered")},
      {"question", StartsWith("read -1")},
      {"handler", HasSubstr("crash java.lang.AssertionError: the app's")},
      {"hidden handler", HasSubstr("crash java.lang.AssertionError: the app's")},
      {"swallow", StartsWith("exited")},
  };
  return attacks;
}

// The text of the widget whose text begins with `label`; empty where there is none.
std::string Labelled(const Screen& screen, const std::string& label) {
  for (const Window& window : screen.windows)
    for (const Widget& widget : window.widgets)
      if (widget.text.starts_with(label)) return widget.text;
  return {};
}

std::optional<Point> Find(const Screen& screen, const std::string& text) {
  for (const Window& window : screen.windows)
    for (const Widget& widget : window.widgets)
      if (widget.text == text) return widget.bounds.center();
  return std::nullopt;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// What became of one attack on a clean device, in a word and its particulars.
std::string Attempt(HostedDevice& device, const std::string& name, std::string& survivors) {
  if (Status reset = device.Reset({}); !reset) return "reset: " + reset.error().message();
  Result<Outcome> launched = device.Perform(Launch{});
  if (!launched) return "launch: " + launched.error().message();
  Result<Screen> screen = device.Observe();
  if (!screen) return "observe: " + screen.error().message();
  survivors = Labelled(*screen, "survivors: ");
  const auto at = Find(*screen, name);
  if (!at) return "no such button";
  Result<Outcome> done = device.Perform(Tap{*at});
  if (!done) return "lost: " + done.error().message();
  if (!done->process_died()) {
    screen = device.Observe();
    if (!screen) return "lost: " + screen.error().message();
    done->Append(device.TakeLate());
  }
  if (done->crash)
    return (done->crash->cause == CrashCause::kAnr ? "anr " : "crash ") + FirstLine(done->crash->stack);
  if (done->host_gap) return "host gap " + done->host_gap->where + "\n" + done->host_gap->stack;
  if (done->exited) return "exited";
  const std::string result = Labelled(*screen, "result: ");
  return result.substr(std::min(result.size(), std::string("result: ").size()));
}

// Size and time of every file below a folder.
std::map<std::string, std::pair<int64_t, int64_t>> Snapshot(const fs::path& folder) {
  std::map<std::string, std::pair<int64_t, int64_t>> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    struct stat s {};
    if (::lstat(entry.path().c_str(), &s) == 0) all[entry.path()] = {s.st_size, s.st_mtim.tv_nsec};
  }
  return all;
}

// The processes that the app's attempt to fork would leave, if it came through.
int64_t CountSleepers() {
  const auto found = RunToEnd({"pgrep", "-c", "-f", "-x", "sleep 1000"}, 5000);
  return found ? std::stoll("0" + found->output) : -1;
}

class HostedDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!EnvironmentVariable("MARMOSET_HOSTED_TESTS"))
      GTEST_SKIP() << "slow: set MARMOSET_HOSTED_TESTS, or run ctest -L hosted";
    ::setenv("MARMOSET_SECRET", "a token of the user's", 1);
    const fs::path apk = fs::path(MARMOSET_SAMPLES) / "../build/samples/hostile.apk";
    if (!fs::exists(apk)) GTEST_SKIP() << "no hostile.apk: run samples/build build/samples";
    Result<HostedInstallation> installation = FindHostedInstallation({});
    if (!installation) GTEST_SKIP() << installation.error().message();
    installation_ = std::move(*installation);
    Result<ConvertedApp> app = ConvertApp(installation_, apk, false, [] {}, {});
    ASSERT_TRUE(app) << app.error().message();
    app_ = std::move(*app);
    Result<TemporaryFolder> folder = TemporaryFolder::Make();
    ASSERT_TRUE(folder);
    log_.emplace(std::move(*folder));
  }

  std::unique_ptr<HostedDevice> StartDevice() {
    auto device = HostedDevice::Start(installation_, app_, {}, log(), {});
    EXPECT_TRUE(device) << device.error().message();
    return device ? std::move(*device) : nullptr;
  }

  fs::path log() const { return log_->path() / "log"; }

  HostedInstallation installation_;

 private:
  ConvertedApp app_;
  std::optional<TemporaryFolder> log_;
};

TEST_F(HostedDeviceTest, HoldsAHostileApp) {
  const auto installed = Snapshot(installation_.folder);
  const int64_t sleepers = CountSleepers();

  const std::unique_ptr<HostedDevice> device = StartDevice();
  ASSERT_TRUE(device);
  const auto only = EnvironmentVariable("MARMOSET_ATTACK");  // For a closer look at one of them.
  for (const Attack& attack : Attacks()) {
    if (only && attack.name != *only) continue;
    SCOPED_TRACE(attack.name);
    std::string survivors;
    const int64_t begin = SystemClock().NowMs();
    const std::string verdict = Attempt(*device, attack.name, survivors);
    std::cout << attack.name << " (" << SystemClock().NowMs() - begin << " ms): " << FirstLine(verdict)
              << std::endl;
    EXPECT_THAT(verdict, attack.verdict);
    EXPECT_EQ(survivors, kNothing);
  }
  std::string survivors;
  Attempt(*device, "exit", survivors);
  EXPECT_EQ(survivors, kNothing) << "after the last";

  EXPECT_EQ(Snapshot(installation_.folder), installed);
  EXPECT_EQ(CountSleepers(), sleepers);
  for (const char* path : {"/hostile", "/hostile2", "/tmp/hostile", "/var/tmp/hostile", "/dev/shm/hostile"})
    EXPECT_FALSE(fs::exists(path)) << path;
  EXPECT_LT(fs::file_size(log()), 1u << 20);
}

// Performs an action; what the app then said about its work in the background.
std::vector<std::string> Said(HostedDevice& device, const Action& action) {
  std::vector<std::string> said;
  const Result<Outcome> outcome = device.Perform(action);
  if (!outcome) return {outcome.error().message()};
  if (outcome->crash) return {outcome->crash->stack};
  if (outcome->host_gap) return {outcome->host_gap->stack};
  for (const LogLine& line : outcome->log)
    if (line.tag == "background" || line.tag == "marmoset") said.push_back(line.message);
  return said;
}

TEST_F(HostedDeviceTest, AlarmsJobsAndNotificationsComeInTimeAndDieWithTheProcess) {
  const std::unique_ptr<HostedDevice> device = StartDevice();
  ASSERT_TRUE(device);
  const auto tap = [&](const std::string& text) -> Action {
    const auto at = Find(device->Observe().value(), text);
    EXPECT_TRUE(at) << text;
    return Tap{at.value_or(Point{})};
  };
  const auto notifications = [&] { return device->Observe().value().notifications; };
  const PressKey shade{"NOTIFICATION"};
  const std::string message = "One new message\nCome back";

  ASSERT_TRUE(device->Reset({}));
  ASSERT_TRUE(device->Perform(Launch{}));
  EXPECT_THAT(Said(*device, tap("background")),
              UnorderedElementsAre("alarm later", "alarm of a listener", "job 7 sync"));
  EXPECT_THAT(Said(*device, Wait{9000}), IsEmpty()) << "the job waits to be run again";
  EXPECT_THAT(Said(*device, Wait{2000}), ElementsAre("job 7 sync"));
  EXPECT_THAT(Said(*device, Wait{60'000}), IsEmpty()) << "it has done its work";

  EXPECT_EQ(notifications(), 1);
  EXPECT_THAT(Said(*device, shade), IsEmpty());
  EXPECT_EQ(device->Observe()->package, "com.android.systemui");
  EXPECT_THAT(Said(*device, tap("Snooze")), ElementsAre("alarm snoozed"));
  EXPECT_EQ(device->Observe()->package, "org.marmoset.hostile") << "the shade is closed";
  EXPECT_EQ(notifications(), 1);
  Said(*device, shade);
  EXPECT_THAT(Said(*device, tap(message)), ElementsAre("opened from notification"));
  EXPECT_EQ(notifications(), 0);
  Said(*device, Swipe{{500, 20}, {500, 900}});
  EXPECT_EQ(Labelled(*device->Observe(), "No"), "No notifications") << "pulled from the status bar";
  Said(*device, PressKey{"BACK"});
  EXPECT_EQ(device->Observe()->package, "org.marmoset.hostile");

  Said(*device, tap("background"));
  EXPECT_EQ(notifications(), 1);
  Said(*device, shade);
  Said(*device, tap("Clear all"));
  EXPECT_EQ(notifications(), 0);
  Said(*device, tap("background"));
  ASSERT_TRUE(device->Reset({}));
  ASSERT_TRUE(device->Perform(Launch{}));
  EXPECT_EQ(notifications(), 0);
  EXPECT_THAT(Said(*device, Wait{60'000}), IsEmpty());
}

}  // namespace
}  // namespace marmoset
