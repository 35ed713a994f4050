#include "apk/res_config.h"

#include <fmt/format.h>

#include <array>

namespace marmoset::apk {
namespace {

// Two letters as they are, or three letters (or digits, for a region) packed into 15 bits with the top bit
// set.
std::string LocalePart(uint8_t first, uint8_t second, char base) {
  if (first == 0) return "";
  if ((first & 0x80) == 0) return {static_cast<char>(first), static_cast<char>(second)};
  const auto letter = [base](int bits) { return static_cast<char>(base + (bits & 0x1f)); };
  return {letter(second), letter((second >> 5) | (first << 3)), letter(first >> 2)};
}

// `size` bytes at `offset` up to a NUL, printable ones only.
std::string Letters(const Bytes& config, uint64_t offset, uint64_t size) {
  std::string text;
  for (uint64_t i = 0; i < size; ++i) {
    const uint8_t c = config.U8(offset + i);
    if (c == 0) break;
    text += c > 0x20 && c < 0x7f ? static_cast<char>(c) : '?';
  }
  return text;
}

template <size_t N>
std::string_view Pick(const std::array<std::string_view, N>& names, uint32_t value) {
  return value < N ? names[value] : std::string_view("?");
}

}  // namespace

std::string ConfigQualifiers(const Bytes& whole) {
  // What lies behind the stated size belongs to somebody else; reads there give 0, which means "any".
  const Bytes config = whole.Part(0, whole.U32(0));
  std::string out;
  const auto add = [&out](std::string_view qualifier) {
    if (qualifier.empty()) return;
    if (!out.empty()) out += '-';
    out += qualifier;
  };
  if (config.U16(4) != 0) add(fmt::format("mcc{:03}", config.U16(4)));
  if (config.U16(6) != 0) add(fmt::format("mnc{:02}", config.U16(6) == 0xffff ? 0 : config.U16(6)));

  const std::string language = LocalePart(config.U8(8), config.U8(9), 'a');
  const std::string region = LocalePart(config.U8(10), config.U8(11), '0');
  const std::string script = Letters(config, 36, 4);
  const std::string variant = Letters(config, 40, 8);
  if (!script.empty() || !variant.empty()) {
    std::string tag = "b+" + language;
    for (const std::string* part : {&script, &region, &variant}) {
      if (!part->empty()) tag += "+" + *part;
    }
    add(tag);
  } else {
    add(language);
    if (!region.empty()) add("r" + region);
  }

  const uint8_t layout = config.U8(28);
  add(Pick<4>({"", "ldltr", "ldrtl", "?"}, layout >> 6));
  if (config.U16(30) != 0) add(fmt::format("sw{}dp", config.U16(30)));
  if (config.U16(32) != 0) add(fmt::format("w{}dp", config.U16(32)));
  if (config.U16(34) != 0) add(fmt::format("h{}dp", config.U16(34)));
  add(Pick<5>({"", "small", "normal", "large", "xlarge"}, layout & 0xf));
  add(Pick<4>({"", "notlong", "long", "?"}, layout >> 4 & 3));
  add(Pick<4>({"", "notround", "round", "?"}, config.U8(48) & 3));
  add(Pick<4>({"", "nowidecg", "widecg", "?"}, config.U8(49) & 3));
  add(Pick<4>({"", "lowdr", "highdr", "?"}, config.U8(49) >> 2 & 3));
  add(Pick<4>({"", "port", "land", "square"}, config.U8(12)));
  const uint8_t mode = config.U8(29);
  add(Pick<8>({"", "", "desk", "car", "television", "appliance", "watch", "vrheadset"}, mode & 0xf));
  add(Pick<4>({"", "notnight", "night", "?"}, mode >> 4 & 3));
  if (const uint16_t density = config.U16(14); density != 0) {
    switch (density) {
      case 120:
        add("ldpi");
        break;
      case 160:
        add("mdpi");
        break;
      case 213:
        add("tvdpi");
        break;
      case 240:
        add("hdpi");
        break;
      case 320:
        add("xhdpi");
        break;
      case 480:
        add("xxhdpi");
        break;
      case 640:
        add("xxxhdpi");
        break;
      case 0xfffe:
        add("anydpi");
        break;
      case 0xffff:
        add("nodpi");
        break;
      default:
        add(fmt::format("{}dpi", density));
    }
  }
  add(Pick<4>({"", "notouch", "stylus", "finger"}, config.U8(13)));
  const uint8_t input = config.U8(18);
  add(Pick<4>({"", "keysexposed", "keyshidden", "keyssoft"}, input & 3));
  add(Pick<4>({"", "nokeys", "qwerty", "12key"}, config.U8(16)));
  add(Pick<4>({"", "navexposed", "navhidden", "?"}, input >> 2 & 3));
  add(Pick<5>({"", "nonav", "dpad", "trackball", "wheel"}, config.U8(17)));
  if (config.U16(20) != 0 || config.U16(22) != 0) add(fmt::format("{}x{}", config.U16(20), config.U16(22)));
  if (config.U16(24) != 0) add(fmt::format("v{}", config.U16(24)));
  return out;
}

}  // namespace marmoset::apk
