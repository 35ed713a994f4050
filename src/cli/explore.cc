// `marmoset explore APP`: an app goes in, crashes and their traces come out.

#include <algorithm>

#include "base/clock.h"
#include "base/log.h"
#include "cli/app_under_test.h"
#include "cli/verbs.h"
#include "explore/explorer.h"
#include "report/coverage.h"
#include "trace/run_record.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string app;
  std::string strategy = "ape";
  int64_t events = 1000;
  int64_t seconds = 0;
  uint64_t seed = 1;
  bool stop_on_crash = false;
  std::string until;
  bool resume = false;
  bool no_coverage = false;
  bool screenshots = false;
  uint32_t devices = 1;
  std::string out;
  std::string prologue;
  std::vector<std::string> block_activity, allow_activity, block_widget, allow_widget;
  MonkeyShares monkey;
  DeviceFlags device;
};

struct ShareFlag {
  const char* name;
  double MonkeyShares::*member;
};
constexpr ShareFlag kShareFlags[] = {
    {"--pct-touch", &MonkeyShares::touch},           {"--pct-motion", &MonkeyShares::motion},
    {"--pct-pinchzoom", &MonkeyShares::pinchzoom},   {"--pct-rotation", &MonkeyShares::rotation},
    {"--pct-permission", &MonkeyShares::permission}, {"--pct-nav", &MonkeyShares::nav},
    {"--pct-majornav", &MonkeyShares::majornav},     {"--pct-syskeys", &MonkeyShares::syskeys},
    {"--pct-appswitch", &MonkeyShares::appswitch},   {"--pct-anyevent", &MonkeyShares::anyevent},
};

// What decides the course of a run, as it is kept in the run record, so that --resume needs no flags.
Json ToJson(const Flags& f) {
  Json json;
  json["app"] = f.app;
  json["strategy"] = f.strategy;
  json["events"] = f.events;
  json["seed"] = std::to_string(f.seed);
  json["stop_on_crash"] = f.stop_on_crash;
  json["screenshots"] = f.screenshots;
  json["devices"] = f.devices;
  json["until"] = f.until;
  json["prologue"] = f.prologue;
  json["block_activity"] = f.block_activity;
  json["allow_activity"] = f.allow_activity;
  json["block_widget"] = f.block_widget;
  json["allow_widget"] = f.allow_widget;
  json["profile"] = f.device.profile;
  json["display"] = f.device.display;
  json["sdk"] = f.device.sdk;
  json["coverage"] = f.device.coverage;
  for (const ShareFlag& share : kShareFlags) json[share.name] = f.monkey.*share.member;
  return json;
}

Status FromJson(const Json& json, Flags& f) {
  try {
    f.app = json.at("app");
    f.strategy = json.at("strategy");
    f.events = json.at("events");
    f.seed = std::stoull(json.at("seed").get<std::string>());
    f.stop_on_crash = json.at("stop_on_crash");
    f.screenshots = json.value("screenshots", false);
    f.devices = json.value("devices", 1);
    f.until = json.value("until", "");
    f.prologue = json.at("prologue");
    f.block_activity = json.at("block_activity");
    f.allow_activity = json.at("allow_activity");
    f.block_widget = json.at("block_widget");
    f.allow_widget = json.at("allow_widget");
    f.device.profile = json.value("profile", "");
    f.device.display = json.at("display");
    f.device.sdk = json.value("sdk", 0);
    f.device.coverage = json.value("coverage", false);
    for (const ShareFlag& share : kShareFlags) f.monkey.*share.member = json.at(share.name);
  } catch (const std::exception& e) {
    return Fail(ErrorCode::kBadInput, "the run record's options are damaged: {}", e.what());
  }
  return {};
}

// Names that are not the app's would silently limit nothing.
Status CheckActivities(const std::vector<std::string>& names, const AppUnderTest& app) {
  for (const std::string& name : names) {
    if (app.activities.empty() ||
        std::find(app.activities.begin(), app.activities.end(), name) != app.activities.end())
      continue;
    std::string like;
    for (const std::string& a : app.activities)
      if (ShortName(a) == ShortName(name)) like = "; did you mean " + a + "?";
    return Fail(ErrorCode::kBadInput, "activity '{}': the app's manifest has no such activity{}", name, like);
  }
  return {};
}

Result<std::vector<Step>> ReadPrologue(const std::string& file) {
  if (file.empty()) return std::vector<Step>{};
  MARMOSET_ASSIGN(Trace trace, ReadTrace(file));
  return std::move(trace.steps);
}

