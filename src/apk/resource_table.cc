// Reading a resource table.
//
// The file holds one pool of values' strings and, per package, one pool of type names ("layout"), one of
// entry names ("main"), and for each (type, configuration) a chunk with an array of offsets, indexed by
// entry:
//
//     package 0x7f: types[attr layout …] keys[main title …]
//       type 2, default:   main → "res/layout/main.xml"
//       type 2, land:      main → "res/layout-land/main.xml"
//
// All values become one array of (id, config, offset), sorted by id, so that a look-up is a binary search and
// no memory is spent on holes: sparse tables cannot make us allocate more than a small multiple of their own
// size. Values are decoded from the bytes when they are asked for.

#include "apk/resource_table.h"

#include <algorithm>
#include <unordered_map>

#include "apk/res_config.h"
#include "apk/utf.h"

namespace marmoset::apk {
namespace {

constexpr uint16_t kEntryComplex = 1;
constexpr uint16_t kEntryCompact = 8;
constexpr uint8_t kTypeSparse = 1;
constexpr uint8_t kTypeOffset16 = 2;
constexpr uint32_t kNoEntry = 0xffffffff;
constexpr int kMaxReferences = 20;

struct Slot {
  uint32_t id;
  uint32_t config;
  uint64_t offset;  // Of the entry in the file.
};

struct Package {
  uint32_t id = 0;
  std::string name;
  StringPool types;
  StringPool keys;
};

}  // namespace

struct ResourceTable::Data {
  Blob blob;
  Bytes bytes;
  StringPool strings;
  std::vector<Package> packages;
  std::vector<std::string> configs;
  std::vector<Slot> slots;

  const Package* PackageOf(uint32_t id) const {
    for (const Package& package : packages) {
      if (package.id == id >> 24) return &package;
    }
    return nullptr;
  }

  std::pair<std::vector<Slot>::const_iterator, std::vector<Slot>::const_iterator> SlotsOf(uint32_t id) const {
    return std::equal_range(slots.begin(), slots.end(), Slot{id, 0, 0},
                            [](const Slot& a, const Slot& b) { return a.id < b.id; });
  }

  uint32_t KeyOf(const Slot& slot) const {
    const bool compact = (bytes.U16(slot.offset + 2) & kEntryCompact) != 0;
    return compact ? bytes.U16(slot.offset) : bytes.U32(slot.offset + 4);
  }

  ResourceEntry EntryOf(const Slot& slot) const {
    ResourceEntry entry;
    entry.id = slot.id;
    entry.config = slot.config;
    const uint16_t flags = bytes.U16(slot.offset + 2);
    if ((flags & kEntryCompact) != 0) {
      entry.value = {static_cast<ResType>(flags >> 8), bytes.U32(slot.offset + 4)};
    } else if ((flags & kEntryComplex) != 0) {
      entry.is_bag = true;
      entry.parent = bytes.U32(slot.offset + 8);
    } else {
      const uint64_t at = slot.offset + bytes.U16(slot.offset);
      entry.value = {static_cast<ResType>(bytes.U8(at + 3)), bytes.U32(at + 4)};
    }
    return entry;
  }
};

class ResourceTable::Reader {
 public:
  explicit Reader(Data* data) : data_(data) {}

  Status Run() {
    MARMOSET_ASSIGN(const Chunk table, ReadChunk(data_->bytes, 0));
    if (table.type != kChunkTable)
      return Fail(ErrorCode::kBadInput, "not a resource table: its type is {:#06x}", table.type);
    MARMOSET_TRY(ForChunks(table, 0, table.header_size, [this](const Chunk& chunk, uint64_t at) -> Status {
      if (chunk.type == kChunkStringPool) {
        MARMOSET_ASSIGN(data_->strings, StringPool::Parse(chunk));
      } else if (chunk.type == kChunkPackage) {
        return TakePackage(chunk, at);
      }
      return {};
    }));
    std::stable_sort(data_->slots.begin(), data_->slots.end(),
                     [](const Slot& a, const Slot& b) { return a.id < b.id; });
    return {};
  }

