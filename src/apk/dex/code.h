// A method's code in a form that can be changed: targets are instructions, not distances, so that inserting
// one breaks nothing.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apk/dex/debug_info.h"
#include "apk/dex/file.h"
#include "base/error.h"

namespace marmoset::dex {

// The data behind a switch or fill-array-data.
struct Payload {
  uint16_t kind = 0;              // kPackedSwitchPayload and so on.
  std::vector<int32_t> keys;      // Of a switch; consecutive for a packed one.
  std::vector<uint32_t> targets;  // Instructions, one per key.
  uint16_t width = 0;             // Of an array: bytes per element.
  std::string data;               // Of an array.
  friend bool operator==(const Payload&, const Payload&) = default;
};

struct CodeInstruction {
  Instruction op;       // Its literal is meaningless for branches and payload users.
  uint32_t target = 0;  // Of a branch: an instruction. Of a payload user: a payload.
  friend bool operator==(const CodeInstruction&, const CodeInstruction&) = default;
};

// Instructions are referred to by index; the index behind the last one is the end. TryRange and DebugEvent
// hold such indices here, where those of a file hold addresses.
struct Code {
  uint16_t registers = 0;
  uint16_t ins = 0;
  uint16_t outs = 0;
  std::vector<CodeInstruction> instructions;
  std::vector<Payload> payloads;
  std::vector<TryRange> tries;
  std::optional<DebugInfo> debug;
  friend bool operator==(const Code&, const Code&) = default;
};

// kBadInput when the code is malformed (see DexFile::CheckCode). Debug information that cannot be read is
// left out.
Result<Code> ParseCode(const DexFile& dex, const CodeView& view);

// What EncodeCode makes: units with indices as in the Code, ranges and events with addresses again.
struct EncodedCode {
  std::vector<uint16_t> units;
  std::vector<TryRange> tries;
  std::optional<DebugInfo> debug;
  std::vector<uint32_t> addresses;  // Of each instruction, and of the end.
};

// Chooses the narrowest sufficient form of gotos that have grown, turns conditional branches that cannot
// reach into a branch around a goto/32, strings beyond 65535 into jumbo ones, and places payloads at the end.
// kUnsupported when an operand fits in no form.
Result<EncodedCode> EncodeCode(const Code& code);

// Code to put before instruction `at`.
struct Insertion {
  uint32_t at = 0;
  std::vector<CodeInstruction> code;  // Without branches.
  bool takes_branches =
      false;  // Branches, cases and handlers that lead to `at` lead to the inserted code instead.
  bool outside_tries = false;  // A try range around it is split.
};

// Makes all insertions at once. REQUIRES: in order of `at`; at most the number of instructions.
void Insert(std::vector<Insertion> insertions, Code* code);

}  // namespace marmoset::dex
