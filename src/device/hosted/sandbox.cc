#include "device/hosted/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <iterator>

namespace marmoset {
namespace {

// The JVM maps 4 GB at rest, most of which it never touches; its heap has 1 GB, and a thousand threads of the
// app take 2 GB. What is beyond belongs to an app that eats memory outside the heap.
constexpr uint64_t kAddressSpace = 10ull << 30;

// The app's files. A phone has more, and fewer apps that fill it.
constexpr char kDataBytes[] = "536870912";
// The native libraries that the JVM unpacks, 150 MB.
constexpr char kTemporaryBytes[] = "536870912";

#if defined(__x86_64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kProcessor = 0;
#endif

}  // namespace

std::string NoNewProcesses() {
  if (kProcessor == 0) return {};
  std::vector<sock_filter> program;
  const auto load = [&](size_t offset) {
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)));
  };
  const auto give = [&](uint32_t result) { program.push_back(BPF_STMT(BPF_RET | BPF_K, result)); };
  // Where the loaded value is (or, `at_least`, reaches) `value`, the next `n` instructions are done,
  // otherwise skipped.
  const auto where = [&](uint16_t comparison, uint32_t value, uint8_t n) {
    program.push_back(BPF_JUMP(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, n));
  };
  constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

  load(offsetof(seccomp_data, arch));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0));
  give(kRefuse);  // Another processor's calls (32 bits) have other numbers.
  load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  where(BPF_JGE, 0x40000000, 1);  // So do those of the x32 mode.
  give(kRefuse);
  where(BPF_JEQ, SYS_fork, 1);
  give(kRefuse);
  where(BPF_JEQ, SYS_vfork, 1);
  give(kRefuse);
#endif
  // clone3 keeps its flags in memory, which a filter cannot read. Where it is missing, the C library takes
  // clone.
  where(BPF_JEQ, SYS_clone3, 1);
  give(SECCOMP_RET_ERRNO | ENOSYS);
  where(BPF_JEQ, SYS_clone, 3);
  load(offsetof(seccomp_data, args));  // The flags; the low half on a little-endian machine.
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  give(kRefuse);
  give(SECCOMP_RET_ALLOW);
  return {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)};
}

Command SandboxedJava(const HostedInstallation& installation, const SandboxPlan& plan,
                      std::vector<std::string> java_arguments) {
  Command command;
  command.address_space = kAddressSpace;
  std::vector<std::string>& argv = command.argv;
  auto add = [&argv](std::initializer_list<std::string> words) { argv.insert(argv.end(), words); };
  if (!installation.bubblewrap.empty()) {
    add({installation.bubblewrap.string(), "--die-with-parent", "--unshare-all", "--new-session"});
    if (std::string filter = NoNewProcesses(); !filter.empty()) {
      add({"--seccomp", "3"});
      command.files.push_back(std::move(filter));
    }
    add({"--proc", "/proc", "--dev", "/dev", "--size", kTemporaryBytes, "--tmpfs", "/tmp"});
    // Only what a Java runtime needs; nobody's home, no /root, no /var.
    for (const char* folder : {"/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/java-17-openjdk",
                               "/etc/ssl", "/etc/ld.so.cache", "/etc/fonts", "/opt"})
      if (fs::exists(folder)) add({"--ro-bind", folder, folder});
    for (const fs::path& path : plan.readable) add({"--ro-bind", path.string(), path.string()});
    const std::string folder = plan.writable.string();
    if (plan.keep) {
      add({"--bind", folder, folder});
    } else {
      add({"--size", kDataBytes, "--tmpfs", folder});
    }
    // The user's environment may hold secrets, and makes runs differ.
    add({"--clearenv", "--setenv", "HOME", folder, "--setenv", "LC_ALL", "C.UTF-8", "--chdir", folder});
  }
  argv.push_back(installation.java.string());
  argv.insert(argv.end(), std::make_move_iterator(java_arguments.begin()),
              std::make_move_iterator(java_arguments.end()));
  return command;
}

}  // namespace marmoset
