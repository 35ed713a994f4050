// `marmoset minimize TRACE`: the few steps that still reach the target.

#include "base/clock.h"
#include "cli/app_under_test.h"
#include "cli/step_pictures.h"
#include "cli/verbs.h"
#include "minimize/method.h"
#include "minimize/minimizer.h"
#include "report/steps_page.h"
#include "schedule/interval.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string trace;
  std::string app;
  std::string target;
  std::string out;
  std::string method = "auto";
  int pre_checks = 1;
  int confirmations = 20;
  bool offline = false;
  bool dry_run = false;
  DeviceFlags device;
};

void ShowProgress(ProgressLine& line, const MinimizeProgress& p) {
  const double done = p.events > 0 ? 1 - static_cast<double>(p.best) / static_cast<double>(p.events) : 0;
  line.Show(fmt::format("{} {}  {} of {} steps left  {} replays, {} events{}", Bar(done), p.phase, p.best,
                        p.events, p.replays, p.replayed_events,
                        p.runs > 0 ? fmt::format("  reached {} of {}", p.reached, p.runs) : ""));
}

Json OneBased(const Kept& kept) {
  Json list = Json::array();
  for (const uint32_t i : kept) list.push_back(i + 1);
  return list;
}

Json ToJson(const OfflineReduction& r) {
  return {{"kept", OneBased(r.kept)},
          {"events_after", r.kept.size()},
          {"replays", r.replays},
          {"replayed_events", r.replayed_events},
          {"one_minimal", r.one_minimal}};
}

std::string ListOfNumbers(const Kept& kept) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t i = 0; i < kept.size() && i < kShown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", kept[i] + 1);
  return text + (kept.size() > kShown ? ", …" : "");
}

// What the recording alone says, by one method or by all.
Result<VerbResult> RunOffline(const Flags& flags, const Trace& trace) {
  if (!flags.target.empty())
    return Fail(ErrorCode::kBadInput,
                "--offline knows how the recording's end is reached, and nothing else: leave out --target");
  VerbResult verb;
  verb.json["events_before"] = trace.steps.size();
  verb.json["offline"] = true;
  if (flags.method == "all") {
    verb.text = fmt::format("{:<12} {:>8} {:>15}  steps\n", "method", "replays", "replayed events");
    for (const ReducerInfo& info : AllReducers()) {
      MARMOSET_ASSIGN(const OfflineReduction r, MinimizeOffline(trace, *info.make()));
      Json json = ToJson(r);
      json["method"] = info.name;
      verb.json["methods"].push_back(std::move(json));
      verb.text += fmt::format("{:<12} {:>8} {:>15}  {} of {}: {}\n", info.name, r.replays, r.replayed_events,
                               r.kept.size(), trace.steps.size(), ListOfNumbers(r.kept));
    }
  } else {
    MARMOSET_ASSIGN(const MethodChoice choice, ChooseMethod(flags.method, trace));
    MARMOSET_ASSIGN(const OfflineReduction r, MinimizeOffline(trace, *choice.method->make()));
    verb.json.update(ToJson(r));
    verb.json["method"] = choice.method->name;
    Trace kept = trace;
    kept.steps.clear();
    for (const uint32_t i : r.kept) kept.steps.push_back(trace.steps[i]);
    verb.text = fmt::format("{} of {} steps are left by {}: {}\n{}{} replays of {} events\n", r.kept.size(),
                            trace.steps.size(), choice.method->name, ListOfNumbers(r.kept), StepsAsText(kept),
                            r.replays, r.replayed_events);
  }
  verb.text += "By the recorded activities alone: an estimate, which a replay on a device has to confirm.\n";
  return verb;
}

