// An app made ready for the hosted device: its DEX code converted to Java classes, once per APK, cached by
// the APK's SHA-256 and the converter's version. Where its coverage is wanted, every method gets a probe
// before (apk/dex/probes.h); all else that the app can see of itself is the given APK.

#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "device/hosted/installation.h"
#include "gui/method.h"

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
  std::vector<AppMethod> probed_methods;  // Those with a probe, by its number; empty without probes.
};

// Converts `apk_file`, or finds it in the cache. `on_work` is called once if there is work to do, which may
// take seconds. kBadInput when the APK is broken, kMissingTool, kCancelled; kUnsupported when `probes` are
// wanted and cannot be put into it (without them it may still run).
Result<ConvertedApp> ConvertApp(const HostedInstallation& installation, const fs::path& apk_file, bool probes,
                                const std::function<void()>& on_work, std::stop_token stop);

}  // namespace marmoset
