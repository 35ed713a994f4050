#include "apk/string_pool.h"

#include "apk/utf.h"

namespace marmoset::apk {
namespace {

constexpr uint32_t kFlagUtf8 = 1 << 8;
constexpr uint64_t kHeaderSize = 28;

// A length is one unit, or two with the top bit of the first set. Moves past it.
uint32_t Length16(const Bytes& bytes, uint64_t* at) {
  uint32_t length = bytes.U16(*at);
  *at += 2;
  if ((length & 0x8000) != 0) {
    length = (length & 0x7fff) << 16 | bytes.U16(*at);
    *at += 2;
  }
  return length;
}

uint32_t Length8(const Bytes& bytes, uint64_t* at) {
  uint32_t length = bytes.U8(*at);
  *at += 1;
  if ((length & 0x80) != 0) {
    length = (length & 0x7f) << 8 | bytes.U8(*at);
    *at += 1;
  }
  return length;
}

}  // namespace

Result<Chunk> ReadChunk(const Bytes& bytes, uint64_t offset) {
  if (!bytes.Has(offset, 8)) return Fail(ErrorCode::kBadInput, "offset {:#x}: a chunk is cut off", offset);
  Chunk chunk{bytes.U16(offset), bytes.U16(offset + 2), bytes.U32(offset + 4), Bytes()};
  if (chunk.header_size < 8 || chunk.size < chunk.header_size || !bytes.Has(offset, chunk.size)) {
    return Fail(ErrorCode::kBadInput,
                "offset {:#x}: a chunk of type {:#06x} says {} bytes with a header of {}; {} are left",
                offset, chunk.type, chunk.size, chunk.header_size, bytes.size() - offset);
  }
  chunk.bytes = bytes.Part(offset, chunk.size);
  return chunk;
}

Result<StringPool> StringPool::Parse(const Chunk& chunk) {
  const Bytes& bytes = chunk.bytes;
  const uint64_t count = bytes.U32(8);
  const bool utf8 = (bytes.U32(16) & kFlagUtf8) != 0;
  const uint64_t start = bytes.U32(20);
  if (chunk.header_size < kHeaderSize || !bytes.Has(chunk.header_size, 4 * count) ||
      (count > 0 && start > bytes.size())) {
    return Fail(ErrorCode::kBadInput, "a string pool of {} bytes cannot hold {} strings from {:#x} on",
                bytes.size(), count, start);
  }
  StringPool pool;
  pool.ends_.reserve(count);
  // Strings may share bytes; without a limit a small file could ask for any amount of memory.
  const uint64_t budget = 4 * uint64_t{bytes.size()} + 65536;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t at = start + bytes.U32(chunk.header_size + 4 * i);
    if (utf8) {
      Length8(bytes, &at);  // In UTF-16 units, which nobody needs.
      const uint32_t length = Length8(bytes, &at);
      if (bytes.Has(at, length)) pool.text_ += ModifiedToUtf8(bytes.Part(at, length).view());
    } else {
      const uint32_t length = Length16(bytes, &at);
      if (bytes.Has(at, 2 * uint64_t{length})) pool.text_ += Utf16ToUtf8(bytes, at, length);
    }
    if (pool.text_.size() > budget || pool.text_.size() > UINT32_MAX)
      return Fail(ErrorCode::kBadInput, "the strings of a pool of {} bytes overlap too much", bytes.size());
    pool.ends_.push_back(static_cast<uint32_t>(pool.text_.size()));
  }
  return pool;
}

std::string_view StringPool::Get(uint32_t index) const {
  if (index >= ends_.size()) return {};
  const uint32_t from = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(from, ends_[index] - from);
}

}  // namespace marmoset::apk
