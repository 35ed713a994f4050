#include "apk/dex/writer.h"

#include <algorithm>

#include "apk/dex/emitter.h"
#include "apk/utf.h"

namespace marmoset::dex {
namespace {

constexpr size_t kMaxIds = 65536;

tl::unexpected<Error> Full(const char* what) {
  return Fail(ErrorCode::kUnsupported, "the table of {} is full (65536 entries)", what);
}

// "IL" of "(ILjava/lang/String;)V" with the return type first: "VIL".
std::string Shorty(std::string_view descriptor) {
  std::string shorty;
  const size_t close = descriptor.find(')');
  const auto letter = [](std::string_view type) { return type[0] == '[' ? 'L' : type[0]; };
  shorty += letter(descriptor.substr(close + 1));
  for (size_t at = 1; at < close;) {
    shorty += letter(descriptor.substr(at));
    while (descriptor[at] == '[') ++at;
    at = descriptor[at] == 'L' ? descriptor.find(';', at) + 1 : at + 1;
  }
  return shorty;
}

// The parameter types; nothing when the descriptor is malformed.
std::optional<std::vector<std::string_view>> Parameters(std::string_view descriptor) {
  const size_t close = descriptor.find(')');
  if (descriptor.empty() || descriptor[0] != '(' || close == std::string_view::npos ||
      close + 1 == descriptor.size())
    return std::nullopt;
  std::vector<std::string_view> types;
  for (size_t at = 1; at < close;) {
    const size_t from = at;
    while (descriptor[at] == '[') ++at;
    const size_t semicolon = descriptor.find(';', at);
    if (descriptor[at] == 'L' && semicolon > close) return std::nullopt;
    at = descriptor[at] == 'L' ? semicolon + 1 : at + 1;
    if (at > close) return std::nullopt;
    types.push_back(descriptor.substr(from, at - from));
  }
  return types;
}

}  // namespace

Writer::Writer(const DexFile* base) : base_(base) {}

Result<uint32_t> Writer::String(std::string_view text) {
  if (!indexed_) {
    indexed_ = true;
    for (uint32_t i = 0; i < BaseCount(kStringIds); ++i) string_index_.emplace(base_->RawString(i), i);
    for (uint32_t i = 0; i < BaseCount(kTypeIds); ++i) type_index_.emplace(base_->TypeString(i), i);
  }
  std::string raw = apk::Utf8ToModified(text);
  const uint32_t next = static_cast<uint32_t>(BaseCount(kStringIds) + strings_.size());
  const auto [it, is_new] = string_index_.emplace(raw, next);
  if (is_new) strings_.push_back(std::move(raw));
  return it->second;
}

Result<uint32_t> Writer::Type(std::string_view descriptor) {
  MARMOSET_ASSIGN(const uint32_t string, String(descriptor));
  const uint32_t next = static_cast<uint32_t>(BaseCount(kTypeIds) + types_.size());
  const auto [it, is_new] = type_index_.emplace(string, next);
  if (is_new) {
    if (next >= kMaxIds) return Full("types");
    types_.push_back(string);
  }
  return it->second;
}

Result<uint32_t> Writer::Proto(std::string_view descriptor) {
  const std::optional<std::vector<std::string_view>> parameters = Parameters(descriptor);
  if (!parameters) return Fail(ErrorCode::kBadInput, "\"{}\" is no method descriptor", descriptor);
  ProtoKey key;
  MARMOSET_ASSIGN(key.return_type, Type(descriptor.substr(descriptor.find(')') + 1)));
  for (const std::string_view type : *parameters) {
    MARMOSET_ASSIGN(const uint32_t parameter, Type(type));
    key.parameters.push_back(static_cast<uint16_t>(parameter));
  }
  MARMOSET_ASSIGN(key.shorty, String(Shorty(descriptor)));
  const uint32_t count = static_cast<uint32_t>(BaseCount(kProtoIds) + protos_.size());
  for (uint32_t i = 0; i < count; ++i) {
    if (i < BaseCount(kProtoIds) && base_->Proto(i).return_type != key.return_type) continue;
    const ProtoKey other = ProtoOf(i);
    if (other.return_type == key.return_type && other.parameters == key.parameters) return i;
  }
  if (count >= kMaxIds) return Full("prototypes");
  protos_.push_back(std::move(key));
  return count;
}

Result<uint32_t> Writer::Field(std::string_view type, std::string_view name, std::string_view field_type) {
  MARMOSET_ASSIGN(const uint32_t class_type, Type(type));
  MARMOSET_ASSIGN(const uint32_t of_type, Type(field_type));
  MARMOSET_ASSIGN(const uint32_t string, String(name));
  const uint32_t count = static_cast<uint32_t>(BaseCount(kFieldIds) + fields_.size());
  for (uint32_t i = 0; i < count; ++i) {
    const FieldId id = FieldOf(i);
    if (id.class_type == class_type && id.type == of_type && id.name == string) return i;
  }
  if (count >= kMaxIds) return Full("fields");
  fields_.push_back({static_cast<uint16_t>(class_type), static_cast<uint16_t>(of_type), string});
  return count;
}

Result<uint32_t> Writer::Method(std::string_view type, std::string_view name, std::string_view descriptor) {
  MARMOSET_ASSIGN(const uint32_t class_type, Type(type));
  MARMOSET_ASSIGN(const uint32_t proto, Proto(descriptor));
  MARMOSET_ASSIGN(const uint32_t string, String(name));
  const uint32_t count = static_cast<uint32_t>(BaseCount(kMethodIds) + methods_.size());
  for (uint32_t i = 0; i < count; ++i) {
    const MethodId id = MethodOf(i);
    if (id.class_type == class_type && id.proto == proto && id.name == string) return i;
  }
  if (count >= kMaxIds) return Full("methods");
  methods_.push_back({static_cast<uint16_t>(class_type), static_cast<uint16_t>(proto), string});
  return count;
}

std::string_view Writer::RawString(uint32_t index) const {
  const uint32_t base = BaseCount(kStringIds);
  return index < base ? base_->RawString(index) : std::string_view(strings_[index - base]);
}

uint32_t Writer::TypeString(uint32_t type) const {
  const uint32_t base = BaseCount(kTypeIds);
  return type < base ? base_->TypeString(type) : types_[type - base];
}

Writer::ProtoKey Writer::ProtoOf(uint32_t proto) const {
  const uint32_t base = BaseCount(kProtoIds);
  if (proto >= base) return protos_[proto - base];
  const ProtoId id = base_->Proto(proto);
  return {id.return_type, base_->TypeList(id.parameters_off), id.shorty};
}

FieldId Writer::FieldOf(uint32_t field) const {
  const uint32_t base = BaseCount(kFieldIds);
  return field < base ? base_->Field(field) : fields_[field - base];
}

MethodId Writer::MethodOf(uint32_t method) const {
  const uint32_t base = BaseCount(kMethodIds);
  return method < base ? base_->Method(method) : methods_[method - base];
}

Result<std::string> Writer::Write(const Edit& edit) {
  if (base_ != nullptr && base_->version() >= 41 && base_->file_size() != base_->bytes().size())
    return Fail(ErrorCode::kUnsupported,
                "{}: one of several files in a container cannot be rewritten by itself", base_->name());
  return Emitter(*this, edit).Run();
}

}  // namespace marmoset::dex
