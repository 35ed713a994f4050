// Bytecode for people: a method as lines of text.

#pragma once

#include <string>
#include <vector>

#include "apk/dex/debug_info.h"
#include "apk/dex/file.h"
#include "apk/resource_table.h"
#include "base/error.h"

namespace marmoset::dex {

struct ListingLine {
  uint32_t address = 0;  // In code units.
  uint32_t line = 0;     // Of the source; 0 when unknown.
  bool is_label = false;
  std::string text;  // "invoke-virtual {v0, v1}, Ljava/lang/String;->charAt(I)C", ":loop 2" and the like.
};

// One instruction or label a line. Labels are numbered in order of address, so that two versions of a method
// can be compared as text. `resources` (may be null) gives names to resource ids.
Result<std::vector<ListingLine>> ListMethod(const DexFile& dex, const CodeView& code,
                                            const apk::ResourceTable* resources);

// "public static final", for a method, field or class.
std::string AccessText(uint32_t access, char kind);

// The kinds of members that AccessText is asked about.
constexpr char kForClass = 'c';
constexpr char kForField = 'f';
constexpr char kForMethod = 'm';

// "com.foo.Bar" of "Lcom/foo/Bar;", "int[]" of "[I".
std::string JavaName(std::string_view descriptor);

}  // namespace marmoset::dex
