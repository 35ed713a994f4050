// `marmoset export FORMAT …`: traces for other tools.

#include "trace/export.h"

#include <algorithm>

#include "apk/apk_info.h"
#include "base/log.h"
#include "cli/app_under_test.h"
#include "cli/verbs.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string trace;
  std::string app;
  std::string out;
};

// Where the app is not at hand, what was in front after the first step will do.
Result<std::string> LauncherOf(const Trace& trace, const std::string& app) {
  const bool needed = std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& step) {
    const auto* launch = std::get_if<Launch>(&step.action);
    return (launch && launch->component.empty()) || std::holds_alternative<ProcessDeath>(step.action);
  });
  if (!needed) return std::string();
  const Result<fs::path> found = AppOfTrace(trace, app);
  if (!found && (!app.empty() || trace.steps[0].activity_after.empty())) return Fail(Error(found.error()));
  if (!found) return trace.steps[0].activity_after;
  MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(*found));
  return info.launcher;
}

Result<VerbResult> RunExportMonkey(const Flags& flags) {
  MARMOSET_ASSIGN(const Trace trace, ReadTrace(flags.trace));
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "{}: the trace has no steps", flags.trace);
  MARMOSET_ASSIGN(const std::string launcher, LauncherOf(trace, flags.app));
  Result<Exported> exported = WriteMonkeyScript(trace, launcher);
  if (!exported) return Fail(std::move(exported.error()).Within(flags.trace));
  MARMOSET_TRY(WriteFile(flags.out, exported->text));
  for (const std::string& warning : exported->warnings) spdlog::warn("{}", warning);
  VerbResult verb;
  verb.json["script"] = flags.out;
  verb.json["steps"] = trace.steps.size();
  verb.json["warnings"] = exported->warnings;
  verb.text = fmt::format(
      "{}: {} steps\nNext: adb push {} /data/local/tmp/script && adb shell monkey -f "
      "/data/local/tmp/script 1\n",
      flags.out, trace.steps.size(), flags.out);
  return verb;
}

}  // namespace

void AddExport(CLI::App& root, Shared&, const RunVerb& run) {
  CLI::App* verb = AddVerb(root, "export", "Write a trace in another tool's format",
                           "  marmoset export monkey minimal.trace.jsonl -o crash.monkey\n");
  verb->require_subcommand(1);
  auto flags = std::make_shared<Flags>();
  CLI::App* monkey = verb->add_subcommand("monkey", "A script for Android's Monkey (-f)");
  monkey->add_option("trace", flags->trace, "The trace file")->required();
  monkey->add_option("--app", flags->app, "The APK, for its launcher (default: the one that was recorded)");
  monkey->add_option("-o,--out", flags->out, "The script to write")->required();
  monkey->callback([=] { run([=] { return RunExportMonkey(*flags); }); });
}

}  // namespace marmoset::cli