// What would be done, without doing it.
Result<VerbResult> RunDry(const Flags& flags, const Trace& trace, const Target& target,
                          const MethodChoice& choice) {
  MARMOSET_ASSIGN(const fs::path app, AppOfTrace(trace, flags.app));
  const std::string_view device = app.extension() == ".yaml" ? "simulated" : "hosted";
  VerbResult verb;
  Json& json = verb.json;
  json["dry_run"] = true;
  json["target"] = ToText(target);
  json["events_before"] = trace.steps.size();
  json["method"] = choice.method->name;
  json["method_reason"] = choice.why;
  json["pre_checks"] = flags.pre_checks;
  json["confirmations"] = flags.confirmations;
  json["devices"] = {{{"kind", device}, {"app", app.string()}}};
  std::string estimate;
  if (const Result<OfflineReduction> r = MinimizeOffline(trace, *choice.method->make())) {
    const uint64_t replays = r->replays + 1 + static_cast<uint64_t>(flags.confirmations);
    json["estimate"] = {{"replays", replays}, {"candidates", r->replays}, {"events_after", r->kept.size()}};
    estimate = fmt::format(
        "about {}: 1 pre-check (at most {}), {} candidates by the recorded activities, {} confirmations",
        replays, flags.pre_checks, r->replays, flags.confirmations);
  } else {
    json["estimate"] = nullptr;
    estimate = "unknown: " + r.error().message();
  }
  verb.text = fmt::format(
      "Target   {}\nTrace    {} steps\nMethod   {}{}\nReplays  {}\nDevices  1 {}, with {}\n"
      "Nothing was run.\n",
      Describe(target), trace.steps.size(), choice.method->name,
      choice.why.empty() ? "" : ", since " + choice.why, estimate, device, app.string());
  return verb;
}

Result<VerbResult> RunMinimize(const Flags& flags, Shared& shared) {
  if (flags.pre_checks < 1 || flags.confirmations < 0)
    return Fail(ErrorCode::kBadInput, "--pre-checks must be at least 1 and --confirm not negative");
  MARMOSET_ASSIGN(const Trace trace, ReadTrace(flags.trace));
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "{}: the trace has no steps", flags.trace);
  if (flags.offline) return RunOffline(flags, trace);
  if (flags.method == "all")
    return Fail(ErrorCode::kBadInput, "--method all compares methods offline: add --offline");
  MARMOSET_ASSIGN(const MethodChoice choice, ChooseMethod(flags.method, trace));
  MARMOSET_ASSIGN(const Target target, TargetOfTrace(trace, flags.target));
  if (flags.dry_run) return RunDry(flags, trace, target, choice);
  MARMOSET_ASSIGN(const fs::path app_file, AppOfTrace(trace, flags.app));
  if (!choice.why.empty())
    std::fprintf(stderr, "marmoset: method %s, since %s\n", choice.method->name.data(), choice.why.c_str());
  std::string stem = fs::path(flags.trace).filename().string();
  stem = stem.substr(0, stem.find('.'));
  MARMOSET_ASSIGN(const fs::path out, OutputFolder(flags.out, "minimize-" + stem));
  const int64_t start_ms = SystemClock().NowMs();
  MARMOSET_ASSIGN(AppUnderTest app,
                  OpenApp(app_file, flags.device, &trace, out / "device.log", shared.stop.get_token()));

  Result<Minimization> result = [&] {
    ProgressLine line;
    return Minimize({*app.device, app.renew, shared.stop.get_token()}, trace, *choice.method->make(),
                    {target, flags.pre_checks, flags.confirmations, out},
                    [&line](const MinimizeProgress& p) { ShowProgress(line, p); });
  }();
  if (!result) return Fail(std::move(result.error()));
  const double seconds = static_cast<double>(SystemClock().NowMs() - start_ms) / 1000;
  const fs::path minimal = out / "minimal.trace.jsonl";

  VerbResult verb;
  Json& json = verb.json;
  json["method"] = choice.method->name;
  json["events_before"] = result->events_before;
  json["events_after"] = result->kept.size();
  json["kept"] = OneBased(result->kept);
  json["replays"] = result->replays;
  json["replayed_events"] = result->replayed_events;
  json["remembered"] = result->remembered;
  json["seconds"] = seconds;
  json["reached"] = result->reached;
  json["runs"] = result->runs;
  json["unresolved"] = result->unresolved;
  const Interval interval = WilsonInterval(
      {static_cast<uint32_t>(result->reached), static_cast<uint32_t>(result->runs - result->reached)});
  json["interval"] = {{"confidence", 0.95}, {"low", interval.low}, {"high", interval.high}};
  json["one_minimal"] = result->one_minimal;
  json["target"] = ToText(target);
  json["trace"] = minimal.string();
  std::string& text = verb.text;
  if (result->pre_check_failed) {
    json["reason"] = result->last.reason;
    const bool unresolved = result->last.verdict == Verdict::kUnresolved;
    verb.exit_code = unresolved ? kInfrastructure : kNotReproduced;
    text = fmt::format(
        "The whole trace does not reach {}: {} in {} pre-checks ({}).\n"
        "See where it leaves the recording with: marmoset replay {}\n"
        "If it is flaky, try more often: --pre-checks 20\n",
        Describe(target), VerdictName(result->last.verdict), flags.pre_checks, result->last.reason,
        flags.trace);
    return verb;
  }
  const std::string summary = fmt::format(
      "{} of {} steps are needed{}; reached in {} of {} replays on a fresh "
      "device{}.",
      result->kept.size(), result->events_before,
      result->one_minimal ? " (without any single one of them it is missed)" : "", result->reached,
      result->runs,
      result->runs > 0 ? fmt::format(", 95 % interval {:.2f} to {:.2f}", interval.low, interval.high) : "");
  text = fmt::format("{}\n{}{} replays of {} events in {:.1f} s by {}\n{}\n", summary,
                     StepsAsText(result->minimal), result->replays, result->replayed_events, seconds,
                     choice.method->name, minimal.string());
  if (result->stopped) {
    json["stopped"] = result->stopped->message();
    verb.exit_code = ExitCodeFor(*result->stopped);
    text += fmt::format("Ended early: {}. This is the best so far; the same command with --out {} goes on.\n",
                        result->stopped->message(), out.string());
    return verb;
  }
  if (result->runs > 0 && result->reached == 0)
    verb.exit_code = kNotReproduced;
  else if (result->reached < result->runs)
    verb.exit_code = kFindings;
  MARMOSET_TRY(TakeStepPictures(*app.device, result->minimal, target, summary,
                                "marmoset replay " + minimal.string(), out, shared.stop.get_token()));
  json["pictures"] = (out / "index.html").string();
  text += fmt::format("Pictures: {}\n", (out / "index.html").string());
  return verb;
}

}  // namespace

