// Turning code into hashes that survive a new build.
//
// Two builds of the same source differ in much that means nothing: every index (one added string renumbers
// all that follow), resource ids, the width of branches and constants, register numbers. So each instruction
// is split into tokens for separate streams:
//
//     const v3, 0x7f030004        opcodes: const    literals: "layout/main"
//     invoke-virtual/range {…} m  opcodes: invoke-virtual    references: hash("LFoo;->bar(I)V")
//     goto/16 +40                 opcodes: goto    flow: 12th instruction
//
// A stream is hashed as a whole. References are hashed by name, once per index and file; this makes the cost
// of a method its number of instructions, whatever the length of the names.

#include "apk/dex/method_facts.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "apk/dex/debug_info.h"
#include "apk/dex/encoded_value.h"
#include "base/hash.h"

namespace marmoset::dex {
namespace {

constexpr uint64_t kOwnClass = 0x5e1f;

using Stream = std::vector<uint64_t>;

uint64_t HashOf(const Stream& stream, uint64_t seed = 0) {
  return Hash64(std::string_view(reinterpret_cast<const char*>(stream.data()), stream.size() * 8), seed);
}

uint64_t Mix(uint64_t a, uint64_t b, uint64_t c = 0) {
  const uint64_t parts[3] = {a, b, c};
  return Hash64(std::string_view(reinterpret_cast<const char*>(parts), sizeof parts));
}

// The opcode that stands for all forms of the same operation.
uint8_t Canonical(uint8_t opcode) {
  if (opcode >= 0x01 && opcode <= 0x09) return static_cast<uint8_t>((opcode - 1) / 3 * 3 + 1);
  if (opcode >= 0x12 && opcode <= 0x15) return kConst;
  if (opcode >= 0x16 && opcode <= 0x19) return 0x18;
  if (opcode == kConstStringJumbo) return kConstString;
  if (opcode == kFilledNewArrayRange) return kFilledNewArray;
  if (opcode == kGoto16 || opcode == kGoto32) return kGoto;
  if (opcode >= 0x74 && opcode <= 0x78) return static_cast<uint8_t>(opcode - 6);
  if (opcode == 0xfb || opcode == 0xfd) return static_cast<uint8_t>(opcode - 1);
  return opcode;
}

// Hashes of the names behind the indices of one file, computed when first wanted (0 means "not yet").
class Names {
 public:
  explicit Names(const DexFile& dex)
      : dex_(dex),
        strings_(dex.count(kStringIds)),
        strings_unnumbered_(dex.count(kStringIds)),
        protos_(dex.count(kProtoIds)) {}

  uint64_t String(uint32_t i, bool unnumbered) {
    uint64_t& hash = (unnumbered ? strings_unnumbered_ : strings_)[i];
    if (hash == 0) {
      hash = unnumbered ? Hash64(Unnumbered(dex_.RawString(i))) : Hash64(dex_.RawString(i));
      hash |= 1;
    }
    return hash;
  }
  uint64_t Type(uint32_t i, bool unnumbered) { return String(dex_.TypeString(i), unnumbered); }
  uint64_t Proto(uint32_t i) {
    if (protos_[i] == 0) protos_[i] = Hash64(dex_.ProtoText(i)) | 1;
    return protos_[i];
  }

 private:
  const DexFile& dex_;
  std::vector<uint64_t> strings_;
  std::vector<uint64_t> strings_unnumbered_;
  std::vector<uint64_t> protos_;
};

class Collector {
 public:
  Collector(const DexSet& set, const apk::ResourceTable* resources) : set_(set), resources_(resources) {}

  Result<AppFacts> Run() {
    facts_.protos.resize(set_.files.size());
    std::unordered_set<std::string_view> seen;
    for (uint32_t f = 0; f < set_.files.size(); ++f) {
      const DexFile& dex = set_.files[f];
      Names names(dex);
      names_ = &names;
      dex_ = &dex;
      file_ = f;
      WorkLimit limit(dex);
      limit_ = &limit;
      std::vector<std::string>& protos = facts_.protos[f];
      protos.reserve(dex.count(kProtoIds));
      for (uint32_t i = 0; i < dex.count(kProtoIds); ++i) protos.push_back(dex.ProtoText(i));
      FindMarkers();
      for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
        const ClassDef def = dex.Class(i);
        if (seen.insert(dex.Type(def.type)).second) MARMOSET_TRY(TakeClass(def));
      }
    }
    return std::move(facts_);
  }

