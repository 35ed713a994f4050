// Looks up classes and methods of an app's DEX files by what people type, and writes them out.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apk/apk_info.h"
#include "apk/dex/file.h"
#include "base/error.h"

namespace marmoset::dex {

// The DEX files of an APK in the order in which Android searches them. Immutable; threads may share it.
struct DexSet {
  std::vector<DexFile> files;

  // Errors name the APK and the entry.
  static Result<DexSet> Open(const apk::Apk& apk);
};

struct DexTotals {
  uint64_t classes = 0;
  uint64_t methods = 0;
  uint64_t methods_with_code = 0;
  uint64_t fields = 0;
  uint64_t code_units = 0;
};

// Counts everything; kBadInput when a class cannot be read.
Result<DexTotals> CountAll(const DexSet& set);

// A class or one method of it, as text. `what` is "com.foo.Bar", "Lcom/foo/Bar;", "com.foo.Bar.baz",
// "com.foo.Bar#baz" or "Lcom/foo/Bar;->baz(I)V"; without a descriptor all methods of the name are shown.
// kNotFound, with the nearest names, when there is none.
Result<std::string> Dump(const DexSet& set, std::string_view what, const apk::ResourceTable* resources);

// All methods as a table, one a line, behind a line of headings; columns are separated by tabs: class,
// method, descriptor (as in the file), access flags (hexadecimal), registers, ins, outs and units (0 without
// code). kBadInput when a class or a method's code cannot be read.
Result<std::string> MethodTable(const DexSet& set);

// The lines of a method with addresses and source lines in front, as Dump shows them.
Result<std::string> DumpMethod(const DexFile& dex, const MethodMember& method,
                               const apk::ResourceTable* resources);

// What ProtoText says, as people write it: "(int, java.lang.String)".
std::string ParametersText(const DexFile& dex, uint32_t proto);

}  // namespace marmoset::dex
