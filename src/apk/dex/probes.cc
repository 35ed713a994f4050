// Inserting probes.
//
// A probe needs a register of its own, in every method, also in those whose registers are all taken. So the
// frame grows by one. Arguments arrive in the last registers of the frame, now one higher than the code
// expects; moves at the entry put them where they were, lowest first, and the last register is free:
//
//     before: 3 registers, 2 in          after: 4 registers
//       v0 | v1 v2                         v0 v1 | v2 v3      move v1 ← v2, move v2 ← v3;  v3 is the probe's
//
//     const/16 v3, id    invoke-static/range {v3 .. v3}, Probe.hit(I)V
//
// Where. The method's probe comes before the code, out of reach of branches back to the first instruction. A
// block's probe comes before its first instruction and takes over the branches that lead there, except that
// move-exception must stay first in its handler.
//
// Try ranges. An instruction that may throw inside a try range hands the state of all registers to the
// handler, and the verifier then rejects code that was right without it (monitors held, registers not yet
// set). So probes lie outside: the range ends before a probe and goes on behind it. The probe itself must
// then never throw, which is why hit() compares before it stores.

#include "apk/dex/probes.h"

#include <algorithm>

#include "apk/app_packages.h"
#include "apk/dex/code.h"
#include "apk/dex/listing.h"
#include "apk/dex/writer.h"
#include "apk/utf.h"

namespace marmoset::dex {
namespace {

// The probe's register is an 8-bit operand.
constexpr uint16_t kMaxRegister = 255;

CodeInstruction Op(uint8_t opcode, uint16_t a = 0, uint16_t b = 0, uint16_t c = 0) {
  CodeInstruction one;
  one.op.opcode = opcode;
  one.op.registers = {a, b, c, 0, 0};
  return one;
}

CodeInstruction OpWith(uint8_t opcode, uint16_t a, int64_t literal) {
  CodeInstruction one = Op(opcode, a);
  one.op.literal = literal;
  return one;
}

CodeInstruction OpOn(uint8_t opcode, uint16_t a, uint32_t index, uint16_t b = 0) {
  CodeInstruction one = Op(opcode, a, b);
  one.op.index = index;
  return one;
}

void AppendProbe(uint32_t id, uint16_t reg, uint32_t hit, std::vector<CodeInstruction>* out) {
  out->push_back(OpWith(id < 0x8000 ? kConst16 : kConst, reg, id));
  CodeInstruction call = OpOn(kInvokeStaticRange, reg, hit);
  call.op.count = 1;
  out->push_back(call);
}

// Moves for the arguments, from one register higher; nothing when the frame does not match the descriptor.
std::optional<std::vector<CodeInstruction>> ArgumentMoves(const Code& code, bool is_static,
                                                          std::string_view parameters) {
  std::vector<CodeInstruction> moves;
  uint16_t to = static_cast<uint16_t>(code.registers - code.ins);
  const auto move = [&](uint8_t opcode, uint16_t size) {
    moves.push_back(Op(opcode, to, static_cast<uint16_t>(to + 1)));
    to = static_cast<uint16_t>(to + size);
  };
  if (!is_static) move(kMoveObject16, 1);
  // The shorty: one letter per parameter.
  for (const char letter : parameters) {
    if (letter == 'J' || letter == 'D')
      move(kMoveWide16, 2);
    else
      move(letter == 'L' ? kMoveObject16 : kMove16, 1);
  }
  if (to != code.registers) return std::nullopt;
  return moves;
}

// The first instructions of basic blocks, in order; the method's own entry only if a branch leads there.
std::vector<uint32_t> Leaders(const Code& code) {
  const uint32_t count = static_cast<uint32_t>(code.instructions.size());
  std::vector<bool> leads(count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    const CodeInstruction& one = code.instructions[i];
    const uint16_t flags = one.op.info().flags;
    if ((flags & kBranches) != 0) leads[one.target] = true;
    if ((flags & kSwitches) != 0) {
      for (const uint32_t target : code.payloads[one.target].targets) leads[target] = true;
    }
    if ((flags & (kBranches | kSwitches)) != 0 && (flags & kContinues) != 0) leads[i + 1] = true;
  }
  for (const TryRange& range : code.tries) {
    for (const CatchHandler& handler : range.handlers) leads[handler.target] = true;
  }
  std::vector<uint32_t> leaders;
  for (uint32_t i = 0; i < count; ++i) {
    // A result must be fetched by the next instruction.
    const uint8_t opcode = code.instructions[i].op.opcode;
    if (leads[i] && !(opcode >= kMoveResult && opcode <= kMoveResultObject)) leaders.push_back(i);
  }
  return leaders;
}

class Instrumenter {
 public:
  Instrumenter(const DexSet& set, const ProbeOptions& options) : set_(set), options_(options) {}

