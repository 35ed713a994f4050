// MARMOSET_CHECK(condition): an invariant of ours. If it does not hold the program is wrong, not its input,
// so it says where and aborts, in every build.

#pragma once

namespace marmoset {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace marmoset

#define MARMOSET_CHECK(condition)                              \
  do {                                                         \
    if (!(condition)) [[unlikely]]                             \
      ::marmoset::CheckFailed(__FILE__, __LINE__, #condition); \
  } while (false)
