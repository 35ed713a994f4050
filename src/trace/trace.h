// A trace: the steps that were done to an app, with all that is needed to do them again elsewhere.
//
// On disk it is one JSON object a line (docs/formats/trace.md): a header, then a step a line. A file whose
// last line is cut off loses that step only. Nothing in it depends on wall time: equal runs give equal bytes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/action.h"
#include "gui/crash.h"
#include "gui/display.h"
#include "gui/selector.h"

namespace marmoset {

// The version of the format that this program writes; newer ones are refused, with the remedy to update.
inline constexpr int kTraceFormat = 1;

struct Step {
  Action action;
  std::optional<Selector> selector;  // What the action touched, where that is known.
  std::string activity;              // In front before the action; empty: not known, or the home screen.
  std::string activity_after;
  uint64_t screen = 0;  // ContentHash of the screen before; 0: not known.
  uint64_t screen_after = 0;
  int64_t at_ms = 0;  // The device's time since Reset, when the action began.

  friend bool operator==(const Step&, const Step&) = default;
};

struct Trace {
  std::string package;
  std::string version_name;
  int64_t version_code = 0;
  std::string apk_sha256;  // Empty: the APK is not known.
  Display display;
  int sdk = 0;                          // Android API level of the recording's device; 0: not known.
  std::string device;                   // DeviceInfo::name of the recording.
  std::string profile;                  // JSON object: what that device was made of, for it alone to read.
  uint64_t seed = 0;                    // Of the device's Reset.
  std::string origin;                   // The command that made it.
  std::optional<CrashSignature> crash;  // What its last step led to.
  std::vector<Step> steps;              // The first is usually a Launch.

  friend bool operator==(const Trace&, const Trace&) = default;
};

// The file's text. Each line ends with its line feed, so that a writer may append. Bytes that are not UTF-8
// are replaced by U+FFFD.
std::string HeaderLine(const Trace& trace);
std::string StepLine(const Step& step);
std::string ToText(const Trace& trace);

// kBadInput with the line and what is wrong with it; kUnsupported for a format from the future. A last line
// without line feed that is not whole JSON is dropped.
Result<Trace> ParseTrace(std::string_view text);

Result<Trace> ReadTrace(const fs::path& path);
Status WriteTrace(const fs::path& path, const Trace& trace);

// "tap 'Split bill'", "enter '12' into 'Amount'", "press BACK": a step as a person would tell it.
std::string Describe(const Step& step);

}  // namespace marmoset