  Result<InstrumentedDex> Run() {
    for (const DexFile& dex : set_.files) MARMOSET_TRY(TakeFile(dex));
    MARMOSET_ASSIGN(std::string runtime, RuntimeClass(static_cast<uint32_t>(out_.probes.size())));
    out_.files.push_back(std::move(runtime));
    return std::move(out_);
  }

 private:
  Status TakeFile(const DexFile& dex) {
    Writer writer(&dex);
    const Result<uint32_t> hit = writer.Method(kProbeClass, "hit", "(I)V");
    if (!hit) {
      out_.skipped.push_back({dex.name(), hit.error().message() + "; this file is left as it was"});
      out_.files.emplace_back(dex.bytes());
      return {};
    }
    CountWithoutCode(dex);
    WorkLimit limit(dex);
    MARMOSET_ASSIGN(std::string written, writer.Write([&](const MethodMember& method, const CodeView& view) {
      return TakeMethod(dex, method, view, *hit, &limit);
    }));
    out_.files.push_back(std::move(written));
    return {};
  }

  void CountWithoutCode(const DexFile& dex) {
    for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
      const Result<ClassData> data = dex.ReadClassData(dex.Class(i));
      if (!data) continue;
      for (const auto* list : {&data->direct_methods, &data->virtual_methods}) {
        for (const MethodMember& method : *list) out_.without_code += method.code_off == 0;
      }
    }
  }

  std::optional<Code> TakeMethod(const DexFile& dex, const MethodMember& method, const CodeView& view,
                                 uint32_t hit, WorkLimit* limit) {
    const MethodId id = dex.Method(method.method);
    if (!options_.packages.empty() && !apk::InPackages(dex.Type(id.class_type), options_.packages))
      return std::nullopt;
    const auto skip = [&](std::string reason) {
      out_.skipped.push_back({apk::ModifiedToUtf8(dex.MethodText(method.method)), std::move(reason)});
      return std::nullopt;
    };
    // Taking code apart costs its units, which are known before; the rest is known only after.
    if (const Status status = limit->Spend(view.units.size()); !status) return skip(status.error().message());
    Result<Code> code = ParseCode(dex, view);
    if (!code) return skip(code.error().message());
    const std::vector<DebugEvent> no_events;
    const std::vector<DebugEvent>& events = code->debug ? code->debug->events : no_events;
    (void)limit->Spend(HandlerCount(code->tries) + events.size());
    if (code->instructions.empty()) return skip("it has no instructions");
    if (code->registers > kMaxRegister)
      return skip(fmt::format("{} registers leave none for a probe", code->registers));
    const std::string_view shorty = dex.RawString(dex.Proto(id.proto).shorty);
    auto moves = ArgumentMoves(*code, (method.access & kStatic) != 0,
                               shorty.substr(std::min<size_t>(1, shorty.size())));
    if (!moves) return skip("its arguments do not fill its incoming registers");
    const uint16_t reg = code->registers;

    std::vector<uint32_t> addresses;
    uint32_t address = 0;
    for (const CodeInstruction& one : code->instructions) {
      addresses.push_back(address);
      address += UnitsOf(one.op.info().format);
    }
    size_t next_event = 0;
    uint32_t line = 0;
    // REQUIRES: in order of `at`.
    const auto add_probe = [&](bool entry, uint32_t at) {
      for (; next_event < events.size() && events[next_event].address <= at; ++next_event) {
        if (events[next_event].kind == DebugKind::kLine) line = events[next_event].line;
      }
      Probe probe;
      probe.id = static_cast<uint32_t>(out_.probes.size());
      probe.class_name = apk::ModifiedToUtf8(JavaName(dex.Type(id.class_type)));
      probe.method = dex.String(id.name);
      probe.descriptor = apk::ModifiedToUtf8(dex.ProtoText(id.proto));
      probe.entry = entry;
      probe.address = addresses[at];
      probe.line = line;
      out_.probes.push_back(probe);
      return probe.id;
    };
    std::vector<Insertion> insertions;
    Insertion entry{0, std::move(*moves), false, true};
    AppendProbe(add_probe(true, 0), reg, hit, &entry.code);
    insertions.push_back(std::move(entry));
    if (options_.blocks) {
      for (const uint32_t leader : Leaders(*code)) {
        const bool handler = code->instructions[leader].op.opcode == kMoveException;
        if (handler && leader + 1 == code->instructions.size()) continue;
        Insertion probe{leader + (handler ? 1 : 0), {}, !handler, true};
        AppendProbe(add_probe(false, leader), reg, hit, &probe.code);
        insertions.push_back(std::move(probe));
      }
      // A handler's probe lies one further than its leader, behind which the next leader may follow at once.
      std::stable_sort(insertions.begin(), insertions.end(),
                       [](const Insertion& a, const Insertion& b) { return a.at < b.at; });
    }
    Insert(std::move(insertions), &*code);
    code->registers = static_cast<uint16_t>(code->registers + 1);
    code->outs = std::max<uint16_t>(code->outs, 1);
    if (code->debug) {
      // Arguments change their registers at the entry, which the notes on local variables do not tell.
      std::erase_if(code->debug->events, [](const DebugEvent& event) {
        return event.kind == DebugKind::kStartLocal || event.kind == DebugKind::kEndLocal ||
               event.kind == DebugKind::kRestartLocal;
      });
    }
    return std::move(*code);
  }

