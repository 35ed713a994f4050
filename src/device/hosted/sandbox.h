// The command that runs a JVM of the hosted device inside bubblewrap: no network, no other processes and none
// to be started, a read-only file system without anybody's home, no environment, and folders of limited size
// in memory to write to. What the JVM allows an app is decided in the JVM (hosted/); this is the wall behind
// it.

#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "base/subprocess.h"
#include "device/hosted/installation.h"

namespace marmoset {

struct SandboxPlan {
  std::vector<fs::path>
      readable;  // Outside the system's folders: the APK, the converted classes, the JVM's jars.
  // The folder to write to. In the sandbox it is made, in memory, and vanishes with the JVM; unless it is to
  // be kept, or where there is no sandbox, it must exist.
  fs::path writable;
  bool keep = false;
};

// `java` and its arguments wrapped as the plan says; only its memory is limited when the installation has no
// bubblewrap.
Command SandboxedJava(const HostedInstallation& installation, const SandboxPlan& plan,
                      std::vector<std::string> java_arguments);

// A program for the kernel (seccomp) that lets a process start threads but no processes: what the system call
// would return is EPERM. Empty where the processor is not known.
std::string NoNewProcesses();

}  // namespace marmoset
