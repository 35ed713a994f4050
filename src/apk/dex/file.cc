// Reading DEX.
//
// A DEX file is a set of tables that refer to each other by index, and a heap of variable-sized items that
// the tables refer to by offset:
//
//     strings ◄─ types ◄─ prototypes ◄─ methods ◄─ classes ─► class data ─► code ─► debug information
//                   ▲──────── fields ◄──────┘
//
// Opening walks over the tables once: an index must lie below the count of its table, a type list inside the
// file. Strings may share bytes, so their total length is held to twice the file's: no honest file comes
// near, and without a limit a small hostile one could make every reader copy gigabytes.

#include "apk/dex/file.h"

#include <openssl/sha.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "apk/dex/cursor.h"
#include "apk/utf.h"

namespace marmoset::dex {
namespace {

constexpr uint64_t kMapItemSize = 12;
constexpr uint64_t kCodeHeaderSize = 16;
constexpr uint64_t kTryItemSize = 8;

}  // namespace

Result<DexFile> DexFile::Open(apk::Blob bytes, std::string name, uint32_t offset) {
  DexFile dex;
  dex.bytes_ = apk::Bytes(bytes.view());
  dex.data_ = dex.bytes_;
  dex.blob_ = std::move(bytes);
  dex.name_ = std::move(name);
  Status status = dex.ReadHeader(offset);
  if (status) status = dex.ReadMap();
  if (status) {
    const Result<std::vector<uint32_t>> lengths = dex.CheckStrings();
    status = lengths ? dex.CheckIds(*lengths) : Fail(lengths.error());
  }
  if (status) status = dex.CheckClasses();
  if (!status) return Fail(std::move(status.error()).Within(dex.name_));
  return dex;
}

Result<std::vector<DexFile>> DexFile::OpenAll(apk::Blob bytes, std::string name) {
  std::vector<DexFile> files;
  uint64_t offset = 0;
  do {
    MARMOSET_ASSIGN(DexFile dex, Open(bytes, name, static_cast<uint32_t>(offset)));
    offset += dex.file_size();
    const bool container = dex.version() >= 41;
    files.push_back(std::move(dex));
    if (!container) break;
  } while (offset < bytes.view().size());
  return files;
}

Status DexFile::ReadHeader(uint32_t offset) {
  header_ = offset;
  const apk::Bytes header = bytes_.Part(offset);
  if (!header.Has(0, kHeaderSize) || header.view().substr(0, 4) != "dex\n" || header.U8(7) != 0)
    return Fail(ErrorCode::kBadInput, "offset {:#x}: not a DEX file", offset);
  version_ = 0;
  for (int i = 4; i < 7; ++i) version_ = version_ * 10 + (header.U8(i) - '0');
  if (version_ < 35 || version_ > 41 || version_ == 36) {
    return Fail(ErrorCode::kUnsupported, "DEX version \"{}\" is not known; 035 and 037 to 041 are",
                apk::Printable(header.view().substr(4, 3)));
  }
  if (header.U32(kHeaderEndianTag) != kEndianTag)
    return Fail(ErrorCode::kUnsupported, "byte order {:#010x}; only little-endian files exist in apps",
                header.U32(kHeaderEndianTag));
  file_size_ = header.U32(kHeaderFileSize);
  const uint32_t header_size = header.U32(kHeaderHeaderSize);
  if (header_size < (version_ >= 41 ? kHeaderSize41 : kHeaderSize))
    return Fail(ErrorCode::kBadInput, "a header of {} bytes", header_size);
  if (file_size_ < header_size || !header.Has(0, file_size_))
    return Fail(ErrorCode::kBadInput, "the file is truncated: {} bytes of {}", header.size(), file_size_);
  if (version_ >= 41 && header.U32(kHeaderContainerOffset) != offset)
    return Fail(ErrorCode::kBadInput, "the header at {:#x} believes to be at {:#x}", offset,
                header.U32(kHeaderContainerOffset));
  for (uint32_t i = 0; i < kIdSections; ++i) {
    Section& section = sections_[i];
    section.count = header.U32(kHeaderStringIds + 8 * i);
    section.offset = header.U32(kHeaderStringIds + 8 * i + 4);
    if (!bytes_.Has(section.offset, uint64_t{section.count} * kIdSizes[i]))
      return Fail(ErrorCode::kBadInput, "id table {}: {} entries at {:#x} end behind the file", i,
                  section.count, section.offset);
  }
  if (sections_[kTypeIds].count > 65536 || sections_[kProtoIds].count > 65536)
    return Fail(ErrorCode::kBadInput, "more than 65536 types or prototypes");
  return {};
}

Status DexFile::ReadMap() {
  const uint64_t map = bytes_.U32(header_ + kHeaderMap);
  const uint64_t count = bytes_.U32(map);
  if (!bytes_.Has(map, 4) || !bytes_.Has(map + 4, count * kMapItemSize))
    return Fail(ErrorCode::kBadInput, "map list: {} entries at {:#x} end behind the file", count, map);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = map + 4 + i * kMapItemSize;
    const uint16_t type = bytes_.U16(at);
    const Section section{bytes_.U32(at + 4), bytes_.U32(at + 8)};
    if (type == kMapCallSiteIds) call_sites_ = section;
    if (type == kMapMethodHandles) method_handles_ = section;
    if (type == kMapHiddenApi) hidden_api_ = section.offset;
  }
  if (!bytes_.Has(call_sites_.offset, uint64_t{call_sites_.count} * 4) ||
      !bytes_.Has(method_handles_.offset, uint64_t{method_handles_.count} * 8)) {
    return Fail(ErrorCode::kBadInput, "map list at {:#x}: call sites or method handles end behind the file",
                map);
  }
  return {};
}

