// Real files for tests that want them, in the folder that the environment variable MARMOSET_TEST_DATA names.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/file.h"

namespace marmoset::apk::testing {

// All APKs below the folder, in order of name; empty when there is none or the variable is not set.
inline std::vector<std::string> RealApks() {
  std::vector<std::string> files;
  const char* folder = std::getenv("MARMOSET_TEST_DATA");
  if (folder == nullptr || !fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".apk") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace marmoset::apk::testing

#define MARMOSET_NEED_REAL_APKS(files)                                         \
  const std::vector<std::string> files = ::marmoset::apk::testing::RealApks(); \
  if (files.empty()) GTEST_SKIP() << "MARMOSET_TEST_DATA names no folder with APK files"
