// A view of foreign bytes, little-endian, in which no read can go wrong.
//
// A parser first asks Has() and reports what is missing, with the offset; should a check be forgotten, a read
// outside the view gives 0: a wrong value, never a crash. The bytes belong to somebody else and outlive the
// view. Copies are cheap; threads may share it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace marmoset::apk {

class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  size_t size() const { return bytes_.size(); }
  std::string_view view() const { return bytes_; }

  // Whether `size` bytes from `offset` on lie inside.
  bool Has(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  uint8_t U8(uint64_t offset) const { return Read<uint8_t>(offset); }
  uint16_t U16(uint64_t offset) const { return Read<uint16_t>(offset); }
  uint32_t U32(uint64_t offset) const { return Read<uint32_t>(offset); }
  uint64_t U64(uint64_t offset) const { return Read<uint64_t>(offset); }

  // The part from `offset` on, at most `size` bytes of it; empty when it lies outside.
  Bytes Part(uint64_t offset, uint64_t size = UINT64_MAX) const {
    if (offset > bytes_.size()) return Bytes();
    return Bytes(bytes_.substr(static_cast<size_t>(offset), static_cast<size_t>(size)));
  }

 private:
  template <class T>
  T Read(uint64_t offset) const {
    if (!Has(offset, sizeof(T))) [[unlikely]]
      return 0;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the formats are read in place");
    return value;
  }

  std::string_view bytes_;
};

}  // namespace marmoset::apk
