// Reads a DEX file in place, versions 035 to 041.
//
// Opening checks the header, the map and every entry of the id tables, so that indices found there may be
// used without asking again. What lies in the data section (classes, code, debug information) is checked when
// it is read, and an error there names the offset and spoils nothing else. Nothing is copied: the memory used
// besides the file is that of the answers.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apk/bytes.h"
#include "apk/dex/format.h"
#include "apk/dex/instruction.h"
#include "apk/zip.h"
#include "base/error.h"

namespace marmoset::dex {

struct ProtoId {
  uint32_t shorty;
  uint32_t return_type;
  uint32_t parameters_off;
};

struct FieldId {
  uint16_t class_type;
  uint16_t type;
  uint32_t name;
};

struct MethodId {
  uint16_t class_type;
  uint16_t proto;
  uint32_t name;
};

struct ClassDef {
  uint32_t type;
  uint32_t access;
  uint32_t superclass;  // kNoIndex for java.lang.Object.
  uint32_t interfaces_off;
  uint32_t source_file;  // kNoIndex for none.
  uint32_t annotations_off;
  uint32_t class_data_off;
  uint32_t static_values_off;
};

struct FieldMember {
  uint32_t field;
  uint32_t access;
};

struct MethodMember {
  uint32_t method;
  uint32_t access;
  uint32_t code_off;  // 0 for abstract and native methods.
};

struct ClassData {
  std::vector<FieldMember> static_fields;
  std::vector<FieldMember> instance_fields;
  std::vector<MethodMember> direct_methods;
  std::vector<MethodMember> virtual_methods;
};

struct CatchHandler {
  uint32_t type;  // kNoIndex for catch-all, which comes last.
  uint32_t target;
  friend bool operator==(const CatchHandler&, const CatchHandler&) = default;
};

struct TryRange {
  uint32_t start;
  uint32_t end;
  std::vector<CatchHandler> handlers;
  friend bool operator==(const TryRange&, const TryRange&) = default;
};

// The code of a method as it lies in the file.
struct CodeView {
  uint32_t offset = 0;
  uint16_t registers = 0;
  uint16_t ins = 0;
  uint16_t outs = 0;
  uint16_t tries = 0;
  uint32_t debug_info_off = 0;
  Units units;
};

class DexFile {
 public:
  // `name` is for errors ("app.apk: classes2.dex"). `offset` is where the header lies: 0, except in a
  // container of version 041. kBadInput with the offset when it is malformed, kUnsupported for another
  // version or byte order.
  static Result<DexFile> Open(apk::Blob bytes, std::string name, uint32_t offset = 0);

  // All DEX files of a container, in order; one for the versions before 041.
  static Result<std::vector<DexFile>> OpenAll(apk::Blob bytes, std::string name);

  const std::string& name() const { return name_; }
  int version() const { return version_; }
  // The whole container, from which data offsets count.
  std::string_view bytes() const { return bytes_.view(); }
  uint32_t header_offset() const { return header_; }
  uint32_t file_size() const { return file_size_; }
  bool ChecksumMatches() const;
  bool SignatureMatches() const;

  uint32_t count(IdSection section) const { return sections_[section].count; }
  uint32_t call_site_count() const { return call_sites_.count; }
  uint32_t method_handle_count() const { return method_handles_.count; }

  // A string's bytes as they are (modified UTF-8). REQUIRES, here and below: the index is below the count.
  std::string_view RawString(uint32_t index) const;
  // The same as proper UTF-8.
  std::string String(uint32_t index) const;
  uint32_t Utf16Length(uint32_t index) const;
  // "Ljava/lang/String;".
  std::string_view Type(uint32_t type) const { return RawString(TypeString(type)); }
  uint32_t TypeString(uint32_t type) const;
  ProtoId Proto(uint32_t proto) const;
  FieldId Field(uint32_t field) const;
  MethodId Method(uint32_t method) const;
  ClassDef Class(uint32_t class_def) const;
  uint32_t CallSiteOffset(uint32_t call_site) const;
  // Kind and index of a field or method.
  std::pair<uint16_t, uint16_t> MethodHandle(uint32_t handle) const;

  // The types of a list; empty for offset 0 and for a damaged list, which Open has excluded for prototypes.
  std::vector<uint16_t> TypeList(uint32_t offset) const;

  // "(Ljava/lang/String;I)V".
  std::string ProtoText(uint32_t proto) const;
  // "Lcom/foo/Bar;->baz(I)V" and "Lcom/foo/Bar;->count:I".
  std::string MethodText(uint32_t method) const;
  std::string FieldText(uint32_t field) const;

  Result<ClassData> ReadClassData(const ClassDef& class_def) const;

  // The code at an offset. Its units are whole, but not yet looked into.
  Result<CodeView> ReadCode(uint32_t offset) const;
  // In order of address. Ranges and targets lie inside the code.
  Result<std::vector<TryRange>> ReadTries(const CodeView& code) const;

  // Checks the units one by one: known opcodes, indices below their counts, registers below the frame's size,
  // branch targets on instructions, payloads in place. Returns the number of instructions, payloads not
  // counted.
  Result<uint32_t> CheckCode(const CodeView& code) const;

  // The hidden-API flags of class `class_def`: where its numbers start, 0 for none.
  uint32_t HiddenApiOffset(uint32_t class_def) const;
  bool HasHiddenApi() const { return hidden_api_ != 0; }

  const apk::Bytes& data() const { return data_; }

 private:
  struct Section {
    uint32_t count = 0;
    uint32_t offset = 0;
  };
  DexFile() = default;
  Status ReadHeader(uint32_t offset);
  Status ReadMap();
  // The lengths of all strings.
  Result<std::vector<uint32_t>> CheckStrings() const;
  Status CheckIds(const std::vector<uint32_t>& lengths) const;
  Status CheckClasses() const;
  Status CheckIndex(uint32_t index, IdSection section, const char* what, uint64_t offset) const;
  uint64_t At(IdSection section, uint32_t index) const {
    return sections_[section].offset + uint64_t{kIdSizes[section]} * index;
  }

  apk::Blob blob_;
  apk::Bytes bytes_;
  apk::Bytes data_;
  std::string name_;
  int version_ = 35;
  uint32_t header_ = 0;
  uint32_t file_size_ = 0;
  Section sections_[kIdSections];
  Section call_sites_;
  Section method_handles_;
  uint32_t hidden_api_ = 0;
};

// Methods may share their code, its handlers and its debug information, so that a small hostile file could
// ask for any amount of work. Honest files stay below one unit of work per byte; this allows a few.
class WorkLimit {
 public:
  explicit WorkLimit(const DexFile& dex) : dex_(&dex) {}
  // kBadInput when it has become too much.
  Status Spend(uint64_t work);

 private:
  const DexFile* dex_;
  uint64_t spent_ = 0;
};

// What the handlers of some ranges cost.
uint64_t HandlerCount(const std::vector<TryRange>& tries);

}  // namespace marmoset::dex