Result<std::vector<uint32_t>> DexFile::CheckStrings() const {
  std::vector<uint32_t> lengths;
  lengths.reserve(count(kStringIds));
  uint64_t total = 0;
  for (uint32_t i = 0; i < sections_[kStringIds].count; ++i) {
    const uint32_t offset = bytes_.U32(At(kStringIds, i));
    Cursor cursor(bytes_, offset);
    cursor.Uleb();
    const void* end = cursor.failed() || cursor.left() == 0
                          ? nullptr
                          : std::memchr(bytes_.view().data() + cursor.at(), 0, cursor.left());
    if (end == nullptr) return Fail(ErrorCode::kBadInput, "string {} at {:#x} has no end", i, offset);
    lengths.push_back(
        static_cast<uint32_t>(static_cast<const char*>(end) - bytes_.view().data() - cursor.at()));
    total += lengths.back();
    if (total > 2 * uint64_t{bytes_.size()})
      return Fail(ErrorCode::kBadInput, "the strings overlap: up to string {} they are longer than the file",
                  i);
  }
  return lengths;
}

Status DexFile::CheckIndex(uint32_t index, IdSection section, const char* what, uint64_t offset) const {
  if (index < sections_[section].count) return {};
  return Fail(ErrorCode::kBadInput, "{} at {:#x}: index {} of {}", what, offset, index,
              sections_[section].count);
}

Status DexFile::CheckIds(const std::vector<uint32_t>& lengths) const {
  // How long all names would be that FieldText and MethodText give.
  uint64_t spelled = 0;
  const auto type_length = [&](uint32_t type) { return uint64_t{lengths[TypeString(type)]}; };
  std::vector<uint64_t> proto_lengths;
  proto_lengths.reserve(count(kProtoIds));
  for (uint32_t i = 0; i < count(kTypeIds); ++i)
    MARMOSET_TRY(CheckIndex(TypeString(i), kStringIds, "type id", At(kTypeIds, i)));
  for (uint32_t i = 0; i < count(kProtoIds); ++i) {
    const ProtoId proto = Proto(i);
    const uint64_t at = At(kProtoIds, i);
    MARMOSET_TRY(CheckIndex(proto.shorty, kStringIds, "prototype id", at));
    MARMOSET_TRY(CheckIndex(proto.return_type, kTypeIds, "prototype id", at));
    proto_lengths.push_back(2 + type_length(proto.return_type));
    if (proto.parameters_off == 0) continue;
    const uint32_t size = bytes_.U32(proto.parameters_off);
    if (!bytes_.Has(proto.parameters_off, 4) || size > 255 ||
        !bytes_.Has(proto.parameters_off + uint64_t{4}, uint64_t{size} * 2))
      return Fail(ErrorCode::kBadInput, "prototype id at {:#x}: its parameters at {:#x} do not fit", at,
                  proto.parameters_off);
    for (const uint16_t type : TypeList(proto.parameters_off)) {
      MARMOSET_TRY(CheckIndex(type, kTypeIds, "parameter list", proto.parameters_off));
      proto_lengths.back() += type_length(type);
    }
    spelled += proto_lengths.back();
  }
  for (uint32_t i = 0; i < count(kFieldIds); ++i) {
    const FieldId field = Field(i);
    MARMOSET_TRY(CheckIndex(field.class_type, kTypeIds, "field id", At(kFieldIds, i)));
    MARMOSET_TRY(CheckIndex(field.type, kTypeIds, "field id", At(kFieldIds, i)));
    MARMOSET_TRY(CheckIndex(field.name, kStringIds, "field id", At(kFieldIds, i)));
    spelled += type_length(field.class_type) + lengths[field.name] + type_length(field.type);
  }
  for (uint32_t i = 0; i < count(kMethodIds); ++i) {
    const MethodId method = Method(i);
    MARMOSET_TRY(CheckIndex(method.class_type, kTypeIds, "method id", At(kMethodIds, i)));
    MARMOSET_TRY(CheckIndex(method.proto, kProtoIds, "method id", At(kMethodIds, i)));
    MARMOSET_TRY(CheckIndex(method.name, kStringIds, "method id", At(kMethodIds, i)));
    spelled += type_length(method.class_type) + lengths[method.name] + proto_lengths[method.proto];
  }
  if (spelled > 16 * uint64_t{bytes_.size()} + (1 << 16))
    return Fail(ErrorCode::kBadInput, "its names, spelled out, take {} bytes, far more than the file",
                spelled);
  for (uint32_t i = 0; i < method_handles_.count; ++i) {
    const auto [kind, index] = MethodHandle(i);
    MARMOSET_TRY(CheckIndex(index, kind < 4 ? kFieldIds : kMethodIds, "method handle",
                            method_handles_.offset + uint64_t{8} * i));
  }
  return {};
}