 private:
  // Calls take(chunk, its offset in the file) for the chunks in `parent`, which starts at `base`.
  template <class Take>
  Status ForChunks(const Chunk& parent, uint64_t base, uint64_t from, Take take) {
    for (uint64_t at = from; at + 8 <= parent.size;) {
      Result<Chunk> chunk = ReadChunk(parent.bytes, at);
      Status status = chunk ? take(*chunk, base + at) : Status(Fail(std::move(chunk.error())));
      if (!status) return Fail(std::move(status.error()).Within(fmt::format("chunk at {:#x}", base + at)));
      at += chunk->size;
    }
    return {};
  }

  Status TakePackage(const Chunk& chunk, uint64_t base) {
    if (chunk.header_size < 284)  // Android 4 and old aapt leave out the last field, nothing else.
      return Fail(ErrorCode::kBadInput, "a package header of {} bytes", chunk.header_size);
    Package package;
    package.id = chunk.bytes.U32(8) & 0xff;
    size_t length = 0;
    while (length < 128 && chunk.bytes.U16(12 + 2 * length) != 0) ++length;
    package.name = Utf16ToUtf8(chunk.bytes, 12, length);
    const uint64_t types_at = chunk.bytes.U32(268);
    const uint64_t keys_at = chunk.bytes.U32(276);
    const uint32_t id = package.id;
    MARMOSET_TRY(ForChunks(chunk, base, chunk.header_size, [&](const Chunk& inner, uint64_t at) -> Status {
      if (inner.type == kChunkStringPool && at == base + types_at) {
        MARMOSET_ASSIGN(package.types, StringPool::Parse(inner));
      } else if (inner.type == kChunkStringPool && at == base + keys_at) {
        MARMOSET_ASSIGN(package.keys, StringPool::Parse(inner));
      } else if (inner.type == kChunkType) {
        return TakeType(inner, at, id);
      }
      return {};
    }));
    data_->packages.push_back(std::move(package));
    return {};
  }

  Status TakeType(const Chunk& chunk, uint64_t base, uint32_t package) {
    const Bytes& bytes = chunk.bytes;
    const uint32_t type = bytes.U8(8);
    const uint8_t flags = bytes.U8(9);
    const uint64_t count = bytes.U32(12);
    const uint64_t start = bytes.U32(16);
    const bool narrow = (flags & kTypeOffset16) != 0 && (flags & kTypeSparse) == 0;
    if (chunk.header_size < 24 || type == 0 || !bytes.Has(chunk.header_size, count * (narrow ? 2 : 4)))
      return Fail(ErrorCode::kBadInput, "a type chunk (type {}, {} entries) is cut off", type, count);
    const uint32_t config = Config(bytes.Part(20, chunk.header_size - 20));
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t index = i;
      uint64_t offset;
      const uint64_t at = chunk.header_size + i * (narrow ? 2 : 4);
      if ((flags & kTypeSparse) != 0) {
        index = bytes.U16(at);
        offset = 4 * uint64_t{bytes.U16(at + 2)};
      } else if (narrow) {
        offset = bytes.U16(at);
        if (offset == 0xffff) continue;
        offset *= 4;
      } else {
        offset = bytes.U32(at);
        if (offset == kNoEntry) continue;
      }
      if (index > 0xffff || !bytes.Has(start + offset, 8))
        return Fail(ErrorCode::kBadInput, "type {}: entry {} at {:#x} lies outside", type, index,
                    base + start + offset);
      data_->slots.push_back(
          {package << 24 | type << 16 | static_cast<uint32_t>(index), config, base + start + offset});
    }
    return {};
  }

  uint32_t Config(const Bytes& bytes) {
    std::string text = ConfigQualifiers(bytes);
    const auto [it, is_new] = config_index_.emplace(text, static_cast<uint32_t>(data_->configs.size()));
    if (is_new) data_->configs.push_back(std::move(text));
    return it->second;
  }

  Data* data_;
  std::unordered_map<std::string, uint32_t> config_index_;
};

