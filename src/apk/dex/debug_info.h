// The debug information of a method: parameter names, the line of each instruction, local variables.

#pragma once

#include <cstdint>
#include <vector>

#include "apk/dex/file.h"
#include "base/error.h"

namespace marmoset::dex {

enum class DebugKind : uint8_t {
  kLine,
  kStartLocal,
  kEndLocal,
  kRestartLocal,
  kPrologueEnd,
  kEpilogueBegin,
  kSetFile,
};

// One step of the state machine. Indices are kNoIndex where the file has none.
struct DebugEvent {
  uint32_t address = 0;  // In code units.
  DebugKind kind = DebugKind::kLine;
  uint32_t line = 0;              // kLine.
  uint32_t reg = 0;               // The locals.
  uint32_t name = kNoIndex;       // A string; kStartLocal, kSetFile.
  uint32_t type = kNoIndex;       // A type; kStartLocal.
  uint32_t signature = kNoIndex;  // A string; kStartLocal.
  friend bool operator==(const DebugEvent&, const DebugEvent&) = default;
};

struct DebugInfo {
  uint32_t first_line = 0;
  std::vector<uint32_t> parameter_names;  // Strings.
  std::vector<DebugEvent> events;         // In order of address.
  friend bool operator==(const DebugInfo&, const DebugInfo&) = default;
};

// kBadInput with the offset when it is malformed. REQUIRES: offset != 0.
Result<DebugInfo> ReadDebugInfo(const DexFile& dex, uint32_t offset);

}  // namespace marmoset::dex