Result<RunRecord> OpenRecord(const Flags& given, Flags& flags, bool events_given, bool seconds_given,
                             const fs::path& folder) {
  if (!flags.resume) {
    MARMOSET_ASSIGN(RunRecord record, RunRecord::Create(folder));
    MARMOSET_TRY(record.SetMeta("options", ToJson(flags).dump()));
    return record;
  }
  MARMOSET_ASSIGN(RunRecord record, RunRecord::Open(folder));
  MARMOSET_ASSIGN(const std::optional<std::string> options, record.Meta("options"));
  MARMOSET_ASSIGN(const Json json, ParseJson(options.value_or("{}")));
  MARMOSET_TRY(FromJson(json, flags));
  if (!given.app.empty()) flags.app = given.app;
  if (events_given) flags.events = given.events;
  if (seconds_given) flags.seconds = given.seconds;
  return record;
}

void ShowProgress(ProgressLine& line, const ExploreProgress& p) {
  const double fraction =
      p.wanted_events > 0 ? static_cast<double>(p.events) / static_cast<double>(p.wanted_events) : 0;
  const double rate =
      p.elapsed_ms > 0 ? 1000.0 * static_cast<double>(p.events) / static_cast<double>(p.elapsed_ms) : 0;
  const int64_t quiet = p.events - p.news_at;
  const std::string plateau = quiet >= kPlateauEvents ? fmt::format("  nothing new for {}", quiet) : "";
  const std::string methods =
      p.methods.all > 0 ? fmt::format("  {}/{} methods", p.methods.own_entered, p.methods.own_all) : "";
  const std::string model =
      p.model ? fmt::format("  {} states  {} transitions", p.model->states, p.model->transitions) : "";
  line.Show(fmt::format("{} {}/{}  {:.0f}/s  {} activities  {} screens{}{}  {} crashes{}  {}", Bar(fraction),
                        p.events, p.wanted_events, rate, p.activities, p.screens, model, methods, p.crashes,
                        plateau, p.last_step));
}

