#include "apk/dex/instruction.h"

namespace marmoset::dex {
namespace {

using enum Format;
using enum IndexKind;

constexpr OpcodeInfo kInfo[256] = {
#define OPCODE(value, name, format, index, flags) {name, format, index, flags},
#include "apk/dex/opcodes.def"
#undef OPCODE
};

constexpr uint8_t kUnits[] = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                              2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5};
static_assert(kUnits[static_cast<size_t>(k51l)] == 5 && kUnits[static_cast<size_t>(k32x)] == 3);

int64_t SignExtend4(unsigned value) { return static_cast<int8_t>(value << 4) >> 4; }

}  // namespace

const OpcodeInfo& InfoOf(uint8_t opcode) { return kInfo[opcode]; }

uint32_t UnitsOf(Format format) { return kUnits[static_cast<size_t>(format)]; }

bool HasLiteral(Format format) {
  return format == k11n || format == k21s || format == k21h || format == k22b || format == k22s ||
         format == k31i || format == k51l;
}

uint32_t Decode(const Units& units, size_t at, Instruction* out) {
  const uint16_t first = units[at];
  const uint8_t high = static_cast<uint8_t>(first >> 8);
  *out = Instruction();
  out->opcode = static_cast<uint8_t>(first);
  const Format format = kInfo[out->opcode].format;
  const uint32_t size = UnitsOf(format);
  if (size == 0 || at + size > units.size()) return 0;
  const uint16_t second = units[at + 1];
  auto& r = out->registers;
  switch (format) {
    case kUnused:
      return 0;
    case k10x:
      break;
    case k12x:
      r[0] = high & 0xf;
      r[1] = high >> 4;
      break;
    case k11n:
      r[0] = high & 0xf;
      out->literal = SignExtend4(high >> 4);
      break;
    case k11x:
      r[0] = high;
      break;
    case k10t:
      out->literal = static_cast<int8_t>(high);
      break;
    case k20t:
      out->literal = static_cast<int16_t>(second);
      break;
    case k22x:
      r[0] = high;
      r[1] = second;
      break;
    case k21t:
    case k21s:
      r[0] = high;
      out->literal = static_cast<int16_t>(second);
      break;
    case k21h:
      r[0] = high;
      out->literal = out->opcode == kConstWideHigh16
                         ? static_cast<int64_t>(uint64_t{second} << 48)
                         : static_cast<int64_t>(static_cast<int32_t>(uint32_t{second} << 16));
      break;
    case k21c:
      r[0] = high;
      out->index = second;
      break;
    case k23x:
      r[0] = high;
      r[1] = second & 0xff;
      r[2] = second >> 8;
      break;
    case k22b:
      r[0] = high;
      r[1] = second & 0xff;
      out->literal = static_cast<int8_t>(second >> 8);
      break;
    case k22t:
    case k22s:
      r[0] = high & 0xf;
      r[1] = high >> 4;
      out->literal = static_cast<int16_t>(second);
      break;
    case k22c:
      r[0] = high & 0xf;
      r[1] = high >> 4;
      out->index = second;
      break;
    case k32x:
      r[0] = second;
      r[1] = units[at + 2];
      break;
    case k30t:
      out->literal = static_cast<int32_t>(units.U32(at + 1));
      break;
    case k31i:
    case k31t:
      r[0] = high;
      out->literal = static_cast<int32_t>(units.U32(at + 1));
      break;
    case k31c:
      r[0] = high;
      out->index = units.U32(at + 1);
      break;
    case k35c:
    case k45cc: {
      const uint16_t third = units[at + 2];
      out->count = high >> 4;
      if (out->count > 5) return 0;
      out->index = second;
      r = {static_cast<uint16_t>(third & 0xf), static_cast<uint16_t>(third >> 4 & 0xf),
           static_cast<uint16_t>(third >> 8 & 0xf), static_cast<uint16_t>(third >> 12),
           static_cast<uint16_t>(high & 0xf)};
      if (format == k45cc) out->proto = units[at + 3];
      break;
    }
    case k3rc:
    case k4rcc:
      out->count = high;
      out->index = second;
      r[0] = units[at + 2];
      if (format == k4rcc) out->proto = units[at + 3];
      break;
    case k51l:
      r[0] = high;
      out->literal = static_cast<int64_t>(units.U32(at + 1) | uint64_t{units.U32(at + 3)} << 32);
      break;
  }
  return size;
}

uint64_t PayloadUnits(const Units& units, size_t at) {
  uint64_t size = 0;
  if (at + 2 > units.size()) return 0;
  switch (units[at]) {
    case kPackedSwitchPayload:
      size = 4 + uint64_t{units[at + 1]} * 2;
      break;
    case kSparseSwitchPayload:
      size = 2 + uint64_t{units[at + 1]} * 4;
      break;
    case kArrayPayload:
      size = 4 + (uint64_t{units.U32(at + 2)} * units[at + 1] + 1) / 2;
      break;
    default:
      return 0;
  }
  return at + size <= units.size() ? size : 0;
}

}  // namespace marmoset::dex