  // The DEX file with the runtime class.
  static Result<std::string> RuntimeClass(uint32_t probes) {
    Writer writer(nullptr);
    NewClass probe;
    probe.access = kPublic | kFinal;
    MARMOSET_ASSIGN(probe.type, writer.Type(kProbeClass));
    MARMOSET_ASSIGN(probe.superclass, writer.Type("Ljava/lang/Object;"));
    MARMOSET_ASSIGN(const uint32_t array, writer.Type("[Z"));
    MARMOSET_ASSIGN(const uint32_t hits, writer.Field(kProbeClass, "hits", "[Z"));
    probe.static_fields.push_back({hits, kPublic | kStatic});

    NewMethod init;
    MARMOSET_ASSIGN(init.method, writer.Method(kProbeClass, "<clinit>", "()V"));
    init.access = kStatic | kConstructor;
    init.code.emplace();
    init.code->registers = 1;
    init.code->instructions = {OpWith(kConst, 0, probes), OpOn(kNewArray, 0, array, 0),
                               OpOn(kSputObject, 0, hits), Op(kReturnVoid)};
    probe.direct_methods.push_back(std::move(init));

    NewMethod hit;
    MARMOSET_ASSIGN(hit.method, writer.Method(kProbeClass, "hit", "(I)V"));
    hit.access = kPublic | kStatic;
    hit.code.emplace();
    hit.code->registers = 3;
    hit.code->ins = 1;
    CodeInstruction beyond = Op(kIfGe, 2, 1);
    beyond.target = 5;
    hit.code->instructions = {OpOn(kSgetObject, 0, hits), Op(kArrayLength, 1, 0),    beyond,
                              OpWith(kConst4, 1, 1),      Op(kAputBoolean, 1, 0, 2), Op(kReturnVoid)};
    probe.direct_methods.push_back(std::move(hit));
    writer.Add(std::move(probe));
    return writer.Write();
  }

  const DexSet& set_;
  const ProbeOptions& options_;
  InstrumentedDex out_;
};

}  // namespace

Result<InstrumentedDex> Instrument(const DexSet& set, const ProbeOptions& options) {
  return Instrumenter(set, options).Run();
}

nlohmann::ordered_json ProbeTable(const InstrumentedDex& dex) {
  nlohmann::ordered_json probes = nlohmann::ordered_json::array();
  for (const Probe& probe : dex.probes) {
    probes.push_back({{"id", probe.id},
                      {"class", probe.class_name},
                      {"method", probe.method},
                      {"descriptor", probe.descriptor},
                      {"kind", probe.entry ? "method" : "block"},
                      {"address", probe.address},
                      {"line", probe.line}});
  }
  nlohmann::ordered_json skipped = nlohmann::ordered_json::array();
  for (const SkippedMethod& one : dex.skipped)
    skipped.push_back({{"method", one.method}, {"reason", one.reason}});
  return {{"probe_class", "marmoset.Probe"},
          {"probes", std::move(probes)},
          {"skipped", std::move(skipped)},
          {"without_code", dex.without_code}};
}

}  // namespace marmoset::dex
