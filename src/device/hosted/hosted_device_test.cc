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
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;
using ::testing::StartsWith;

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

int64_t CountProcesses(const std::string& name) {
  const auto found = RunToEnd({"pgrep", "-c", "-x", name}, 5000);
  return found ? std::stoll("0" + found->output) : -1;
}

TEST(HostedDevice, HoldsAHostileApp) {
  if (!EnvironmentVariable("MARMOSET_HOSTED_TESTS"))
    GTEST_SKIP() << "slow: set MARMOSET_HOSTED_TESTS, or run ctest -L hosted";
  ::setenv("MARMOSET_SECRET", "a token of the user's", 1);
  const fs::path apk = fs::path(MARMOSET_SAMPLES) / "../build/samples/hostile.apk";
  if (!fs::exists(apk)) GTEST_SKIP() << "no hostile.apk: run samples/build build/samples";
  Result<HostedInstallation> installation = FindHostedInstallation({});
  if (!installation) GTEST_SKIP() << installation.error().message();
  Result<ConvertedApp> app = ConvertApp(*installation, apk, false, [] {}, {});
  ASSERT_TRUE(app) << app.error().message();
  Result<TemporaryFolder> folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  const auto installed = Snapshot(installation->folder);
  const int64_t sleepers = CountProcesses("sleep");

  auto device = HostedDevice::Start(*installation, *app, {}, folder->path() / "log", {});
  ASSERT_TRUE(device) << device.error().message();
  const auto only = EnvironmentVariable("MARMOSET_ATTACK");  // For a closer look at one of them.
  for (const Attack& attack : Attacks()) {
    if (only && attack.name != *only) continue;
    SCOPED_TRACE(attack.name);
    std::string survivors;
    const int64_t begin = SystemClock().NowMs();
    const std::string verdict = Attempt(**device, attack.name, survivors);
    std::cout << attack.name << " (" << SystemClock().NowMs() - begin << " ms): " << FirstLine(verdict)
              << std::endl;
    EXPECT_THAT(verdict, attack.verdict);
    EXPECT_EQ(survivors, kNothing);
  }
  std::string survivors;
  Attempt(**device, "exit", survivors);
  EXPECT_EQ(survivors, kNothing) << "after the last";

  EXPECT_EQ(Snapshot(installation->folder), installed);
  EXPECT_EQ(CountProcesses("sleep"), sleepers);
  for (const char* path : {"/hostile", "/hostile2", "/tmp/hostile", "/var/tmp/hostile", "/dev/shm/hostile"})
    EXPECT_FALSE(fs::exists(path)) << path;
  EXPECT_LT(fs::file_size(folder->path() / "log"), 1u << 20);
}

}  // namespace
}  // namespace marmoset
