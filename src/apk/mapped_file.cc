#include "apk/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace marmoset::apk {

Result<std::shared_ptr<const MappedFile>> MappedFile::Open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return Fail(errno == ENOENT || errno == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
                "{}: cannot be opened: {}", path, std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(fd, &status) != 0 || S_ISDIR(status.st_mode)) {
    ::close(fd);
    return Fail(ErrorCode::kBadInput, "{}: is a folder; give the APK file itself", path);
  }
  const size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    ::close(fd);
    return std::shared_ptr<const MappedFile>(new MappedFile({}));
  }
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int number = errno;
  ::close(fd);
  if (memory == MAP_FAILED)
    return Fail(ErrorCode::kIo, "{}: cannot be read: {}", path, std::strerror(number));
  return std::shared_ptr<const MappedFile>(
      new MappedFile(std::string_view(static_cast<const char*>(memory), size)));
}

void MappedFile::Release(std::string_view part) const {
  const uintptr_t page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t from = (reinterpret_cast<uintptr_t>(part.data()) + page - 1) / page * page;
  const uintptr_t to = reinterpret_cast<uintptr_t>(part.data() + part.size()) / page * page;
  // It may fail, and then only the memory stays in use.
  if (from < to) (void)::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace marmoset::apk
