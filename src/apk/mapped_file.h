// A file mapped into memory, read-only, for as long as the object lives. The file must not shrink meanwhile:
// the kernel would end the process at the first read past the new end.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace marmoset::apk {

class MappedFile {
 public:
  // kNotFound when there is no such file, kBadInput when it is a folder, kIo when it cannot be read.
  static Result<std::shared_ptr<const MappedFile>> Open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

  // Gives back the memory of a part of bytes() that is not needed soon. It can still be read, from disk.
  void Release(std::string_view part) const;

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes_;
};

}  // namespace marmoset::apk
