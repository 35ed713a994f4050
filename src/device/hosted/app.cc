#include "device/hosted/app.h"

#include <algorithm>

#include "apk/apk_info.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "device/hosted/sandbox.h"
#include "gui/codec.h"

namespace marmoset {
namespace {

// Converting the largest APK known (16 dex files) takes under a minute; ten times that is a hang.
constexpr int64_t kConvertMs = 600'000;

constexpr char kReport[] = "report.json";
constexpr char kManifest[] = "AndroidManifest.xml";

std::vector<std::string> Strings(const Json& list) {
  std::vector<std::string> strings;
  for (const Json& item : list) strings.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  return strings;
}

Result<ConvertedApp> ReadConverted(const fs::path& folder, const fs::path& apk_file, std::string sha256) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(folder / kReport));
  MARMOSET_ASSIGN(const Json report, ParseJson(text));
  ConvertedApp app;
  app.apk = fs::exists(folder / "app.apk") ? folder / "app.apk" : fs::canonical(apk_file);
  app.jar = folder / "classes.jar";
  app.manifest = folder / kManifest;
  app.sha256 = std::move(sha256);
  MARMOSET_ASSIGN(app.classes, IntegerAt(report, "classes"));
  MARMOSET_ASSIGN(app.methods, IntegerAt(report, "methods"));
  MARMOSET_ASSIGN(app.native_methods, IntegerAt(report, "native_methods"));
  if (report.contains("failed_methods")) app.failed_methods = Strings(report["failed_methods"]);
  if (report.contains("natives")) app.native_libraries = Strings(report["natives"]);
  return app;
}

}  // namespace

Result<ConvertedApp> ConvertApp(const HostedInstallation& installation, const fs::path& apk_file,
                                const std::function<void()>& on_work, std::stop_token stop) {
  // The manifest is read first: it is what most broken APKs fail on, with a better message than the
  // converter's.
  MARMOSET_ASSIGN(const apk::Apk opened, apk::Apk::Open(apk_file.string()));
  MARMOSET_ASSIGN(const std::string manifest, apk::ManifestAsText(opened));
  MARMOSET_ASSIGN(std::string sha256, Sha256OfFile(apk_file.string()));
  const fs::path cache = CacheFolder() / "apps";
  MARMOSET_TRY(MakeWritableFolder(cache));
  const std::string name = sha256.substr(0, 32) + "-" + Hex64(Hash64(installation.stamp));
  const fs::path folder = cache / name;
  MARMOSET_ASSIGN(const FileLock lock, FileLock::Take(cache / (name + ".lock")));
  if (fs::exists(folder / kReport)) return ReadConverted(folder, apk_file, std::move(sha256));

  if (on_work) on_work();
  MARMOSET_ASSIGN(TemporaryFolder work, TemporaryFolder::Make(cache));
  const std::string apk_path = fs::canonical(apk_file).string();
  const SandboxPlan plan{{installation.folder, apk_path}, work.path()};
  MARMOSET_ASSIGN(const Finished done,
                  RunToEnd(SandboxedJava(installation, plan,
                                         {"@" + (installation.folder / "jvm-flags").string(),
                                          "marmoset.hosted.Convert", apk_path, work.path().string()}),
                           kConvertMs, stop));
  if (done.exit_status == 2) {
    const std::string reason = done.error.substr(0, done.error.find('\n'));
    return Fail(ErrorCode::kBadInput, "{}", reason);
  }
  if (done.exit_status != 0)
    return Fail(ErrorCode::kInternal, "{}: conversion ended with status {}: {}", apk_file.string(),
                done.exit_status, done.error.substr(0, 2000));
  MARMOSET_TRY(WriteFile(work.path() / kManifest, manifest));
  fs::permissions(work.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                   fs::perms::others_read | fs::perms::others_exec);
  // A rename makes the entry whole or absent; the temporary name is gone afterwards.
  std::error_code error;
  fs::remove_all(folder, error);
  fs::rename(work.path(), folder, error);
  if (error) return Fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
  return ReadConverted(folder, apk_file, std::move(sha256));
}

}  // namespace marmoset
