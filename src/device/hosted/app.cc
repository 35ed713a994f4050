#include "device/hosted/app.h"

#include <algorithm>

#include "apk/apk_info.h"
#include "apk/app_packages.h"
#include "apk/dex/probes.h"
#include "apk/zip_writer.h"
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
constexpr char kMethods[] = "methods.json";
constexpr char kProbedCode[] = "probed-code.zip";

// Part of the name of what is cached: to be raised when apk/dex/probes.cc numbers or writes probes
// differently.
constexpr int kProbesVersion = 1;

// The APK's DEX files with a probe in each method and the list of these methods, as files in `folder`.
Status WriteProbedCode(const apk::Apk& apk, const fs::path& folder) {
  MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(apk));
  MARMOSET_ASSIGN(const dex::DexSet set, dex::DexSet::Open(apk));
  if (set.files.size() != info.dex_files.size())
    return Fail(ErrorCode::kUnsupported, "DEX containers with several files cannot be rewritten");
  for (const dex::DexFile& file : set.files)
    for (uint32_t i = 0; i < file.count(dex::kClassDefs); ++i)
      if (file.Type(file.Class(i).type) == dex::kProbeClass)
        return Fail(ErrorCode::kUnsupported, "it has probes already: give the app without them");
  MARMOSET_ASSIGN(const dex::InstrumentedDex probed, dex::Instrument(set, {}));
  apk::ZipWriter zip;
  for (size_t i = 0; i < probed.files.size(); ++i)
    zip.AddStored(i == 0 ? "classes.dex" : fmt::format("classes{}.dex", i + 1), probed.files[i]);
  MARMOSET_ASSIGN(const apk::ZipParts parts, zip.Finish());
  MARMOSET_TRY(WriteFile(folder / kProbedCode, parts.Join()));
  const std::vector<std::string> packages = apk::AppPackages(info.manifest);
  Json methods = Json::array();
  for (const dex::Probe& probe : probed.probes) {
    std::string type = "L" + probe.class_name + ";";
    std::replace(type.begin(), type.end(), '.', '/');
    const bool own = apk::InPackages(type, packages);
    methods.push_back({{"class", probe.class_name},
                       {"method", probe.method},
                       {"descriptor", probe.descriptor},
                       {"line", probe.line},
                       {"own", own}});
  }
  return WriteFile(folder / kMethods, methods.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<std::vector<AppMethod>> ReadMethods(const fs::path& file) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(file));
  MARMOSET_ASSIGN(const Json list, ParseJson(text));
  std::vector<AppMethod> methods;
  for (const Json& item : list) {
    AppMethod method;
    MARMOSET_ASSIGN(method.class_name, StringAt(item, "class"));
    MARMOSET_ASSIGN(method.name, StringAt(item, "method"));
    MARMOSET_ASSIGN(method.descriptor, StringAt(item, "descriptor"));
    MARMOSET_ASSIGN(const int64_t line, IntegerAt(item, "line"));
    method.line = static_cast<int>(line);
    MARMOSET_ASSIGN(method.own, BoolAt(item, "own"));
    methods.push_back(std::move(method));
  }
  return methods;
}

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
  if (fs::exists(folder / kMethods)) {
    MARMOSET_ASSIGN(app.probed_methods, ReadMethods(folder / kMethods));
  }
  return app;
}

}  // namespace

Result<ConvertedApp> ConvertApp(const HostedInstallation& installation, const fs::path& apk_file, bool probes,
                                const std::function<void()>& on_work, std::stop_token stop) {
  // The manifest is read first: it is what most broken APKs fail on, with a better message than the
  // converter's.
  MARMOSET_ASSIGN(const apk::Apk opened, apk::Apk::Open(apk_file.string()));
  MARMOSET_ASSIGN(const std::string manifest, apk::ManifestAsText(opened));
  MARMOSET_ASSIGN(std::string sha256, Sha256OfFile(apk_file.string()));
  const fs::path cache = CacheFolder() / "apps";
  MARMOSET_TRY(MakeWritableFolder(cache));
  std::string name = sha256.substr(0, 32) + "-" + Hex64(Hash64(installation.stamp));
  if (probes) name += fmt::format("-probes{}", kProbesVersion);
  const fs::path folder = cache / name;
  MARMOSET_ASSIGN(const FileLock lock, FileLock::Take(cache / (name + ".lock")));
  if (fs::exists(folder / kReport)) return ReadConverted(folder, apk_file, std::move(sha256));

  if (on_work) on_work();
  MARMOSET_ASSIGN(TemporaryFolder work, TemporaryFolder::Make(cache));
  const std::string apk_path = fs::canonical(apk_file).string();
  const SandboxPlan plan{{installation.folder, apk_path}, work.path(), true};
  std::vector<std::string> convert = {"@" + (installation.folder / "jvm-flags").string(),
                                      "marmoset.hosted.Convert", apk_path, work.path().string()};
  if (probes) {
    if (const Status written = WriteProbedCode(opened, work.path()); !written)
      return Fail(ErrorCode::kUnsupported, "{}", written.error().message());
    convert.push_back((work.path() / kProbedCode).string());
  }
  MARMOSET_ASSIGN(const Finished done,
                  RunToEnd(SandboxedJava(installation, plan, std::move(convert)), kConvertMs, stop));
  if (done.exit_status == 2) {
    const std::string reason = done.error.substr(0, done.error.find('\n'));
    return Fail(ErrorCode::kBadInput, "{}", reason);
  }
  if (done.exit_status != 0)
    return Fail(ErrorCode::kInternal, "{}: conversion ended with status {}: {}", apk_file.string(),
                done.exit_status, done.error.substr(0, 2000));
  std::error_code error;
  fs::remove(work.path() / kProbedCode, error);
  MARMOSET_TRY(WriteFile(work.path() / kManifest, manifest));
  fs::permissions(work.path(), fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                   fs::perms::others_read | fs::perms::others_exec);
  // A rename makes the entry whole or absent; the temporary name is gone afterwards.
  fs::remove_all(folder, error);
  fs::rename(work.path(), folder, error);
  if (error) return Fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
  return ReadConverted(folder, apk_file, std::move(sha256));
}

}  // namespace marmoset
