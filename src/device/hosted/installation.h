// What the hosted device needs on this machine: a Java runtime, bubblewrap, and the folder that hosted/setup
// made.

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace marmoset {

struct HostedInstallation {
  fs::path folder;  // jvm-flags, marmoset-hosted.jar, lib/, sdk/
  fs::path java;
  fs::path bubblewrap;  // Empty where the sandbox was switched off.
  std::string stamp;    // Changes whenever the folder's content does.
};

struct HostedOptions {
  bool sandbox = true;  // False: run the JVM without bubblewrap, trusting the app with this user's files.
};

// Looks for the folder in MARMOSET_HOSTED, beside the program's own folder (../hosted, where the build puts
// it) and in
// ../share/marmoset/hosted. kMissingTool names what is absent and how to get it.
Result<HostedInstallation> FindHostedInstallation(const HostedOptions& options);

// The framework of this SDK level is installed; else kMissingTool with the command that installs it.
Status CheckFramework(const HostedInstallation& installation, int sdk);

// One requirement of the hosted device, as `marmoset doctor` lists it.
struct Requirement {
  std::string name;
  bool present = false;
  std::string detail;  // Where it is or its version; where it is absent, how to get it.
};
std::vector<Requirement> CheckHostedInstallation();

}  // namespace marmoset