 private:
  // Markers begin with "~~", so they lie together in the sorted strings.
  void FindMarkers() {
    for (uint32_t i = 0; i < dex_->count(kStringIds); ++i) {
      const std::string_view text = dex_->RawString(i);
      if (text.substr(0, 3) != "~~D" && text.substr(0, 3) != "~~R" && text.substr(0, 3) != "~~L") continue;
      std::string marker(text.substr(0, 500));
      if (std::find(facts_.compilers.begin(), facts_.compilers.end(), marker) == facts_.compilers.end())
        facts_.compilers.push_back(std::move(marker));
    }
  }

  Status TakeClass(const ClassDef& def) {
    MARMOSET_ASSIGN(const ClassData data, dex_->ReadClassData(def));
    ClassFacts one;
    one.type = dex_->Type(def.type);
    one.file = file_;
    one.access = def.access;
    Stream declaration = {def.access, def.superclass == kNoIndex ? 0 : names_->Type(def.superclass, false)};
    for (const uint16_t type : dex_->TypeList(def.interfaces_off))
      declaration.push_back(names_->Type(type, false));
    one.declaration = HashOf(declaration);
    Stream fields;
    for (const std::vector<FieldMember>* list : {&data.static_fields, &data.instance_fields}) {
      for (const FieldMember& field : *list) {
        const FieldId id = dex_->Field(field.field);
        fields.insert(fields.end(),
                      {names_->String(id.name, false), names_->Type(id.type, false), field.access});
      }
    }
    one.fields = HashOf(fields);
    if (const Result<std::vector<std::string>> values = ReadStaticValues(*dex_, def)) {
      Stream hashes;
      for (const std::string& value : *values) {
        MARMOSET_TRY(limit_->Spend(value.size()));
        hashes.push_back(Hash64(value));
      }
      one.values = HashOf(hashes);
    }
    own_type_ = def.type;
    for (const std::vector<MethodMember>* list : {&data.direct_methods, &data.virtual_methods}) {
      for (const MethodMember& method : *list) TakeMethod(method);
    }
    facts_.classes.push_back(one);
    return {};
  }

  void TakeMethod(const MethodMember& member) {
    const MethodId id = dex_->Method(member.method);
    MethodFacts one;
    one.type = dex_->Type(id.class_type);
    one.name = dex_->RawString(id.name);
    one.descriptor = facts_.protos[file_][id.proto];
    one.file = file_;
    one.member = member;
    if (member.code_off != 0) {
      if (Status status = TakeCode(member, &one); !status) {
        one.problem = status.error().message();
        const uint64_t hash = one.units == 0 ? 1 : code_bytes_;
        one.hashes = {hash, hash, hash, hash, hash, hash, hash, hash, hash, hash};
      }
    }
    facts_.methods.push_back(std::move(one));
  }

  Status TakeCode(const MethodMember& member, MethodFacts* one) {
    MARMOSET_ASSIGN(const CodeView code, dex_->ReadCode(member.code_off));
    one->units = static_cast<uint32_t>(code.units.size());
    MARMOSET_TRY(limit_->Spend(code.units.size()));
    code_bytes_ = Hash64(code.units.bytes());
    MARMOSET_ASSIGN(one->instructions, dex_->CheckCode(code));
    MARMOSET_ASSIGN(const std::vector<TryRange> tries, dex_->ReadTries(code));
    MARMOSET_TRY(limit_->Spend(HandlerCount(tries)));
    for (Stream* stream : {&raw_, &opcodes_, &references_, &unnumbered_, &literals_, &raw_literals_, &flow_,
                           &registers_, &exact_, &lines_, &shape_})
      stream->clear();
    NumberInstructions(code);
    exact_.insert(exact_.end(), {code.registers, code.ins, code.outs});
    const Units& units = code.units;
    for (uint32_t at = 0; at < units.size();) {
      if (IsPayload(units[at])) {
        at += static_cast<uint32_t>(PayloadUnits(units, at));
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units, at, &instruction);
      TakeInstruction(units, at, instruction);
      at += size;
    }
    for (const TryRange& range : tries) {
      if (ordinals_[range.start] == ordinals_[range.end]) continue;  // Nops alone, or part of an instruction.
      flow_.insert(flow_.end(), {ordinals_[range.start], ordinals_[range.end], range.handlers.size()});
      for (const CatchHandler& handler : range.handlers)
        flow_.insert(flow_.end(), {handler.type == kNoIndex ? 0 : names_->Type(handler.type, false),
                                   ordinals_[handler.target]});
    }
    if (code.debug_info_off != 0) {
      if (const Result<DebugInfo> debug = ReadDebugInfo(*dex_, code.debug_info_off)) {
        MARMOSET_TRY(limit_->Spend(debug->events.size()));
        for (const DebugEvent& event : debug->events) {
          if (event.kind != DebugKind::kLine || event.address >= units.size()) continue;
          lines_.insert(lines_.end(), {event.address, event.line});
        }
      }
    }
    CodeHashes& h = one->hashes;
    h.raw_opcodes = HashOf(raw_);
    h.opcodes = HashOf(opcodes_);
    h.references = HashOf(references_);
    h.unnumbered = HashOf(unnumbered_);
    h.literals = HashOf(literals_);
    h.raw_literals = HashOf(raw_literals_);
    h.flow = HashOf(flow_);
    h.registers = HashOf(registers_);
    h.exact = HashOf(exact_);
    h.lines = HashOf(lines_);
    h.shape = Mix(Mix(HashOf(shape_), h.opcodes), h.literals, h.flow);
    return {};
  }

