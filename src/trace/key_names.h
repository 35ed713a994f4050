// Android's key codes and their names (android.view.KeyEvent), without KEYCODE_.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace marmoset {

// "BACK" for 4; empty for a code that Android does not define.
std::string_view KeyName(int64_t code);

// 4 for "BACK". "KEYCODE_BACK" is understood too.
std::optional<int> KeyCode(std::string_view name);

}  // namespace marmoset
