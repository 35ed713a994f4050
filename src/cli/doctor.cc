// `marmoset doctor [APK]`: what is installed and what is missing; for an app, how far it can be trusted to
// run here: each of its activities is started by itself.

#include <algorithm>
#include <map>

#include "cli/app_under_test.h"
#include "cli/verbs.h"
#include "device/hosted/installation.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string app;
  DeviceFlags device;
};

struct ActivityOutcome {
  std::string outcome;  // "open", "finished", "crash", "host_gap", "lost"
  std::string cause;
};

// Starts one activity from a clean start of the app.
Result<ActivityOutcome> StartActivity(Device& device, const std::string& package,
                                      const std::string& activity) {
  MARMOSET_TRY(device.Reset({}));
  MARMOSET_ASSIGN(const Outcome outcome, device.Perform(Launch{package + "/" + activity}));
  if (outcome.crash) return ActivityOutcome{"crash", SignatureOf(*outcome.crash).ToString()};
  if (outcome.host_gap) return ActivityOutcome{"host_gap", outcome.host_gap->where};
  if (outcome.exited) return ActivityOutcome{"finished", "it ends the app's process"};
  MARMOSET_ASSIGN(const Screen screen, device.Observe());
  if (screen.package != package || screen.activity.empty())
    return ActivityOutcome{"finished", "it finishes itself at once"};
  return ActivityOutcome{"open", ""};
}

Result<VerbResult> CheckApp(const Flags& flags, Shared& shared) {
  MARMOSET_ASSIGN(const TemporaryFolder scratch, TemporaryFolder::Make());
  MARMOSET_ASSIGN(AppUnderTest app, OpenApp(flags.app, flags.device, nullptr, scratch.path() / "device.log",
                                            shared.stop.get_token()));
  std::map<std::string, int> totals = {
      {"open", 0}, {"finished", 0}, {"crash", 0}, {"host_gap", 0}, {"lost", 0}};
  VerbResult verb;
  Json by_name = Json::object();
  std::string problems;
  bool cancelled = false;
  {
    ProgressLine line;
    for (size_t i = 0; i < app.activities.size(); ++i) {
      const std::string& name = app.activities[i];
      line.Show(fmt::format("{} {}/{}  {}",
                            Bar(1.0 * static_cast<double>(i) / static_cast<double>(app.activities.size())),
                            i + 1, app.activities.size(), ShortName(name)));
      Result<ActivityOutcome> outcome = StartActivity(*app.device, app.header.package, name);
      if (!outcome && outcome.error().code() == ErrorCode::kCancelled) {
        cancelled = true;
        break;
      }
      // A device lost over one activity is said and replaced: the next Reset starts another JVM.
      const ActivityOutcome o = outcome ? *outcome : ActivityOutcome{"lost", outcome.error().message()};
      ++totals[o.outcome];
      by_name[name] = {{"outcome", o.outcome}};
      if (!o.cause.empty()) by_name[name]["cause"] = o.cause;
      if (o.outcome != "open") problems += fmt::format("  {:9} {}: {}\n", o.outcome, name, o.cause);
    }
  }
  Json& json = verb.json;
  json["package"] = app.header.package;
  json["version"] = app.header.version_name;
  json["conversion_failures"] = app.conversion_failures;
  json["native_libraries"] = app.native_libraries;
  json["activities"] = {{"total", app.activities.size()}};
  for (const auto& [outcome, count] : totals) json["activities"][outcome] = count;
  json["activities"]["by_name"] = std::move(by_name);
  verb.text = fmt::format("{} {}: {} of {} activities open\n", app.header.package, app.header.version_name,
                          totals["open"], app.activities.size());
  verb.text += problems;
  if (!app.conversion_failures.empty())
    verb.text += fmt::format("  {} methods could not be converted, the first: {}\n",
                             app.conversion_failures.size(), app.conversion_failures[0]);
  if (!app.native_libraries.empty())
    verb.text += fmt::format("  it has native libraries ({}): calls into them return nothing here\n",
                             fmt::join(app.native_libraries, ", "));
  verb.exit_code = cancelled                                                   ? kCancelled
                   : totals["crash"] + totals["host_gap"] + totals["lost"] > 0 ? kFindings
                                                                               : kClean;
  return verb;
}

Result<VerbResult> CheckMachine() {
  VerbResult verb;
  verb.json["requirements"] = Json::array();
  for (const Requirement& r : CheckHostedInstallation()) {
    verb.json["requirements"].push_back({{"name", r.name}, {"present", r.present}, {"detail", r.detail}});
    verb.text += fmt::format("{} {}: {}\n", r.present ? "ok     " : "MISSING", r.name, r.detail);
    if (!r.present) verb.exit_code = kInfrastructure;
  }
  return verb;
}

}  // namespace

void AddDoctor(CLI::App& root, Shared& shared, const RunVerb& run) {
  auto flags = std::make_shared<Flags>();
  CLI::App* verb =
      AddVerb(root, "doctor", "Say what is missing on this machine, or how well an app runs here",
              "  marmoset doctor\n  marmoset doctor app.apk\n");
  verb->add_option("app", flags->app, "An APK: start each of its activities by itself");
  flags->device.AddTo(verb);
  verb->callback([flags, &shared, run] {
    run([=, &shared] { return flags->app.empty() ? CheckMachine() : CheckApp(*flags, shared); });
  });
}

}  // namespace marmoset::cli
