#include "device/hosted/installation.h"

#include <set>

#include "base/environment.h"
#include "base/subprocess.h"
#include "device/hosted/profile.h"

namespace marmoset {
namespace {

constexpr char kJavaRemedy[] =
    "install a Java 17 runtime: apt-get install openjdk-17-jdk-headless, or run tools/setup";
constexpr char kBubblewrapRemedy[] = "install it: apt-get install bubblewrap, or run tools/setup";
constexpr char kFolderRemedy[] =
    "run ./demo --build-only, or hosted/setup FOLDER and set MARMOSET_HOSTED to it (needs Maven once, then "
    "works offline)";
constexpr char kStamp[] = "stamp";
constexpr int64_t kProbeMs = 20'000;

std::vector<fs::path> Candidates() {
  std::vector<fs::path> folders;
  if (const auto chosen = EnvironmentVariable("MARMOSET_HOSTED")) return {*chosen};
  const fs::path program = ExecutablePath().parent_path();
  // Tests run from build/PRESET/src/FOLDER/, the program from build/PRESET/.
  for (const char* up : {"../hosted", "../../../hosted", "../share/marmoset/hosted"})
    folders.push_back(program / up);
  return folders;
}

fs::path FindFolder() {
  for (const fs::path& folder : Candidates())
    if (fs::exists(folder / kStamp)) return fs::weakly_canonical(folder);
  return {};
}

// The SDK levels that are installed.
std::set<int> Frameworks(const fs::path& folder) {
  std::set<int> levels;
  for (int level = kFirstSdk; level <= kLastSdk; ++level)
    if (fs::exists(folder / "sdk" / std::to_string(level))) levels.insert(level);
  return levels;
}

// Whether bubblewrap can make its namespaces here (some containers forbid it).
Status TryBubblewrap(const fs::path& bubblewrap) {
  auto done = RunToEnd({bubblewrap.string(), "--ro-bind", "/", "/", "--unshare-all", "true"}, kProbeMs);
  if (!done) return Fail(std::move(done.error()));
  if (done->exit_status == 0) return {};
  return Fail(ErrorCode::kMissingTool,
              "bubblewrap cannot make a sandbox here: {}: allow user namespaces (sysctl "
              "kernel.unprivileged_userns_clone=1), or trust the app and pass --unsafe-no-sandbox",
              done->error.substr(0, done->error.find('\n')));
}

}  // namespace

Result<HostedInstallation> FindHostedInstallation(const HostedOptions& options) {
  HostedInstallation found;
  found.java = FindProgram("java");
  if (found.java.empty())
    return Fail(ErrorCode::kMissingTool, "hosted device: no java in PATH: {}", kJavaRemedy);
  found.folder = FindFolder();
  if (found.folder.empty())
    return Fail(ErrorCode::kMissingTool, "hosted device: its Java part is not set up (looked in {}): {}",
                Candidates().front().string(), kFolderRemedy);
  MARMOSET_ASSIGN(found.stamp, ReadFile(found.folder / kStamp));
  if (options.sandbox) {
    found.bubblewrap = FindProgram("bwrap");
    if (found.bubblewrap.empty())
      return Fail(ErrorCode::kMissingTool, "hosted device: bubblewrap, which contains the app, is absent: {}",
                  kBubblewrapRemedy);
    MARMOSET_TRY(TryBubblewrap(found.bubblewrap));
  }
  return found;
}

Status CheckFramework(const HostedInstallation& installation, int sdk) {
  if (fs::exists(installation.folder / "sdk" / std::to_string(sdk))) return {};
  return Fail(
      ErrorCode::kMissingTool,
      "hosted device: the framework of SDK {} is not installed; there are: {}: run hosted/setup {} {} "
      "in Marmoset's source (fetches 80 to 200 MB, once)",
      sdk, fmt::join(Frameworks(installation.folder), ", "), installation.folder.string(), sdk);
}

std::vector<Requirement> CheckHostedInstallation() {
  std::vector<Requirement> list;
  const fs::path java = FindProgram("java");
  Requirement jdk{"Java runtime", false, kJavaRemedy};
  if (!java.empty()) {
    if (auto done = RunToEnd({java.string(), "-version"}, kProbeMs); done && done->exit_status == 0) {
      jdk.present = true;
      jdk.detail = fmt::format("{}: {}", java.string(), done->error.substr(0, done->error.find('\n')));
    }
  }
  list.push_back(std::move(jdk));
  const fs::path bubblewrap = FindProgram("bwrap");
  Requirement sandbox{"bubblewrap", false, kBubblewrapRemedy};
  if (!bubblewrap.empty()) {
    const Status works = TryBubblewrap(bubblewrap);
    sandbox.present = works.has_value();
    sandbox.detail = works ? bubblewrap.string() : works.error().message();
  }
  list.push_back(std::move(sandbox));
  const fs::path folder = FindFolder();
  list.push_back({"hosted device", !folder.empty(),
                  folder.empty() ? kFolderRemedy
                                 : fmt::format("{} (SDK {}; others: hosted/setup {} LEVEL)", folder.string(),
                                               fmt::join(Frameworks(folder), ", "), folder.string())});
  return list;
}

}  // namespace marmoset