Result<ResourceTable> ResourceTable::Parse(Blob blob) {
  auto data = std::make_shared<Data>();
  data->bytes = Bytes(blob.view());
  data->blob = std::move(blob);
  MARMOSET_TRY(Reader(data.get()).Run());
  ResourceTable table;
  table.data_ = std::move(data);
  return table;
}

std::optional<ResourceName> ResourceTable::Name(uint32_t id) const {
  const Package* package = data_->PackageOf(id);
  const auto [from, to] = data_->SlotsOf(id);
  if (package == nullptr || from == to) return std::nullopt;
  return ResourceName{package->name, package->types.Get((id >> 16 & 0xff) - 1),
                      package->keys.Get(data_->KeyOf(*from))};
}

uint32_t ResourceTable::Find(std::string_view type, std::string_view name) const {
  uint32_t last = 0;
  for (const Slot& slot : data_->slots) {
    if (slot.id == last) continue;
    last = slot.id;
    const Package* package = data_->PackageOf(slot.id);
    if (package != nullptr && package->types.Get((slot.id >> 16 & 0xff) - 1) == type &&
        package->keys.Get(data_->KeyOf(slot)) == name)
      return slot.id;
  }
  return 0;
}

std::vector<ResourceEntry> ResourceTable::Values(uint32_t id) const {
  std::vector<ResourceEntry> values;
  const auto [from, to] = data_->SlotsOf(id);
  for (auto it = from; it != to; ++it) values.push_back(data_->EntryOf(*it));
  return values;
}

std::optional<ResValue> ResourceTable::Resolve(ResValue value) const {
  for (int i = 0; i < kMaxReferences && value.IsReference() && value.data != 0; ++i) {
    const auto [from, to] = data_->SlotsOf(value.data);
    if (from == to) return i == 0 ? std::nullopt : std::optional(value);
    auto best = from;
    for (auto it = from; it != to; ++it) {
      if (data_->configs[it->config].empty()) {
        best = it;
        break;
      }
    }
    const ResourceEntry entry = data_->EntryOf(*best);
    if (entry.is_bag) return std::nullopt;
    value = entry.value;
  }
  return value;
}

std::vector<BagItem> ResourceTable::Bag(const ResourceEntry& entry) const {
  std::vector<BagItem> items;
  const auto [from, to] = data_->SlotsOf(entry.id);
  for (auto it = from; it != to; ++it) {
    if (it->config != entry.config) continue;
    const Bytes& bytes = data_->bytes;
    if ((bytes.U16(it->offset + 2) & (kEntryComplex | kEntryCompact)) != kEntryComplex) continue;
    const uint32_t count = bytes.U32(it->offset + 12);
    uint64_t at = it->offset + bytes.U16(it->offset);
    for (uint32_t i = 0; i < count && bytes.Has(at, 12); ++i) {
      const uint16_t size = bytes.U16(at + 4);
      items.push_back({bytes.U32(at), {static_cast<ResType>(bytes.U8(at + 7)), bytes.U32(at + 8)}});
      at += 4 + std::max<uint64_t>(size, 8);
    }
    break;
  }
  return items;
}

std::string_view ResourceTable::Text(const ResValue& value) const {
  return value.type == ResType::kString ? data_->strings.Get(value.data) : std::string_view();
}

void ResourceTable::ForEach(const std::function<void(const ResourceEntry&)>& visit) const {
  for (const Slot& slot : data_->slots) visit(data_->EntryOf(slot));
}

const std::vector<std::string>& ResourceTable::configs() const { return data_->configs; }

std::string ResourceTable::ReferenceText(uint32_t id, char kind) const {
  if (id == 0) return "@null";
  const std::optional<ResourceName> name = Name(id);
  if (!name || name->type.empty() || name->name.empty()) return fmt::format("{}0x{:08x}", kind, id);
  const bool own = id >> 24 == 0x7f || name->package.empty();
  return fmt::format("{}{}{}{}/{}", kind, own ? "" : name->package, own ? "" : ":", name->type, name->name);
}

}  // namespace marmoset::apk
