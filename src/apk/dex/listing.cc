#include "apk/dex/listing.h"

#include <map>

#include "apk/dex/encoded_value.h"

namespace marmoset::dex {
namespace {

// Short code may refer to one long name again and again. No honest method's listing comes near.
constexpr size_t kMaxText = 16 << 20;

class Lister {
 public:
  Lister(const DexFile& dex, const CodeView& code, const apk::ResourceTable* resources)
      : dex_(dex), code_(code), resources_(resources) {}

  Result<std::vector<ListingLine>> Run() {
    // After this, whatever the code refers to is there.
    if (const Result<uint32_t> checked = dex_.CheckCode(code_); !checked) return Fail(checked.error());
    MARMOSET_ASSIGN(const std::vector<TryRange> tries, dex_.ReadTries(code_));
    DebugInfo debug;
    if (code_.debug_info_off != 0) {
      MARMOSET_ASSIGN(debug, ReadDebugInfo(dex_, code_.debug_info_off));
    }
    CollectLabels(tries);
    size_t event = 0;
    uint32_t line = 0;
    const Units& units = code_.units;
    for (uint32_t at = 0; at < units.size();) {
      for (; event < debug.events.size() && debug.events[event].address <= at; ++event) {
        if (debug.events[event].kind == DebugKind::kLine) line = debug.events[event].line;
      }
      MarkTries(tries, at);
      if (const auto it = labels_.find(at); it != labels_.end()) Label(at, fmt::format(":{}", it->second));
      if (IsPayload(units[at])) {
        at += static_cast<uint32_t>(PayloadUnits(units, at));
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units, at, &instruction);
      lines_.push_back({at, line, false, Text(at, instruction)});
      length_ += lines_.back().text.size();
      if (length_ > kMaxText)
        return Fail(ErrorCode::kUnsupported, "{}: code at {:#x}: its listing is longer than {} bytes",
                    dex_.name(), code_.offset, kMaxText);
      at += size;
    }
    MarkTries(tries, static_cast<uint32_t>(units.size()));
    return std::move(lines_);
  }

 private:
  // The ranges are disjoint and in order, so one place in them is enough.
  void MarkTries(const std::vector<TryRange>& tries, uint32_t at) {
    for (; try_ < tries.size(); ++try_, in_try_ = false) {
      const TryRange& range = tries[try_];
      if (!in_try_ && range.start <= at) {
        Label(at, "try {");
        in_try_ = true;
      }
      if (!in_try_ || range.end > at) return;
      Label(at, "} " + HandlerText(range));
    }
  }

  void Label(uint32_t at, std::string text) {
    length_ += text.size();
    lines_.push_back({at, 0, true, std::move(text)});
  }

  void CollectLabels(const std::vector<TryRange>& tries) {
    const Units& units = code_.units;
    for (uint32_t at = 0; at < units.size();) {
      if (IsPayload(units[at])) {
        at += static_cast<uint32_t>(PayloadUnits(units, at));
        continue;
      }
      Instruction instruction;
      const uint32_t size = Decode(units, at, &instruction);
      if ((instruction.info().flags & kBranches) != 0)
        labels_[at + static_cast<uint32_t>(instruction.literal)] = 0;
      if ((instruction.info().flags & kSwitches) != 0) {
        for (const auto& [key, target] : Cases(at, instruction)) labels_[target] = 0;
      }
      at += size;
    }
    for (const TryRange& range : tries) {
      for (const CatchHandler& handler : range.handlers) labels_[handler.target] = 0;
    }
    int number = 0;
    for (auto& [at, label] : labels_) label = number++;
  }

  std::vector<std::pair<int32_t, uint32_t>> Cases(uint32_t at, const Instruction& instruction) const {
    std::vector<std::pair<int32_t, uint32_t>> cases;
    const Units& units = code_.units;
    const size_t payload = at + static_cast<size_t>(instruction.literal);
    const uint32_t count = units[payload + 1];
    const bool packed = units[payload] == kPackedSwitchPayload;
    for (uint32_t i = 0; i < count; ++i) {
      const size_t step = 2 * size_t{i};
      const uint32_t key = packed ? units.U32(payload + 2) + i : units.U32(payload + 2 + step);
      const uint32_t target = units.U32(packed ? payload + 4 + step : payload + 2 + 2 * size_t{count} + step);
      cases.emplace_back(static_cast<int32_t>(key), at + target);
    }
    return cases;
  }

