#include "cli/verb.h"

#include <algorithm>
#include <cstdio>

#include "base/clock.h"
#include "base/environment.h"

namespace marmoset::cli {
namespace {

constexpr int64_t kRedrawMs = 100;
constexpr int64_t kLogMs = 30'000;
constexpr size_t kProgressWidth = 100;

}  // namespace

ExitCode ExitCodeFor(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kBadInput:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnsupported:
      return kUsage;
    case ErrorCode::kNothingToDo:
      return kNothingToRun;
    case ErrorCode::kIo:
    case ErrorCode::kMissingTool:
    case ErrorCode::kDeviceLost:
    case ErrorCode::kTimeout:
      return kInfrastructure;
    case ErrorCode::kCancelled:
      return kCancelled;
    case ErrorCode::kInternal:
      return kInternalError;
  }
  return kInternalError;
}

CLI::App* AddVerb(CLI::App& root, const std::string& name, const std::string& description,
                  const std::string& examples) {
  CLI::App* verb = root.add_subcommand(name, description);
  verb->footer("Examples:\n" + examples);
  return verb;
}

ProgressLine::ProgressLine() : enabled_(IsTerminal()), shown_at_ms_(SystemClock().NowMs()) {}
ProgressLine::~ProgressLine() { Erase(); }

void ProgressLine::Erase() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::Show(const std::string& text) {
  const int64_t now = SystemClock().NowMs();
  if (!enabled_) {
    if (now - shown_at_ms_ < kLogMs) return;
    shown_at_ms_ = now;
    std::fprintf(stderr, "%s\n", text.c_str());
    return;
  }
  if (shown_ && now - shown_at_ms_ < kRedrawMs) return;
  shown_at_ms_ = now;
  // Cut at a character's border: a line that wraps could not be erased.
  size_t size = 0, width = 0;
  while (size < text.size() && width < kProgressWidth) {
    do ++size;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80);
    ++width;
  }
  std::fprintf(stderr, "\r\033[K%s", text.substr(0, size).c_str());
  std::fflush(stderr);
  shown_ = true;
}

std::string Bar(double fraction) {
  constexpr int kWidth = 20;
  const int full = std::clamp(static_cast<int>(fraction * kWidth), 0, kWidth);
  return "[" + std::string(static_cast<size_t>(full), '#') +
         std::string(static_cast<size_t>(kWidth - full), '-') + "]";
}

Result<fs::path> OutputFolder(const std::string& chosen, const std::string& name) {
  fs::path folder = chosen;
  if (chosen.empty()) {
    folder = fs::path("marmoset-out") / name;
    for (int i = 2; fs::exists(folder); ++i)
      folder = fs::path("marmoset-out") / fmt::format("{}-{}", name, i);
  }
  MARMOSET_TRY(MakeWritableFolder(folder));
  return folder;
}

}  // namespace marmoset::cli