Status DexFile::CheckClasses() const {
  // Interfaces and members, which classes could share; honest ones take two bytes each.
  uint64_t members = 0;
  for (uint32_t i = 0; i < count(kClassDefs); ++i) {
    const ClassDef def = Class(i);
    const uint64_t at = At(kClassDefs, i);
    MARMOSET_TRY(CheckIndex(def.type, kTypeIds, "class", at));
    if (def.superclass != kNoIndex) MARMOSET_TRY(CheckIndex(def.superclass, kTypeIds, "class", at));
    if (def.source_file != kNoIndex) MARMOSET_TRY(CheckIndex(def.source_file, kStringIds, "class", at));
    for (const uint16_t type : TypeList(def.interfaces_off)) {
      MARMOSET_TRY(CheckIndex(type, kTypeIds, "interfaces of the class", at));
      ++members;
    }
    if (def.class_data_off != 0) {
      Cursor cursor(bytes_, def.class_data_off);
      uint64_t own = 0;
      for (int list = 0; list < 4; ++list) own += cursor.Uleb();
      // With more than that the class cannot be read, which is its own error.
      if (own <= cursor.left() / 2) members += own;
    }
    if (members > bytes_.size())
      return Fail(ErrorCode::kBadInput, "class at {:#x}: {} members so far, more than the file could hold",
                  at, members);
  }
  return {};
}

bool DexFile::ChecksumMatches() const {
  const std::string_view part = bytes_.Part(header_ + 12, file_size_ - 12).view();
  const uLong sum = adler32_z(1, reinterpret_cast<const Bytef*>(part.data()), part.size());
  return sum == bytes_.U32(header_ + kHeaderChecksum);
}

bool DexFile::SignatureMatches() const {
  const std::string_view part = bytes_.Part(header_ + 32, file_size_ - 32).view();
  unsigned char digest[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(part.data()), part.size(), digest);
  return bytes_.Part(header_ + kHeaderSignature, 20).view() ==
         std::string_view(reinterpret_cast<const char*>(digest), sizeof digest);
}

std::string_view DexFile::RawString(uint32_t index) const {
  Cursor cursor(bytes_, bytes_.U32(At(kStringIds, index)));
  cursor.Uleb();
  // The end was found when the file was opened.
  const char* text = bytes_.view().data() + cursor.at();
  return std::string_view(text, std::strlen(text));
}

std::string DexFile::String(uint32_t index) const { return apk::ModifiedToUtf8(RawString(index)); }

uint32_t DexFile::Utf16Length(uint32_t index) const {
  return Cursor(bytes_, bytes_.U32(At(kStringIds, index))).Uleb();
}

uint32_t DexFile::TypeString(uint32_t type) const { return bytes_.U32(At(kTypeIds, type)); }

