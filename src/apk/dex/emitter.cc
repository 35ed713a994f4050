// Writing the sections.
//
// The order is that of dependence, so that an offset is known before it is needed: strings, type lists,
// arrays, annotations (items, sets, lists of sets, directories), debug information, code, class data. The id
// tables lie in front; their room is reserved first and filled last. Code refers to debug information and is
// made together with it, so it gathers in a buffer of its own.
//
// Sorting. Additions come behind the base's entries and are sorted among them; since the base must be sorted
// already, its entries keep their order and only shift. Annotations and members, which are sorted by index,
// thus stay sorted, and static values stay with their fields.

#include "apk/dex/emitter.h"

#include <openssl/sha.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "apk/zip_writer.h"

namespace marmoset::dex {
namespace {

using apk::PutU16;
using apk::PutU32;

// Modified UTF-8 in order of UTF-16 code units: that of bytes, except that NUL is written C0 80.
bool LessUtf16(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (a[i] == b[i]) continue;
    const auto rank = [](std::string_view s, size_t at) {
      const uint8_t byte = static_cast<uint8_t>(s[at]);
      return byte == 0xc0 && at + 1 < s.size() && static_cast<uint8_t>(s[at + 1]) == 0x80 ? 0 : int{byte};
    };
    return rank(a, i) < rank(b, i);
  }
  return a.size() < b.size();
}

// Sorts the indices 0 … count-1 and fills `remap` with each one's place.
template <class Less>
std::vector<uint32_t> Sort(size_t count, std::vector<uint32_t>* remap, Less less) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), less);
  remap->resize(count);
  for (uint32_t i = 0; i < count; ++i) (*remap)[order[i]] = i;
  return order;
}

uint32_t Utf16Units(std::string_view raw) {
  uint32_t units = 0;
  for (const char c : raw) units += (c & 0xc0) != 0x80;
  return units;
}

}  // namespace

Result<std::string> Emitter::Run() {
  MARMOSET_TRY(SortPools());
  MARMOSET_TRY(ReserveIds());
  WriteStrings();
  MARMOSET_TRY(WriteTypeLists());
  MARMOSET_TRY(WriteEncodedArrays());
  MARMOSET_TRY(WriteAnnotations());
  MARMOSET_TRY(WriteCode());
  WriteClassData();
  MARMOSET_TRY(WriteHiddenApi());
  WriteIds();
  WriteMapAndHeader();
  if (out_.size() > UINT32_MAX / 2) return Fail(ErrorCode::kUnsupported, "the DEX file has become too large");
  return std::move(out_);
}

Status Emitter::SortPools() {
  string_order_ =
      Sort(w_.BaseCount(kStringIds) + w_.strings_.size(), &remap_.strings,
           [this](uint32_t a, uint32_t b) { return LessUtf16(w_.RawString(a), w_.RawString(b)); });
  type_order_ =
      Sort(w_.BaseCount(kTypeIds) + w_.types_.size(), &remap_.types, [this](uint32_t a, uint32_t b) {
        return remap_.strings[w_.TypeString(a)] < remap_.strings[w_.TypeString(b)];
      });
  std::vector<std::vector<uint32_t>> protos(w_.BaseCount(kProtoIds) + w_.protos_.size());
  for (uint32_t i = 0; i < protos.size(); ++i) {
    const Writer::ProtoKey key = w_.ProtoOf(i);
    protos[i].push_back(remap_.types[key.return_type]);
    for (const uint16_t type : key.parameters) protos[i].push_back(remap_.types[type]);
  }
  proto_order_ =
      Sort(protos.size(), &remap_.protos, [&](uint32_t a, uint32_t b) { return protos[a] < protos[b]; });
  field_order_ =
      Sort(w_.BaseCount(kFieldIds) + w_.fields_.size(), &remap_.fields, [this](uint32_t a, uint32_t b) {
        const FieldId x = w_.FieldOf(a);
        const FieldId y = w_.FieldOf(b);
        return std::tuple(remap_.types[x.class_type], remap_.strings[x.name], remap_.types[x.type]) <
               std::tuple(remap_.types[y.class_type], remap_.strings[y.name], remap_.types[y.type]);
      });
  method_order_ =
      Sort(w_.BaseCount(kMethodIds) + w_.methods_.size(), &remap_.methods, [this](uint32_t a, uint32_t b) {
        const MethodId x = w_.MethodOf(a);
        const MethodId y = w_.MethodOf(b);
        return std::tuple(remap_.types[x.class_type], remap_.strings[x.name], remap_.protos[x.proto]) <
               std::tuple(remap_.types[y.class_type], remap_.strings[y.name], remap_.protos[y.proto]);
      });
  identity_ = true;
  const std::vector<uint32_t>* tables[] = {&remap_.strings, &remap_.types, &remap_.protos, &remap_.fields,
                                           &remap_.methods};
  for (uint32_t section = 0; section < std::size(tables); ++section) {
    const std::vector<uint32_t>& table = *tables[section];
    for (uint32_t i = 0; i < table.size(); ++i) {
      identity_ = identity_ && table[i] == i;
      if (i > 0 && i < w_.BaseCount(static_cast<IdSection>(section)) && table[i] < table[i - 1])
        return Fail(ErrorCode::kBadInput, "{}: entry {} of id table {} is not sorted", base_->name(), i,
                    section);
    }
  }
  return {};
}

