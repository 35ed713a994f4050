// From the indices of a writer to those of the file it writes, and the transcoding of items that hold
// indices. Used by the writer alone.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apk/dex/cursor.h"
#include "apk/dex/file.h"

namespace marmoset::dex {

void PutUleb(uint32_t value, std::string* out);
void PutSleb(int32_t value, std::string* out);

// Each table holds, by old index, the new one.
struct Remap {
  std::vector<uint32_t> strings, types, protos, fields, methods;

  uint32_t Of(IndexKind kind, uint32_t index) const;
  // kNoIndex stays.
  uint32_t String(uint32_t index) const { return index == kNoIndex ? kNoIndex : strings[index]; }
  uint32_t Type(uint32_t index) const { return index == kNoIndex ? kNoIndex : types[index]; }
};

// Copies one value (or annotation, or array) with new indices. The cursor has failed() afterwards when it is
// malformed or nested too deeply; indices are checked against the tables.
void CopyValue(const Remap& remap, Cursor* in, std::string* out, int depth = 0);
void CopyArray(const Remap& remap, Cursor* in, std::string* out, int depth = 0);
void CopyAnnotation(const Remap& remap, Cursor* in, std::string* out, int depth = 0);

// Copies debug information up to its end.
void CopyDebugInfo(const Remap& remap, Cursor* in, std::string* out);

}  // namespace marmoset::dex
