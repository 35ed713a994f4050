// `marmoset minimize TRACE`: the few steps that still reach the target.

#include "base/clock.h"
#include "cli/app_under_test.h"
#include "cli/step_pictures.h"
#include "cli/verbs.h"
#include "minimize/minimizer.h"
#include "reduce/ddmin.h"
#include "report/steps_page.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string trace;
  std::string app;
  std::string target;
  std::string out;
  int pre_checks = 1;
  int confirmations = 20;
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

Result<VerbResult> RunMinimize(const Flags& flags, Shared& shared) {
  if (flags.pre_checks < 1 || flags.confirmations < 0)
    return Fail(ErrorCode::kBadInput, "--pre-checks must be at least 1 and --confirm not negative");
  MARMOSET_ASSIGN(const Trace trace, ReadTrace(flags.trace));
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "{}: the trace has no steps", flags.trace);
  MARMOSET_ASSIGN(const Target target, TargetOfTrace(trace, flags.target));
  MARMOSET_ASSIGN(const fs::path app_file, AppOfTrace(trace, flags.app));
  std::string stem = fs::path(flags.trace).filename().string();
  stem = stem.substr(0, stem.find('.'));
  MARMOSET_ASSIGN(const fs::path out, OutputFolder(flags.out, "minimize-" + stem));
  const int64_t start_ms = SystemClock().NowMs();
  MARMOSET_ASSIGN(AppUnderTest app,
                  OpenApp(app_file, flags.device, &trace, out / "device.log", shared.stop.get_token()));

  Result<Minimization> result = [&] {
    ProgressLine line;
    return Minimize({*app.device, app.renew, shared.stop.get_token()}, trace, Ddmin(),
                    {target, flags.pre_checks, flags.confirmations, out},
                    [&line](const MinimizeProgress& p) { ShowProgress(line, p); });
  }();
  if (!result) return Fail(std::move(result.error()));
  const double seconds = static_cast<double>(SystemClock().NowMs() - start_ms) / 1000;
  const fs::path minimal = out / "minimal.trace.jsonl";

  VerbResult verb;
  Json& json = verb.json;
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
      "{} of {} steps are needed{}; reached in {} of {} replays on a fresh device.", result->kept.size(),
      result->events_before, result->one_minimal ? " (without any single one of them it is missed)" : "",
      result->reached, result->runs);
  text = fmt::format("{}\n{}{} replays of {} events in {:.1f} s\n{}\n", summary, StepsAsText(result->minimal),
                     result->replays, result->replayed_events, seconds, minimal.string());
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
                           "  marmoset minimize flaky.trace.jsonl --pre-checks 20\n");
  verb->add_option("trace", flags->trace, "The trace file")->required();
  verb->add_option("--app", flags->app, "The APK (default: the recorded one, found by its hash)");
  verb->add_option(
      "--target", flags->target,
      "What to reach: crash[:SIGNATURE], activity:NAME, widget:ID-OR-TEXT, log:REGEX, command:SHELL "
      "(default: the trace's crash)");
  verb->add_option("--out", flags->out,
                   "Folder for the result, the pictures and the verdicts; an interrupted run goes on from it "
                   "(default: marmoset-out/minimize-TRACE)");
  verb->add_option("--pre-checks", flags->pre_checks,
                   "Replays of the whole trace at the start, until one reaches")
      ->capture_default_str();
  verb->add_option("--confirm", flags->confirmations, "Replays of the result on a fresh device")
      ->capture_default_str();
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunMinimize(*flags, shared); }); });
}

}  // namespace marmoset::cli
