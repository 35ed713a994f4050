#include "apk/apk_info.h"

#include "apk/utf.h"
#include "apk/xml_text.h"
#include "base/hash.h"

namespace marmoset::apk {
namespace {

constexpr std::string_view kManifestName = "AndroidManifest.xml";

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// What a zip without a manifest is, and what its owner should do.
std::string NoApk(const Zip& zip) {
  if (zip.Find("base/manifest/AndroidManifest.xml") != nullptr)
    return "this is an app bundle (.aab), not an APK; make one with: bundletool build-apks --mode=universal";
  for (const ZipEntry& entry : zip.entries()) {
    if (EndsWith(entry.name, ".apk"))
      return fmt::format("this is a set of APKs, not an APK; unpack it and give the base ({})",
                         Printable(entry.name));
    if (EndsWith(entry.name, ".class"))
      return "this is a Java archive, not an APK: it has class files and no AndroidManifest.xml";
  }
  return "not an APK: the archive has no AndroidManifest.xml";
}

}  // namespace

Result<Apk> Apk::Open(const std::string& path) {
  MARMOSET_ASSIGN(Zip zip, Zip::Open(path));
  return FromZip(std::move(zip));
}

Result<Apk> Apk::Parse(Blob bytes, std::string name) {
  MARMOSET_ASSIGN(Zip zip, Zip::Parse(std::move(bytes), std::move(name)));
  return FromZip(std::move(zip));
}

Result<Apk> Apk::FromZip(Zip zip) {
  if (zip.Find(kManifestName) == nullptr) return Fail(ErrorCode::kBadInput, "{}: {}", zip.name(), NoApk(zip));
  MARMOSET_ASSIGN(const Blob text, zip.Read(kManifestName));
  Result<XmlDocument> manifest = XmlDocument::Parse(text.view());
  if (!manifest)
    return Fail(std::move(manifest.error()).Within(fmt::format("{}: {}", zip.name(), kManifestName)));
  Apk apk(std::move(zip), std::move(*manifest));
  if (apk.zip_.Find("resources.arsc") != nullptr) {
    // An app can be tested without names for its ids, so this is no reason to refuse it.
    Result<Blob> bytes = apk.zip_.Read("resources.arsc");
    Result<ResourceTable> table = bytes ? ResourceTable::Parse(std::move(*bytes)) : Fail(bytes.error());
    if (table) {
      apk.resources_ = std::move(*table);
      apk.has_resources_ = true;
    } else {
      apk.resource_error_ = fmt::format("{}: resources.arsc: {}", apk.zip_.name(), table.error().message());
    }
  }
  return apk;
}

std::vector<std::string> Apk::DexFiles() const {
  std::vector<std::string> files;
  for (int i = 1;; ++i) {
    std::string name = i == 1 ? "classes.dex" : fmt::format("classes{}.dex", i);
    if (zip_.Find(name) == nullptr) return files;
    files.push_back(std::move(name));
  }
}

Result<ApkInfo> ReadApkInfo(const std::string& path) {
  MARMOSET_ASSIGN(const Apk apk, Apk::Open(path));
  return ReadApkInfo(apk);
}

Result<ApkInfo> ReadApkInfo(const Apk& apk) {
  const Zip& zip = apk.zip();
  Result<Manifest> manifest = ReadManifest(apk.manifest_xml(), apk.resources());
  if (!manifest)
    return Fail(std::move(manifest.error()).Within(fmt::format("{}: {}", zip.name(), kManifestName)));
  ApkInfo info;
  info.path = zip.name();
  info.size = zip.bytes().size();
  info.sha256 = Sha256(zip.bytes());
  info.entries = zip.entries().size();
  info.manifest = std::move(*manifest);
  info.dex_files = apk.DexFiles();
  if (info.dex_files.empty() && info.manifest.has_code) {
    return Fail(ErrorCode::kNotFound, "{}: it has no classes.dex, so there is no code to run{}", zip.name(),
                info.manifest.split.empty()
                    ? std::string()
                    : fmt::format("; it is the split \"{}\": give the base APK", info.manifest.split));
  }
  if (const Activity* launcher = info.manifest.Launcher())
    info.launcher = launcher->alias_target.empty() ? launcher->name : launcher->alias_target;
  for (const ZipEntry& entry : zip.entries()) {
    if (entry.name.substr(0, 4) != "lib/" || !EndsWith(entry.name, ".so")) continue;
    const size_t slash = entry.name.find('/', 4);
    if (slash == std::string_view::npos) continue;
    info.native_libraries.push_back({ModifiedToUtf8(entry.name.substr(4, slash - 4)),
                                     ModifiedToUtf8(entry.name.substr(slash + 1)), entry.size});
  }
  return info;
}

Result<std::string> ManifestAsText(const Apk& apk) {
  return XmlToText(apk.manifest_xml(), {apk.resources(), false});
}

nlohmann::ordered_json ToJson(const ApkInfo& info) {
  nlohmann::ordered_json json = {{"path", info.path},         {"size", info.size},
                                 {"sha256", info.sha256},     {"entries", info.entries},
                                 {"launcher", info.launcher}, {"dex_files", info.dex_files}};
  json["native_libraries"] = nlohmann::ordered_json::array();
  for (const NativeLibrary& library : info.native_libraries)
    json["native_libraries"].push_back(
        {{"abi", library.abi}, {"name", library.name}, {"size", library.size}});
  json["manifest"] = ToJson(info.manifest);
  return json;
}

std::string JsonText(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace marmoset::apk
