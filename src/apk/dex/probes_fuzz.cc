// Probes: any files get probes or an error; what is written can be read, and its code is right.

#include "apk/dex/probes.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::dex;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto files = DexFile::OpenAll(marmoset::apk::Blob(nullptr, bytes), "fuzz");
  if (!files) return 0;
  DexSet set;
  set.files = std::move(*files);
  const auto probed = Instrument(set, {.blocks = true, .packages = {}});
  if (!probed) return 0;
  (void)ProbeTable(*probed);
  uint64_t calls = 0;
  for (const std::string& file : probed->files) {
    const auto dex = DexFile::Open(marmoset::apk::Blob(nullptr, file), "probed");
    if (set.files.size() > 1 && !dex) continue;  // A container is left as it was.
    MARMOSET_CHECK(dex);
    for (uint32_t i = 0; i < dex->count(kClassDefs); ++i) {
      const auto members = dex->ReadClassData(dex->Class(i));
      MARMOSET_CHECK(members);
      for (const auto* methods : {&members->direct_methods, &members->virtual_methods}) {
        for (const MethodMember& method : *methods) {
          if (method.code_off == 0) continue;
          const auto code = dex->ReadCode(method.code_off);
          MARMOSET_CHECK(code);
          if (!dex->CheckCode(*code)) continue;  // It was wrong before; nothing was put into it.
          for (uint32_t at = 0; at < code->units.size();) {
            if (IsPayload(code->units[at])) {
              at += static_cast<uint32_t>(PayloadUnits(code->units, at));
              continue;
            }
            Instruction one;
            at += Decode(code->units, at, &one);
            if (one.opcode == kInvokeStaticRange)
              calls += dex->MethodText(one.index) == "Lmarmoset/Probe;->hit(I)V";
          }
        }
      }
    }
  }
  // The input may have calls of its own.
  MARMOSET_CHECK(calls >= probed->probes.size());
  return 0;
}
