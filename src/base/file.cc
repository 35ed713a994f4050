#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace marmoset {
namespace {

// The error for a failed system call on `path`, with a remedy where the reason has one.
Error SystemError(const fs::path& path, const char* what, int number) {
  const char* remedy = "";
  if (number == ENOSPC) remedy = ": free some space and try again";
  if (number == EACCES || number == EPERM || number == EROFS)
    remedy = ": choose another folder with --out, or change its permissions";
  return Error(number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
               fmt::format("{}: {}: {}{}", path.string(), what, std::strerror(number), remedy));
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Fail(SystemError(path, "cannot be opened", errno));
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int number = errno;
      ::close(fd);
      return Fail(SystemError(path, "cannot be read", number));
    }
    if (n == 0) break;
    content.append(buffer, static_cast<size_t>(n));
  }
  ::close(fd);
  return content;
}

Status WriteFile(const fs::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return Fail(SystemError(path, "cannot be written", errno));
  auto abandon = [&](int number) {
    ::close(fd);
    ::unlink(temporary.c_str());
    return Fail(SystemError(path, "cannot be written", number));
  };
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return abandon(errno);
    content.remove_prefix(static_cast<size_t>(n));
  }
  if (::fchmod(fd, 0644) != 0 || ::fsync(fd) != 0) return abandon(errno);
  ::close(fd);
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int number = errno;
    ::unlink(temporary.c_str());
    return Fail(SystemError(path, "cannot be written", number));
  }
  return {};
}

Status MakeWritableFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Fail(SystemError(path, "the folder cannot be made", error.value()));
  if (::access(path.c_str(), W_OK) != 0) return Fail(SystemError(path, "the folder is not writable", errno));
  return {};
}

Result<TemporaryFolder> TemporaryFolder::Make(const fs::path& parent) {
  std::string name = ((parent.empty() ? fs::temp_directory_path() : parent) / "marmoset-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return Fail(SystemError(name, "no temporary folder", errno));
  return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;  // A folder that cannot be removed is left behind; there is nobody to tell.
  fs::remove_all(path_, ignored);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) {
  other.path_.clear();
}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

Result<FileLock> FileLock::Take(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return Fail(SystemError(path, "cannot be opened", errno));
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int number = errno;
    ::close(fd);
    return Fail(SystemError(path, "cannot be locked", number));
  }
  return FileLock(fd);
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }

}  // namespace marmoset
