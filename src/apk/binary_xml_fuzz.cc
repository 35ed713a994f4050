// Compiled XML: any bytes give a tree or an error; a tree can be written as text and read as a manifest.

#include "apk/binary_xml.h"
#include "apk/manifest.h"
#include "apk/xml_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::apk;
  const auto document = XmlDocument::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document) return 0;
  (void)XmlToText(*document, {});
  if (const auto manifest = ReadManifest(*document, nullptr)) (void)ToJson(*manifest).dump();
  return 0;
}