  std::string LabelText(uint32_t at) const {
    const auto it = labels_.find(at);
    return it == labels_.end() ? fmt::format("{:#x}", at) : fmt::format(":{}", it->second);
  }

  std::string HandlerText(const TryRange& range) const {
    std::string text;
    for (const CatchHandler& handler : range.handlers) {
      if (length_ + text.size() > kMaxText) break;
      if (!text.empty()) text += ", ";
      text += fmt::format("catch {} {}", handler.type == kNoIndex ? "all" : dex_.Type(handler.type),
                          LabelText(handler.target));
    }
    return text;
  }

  std::string Reference(const Instruction& instruction) const {
    switch (instruction.info().index) {
      case IndexKind::kNone:
        return "";
      case IndexKind::kString:
        return Quoted(dex_.RawString(instruction.index));
      case IndexKind::kType:
        return std::string(dex_.Type(instruction.index));
      case IndexKind::kField:
        return dex_.FieldText(instruction.index);
      case IndexKind::kMethod:
        return dex_.MethodText(instruction.index);
      case IndexKind::kMethodAndProto:
        return dex_.MethodText(instruction.index) + ", " + dex_.ProtoText(instruction.proto);
      case IndexKind::kProto:
        return dex_.ProtoText(instruction.index);
      case IndexKind::kMethodHandle:
        return fmt::format("handle {}", instruction.index);
      case IndexKind::kCallSite: {
        Cursor cursor(dex_.data(), dex_.CallSiteOffset(instruction.index));
        std::string text = "call site {";
        const uint32_t count = cursor.Uleb();
        for (uint32_t i = 0; i < count && !cursor.failed(); ++i)
          text += (i > 0 ? ", " : "") + ReadValueText(dex_, &cursor);
        if (text.size() > kMaxText) break;
        return text + "}";
      }
    }
    return "";
  }

  std::string Registers(const Instruction& instruction) const {
    const auto& r = instruction.registers;
    if (instruction.IsRange()) {
      if (instruction.count == 0) return "{}";
      return fmt::format("{{v{} .. v{}}}", r[0], r[0] + instruction.count - 1);
    }
    if ((instruction.info().flags & kInvokes) != 0) {
      std::string text = "{";
      for (int i = 0; i < instruction.count; ++i) text += fmt::format("{}v{}", i > 0 ? ", " : "", r[i]);
      return text + "}";
    }
    switch (instruction.info().format) {
      case Format::k10x:
      case Format::k10t:
      case Format::k20t:
      case Format::k30t:
        return "";
      case Format::k12x:
      case Format::k22x:
      case Format::k32x:
      case Format::k22b:
      case Format::k22s:
      case Format::k22t:
      case Format::k22c:
        return fmt::format("v{}, v{}", r[0], r[1]);
      case Format::k23x:
        return fmt::format("v{}, v{}, v{}", r[0], r[1], r[2]);
      default:
        return fmt::format("v{}", r[0]);
    }
  }

  // A resource id by its name, any other number as it is.
  std::string Number(int64_t number) const {
    if (resources_ != nullptr && number >= 0x7f010000 && number < 0x80000000) {
      const uint32_t id = static_cast<uint32_t>(number);
      if (resources_->Name(id)) return resources_->ReferenceText(id);
    }
    return fmt::format("{}", number);
  }

  std::string Literal(const Instruction& instruction) const {
    std::string text = Number(instruction.literal);
    if (text.front() == '@') return text;
    if (instruction.literal >= -4096 && instruction.literal <= 4096) return text;
    return text + fmt::format(" ({:#x})", static_cast<uint64_t>(instruction.literal));
  }

