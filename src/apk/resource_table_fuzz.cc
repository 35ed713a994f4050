// Resource tables: any bytes give a table or an error; every entry of a table can be named, resolved and
// listed.

#include "apk/resource_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::apk;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto table = ResourceTable::Parse(Blob(nullptr, bytes));
  if (!table) return 0;
  uint32_t last = 0;
  table->ForEach([&](const ResourceEntry& entry) {
    if (entry.id == last) return;
    last = entry.id;
    (void)table->ReferenceText(entry.id);
    (void)table->Resolve({ResType::kReference, entry.id});
    (void)table->Bag(entry);
  });
  return 0;
}
