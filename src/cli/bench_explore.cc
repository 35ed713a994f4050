// `marmoset bench explore APP…`: strategies compared on apps, with several seeds each.
//
// Every (app, strategy, seed) is a run of its own: a run record below OUT/runs, and beside it curve.csv once
// the run is complete. So an interrupted study goes on where it was. The tables, the statistics and the
// charts are made from the curves of all runs.

#include <algorithm>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/statistics.h"
#include "cli/app_under_test.h"
#include "cli/bench.h"
#include "explore/explorer.h"
#include "report/chart.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::vector<std::string> apps;
  std::vector<std::string> strategies = {"ape", "monkey", "random"};
  uint32_t seeds = 10;
  int64_t events = 5000;
  uint32_t jobs = 1;
  std::string out;
  DeviceFlags device;
};

// What is compared. Methods are the app's own, without libraries.
enum Measure { kActivities, kMethods, kCrashes, kScreens, kMeasures };
constexpr const char* kMeasureNames[kMeasures] = {"activities", "methods", "crashes", "screens"};

// How many points a curve has beside its start.
constexpr int64_t kPoints = 50;

struct RunKey {
  std::string app;  // Its file's name without ending.
  std::string strategy;
  uint64_t seed = 0;

  std::string Name() const { return fmt::format("{}-{}-{}", app, strategy, seed); }
  friend auto operator<=>(const RunKey&, const RunKey&) = default;  // NOLINT(modernize-use-nullptr)
};

struct Sample {
  int64_t events = 0;
  std::array<double, kMeasures> values{};
};
using Samples = std::vector<Sample>;  // By events; the last is the run's end.

Sample SampleOf(const ExploreProgress& p) {
  return {p.events,
          {static_cast<double>(p.activities), static_cast<double>(p.methods.own_entered),
           static_cast<double>(p.crashes), static_cast<double>(p.screens)}};
}

std::string ToCsv(const Samples& samples) {
  std::string csv = "events";
  for (const char* name : kMeasureNames) csv += fmt::format(",{}", name);
  csv += '\n';
  for (const Sample& s : samples) {
    csv += fmt::format("{}", s.events);
    for (const double value : s.values) csv += fmt::format(",{}", value);
    csv += '\n';
  }
  return csv;
}

Result<Samples> ReadCsv(const fs::path& file) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(file));
  std::istringstream in(text);
  Samples samples;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Sample s;
    fields >> s.events;
    for (double& value : s.values) fields >> value;
    if (!fields)
      return Fail(ErrorCode::kBadInput, "{}: line {} is damaged: delete the file, and the run is done again",
                  file.string(), samples.size() + 2);
    samples.push_back(s);
  }
  if (samples.empty()) return Fail(ErrorCode::kBadInput, "{}: empty: delete it", file.string());
  return samples;
}

// One run from its beginning to its end; what a complete one left is read again.
Result<Samples> DoRun(const RunKey& key, const fs::path& apk, const Flags& flags, std::stop_token stop) {
  const fs::path folder = fs::path(flags.out) / "runs" / key.Name();
  const fs::path done = folder / "curve.csv";
  if (fs::exists(done)) return ReadCsv(done);
  std::error_code ignored;
  fs::remove_all(folder, ignored);  // A run that was cut off: its curve is not known.
  MARMOSET_TRY(MakeWritableFolder(folder));
  MARMOSET_ASSIGN(RunRecord record, RunRecord::Create(folder));
  MARMOSET_ASSIGN(AppUnderTest app, OpenApp(apk, flags.device, nullptr, folder / "device.log", stop));
  MARMOSET_ASSIGN(const std::unique_ptr<Strategy> strategy,
                  MakeStrategy(key.strategy, {.intents = app.intents, .texts = app.texts}));
  ExploreOptions options;
  options.events = flags.events;
  options.seed = key.seed;
  app.header.origin = fmt::format("marmoset explore --strategy {} --seed {}", key.strategy, key.seed);
  Samples samples(1);
  const int64_t distance = std::max<int64_t>(1, flags.events / kPoints);
  MARMOSET_ASSIGN(const ExploreResult result, Explore({*app.device, record, SystemClock(), stop}, app.header,
                                                      options, *strategy, [&](const ExploreProgress& p) {
                                                        if (p.events >= samples.back().events + distance)
                                                          samples.push_back(SampleOf(p));
                                                      }));
  if (result.end == ExploreEnd::kStopped) return Fail(ErrorCode::kCancelled, "stopped");
  if (result.total.events > samples.back().events) samples.emplace_back();
  samples.back() = SampleOf(result.total);
  samples.back().events = flags.events;  // Also if the app does not stay up: nothing more would come.
  MARMOSET_TRY(WriteFile(done, ToCsv(samples)));
  return samples;
}

using Study = std::map<RunKey, Samples>;

