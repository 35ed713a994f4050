// Taking a method's code apart.
//
// Addresses become ordinals of instructions, in one walk that numbers them and a second that translates.
// Payloads leave the stream: they become a list, and with them go the nops that aligned them, which nobody
// executes.
//
// Insertion is one pass too. Each old instruction gets two new positions: where it lies now, and where a
// branch to it should lead, which differ if something was put before it that takes its branches:
//
//     old:  0 const   1 add   2 goto 1          insert p before 1, taking branches
//     new:  0 const   1 p   2 add   3 goto 1    position of 1: 2; entry of 1: 1

#include "apk/dex/code.h"

#include <algorithm>

namespace marmoset::dex {
namespace {

constexpr uint32_t kNone = 0xffffffff;

class Parser {
 public:
  Parser(const DexFile& dex, const CodeView& view) : dex_(dex), units_(view.units), view_(view) {}

  Result<Code> Run() {
    if (const Result<uint32_t> checked = dex_.CheckCode(view_); !checked) return Fail(checked.error());
    MARMOSET_ASSIGN(std::vector<TryRange> tries, dex_.ReadTries(view_));
    code_.registers = view_.registers;
    code_.ins = view_.ins;
    code_.outs = view_.outs;
    Number();
    for (const uint32_t at : starts_) {
      CodeInstruction one;
      Decode(units_, at, &one.op);
      const uint32_t target = at + static_cast<uint32_t>(one.op.literal);
      if ((one.op.info().flags & kBranches) != 0) {
        one.target = Place(target);
        one.op.literal = 0;
      } else if ((one.op.info().flags & kSwitches) != 0 || one.op.opcode == kFillArrayData) {
        one.target = TakePayload(at, target, one.op.opcode == kFillArrayData);
        one.op.literal = 0;
      }
      code_.instructions.push_back(one);
    }
    for (TryRange& range : tries) {
      range.start = AtOrAfter(range.start);
      range.end = AtOrAfter(range.end);
      for (CatchHandler& handler : range.handlers) {
        handler.target = Place(handler.target);
      }
      if (range.start < range.end) code_.tries.push_back(std::move(range));
    }
    if (misplaced_) {
      return Fail(ErrorCode::kBadInput,
                  "{}: code at {:#x}: a branch or handler leads into an instruction or padding", dex_.name(),
                  view_.offset);
    }
    if (view_.debug_info_off != 0) {
      if (Result<DebugInfo> debug = ReadDebugInfo(dex_, view_.debug_info_off)) {
        // One address per unit, whatever the instructions are, is how R8 keeps program counters; those inside
        // an instruction or behind the code say nothing.
        std::erase_if(debug->events, [&](const DebugEvent& event) {
          return event.address > units_.size() ||
                 (event.address < units_.size() && ordinals_[event.address] == kNone);
        });
        for (DebugEvent& event : debug->events) event.address = AtOrAfter(event.address);
        code_.debug = std::move(*debug);
      }
    }
    return std::move(code_);
  }

 private:
  void Number() {
    ordinals_.assign(units_.size(), kNone);
    bool reachable = true;  // The last instruction goes on to this one.
    for (uint32_t at = 0; at < units_.size();) {
      if (IsPayload(units_[at])) {
        at += static_cast<uint32_t>(PayloadUnits(units_, at));
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units_, at, &instruction);
      const bool pads =
          instruction.opcode == kNop && !reachable && at + 1 < units_.size() && IsPayload(units_[at + 1]);
      if (!pads) {
        ordinals_[at] = static_cast<uint32_t>(starts_.size());
        starts_.push_back(at);
        reachable = (instruction.info().flags & kContinues) != 0;
      }
      at += size;
    }
  }

  // The instruction at an address that a branch leads to.
  uint32_t Place(uint32_t address) {
    misplaced_ |= ordinals_[address] == kNone;
    return ordinals_[address];
  }

  uint32_t AtOrAfter(uint32_t address) const {
    return static_cast<uint32_t>(std::lower_bound(starts_.begin(), starts_.end(), address) - starts_.begin());
  }