bool Emitter::Overgrown() const {
  const uint64_t base_size = base_ == nullptr ? 0 : base_->bytes().size();
  return code_.size() + out_.size() > 8 * base_size + (uint64_t{16} << 20);
}

uint32_t Emitter::Begin(uint32_t alignment) {
  Align(alignment, &out_);
  return Here();
}

void Emitter::End(uint16_t type, uint32_t count, uint32_t offset) {
  if (count > 0) map_.push_back({type, count, offset});
}

void Emitter::Align(uint32_t alignment, std::string* out) const {
  while (out->size() % alignment != 0) out->push_back('\0');
}

void Emitter::Set32(uint32_t offset, uint32_t value) {
  out_.replace(offset, 4, reinterpret_cast<const char*>(&value), 4);
}

Status Emitter::ReserveIds() {
  out_.reserve(base_ == nullptr ? 4096 : base_->file_size() + base_->file_size() / 4);
  const bool container = base_ != nullptr && base_->version() >= 41;
  out_.append(container ? kHeaderSize41 : kHeaderSize, '\0');
  map_.push_back({kMapHeader, 1, 0});
  const size_t counts[kIdSections] = {string_order_.size(), type_order_.size(),
                                      proto_order_.size(),  field_order_.size(),
                                      method_order_.size(), w_.BaseCount(kClassDefs) + w_.classes_.size()};
  for (uint32_t i = 0; i < kIdSections; ++i) {
    if (i != kStringIds && i != kClassDefs && counts[i] > 65536)
      return Fail(ErrorCode::kUnsupported, "id table {} has {} entries, more than 65536", i, counts[i]);
    ids_at_[i] = Begin(4);
    out_.append(kIdSizes[i] * counts[i], '\0');
    End(static_cast<uint16_t>(i + 1), static_cast<uint32_t>(counts[i]), ids_at_[i]);
  }
  if (base_ != nullptr) {
    call_sites_at_ = Here();
    out_.append(4 * size_t{base_->call_site_count()}, '\0');
    End(kMapCallSiteIds, base_->call_site_count(), call_sites_at_);
    method_handles_at_ = Here();
    out_.append(8 * size_t{base_->method_handle_count()}, '\0');
    End(kMapMethodHandles, base_->method_handle_count(), method_handles_at_);
  }
  data_at_ = Here();
  return {};
}

void Emitter::WriteStrings() {
  const uint32_t start = Begin(1);
  string_offsets_.reserve(string_order_.size());
  for (const uint32_t i : string_order_) {
    string_offsets_.push_back(Here());
    const std::string_view raw = w_.RawString(i);
    // A file may state a length of its own opinion; it is kept.
    PutUleb(i < w_.BaseCount(kStringIds) ? base_->Utf16Length(i) : Utf16Units(raw), &out_);
    out_ += raw;
    out_ += '\0';
  }
  End(kMapStringData, static_cast<uint32_t>(string_order_.size()), start);
}

Status Emitter::WriteTypeLists() {
  const uint32_t start = Begin(4);
  uint32_t count = 0;
  const auto put = [&](std::vector<uint16_t> types) {
    if (types.empty()) return;
    for (uint16_t& type : types) type = static_cast<uint16_t>(remap_.types[type]);
    const auto [it, is_new] = type_lists_.emplace(std::move(types), 0);
    if (!is_new) return;
    Align(4, &out_);
    it->second = Here();
    PutU32(static_cast<uint32_t>(it->first.size()), &out_);
    for (const uint16_t type : it->first) PutU16(type, &out_);
    ++count;
  };
  for (const uint32_t proto : proto_order_) put(w_.ProtoOf(proto).parameters);
  for (uint32_t i = 0; i < w_.BaseCount(kClassDefs); ++i)
    put(base_->TypeList(base_->Class(i).interfaces_off));
  End(kMapTypeList, count, start);
  return {};
}

