#include "apk/dex/dump.h"

#include <algorithm>

#include "apk/dex/encoded_value.h"
#include "apk/dex/listing.h"
#include "apk/utf.h"

namespace marmoset::dex {
namespace {

// What was asked for: a class in descriptor form, a method's name and descriptor (each may be empty).
struct Wanted {
  std::string type;
  std::string method;
  std::string descriptor;
};

std::string ToDescriptor(std::string_view java) {
  std::string type = "L" + std::string(java) + ";";
  std::replace(type.begin(), type.end(), '.', '/');
  return type;
}

Wanted ParseWanted(std::string_view what) {
  Wanted wanted;
  if (const size_t paren = what.find('('); paren != std::string_view::npos) {
    wanted.descriptor = what.substr(paren);
    what = what.substr(0, paren);
  }
  size_t member = what.find("->");
  size_t skip = 2;
  if (member == std::string_view::npos) {
    member = what.find('#');
    skip = 1;
  }
  if (member != std::string_view::npos) {
    wanted.method = what.substr(member + skip);
    what = what.substr(0, member);
  }
  const bool descriptor = what.size() > 2 && what.front() == 'L' && what.back() == ';';
  wanted.type = descriptor ? std::string(what) : ToDescriptor(what);
  return wanted;
}

class Dumper {
 public:
  Dumper(const DexSet& set, const apk::ResourceTable* resources) : set_(set), resources_(resources) {}

  Result<std::string> Run(std::string_view what) {
    Wanted wanted = ParseWanted(what);
    const auto* found = FindClass(wanted.type);
    if (found == nullptr && wanted.method.empty()) {
      // "com.foo.Bar.baz": perhaps the last part is a method.
      const size_t dot = what.substr(0, what.find('(')).rfind('.');
      if (dot != std::string_view::npos) {
        wanted.method = what.substr(dot + 1, what.find('(') - dot - 1);
        wanted.type = ToDescriptor(what.substr(0, dot));
        found = FindClass(wanted.type);
      }
    }
    if (found == nullptr)
      return Fail(ErrorCode::kNotFound, "no class {}{}", apk::Printable(what), Nearest(what));
    return wanted.method.empty() ? DumpClass(*found) : DumpMethods(*found, wanted);
  }

 private:
  struct Place {
    const DexFile* dex;
    ClassDef def;
  };

  const Place* FindClass(std::string_view type) {
    for (const DexFile& dex : set_.files) {
      for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
        if (dex.Type(dex.Class(i).type) != type) continue;
        place_ = {&dex, dex.Class(i)};
        return &place_;
      }
    }
    return nullptr;
  }

  // Classes whose name ends or begins alike, for the error.
  std::string Nearest(std::string_view what) const {
    std::string last(what.substr(what.find_last_of("./") + 1));
    last = last.substr(0, last.find_first_of(";#("));
    std::string text;
    int shown = 0;
    if (last.empty()) return "";
    for (const DexFile& dex : set_.files) {
      for (uint32_t i = 0; i < dex.count(kClassDefs) && shown < 5; ++i) {
        const std::string_view type = dex.Type(dex.Class(i).type);
        if (type.find(last) == std::string_view::npos) continue;
        text += (shown++ == 0 ? "; there are " : ", ") + apk::ModifiedToUtf8(JavaName(type));
      }
    }
    return text;
  }

  Result<std::string> DumpClass(const Place& place) const {
    const DexFile& dex = *place.dex;
    const ClassDef& def = place.def;
    std::string text =
        fmt::format("{} class {}", AccessText(def.access, kForClass), JavaName(dex.Type(def.type)));
    if (def.superclass != kNoIndex)
      text += fmt::format("\n    extends {}", JavaName(dex.Type(def.superclass)));
    for (const uint16_t type : dex.TypeList(def.interfaces_off))
      text += fmt::format("\n    implements {}", JavaName(dex.Type(type)));
    if (def.source_file != kNoIndex) text += fmt::format("\n    source {}", dex.String(def.source_file));
    text += fmt::format("\n    in {}\n\n", dex.name());
    MARMOSET_ASSIGN(const ClassData data, dex.ReadClassData(def));
    MARMOSET_ASSIGN(const std::vector<std::string> values, ReadStaticValues(dex, def));
    for (size_t i = 0; i < data.static_fields.size(); ++i) {
      text += FieldLine(dex, data.static_fields[i]);
      text += i < values.size() ? " = " + values[i] + "\n" : "\n";
    }
    for (const FieldMember& field : data.instance_fields) text += FieldLine(dex, field) + "\n";
    for (const std::vector<MethodMember>* methods : {&data.direct_methods, &data.virtual_methods}) {
      for (const MethodMember& method : *methods) {
        MARMOSET_ASSIGN(const std::string one, DumpMethod(dex, method, resources_));
        text += "\n" + one;
      }
    }
    return apk::ModifiedToUtf8(text);
  }

  static std::string FieldLine(const DexFile& dex, const FieldMember& member) {
    const FieldId id = dex.Field(member.field);
    const std::string access = AccessText(member.access, kForField);
    return fmt::format("  {}{}{} {}", access, access.empty() ? "" : " ", JavaName(dex.Type(id.type)),
                       dex.RawString(id.name));
  }