void AddMinimize(CLI::App& root, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb = AddVerb(root, "minimize", "Shrink a trace to the steps that still reach its target",
                           "  marmoset minimize run/crashes/1.trace.jsonl\n"
                           "  marmoset minimize long.trace.jsonl --target activity:.Checkout --out short\n"
                           "  marmoset minimize flaky.trace.jsonl --pre-checks 20\n"
                           "  marmoset minimize long.trace.jsonl --dry-run\n"
                           "  marmoset minimize long.trace.jsonl --offline --method all\n");
  verb->add_option("trace", flags->trace, "The trace file")->required();
  verb->add_option("--app", flags->app, "The APK (default: the recorded one, found by its hash)");
  verb->add_option(
      "--target", flags->target,
      "What to reach: crash[:SIGNATURE], activity:NAME, widget:ID-OR-TEXT, log:REGEX, command:SHELL "
      "(default: the trace's crash)");
  verb->add_option("--out", flags->out,
                   "Folder for the result, the pictures and the verdicts; an interrupted run goes on from it "
                   "(default: marmoset-out/minimize-TRACE)");
  verb->add_option("--method", flags->method,
                   "How candidates are chosen: " + MethodNames() +
                       " (auto: lhdd where the recorded activities make a hierarchy, else ddmin); all, with "
                       "--offline")
      ->capture_default_str();
  verb->add_flag("--offline", flags->offline,
                 "Run nothing: reduce by what the recorded activities say, and count the replays");
  verb->add_flag("--dry-run", flags->dry_run,
                 "Run nothing: show the target, the method, the devices and about how many replays");
  verb->add_option("--pre-checks", flags->pre_checks,
                   "Replays of the whole trace at the start, until one reaches")
      ->capture_default_str();
  verb->add_option("--confirm", flags->confirmations, "Replays of the result on a fresh device")
      ->capture_default_str();
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunMinimize(*flags, shared); }); });
}

}  // namespace marmoset::cli
