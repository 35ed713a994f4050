// An app made ready for the hosted device: its DEX code converted to Java classes, once per APK, cached by
// the APK's SHA-256 and the converter's version.

#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "device/hosted/installation.h"

namespace marmoset {

struct ConvertedApp {
  fs::path apk;        // The APK to run: the given one, or a repaired copy.
  fs::path jar;        // The converted classes.
  fs::path manifest;   // The manifest as text.
  std::string sha256;  // Of the given APK.
  int64_t classes = 0;
  int64_t methods = 0;
  int64_t native_methods = 0;
  std::vector<std::string> failed_methods;  // Those that could not be converted, with the reason.
  std::vector<std::string> native_libraries;
};

// Converts `apk_file`, or finds it in the cache. `on_work` is called once if there is work to do, which may
// take seconds. kBadInput when the APK is broken, kMissingTool, kCancelled.
Result<ConvertedApp> ConvertApp(const HostedInstallation& installation, const fs::path& apk_file,
                                const std::function<void()>& on_work, std::stop_token stop);

}  // namespace marmoset
