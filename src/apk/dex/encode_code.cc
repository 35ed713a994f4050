// Putting code together again.
//
// The sizes of branches depend on distances and these on the sizes, so the layout is repeated until nothing
// grows: every branch starts in the form it has, and only ever gets wider, which ends after at most three
// rounds per branch.
//
//     goto +120, then 20 units inserted   →   goto/16
//     if-eqz v0, 40000 units away         →   if-nez v0, over; goto/32 there; over:

#include <algorithm>
#include <map>

#include "apk/dex/code.h"

namespace marmoset::dex {
namespace {

bool IsIf(uint8_t opcode) { return opcode >= kIfEq && opcode <= kIfLez; }

// The condition that holds when `opcode`'s does not: eq and ne, lt and ge, gt and le are neighbours.
uint8_t Inverted(uint8_t opcode) {
  const uint8_t base = opcode >= kIfEqz ? kIfEqz : kIfEq;
  return static_cast<uint8_t>(base + ((opcode - base) ^ 1));
}

bool Fits(int64_t value, int bits) {
  return value >= -(int64_t{1} << (bits - 1)) && value < int64_t{1} << (bits - 1);
}

class Encoder {
 public:
  explicit Encoder(const Code& code) : code_(code) {}

  Result<EncodedCode> Run() {
    PromoteStrings();
    Layout();
    for (uint32_t i = 0; i < code_.instructions.size(); ++i) MARMOSET_TRY(Write(i));
    WritePayloads();
    for (const TryRange& range : code_.tries) WriteTry(range);
    if (code_.debug) {
      out_.debug = code_.debug;
      for (DebugEvent& event : out_.debug->events)
        event.address = out_.addresses[std::min<size_t>(event.address, code_.instructions.size())];
    }
    return std::move(out_);
  }

 private:
  void PromoteStrings() {
    opcodes_.reserve(code_.instructions.size());
    for (const CodeInstruction& one : code_.instructions) {
      const bool promote = one.op.opcode == kConstString && one.op.index > 0xffff;
      opcodes_.push_back(promote ? uint8_t{kConstStringJumbo} : one.op.opcode);
    }
    long_if_.assign(code_.instructions.size(), false);
  }

  void Layout() {
    const size_t count = code_.instructions.size();
    std::vector<uint32_t>& addresses = out_.addresses;
    addresses.resize(count + 1);
    for (bool grown = true; grown;) {
      grown = false;
      uint32_t at = 0;
      for (size_t i = 0; i < count; ++i) {
        addresses[i] = at;
        at += UnitsOf(InfoOf(opcodes_[i]).format) + (long_if_[i] ? 3 : 0);
      }
      addresses[count] = at;
      for (size_t i = 0; i < count; ++i) {
        if ((InfoOf(opcodes_[i]).flags & kBranches) == 0 || opcodes_[i] == kGoto32 || long_if_[i]) continue;
        const int64_t distance = int64_t{addresses[code_.instructions[i].target]} - int64_t{addresses[i]};
        if (IsIf(opcodes_[i])) {
          if (Fits(distance, 16) && distance != 0) continue;
          long_if_[i] = true;
        } else {
          // Only goto/32 may lead to itself.
          if (distance != 0 && Fits(distance, opcodes_[i] == kGoto ? 8 : 16)) continue;
          opcodes_[i] = distance != 0 && Fits(distance, 16) ? kGoto16 : kGoto32;
        }
        grown = true;
      }
    }
    uint32_t at = addresses[count];
    for (const Payload& payload : code_.payloads) {
      at += at % 2;
      payload_addresses_.push_back(at);
      if (payload.kind == kPackedSwitchPayload)
        at += static_cast<uint32_t>(4 + 2 * payload.keys.size());
      else if (payload.kind == kSparseSwitchPayload)
        at += static_cast<uint32_t>(2 + 4 * payload.keys.size());
      else
        at += static_cast<uint32_t>(4 + (payload.data.size() + 1) / 2);
    }
  }

