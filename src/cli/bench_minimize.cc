// `marmoset bench minimize [DIR…]`: what every method of minimization costs on recorded and generated traces.

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "base/log.h"
#include "base/statistics.h"
#include "cli/app_under_test.h"
#include "cli/bench.h"
#include "cli/step_pictures.h"
#include "cli/verbs.h"
#include "minimize/compare.h"
#include "trace/import.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::vector<std::string> folders;
  std::string apps;
  std::vector<std::string> methods;
  uint32_t devices = 1;
  DeviceFlags device;
  bool generated = false;
  uint32_t max_events = 10000;
  uint64_t seed = 1;
  std::string csv;
};

// All folders of the SimplyDroid study at or below `root`.
Result<std::vector<fs::path>> RecordingsIn(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (!fs::is_directory(root, error))
    return Fail(ErrorCode::kNotFound, "{}: a folder of recordings expected", root.string());
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error))
    if (it->path().filename() == "execute.log" && fs::exists(it->path().parent_path() / "script.log"))
      folders.push_back(it->path().parent_path());
  if (error) return Fail(ErrorCode::kIo, "{}: {}", root.string(), error.message());
  if (folders.empty())
    return Fail(ErrorCode::kNothingToDo, "{}: no folder below it has a script.log and an execute.log",
                root.string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

using Comparisons = std::vector<Comparison>;

template <class Number>
std::vector<double> Column(const Comparisons& rows, Number Comparison::*field) {
  std::vector<double> column;
  for (const Comparison& row : rows) column.push_back(static_cast<double>(row.*field));
  return column;
}

// One line for each method, with medians and means over `rows`.
void Summarize(const std::string& title, const Comparisons& rows, VerbResult& verb) {
  std::map<std::string_view, Comparisons> by_method;
  for (const Comparison& row : rows) by_method[row.method].push_back(row);
  const bool timed = rows[0].seconds > 0;
  verb.text += fmt::format(
      "{} (medians, means, maxima)\n{:<12} {:>9} {:>9} {:>9} {:>14} {:>14} {:>7} {:>5}{}\n", title, "method",
      "replays", "mean", "max", "events", "mean", "length", "max", timed ? "  seconds    mean" : "");
  Json summary = Json::array();
  for (const ReducerInfo& info : AllReducers()) {
    const auto found = by_method.find(info.name);
    if (found == by_method.end()) continue;
    const auto replays = Column(found->second, &Comparison::replays);
    const auto events = Column(found->second, &Comparison::replayed_events);
    const auto lengths = Column(found->second, &Comparison::length);
    const auto seconds = Column(found->second, &Comparison::seconds);
    const double most = *std::max_element(replays.begin(), replays.end());
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    verb.text +=
        fmt::format("{:<12} {:>9} {:>9.1f} {:>9} {:>14} {:>14.0f} {:>7} {:>5}", info.name, Median(replays),
                    Mean(replays), most, Median(events), Mean(events), Median(lengths), longest);
    verb.text += timed ? fmt::format("{:>9.1f} {:>7.1f}\n", Median(seconds), Mean(seconds)) : "\n";
    summary.push_back({{"method", info.name},
                       {"traces", found->second.size()},
                       {"replays", {{"median", Median(replays)}, {"mean", Mean(replays)}, {"max", most}}},
                       {"replayed_events", {{"median", Median(events)}, {"mean", Mean(events)}}},
                       {"length", {{"median", Median(lengths)}, {"max", longest}}}});
    if (timed) summary.back()["seconds"] = {{"median", Median(seconds)}, {"mean", Mean(seconds)}};
  }
  verb.text += '\n';
  verb.json["tables"].push_back({{"title", title}, {"methods", std::move(summary)}});
}

// One line per trace and method, written as it is known: a comparison on devices takes hours.
class Csv {
 public:
  // No file where `path` is empty.
  static Result<Csv> Open(const std::string& path) {
    Csv csv;
    if (path.empty()) return csv;
    csv.path_ = path;
    MARMOSET_TRY(WriteFile(path, ""));
    csv.file_.open(path, std::ios::app);
    MARMOSET_TRY(csv.Write(
        "source,trace,method,events,needed,place,p,replays,replayed_events,length,one_minimal,seconds\n"));
    return csv;
  }

  Status Add(std::string_view source, const Comparison& c) {
    const bool generated = source == "generated";
    return Write(fmt::format(
        "{},\"{}\",{},{},{},{},{},{},{},{},{},{}\n", source, c.trace, c.method, c.family.events,
        generated ? std::to_string(c.family.needed) : "", generated ? PlaceName(c.family.place) : "",
        generated ? fmt::format("{}", c.family.p) : "", c.replays, c.replayed_events, c.length,
        c.one_minimal ? 1 : 0, source == "replayed" ? fmt::format("{:.1f}", c.seconds) : ""));
  }
  Status Add(std::string_view source, const Comparisons& rows) {
    for (const Comparison& c : rows) MARMOSET_TRY(Add(source, c));
    return {};
  }

 private:
  Status Write(const std::string& text) {
    if (path_.empty()) return {};
    if (!(file_ << text << std::flush)) return Fail(ErrorCode::kIo, "{}: cannot be written", path_);
    return {};
  }

  std::string path_;
  std::ofstream file_;
};

Result<Comparisons> Recorded(const Flags& flags, std::stop_token stop, VerbResult& verb) {
  Comparisons rows;
  size_t traces = 0;
  for (const std::string& root : flags.folders) {
    MARMOSET_ASSIGN(const std::vector<fs::path> folders, RecordingsIn(root));
    for (const fs::path& folder : folders) {
      if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      const std::string name = (folder.parent_path().filename() / folder.filename()).string();
      const Result<Imported> imported = ImportSimplyDroid(folder, {});
      Result<Comparisons> of_trace =
          imported ? CompareOn(name, imported->trace) : Result<Comparisons>(Fail(Error(imported.error())));
      if (!of_trace) {
        spdlog::warn("{}: left out: {}", name, of_trace.error().message());
        verb.json["left_out"].push_back(name);
        continue;
      }
      ++traces;
      rows.insert(rows.end(), of_trace->begin(), of_trace->end());
    }
  }
  if (rows.empty()) return Fail(ErrorCode::kNothingToDo, "none of the recordings could be used");
  Summarize(fmt::format("{} recorded traces, judged by their activities", traces), rows, verb);
  return rows;
}

// One recording by all `methods`, until the user stops (kCancelled). What a fault of the device or the
// recording makes impossible is left out, with a warning.
Status ReplayOne(const fs::path& folder, const fs::path& apk, const std::vector<const ReducerInfo*>& methods,
                 const Flags& flags, std::stop_token stop, Csv& csv, VerbResult& verb, Comparisons& rows) {
  const std::string name = (folder.parent_path().filename() / folder.filename()).string();
  MARMOSET_ASSIGN(const Imported imported, ImportSimplyDroid(folder, {}));
  const Trace& trace = imported.trace;
  MARMOSET_ASSIGN(const Target target, TargetOfTrace(trace, ""));
  MARMOSET_ASSIGN(const TemporaryFolder logs, TemporaryFolder::Make());
  MARMOSET_ASSIGN(std::vector<AppUnderTest> apps,
                  OpenApps(apk, flags.device, &trace, logs.path(), flags.devices, stop));
  MinimizeWorld world;
  for (const AppUnderTest& app : apps) world.devices.push_back({app.device.get(), {}});
  world.stop = stop;
  for (const ReducerInfo* method : methods) {
    Result<std::optional<Comparison>> compared = CompareLive(name, world, trace, target, *method);
    if (!compared && compared.error().code() == ErrorCode::kCancelled)
      return Fail(std::move(compared.error()));
    if (!compared) {
      spdlog::warn("{} by {}: left out: {}", name, method->name, compared.error().message());
      verb.json["left_out"].push_back(fmt::format("{} {}", name, method->name));
      continue;
    }
    if (!*compared) {
      verb.json["not_reproduced"].push_back(name);
      return {};
    }
    const Comparison& c = **compared;
    verb.text +=
        fmt::format("{:<18} {:<12} {:>4} events to {:<4} {:>5} replays {:>7} events {:>7.1f} s\n", name,
                    c.method, c.family.events, c.length, c.replays, c.replayed_events, c.seconds);
    MARMOSET_TRY(csv.Add("replayed", c));
    rows.push_back(c);
  }
  return {};
}

// All methods on devices, with the app APPS/NAME.apk for a recording NAME/K.
Status Replayed(const Flags& flags, std::stop_token stop, Csv& csv, VerbResult& verb) {
  std::vector<const ReducerInfo*> methods;
  for (const std::string& name : flags.methods) {
    methods.push_back(FindReducer(name));
    if (!methods.back())
      return Fail(ErrorCode::kBadInput, "--methods {}: expected some of {}", name, MethodNames());
  }
  if (methods.empty())
    for (const ReducerInfo& info : AllReducers()) methods.push_back(&info);
  Comparisons rows;
  ProgressLine line;
  for (const std::string& root : flags.folders) {
    MARMOSET_ASSIGN(const std::vector<fs::path> folders, RecordingsIn(root));
    for (const fs::path& folder : folders) {
      const std::string app_name = folder.parent_path().filename();
      const fs::path apk = fs::path(flags.apps) / (app_name + ".apk");
      if (!fs::exists(apk)) continue;
      const std::string name = (fs::path(app_name) / folder.filename()).string();
      line.Show(name);
      Status done = ReplayOne(folder, apk, methods, flags, stop, csv, verb, rows);
      if (done) continue;
      const ErrorCode code = done.error().code();
      if (code == ErrorCode::kCancelled) {
        if (rows.empty()) return done;
        verb.exit_code = kCancelled;
        verb.text += fmt::format("Stopped at {}; what was done before:\n", name);
        Summarize("Recorded traces, replayed", rows, verb);
        return {};
      }
      if (code == ErrorCode::kMissingTool || code == ErrorCode::kIo) return done;
      spdlog::warn("{}: left out: {}", name, done.error().message());
      verb.json["left_out"].push_back(name);
    }
  }
  if (rows.empty()) return Fail(ErrorCode::kNothingToDo, "none of the recordings reaches its crash here");
  verb.text += '\n';
  Summarize("Recorded traces, replayed", rows, verb);
  return {};
}

Result<Comparisons> Generated(const Flags& flags, std::stop_token stop, VerbResult& verb) {
  Comparisons rows;
  ProgressLine line;
  const std::vector<Family> families = Families(flags.max_events);
  if (families.empty())
    return Fail(ErrorCode::kBadInput, "--max-events {}: the shortest generated trace has 100 events",
                flags.max_events);
  for (const Family& family : families) {
    if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
    const Comparisons of_family = CompareOn(family, flags.seed);
    line.Show(of_family.front().trace);
    rows.insert(rows.end(), of_family.begin(), of_family.end());
  }
  std::map<std::pair<double, uint32_t>, Comparisons> groups;
  for (const Comparison& c : rows) groups[{c.family.p, c.family.events}].push_back(c);
  for (const auto& [key, group] : groups)
    Summarize(fmt::format("Generated traces of {} events, p = {}", key.second, key.first), group, verb);
  return rows;
}

Result<VerbResult> RunBenchMinimize(const Flags& flags, Shared& shared) {
  VerbResult verb;
  MARMOSET_ASSIGN(Csv csv, Csv::Open(flags.csv));
  if (!flags.apps.empty()) {
    if (flags.folders.empty())
      return Fail(ErrorCode::kBadInput, "--apps replays recordings: name their folders, too");
    MARMOSET_TRY(Replayed(flags, shared.stop.get_token(), csv, verb));
  } else if (!flags.folders.empty()) {
    MARMOSET_ASSIGN(const Comparisons rows, Recorded(flags, shared.stop.get_token(), verb));
    MARMOSET_TRY(csv.Add("recorded", rows));
  }
  if (flags.generated || flags.folders.empty()) {
    MARMOSET_ASSIGN(const Comparisons rows, Generated(flags, shared.stop.get_token(), verb));
    MARMOSET_TRY(csv.Add("generated", rows));
  }
  if (!flags.csv.empty()) {
    verb.json["csv"] = flags.csv;
    verb.text += flags.csv + "\n";
  }
  return verb;
}

}  // namespace

void AddBenchMinimize(CLI::App& bench, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb = bench.add_subcommand("minimize", "What every method of minimization costs");
  verb->add_option(
      "folders", flags->folders,
      "Folders with recordings of the SimplyDroid study, at any depth (default: generated traces)");
  verb->add_option("--apps", flags->apps,
                   "Replay the recordings on devices: folder with the APK of NAME/1, NAME/2, … as NAME.apk");
  verb->add_option("--methods", flags->methods, "With --apps: these methods only")->delimiter(',');
  verb->add_option("--devices", flags->devices, "With --apps: devices that replay at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  flags->device.AddTo(verb);
  verb->add_flag("--generated", flags->generated, "Generated traces beside the recordings");
  verb->add_option("--max-events", flags->max_events, "Length of the longest generated traces")
      ->capture_default_str();
  verb->add_option("--seed", flags->seed, "Seed of the generated traces")->capture_default_str();
  verb->add_option("--csv", flags->csv, "File for one line per trace and method");
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunBenchMinimize(*flags, shared); }); });
}

}  // namespace marmoset::cli
