// Errors as values: what went wrong, as a code that callers branch on and a message that people read.
//
// No exception crosses a folder of src/. A function that can fail for reasons outside the program returns
// Result<T>; a broken invariant of our own is a MARMOSET_CHECK (check.h). A flaky replay is data, not an
// error.

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace marmoset {

enum class ErrorCode {
  kBadInput,     // A file, flag or document that the user gave is wrong.
  kNotFound,     // It names something that does not exist.
  kUnsupported,  // It is right, but this build or device cannot do it.
  kNothingToDo,  // There is nothing to run.
  kIo,           // The file system refused: permissions, a full disk.
  kMissingTool,  // A program or file that the set-up provides is absent.
  kDeviceLost,   // The device or its transport is gone.
  kTimeout,      // Something took longer than it may.
  kCancelled,    // The user asked to stop.
  kInternal,     // Our own fault.
};

std::string_view ErrorCodeName(ErrorCode code);

// A failure. The message starts with the place ("classes2.dex: map list: offset 0x9f is past the end") and,
// where a person can do something about it, ends with the remedy.
class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // The same error, seen from one level up: "WHERE: message".
  Error Within(std::string_view where) && {
    message_ = fmt::format("{}: {}", where, message_);
    return std::move(*this);
  }

 private:
  ErrorCode code_;
  std::string message_;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

// `return Fail(ErrorCode::kNotFound, "{}: no such widget", id);`
template <class... Args>
tl::unexpected<Error> Fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error(code, fmt::format(format, std::forward<Args>(args)...)));
}

inline tl::unexpected<Error> Fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace marmoset

// Returns the error of `expression` (a Status or Result) from the enclosing function, if it has one.
#define MARMOSET_TRY(expression)                                                  \
  do {                                                                            \
    if (auto try_result_ = (expression); !try_result_)                            \
      return ::tl::unexpected<::marmoset::Error>(std::move(try_result_).error()); \
  } while (false)

#define MARMOSET_CONCAT_INNER_(a, b) a##b
#define MARMOSET_CONCAT_(a, b) MARMOSET_CONCAT_INNER_(a, b)

// MARMOSET_ASSIGN(auto screen, device.Observe()); declares `screen`, or returns the error.
#define MARMOSET_ASSIGN(declaration, expression) \
  MARMOSET_ASSIGN_(MARMOSET_CONCAT_(assign_result_, __LINE__), declaration, expression)
#define MARMOSET_ASSIGN_(result, declaration, expression)                             \
  auto result = (expression);                                                         \
  if (!result) return ::tl::unexpected<::marmoset::Error>(std::move(result).error()); \
  declaration = std::move(*result)
