// Encoded values: the initial values of static fields and the elements of annotations.

#pragma once

#include <string>
#include <vector>

#include "apk/dex/cursor.h"
#include "apk/dex/file.h"
#include "base/error.h"

namespace marmoset::dex {

constexpr int kMaxValueDepth = 32;

// Reads one value and gives it as a source file would: 5, "text", String.class, {1, 2}. Long strings are cut
// to 200 bytes and marked with a hash of the whole, so that a text's size is bounded by its value's. The
// cursor has failed() afterwards when the value is malformed or nested deeper than kMaxValueDepth.
std::string ReadValueText(const DexFile& dex, Cursor* cursor, int depth = 0);

// The initial values of a class's static fields, in the order of its fields; fields beyond the list have zero
// or null.
Result<std::vector<std::string>> ReadStaticValues(const DexFile& dex, const ClassDef& class_def);

// "text" with escapes, cut as above.
std::string Quoted(std::string_view raw);

}  // namespace marmoset::dex
