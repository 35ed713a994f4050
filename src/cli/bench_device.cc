// `marmoset bench device APP…`: how fast a device is with an app on it.
//
// Only the device's own time counts: from a request to its answer, without the strategy and the run record.
// The first run of an app on this machine also converts it, which is done before and not counted.

#include <algorithm>
#include <chrono>

#include "base/clock.h"
#include "base/statistics.h"
#include "cli/app_under_test.h"
#include "cli/bench.h"
#include "explore/explorer.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::vector<std::string> apps;
  uint32_t restarts = 30;
  int64_t actions = 500;
  uint32_t starts = 3;
  uint64_t seed = 1;
  DeviceFlags device;
};

// Adds to `times` how long the work takes, in milliseconds.
template <typename Work>
auto Timed(std::vector<double>& times, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = work();
  times.push_back(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  return result;
}

// Notes how long each request takes, in milliseconds.
class TimedDevice : public Device {
 public:
  explicit TimedDevice(Device& inner) : inner_(inner) {}
  const DeviceInfo& info() const override { return inner_.info(); }
  Status Reset(const ResetOptions& options) override { return inner_.Reset(options); }
  void BeginStep(int64_t at_ms) override { inner_.BeginStep(at_ms); }
  Outcome TakeLate() override { return inner_.TakeLate(); }
  Result<std::string> Screenshot() override { return inner_.Screenshot(); }

  Result<Outcome> Perform(const Action& action) override {
    return Timed(performs, [&] { return inner_.Perform(action); });
  }
  Result<Screen> Observe() override {
    return Timed(observes, [&] { return inner_.Observe(); });
  }

  std::vector<double> performs;
  std::vector<double> observes;

 private:
  Device& inner_;
};

// From nothing running to the app's first screen.
Status FirstScreen(Device& device, uint64_t seed) {
  MARMOSET_TRY(device.Reset({.seed = seed}));
  MARMOSET_TRY(device.Perform(Launch{}).map([](const Outcome&) {}));
  return device.Observe().map([](const Screen&) {});
}

// Medians, in milliseconds.
struct Speed {
  double cold_start = 0;  // Of a new JVM, to the first screen.
  double restart = 0;     // Of the app in a running JVM, to the first screen.
  double perform = 0;
  double observe = 0;
  double screenshot = 0;
  double actions_per_second = 0;  // Each with a look at the screen; of the whole walk, restarts left out.
};

Result<Speed> Measure(const std::string& file, const Flags& flags, std::stop_token stop, ProgressLine& line) {
  MARMOSET_ASSIGN(const TemporaryFolder scratch, TemporaryFolder::Make());
  MARMOSET_ASSIGN(AppUnderTest app,
                  OpenApp(file, flags.device, nullptr, scratch.path() / "device.log", stop));
  const std::string name = fs::path(file).filename().string();
  Speed speed;
  std::vector<double> times;
  for (uint32_t i = 0; i < flags.starts; ++i) {
    line.Show(fmt::format("{}: start {} of {}", name, i + 1, flags.starts));
    if (app.renew) app.renew();  // An app model has nothing to start anew.
    MARMOSET_TRY(Timed(times, [&] { return FirstScreen(*app.device, flags.seed); }));
  }
  speed.cold_start = Median(times);

  // The walk comes before the restarts, so that these find a warm JVM.
  TimedDevice timed(*app.device);
  {
    MARMOSET_ASSIGN(RunRecord record, RunRecord::Create(scratch.path() / "run"));
    MARMOSET_ASSIGN(const std::unique_ptr<Strategy> strategy, MakeStrategy("random", {}));
    ExploreOptions options;
    options.events = flags.actions;
    options.seed = flags.seed;
    MARMOSET_ASSIGN(const ExploreResult result,
                    Explore({timed, record, SystemClock(), stop}, app.header, options, *strategy,
                            [&](const ExploreProgress& p) {
                              line.Show(fmt::format("{}: action {} of {}", name, p.events, p.wanted_events));
                            }));
    if (result.end == ExploreEnd::kStopped) return Fail(ErrorCode::kCancelled, "stopped");
  }
  if (timed.performs.empty() || timed.observes.empty())
    return Fail(ErrorCode::kInternal, "{}: no action was done", file);
  double total = 0;
  for (const std::vector<double>* part : {&timed.performs, &timed.observes})
    for (const double ms : *part) total += ms;
  speed.perform = Median(timed.performs);
  speed.observe = Median(timed.observes);
  speed.actions_per_second = 1000.0 * static_cast<double>(timed.performs.size()) / total;

  times.clear();
  for (uint32_t i = 0; i < flags.restarts; ++i) {
    line.Show(fmt::format("{}: restart {} of {}", name, i + 1, flags.restarts));
    MARMOSET_TRY(Timed(times, [&] { return FirstScreen(*app.device, flags.seed); }));
  }
  speed.restart = Median(times);

  times.clear();
  for (int i = 0; i < 10; ++i) {
    const Result<std::string> png = Timed(times, [&] { return app.device->Screenshot(); });
    if (!png && png.error().code() == ErrorCode::kUnsupported) break;
    MARMOSET_TRY(png.map([](const std::string&) {}));
  }
  speed.screenshot = Median(times);
  return speed;
}

Result<VerbResult> RunBenchDevice(const Flags& flags, Shared& shared) {
  VerbResult verb;
  verb.text = fmt::format("{:<24} {:>12} {:>9} {:>9} {:>9} {:>12} {:>10}\n", "median, ms", "cold start",
                          "restart", "action", "screen", "screenshot", "actions/s");
  verb.json["apps"] = Json::array();
  ProgressLine line;
  for (const std::string& file : flags.apps) {
    MARMOSET_ASSIGN(const Speed s, Measure(file, flags, shared.stop.get_token(), line));
    const std::string name = fs::path(file).stem().string();
    verb.text +=
        fmt::format("{:<24} {:>12.0f} {:>9.1f} {:>9.2f} {:>9.2f} {:>12.1f} {:>10.1f}\n", name, s.cold_start,
                    s.restart, s.perform, s.observe, s.screenshot, s.actions_per_second);
    verb.json["apps"].push_back({{"app", name},
                                 {"cold_start_ms", s.cold_start},
                                 {"restart_ms", s.restart},
                                 {"action_ms", s.perform},
                                 {"screen_ms", s.observe},
                                 {"screenshot_ms", s.screenshot},
                                 {"actions_per_second", s.actions_per_second}});
  }
  return verb;
}

}  // namespace

void AddBenchDevice(CLI::App& bench, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb = bench.add_subcommand("device", "How fast a device is: start, restart, action, screenshot");
  verb->add_option("apps", flags->apps, "APKs (or app models, *.yaml)")->required();
  verb->add_option("--starts", flags->starts, "Starts of a new JVM")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  verb->add_option("--actions", flags->actions, "Random actions, each with a look at the screen")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--restarts", flags->restarts, "Restarts of the app in the same JVM")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb->add_option("--seed", flags->seed, "Seed of the actions")->capture_default_str();
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunBenchDevice(*flags, shared); }); });
}

}  // namespace marmoset::cli
