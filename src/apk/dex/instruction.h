// One Dalvik instruction: what its opcode means, and its operands taken apart.
//
// Source: "Dalvik bytecode" and "Dalvik executable instruction formats" at source.android.com. All sizes and
// offsets are in code units of 16 bits.

#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace marmoset::dex {

enum class Format : uint8_t {
  kUnused,
  k10x,
  k12x,
  k11n,
  k11x,
  k10t,
  k20t,
  k22x,
  k21t,
  k21s,
  k21h,
  k21c,
  k23x,
  k22b,
  k22t,
  k22s,
  k22c,
  k32x,
  k30t,
  k31i,
  k31t,
  k31c,
  k35c,
  k3rc,
  k45cc,
  k4rcc,
  k51l,
};

// What `index` refers to.
enum class IndexKind : uint8_t {
  kNone,
  kString,
  kType,
  kField,
  kMethod,
  kMethodAndProto,
  kCallSite,
  kMethodHandle,
  kProto,
};

// What an instruction does with the flow of control, and which operands are pairs of registers.
enum OpcodeFlags : uint16_t {
  kContinues = 1,  // The next instruction may follow.
  kThrows = 2,     // It may throw.
  kBranches = 4,   // It has a branch target.
  kSwitches = 8,   // Its target is a switch payload.
  kInvokes = 16,   // Its result, if any, is fetched by move-result.
  kReturns = 32,
  kWideA = 64,
  kWideB = 128,
  kWideC = 256,
};

struct OpcodeInfo {
  std::string_view name;
  Format format;
  IndexKind index;
  uint16_t flags;
};

const OpcodeInfo& InfoOf(uint8_t opcode);

// The length of an instruction of this format; 0 for kUnused.
uint32_t UnitsOf(Format format);

// Whether such an instruction's literal is a number; that of others is a distance or nothing.
bool HasLiteral(Format format);

enum Opcode : uint8_t {
  kNop = 0x00,
  kMove16 = 0x03,
  kMoveWide16 = 0x06,
  kMoveObject16 = 0x09,
  kMoveResult = 0x0a,
  kMoveResultObject = 0x0c,
  kMoveException = 0x0d,
  kReturnVoid = 0x0e,
  kReturnObject = 0x11,
  kConst4 = 0x12,
  kConst16 = 0x13,
  kConst = 0x14,
  kConstHigh16 = 0x15,
  kConstWideHigh16 = 0x19,
  kConstString = 0x1a,
  kConstStringJumbo = 0x1b,
  kFilledNewArray = 0x24,
  kFilledNewArrayRange = 0x25,
  kFillArrayData = 0x26,
  kThrow = 0x27,
  kGoto = 0x28,
  kGoto16 = 0x29,
  kGoto32 = 0x2a,
  kPackedSwitch = 0x2b,
  kSparseSwitch = 0x2c,
  kIfEq = 0x32,
  kIfLez = 0x3d,
  kAputBoolean = 0x4e,
  kIfEqz = 0x38,
  kIfLtz = 0x3a,
  kIfGez = 0x3b,
  kIfGe = 0x35,
  kArrayLength = 0x21,
  kNewArray = 0x23,
  kSgetObject = 0x62,
  kSputObject = 0x69,
  kInvokeStatic = 0x71,
  kInvokeVirtualRange = 0x74,
  kInvokeStaticRange = 0x77,
};

// Payloads look like a nop whose high byte is not 0.
enum : uint16_t { kPackedSwitchPayload = 0x0100, kSparseSwitchPayload = 0x0200, kArrayPayload = 0x0300 };

// 16-bit units as they lie in a file, aligned or not. Reading outside gives 0.
class Units {
 public:
  Units() = default;
  explicit Units(std::string_view bytes) : bytes_(bytes) {}
  size_t size() const { return bytes_.size() / 2; }
  uint16_t operator[](size_t i) const {
    uint16_t unit = 0;
    if (i < size()) [[likely]]
      std::memcpy(&unit, bytes_.data() + 2 * i, 2);
    return unit;
  }
  uint32_t U32(size_t i) const { return (*this)[i] | uint32_t{(*this)[i + 1]} << 16; }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// `registers` holds the operands A, B, C of the formats with single ones; for an invocation its `count`
// arguments, or in the range forms the first alone. `literal` holds a constant, sign-extended (and shifted
// into place for the /high16 forms), or, for branches and payload users, the distance in units from this
// instruction.
struct Instruction {
  uint8_t opcode = kNop;
  uint8_t count = 0;
  std::array<uint16_t, 5> registers{};
  uint32_t index = 0;
  uint32_t proto = 0;  // The second index of invoke-polymorphic.
  int64_t literal = 0;

  const OpcodeInfo& info() const { return InfoOf(opcode); }
  bool IsRange() const { return info().format == Format::k3rc || info().format == Format::k4rcc; }
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// Takes apart the instruction at `at` and returns its length; 0 when it is cut off or its opcode is
// unassigned. Not for payloads.
uint32_t Decode(const Units& units, size_t at, Instruction* out);

// The length of the payload at `at`, whose first unit says that it is one; 0 when it is cut off.
uint64_t PayloadUnits(const Units& units, size_t at);

// True when the unit starts a payload.
constexpr bool IsPayload(uint16_t unit) {
  return unit == kPackedSwitchPayload || unit == kSparseSwitchPayload || unit == kArrayPayload;
}

}  // namespace marmoset::dex
