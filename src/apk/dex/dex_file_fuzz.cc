// DEX: any bytes give a file or an error; every class, method, value and piece of debug information of a file
// can be asked for.

#include "apk/dex/debug_info.h"
#include "apk/dex/encoded_value.h"
#include "apk/dex/listing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::dex;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto files = DexFile::OpenAll(marmoset::apk::Blob(nullptr, bytes), "fuzz");
  if (!files) return 0;
  size_t budget = 2000;  // Methods may share code, and a file of many such only costs time.
  for (const DexFile& dex : *files) {
    for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
      (void)ReadStaticValues(dex, dex.Class(i));
      const auto members = dex.ReadClassData(dex.Class(i));
      if (!members) continue;
      for (const auto* methods : {&members->direct_methods, &members->virtual_methods}) {
        for (const MethodMember& method : *methods) {
          if (budget == 0) return 0;
          --budget;
          (void)dex.MethodText(method.method);
          const auto code = dex.ReadCode(method.code_off);
          if (!code) continue;
          (void)ListMethod(dex, *code, nullptr);
          if (code->debug_info_off != 0) (void)ReadDebugInfo(dex, code->debug_info_off);
        }
      }
    }
  }
  return 0;
}
