// `marmoset devices`: what there is to run an app on.

#include <algorithm>

#include "cli/verbs.h"
#include "device/hosted/installation.h"

namespace marmoset::cli {
namespace {

Result<VerbResult> RunDevices() {
  const std::vector<Requirement> needs = CheckHostedInstallation();
  const bool ready = std::all_of(needs.begin(), needs.end(), [](const Requirement& r) { return r.present; });
  VerbResult verb;
  verb.json["devices"] = {{{"name", "hosted"}, {"ready", ready}}, {{"name", "simulated"}, {"ready", true}}};
  verb.text = fmt::format("hosted     {}  runs an APK on a Java virtual machine\n",
                          ready ? "ready    " : "not ready") +
              "simulated  ready      runs an app model (*.yaml)\n";
  if (!ready) verb.text += "What is missing: marmoset doctor\n";
  return verb;
}

}  // namespace

void AddDevices(CLI::App& root, Shared&, const RunVerb& run) {
  CLI::App* verb =
      AddVerb(root, "devices", "List the devices that an app can be run on", "  marmoset devices\n");
  verb->callback([run] { run([] { return RunDevices(); }); });
}

}  // namespace marmoset::cli
