// Reading a zip archive.
//
// An archive is read from its end. The last record (22 bytes and a comment) says where the central directory
// is; the directory lists the entries; each names its local header, behind which its data lies:
//
//     [header data] [header data] … (signing block) [directory] (zip64 records) [end record, comment]
//
// Three things are not taken on trust. The end record is searched from the back, and taken only if its
// comment ends where the file ends or before. The size of an entry is a promise: the buffer for inflating
// grows with the data that really comes, so that a forged size costs nothing, and ends at the promised size.
// And the local header, which many tools ignore and which attackers let differ, must carry the same name.

#include "apk/zip.h"

#include <zlib.h>

#include <algorithm>

#include "apk/mapped_file.h"
#include "apk/utf.h"

namespace marmoset::apk {
namespace {

constexpr uint32_t kLocalMagic = 0x04034b50;
constexpr uint32_t kDirectoryMagic = 0x02014b50;
constexpr uint32_t kEndMagic = 0x06054b50;
constexpr uint32_t kEnd64Magic = 0x06064b50;
constexpr uint32_t kEnd64LocatorMagic = 0x07064b50;
constexpr uint64_t kLocalSize = 30;
constexpr uint64_t kDirectorySize = 46;
constexpr uint64_t kEndSize = 22;
constexpr uint64_t kEnd64Size = 56;
constexpr uint64_t kEnd64LocatorSize = 20;
constexpr uint16_t kEncrypted = 1;
constexpr uint16_t kExtraZip64 = 1;
constexpr std::string_view kSigningMagic = "APK Sig Block 42";

// Fetches the 64-bit values that an entry's zip64 field holds for those of its 32-bit ones that are all ones.
bool TakeZip64(const Bytes& extra, ZipEntry* entry) {
  const bool wants_size = entry->size == UINT32_MAX;
  const bool wants_compressed = entry->compressed_size == UINT32_MAX;
  const bool wants_offset = entry->header_offset == UINT32_MAX;
  if (!wants_size && !wants_compressed && !wants_offset) return true;
  for (uint64_t at = 0; extra.Has(at, 4); at += 4 + extra.U16(at + 2)) {
    if (extra.U16(at) != kExtraZip64) continue;
    const Bytes field = extra.Part(at + 4, extra.U16(at + 2));
    uint64_t next = 0;
    for (auto [wanted, value] :
         {std::pair(wants_size, &entry->size), std::pair(wants_compressed, &entry->compressed_size),
          std::pair(wants_offset, &entry->header_offset)}) {
      if (!wanted) continue;
      if (!field.Has(next, 8)) return false;
      *value = field.U64(next);
      next += 8;
    }
    return true;
  }
  return true;  // Exactly 4 GiB - 1, without zip64: odd, but the range checks that follow will tell.
}

// Ends an inflation however it is left.
class Inflation {
 public:
  Inflation() { ok_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflation() {
    if (ok_) inflateEnd(&stream_);
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  z_stream* get() { return &stream_; }
  bool ok() const { return ok_; }

 private:
  z_stream stream_{};
  bool ok_ = false;
};

Result<std::string> Inflate(std::string_view data, uint64_t size) {
  Inflation inflation;
  if (!inflation.ok()) return Fail(ErrorCode::kInternal, "no memory to inflate");
  z_stream* stream = inflation.get();
  std::string out;
  // Honest data seldom shrinks to less than a tenth; more is allocated once it is there.
  out.resize(static_cast<size_t>(std::min<uint64_t>(size, 10 * data.size() + 4096)));
  size_t filled = 0;
  size_t fed = 0;
  for (;;) {
    if (stream->avail_in == 0 && fed < data.size()) {
      const size_t piece = std::min<size_t>(data.size() - fed, 1u << 30);
      stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data() + fed));
      stream->avail_in = static_cast<uInt>(piece);
      fed += piece;
    }
    if (filled == out.size() && filled < size)
      out.resize(static_cast<size_t>(std::min<uint64_t>(size, 2 * uint64_t{filled})));
    // At the promised size one spare byte is offered, to see whether more comes.
    Bytef spare;
    const bool full = filled == out.size();
    stream->next_out = full ? &spare : reinterpret_cast<Bytef*>(out.data() + filled);
    const uInt room = full ? 1 : static_cast<uInt>(std::min<size_t>(out.size() - filled, 1u << 30));
    stream->avail_out = room;
    const int code = inflate(stream, Z_NO_FLUSH);
    const uInt got = room - stream->avail_out;
    if (full && got > 0) return Fail(ErrorCode::kBadInput, "inflates to more than the {} bytes stated", size);
    filled += got;
    if (code == Z_STREAM_END) break;
    const bool starved = stream->avail_in == 0 && fed == data.size();
    if (code != Z_OK || (got == 0 && starved)) {
      return Fail(ErrorCode::kBadInput, "the deflated data is damaged ({}) after {} bytes of output",
                  stream->msg != nullptr ? stream->msg : "it ends early", filled);
    }
  }
  if (filled != size) return Fail(ErrorCode::kBadInput, "inflates to {} bytes, not {}", filled, size);
  return out;
}

}  // namespace

Blob Blob::Own(std::string bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  const std::string_view view = *owner;
  return Blob(std::move(owner), view);
}

Result<Zip> Zip::Open(const std::string& path) {
  MARMOSET_ASSIGN(std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
  const std::string_view bytes = file->bytes();
  MARMOSET_ASSIGN(Zip zip, Parse(Blob(file, bytes), path));
  // Looking at each local header has touched most of the file.
  file->Release(bytes);
  zip.mapped_ = std::move(file);
  return zip;
}

Result<Zip> Zip::Parse(Blob blob, std::string name) {
  Zip zip;
  zip.bytes_ = Bytes(blob.view());
  zip.blob_ = std::move(blob);
  zip.name_ = std::move(name);
  Status status = zip.ReadEndRecord();
  if (status) status = zip.ReadDirectory();
  if (!status) return Fail(std::move(status.error()).Within(zip.name_));
  zip.FindSigningBlock();
  return zip;
}

Status Zip::ReadEndRecord() {
  const uint64_t size = bytes_.size();
  const uint64_t furthest = size < kEndSize + UINT16_MAX ? 0 : size - kEndSize - UINT16_MAX;
  bool found = false;
  for (uint64_t at = size < kEndSize ? 0 : size - kEndSize + 1; at-- > furthest;) {
    if (bytes_.U32(at) != kEndMagic || !bytes_.Has(at + kEndSize, bytes_.U16(at + 20))) continue;
    end_offset_ = at;
    found = true;
    break;
  }
  if (!found) {
    if (bytes_.U32(0) != kLocalMagic)
      return Fail(ErrorCode::kBadInput, "not an APK: it is no zip archive{}",
                  size == 0 ? " (the file is empty)" : "");
    return Fail(ErrorCode::kBadInput,
                "the archive is truncated: no end record in its {} bytes; fetch or build the file again",
                size);
  }
  comment_ = bytes_.Part(end_offset_ + kEndSize, bytes_.U16(end_offset_ + 20)).view();
  const uint16_t disk = bytes_.U16(end_offset_ + 4);
  count_ = bytes_.U16(end_offset_ + 10);
  directory_size_ = bytes_.U32(end_offset_ + 12);
  directory_offset_ = bytes_.U32(end_offset_ + 16);
  if (end_offset_ >= kEnd64LocatorSize && bytes_.U32(end_offset_ - kEnd64LocatorSize) == kEnd64LocatorMagic) {
    const uint64_t at = bytes_.U64(end_offset_ - kEnd64LocatorSize + 8);
    if (!bytes_.Has(at, kEnd64Size) || bytes_.U32(at) != kEnd64Magic)
      return Fail(ErrorCode::kBadInput, "no zip64 end record at offset {:#x}", at);
    count_ = bytes_.U64(at + 32);
    directory_size_ = bytes_.U64(at + 40);
    directory_offset_ = bytes_.U64(at + 48);
  } else if (disk != 0 && disk != UINT16_MAX) {
    return Fail(ErrorCode::kUnsupported, "an archive in several parts; join them first");
  }
  if (!bytes_.Has(directory_offset_, directory_size_) || directory_offset_ + directory_size_ > end_offset_) {
    return Fail(
        ErrorCode::kBadInput,
        "the central directory ({} bytes at offset {:#x}) does not lie before the end record at {:#x}; "
        "the file is truncated or has been changed",
        directory_size_, directory_offset_, end_offset_);
  }
  return {};
}

Status Zip::ReadDirectory() {
  if (count_ > directory_size_ / kDirectorySize)
    return Fail(ErrorCode::kBadInput, "a central directory of {} bytes cannot hold {} entries",
                directory_size_, count_);
  entries_.reserve(static_cast<size_t>(count_));
  const Bytes directory = bytes_.Part(directory_offset_, directory_size_);
  uint64_t at = 0;
  for (uint64_t i = 0; i < count_; ++i) {
    const uint64_t offset = directory_offset_ + at;
    if (!directory.Has(at, kDirectorySize) || directory.U32(at) != kDirectoryMagic)
      return Fail(ErrorCode::kBadInput, "central directory: no entry {} of {} at offset {:#x}", i, count_,
                  offset);
    const uint64_t name_size = directory.U16(at + 28);
    const uint64_t extra_size = directory.U16(at + 30);
    const uint64_t comment_size = directory.U16(at + 32);
    if (!directory.Has(at + kDirectorySize, name_size + extra_size + comment_size))
      return Fail(ErrorCode::kBadInput, "central directory: entry {} at offset {:#x} is cut off", i, offset);
    ZipEntry entry;
    entry.name = directory.Part(at + kDirectorySize, name_size).view();
    entry.version_made_by = directory.U16(at + 4);
    entry.flags = directory.U16(at + 8);
    entry.method = directory.U16(at + 10);
    entry.dos_time = directory.U16(at + 12);
    entry.dos_date = directory.U16(at + 14);
    entry.crc32 = directory.U32(at + 16);
    entry.compressed_size = directory.U32(at + 20);
    entry.size = directory.U32(at + 24);
    entry.external_attributes = directory.U32(at + 38);
    entry.header_offset = directory.U32(at + 42);
    if (!TakeZip64(directory.Part(at + kDirectorySize + name_size, extra_size), &entry))
      return Fail(ErrorCode::kBadInput, "{}: its zip64 field at offset {:#x} is too short",
                  Printable(entry.name), offset);
    if (Status local = ReadLocalHeader(&entry); !local)
      return Fail(std::move(local.error()).Within(Printable(entry.name)));
    if (!by_name_.emplace(entry.name, entries_.size()).second)
      return Fail(ErrorCode::kBadInput, "{}: there are two entries of this name (the second at offset {:#x})",
                  Printable(entry.name), offset);
    entries_.push_back(entry);
    at += kDirectorySize + name_size + extra_size + comment_size;
  }
  return {};
}

Status Zip::ReadLocalHeader(ZipEntry* entry) const {
  const uint64_t at = entry->header_offset;
  if (!bytes_.Has(at, kLocalSize) || at >= directory_offset_ || bytes_.U32(at) != kLocalMagic)
    return Fail(ErrorCode::kBadInput, "no local header at offset {:#x}", at);
  const uint64_t name_size = bytes_.U16(at + 26);
  if (bytes_.Part(at + kLocalSize, name_size).view() != entry->name)
    return Fail(ErrorCode::kBadInput, "the local header at offset {:#x} has another name", at);
  entry->data_offset = at + kLocalSize + name_size + bytes_.U16(at + 28);
  if (!bytes_.Has(entry->data_offset, entry->compressed_size) ||
      entry->data_offset + entry->compressed_size > directory_offset_) {
    return Fail(ErrorCode::kBadInput, "its {} bytes at offset {:#x} run into the central directory at {:#x}",
                entry->compressed_size, entry->data_offset, directory_offset_);
  }
  return {};
}

void Zip::FindSigningBlock() {
  // Size, pairs, size again, magic; neither size counts the first field.
  const uint64_t end = directory_offset_;
  if (end < 32 || bytes_.Part(end - 16, 16).view() != kSigningMagic) return;
  const uint64_t size = bytes_.U64(end - 24);
  if (size < 24 || size > end - 8 || bytes_.U64(end - size - 8) != size) return;
  signing_block_ = bytes_.Part(end - size - 8, size + 8).view();
}

const ZipEntry* Zip::Find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &entries_[it->second];
}

std::string_view Zip::Raw(const ZipEntry& entry) const {
  return bytes_.Part(entry.data_offset, entry.compressed_size).view();
}

Result<Blob> Zip::Read(std::string_view name, uint64_t max_size) const {
  const ZipEntry* entry = Find(name);
  if (entry == nullptr) return Fail(ErrorCode::kNotFound, "{}: no entry {}", name_, Printable(name));
  return Read(*entry, max_size);
}

Result<Blob> Zip::Read(const ZipEntry& entry, uint64_t max_size) const {
  const std::string where =
      fmt::format("{}: {} (data at offset {:#x})", name_, Printable(entry.name), entry.data_offset);
  if ((entry.flags & kEncrypted) != 0)
    return Fail(ErrorCode::kUnsupported,
                "{}: encrypted; Android cannot install it like this either: take the APK as it was built",
                where);
  if (entry.size > max_size)
    return Fail(ErrorCode::kUnsupported, "{}: {} bytes, more than the {} accepted", where, entry.size,
                max_size);
  const std::string_view raw = Raw(entry);
  Blob blob;
  if (entry.method == kStored) {
    if (entry.size != entry.compressed_size)
      return Fail(ErrorCode::kBadInput, "{}: stored, but with two sizes ({} and {})", where, entry.size,
                  entry.compressed_size);
    blob = Blob(blob_.owner(), raw);
  } else if (entry.method == kDeflated) {
    Result<std::string> inflated = Inflate(raw, entry.size);
    if (!inflated) return Fail(std::move(inflated.error()).Within(where));
    if (mapped_ != nullptr) mapped_->Release(raw);
    blob = Blob::Own(std::move(*inflated));
  } else {
    return Fail(ErrorCode::kUnsupported, "{}: compression method {}; only stored and deflated are read",
                where, entry.method);
  }
  const uint32_t crc = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(blob.view().data()), blob.view().size()));
  if (crc != entry.crc32)
    return Fail(ErrorCode::kBadInput, "{}: the checksum is {:08x}, not {:08x}; the file is damaged", where,
                crc, entry.crc32);
  return blob;
}

std::string Printable(std::string_view name) {
  std::string out;
  for (const char c : ModifiedToUtf8(name.substr(0, 300))) {
    if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<uint8_t>(c));
    else
      out.push_back(c);
  }
  return out;
}

}  // namespace marmoset::apk
