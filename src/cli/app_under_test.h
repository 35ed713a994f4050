// From what a user names (an APK or an app model, a trace) to a device with that app on it.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "device/device.h"
#include "explore/strategy.h"
#include "trace/trace.h"

namespace marmoset::cli {

// Flags about the device, the same on every verb that needs one.
struct DeviceFlags {
  bool unsafe_no_sandbox = false;
  std::string profile;    // Name of a device profile, or its file.
  std::string display;    // "WIDTHxHEIGHT@DENSITY"
  int sdk = 0;            // SDK level; 0: the profile's.
  bool coverage = false;  // Count the methods that the app enters; set by the verb, no flag of its own.
  void AddTo(CLI::App* verb);
};

// "1080x1920@480", with status and navigation bar of the usual height (24 dp and none) unless ",BAR,BAR" in
// pixels follows. kBadInput.
Result<Display> ParseDisplay(const std::string& text);

struct AppUnderTest {
  std::unique_ptr<Device> device;
  Trace header;                         // Package, version, hash, display; no steps.
  std::vector<std::string> activities;  // Of the manifest, full names; empty for a model.
  std::string launcher;                 // Full name of the launcher activity; empty for a model.
  std::vector<OutsideIntent> intents;   // What other apps may send it; empty for a model.
  std::vector<std::string> texts;       // Of its resources; likewise.
  std::function<void()> renew;          // Gives the device a fresh start of its own (another JVM).
  std::vector<std::string> conversion_failures;
  std::vector<std::string> native_libraries;
};

// Opens `app` (*.apk on the hosted device, *.yaml on the simulated one). The device is made as `recording`
// was taken (profile, display, other apps), where there is one; flags win. The device's own log goes to
// `log`. The header names the given app, also where probes are put into the code that runs.
Result<AppUnderTest> OpenApp(const fs::path& app, const DeviceFlags& flags, const Trace* recording,
                             const fs::path& log, std::stop_token stop);

// The same app on `count` devices, which start at the same time. Their logs are device.log, device-2.log, …
// in `folder`.
Result<std::vector<AppUnderTest>> OpenApps(const fs::path& app, const DeviceFlags& flags,
                                           const Trace* recording, const fs::path& folder, uint32_t count,
                                           std::stop_token stop);

// The app that a trace was recorded with: `chosen` if given (kBadInput when it is another app), else the file
// with the trace's SHA-256 that was last seen on this machine (kNotFound with the remedy).
Result<fs::path> AppOfTrace(const Trace& trace, const std::string& chosen);

// Remembers where an app's file is, for AppOfTrace.
Status RememberApp(const std::string& sha256, const fs::path& app);

}  // namespace marmoset::cli
