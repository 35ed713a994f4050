// Writes a zip archive as Android wants one: stored entries aligned, no data descriptors, no zip64, and the
// same bytes each time (all dates are 1981-01-01). Not safe for several threads at once.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apk/zip.h"
#include "base/error.h"

namespace marmoset::apk {

// A finished archive, in the three pieces that signature schemes v2 and later treat one by one.
struct ZipParts {
  std::string entries;    // Local headers and data.
  std::string directory;  // The central directory.
  std::string end;        // The end record, for a directory directly behind the entries.

  // The whole file, with a signing block (may be empty) before the directory.
  std::string Join(std::string_view signing_block = {}) const;
};

class ZipWriter {
 public:
  // Adds an entry. `alignment` (a power of two) is where its data starts, for stored ones that are to be
  // mapped into memory. REQUIRES: the name is new and at most 65535 bytes.
  void AddStored(std::string_view name, std::string_view data, uint32_t alignment = 1);
  void AddDeflated(std::string_view name, std::string_view data);

  // Copies an entry without inflating it.
  void AddRaw(const Zip& from, const ZipEntry& entry, uint32_t alignment = 1);

  // kUnsupported when it has become larger than a zip without zip64 can be. The writer is empty afterwards.
  Result<ZipParts> Finish();

 private:
  struct Fields {
    uint16_t method;
    uint32_t crc32;
    uint64_t compressed_size;
    uint64_t size;
    uint32_t external_attributes;
  };
  void Add(std::string_view name, const Fields& fields, std::string_view data, uint32_t alignment);

  ZipParts parts_;
  uint64_t count_ = 0;
  bool too_large_ = false;
};

// Raw deflate, as zip entries hold it.
std::string Deflate(std::string_view data);

// Appends little-endian numbers; what every writer of this folder builds its output from.
void PutU16(uint16_t value, std::string* out);
void PutU32(uint32_t value, std::string* out);
void PutU64(uint64_t value, std::string* out);

}  // namespace marmoset::apk