  uint32_t TakePayload(uint32_t user, uint32_t at, bool array) {
    Payload payload;
    payload.kind = units_[at];
    if (array) {
      payload.width = units_[at + size_t{1}];
      const size_t size = size_t{units_.U32(at + size_t{2})} * payload.width;
      payload.data = units_.bytes().substr(2 * (size_t{at} + 4), size);
    } else {
      const uint32_t count = units_[at + size_t{1}];
      const bool packed = payload.kind == kPackedSwitchPayload;
      for (uint32_t i = 0; i < count; ++i) {
        const size_t step = 2 * size_t{i};
        const uint32_t key = packed ? units_.U32(at + size_t{2}) + i : units_.U32(at + 2 + step);
        const uint32_t target = units_.U32(packed ? at + 4 + step : at + 2 + 2 * size_t{count} + step);
        payload.keys.push_back(static_cast<int32_t>(key));
        payload.targets.push_back(Place(user + target));
      }
      if (count == 0 && packed) payload.data = std::string(units_.bytes().substr(2 * (size_t{at} + 2), 4));
    }
    code_.payloads.push_back(std::move(payload));
    return static_cast<uint32_t>(code_.payloads.size() - 1);
  }

  const DexFile& dex_;
  const Units& units_;
  const CodeView& view_;
  Code code_;
  std::vector<uint32_t> ordinals_;
  std::vector<uint32_t> starts_;
  bool misplaced_ = false;
};

}  // namespace

Result<Code> ParseCode(const DexFile& dex, const CodeView& view) { return Parser(dex, view).Run(); }

void Insert(std::vector<Insertion> insertions, Code* code) {
  const uint32_t count = static_cast<uint32_t>(code->instructions.size());
  std::vector<uint32_t> position(count + 1);
  std::vector<uint32_t> entry(count + 1);
  struct Placed {
    uint32_t from, to;
    bool outside_tries;
  };
  std::vector<Placed> placed;
  std::vector<CodeInstruction> all;
  size_t next = 0;
  for (uint32_t i = 0; i <= count; ++i) {
    uint32_t lead = kNone;
    for (; next < insertions.size() && insertions[next].at == i; ++next) {
      Insertion& insertion = insertions[next];
      const uint32_t from = static_cast<uint32_t>(all.size());
      if (insertion.takes_branches && lead == kNone) lead = from;
      std::move(insertion.code.begin(), insertion.code.end(), std::back_inserter(all));
      placed.push_back({from, static_cast<uint32_t>(all.size()), insertion.outside_tries});
    }
    position[i] = static_cast<uint32_t>(all.size());
    entry[i] = lead == kNone ? position[i] : lead;
    if (i < count) all.push_back(code->instructions[i]);
  }
  // The inserted code has no branches, so every branch is an old one.
  for (CodeInstruction& one : all) {
    if ((one.op.info().flags & kBranches) != 0) one.target = entry[one.target];
  }
  code->instructions = std::move(all);
  for (Payload& payload : code->payloads) {
    for (uint32_t& target : payload.targets) target = entry[target];
  }
  std::vector<TryRange> tries;
  for (TryRange& range : code->tries) {
    for (CatchHandler& handler : range.handlers) handler.target = entry[handler.target];
    uint32_t start = position[range.start];
    const uint32_t end = position[range.end];
    auto hole = std::lower_bound(placed.begin(), placed.end(), start,
                                 [](const Placed& p, uint32_t at) { return p.from < at; });
    for (; hole != placed.end() && hole->from < end; ++hole) {
      if (!hole->outside_tries) continue;
      if (start < hole->from) tries.push_back({start, hole->from, range.handlers});
      start = hole->to;
    }
    if (start < end) tries.push_back({start, end, std::move(range.handlers)});
  }
  code->tries = std::move(tries);
  if (code->debug) {
    // What was inserted has the line of what precedes it, except at the start, where it has that of the
    // method.
    for (DebugEvent& event : code->debug->events)
      event.address = event.address == 0 ? 0 : position[event.address];
  }
}

}  // namespace marmoset::dex
