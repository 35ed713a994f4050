// A typed value of Android's binary resources (Res_value in the platform's ResourceTypes.h) and how it is
// written.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marmoset::apk {

enum class ResType : uint8_t {
  kNull = 0x00,
  kReference = 0x01,
  kAttribute = 0x02,
  kString = 0x03,
  kFloat = 0x04,
  kDimension = 0x05,
  kFraction = 0x06,
  kDynamicReference = 0x07,
  kDynamicAttribute = 0x08,
  kDecimal = 0x10,
  kHex = 0x11,
  kBoolean = 0x12,
  kColorArgb8 = 0x1c,
  kColorRgb8 = 0x1d,
  kColorArgb4 = 0x1e,
  kColorRgb4 = 0x1f,
};

struct ResValue {
  ResType type = ResType::kNull;
  uint32_t data = 0;

  bool IsReference() const { return type == ResType::kReference || type == ResType::kDynamicReference; }
  bool IsAttribute() const { return type == ResType::kAttribute || type == ResType::kDynamicAttribute; }
  // Decimal, hexadecimal, boolean or a colour.
  bool IsInteger() const { return static_cast<uint8_t>(type) >= 0x10 && static_cast<uint8_t>(type) <= 0x1f; }
  friend bool operator==(const ResValue&, const ResValue&) = default;
};

// As a source file writes it: "16dp", "#ff0000", "true", "-1", "@0x7f010002", "?0x7f010002", "@null". A
// string's text is in a pool that this does not know; it gives "".
std::string LiteralText(const ResValue& value);

}  // namespace marmoset::apk
