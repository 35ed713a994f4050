// `marmoset minimize TRACE`: the few steps that still reach the target.

#include <thread>

#include "base/clock.h"
#include "base/environment.h"
#include "base/log.h"
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
  std::string states = "activity";
  std::string accept = "auto";
  std::string pre_check;
  std::string policy = "heuristic";
  double likely = 0.8;
  uint32_t confirmations = 20;
  uint32_t devices = 1;
  bool vary_seed = false;
  bool vary_schedule = false;
  bool pre_pass = false;
  bool offline = false;
  bool dry_run = false;
  DeviceFlags device;
};

constexpr uint32_t kMostDevices = 64;
constexpr uint32_t kParts = 5;  // ND3MIN's n: the most candidates that its policies choose among.

void ShowProgress(ProgressLine& line, const MinimizeProgress& p) {
  const double done = p.events > 0 ? 1 - static_cast<double>(p.best) / static_cast<double>(p.events) : 0;
  line.Show(
      fmt::format("{} {}  {} of {} steps left  {} replays of {} events, about {} or more to go{}{}",
                  Bar(done), p.phase, p.best, p.events, p.replays, p.replayed_events, p.replays_left,
                  p.phase == "reduce" || p.phase_counts.runs() == 0
                      ? ""
                      : fmt::format("  reached {} of {}", p.phase_counts.reached, p.phase_counts.runs()),
                  p.devices > 1 ? fmt::format("  {} devices", p.devices) : ""));
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

States RecordedStates(const Trace& trace) { return StatesOf(ActivitiesBefore(trace, DroppableSteps(trace))); }

// What the recording alone says, by one method or by all.
Result<VerbResult> RunOffline(const Flags& flags, const Trace& trace) {
  if (!flags.target.empty())
    return Fail(ErrorCode::kBadInput,
                "--offline knows how the recording's end is reached, and nothing else: leave out --target");
  VerbResult verb;
  verb.json["events_before"] = trace.steps.size();
  verb.json["offline"] = true;
  if (flags.states != "activity")
    return Fail(ErrorCode::kBadInput, "--offline knows the recorded activities, not --states {}",
                flags.states);
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
    MARMOSET_ASSIGN(const MethodChoice choice, ChooseMethod(flags.method, RecordedStates(trace)));
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
Result<VerbResult> RunDry(const Flags& flags, const Trace& trace, const MinimizeOptions& options) {
  MARMOSET_ASSIGN(const fs::path app, AppOfTrace(trace, flags.app));
  MARMOSET_ASSIGN(const MethodChoice choice, ChooseMethod(flags.method, RecordedStates(trace)));
  const std::string_view device = app.extension() == ".yaml" ? "simulated" : "hosted";
  VerbResult verb;
  Json& json = verb.json;
  json["dry_run"] = true;
  json["target"] = ToText(options.target);
  json["events_before"] = trace.steps.size();
  json["method"] = choice.method->name;
  json["method_reason"] = choice.why;
  json["accept"] = flags.accept;
  json["confirmations"] = flags.confirmations;
  for (uint32_t i = 0; i < flags.devices; ++i)
    json["devices"].push_back({{"kind", device}, {"app", app.string()}});
  std::string estimate;
  if (const Result<OfflineReduction> r = MinimizeOffline(trace, *choice.method->make())) {
    const uint64_t replays = r->replays + 1 + flags.confirmations;
    json["estimate"] = {{"replays", replays}, {"candidates", r->replays}, {"events_after", r->kept.size()}};
    estimate = fmt::format(
        "about {} or more: 1 or more for the pre-check, {} candidates if the recorded activities tell all "
        "(what "
        "they do not show costs more), {} confirmations",
        replays, r->replays, flags.confirmations);
  } else {
    json["estimate"] = nullptr;
    estimate = "unknown: " + r.error().message();
  }
  verb.text = fmt::format(
      "Target   {}\nTrace    {} steps\nMethod   {}{}\nJudged   by {}\nReplays  {}\nDevices  {} {}, with {}\n"
      "Nothing was run.\n",
      Describe(options.target), trace.steps.size(), choice.method->name,
      choice.why.empty() ? "" : ", since " + choice.why, Describe(options.judgement), estimate, flags.devices,
      device, app.string());
  return verb;
}

// The table of the optimal policy for this rule and so many devices: from the cache, or computed into it.
Result<std::shared_ptr<const Mdp>> LoadMdp(const FixedRule& rule, uint32_t devices) {
  const fs::path file =
      CacheFolder() / "policies" /
      fmt::format("mdp-{}-of-{}-parts-{}-devices-{}", rule.needed, rule.runs, kParts, devices);
  if (const Result<std::string> bytes = ReadFile(file))
    if (Result<Mdp> loaded = Mdp::Load(*bytes)) return std::make_shared<const Mdp>(std::move(*loaded));
  spdlog::info("computing the policy for {} candidates on {} devices, once", kParts, devices);
  MdpOptions options;
  options.candidates = kParts;
  options.devices = devices;
  options.rule = rule;
  options.parallel = OnThreads(std::max(1u, std::thread::hardware_concurrency()));
  const auto mdp = std::make_shared<const Mdp>(Mdp::Solve(options));
  MARMOSET_TRY(MakeWritableFolder(file.parent_path()));
  MARMOSET_TRY(WriteFile(file, mdp->Save()));
  return mdp;
}

// The flags that do not need a device.
Result<MinimizeOptions> OptionsOf(const Flags& flags, const Trace& trace) {
  if (flags.devices < 1 || flags.devices > kMostDevices)
    return Fail(ErrorCode::kBadInput, "--devices {}: expected 1 to {}", flags.devices, kMostDevices);
  if (!(flags.likely > 0 && flags.likely < 1))
    return Fail(ErrorCode::kBadInput, "--likely {}: expected a share between 0 and 1", flags.likely);
  MinimizeOptions options;
  MARMOSET_ASSIGN(options.target, TargetOfTrace(trace, flags.target));
  options.method = flags.method;
  MARMOSET_TRY(ChooseMethod(flags.method, {}));
  if (flags.states != "activity" && flags.states != "shape")
    return Fail(ErrorCode::kBadInput, "--states {}: expected activity or shape", flags.states);
  options.states = flags.states == "shape" ? StateFunction::kShape : StateFunction::kActivity;
  options.pre_pass = flags.pre_pass;
  MARMOSET_ASSIGN(options.judgement, ParseJudgement(flags.accept));
  if (!flags.pre_check.empty()) {
    MARMOSET_ASSIGN(options.pre_check, ParseRule("--pre-check", flags.pre_check));
  }
  MARMOSET_ASSIGN(options.policy, ParsePolicy(flags.policy));
  options.likely = flags.likely;
  options.confirmations = flags.confirmations;
  options.vary = flags.vary_seed ? Vary::kSeed : flags.vary_schedule ? Vary::kSchedule : Vary::kNothing;
  if (options.policy == PolicyName::kMdp && !std::holds_alternative<FixedRule>(options.judgement))
    return Fail(ErrorCode::kBadInput, "--policy mdp is computed for a fixed rule: add --accept 18/20");
  return options;
}

std::string Guarantee(const Minimization& m) {
  if (!m.one_minimal) return "";
  return std::holds_alternative<JudgeOnce>(m.judgement)
             ? " (without any single one of them it is missed)"
             : " (without any single one of them it is reached too rarely)";
}

Json ToJson(Counts counts) { return {{"reached", counts.reached}, {"missed", counts.missed}}; }

VerbResult PreCheckFailed(const Flags& flags, const Minimization& m, const Target& target) {
  VerbResult verb;
  verb.json["reason"] = m.reason;
  const bool unresolved = m.pre_check.runs() == 0;
  verb.exit_code = unresolved ? kInfrastructure : kNotReproduced;
  verb.text = fmt::format("The whole trace {} {}: reached in {} of {} replays{} ({}).\n",
                          m.pre_check.reached > 0 ? "reaches too rarely" : "does not reach", Describe(target),
                          m.pre_check.reached, m.pre_check.runs(),
                          m.unresolved > 0 ? fmt::format(", {} unresolved", m.unresolved) : "", m.reason);
  if (m.pre_check.reached > 0)
    verb.text += "To minimize it all the same, by a test made for its rate: --accept auto\n";
  else
    verb.text += fmt::format(
        "See where it leaves the recording with: marmoset replay {}\n"
        "If it depends on chance or on the order of threads: --vary-seed --pre-check 1/50\n",
        flags.trace);
  return verb;
}

Result<VerbResult> RunMinimize(const Flags& flags, Shared& shared) {
  MARMOSET_ASSIGN(Trace trace, ReadTrace(flags.trace));
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "{}: the trace has no steps", flags.trace);
  if (flags.offline) return RunOffline(flags, trace);
  if (flags.method == "all")
    return Fail(ErrorCode::kBadInput, "--method all compares methods offline: add --offline");
  MARMOSET_ASSIGN(MinimizeOptions options, OptionsOf(flags, trace));
  if (flags.dry_run) return RunDry(flags, trace, options);
  MARMOSET_ASSIGN(const fs::path app_file, AppOfTrace(trace, flags.app));
  if (options.policy == PolicyName::kMdp) {
    MARMOSET_ASSIGN(options.mdp, LoadMdp(std::get<FixedRule>(options.judgement), flags.devices));
  }
  std::string stem = fs::path(flags.trace).filename().string();
  stem = stem.substr(0, stem.find('.'));
  MARMOSET_ASSIGN(options.out, OutputFolder(flags.out, "minimize-" + stem));
  const fs::path& out = options.out;
  const int64_t start_ms = SystemClock().NowMs();
  MARMOSET_ASSIGN(std::vector<AppUnderTest> apps,
                  OpenApps(app_file, flags.device, &trace, out, flags.devices, shared.stop.get_token()));
  // What is left is replayed on the same device.
  trace.profile = apps[0].header.profile;
  MinimizeWorld world;
  for (const AppUnderTest& app : apps) world.devices.push_back({app.device.get(), app.renew});
  world.stop = shared.stop.get_token();

  Result<Minimization> result = [&] {
    ProgressLine line;
    return Minimize(world, trace, options, [&line](const MinimizeProgress& p) { ShowProgress(line, p); });
  }();
  if (!result) return Fail(std::move(result.error()));
  const double seconds = static_cast<double>(SystemClock().NowMs() - start_ms) / 1000;
  const fs::path minimal = out / "minimal.trace.jsonl";
  const Counts& confirmed = result->confirmed;

  VerbResult verb;
  if (result->pre_check_failed) verb = PreCheckFailed(flags, *result, options.target);
  Json& json = verb.json;
  json["events_before"] = result->events_before;
  json["events_after"] = result->kept.size();
  json["kept"] = OneBased(result->kept);
  json["pre_check"] = ToJson(result->pre_check);
  json["replays"] = result->replays;
  json["replayed_events"] = result->replayed_events;
  json["remembered"] = result->remembered;
  json["wasted"] = result->wasted;
  json["seconds"] = seconds;
  json["reached"] = confirmed.reached;
  json["runs"] = confirmed.runs();
  json["unresolved"] = result->unresolved;
  json["devices"] = apps.size();
  json["target"] = ToText(options.target);
  json["trace"] = minimal.string();
  for (size_t i = 0; i < result->lost.size(); ++i)
    if (!result->lost[i].empty()) {
      json["lost"].push_back({{"device", i + 1}, {"reason", result->lost[i]}});
      verb.text += fmt::format("Device {} was given up: {}\n", i + 1, result->lost[i]);
    }
  if (result->pre_check_failed) return verb;

  const Interval interval = WilsonInterval(confirmed);
  json["method"] = result->method.method->name;
  json["method_reason"] = result->method.why;
  json["accept"] = Describe(result->judgement);
  json["interval"] = {{"confidence", 0.95}, {"low", interval.low}, {"high", interval.high}};
  json["one_minimal"] = result->one_minimal;
  if (result->reliable) json["p_reliable"] = *result->reliable;
  if (result->minimal_for_sure) json["p_minimal"] = *result->minimal_for_sure;
  const std::string summary = fmt::format(
      "{} of {} steps are needed{}; reached in {} of {} replays on a fresh device{}.", result->kept.size(),
      result->events_before, Guarantee(*result), confirmed.reached, confirmed.runs(),
      confirmed.runs() > 0 ? fmt::format(", 95 % interval {:.2f} to {:.2f}", interval.low, interval.high)
                           : "");
  verb.text += fmt::format(
      "{}\n{}Method {}{}. Candidates were judged by {}; the whole trace reached in {} of {} replays.\n"
      "{} replays of {} events in {:.1f} s on {} device{}\n{}\n",
      summary, StepsAsText(result->minimal), result->method.method->name,
      result->method.why.empty() ? "" : ", since " + result->method.why, Describe(result->judgement),
      result->pre_check.reached, result->pre_check.runs(), result->replays, result->replayed_events, seconds,
      apps.size(), apps.size() == 1 ? "" : "s", minimal.string());
  if (result->reliable)
    verb.text += fmt::format(
        "Probability that it reaches in more than 85 of 100 replays: {:.2f}{}\n", *result->reliable,
        result->minimal_for_sure
            ? fmt::format("; that no step less would do: {:.2f}", *result->minimal_for_sure)
            : "");
  if (result->stopped) {
    json["stopped"] = result->stopped->message();
    verb.exit_code = ExitCodeFor(*result->stopped);
    verb.text +=
        fmt::format("Ended early: {}. This is the best so far; the same command with --out {} goes on.\n",
                    result->stopped->message(), out.string());
    return verb;
  }
  if (confirmed.runs() > 0 && confirmed.reached == 0)
    verb.exit_code = kNotReproduced;
  else if (confirmed.reached < confirmed.runs())
    verb.exit_code = kFindings;
  size_t device = 0;
  while (!result->lost[device].empty()) ++device;
  MARMOSET_TRY(TakeStepPictures(*apps[device].device, result->minimal, options.target, summary,
                                "marmoset replay " + minimal.string(), out, shared.stop.get_token()));
  json["pictures"] = (out / "index.html").string();
  verb.text += fmt::format("Pictures: {}\n", (out / "index.html").string());
  return verb;
}

}  // namespace

