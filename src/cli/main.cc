// The program: finds the verb, runs it, prints its result.

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <optional>

#include "base/log.h"
#include "base/stop.h"
#include "cli/verb.h"

namespace {

using namespace marmoset;
using namespace marmoset::cli;

// Text that came from an app may not be valid UTF-8; it is still printed.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int Run(const VerbBody& body, const Shared& shared) {
  const Result<VerbResult> result = body();
  if (!result) {
    const Error& error = result.error();
    std::fprintf(stderr, "marmoset: %s\n", error.message().c_str());
    if (shared.json)
      std::fputs(
          Dump({{"error", {{"code", ErrorCodeName(error.code())}, {"message", error.message()}}}}).c_str(),
          stdout);
    return ExitCodeFor(error);
  }
  std::fputs((shared.json ? Dump(result->json) : result->text).c_str(), stdout);
  if (shared.exit_zero && (result->exit_code == kFindings || result->exit_code == kNotReproduced))
    return kClean;
  return result->exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // A JVM that died shows as a failed write.
  CLI::App root(
      "Marmoset: finds crashes of Android apps through their GUI and shrinks them to the steps that matter.");
  root.name("marmoset");
  root.require_subcommand(1);
  root.set_version_flag("--version", std::string("marmoset " MARMOSET_VERSION));
  root.footer(
      "Exit status: 0 clean; 1 findings; 2 bad usage; 3 nothing to run; 4 target not reproduced;\n"
      "10 device or infrastructure lost; 19 cancelled; 20 internal error.");
  Shared shared;
  root.add_flag("--json", shared.json,
                "Print one JSON object on standard output, all else on standard error");
  root.add_flag("--exit-zero", shared.exit_zero,
                "Exit with 0 also when something was found or not reproduced");
  root.add_flag("-v,--verbose", shared.verbosity, "Say more on standard error (twice: everything)");
  root.fallthrough();

  std::optional<VerbBody> chosen;
  for (const VerbEntry& verb : Verbs())
    verb.add(root, shared, [&chosen](VerbBody body) { chosen = std::move(body); });
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return root.exit(e) == 0 ? kClean : kUsage;
  }
  SetUpLog(shared.verbosity);
  StopOnSignals(shared.stop);
  return Run(*chosen, shared);
}
