// A child process whose standard input and output we hold.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace marmoset {

struct Command {
  std::vector<std::string> argv{};   // argv[0] is looked up in PATH.
  fs::path standard_error{};         // Appended to; empty: inherited.
  fs::path folder{};                 // Working folder; empty: ours.
  std::vector<std::string> files{};  // Contents that the child can read from its descriptors 3, 4, …
  uint64_t address_space = 0;        // Bytes that a process may map (RLIMIT_AS); 0: no limit.
};

// A running child, spoken to line by line. It is killed (with its process group) when the object dies, and by
// the kernel when we die, however that happens; not when the thread that started it ends.
//
// One thread at a time.
class Subprocess {
 public:
  // kMissingTool when argv[0] cannot be executed.
  static Result<Subprocess> Start(const Command& command);
  ~Subprocess();
  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;

  // Writes `line` and a line feed. kDeviceLost when the child no longer reads.
  Status WriteLine(std::string_view line);

  // The next line without its line feed. kDeviceLost at the end of the child's output, kTimeout after
  // `timeout_ms`, kCancelled when `stop` is requested meanwhile (checked every 50 ms), kBadInput for a line
  // of over 256 MiB.
  Result<std::string> ReadLine(int64_t timeout_ms, std::stop_token stop = {});

  // Ends the child's standard input, which asks a well-behaved child to end.
  void CloseInput();

  // Kills the child's process group and reaps it. Safe to call twice.
  void Kill();

  // The exit status if the child has ended (128 + signal when one killed it).
  std::optional<int> ExitStatus();

  // Waits for the end; empty after `timeout_ms`.
  std::optional<int> Wait(int64_t timeout_ms);

  pid_t pid() const { return pid_; }

 private:
  Subprocess() = default;
  pid_t pid_ = -1;
  int in_ = -1;   // We write, the child reads.
  int out_ = -1;  // The child writes, we read.
  std::optional<int> exit_status_;
  std::string buffer_;
};

struct Finished {
  int exit_status = 0;
  std::string output;  // Standard output, whole.
  std::string error;   // Standard error, whole.
};

// Runs the command to its end with empty input and gives what it printed (its `standard_error` is not used).
// kMissingTool, kTimeout or kCancelled; the child is dead in each case. A non-zero exit status is not an
// error here.
Result<Finished> RunToEnd(Command command, int64_t timeout_ms, std::stop_token stop = {});
Result<Finished> RunToEnd(const std::vector<std::string>& argv, int64_t timeout_ms,
                          std::stop_token stop = {});

// The full path of a program as the shell would find it; empty when there is none.
fs::path FindProgram(std::string_view name);

}  // namespace marmoset