  void Put(uint32_t unit) { out_.units.push_back(static_cast<uint16_t>(unit)); }
  void Put32(uint32_t value) {
    Put(value & 0xffff);
    Put(value >> 16);
  }

  Status Unfit(uint32_t i) const {
    return Fail(ErrorCode::kUnsupported, "instruction {} ({}): an operand does not fit", i,
                InfoOf(opcodes_[i]).name);
  }

  Status Write(uint32_t i) {
    const CodeInstruction& one = code_.instructions[i];
    const Instruction& op = one.op;
    const uint8_t opcode = opcodes_[i];
    const OpcodeInfo& info = InfoOf(opcode);
    const auto& r = op.registers;
    int64_t distance = 0;
    if ((info.flags & kBranches) != 0)
      distance = int64_t{out_.addresses[one.target]} - int64_t{out_.addresses[i]};
    else if ((info.flags & kSwitches) != 0 || opcode == kFillArrayData)
      distance = int64_t{payload_addresses_[one.target]} - int64_t{out_.addresses[i]};
    if (long_if_[i]) {
      const uint32_t registers = info.format == Format::k21t ? r[0] : r[0] | r[1] << 4;
      Put(Inverted(opcode) | registers << 8);
      Put(5);
      Put(kGoto32);
      Put32(static_cast<uint32_t>(distance - 2));
      return {};
    }
    const bool nibbles = info.format == Format::k12x || info.format == Format::k11n ||
                         info.format == Format::k22t || info.format == Format::k22s ||
                         info.format == Format::k22c;
    const bool range = info.format == Format::k3rc || info.format == Format::k4rcc;
    const bool invoke = info.format == Format::k35c || info.format == Format::k45cc;
    const bool bytes = !nibbles && !range && !invoke && info.format != Format::k32x;
    if ((nibbles && (r[0] > 15 || r[1] > 15)) || (bytes && r[0] > 255)) return Unfit(i);
    if ((info.format == Format::k23x || info.format == Format::k22b) && (r[1] > 255 || r[2] > 255))
      return Unfit(i);
    if (op.index > 0xffff && info.format != Format::k31c) return Unfit(i);
    const uint32_t literal = static_cast<uint32_t>(op.literal);
    switch (info.format) {
      case Format::kUnused:
        return Unfit(i);
      case Format::k10x:
        Put(opcode);
        break;
      case Format::k12x:
        Put(opcode | r[0] << 8 | r[1] << 12);
        break;
      case Format::k11n:
        Put(opcode | r[0] << 8 | (literal & 0xf) << 12);
        break;
      case Format::k11x:
        Put(opcode | r[0] << 8);
        break;
      case Format::k10t:
        Put(opcode | static_cast<uint32_t>(distance & 0xff) << 8);
        break;
      case Format::k20t:
        Put(opcode);
        Put(static_cast<uint32_t>(distance));
        break;
      case Format::k22x:
        Put(opcode | r[0] << 8);
        Put(r[1]);
        break;
      case Format::k21t:
        Put(opcode | r[0] << 8);
        Put(static_cast<uint32_t>(distance));
        break;
      case Format::k21s:
        Put(opcode | r[0] << 8);
        Put(literal);
        break;
      case Format::k21h:
        Put(opcode | r[0] << 8);
        Put(opcode == kConstWideHigh16 ? static_cast<uint32_t>(static_cast<uint64_t>(op.literal) >> 48)
                                       : literal >> 16);
        break;
      case Format::k21c:
        Put(opcode | r[0] << 8);
        Put(op.index);
        break;
      case Format::k23x:
        Put(opcode | r[0] << 8);
        Put(r[1] | r[2] << 8);
        break;
      case Format::k22b:
        Put(opcode | r[0] << 8);
        Put(r[1] | (literal & 0xff) << 8);
        break;
      case Format::k22t:
        Put(opcode | r[0] << 8 | r[1] << 12);
        Put(static_cast<uint32_t>(distance));
        break;
      case Format::k22s:
        Put(opcode | r[0] << 8 | r[1] << 12);
        Put(literal);
        break;
      case Format::k22c:
        Put(opcode | r[0] << 8 | r[1] << 12);
        Put(op.index);
        break;
      case Format::k32x:
        Put(opcode);
        Put(r[0]);
        Put(r[1]);
        break;
      case Format::k30t:
        Put(opcode);
        Put32(static_cast<uint32_t>(distance));
        break;
      case Format::k31i:
        Put(opcode | r[0] << 8);
        Put32(literal);
        break;
      case Format::k31t:
        Put(opcode | r[0] << 8);
        Put32(static_cast<uint32_t>(distance));
        break;
      case Format::k31c:
        Put(opcode | r[0] << 8);
        Put32(op.index);
        break;
      case Format::k35c:
      case Format::k45cc:
        for (const uint16_t reg : r) {
          if (reg > 15) return Unfit(i);
        }
        Put(opcode | r[4] << 8 | op.count << 12);
        Put(op.index);
        Put(r[0] | r[1] << 4 | r[2] << 8 | r[3] << 12);
        if (info.format == Format::k45cc) Put(op.proto);
        break;
      case Format::k3rc:
      case Format::k4rcc:
        Put(opcode | op.count << 8);
        Put(op.index);
        Put(r[0]);
        if (info.format == Format::k4rcc) Put(op.proto);
        break;
      case Format::k51l:
        Put(opcode | r[0] << 8);
        Put32(literal);
        Put32(static_cast<uint32_t>(static_cast<uint64_t>(op.literal) >> 32));
        break;
    }
    return {};
  }

