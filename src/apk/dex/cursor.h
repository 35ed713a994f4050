// Reads a stream of bytes and LEB128 numbers from a place in a file. After the first read that does not fit,
// every read gives 0 and failed() is true, so that a parser checks once, at its end.

#pragma once

#include <cstdint>

#include "apk/bytes.h"

namespace marmoset::dex {

class Cursor {
 public:
  Cursor(const apk::Bytes& bytes, uint64_t at) : bytes_(bytes), at_(at), failed_(at > bytes.size()) {}

  uint64_t at() const { return at_; }
  bool failed() const { return failed_; }
  size_t left() const { return failed_ ? 0 : bytes_.size() - static_cast<size_t>(at_); }
  void Fail() { failed_ = true; }

  uint8_t U8() {
    if (left() < 1) {
      failed_ = true;
      return 0;
    }
    return bytes_.U8(at_++);
  }

  // At most five bytes; the surplus bits of the fifth are ignored, as the runtime does.
  uint32_t Uleb() {
    uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const uint8_t byte = U8();
      value |= static_cast<uint32_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    failed_ = true;
    return 0;
  }

  int32_t Sleb() {
    uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const uint8_t byte = U8();
      value |= static_cast<uint32_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if (shift < 28 && (byte & 0x40) != 0) value |= UINT32_MAX << (shift + 7);
      return static_cast<int32_t>(value);
    }
    failed_ = true;
    return 0;
  }

  // One more than the number, so that "none" (kNoIndex) is 0.
  uint32_t UlebMinusOne() { return Uleb() - 1; }

 private:
  apk::Bytes bytes_;
  uint64_t at_;
  bool failed_;
};

}  // namespace marmoset::dex