  // Gives each address the ordinal of the first instruction at or behind it, nops not counted.
  void NumberInstructions(const CodeView& code) {
    ordinals_.assign(code.units.size() + 1, 0);
    uint32_t ordinal = 0;
    const Units& units = code.units;
    for (uint32_t at = 0; at < units.size();) {
      Instruction instruction;
      const bool payload = IsPayload(units[at]);
      const uint32_t size =
          payload ? static_cast<uint32_t>(PayloadUnits(units, at)) : Decode(units, at, &instruction);
      ordinals_[at] = ordinal;
      ordinal += !payload && instruction.opcode != kNop;
      std::fill_n(ordinals_.begin() + at + 1, size - 1, ordinal);
      at += size;
    }
    ordinals_[units.size()] = ordinal;
  }

  void TakeInstruction(const Units& units, uint32_t at, const Instruction& instruction) {
    const OpcodeInfo& info = instruction.info();
    raw_.push_back(instruction.opcode);
    const auto& r = instruction.registers;
    exact_.insert(exact_.end(), {instruction.opcode, instruction.count, r[0], r[1], r[2], r[3], r[4]});
    if (instruction.opcode == kNop) return;
    opcodes_.push_back(Canonical(instruction.opcode));
    if (instruction.IsRange()) {
      for (uint32_t i = 0; i < instruction.count; ++i) registers_.push_back(uint64_t{r[0]} + i);
    } else {
      const size_t used = (info.flags & kInvokes) != 0 ? instruction.count : 3;
      registers_.insert(registers_.end(), r.begin(), r.begin() + static_cast<ptrdiff_t>(used));
    }
    if (info.index != IndexKind::kNone) TakeReference(instruction);
    if ((info.flags & kBranches) != 0) {
      flow_.push_back(ordinals_[Target(at, instruction)]);
    } else if ((info.flags & kSwitches) != 0) {
      TakeSwitch(units, at, instruction);
    } else if (instruction.opcode == kFillArrayData) {
      TakeArray(units, Target(at, instruction));
    } else if (HasLiteral(info.format)) {
      literals_.push_back(Literal(instruction.literal));
      raw_literals_.push_back(static_cast<uint64_t>(instruction.literal));
    }
    exact_.push_back(static_cast<uint64_t>(instruction.literal));
  }

  static uint32_t Target(uint32_t at, const Instruction& instruction) {
    return at + static_cast<uint32_t>(instruction.literal);
  }

  // A resource id by its name, anything else as it is.
  uint64_t Literal(int64_t literal) const {
    if (resources_ == nullptr || literal < 0x7f010000 || literal > 0x7fffffff)
      return static_cast<uint64_t>(literal);
    const auto name = resources_->Name(static_cast<uint32_t>(literal));
    return name ? Mix(Hash64(name->type), Hash64(name->name)) : static_cast<uint64_t>(literal);
  }

  // The hash of a text that is made for one instruction alone; the next Spend will know what it cost.
  uint64_t Once(const std::string& text) {
    (void)limit_->Spend(text.size());
    return Hash64(text);
  }

