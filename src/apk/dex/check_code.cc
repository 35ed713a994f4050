// The structural check of a method's code.
//
// Two passes over the units. The first decodes one instruction after the other and marks where each begins; a
// payload is known by its first unit and stepped over. The second looks at targets: a branch must lead to a
// marked place, a switch or array instruction to a payload of its kind, and every case of a switch to a
// marked place. This is less than the runtime's verifier does (it knows no types), but it is all that later
// code relies on.

#include <vector>

#include "apk/dex/file.h"

namespace marmoset::dex {
namespace {

class CodeCheck {
 public:
  CodeCheck(const DexFile& dex, const CodeView& code) : dex_(dex), code_(code), starts_(code.units.size()) {}

  Result<uint32_t> Run() {
    const Units& units = code_.units;
    uint32_t count = 0;
    for (size_t at = 0; at < units.size();) {
      if (IsPayload(units[at])) {
        const uint64_t size = PayloadUnits(units, at);
        if (size == 0) return Wrong(at, "a payload is cut off");
        at += size;
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units, at, &instruction);
      if (size == 0) return Wrong(at, "no known instruction");
      starts_[at] = true;
      if (const char* what = Operands(instruction)) return Wrong(at, what);
      at += size;
      ++count;
    }
    for (size_t at = 0; at < units.size();) {
      if (!starts_[at]) {
        at += PayloadUnits(units, at);
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units, at, &instruction);
      if (const char* what = Targets(at, instruction)) return Wrong(at, what);
      at += size;
    }
    return count;
  }

 private:
  tl::unexpected<Error> Wrong(size_t at, const char* what) const {
    return Fail(ErrorCode::kBadInput, "{}: code at {:#x}, unit {:#x}: {}", dex_.name(), code_.offset, at,
                what);
  }

  uint32_t CountOf(IndexKind kind) const {
    switch (kind) {
      case IndexKind::kNone:
        return UINT32_MAX;
      case IndexKind::kString:
        return dex_.count(kStringIds);
      case IndexKind::kType:
        return dex_.count(kTypeIds);
      case IndexKind::kField:
        return dex_.count(kFieldIds);
      case IndexKind::kMethod:
      case IndexKind::kMethodAndProto:
        return dex_.count(kMethodIds);
      case IndexKind::kCallSite:
        return dex_.call_site_count();
      case IndexKind::kMethodHandle:
        return dex_.method_handle_count();
      case IndexKind::kProto:
        return dex_.count(kProtoIds);
    }
    return 0;
  }

  const char* Operands(const Instruction& instruction) const {
    const OpcodeInfo& info = instruction.info();
    if (instruction.index >= CountOf(info.index)) return "an index lies outside its table";
    if (info.index == IndexKind::kMethodAndProto && instruction.proto >= dex_.count(kProtoIds))
      return "a prototype's index lies outside its table";
    if (instruction.IsRange())
      return uint32_t{instruction.registers[0]} + instruction.count > code_.registers
                 ? "registers outside the frame"
                 : nullptr;
    if ((info.flags & kInvokes) != 0) {
      for (int i = 0; i < instruction.count; ++i) {
        if (instruction.registers[i] >= code_.registers) return "a register outside the frame";
      }
      return nullptr;
    }
    if (UsesNoRegister(info.format)) return nullptr;
    const int wide[3] = {info.flags & kWideA, info.flags & kWideB, info.flags & kWideC};
    for (int i = 0; i < 3; ++i) {
      // Operands that the format lacks are 0, and a frame without registers has no such instruction.
      if (uint32_t{instruction.registers[i]} + (wide[i] != 0 ? 1 : 0) >= code_.registers)
        return "a register outside the frame";
    }
    return nullptr;
  }

  static bool UsesNoRegister(Format format) {
    return format == Format::k10x || format == Format::k10t || format == Format::k20t ||
           format == Format::k30t;
  }

  bool IsStart(int64_t at) const {
    return at >= 0 && at < static_cast<int64_t>(starts_.size()) && starts_[static_cast<size_t>(at)];
  }

  const char* Targets(size_t at, const Instruction& instruction) {
    const bool branches = (instruction.info().flags & kBranches) != 0;
    uint16_t wanted = 0;
    if (instruction.opcode == kPackedSwitch) wanted = kPackedSwitchPayload;
    if (instruction.opcode == kSparseSwitch) wanted = kSparseSwitchPayload;
    if (instruction.opcode == kFillArrayData) wanted = kArrayPayload;
    // Only here is the literal a distance, of 32 bits at most; elsewhere it is any number of 64.
    if (!branches && wanted == 0) return nullptr;
    const int64_t from = static_cast<int64_t>(at);
    const int64_t target = from + instruction.literal;
    if (branches)
      return IsStart(target) ? nullptr : "a branch into the middle of an instruction or out of the code";
    const Units& units = code_.units;
    if (target < 0 || target >= static_cast<int64_t>(units.size()) || IsStart(target) ||
        units[static_cast<size_t>(target)] != wanted || PayloadUnits(units, static_cast<size_t>(target)) == 0)
      return "its payload is not there";
    // Two instructions may share a payload; more than a few only multiply the work of every reader.
    const size_t payload = static_cast<size_t>(target);
    payload_units_ += PayloadUnits(units, payload);
    if (payload_units_ > 4 * units.size()) return "its payloads are shared by too many instructions";
    if (wanted == kArrayPayload) return nullptr;
    const uint32_t cases = units[payload + 1];
    const size_t first = payload + (wanted == kPackedSwitchPayload ? 4 : 2 + 2 * cases);
    for (uint32_t i = 0; i < cases; ++i) {
      if (!IsStart(from + static_cast<int32_t>(units.U32(first + 2 * size_t{i}))))
        return "a case of the switch leads nowhere";
    }
    return nullptr;
  }

  const DexFile& dex_;
  const CodeView& code_;
  std::vector<bool> starts_;
  uint64_t payload_units_ = 0;
};

}  // namespace

Result<uint32_t> DexFile::CheckCode(const CodeView& code) const { return CodeCheck(*this, code).Run(); }

}  // namespace marmoset::dex
