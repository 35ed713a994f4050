#include "apk/instrument.h"

#include <algorithm>

#include "apk/signature.h"
#include "apk/zip_writer.h"

namespace marmoset::apk {

Result<InstrumentedApk> InstrumentApk(const Apk& apk, const dex::ProbeOptions& options,
                                      const SigningKey& key) {
  MARMOSET_ASSIGN(const ApkInfo info, ReadApkInfo(apk));
  MARMOSET_ASSIGN(const dex::DexSet set, dex::DexSet::Open(apk));
  if (set.files.size() != info.dex_files.size())
    return Fail(ErrorCode::kUnsupported, "{}: DEX containers with several files cannot be rewritten",
                apk.zip().name());
  InstrumentedApk out;
  MARMOSET_ASSIGN(out.dex, dex::Instrument(set, options));
  ZipWriter writer;
  for (const ZipEntry& entry : apk.zip().entries()) {
    if (IsSignatureEntry(entry.name) || entry.name.substr(0, 14) == "assets/dexopt/") continue;
    const auto it = std::find(info.dex_files.begin(), info.dex_files.end(), entry.name);
    if (it == info.dex_files.end()) {
      writer.AddRaw(apk.zip(), entry);
      continue;
    }
    const std::string& content = out.dex.files[static_cast<size_t>(it - info.dex_files.begin())];
    if (entry.method == kStored)
      writer.AddStored(entry.name, content);
    else
      writer.AddDeflated(entry.name, content);
  }
  writer.AddDeflated(fmt::format("classes{}.dex", info.dex_files.size() + 1), out.dex.files.back());
  out.dex.files.clear();
  MARMOSET_ASSIGN(const ZipParts parts, writer.Finish());
  MARMOSET_ASSIGN(const Zip unsigned_apk, Zip::Parse(Blob::Own(parts.Join()), apk.zip().name()));
  MARMOSET_ASSIGN(out.file, SignApk(unsigned_apk, key, info.manifest.min_sdk));
  return out;
}

}  // namespace marmoset::apk
