#include "apk/zip_writer.h"

#include <zlib.h>

#include "base/check.h"

namespace marmoset::apk {
namespace {

constexpr uint16_t kDosTime = 0;
constexpr uint16_t kDosDate = (1981 - 1980) << 9 | 1 << 5 | 1;
constexpr uint16_t kVersion = 20;
constexpr uint16_t kUtf8Name = 1 << 11;
// The extra field that zipalign and apksig pad with: its alignment, then zeros.
constexpr uint16_t kExtraAlignment = 0xd935;
constexpr size_t kExtraAlignmentSize = 6;
constexpr size_t kLocalSize = 30;

uint32_t Crc(std::string_view data) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

bool NeedsUtf8Flag(std::string_view name) {
  for (const char c : name) {
    if (c < 0) return true;
  }
  return false;
}

}  // namespace

void PutU16(uint16_t value, std::string* out) { out->append(reinterpret_cast<const char*>(&value), 2); }
void PutU32(uint32_t value, std::string* out) { out->append(reinterpret_cast<const char*>(&value), 4); }
void PutU64(uint64_t value, std::string* out) { out->append(reinterpret_cast<const char*>(&value), 8); }

std::string Deflate(std::string_view data) {
  z_stream stream{};
  MARMOSET_CHECK(
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  MARMOSET_CHECK(data.size() <= UINT32_MAX && deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void ZipWriter::AddStored(std::string_view name, std::string_view data, uint32_t alignment) {
  Add(name, {kStored, Crc(data), data.size(), data.size(), 0}, data, alignment);
}

void ZipWriter::AddDeflated(std::string_view name, std::string_view data) {
  const std::string deflated = Deflate(data);
  if (deflated.size() >= data.size()) return AddStored(name, data);
  Add(name, {kDeflated, Crc(data), deflated.size(), data.size(), 0}, deflated, 1);
}

void ZipWriter::AddRaw(const Zip& from, const ZipEntry& entry, uint32_t alignment) {
  Add(entry.name, {entry.method, entry.crc32, entry.compressed_size, entry.size, entry.external_attributes},
      from.Raw(entry), alignment);
}

void ZipWriter::Add(std::string_view name, const Fields& fields, std::string_view data, uint32_t alignment) {
  MARMOSET_CHECK(name.size() <= UINT16_MAX && alignment > 0 && alignment <= UINT16_MAX);
  if (fields.size > UINT32_MAX || fields.compressed_size > UINT32_MAX || count_ == UINT16_MAX ||
      parts_.entries.size() + data.size() > UINT32_MAX - (uint64_t{1} << 20)) {
    too_large_ = true;
    return;
  }
  const uint32_t offset = static_cast<uint32_t>(parts_.entries.size());
  const uint16_t flags = NeedsUtf8Flag(name) ? kUtf8Name : uint16_t{0};
  std::string extra;
  if (alignment > 1) {
    const size_t start = offset + kLocalSize + name.size() + kExtraAlignmentSize;
    const size_t padding = (alignment - start % alignment) % alignment;
    PutU16(kExtraAlignment, &extra);
    PutU16(static_cast<uint16_t>(2 + padding), &extra);
    PutU16(static_cast<uint16_t>(alignment), &extra);
    extra.append(padding, '\0');
  }
  // The fields that the local header and the directory share, in the same order.
  std::string shared;
  PutU16(kVersion, &shared);
  PutU16(flags, &shared);
  PutU16(fields.method, &shared);
  PutU16(kDosTime, &shared);
  PutU16(kDosDate, &shared);
  PutU32(fields.crc32, &shared);
  PutU32(static_cast<uint32_t>(fields.compressed_size), &shared);
  PutU32(static_cast<uint32_t>(fields.size), &shared);
  PutU16(static_cast<uint16_t>(name.size()), &shared);

  PutU32(0x04034b50, &parts_.entries);
  parts_.entries += shared;
  PutU16(static_cast<uint16_t>(extra.size()), &parts_.entries);
  parts_.entries += name;
  parts_.entries += extra;
  parts_.entries += data;

  PutU32(0x02014b50, &parts_.directory);
  PutU16(kVersion, &parts_.directory);
  parts_.directory += shared;
  PutU16(0, &parts_.directory);  // No extra field, no comment, disk 0, no internal attributes.
  PutU16(0, &parts_.directory);
  PutU16(0, &parts_.directory);
  PutU16(0, &parts_.directory);
  PutU32(fields.external_attributes, &parts_.directory);
  PutU32(offset, &parts_.directory);
  parts_.directory += name;
  ++count_;
}

Result<ZipParts> ZipWriter::Finish() {
  if (too_large_ || parts_.directory.size() > UINT32_MAX)
    return Fail(ErrorCode::kUnsupported, "the archive is too large: over 4 GiB or over 65535 entries");
  PutU32(0x06054b50, &parts_.end);
  PutU32(0, &parts_.end);  // Disk numbers.
  PutU16(static_cast<uint16_t>(count_), &parts_.end);
  PutU16(static_cast<uint16_t>(count_), &parts_.end);
  PutU32(static_cast<uint32_t>(parts_.directory.size()), &parts_.end);
  PutU32(static_cast<uint32_t>(parts_.entries.size()), &parts_.end);
  PutU16(0, &parts_.end);  // No comment.
  ZipParts parts = std::move(parts_);
  *this = ZipWriter();
  return parts;
}

std::string ZipParts::Join(std::string_view signing_block) const {
  std::string whole;
  whole.reserve(entries.size() + signing_block.size() + directory.size() + end.size());
  whole += entries;
  whole += signing_block;
  const uint32_t offset = static_cast<uint32_t>(whole.size());
  whole += directory;
  const size_t end_at = whole.size();
  whole += end;
  whole.replace(end_at + 16, 4, reinterpret_cast<const char*>(&offset), 4);
  return whole;
}

}  // namespace marmoset::apk
