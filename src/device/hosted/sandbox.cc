#include "device/hosted/sandbox.h"

namespace marmoset {

std::vector<std::string> SandboxedJava(const HostedInstallation& installation, const SandboxPlan& plan,
                                       std::vector<std::string> java_arguments) {
  std::vector<std::string> argv;
  auto add = [&argv](std::initializer_list<std::string> words) { argv.insert(argv.end(), words); };
  if (!installation.bubblewrap.empty()) {
    add({installation.bubblewrap.string(), "--die-with-parent", "--unshare-all", "--new-session"});
    add({"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"});
    // Only what a Java runtime needs; nobody's home, no /root, no /var.
    for (const char* folder : {"/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/java-17-openjdk",
                               "/etc/ssl", "/etc/ld.so.cache", "/etc/fonts", "/opt"})
      if (fs::exists(folder)) add({"--ro-bind", folder, folder});
    for (const fs::path& path : plan.readable) add({"--ro-bind", path.string(), path.string()});
    add({"--bind", plan.writable.string(), plan.place.string()});
    add({"--chdir", plan.place.string(), "--setenv", "HOME", plan.place.string(), "--unsetenv",
         "JAVA_TOOL_OPTIONS"});
  }
  argv.push_back(installation.java.string());
  argv.insert(argv.end(), std::make_move_iterator(java_arguments.begin()),
              std::make_move_iterator(java_arguments.end()));
  return argv;
}

}  // namespace marmoset
