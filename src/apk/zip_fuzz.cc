// The zip reader: any bytes give an archive or an error, and so does each entry.

#include "apk/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::apk;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto zip = Zip::Parse(Blob(nullptr, bytes), "fuzz");
  if (!zip) return 0;
  for (const ZipEntry& entry : zip->entries()) (void)zip->Read(entry, 1 << 20);
  return 0;
}