  void WritePayloads() {
    std::vector<uint32_t> users(code_.payloads.size());
    for (uint32_t i = 0; i < code_.instructions.size(); ++i) {
      const CodeInstruction& one = code_.instructions[i];
      if ((one.op.info().flags & kSwitches) != 0) users[one.target] = out_.addresses[i];
    }
    for (size_t p = 0; p < code_.payloads.size(); ++p) {
      const Payload& payload = code_.payloads[p];
      if (out_.units.size() % 2 != 0) Put(kNop);
      Put(payload.kind);
      if (payload.kind == kArrayPayload) {
        Put(payload.width);
        Put32(payload.width == 0 ? 0 : static_cast<uint32_t>(payload.data.size() / payload.width));
        for (size_t b = 0; b < payload.data.size(); b += 2) {
          const uint32_t low = static_cast<uint8_t>(payload.data[b]);
          const uint32_t high = b + 1 < payload.data.size() ? static_cast<uint8_t>(payload.data[b + 1]) : 0;
          Put(low | high << 8);
        }
        continue;
      }
      Put(static_cast<uint32_t>(payload.keys.size()));
      if (payload.kind == kSparseSwitchPayload) {
        for (const int32_t key : payload.keys) Put32(static_cast<uint32_t>(key));
      } else if (!payload.keys.empty()) {
        Put32(static_cast<uint32_t>(payload.keys[0]));
      } else {
        const Units first(payload.data);
        Put32(first.U32(0));
      }
      for (const uint32_t target : payload.targets) Put32(out_.addresses[target] - users[p]);
    }
  }

  // A range longer than its 16-bit size can say becomes several.
  void WriteTry(const TryRange& range) {
    uint32_t start = out_.addresses[range.start];
    const uint32_t end = out_.addresses[range.end];
    std::vector<CatchHandler> handlers = range.handlers;
    for (CatchHandler& handler : handlers) handler.target = out_.addresses[handler.target];
    for (; start < end; start = std::min(end, start + 0xffff))
      out_.tries.push_back({start, std::min(end, start + 0xffff), handlers});
  }

  const Code& code_;
  EncodedCode out_;
  std::vector<uint8_t> opcodes_;
  std::vector<bool> long_if_;
  std::vector<uint32_t> payload_addresses_;
};

}  // namespace

Result<EncodedCode> EncodeCode(const Code& code) { return Encoder(code).Run(); }

}  // namespace marmoset::dex