ProtoId DexFile::Proto(uint32_t proto) const {
  const uint64_t at = At(kProtoIds, proto);
  return {bytes_.U32(at), bytes_.U32(at + 4), bytes_.U32(at + 8)};
}

FieldId DexFile::Field(uint32_t field) const {
  const uint64_t at = At(kFieldIds, field);
  return {bytes_.U16(at), bytes_.U16(at + 2), bytes_.U32(at + 4)};
}

MethodId DexFile::Method(uint32_t method) const {
  const uint64_t at = At(kMethodIds, method);
  return {bytes_.U16(at), bytes_.U16(at + 2), bytes_.U32(at + 4)};
}

ClassDef DexFile::Class(uint32_t class_def) const {
  const uint64_t at = At(kClassDefs, class_def);
  return {bytes_.U32(at),      bytes_.U32(at + 4),  bytes_.U32(at + 8),  bytes_.U32(at + 12),
          bytes_.U32(at + 16), bytes_.U32(at + 20), bytes_.U32(at + 24), bytes_.U32(at + 28)};
}

uint32_t DexFile::CallSiteOffset(uint32_t call_site) const {
  return bytes_.U32(call_sites_.offset + uint64_t{4} * call_site);
}

std::pair<uint16_t, uint16_t> DexFile::MethodHandle(uint32_t handle) const {
  const uint64_t at = method_handles_.offset + uint64_t{8} * handle;
  return {bytes_.U16(at), bytes_.U16(at + 4)};
}

std::vector<uint16_t> DexFile::TypeList(uint32_t offset) const {
  std::vector<uint16_t> types;
  if (offset == 0) return types;
  const uint64_t size = bytes_.U32(offset);
  if (size > 65535 || !bytes_.Has(offset + uint64_t{4}, 2 * size)) return types;
  types.reserve(size);
  for (uint64_t i = 0; i < size; ++i) types.push_back(bytes_.U16(offset + 4 + 2 * i));
  return types;
}

std::string DexFile::ProtoText(uint32_t proto) const {
  const ProtoId id = Proto(proto);
  std::string text = "(";
  for (const uint16_t type : TypeList(id.parameters_off)) text += Type(type);
  text += ')';
  text += Type(id.return_type);
  return text;
}

std::string DexFile::MethodText(uint32_t method) const {
  const MethodId id = Method(method);
  std::string text(Type(id.class_type));
  text += "->";
  text += RawString(id.name);
  return text + ProtoText(id.proto);
}

std::string DexFile::FieldText(uint32_t field) const {
  const FieldId id = Field(field);
  std::string text(Type(id.class_type));
  text += "->";
  text += RawString(id.name);
  text += ':';
  text += Type(id.type);
  return text;
}

Result<ClassData> DexFile::ReadClassData(const ClassDef& class_def) const {
  ClassData data;
  if (class_def.class_data_off == 0) return data;
  Cursor cursor(bytes_, class_def.class_data_off);
  uint32_t counts[4];
  uint64_t total = 0;
  for (uint32_t& count : counts) {
    count = cursor.Uleb();
    total += count;
  }
  // Each member takes two bytes at least.
  if (cursor.failed() || total > cursor.left() / 2)
    return Fail(ErrorCode::kBadInput, "{}: class data at {:#x}: {} members do not fit", name_,
                class_def.class_data_off, total);
  const auto out_of_range = [&](uint64_t index) {
    return Fail(ErrorCode::kBadInput, "{}: class data before {:#x}: index {} of a member", name_, cursor.at(),
                index);
  };
  for (auto [fields, count] :
       {std::pair(&data.static_fields, counts[0]), std::pair(&data.instance_fields, counts[1])}) {
    uint64_t index = 0;
    fields->reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      index += cursor.Uleb();
      const uint32_t access = cursor.Uleb();
      if (index >= this->count(kFieldIds)) return out_of_range(index);
      fields->push_back({static_cast<uint32_t>(index), access});
    }
  }
  for (auto [methods, count] :
       {std::pair(&data.direct_methods, counts[2]), std::pair(&data.virtual_methods, counts[3])}) {
    uint64_t index = 0;
    methods->reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      index += cursor.Uleb();
      const uint32_t access = cursor.Uleb();
      const uint32_t code_off = cursor.Uleb();
      if (index >= this->count(kMethodIds)) return out_of_range(index);
      methods->push_back({static_cast<uint32_t>(index), access, code_off});
    }
  }
  if (cursor.failed())
    return Fail(ErrorCode::kBadInput, "{}: class data at {:#x} is cut off", name_, class_def.class_data_off);
  return data;
}

