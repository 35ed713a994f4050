#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/stop.h"

namespace marmoset {
namespace {

constexpr size_t kMaxLine = 256u << 20;
constexpr int64_t kPollMs = 50;

int StatusOf(int wait_status) {
  if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
  return WEXITSTATUS(wait_status);
}

void CloseFd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

// Above every descriptor that a child gets under a number of its own.
constexpr int kHighFd = 100;

// A descriptor to read `content` from, closed when a child is executed.
Result<int> FileInMemory(const std::string& content) {
  int low = ::memfd_create("marmoset", MFD_CLOEXEC);
  if (low < 0) return Fail(ErrorCode::kInternal, "memfd_create: {}", std::strerror(errno));
  const int fd = ::fcntl(low, F_DUPFD_CLOEXEC, kHighFd);
  CloseFd(low);
  if (fd < 0 || ::write(fd, content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
      ::lseek(fd, 0, SEEK_SET) != 0)
    return Fail(ErrorCode::kInternal, "a file in memory: {}", std::strerror(errno));
  return fd;
}

// Forks on a thread that lives as long as this process. What the kernel calls the death of a child's parent
// (PR_SET_PDEATHSIG, ours and bubblewrap's) is the end of the thread that forked it; a child must outlive the
// thread that asked for it.
class Launcher {
 public:
  static Launcher& Get() {
    // Never destroyed: its thread ends with the process.
    static Launcher* const launcher = new Launcher;
    return *launcher;
  }

  // fork() with `in_child` as what the child does; it must not return.
  pid_t Fork(const std::function<void()>& in_child) {
    const std::lock_guard one_at_a_time(callers_);
    std::unique_lock lock(mutex_);
    in_child_ = &in_child;
    changed_.notify_all();
    changed_.wait(lock, [this] { return in_child_ == nullptr; });
    errno = errno_;
    return pid_;
  }

 private:
  Launcher() {
    std::thread([this] { Serve(); }).detach();
  }

  [[noreturn]] void Serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return in_child_ != nullptr; });
      pid_ = ::fork();
      if (pid_ == 0) {
        (*in_child_)();
        ::_exit(127);
      }
      errno_ = errno;
      in_child_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex callers_;
  std::mutex mutex_;  // Guards what follows.
  std::condition_variable changed_;
  const std::function<void()>* in_child_ = nullptr;  // Set: a fork is asked for.
  pid_t pid_ = -1;
  int errno_ = 0;
};

// Waits until `fd` can be read or `deadline` (on SystemClock) passes.
Status WaitReadable(int fd, int64_t deadline, const std::stop_token& stop) {
  for (;;) {
    if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
    const int64_t left = deadline - SystemClock().NowMs();
    pollfd p{fd, POLLIN, 0};
    const int n = ::poll(&p, 1, static_cast<int>(std::clamp<int64_t>(left, 0, kPollMs)));
    if (n > 0) return {};
    if (n < 0 && errno != EINTR) return Fail(ErrorCode::kInternal, "poll: {}", std::strerror(errno));
    if (left <= 0) return Fail(ErrorCode::kTimeout, "no answer in time");
  }
}

}  // namespace

