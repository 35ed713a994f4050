// Writes a DEX file: a changed copy of another, or a new one.
//
// The writer starts from a file (or nothing), takes additions to the pools, new code for methods and new
// classes, and writes all sections anew: ids sorted as the format demands, every index and offset put right,
// checksum and signature computed. What was not changed means the same afterwards. Indices given to and
// returned by the writer are those of the base file, then those of additions; sorting happens at the end.
//
// Not safe for several threads at once. The base must outlive the writer.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apk/dex/code.h"
#include "apk/dex/file.h"
#include "base/error.h"

namespace marmoset::dex {

struct NewField {
  uint32_t field = 0;
  uint32_t access = 0;
};

struct NewMethod {
  uint32_t method = 0;
  uint32_t access = 0;
  std::optional<Code> code;
};

struct NewClass {
  uint32_t type = 0;
  uint32_t access = kPublic;
  uint32_t superclass = kNoIndex;
  std::vector<NewField> static_fields;
  std::vector<NewMethod> direct_methods;
  std::vector<NewMethod> virtual_methods;
};

class Writer {
 public:
  // `base` may be null: an empty file of version 035.
  explicit Writer(const DexFile* base);

  // The index of a string and so on, which is added unless it is there. Text is UTF-8. kUnsupported when a
  // table is full: 65536 types, prototypes, fields or methods.
  Result<uint32_t> String(std::string_view text);
  Result<uint32_t> Type(std::string_view descriptor);
  Result<uint32_t> Proto(std::string_view descriptor);  // "(ILjava/lang/String;)V"
  Result<uint32_t> Field(std::string_view type, std::string_view name, std::string_view field_type);
  Result<uint32_t> Method(std::string_view type, std::string_view name, std::string_view descriptor);

  void Add(NewClass new_class) { classes_.push_back(std::move(new_class)); }

  // Asked for each method with code: a changed one, or nothing to keep it as it is.
  using Edit = std::function<std::optional<Code>(const MethodMember& method, const CodeView& code)>;

  // The file. kBadInput when a part of the base cannot be read or its ids are not sorted, as they must be;
  // kUnsupported when an index no longer fits, or for one file of several in a container.
  Result<std::string> Write(const Edit& edit = nullptr);

 private:
  friend class Emitter;
  struct ProtoKey {
    uint32_t return_type;
    std::vector<uint16_t> parameters;
    uint32_t shorty;
  };

  uint32_t BaseCount(IdSection section) const { return base_ == nullptr ? 0 : base_->count(section); }
  std::string_view RawString(uint32_t index) const;
  uint32_t TypeString(uint32_t type) const;
  ProtoKey ProtoOf(uint32_t proto) const;
  FieldId FieldOf(uint32_t field) const;
  MethodId MethodOf(uint32_t method) const;

  const DexFile* base_;
  std::vector<std::string> strings_;  // Additions, in modified UTF-8; likewise below.
  std::vector<uint32_t> types_;       // Their strings.
  std::vector<ProtoKey> protos_;
  std::vector<FieldId> fields_;
  std::vector<MethodId> methods_;
  std::vector<NewClass> classes_;
  // Of the base and the additions; filled when first needed.
  std::unordered_map<std::string, uint32_t> string_index_;
  std::unordered_map<uint32_t, uint32_t> type_index_;
  bool indexed_ = false;
};

}  // namespace marmoset::dex