std::string Share(size_t part, size_t whole) {
  if (whole == 0) return "0 of 0";
  return fmt::format("{} of {} ({:.0f} %)", part, whole,
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The files of a run's coverage, and what is said of it; nothing where the device does not count methods.
Status AddCoverage(const RunRecord& record, const Device& device, const MethodCounts& counts,
                   VerbResult& verb) {
  if (counts.all == 0) return {};
  MARMOSET_ASSIGN(const std::vector<CoveredMethod> covered, record.Covered());
  const fs::path folder = record.folder() / "coverage";
  MARMOSET_TRY(WriteCoverage(folder, covered, device.methods()));
  verb.json["coverage"] = {{"methods", counts.entered},
                           {"of_methods", counts.all},
                           {"app_methods", counts.own_entered},
                           {"of_app_methods", counts.own_all},
                           {"list", (folder / "methods.tsv").string()},
                           {"curve", (folder / "curve.tsv").string()}};
  verb.text += fmt::format("  methods covered: {} of the app", Share(counts.own_entered, counts.own_all));
  if (counts.all > counts.own_all)
    verb.text += fmt::format(", {} of libraries",
                             Share(counts.entered - counts.own_entered, counts.all - counts.own_all));
  verb.text += fmt::format("\n     {}\n", (folder / "methods.tsv").string());
  return {};
}

Result<VerbResult> Summarize(const RunRecord& record, const Device& device, bool resumable,
                             const ExploreResult& result) {
  MARMOSET_ASSIGN(const std::vector<CrashEntry> crashes, record.Crashes());
  MARMOSET_ASSIGN(const std::vector<HostGapEntry> gaps, record.HostGaps());
  MARMOSET_ASSIGN(const std::vector<std::string> activities, record.Activities());
  const ExploreProgress& total = result.total;
  const double seconds = static_cast<double>(total.elapsed_ms) / 1000;
  VerbResult verb;
  Json& json = verb.json;
  json["events"] = total.events;
  json["seconds"] = seconds;
  json["end"] = ExploreEndName(result.end);
  json["activities"] = activities;
  json["screens"] = total.screens;
  json["crashes"] = Json::array();
  json["host_gaps"] = Json::array();
  json["out"] = record.folder().string();
  std::string& text = verb.text;
  text = fmt::format("{} events in {:.1f} s: {} activities, {} screens, {} distinct crashes\n", total.events,
                     seconds, activities.size(), total.screens, crashes.size());
  if (total.model) {
    json["model"] = {{"states", total.model->states}, {"transitions", total.model->transitions}};
    text +=
        fmt::format("  model: {} states, {} transitions\n", total.model->states, total.model->transitions);
  }
  MARMOSET_TRY(AddCoverage(record, device, total.methods, verb));
  for (const CrashEntry& c : crashes) {
    const std::string trace = (record.folder() / c.trace_file).string();
    json["crashes"].push_back({{"signature", c.signature.ToString()},
                               {"exception", c.signature.exception},
                               {"frame", c.signature.frame},
                               {"count", c.count},
                               {"first_step", c.first_step},
                               {"trace", trace}});
    text += fmt::format("  {}. {} ({} times)\n     {}\n", c.id, c.signature.ToString(), c.count, trace);
  }
  for (const HostGapEntry& g : gaps) {
    json["host_gaps"].push_back({{"where", g.where}, {"count", g.count}});
    text += fmt::format("  host gap, not the app's fault: {} ({} times)\n", g.where, g.count);
  }
  if (!crashes.empty())
    text += fmt::format("Next: marmoset minimize {}\n", (record.folder() / crashes[0].trace_file).string());
  verb.exit_code = crashes.empty() ? kClean : kFindings;
  if (result.end == ExploreEnd::kStopped) {
    verb.exit_code = kCancelled;
    text += resumable ? fmt::format("Stopped. Go on with: marmoset explore --resume --out {}\n",
                                    record.folder().string())
                      : "Stopped.\n";
  }
  if (result.end == ExploreEnd::kAppDoesNotStayUp) {
    text += "The app does not stay up after its launch.\n";
    if (crashes.empty()) verb.exit_code = kInfrastructure;
  }
  return verb;
}

Result<VerbResult> RunExplore(const Flags& given, bool events_given, bool seconds_given, Shared& shared) {
  Flags flags = given;
  flags.device.coverage = !given.no_coverage;
  if (flags.resume && flags.out.empty())
    return Fail(ErrorCode::kBadInput, "--resume: name the folder of the run to go on with by --out");
  if (!flags.resume && flags.app.empty()) return Fail(ErrorCode::kBadInput, "explore: name an APK");
  if (!flags.resume && !fs::exists(flags.app))
    return Fail(ErrorCode::kNotFound, "{}: no such file", flags.app);
  if (flags.events < 1 || flags.seconds < 0)
    return Fail(ErrorCode::kBadInput, "--events must be at least 1 and --seconds not negative");
  if (!flags.app.empty()) flags.app = fs::absolute(flags.app).string();
  if (!flags.prologue.empty()) flags.prologue = fs::absolute(flags.prologue).string();
  // Everything that can be wrong in the flags is said before anything is written or started.
  StrategyOptions strategy_options{.widgets = {flags.block_widget, flags.allow_widget},
                                   .monkey = flags.monkey};
  MARMOSET_TRY(MakeStrategy(flags.strategy, strategy_options).map([](const auto&) {}));
  MARMOSET_TRY(ReadPrologue(flags.prologue).map([](const auto&) {}));

  MARMOSET_ASSIGN(const fs::path folder,
                  OutputFolder(flags.out, "explore-" + fs::path(flags.app).stem().string()));
  MARMOSET_ASSIGN(RunRecord record, OpenRecord(given, flags, events_given, seconds_given, folder));
  if (flags.resume && flags.devices > 1)
    return Fail(ErrorCode::kBadInput,
                "{}: a run on {} devices cannot be gone on with; start a new one with another --out",
                folder.string(), flags.devices);
  Result<std::vector<AppUnderTest>> opened =
      OpenApps(flags.app, flags.device, nullptr, folder, flags.devices, shared.stop.get_token());
  for (const auto* names : {&flags.block_activity, &flags.allow_activity}) {
    if (!opened) break;
    if (Status known = CheckActivities(*names, (*opened)[0]); !known) opened = Fail(std::move(known.error()));
  }
  if (!opened) {
    if (!flags.resume) record.Discard();
    return Fail(std::move(opened.error()));
  }
  std::vector<AppUnderTest>& apps = *opened;
  AppUnderTest& app = apps[0];
  MARMOSET_TRY(record.SetMeta("package", app.header.package));
  ExploreOptions options;
  options.events = flags.events;
  options.seconds = flags.seconds;
  options.seed = flags.seed;
  options.stop_on_crash = flags.stop_on_crash;
  options.screenshots = flags.screenshots;
  options.until_plateau = !flags.until.empty();
  options.blocked_activities = flags.block_activity;
  options.allowed_activities = flags.allow_activity;
  MARMOSET_ASSIGN(options.prologue, ReadPrologue(flags.prologue));
  strategy_options.texts = app.texts;
  strategy_options.intents = app.intents;
  std::erase_if(strategy_options.intents,
                [&](const OutsideIntent& i) { return !options.Permits(i.activity); });
  MARMOSET_ASSIGN(std::unique_ptr<Strategy> strategy, MakeStrategy(flags.strategy, strategy_options));
  app.header.origin = fmt::format("marmoset explore --strategy {} --seed {}", flags.strategy, flags.seed);

  Result<ExploreResult> result = [&] {
    ProgressLine line;
    ExploreWorld world{*app.device, record, SystemClock(), shared.stop.get_token()};
    for (size_t i = 1; i < apps.size(); ++i) world.more_devices.push_back(apps[i].device.get());
    return Explore(world, app.header, options, *strategy,
                   [&line](const ExploreProgress& p) { ShowProgress(line, p); });
  }();
  if (!result)
    return Fail(std::move(result.error())
                    .Within(fmt::format("the run ended early (its record: {}{})", folder.string(),
                                        apps.size() == 1 ? ", go on with --resume" : "")));
  return Summarize(record, *app.device, apps.size() == 1, *result);
}

}  // namespace

void AddExplore(CLI::App& root, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  std::string strategies;
  for (const StrategyEntry& s : Strategies()) strategies += fmt::format("\n  {}: {}", s.name, s.description);
  CLI::App* verb = AddVerb(root, "explore", "Explore an app through its GUI and report the crashes",
                           "  marmoset explore app.apk\n"
                           "  marmoset explore app.apk --events 5000 --seed 7 --out run\n"
                           "  marmoset explore app.apk --strategy monkey --pct-touch 80 --stop-on-crash\n"
                           "  marmoset explore --resume --out run\n");
  verb->add_option("app", flags->app, "The APK (or an app model, *.yaml)");
  verb->add_option("--strategy", flags->strategy, "What decides the next step:" + strategies)
      ->capture_default_str();
  auto* events = verb->add_option("--events", flags->events, "Steps to do")->capture_default_str();
  auto* seconds = verb->add_option("--seconds", flags->seconds, "Wall time to spend at most (0: no limit)");
  verb->add_option("--seed", flags->seed, "Rules every random choice: the same seed, the same run")
      ->capture_default_str();
  verb->add_flag("--stop-on-crash", flags->stop_on_crash, "End at the first crash");
  verb->add_option("--out", flags->out, "Folder for the run record (default: marmoset-out/explore-APP)");
  verb->add_flag("--resume", flags->resume,
                 "Go on with the interrupted run in --out; its options are used again");
  verb->add_option(
          "--devices", flags->devices,
          "Devices that explore at the same time, with one strategy and one record; such a run cannot be "
          "resumed")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  verb->add_option("--prologue", flags->prologue, "Trace whose steps come after each clean start: a login");
  verb->add_option("--block-activity", flags->block_activity,
                   "Activity to leave at once (full class name; repeatable)");
  verb->add_option("--allow-activity", flags->allow_activity, "Only activity to stay in (repeatable)");
  verb->add_option("--block-widget", flags->block_widget,
                   "Widget to leave alone: its id, text or description (repeatable)");
  verb->add_option("--allow-widget", flags->allow_widget, "Only widget to touch (repeatable)");
  for (const ShareFlag& share : kShareFlags)
    verb->add_option(share.name, flags->monkey.*share.member,
                     "Share of these events in per cent (strategy monkey)")
        ->group("Monkey");
  verb->add_option(
          "--until", flags->until,
          fmt::format(
              "plateau: end when half of the events, and at least {}, have shown no activity, crash or "
              "method that was new",
              kPlateauEvents))
      ->check(CLI::IsMember({"plateau"}));
  verb->add_flag("--screenshots", flags->screenshots,
                 "Keep a picture of each new kind of screen, for `marmoset report model`");
  verb->add_flag("--no-coverage", flags->no_coverage,
                 "Run the app as it is: by default each method gets a probe, and those entered are counted");
  flags->device.AddTo(verb);
  verb->callback([flags, events, seconds, &shared, run] {
    run([=, &shared] { return RunExplore(*flags, events->count() > 0, seconds->count() > 0, shared); });
  });
}

}  // namespace marmoset::cli