Result<CodeView> DexFile::ReadCode(uint32_t offset) const {
  const uint64_t units = bytes_.U32(offset + uint64_t{12});
  if (!bytes_.Has(offset, kCodeHeaderSize) || !bytes_.Has(offset + kCodeHeaderSize, 2 * units))
    return Fail(ErrorCode::kBadInput, "{}: code at {:#x}: {} units end behind the file", name_, offset,
                units);
  CodeView code;
  code.offset = offset;
  code.registers = bytes_.U16(offset);
  code.ins = bytes_.U16(offset + uint64_t{2});
  code.outs = bytes_.U16(offset + uint64_t{4});
  code.tries = bytes_.U16(offset + uint64_t{6});
  code.debug_info_off = bytes_.U32(offset + uint64_t{8});
  code.units = Units(bytes_.Part(offset + kCodeHeaderSize, 2 * units).view());
  if (code.ins > code.registers)
    return Fail(ErrorCode::kBadInput, "{}: code at {:#x}: {} incoming values in {} registers", name_, offset,
                code.ins, code.registers);
  return code;
}

Result<std::vector<TryRange>> DexFile::ReadTries(const CodeView& code) const {
  std::vector<TryRange> tries;
  if (code.tries == 0) return tries;
  const uint64_t padding = code.units.size() % 2 * 2;
  const uint64_t start = code.offset + kCodeHeaderSize + 2 * code.units.size() + padding;
  const uint64_t lists = start + kTryItemSize * code.tries;
  const auto fail = [&](const char* what, uint64_t at) {
    return Fail(ErrorCode::kBadInput, "{}: code at {:#x}: {} at {:#x}", name_, code.offset, what, at);
  };
  if (!bytes_.Has(start, kTryItemSize * code.tries)) return fail("try items are cut off", start);
  // Several ranges share a list of handlers, so the total is not bounded by the file's size; real methods
  // stay far below this.
  size_t handlers_left = 1 << 20;
  uint32_t last_end = 0;
  tries.reserve(code.tries);
  for (uint32_t i = 0; i < code.tries; ++i) {
    const uint64_t at = start + kTryItemSize * i;
    TryRange range;
    range.start = bytes_.U32(at);
    const uint64_t end = uint64_t{range.start} + bytes_.U16(at + 4);
    if (range.start < last_end || end > code.units.size() || end == range.start)
      return fail("a try range that overlaps or lies outside", at);
    range.end = static_cast<uint32_t>(end);
    last_end = range.end;
    Cursor cursor(bytes_, lists + bytes_.U16(at + 6));
    const int32_t size = cursor.Sleb();
    const uint64_t count = static_cast<uint64_t>(std::abs(int64_t{size}));
    if (cursor.failed() || count > cursor.left() || count > handlers_left)
      return fail("a list of handlers that does not fit", cursor.at());
    handlers_left -= count;
    for (uint64_t h = 0; h < count + (size <= 0 ? 1 : 0); ++h) {
      CatchHandler handler;
      handler.type = h < count ? cursor.Uleb() : kNoIndex;
      handler.target = cursor.Uleb();
      if (cursor.failed() || handler.target >= code.units.size() ||
          (handler.type != kNoIndex && handler.type >= this->count(kTypeIds)))
        return fail("a handler that lies outside", cursor.at());
      range.handlers.push_back(handler);
    }
    tries.push_back(std::move(range));
  }
  return tries;
}

uint32_t DexFile::HiddenApiOffset(uint32_t class_def) const {
  if (hidden_api_ == 0) return 0;
  const uint32_t offset = bytes_.U32(hidden_api_ + uint64_t{4} + uint64_t{4} * class_def);
  return offset == 0 ? 0 : hidden_api_ + offset;
}

Status WorkLimit::Spend(uint64_t work) {
  spent_ += work;
  if (spent_ <= 8 * uint64_t{dex_->bytes().size()}) return {};
  return Fail(ErrorCode::kBadInput, "{}: its methods share more code than it could hold", dex_->name());
}

uint64_t HandlerCount(const std::vector<TryRange>& tries) {
  uint64_t count = 0;
  for (const TryRange& range : tries) count += range.handlers.size();
  return count;
}

}  // namespace marmoset::dex