  void TakeReference(const Instruction& instruction) {
    const uint32_t i = instruction.index;
    uint64_t hash = 0;
    uint64_t unnumbered = 0;
    uint64_t own = 0;
    switch (instruction.info().index) {
      case IndexKind::kNone:
        return;
      case IndexKind::kString:
        hash = unnumbered = own = names_->String(i, false);
        break;
      case IndexKind::kType:
        hash = names_->Type(i, false);
        unnumbered = names_->Type(i, true);
        own = i == own_type_ ? kOwnClass : hash;
        break;
      case IndexKind::kField: {
        const FieldId id = dex_->Field(i);
        const uint64_t rest = Mix(names_->String(id.name, false), names_->Type(id.type, false));
        hash = Mix(names_->Type(id.class_type, false), rest);
        unnumbered = Mix(names_->Type(id.class_type, true), names_->String(id.name, true),
                         names_->Type(id.type, true));
        own = id.class_type == own_type_ ? Mix(kOwnClass, rest) : hash;
        break;
      }
      case IndexKind::kMethod:
      case IndexKind::kMethodAndProto: {
        const MethodId id = dex_->Method(i);
        const uint64_t rest = Mix(names_->String(id.name, false), names_->Proto(id.proto));
        hash = Mix(names_->Type(id.class_type, false), rest);
        unnumbered = Mix(names_->Type(id.class_type, true), names_->String(id.name, true),
                         Hash64(Unnumbered(facts_.protos[file_][id.proto])));
        own = id.class_type == own_type_ ? Mix(kOwnClass, rest) : hash;
        if (instruction.info().index == IndexKind::kMethodAndProto) {
          hash = Mix(hash, names_->Proto(instruction.proto));
          own = Mix(own, names_->Proto(instruction.proto));
        }
        break;
      }
      case IndexKind::kProto:
        hash = unnumbered = own = names_->Proto(i);
        break;
      case IndexKind::kMethodHandle: {
        const auto [kind, member] = dex_->MethodHandle(i);
        hash = unnumbered = own =
            Mix(kind, Once(kind < 4 ? dex_->FieldText(member) : dex_->MethodText(member)));
        break;
      }
      case IndexKind::kCallSite: {
        Cursor cursor(dex_->data(), dex_->CallSiteOffset(i));
        const uint32_t count = cursor.Uleb();
        for (uint32_t k = 0; k < count && !cursor.failed() && limit_->Spend(0); ++k)
          hash = Mix(hash, Once(ReadValueText(*dex_, &cursor)));
        unnumbered = own = hash;
        break;
      }
    }
    references_.push_back(hash);
    unnumbered_.push_back(unnumbered);
    exact_.push_back(hash);
    shape_.push_back(own);
  }

  void TakeSwitch(const Units& units, uint32_t at, const Instruction& instruction) {
    const size_t payload = Target(at, instruction);
    const uint32_t count = units[payload + 1];
    const bool packed = units[payload] == kPackedSwitchPayload;
    for (uint32_t i = 0; i < count; ++i) {
      const size_t step = 2 * size_t{i};
      const uint32_t key = packed ? units.U32(payload + 2) + i : units.U32(payload + 2 + step);
      const uint32_t target = units.U32(packed ? payload + 4 + step : payload + 2 + 2 * size_t{count} + step);
      flow_.push_back(ordinals_[at + target]);
      literals_.push_back(Literal(static_cast<int32_t>(key)));
      raw_literals_.push_back(key);
      exact_.push_back(key);
    }
  }

  void TakeArray(const Units& units, uint32_t payload) {
    const uint64_t size = PayloadUnits(units, payload);
    const std::string_view data = units.bytes().substr(2 * size_t{payload}, 2 * static_cast<size_t>(size));
    raw_literals_.push_back(Hash64(data));
    exact_.push_back(Hash64(data));
    if (units[payload + size_t{1}] != 4) {
      literals_.push_back(Hash64(data));
      return;
    }
    const uint32_t count = units.U32(payload + size_t{2});
    for (uint32_t i = 0; i < count; ++i)
      literals_.push_back(Literal(static_cast<int32_t>(units.U32(payload + size_t{4} + 2 * size_t{i}))));
  }

  const DexSet& set_;
  const apk::ResourceTable* resources_;
  AppFacts facts_;
  const DexFile* dex_ = nullptr;
  Names* names_ = nullptr;
  uint32_t file_ = 0;
  uint32_t own_type_ = 0;
  uint64_t code_bytes_ = 0;
  WorkLimit* limit_ = nullptr;
  std::vector<uint32_t> ordinals_;
  Stream raw_, opcodes_, references_, unnumbered_, literals_, raw_literals_, flow_, registers_, exact_,
      lines_, shape_;
};

}  // namespace

std::string Unnumbered(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (size_t i = 0; i < name.size(); ++i) {
    const bool digit = name[i] >= '0' && name[i] <= '9';
    if (!digit) {
      out += name[i];
      continue;
    }
    // Digits that follow a '$', or the word Lambda or a synthetic's name, number something.
    size_t end = i;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    const bool follows = !out.empty() && out.back() == '$';
    const auto ends_with = [&out](std::string_view word) {
      return out.size() >= word.size() && std::string_view(out).substr(out.size() - word.size()) == word;
    };
    const bool numbered = ends_with("ExternalSyntheticLambda") || ends_with("$$Lambda") ||
                          ends_with("ExternalSyntheticOutline") ||
                          ends_with("ExternalSyntheticServiceLoad") || ends_with("InternalSyntheticLambda");
    if (follows || numbered)
      out += '#';
    else
      out += name.substr(i, end - i);
    i = end - 1;
  }
  return out;
}

Result<AppFacts> CollectFacts(const DexSet& set, const apk::ResourceTable* resources) {
  return Collector(set, resources).Run();
}

}  // namespace marmoset::dex
