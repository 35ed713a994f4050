// What an APK is, at a glance: its manifest and what lies beside it.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apk/manifest.h"
#include "apk/zip.h"
#include "base/error.h"

namespace marmoset::apk {

struct NativeLibrary {
  std::string abi;   // "arm64-v8a"
  std::string name;  // "libfoo.so"
  uint64_t size = 0;
};

struct ApkInfo {
  std::string path;
  uint64_t size = 0;   // Bytes of the file.
  std::string sha256;  // Of the file, hexadecimal.
  uint64_t entries = 0;
  Manifest manifest;
  std::string launcher;  // The class of the activity to start, an alias resolved; empty for none.
  std::vector<std::string>
      dex_files;  // "classes.dex", "classes2.dex", … in the order in which Android loads them.
  std::vector<NativeLibrary> native_libraries;
};

// An APK opened once for several questions. Immutable; threads may share it.
class Apk {
 public:
  // kNotFound when there is no such file. kBadInput when it is no APK; the message then says what it looks
  // like (an app bundle, a set of splits, a plain archive) and what to do.
  static Result<Apk> Open(const std::string& path);
  static Result<Apk> Parse(Blob bytes, std::string name);

  const Zip& zip() const { return zip_; }
  const XmlDocument& manifest_xml() const { return manifest_xml_; }
  // Null when the APK has no resources.arsc, or one that cannot be read: resource_error() then says why.
  const ResourceTable* resources() const { return has_resources_ ? &resources_ : nullptr; }
  const std::string& resource_error() const { return resource_error_; }

  // "classes.dex", "classes2.dex" … without a gap, as Android loads them.
  std::vector<std::string> DexFiles() const;

 private:
  static Result<Apk> FromZip(Zip zip);
  explicit Apk(Zip zip, XmlDocument manifest) : zip_(std::move(zip)), manifest_xml_(std::move(manifest)) {}
  Zip zip_;
  XmlDocument manifest_xml_;
  ResourceTable resources_;
  bool has_resources_ = false;
  std::string resource_error_;
};

// Reads what an app under test must have. Errors as Apk::Open; kNotFound also when it has neither code nor
// says that it has none.
Result<ApkInfo> ReadApkInfo(const std::string& path);
Result<ApkInfo> ReadApkInfo(const Apk& apk);

// AndroidManifest.xml as the text it was built from: names for ids, enums and flags. Robolectric's parser
// reads it.
Result<std::string> ManifestAsText(const Apk& apk);

nlohmann::ordered_json ToJson(const ApkInfo& info);

// JSON as text with two spaces of indentation, whatever bytes names may hold.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace marmoset::apk