void AddMinimize(CLI::App& root, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb =
      AddVerb(root, "minimize", "Shrink a trace to the steps that still reach its target",
              "  marmoset minimize run/crashes/1.trace.jsonl\n"
              "  marmoset minimize long.trace.jsonl --target activity:.Checkout --out short\n"
              "  marmoset minimize flaky.trace.jsonl --vary-seed --devices 2\n"
              "  marmoset minimize flaky.trace.jsonl --method nd3min --accept 18/20 --policy mdp\n"
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
  verb->add_option(
          "--method", flags->method,
          "How candidates are chosen: " + MethodNames() +
              " (auto: lhdd where the states between the steps make a hierarchy, else probdd); all, with "
              "--offline")
      ->capture_default_str();
  verb->add_option(
          "--states", flags->states,
          "What makes the hierarchy: activity (as recorded), or shape (what the screens offer, seen in the "
          "pre-check)")
      ->capture_default_str();
  verb->add_flag("--pre-pass", flags->pre_pass,
                 "First propose what the recorded screens suggest: no loops, no steps that changed nothing");
  verb->add_option(
          "--accept", flags->accept,
          "What a candidate needs: once (one replay), K/N (of N replays, such as 18/20), sequential (a "
          "test with stated error rates), auto (by the pre-check: once if all replays agree)")
      ->capture_default_str();
  verb->add_option(
      "--pre-check", flags->pre_check,
      "K/N: the whole trace must reach in K of N replays (default: 1/20, fewer if they agree; 15/20 with "
      "--accept K/N or sequential)");
  verb->add_option("--confirm", flags->confirmations, "Replays of the result on fresh devices")
      ->capture_default_str();
  verb->add_flag(
      "--vary-seed", flags->vary_seed,
      "Another seed for each replay: a target that depends on chance or thread order becomes flaky");
  verb->add_flag("--vary-schedule", flags->vary_schedule,
                 "Another order of the app's threads for each replay, and nothing else");
  verb->add_option("--devices", flags->devices, "Devices that replay at the same time")
      ->capture_default_str();
  verb->add_option(
          "--policy", flags->policy,
          "Which candidates get the devices where one replay does not decide: naive, round-robin, heuristic, "
          "mdp (optimal; with --accept K/N)")
      ->capture_default_str();
  verb->add_option("--likely", flags->likely,
                   "The share of successes from which the heuristic tries to confirm")
      ->capture_default_str();
  verb->add_flag("--offline", flags->offline,
                 "Run nothing: reduce by what the recorded activities say, and count the replays");
  verb->add_flag("--dry-run", flags->dry_run,
                 "Run nothing: show the target, the method, the devices and about how many replays");
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] { run([=, &shared] { return RunMinimize(*flags, shared); }); });
}

}  // namespace marmoset::cli
