// `marmoset import FORMAT …`: other tools' recordings as traces.

#include "trace/import.h"

#include "apk/apk_info.h"
#include "base/log.h"
#include "cli/app_under_test.h"
#include "cli/verbs.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string input;
  std::string apk;
  std::string out;
  std::string display;
};

using Importer = Result<Imported> (*)(const fs::path&, std::optional<Display>);

Result<VerbResult> RunImport(const Flags& flags, Importer importer) {
  std::optional<Display> display;
  if (!flags.display.empty()) {
    MARMOSET_ASSIGN(display, ParseDisplay(flags.display));
  }
  MARMOSET_ASSIGN(Imported imported, importer(flags.input, display));
  Trace& trace = imported.trace;
  if (!flags.apk.empty()) {
    MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(flags.apk));
    if (!trace.package.empty() && info.manifest.package != trace.package)
      return Fail(ErrorCode::kBadInput, "{}: this is {}, but the recording is of {}", flags.apk,
                  info.manifest.package, trace.package);
    trace.package = info.manifest.package;
    trace.version_name = info.manifest.version_name;
    trace.version_code = static_cast<int64_t>(info.manifest.version_code);
    trace.apk_sha256 = info.sha256;
    MARMOSET_TRY(RememberApp(info.sha256, flags.apk));
  }
  MARMOSET_TRY(WriteTrace(flags.out, trace));
  for (const std::string& warning : imported.warnings) spdlog::warn("{}", warning);
  VerbResult verb;
  verb.json["trace"] = flags.out;
  verb.json["package"] = trace.package;
  verb.json["events"] = trace.steps.size();
  verb.json["crash"] = trace.crash ? Json(trace.crash->ToString()) : Json();
  verb.json["warnings"] = imported.warnings;
  verb.text = fmt::format("{}: {} steps of {}{}\n", flags.out, trace.steps.size(), trace.package,
                          trace.crash ? ", ending in " + trace.crash->ToString() : "");
  return verb;
}

void AddFormat(CLI::App* parent, const std::string& name, const std::string& description,
               const std::string& input, Importer importer, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb = parent->add_subcommand(name, description);
  verb->add_option("input", flags->input, input)->required();
  verb->add_option("--apk", flags->apk, "The app that it was recorded with");
  verb->add_option("-o,--out", flags->out, "The trace file to write")->required();
  verb->add_option(
      "--display", flags->display,
      "Display of the recording, as 1080x1920@480 (default: guessed from the largest coordinate)");
  verb->callback([=] { run([=] { return RunImport(*flags, importer); }); });
}

}  // namespace

void AddImport(CLI::App& root, Shared&, const RunVerb& run) {
  CLI::App* verb = AddVerb(root, "import", "Make a trace of another tool's recording",
                           "  marmoset import simplydroid Tippy/1 --apk Tippy.apk -o tippy1.trace.jsonl\n"
                           "  marmoset import monkey monkey.log --apk app.apk -o monkey.trace.jsonl\n");
  verb->require_subcommand(1);
  AddFormat(verb, "simplydroid", "A folder with script.log and execute.log of the SimplyDroid study",
            "The folder", ImportSimplyDroid, run);
  AddFormat(verb, "monkey", "A Monkey script (-f), or the log of `monkey -v -v`", "The file", ImportMonkey,
            run);
}

}  // namespace marmoset::cli