  std::string Text(uint32_t at, const Instruction& instruction) const {
    const OpcodeInfo& info = instruction.info();
    std::string text(info.name);
    auto add = [&text, first = true](const std::string& part) mutable {
      if (part.empty()) return;
      text += first ? " " : ", ";
      text += part;
      first = false;
    };
    add(Registers(instruction));
    add(Reference(instruction));
    const uint32_t target = at + static_cast<uint32_t>(instruction.literal);
    if ((info.flags & kBranches) != 0) {
      add(LabelText(target));
    } else if ((info.flags & kSwitches) != 0) {
      std::string cases = "{";
      for (const auto& [key, to] : Cases(at, instruction))
        cases += fmt::format("{}{} → {}", cases.size() > 1 ? ", " : "", Number(key), LabelText(to));
      add(cases + "}");
    } else if (instruction.opcode == kFillArrayData) {
      add(ArrayText(target));
    } else if (HasLiteral(info.format)) {
      add(Literal(instruction));
    }
    return text;
  }

  std::string ArrayText(uint32_t payload) const {
    const Units& units = code_.units;
    const uint32_t width = units[payload + 1];
    const uint32_t count = units.U32(payload + size_t{2});
    const apk::Bytes bytes(units.bytes().substr(2 * (size_t{payload} + 4)));
    std::string text = fmt::format("{} × {} bytes {{", count, width);
    const uint32_t shown = std::min<uint32_t>(count, 64);
    for (uint32_t i = 0; i < shown; ++i) {
      const uint64_t at = uint64_t{i} * width;
      const int64_t value = width == 1   ? static_cast<int8_t>(bytes.U8(at))
                            : width == 2 ? static_cast<int16_t>(bytes.U16(at))
                            : width == 4 ? static_cast<int32_t>(bytes.U32(at))
                                         : static_cast<int64_t>(bytes.U64(at));
      text += (i > 0 ? ", " : "") + Number(value);
    }
    return text + (shown < count ? ", …}" : "}");
  }

  const DexFile& dex_;
  const CodeView& code_;
  const apk::ResourceTable* resources_;
  std::map<uint32_t, int> labels_;
  std::vector<ListingLine> lines_;
  size_t length_ = 0;  // Of all their texts.
  size_t try_ = 0;
  bool in_try_ = false;
};

}  // namespace

Result<std::vector<ListingLine>> ListMethod(const DexFile& dex, const CodeView& code,
                                            const apk::ResourceTable* resources) {
  return Lister(dex, code, resources).Run();
}

std::string AccessText(uint32_t access, char kind) {
  std::string text;
  const auto add = [&](uint32_t flag, std::string_view name) {
    if ((access & flag) == 0 || name.empty()) return;
    if (!text.empty()) text += ' ';
    text += name;
  };
  const bool method = kind == kForMethod;
  add(kPublic, "public");
  add(kPrivate, "private");
  add(kProtected, "protected");
  add(kAbstract, "abstract");
  add(kStatic, "static");
  add(kFinal, "final");
  add(kSynchronized, method ? "synchronized" : "");
  add(kVolatileOrBridge, method ? "bridge" : kind == kForField ? "volatile" : "");
  add(kTransientOrVarargs, method ? "varargs" : kind == kForField ? "transient" : "");
  add(kNative, method ? "native" : "");
  add(kInterface, kind == kForClass ? "interface" : "");
  add(kSynthetic, "synthetic");
  add(kAnnotationFlag, kind == kForClass ? "annotation" : "");
  add(kEnum, "enum");
  add(kConstructor, method ? "constructor" : "");
  add(kDeclaredSynchronized, method ? "declared-synchronized" : "");
  return text;
}

std::string JavaName(std::string_view descriptor) {
  size_t arrays = 0;
  while (arrays < descriptor.size() && descriptor[arrays] == '[') ++arrays;
  const std::string_view element = descriptor.substr(arrays);
  std::string name;
  if (element.size() > 2 && element.front() == 'L' && element.back() == ';') {
    name = element.substr(1, element.size() - 2);
    for (char& c : name) {
      if (c == '/') c = '.';
    }
  } else {
    static constexpr std::pair<char, std::string_view> kPrimitives[] = {
        {'V', "void"}, {'Z', "boolean"}, {'B', "byte"},  {'S', "short"}, {'C', "char"},
        {'I', "int"},  {'J', "long"},    {'F', "float"}, {'D', "double"}};
    name = element;
    for (const auto& [letter, word] : kPrimitives) {
      if (element.size() == 1 && element[0] == letter) name = word;
    }
  }
  for (size_t i = 0; i < arrays; ++i) name += "[]";
  return name;
}

}  // namespace marmoset::dex
