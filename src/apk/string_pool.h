// The string pool of Android's binary resources (ResStringPool in the platform's ResourceTypes.h): UTF-8 or
// UTF-16.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apk/bytes.h"
#include "base/error.h"

namespace marmoset::apk {

// The header of a chunk, of which all binary resources are made.
struct Chunk {
  uint16_t type = 0;
  uint16_t header_size = 0;
  uint32_t size = 0;
  Bytes bytes;  // The whole chunk, header included.
};

// The chunk at `offset`; kBadInput when it does not fit there or is smaller than its header.
Result<Chunk> ReadChunk(const Bytes& bytes, uint64_t offset);

enum : uint16_t {
  kChunkStringPool = 0x0001,
  kChunkTable = 0x0002,
  kChunkXml = 0x0003,
  kChunkXmlStartNamespace = 0x0100,
  kChunkXmlEndNamespace = 0x0101,
  kChunkXmlStartElement = 0x0102,
  kChunkXmlEndElement = 0x0103,
  kChunkXmlText = 0x0104,
  kChunkXmlResourceMap = 0x0180,
  kChunkPackage = 0x0200,
  kChunkType = 0x0201,
  kChunkTypeSpec = 0x0202,
  kChunkLibrary = 0x0203,
  kChunkOverlayable = 0x0204,
  kChunkOverlayablePolicy = 0x0205,
  kChunkStagedAlias = 0x0206,
};

// Owns its strings, decoded to valid UTF-8. Immutable once parsed. A string that cannot be read is empty.
class StringPool {
 public:
  // REQUIRES: chunk.type == kChunkStringPool. kBadInput when the pool is malformed as a whole.
  static Result<StringPool> Parse(const Chunk& chunk);

  size_t size() const { return ends_.size(); }

  // Empty when there is no such string; kNoString is a usual value in the formats.
  std::string_view Get(uint32_t index) const;

  static constexpr uint32_t kNoString = 0xffffffff;

 private:
  std::string text_;
  std::vector<uint32_t> ends_;  // String i is text_[ends_[i-1], ends_[i]).
};

}  // namespace marmoset::apk