Status Emitter::WriteEncodedArrays() {
  if (base_ == nullptr) return {};
  const uint32_t start = Begin(1);
  const auto copy = [&](uint32_t offset) -> Status {
    if (offset == 0 || !arrays_.emplace(offset, Here()).second) return {};
    Cursor in(base_->data(), offset);
    CopyArray(remap_, &in, &out_);
    if (in.failed() || Overgrown())
      return Fail(ErrorCode::kBadInput, "{}: values at {:#x} are malformed", base_->name(), offset);
    return {};
  };
  for (uint32_t i = 0; i < base_->count(kClassDefs); ++i)
    MARMOSET_TRY(copy(base_->Class(i).static_values_off));
  for (uint32_t i = 0; i < base_->call_site_count(); ++i) MARMOSET_TRY(copy(base_->CallSiteOffset(i)));
  End(kMapEncodedArray, static_cast<uint32_t>(arrays_.size()), start);
  return {};
}

void Emitter::WriteClassData() {
  // The code section comes first: class data holds its offsets.
  const uint32_t code_start = Begin(4);
  out_ += code_;
  code_.clear();
  code_.shrink_to_fit();
  End(kMapCode, code_count_, code_start);

  const uint32_t start = Here();
  uint32_t count = 0;
  for (ClassOut& one : classes_) {
    class_data_offsets_.push_back(one.has_data ? Here() : 0);
    if (!one.has_data) continue;
    ++count;
    for (const auto* list : {&one.static_fields, &one.instance_fields})
      PutUleb(static_cast<uint32_t>(list->size()), &out_);
    for (const auto* list : {&one.direct_methods, &one.virtual_methods})
      PutUleb(static_cast<uint32_t>(list->size()), &out_);
    for (auto* list : {&one.static_fields, &one.instance_fields}) {
      uint32_t last = 0;
      std::stable_sort(list->begin(), list->end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [field, access] : *list) {
        PutUleb(field - last, &out_);
        PutUleb(access, &out_);
        last = field;
      }
    }
    for (auto* list : {&one.direct_methods, &one.virtual_methods}) {
      uint32_t last = 0;
      std::stable_sort(list->begin(), list->end(),
                       [](const MethodOut& a, const MethodOut& b) { return a.method < b.method; });
      for (const MethodOut& method : *list) {
        PutUleb(method.method - last, &out_);
        PutUleb(method.access, &out_);
        PutUleb(method.code_off == kNoIndex ? 0 : code_start + method.code_off, &out_);
        last = method.method;
      }
    }
  }
  End(kMapClassData, count, start);
}

Status Emitter::WriteHiddenApi() {
  if (base_ == nullptr || !base_->HasHiddenApi()) return {};
  const uint32_t start = Begin(4);
  const uint32_t classes = static_cast<uint32_t>(classes_.size());
  out_.append(4 + 4 * size_t{classes}, '\0');
  for (uint32_t i = 0; i < base_->count(kClassDefs); ++i) {
    const uint32_t offset = base_->HiddenApiOffset(i);
    if (offset == 0) continue;
    Set32(start + 4 + 4 * i, Here() - start);
    Cursor in(base_->data(), offset);
    const ClassOut& one = classes_[i];
    const size_t members = one.static_fields.size() + one.instance_fields.size() + one.direct_methods.size() +
                           one.virtual_methods.size();
    for (size_t m = 0; m < members; ++m) PutUleb(in.Uleb(), &out_);
    if (in.failed())
      return Fail(ErrorCode::kBadInput, "{}: hidden-API data at {:#x} is cut off", base_->name(), offset);
  }
  Set32(start, Here() - start);
  End(kMapHiddenApi, 1, start);
  return {};
}

