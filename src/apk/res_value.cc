#include "apk/res_value.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace marmoset::apk {
namespace {

// A "complex" number: 24 bits of mantissa, 2 of radix (where its binary point is), 4 of unit.
float ComplexToFloat(uint32_t data) {
  static constexpr std::array<float, 4> kScale = {1.0f / (1 << 8), 1.0f / (1 << 15), 1.0f / (1 << 23),
                                                  1.0f / (1u << 31)};
  return static_cast<float>(static_cast<int32_t>(data & 0xffffff00)) * kScale[data >> 4 & 3];
}

}  // namespace

std::string LiteralText(const ResValue& value) {
  static constexpr std::array<std::string_view, 6> kUnits = {"px", "dp", "sp", "pt", "in", "mm"};
  const uint32_t data = value.data;
  switch (value.type) {
    case ResType::kNull:
      return data == 1 ? "@empty" : "@null";
    case ResType::kReference:
    case ResType::kDynamicReference:
      return data == 0 ? "@null" : fmt::format("@0x{:08x}", data);
    case ResType::kAttribute:
    case ResType::kDynamicAttribute:
      return fmt::format("?0x{:08x}", data);
    case ResType::kString:
      return "";
    case ResType::kFloat:
      return fmt::format("{}", std::bit_cast<float>(data));
    case ResType::kDimension:
      return fmt::format("{}{}", ComplexToFloat(data),
                         (data & 0xf) < kUnits.size() ? kUnits[data & 0xf] : "");
    case ResType::kFraction:
      return fmt::format("{}{}", ComplexToFloat(data) * 100, (data & 0xf) == 1 ? "%p" : "%");
    case ResType::kDecimal:
      return fmt::format("{}", static_cast<int32_t>(data));
    case ResType::kBoolean:
      return data != 0 ? "true" : "false";
    case ResType::kColorArgb8:
      return fmt::format("#{:08x}", data);
    case ResType::kColorRgb8:
      return fmt::format("#{:06x}", data & 0xffffff);
    case ResType::kColorArgb4:
      return fmt::format("#{:x}{:x}{:x}{:x}", data >> 28, data >> 20 & 0xf, data >> 12 & 0xf,
                         data >> 4 & 0xf);
    case ResType::kColorRgb4:
      return fmt::format("#{:x}{:x}{:x}", data >> 20 & 0xf, data >> 12 & 0xf, data >> 4 & 0xf);
    case ResType::kHex:
      break;
  }
  return fmt::format("0x{:08x}", data);
}

}  // namespace marmoset::apk