  Result<std::string> DumpMethods(const Place& place, const Wanted& wanted) const {
    const DexFile& dex = *place.dex;
    MARMOSET_ASSIGN(const ClassData data, dex.ReadClassData(place.def));
    std::string text;
    std::string names;
    for (const std::vector<MethodMember>* methods : {&data.direct_methods, &data.virtual_methods}) {
      for (const MethodMember& method : *methods) {
        const MethodId id = dex.Method(method.method);
        const std::string name = dex.String(id.name);
        names += (names.empty() ? "" : ", ") + name;
        if (name != wanted.method) continue;
        if (!wanted.descriptor.empty() && dex.ProtoText(id.proto) != wanted.descriptor &&
            ParametersText(dex, id.proto) != wanted.descriptor)
          continue;
        MARMOSET_ASSIGN(const std::string one, DumpMethod(dex, method, resources_));
        text += (text.empty() ? "" : "\n") + one;
      }
    }
    if (text.empty())
      return Fail(ErrorCode::kNotFound, "class {} has no method {}{}; it has {}", JavaName(wanted.type),
                  apk::Printable(wanted.method), apk::Printable(wanted.descriptor), apk::Printable(names));
    return apk::ModifiedToUtf8(text);
  }

  const DexSet& set_;
  const apk::ResourceTable* resources_;
  Place place_{};
};

}  // namespace

Result<DexSet> DexSet::Open(const apk::Apk& apk) {
  DexSet set;
  for (const std::string& name : apk.DexFiles()) {
    MARMOSET_ASSIGN(apk::Blob bytes, apk.zip().Read(name));
    MARMOSET_ASSIGN(std::vector<DexFile> files,
                    DexFile::OpenAll(std::move(bytes), fmt::format("{}: {}", apk.zip().name(), name)));
    for (DexFile& file : files) set.files.push_back(std::move(file));
  }
  return set;
}

Result<DexTotals> CountAll(const DexSet& set) {
  DexTotals totals;
  for (const DexFile& dex : set.files) {
    for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
      MARMOSET_ASSIGN(const ClassData data, dex.ReadClassData(dex.Class(i)));
      ++totals.classes;
      totals.fields += data.static_fields.size() + data.instance_fields.size();
      for (const std::vector<MethodMember>* methods : {&data.direct_methods, &data.virtual_methods}) {
        totals.methods += methods->size();
        for (const MethodMember& method : *methods) {
          if (method.code_off == 0) continue;
          MARMOSET_ASSIGN(const CodeView code, dex.ReadCode(method.code_off));
          ++totals.methods_with_code;
          totals.code_units += code.units.size();
        }
      }
    }
  }
  return totals;
}

Result<std::string> MethodTable(const DexSet& set) {
  std::string text = "class\tmethod\tdescriptor\taccess\tregisters\tins\touts\tunits\n";
  for (const DexFile& dex : set.files) {
    for (uint32_t i = 0; i < dex.count(kClassDefs); ++i) {
      MARMOSET_ASSIGN(const ClassData data, dex.ReadClassData(dex.Class(i)));
      for (const std::vector<MethodMember>* methods : {&data.direct_methods, &data.virtual_methods}) {
        for (const MethodMember& method : *methods) {
          CodeView code;
          if (method.code_off != 0) {
            MARMOSET_ASSIGN(code, dex.ReadCode(method.code_off));
          }
          const MethodId id = dex.Method(method.method);
          text += fmt::format("{}\t{}\t{}\t{:x}\t{}\t{}\t{}\t{}\n", dex.Type(id.class_type),
                              dex.RawString(id.name), dex.ProtoText(id.proto), method.access, code.registers,
                              code.ins, code.outs, code.units.size());
        }
      }
    }
  }
  return apk::ModifiedToUtf8(text);
}

std::string ParametersText(const DexFile& dex, uint32_t proto) {
  std::string text = "(";
  for (const uint16_t type : dex.TypeList(dex.Proto(proto).parameters_off)) {
    if (text.size() > 1) text += ", ";
    text += JavaName(dex.Type(type));
  }
  return text + ")";
}

Result<std::string> DumpMethod(const DexFile& dex, const MethodMember& method,
                               const apk::ResourceTable* resources) {
  const MethodId id = dex.Method(method.method);
  const std::string access = AccessText(method.access, kForMethod);
  std::string text = fmt::format("  {}{}{} {}{}\n", access, access.empty() ? "" : " ",
                                 JavaName(dex.Type(dex.Proto(id.proto).return_type)), dex.RawString(id.name),
                                 ParametersText(dex, id.proto));
  if (method.code_off == 0) return text;
  MARMOSET_ASSIGN(const CodeView code, dex.ReadCode(method.code_off));
  text += fmt::format("    # {}, {} registers, {} in, {} out, {} units\n", dex.MethodText(method.method),
                      code.registers, code.ins, code.outs, code.units.size());
  MARMOSET_ASSIGN(const std::vector<ListingLine> lines, ListMethod(dex, code, resources));
  uint32_t line = 0;
  for (const ListingLine& one : lines) {
    if (one.is_label) {
      text += fmt::format("       {}\n", one.text);
      continue;
    }
    if (one.line != line && one.line != 0) text += fmt::format("    line {}\n", one.line);
    line = one.line;
    text += fmt::format("    {:04x}   {}\n", one.address, one.text);
  }
  return text;
}

Result<std::string> Dump(const DexSet& set, std::string_view what, const apk::ResourceTable* resources) {
  return Dumper(set, resources).Run(what);
}

}  // namespace marmoset::dex
