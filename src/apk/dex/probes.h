// Method and block coverage: a probe at the entry of each method and, if wanted, of each basic block.
//
// A probe marks its number in an array of a tiny runtime class, `marmoset.Probe`, which goes into a DEX file
// of its own:
//
//     public final class Probe {
//       public static boolean[] hits = new boolean[N];
//       public static void hit(int id) { boolean[] all = hits; if (id < all.length) all[id] = true; }
//     }
//
// Whoever runs the app reads `hits`; the table of probes says what each number stands for.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apk/dex/dump.h"
#include "base/error.h"

namespace marmoset::dex {

constexpr std::string_view kProbeClass = "Lmarmoset/Probe;";

struct ProbeOptions {
  bool blocks = false;                // Basic blocks too, not only methods.
  std::vector<std::string> packages;  // Class prefixes ("com.foo") to instrument; empty for all.
};

struct Probe {
  uint32_t id = 0;
  std::string class_name;  // "com.foo.Bar"
  std::string method;
  std::string descriptor;
  bool entry = false;    // Of the method; otherwise of a block.
  uint32_t address = 0;  // Of the block in the original code, in units.
  uint32_t line = 0;     // 0 when unknown.
};

struct SkippedMethod {
  std::string method;  // "Lcom/foo/Bar;->baz(I)V"
  std::string reason;
};

struct InstrumentedDex {
  std::vector<std::string> files;  // Contents, in the order of the input, then that of the runtime class.
  std::vector<Probe> probes;       // In order of id, from 0 on.
  std::vector<SkippedMethod> skipped;
  uint64_t without_code = 0;  // Abstract and native methods.
};

// Instruments every method that can be; a method that cannot (too many registers, malformed code, no room for
// the probe's method id in its file) stays as it is and is listed with the reason. kBadInput when a file
// cannot be rewritten at all.
Result<InstrumentedDex> Instrument(const DexSet& set, const ProbeOptions& options);

// Keys: `probes` (id, class, method, descriptor, kind, address, line), `skipped`, `without_code`.
nlohmann::ordered_json ProbeTable(const InstrumentedDex& dex);

}  // namespace marmoset::dex
