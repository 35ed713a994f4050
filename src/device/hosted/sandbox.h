// The command that runs a JVM of the hosted device inside bubblewrap: no network, no other processes, a
// read-only file system without anybody's home, and one writable folder.

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "device/hosted/installation.h"

namespace marmoset {

struct SandboxPlan {
  std::vector<fs::path>
      readable;       // Outside the system's folders: the APK, the converted classes, the JVM's jars.
  fs::path writable;  // The device's data folder.
  fs::path place;     // Where it lies as seen from within; its own path where there is no sandbox.
};

// `java` and its arguments wrapped as the plan says; unwrapped when the installation has no bubblewrap.
std::vector<std::string> SandboxedJava(const HostedInstallation& installation, const SandboxPlan& plan,
                                       std::vector<std::string> java_arguments);

}  // namespace marmoset
