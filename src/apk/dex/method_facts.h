// What of an app's methods can be compared: for each one a few hashes, over the opcodes, the references, the
// constants, the flow, and so on. The diff is made of these alone.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apk/dex/dump.h"
#include "apk/resource_table.h"
#include "base/error.h"

namespace marmoset::dex {

// Hashes of one method's code, over streams in which indices are replaced by what they name. All 0 without
// code.
struct CodeHashes {
  uint64_t raw_opcodes = 0;  // Opcodes as they are: the comparison that was published.
  uint64_t opcodes =
      0;  // With the forms of one operation made equal (const/4 = const/16, goto = goto/32 …), no nops.
  uint64_t references = 0;  // Strings, types, fields, methods in order.
  uint64_t unnumbered =
      0;                  // The same, with the numbers that compilers give to lambdas and the like left out.
  uint64_t literals = 0;  // Constants and array data; resource ids by name.
  uint64_t raw_literals = 0;  // Constants and array data as they are.
  uint64_t flow = 0;          // Targets as ordinals, cases of switches, try ranges and handlers.
  uint64_t registers = 0;     // The register operands in order; a range is spelled out.
  uint64_t exact = 0;         // Registers and units too, references by name.
  uint64_t lines = 0;         // The line table.
  uint64_t shape = 0;         // Everything but registers, with references to the own class made equal.
};

// Views point into the DEX files and the pool of the set.
struct MethodFacts {
  std::string_view type;        // "Lcom/foo/Bar;"
  std::string_view name;        // Modified UTF-8, as in the file.
  std::string_view descriptor;  // "(I)V"
  uint32_t file = 0;            // An index into the set's files.
  MethodMember member{};
  uint32_t instructions = 0;
  uint32_t units = 0;
  std::string problem;  // Why the code could not be read, if so; its hash is then that of its bytes.
  CodeHashes hashes;
};

struct ClassFacts {
  std::string_view type;
  uint32_t file = 0;
  uint32_t access = 0;
  uint64_t declaration = 0;  // Access flags, superclass, interfaces.
  uint64_t fields = 0;       // Names, types and flags.
  uint64_t values = 0;       // Initial values of static fields.
};

struct AppFacts {
  std::vector<ClassFacts> classes;   // The first definition of each name, which is the one that runs.
  std::vector<MethodFacts> methods;  // Of these classes.
  std::vector<std::string>
      compilers;  // The markers that D8 and R8 leave behind ("~~D8{…}"), without repetition.
  std::vector<std::vector<std::string>> protos;  // Per file: what `descriptor` points into.
};

// `resources` may be null: resource ids then count as numbers. The set must outlive the result. kBadInput
// when a class's members cannot be read at all.
Result<AppFacts> CollectFacts(const DexSet& set, const apk::ResourceTable* resources);

// A name without the numbers that compilers give: "Foo$$ExternalSyntheticLambda#", "lambda$run$#",
// "access$#".
std::string Unnumbered(std::string_view name);

}  // namespace marmoset::dex
