// What changed between two versions of an app: methods first, then classes, resources, the manifest and
// files.
//
// The published comparison (AppDiff, used by ATUA) calls a method changed when its opcodes differ. Here this
// is one of three levels; the default compares what the code means (see dex/method_facts.h) and matches
// methods by name before it looks for moved and renamed ones, so that a copied method hides nothing.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apk/apk_info.h"
#include "apk/dex/method_facts.h"
#include "base/error.h"

namespace marmoset::apk {

enum class DiffLevel {
  kExact,   // Registers, line numbers, resource ids as numbers, forms of instructions.
  kCode,    // Operations, references and resource names, constants, flow.
  kOpcode,  // The opcodes only, as published.
};

Result<DiffLevel> ParseDiffLevel(std::string_view text);

struct DiffOptions {
  DiffLevel level = DiffLevel::kCode;
  // Class prefixes ("com.foo") that count as the app's own code; empty for the packages of the manifest's
  // package and components.
  std::vector<std::string> app_packages;
  bool app_only = false;  // Leave out libraries.
  bool noise = false;     // List also what only a compiler changed.
};

struct MethodChange {
  std::string class_name;  // "com.foo.Bar"
  std::string name;        // "baz"
  std::string descriptor;  // "(I)V"
  std::string reason;  // Of a change: "opcodes", "references", "constants", "flow", "access" …, with commas.
  std::string noise;   // Why it may be the compiler's doing; empty when it is not.
  bool app = false;    // In the app's own packages.
  bool synthetic = false;
  uint32_t old_instructions = 0;
  uint32_t new_instructions = 0;
  std::string old_class_name;  // Of a moved or renamed method.
  std::string old_name;
};

// A named thing that came, went or changed: a class, a resource, an activity, a file.
struct NamedChange {
  std::string what;  // "class", "resource", "activity", "permission" …
  std::string name;
  std::string how;  // "added", "removed", "changed"
  std::string detail;
};

struct ApkDiff {
  ApkInfo old_info;
  ApkInfo new_info;
  std::vector<std::string> old_compilers;
  std::vector<std::string> new_compilers;
  uint64_t old_methods = 0;
  uint64_t new_methods = 0;
  // In order of class, name and descriptor.
  std::vector<MethodChange> changed, added, removed, moved;
  std::vector<NamedChange> classes;  // Their fields, values, superclass …; also added and removed ones.
  std::vector<NamedChange> resources;
  std::vector<NamedChange> manifest;
  std::vector<NamedChange> files;
  std::vector<std::string> problems;  // Methods whose code could not be read; compared byte by byte.

  // Nothing differs, noise and signatures aside.
  bool Same() const;
};

// Errors name the file. REQUIRES: nothing; the two may be any two apps, but then everything has changed.
Result<ApkDiff> DiffApks(const Apk& old_apk, const Apk& new_apk, const DiffOptions& options);

// A report for people; at most `limit` lines per list (0 for all).
std::string DiffText(const ApkDiff& diff, size_t limit);

// Keys `changed`, `added`, `removed`, `moved` (lists of methods), `classes`, `resources`, `manifest`,
// `files`, `summary`.
nlohmann::ordered_json ToJson(const ApkDiff& diff);

// Both versions of one method beside each other, `width` columns wide in all; `what` as in dex/dump.h.
// kNotFound when neither has it.
Result<std::string> SideBySide(const Apk& old_apk, const Apk& new_apk, std::string_view what, size_t width);

}  // namespace marmoset::apk
