// Reads a zip archive in place: stored and deflated entries, zip64, the APK signing block.
//
// Follows PKWARE's APPNOTE 6.3 as far as Android accepts it: no encryption, no splitting over disks, no two
// entries of one name, and the local header must agree with the central directory about the name. Every
// offset and size is checked before use; a size in a header is not believed until the data has that size.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apk/bytes.h"
#include "base/error.h"

namespace marmoset::apk {

enum : uint16_t { kStored = 0, kDeflated = 8 };

// One entry, as the central directory describes it. Views point into the archive.
struct ZipEntry {
  std::string_view name;
  uint16_t method = kStored;
  uint16_t flags = 0;
  uint16_t dos_time = 0;
  uint16_t dos_date = 0;
  uint32_t crc32 = 0;
  uint64_t compressed_size = 0;
  uint64_t size = 0;
  uint64_t header_offset = 0;  // Of its local header, from the start of the file.
  uint64_t data_offset = 0;    // Of its (compressed) data.
  uint32_t external_attributes = 0;
  uint16_t version_made_by = 0;
};

// Bytes with whoever keeps them alive.
class Blob {
 public:
  Blob() = default;
  Blob(std::shared_ptr<const void> owner, std::string_view bytes) : owner_(std::move(owner)), bytes_(bytes) {}
  static Blob Own(std::string bytes);

  std::string_view view() const { return bytes_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
};

class MappedFile;

// Immutable once made; threads may share it. Copies share the archive's bytes.
class Zip {
 public:
  // Maps the file (mapped_file.h). `path` names it in errors, which say the entry and the offset as well.
  // kNotFound: no such file; kBadInput: not a zip archive, truncated or damaged; kUnsupported: encrypted, in
  // several parts, or a compression other than deflate.
  static Result<Zip> Open(const std::string& path);

  // The same over bytes in memory, kept alive by the blob.
  static Result<Zip> Parse(Blob bytes, std::string name);

  // In the order of the central directory.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  // Null when there is none.
  const ZipEntry* Find(std::string_view name) const;

  // The content, checked against size and CRC. Stored entries are not copied. kUnsupported when it would be
  // larger than `max_size` bytes.
  Result<Blob> Read(const ZipEntry& entry, uint64_t max_size = kMaxEntrySize) const;
  // kNotFound when there is none.
  Result<Blob> Read(std::string_view name, uint64_t max_size = kMaxEntrySize) const;

  // The data as it lies in the archive, still compressed.
  std::string_view Raw(const ZipEntry& entry) const;

  // The block between the last entry and the central directory that holds signatures of scheme v2 and later,
  // with its two size fields and magic; empty when there is none.
  std::string_view signing_block() const { return signing_block_; }
  uint64_t central_directory_offset() const { return directory_offset_; }
  uint64_t central_directory_size() const { return directory_size_; }
  uint64_t end_record_offset() const { return end_offset_; }
  std::string_view comment() const { return comment_; }

  std::string_view bytes() const { return blob_.view(); }
  const std::string& name() const { return name_; }

  static constexpr uint64_t kMaxEntrySize = uint64_t{256} << 20;

 private:
  Zip() = default;
  Status ReadEndRecord();
  Status ReadDirectory();
  Status ReadLocalHeader(ZipEntry* entry) const;
  void FindSigningBlock();

  Blob blob_;
  std::shared_ptr<const MappedFile> mapped_;  // Null for bytes in memory.
  std::string name_;
  Bytes bytes_;
  std::vector<ZipEntry> entries_;
  std::map<std::string_view, size_t> by_name_;
  uint64_t count_ = 0;
  uint64_t directory_offset_ = 0;
  uint64_t directory_size_ = 0;
  uint64_t end_offset_ = 0;
  std::string_view comment_;
  std::string_view signing_block_;
};

// A name as it may be shown: valid UTF-8, control characters as \xNN.
std::string Printable(std::string_view name);

}  // namespace marmoset::apk
