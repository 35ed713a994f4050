// Small files and folders. Whatever may be lost by a crash in the middle is written to a temporary name,
// synced and renamed.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace marmoset {

namespace fs = std::filesystem;

// The whole file. kNotFound when it is not there or may not be read; kIo when reading fails.
Result<std::string> ReadFile(const fs::path& path);

// Replaces the file as a whole: readers see the old content or the new, never a part. kIo on failure, with
// the reason (a full disk, a missing permission); the old content is then untouched.
Status WriteFile(const fs::path& path, std::string_view content);

// Makes the folder and its parents. kIo when it cannot or when the folder is not writable.
Status MakeWritableFolder(const fs::path& path);

// A folder that is removed with all its content at the end of the object's life.
class TemporaryFolder {
 public:
  // Below `parent` (default: the system's place for temporary files).
  static Result<TemporaryFolder> Make(const fs::path& parent = {});
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  const fs::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// An exclusive lock on a file, held until the object dies or the process ends, however it ends. Waits for
// other holders.
class FileLock {
 public:
  static Result<FileLock> Take(const fs::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept = delete;

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace marmoset
