// A small DEX file for tests, with one of everything: a branch, a switch, an array, a try range, a string.

#pragma once

#include <string>

#include "apk/dex/code.h"

namespace marmoset::apk::testing {

struct SmallDexOptions {
  std::string text = "hello";  // What the method's string says.
  std::string method = "run";  // Its name.
  std::string type = "Lapp/Main;";
  int32_t constant = 7;
  uint16_t extra_registers = 0;
  uint32_t padding = 0;  // So many nops before the branch's target.
};

// Class Main with `static int run(int)`.
std::string BuildSmallDex(const SmallDexOptions& options = {});

// An APK with it.
std::string BuildApkWith(const std::string& dex);

// An instruction with single registers, a literal, an index, a target.
dex::CodeInstruction TestOp(uint8_t opcode, std::initializer_list<uint16_t> registers = {},
                            int64_t literal = 0, uint32_t index = 0, uint32_t target = 0);

}  // namespace marmoset::apk::testing
