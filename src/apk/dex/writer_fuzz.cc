// Writing DEX: what is written for any file is right by its checksums and means the same, whether code is
// copied, or taken apart and put together again while all indices shift.

#include <algorithm>
#include <tuple>

#include "apk/dex/method_facts.h"
#include "apk/dex/writer.h"
#include "base/check.h"

namespace marmoset::dex {
namespace {

// Equal for methods that mean the same. Those that cannot be read have only their names.
auto Meaning(const MethodFacts& m) {
  const CodeHashes h = m.problem.empty() ? m.hashes : CodeHashes();
  return std::tuple(m.type, m.name, m.descriptor, m.member.access, h.opcodes, h.references, h.raw_literals,
                    h.flow, h.registers);
}

auto Meaning(const ClassFacts& c) { return std::tuple(c.type, c.declaration, c.fields, c.values); }

// In one order, since a file that is not sorted as it should be comes out sorted.
template <class Fact>
auto Meanings(const std::vector<Fact>& facts) {
  std::vector<decltype(Meaning(facts[0]))> all;
  for (const Fact& fact : facts) all.push_back(Meaning(fact));
  std::sort(all.begin(), all.end());
  return all;
}

void CheckWritten(const AppFacts& before, const Result<std::string>& bytes) {
  if (!bytes) return;
  DexSet set;
  const Result<DexFile> dex = DexFile::Open(apk::Blob(nullptr, *bytes), "written");
  MARMOSET_CHECK(dex);
  MARMOSET_CHECK(dex->ChecksumMatches() && dex->SignatureMatches());
  set.files.push_back(*dex);
  const Result<AppFacts> after = CollectFacts(set, nullptr);
  MARMOSET_CHECK(after);
  MARMOSET_CHECK(Meanings(before.methods) == Meanings(after->methods));
  MARMOSET_CHECK(Meanings(before.classes) == Meanings(after->classes));
}

}  // namespace
}  // namespace marmoset::dex

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::dex;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto dex = DexFile::Open(marmoset::apk::Blob(nullptr, bytes), "fuzz");
  if (!dex) return 0;
  DexSet set;
  set.files.push_back(*dex);
  const auto facts = CollectFacts(set, nullptr);
  if (!facts) return 0;
  CheckWritten(*facts, Writer(&*dex).Write());

  Writer shifted(&*dex);
  (void)shifted.String("\x01 before all others");
  CheckWritten(*facts, shifted.Write([&](const MethodMember&, const CodeView& view) {
    auto code = ParseCode(*dex, view);
    return code ? std::optional(std::move(*code)) : std::nullopt;
  }));
  return 0;
}