Result<Study> DoAll(const Flags& flags, std::stop_token stop) {
  std::vector<std::pair<RunKey, fs::path>> todo;
  for (uint64_t seed = 1; seed <= flags.seeds; ++seed)
    for (const std::string& app : flags.apps)
      for (const std::string& strategy : flags.strategies)
        todo.push_back({{fs::path(app).stem().string(), strategy, seed}, app});
  Study study;
  std::mutex mutex;  // Guards what follows, and the study.
  size_t next = 0;
  std::optional<Error> failed;
  ProgressLine line;
  const auto work = [&] {
    while (true) {
      std::pair<RunKey, fs::path> run;
      {
        const std::lock_guard lock(mutex);
        if (failed || next == todo.size()) return;
        run = todo[next++];
        line.Show(fmt::format("{} {} of {} runs done, at {}",
                              Bar(1.0 * static_cast<double>(study.size()) / static_cast<double>(todo.size())),
                              study.size(), todo.size(), run.first.Name()));
      }
      Result<Samples> samples = DoRun(run.first, run.second, flags, stop);
      const std::lock_guard lock(mutex);
      if (samples)
        study[run.first] = std::move(*samples);
      else if (!failed)
        failed = std::move(samples).error().Within(run.first.Name());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (uint32_t i = 1; i < flags.jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failed) return Fail(std::move(*failed));
  return study;
}

// The value of a run at `events`: that of the last sample before.
double ValueAt(const Samples& samples, int64_t events, Measure measure) {
  double value = 0;
  for (const Sample& s : samples)
    if (s.events <= events) value = s.values[measure];
  return value;
}

// By seed.
std::vector<double> ValuesAt(const Study& study, const std::string& app, const std::string& strategy,
                             int64_t events, Measure measure) {
  std::vector<double> values;
  for (const auto& [key, samples] : study)
    if (key.app == app && key.strategy == strategy) values.push_back(ValueAt(samples, events, measure));
  return values;
}

Chart ChartOf(const Study& study, const Flags& flags, const std::string& app, Measure measure) {
  Chart chart;
  chart.title =
      fmt::format("{}: {} (median of {} seeds, quartiles)", app, kMeasureNames[measure], flags.seeds);
  chart.x_label = "events";
  chart.y_label = kMeasureNames[measure];
  for (const std::string& strategy : flags.strategies) {
    Curve curve;
    curve.name = strategy;
    for (int64_t i = 0; i <= kPoints; ++i) {
      const int64_t events = flags.events * i / kPoints;
      const std::vector<double> values = ValuesAt(study, app, strategy, events, measure);
      curve.points.push_back(
          {static_cast<double>(events), Median(values), Quantile(values, 0.25), Quantile(values, 0.75)});
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

// The first strategy against each of the others, by one measure at the end.
void Compare(const Study& study, const Flags& flags, const std::string& app, Measure measure,
             VerbResult& verb) {
  const std::vector<double> first = ValuesAt(study, app, flags.strategies[0], flags.events, measure);
  for (size_t i = 1; i < flags.strategies.size(); ++i) {
    const std::vector<double> other = ValuesAt(study, app, flags.strategies[i], flags.events, measure);
    const double effect = EffectSize(first, other), p = MannWhitney(first, other);
    verb.json["comparisons"].push_back({{"app", app},
                                        {"measure", kMeasureNames[measure]},
                                        {"strategy", flags.strategies[0]},
                                        {"against", flags.strategies[i]},
                                        {"a12", effect},
                                        {"p", p}});
    verb.text += fmt::format("  {:<11} {} against {:<10} A12 {:.2f}, p {:.4f}\n", kMeasureNames[measure],
                             flags.strategies[0], flags.strategies[i], effect, p);
  }
}

Result<VerbResult> Report(const Study& study, const Flags& flags) {
  VerbResult verb;
  std::string runs_csv = "app,strategy,seed";
  std::string curves_csv = "app,strategy,seed,events";
  for (std::string* csv : {&runs_csv, &curves_csv}) {
    for (const char* name : kMeasureNames) *csv += fmt::format(",{}", name);
    *csv += '\n';
  }
  for (const auto& [key, samples] : study) {
    const std::string head = fmt::format("{},{},{}", key.app, key.strategy, key.seed);
    runs_csv += head;
    for (const double value : samples.back().values) runs_csv += fmt::format(",{}", value);
    runs_csv += '\n';
    for (const Sample& s : samples) {
      curves_csv += fmt::format("{},{}", head, s.events);
      for (const double value : s.values) curves_csv += fmt::format(",{}", value);
      curves_csv += '\n';
    }
  }
  const fs::path out = flags.out;
  MARMOSET_TRY(WriteFile(out / "runs.csv", runs_csv));
  MARMOSET_TRY(WriteFile(out / "curves.csv", curves_csv));
  for (const std::string& file : flags.apps) {
    const std::string app = fs::path(file).stem().string();
    verb.text += fmt::format("{}, {} events, {} seeds: median (quartiles)\n  {:<11}", app, flags.events,
                             flags.seeds, "");
    for (const char* name : kMeasureNames) verb.text += fmt::format(" {:>22}", name);
    verb.text += '\n';
    for (const std::string& strategy : flags.strategies) {
      verb.text += fmt::format("  {:<11}", strategy);
      Json row = {{"app", app}, {"strategy", strategy}};
      for (int m = 0; m < kMeasures; ++m) {
        const std::vector<double> values =
            ValuesAt(study, app, strategy, flags.events, static_cast<Measure>(m));
        const double median = Median(values);
        verb.text += fmt::format(" {:>22}", fmt::format("{:g} ({:g} to {:g})", median, Quantile(values, 0.25),
                                                        Quantile(values, 0.75)));
        row[kMeasureNames[m]] = {{"median", median}, {"values", values}};
      }
      verb.text += '\n';
      verb.json["runs"].push_back(std::move(row));
    }
    for (int m = 0; m < kMeasures; ++m) {
      Compare(study, flags, app, static_cast<Measure>(m), verb);
      const fs::path svg = out / fmt::format("{}-{}.svg", app, kMeasureNames[m]);
      MARMOSET_TRY(WriteFile(svg, ToSvg(ChartOf(study, flags, app, static_cast<Measure>(m)))));
    }
    verb.text += '\n';
  }
  verb.json["out"] = out.string();
  verb.text += fmt::format("Curves, one line per run, charts: {}\n", out.string());
  return verb;
}

// What decides the runs, one line each: "events 5000", "app ledger SHA256".
Result<std::map<std::string, std::string>> OptionsOf(const Flags& flags) {
  std::map<std::string, std::string> options = {
      {"events", std::to_string(flags.events)},
      {"profile", flags.device.profile.empty() ? "phone" : flags.device.profile},
      {"display", flags.device.display.empty() ? "default" : flags.device.display},
      {"sdk", flags.device.sdk == 0 ? "default" : std::to_string(flags.device.sdk)}};
  for (const std::string& app : flags.apps) {
    MARMOSET_ASSIGN(options["app " + fs::path(app).stem().string()], Sha256OfFile(app));
  }
  return options;
}

// Runs made otherwise would be mixed up with these. Apps may come and go: their runs stand beside each other.
Status CheckOptions(const Flags& flags) {
  const fs::path out = flags.out, file = out / "runs" / "options";
  MARMOSET_ASSIGN(auto options, OptionsOf(flags));
  if (const Result<std::string> before = ReadFile(file)) {
    std::istringstream lines(*before);
    for (std::string line; std::getline(lines, line);) {
      const size_t space = line.rfind(' ');
      if (space == std::string::npos) continue;
      const auto [it, added] = options.emplace(line.substr(0, space), line.substr(space + 1));
      if (!added && it->second != line.substr(space + 1))
        return Fail(ErrorCode::kBadInput, "{}: its runs have {}, not {}; choose another folder with --out",
                    out.string(), line, it->second);
    }
  }
  std::string text;
  for (const auto& [name, value] : options) text += fmt::format("{} {}\n", name, value);
  return WriteFile(file, text);
}

Result<VerbResult> RunBenchExplore(const Flags& given, Shared& shared) {
  Flags flags = given;
  flags.device.coverage = true;
  for (const std::string& app : flags.apps)
    if (!fs::exists(app)) return Fail(ErrorCode::kNotFound, "{}: no such file", app);
  std::vector<std::string> names;
  for (const std::string& app : flags.apps) names.push_back(fs::path(app).stem().string());
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    return Fail(ErrorCode::kBadInput, "two apps are called {}: the runs could not be told apart", *twice);
  for (const std::string& strategy : flags.strategies)
    MARMOSET_TRY(MakeStrategy(strategy, {}).map([](const auto&) {}));
  MARMOSET_ASSIGN(const fs::path out, OutputFolder(flags.out, "bench-explore"));
  flags.out = out.string();
  MARMOSET_TRY(MakeWritableFolder(out / "runs"));
  MARMOSET_TRY(CheckOptions(flags));
  Result<Study> study = DoAll(flags, shared.stop.get_token());
  if (!study)
    return Fail(std::move(study.error())
                    .Within(fmt::format("the study ended early (go on with --out {})", out.string())));
  return Report(*study, flags);
}

}  // namespace

void AddBenchExplore(CLI::App& bench, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb =
      bench.add_subcommand("explore", "Compare strategies of exploration on apps, with statistics");
  verb->add_option("apps", flags->apps, "APKs (or app models, *.yaml)")->required();
  verb->add_option("--strategies", flags->strategies, "The first is compared with each of the others")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--seeds", flags->seeds, "Runs of each strategy on each app")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--events", flags->events, "Steps of each run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--jobs", flags->jobs, "Runs at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  verb->add_option("--out", flags->out,
                   "Folder for the runs, tables and charts; an interrupted study goes on from it (default: "
                   "marmoset-out/bench-explore)");
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunBenchExplore(*flags, shared); }); });
}

}  // namespace marmoset::cli
