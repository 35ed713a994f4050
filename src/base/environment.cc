#include "base/environment.h"

#include <unistd.h>

#include <cstdlib>

namespace marmoset {

std::optional<std::string> EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

fs::path ExecutablePath() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path CacheFolder() {
  if (const auto cache = EnvironmentVariable("XDG_CACHE_HOME")) return fs::path(*cache) / "marmoset";
  if (const auto home = EnvironmentVariable("HOME")) return fs::path(*home) / ".cache" / "marmoset";
  return fs::temp_directory_path() / "marmoset-cache";
}

bool IsTerminal() { return ::isatty(STDERR_FILENO) == 1 && !EnvironmentVariable("NO_COLOR"); }

}  // namespace marmoset