void Emitter::WriteIds() {
  for (uint32_t i = 0; i < string_order_.size(); ++i) Set32(ids_at_[kStringIds] + 4 * i, string_offsets_[i]);
  for (uint32_t i = 0; i < type_order_.size(); ++i)
    Set32(ids_at_[kTypeIds] + 4 * i, remap_.strings[w_.TypeString(type_order_[i])]);
  for (uint32_t i = 0; i < proto_order_.size(); ++i) {
    Writer::ProtoKey key = w_.ProtoOf(proto_order_[i]);
    for (uint16_t& type : key.parameters) type = static_cast<uint16_t>(remap_.types[type]);
    const uint32_t at = ids_at_[kProtoIds] + 12 * i;
    Set32(at, remap_.strings[key.shorty]);
    Set32(at + 4, remap_.types[key.return_type]);
    Set32(at + 8, key.parameters.empty() ? 0 : type_lists_.at(key.parameters));
  }
  for (uint32_t i = 0; i < field_order_.size(); ++i) {
    const FieldId id = w_.FieldOf(field_order_[i]);
    const uint32_t at = ids_at_[kFieldIds] + 8 * i;
    Set32(at, remap_.types[id.class_type] | remap_.types[id.type] << 16);
    Set32(at + 4, remap_.strings[id.name]);
  }
  for (uint32_t i = 0; i < method_order_.size(); ++i) {
    const MethodId id = w_.MethodOf(method_order_[i]);
    const uint32_t at = ids_at_[kMethodIds] + 8 * i;
    Set32(at, remap_.types[id.class_type] | remap_.protos[id.proto] << 16);
    Set32(at + 4, remap_.strings[id.name]);
  }
  const auto moved = [](const Moved& map, uint32_t offset) {
    const auto it = map.find(offset);
    return it == map.end() ? 0 : it->second;
  };
  const uint32_t base_classes = w_.BaseCount(kClassDefs);
  for (uint32_t i = 0; i < classes_.size(); ++i) {
    const uint32_t at = ids_at_[kClassDefs] + 32 * i;
    ClassDef def{};
    uint32_t interfaces = 0;
    if (i < base_classes) {
      def = base_->Class(i);
      std::vector<uint16_t> types = base_->TypeList(def.interfaces_off);
      for (uint16_t& type : types) type = static_cast<uint16_t>(remap_.types[type]);
      if (!types.empty()) interfaces = type_lists_.at(types);
    } else {
      const NewClass& added = w_.classes_[i - base_classes];
      def = {added.type, added.access, added.superclass, 0, kNoIndex, 0, 0, 0};
    }
    Set32(at, remap_.types[def.type]);
    Set32(at + 4, def.access);
    Set32(at + 8, remap_.Type(def.superclass));
    Set32(at + 12, interfaces);
    Set32(at + 16, remap_.String(def.source_file));
    Set32(at + 20, moved(annotation_directories_, def.annotations_off));
    Set32(at + 24, class_data_offsets_[i]);
    Set32(at + 28, moved(arrays_, def.static_values_off));
  }
  if (base_ == nullptr) return;
  for (uint32_t i = 0; i < base_->call_site_count(); ++i)
    Set32(call_sites_at_ + 4 * i, moved(arrays_, base_->CallSiteOffset(i)));
  for (uint32_t i = 0; i < base_->method_handle_count(); ++i) {
    const auto [kind, member] = base_->MethodHandle(i);
    Set32(method_handles_at_ + 8 * i, kind);
    Set32(method_handles_at_ + 8 * i + 4, kind < 4 ? remap_.fields[member] : remap_.methods[member]);
  }
}

void Emitter::WriteMapAndHeader() {
  const uint32_t map_at = Begin(4);
  map_.push_back({kMapList, 1, map_at});
  PutU32(static_cast<uint32_t>(map_.size()), &out_);
  for (const MapItem& item : map_) {
    PutU16(item.type, &out_);
    PutU16(0, &out_);
    PutU32(item.count, &out_);
    PutU32(item.offset, &out_);
  }
  const int version = base_ == nullptr ? 35 : base_->version();
  const bool container = version >= 41;
  out_.replace(0, 8, fmt::format("dex\n{:03}", version) + '\0');
  Set32(kHeaderFileSize, Here());
  Set32(kHeaderHeaderSize, container ? kHeaderSize41 : kHeaderSize);
  Set32(kHeaderEndianTag, kEndianTag);
  Set32(kHeaderMap, map_at);
  for (uint32_t i = 0; i < kIdSections; ++i) {
    const uint32_t count =
        ((i + 1 < kIdSections ? ids_at_[i + 1] : ids_at_[i] + static_cast<uint32_t>(32 * classes_.size())) -
         ids_at_[i]) /
        kIdSizes[i];
    Set32(kHeaderStringIds + 8 * i, count);
    Set32(kHeaderStringIds + 8 * i + 4, count == 0 ? 0 : ids_at_[i]);
  }
  if (container) {
    Set32(kHeaderContainerSize, Here());
  } else {
    Set32(kHeaderData, Here() - data_at_);
    Set32(kHeaderData + 4, data_at_);
  }
  unsigned char digest[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(out_.data()) + 32, out_.size() - 32, digest);
  out_.replace(kHeaderSignature, sizeof digest, reinterpret_cast<const char*>(digest), sizeof digest);
  const uLong sum = adler32_z(1, reinterpret_cast<const Bytef*>(out_.data()) + 12, out_.size() - 12);
  Set32(kHeaderChecksum, static_cast<uint32_t>(sum));
}

}  // namespace marmoset::dex