Result<Subprocess> Subprocess::Start(const Command& command) {
  int in[2], out[2], failure[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return Fail(ErrorCode::kInternal, "pipe: {}", std::strerror(errno));
  if (::pipe2(out, O_CLOEXEC) != 0) return Fail(ErrorCode::kInternal, "pipe: {}", std::strerror(errno));
  if (::pipe2(failure, O_CLOEXEC) != 0) return Fail(ErrorCode::kInternal, "pipe: {}", std::strerror(errno));
  std::vector<char*> argv;
  for (const std::string& a : command.argv) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string error_path = command.standard_error.string();
  const std::string folder = command.folder.string();
  std::vector<int> files;
  for (const std::string& content : command.files) {
    MARMOSET_ASSIGN(const int fd, FileInMemory(content));
    files.push_back(fd);
  }

  const pid_t parent = ::getpid();
  const pid_t pid = Launcher::Get().Fork([&] {
    // Only async-signal-safe calls from here on: other threads may have held locks.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    RestoreSignalsInChild();
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    if (!error_path.empty()) {
      const int fd = ::open(error_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      if (fd >= 0) ::dup2(fd, 2);
    }
    const int failed = ::fcntl(failure[1], F_DUPFD_CLOEXEC, kHighFd);
    for (size_t i = 0; i < files.size(); ++i) ::dup2(files[i], static_cast<int>(i) + 3);
    if (command.address_space > 0) {
      const rlimit limit{command.address_space, command.address_space};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    if (folder.empty() || ::chdir(folder.c_str()) == 0) ::execvp(argv[0], argv.data());
    const int number = errno;
    [[maybe_unused]] const ssize_t n = ::write(failed, &number, sizeof number);
    ::_exit(127);
  });
  if (pid < 0) return Fail(ErrorCode::kInternal, "fork: {}", std::strerror(errno));
  ::setpgid(pid, pid);  // Also here, so that a Kill right away finds the group.
  ::close(in[0]);
  ::close(out[1]);
  ::close(failure[1]);
  for (int& fd : files) CloseFd(fd);
  Subprocess child;
  child.pid_ = pid;
  child.in_ = in[1];
  child.out_ = out[0];
  int number = 0;
  const ssize_t n = ::read(failure[0], &number, sizeof number);
  ::close(failure[0]);
  if (n == sizeof number)
    return Fail(ErrorCode::kMissingTool, "{}: cannot be started: {}", command.argv[0], std::strerror(number));
  return child;
}

Subprocess::~Subprocess() {
  Kill();
  CloseFd(in_);
  CloseFd(out_);
}

Subprocess::Subprocess(Subprocess&& other) noexcept { *this = std::move(other); }

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(in_, other.in_);
  std::swap(out_, other.out_);
  std::swap(exit_status_, other.exit_status_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

Status Subprocess::WriteLine(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t n = ::write(in_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return Fail(ErrorCode::kDeviceLost, "process {} does not read: {}", pid_, std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Result<std::string> Subprocess::ReadLine(int64_t timeout_ms, std::stop_token stop) {
  const int64_t deadline = SystemClock().NowMs() + timeout_ms;
  size_t searched = 0;
  for (;;) {
    if (const size_t end = buffer_.find('\n', searched); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    searched = buffer_.size();
    if (searched > kMaxLine) return Fail(ErrorCode::kBadInput, "process {} sent an endless line", pid_);
    MARMOSET_TRY(WaitReadable(out_, deadline, stop));
    char chunk[1 << 16];
    const ssize_t n = ::read(out_, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Fail(ErrorCode::kDeviceLost, "process {} ended", pid_);
    buffer_.append(chunk, static_cast<size_t>(n));
  }
}

void Subprocess::CloseInput() { CloseFd(in_); }

void Subprocess::Kill() {
  if (pid_ < 0 || exit_status_) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  exit_status_ = StatusOf(status);
}

std::optional<int> Subprocess::ExitStatus() {
  if (pid_ < 0 || exit_status_) return exit_status_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) exit_status_ = StatusOf(status);
  return exit_status_;
}

std::optional<int> Subprocess::Wait(int64_t timeout_ms) {
  const int64_t deadline = SystemClock().NowMs() + timeout_ms;
  while (!ExitStatus() && SystemClock().NowMs() < deadline) ::usleep(5'000);
  return exit_status_;
}

Result<Finished> RunToEnd(const std::vector<std::string>& argv, int64_t timeout_ms, std::stop_token stop) {
  return RunToEnd(Command{.argv = argv}, timeout_ms, std::move(stop));
}

Result<Finished> RunToEnd(Command command, int64_t timeout_ms, std::stop_token stop) {
  MARMOSET_ASSIGN(TemporaryFolder folder, TemporaryFolder::Make());
  command.standard_error = folder.path() / "stderr";
  MARMOSET_ASSIGN(Subprocess child, Subprocess::Start(command));
  child.CloseInput();
  const int64_t deadline = SystemClock().NowMs() + timeout_ms;
  Finished finished;
  for (;;) {
    Result<std::string> line = child.ReadLine(deadline - SystemClock().NowMs(), stop);
    if (line) {
      finished.output += *line + '\n';
      continue;
    }
    if (line.error().code() != ErrorCode::kDeviceLost)
      return Fail(std::move(line.error()).Within(command.argv[0]));
    break;
  }
  const std::optional<int> status = child.Wait(std::max<int64_t>(deadline - SystemClock().NowMs(), 100));
  if (!status) return Fail(ErrorCode::kTimeout, "{}: still running after {} ms", command.argv[0], timeout_ms);
  finished.exit_status = *status;
  if (Result<std::string> text = ReadFile(command.standard_error)) finished.error = *text;
  return finished;
}

fs::path FindProgram(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace marmoset
