#include "trace/key_names.h"

#include <iterator>

namespace marmoset {
namespace {

// By code, from 0.
constexpr std::string_view kNames[] = {
#include "trace/key_names.def"
};

}  // namespace

std::string_view KeyName(int64_t code) {
  if (code < 0 || code >= static_cast<int64_t>(std::size(kNames))) return {};
  return kNames[code];
}

std::optional<int> KeyCode(std::string_view name) {
  if (name.starts_with("KEYCODE_")) name.remove_prefix(8);
  for (size_t code = 0; code < std::size(kNames); ++code)
    if (kNames[code] == name) return static_cast<int>(code);
  return std::nullopt;
}

}  // namespace marmoset
