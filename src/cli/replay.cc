// `marmoset replay TRACE`: does it happen again, how often, and where does it differ?

#include "base/log.h"
#include "cli/app_under_test.h"
#include "cli/step_pictures.h"
#include "cli/verbs.h"
#include "replay/replayer.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string trace;
  std::string app;
  std::string target;
  std::string screenshots;
  int times = 1;
  bool vary_seed = false;
  uint64_t schedule_seed = 0;
  bool vary_schedule = false;
  DeviceFlags device;
};

Json ToJson(const Replay& replay) {
  Json json;
  json["verdict"] = VerdictName(replay.verdict);
  json["steps"] = replay.steps_done;
  json["found_by_point"] = replay.found_by_point;
  json["left_out"] = replay.left_out;
  json["with_activity"] = replay.with_activity;
  json["same_activity"] = replay.same_activity;
  if (!replay.reason.empty()) json["reason"] = replay.reason;
  if (replay.crash) json["crash"] = replay.crash->ToString();
  if (replay.divergence)
    json["diverged"] = {{"step", replay.divergence->step + 1}, {"reason", replay.divergence->reason}};
  return json;
}

std::string ToText(int run, const Replay& replay, const Trace& trace) {
  std::string text = fmt::format("run {}: {}", run, VerdictName(replay.verdict));
  if (!replay.reason.empty()) text += " (" + replay.reason + ")";
  text += fmt::format(" after {} of {} steps", replay.steps_done, trace.steps.size());
  if (replay.found_by_point > 0)
    text += fmt::format("; {} steps by their recorded point, since their widget was not found",
                        replay.found_by_point);
  if (replay.left_out > 0)
    text += fmt::format("; {} steps left out, since they touched what this display does not have",
                        replay.left_out);
  if (replay.same_activity < replay.with_activity)
    text += fmt::format("; in the recorded activity after {} of {} steps", replay.same_activity,
                        replay.with_activity);
  text += '\n';
  if (replay.divergence)
    text += fmt::format("  diverged at step {} ({}): {}\n", replay.divergence->step + 1,
                        Describe(trace.steps[replay.divergence->step]), replay.divergence->reason);
  return text;
}

Result<VerbResult> RunReplay(const Flags& flags, Shared& shared) {
  if (flags.times < 1) return Fail(ErrorCode::kBadInput, "--times must be at least 1");
  MARMOSET_ASSIGN(const Trace trace, ReadTrace(flags.trace));
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "{}: the trace has no steps", flags.trace);
  MARMOSET_ASSIGN(const Target target, TargetOfTrace(trace, flags.target));
  MARMOSET_ASSIGN(const fs::path app_file, AppOfTrace(trace, flags.app));
  MARMOSET_ASSIGN(const TemporaryFolder scratch, TemporaryFolder::Make());
  MARMOSET_ASSIGN(AppUnderTest app, OpenApp(app_file, flags.device, &trace, scratch.path() / "device.log",
                                            shared.stop.get_token()));
  VerbResult verb;
  int reached = 0, missed = 0, unresolved = 0;
  std::string signature;
  verb.json["runs"] = 0;
  Json details = Json::array();
  bool cancelled = false;
  {
    ProgressLine line;
    for (int i = 0; i < flags.times; ++i) {
      line.Show(
          fmt::format("{} run {}/{}  {} reached", Bar(1.0 * i / flags.times), i + 1, flags.times, reached));
      ReplayOptions options;
      options.seed = trace.seed + (flags.vary_seed ? static_cast<uint64_t>(i) : 0);
      options.schedule_seed = flags.schedule_seed + (flags.vary_schedule ? static_cast<uint64_t>(i) : 0);
      options.watch_divergence = true;
      Result<Replay> replay =
          ReplaySteps(*app.device, trace, AllSteps(trace), target, options, shared.stop.get_token());
      if (!replay && replay.error().code() == ErrorCode::kCancelled) {
        cancelled = true;
        break;
      }
      if (!replay) return Fail(std::move(replay.error()));
      reached += replay->verdict == Verdict::kReached;
      missed += replay->verdict == Verdict::kMissed;
      unresolved += replay->verdict == Verdict::kUnresolved;
      if (replay->crash && (signature.empty() || replay->verdict == Verdict::kReached))
        signature = replay->crash->ToString();
      details.push_back(ToJson(*replay));
      verb.text += ToText(i + 1, *replay, trace);
    }
  }
  verb.json["runs"] = reached + missed + unresolved;
  verb.json["reached"] = reached;
  verb.json["missed"] = missed;
  verb.json["unresolved"] = unresolved;
  verb.json["signature"] = signature;
  verb.json["target"] = ToText(target);
  verb.json["details"] = std::move(details);
  verb.text += fmt::format("{}: reached in {} of {} runs{}\n", Describe(target), reached, reached + missed,
                           unresolved > 0 ? fmt::format(", {} unresolved", unresolved) : "");
  if (!flags.screenshots.empty() && !cancelled) {
    MARMOSET_TRY(MakeWritableFolder(flags.screenshots));
    MARMOSET_TRY(TakeStepPictures(*app.device, trace, target, verb.text, "marmoset replay " + flags.trace,
                                  flags.screenshots, shared.stop.get_token()));
    verb.json["screenshots"] = flags.screenshots;
    verb.text += fmt::format("Pictures: {}\n", (fs::path(flags.screenshots) / "index.html").string());
  }
  verb.exit_code = cancelled               ? kCancelled
                   : reached + missed == 0 ? kInfrastructure
                   : reached == 0          ? kNotReproduced
                   : missed > 0            ? kFindings
                                           : kClean;
  return verb;
}

}  // namespace

void AddReplay(CLI::App& root, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb =
      AddVerb(root, "replay", "Do the steps of a trace again and say whether its target is reached",
              "  marmoset replay crash.trace.jsonl\n"
              "  marmoset replay crash.trace.jsonl --app new-build.apk --times 20\n"
              "  marmoset replay crash.trace.jsonl --vary-schedule --times 20\n"
              "  marmoset replay login.trace.jsonl --target activity:.Home --screenshots pictures\n");
  verb->add_option("trace", flags->trace, "The trace file")->required();
  verb->add_option("--app", flags->app,
                   "The APK to replay it on (default: the recorded one, found by its hash)");
  verb->add_option("--times", flags->times, "Replays, each from a clean start")->capture_default_str();
  verb->add_option(
      "--target", flags->target,
      "What to reach: crash[:SIGNATURE], activity:NAME, widget:ID-OR-TEXT, log:REGEX, command:SHELL "
      "(default: the trace's crash)");
  verb->add_flag("--vary-seed", flags->vary_seed,
                 "Another seed each time: does it depend on chance or thread order?");
  verb->add_option("--schedule-seed", flags->schedule_seed,
                   "Another order of the app's threads than the recorded one (0)")
      ->capture_default_str();
  verb->add_flag(
      "--vary-schedule", flags->vary_schedule,
      "The next schedule seed each time: how often does it happen on a phone, where threads run freely?");
  verb->add_option("--screenshots", flags->screenshots, "Also write a folder with a picture of each step");
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunReplay(*flags, shared); }); });
}

}  // namespace marmoset::cli
