// Pairing the methods of two versions.
//
// Methods of the same class, name and descriptor are pairs; a pair whose hashes differ at the chosen level
// has changed. Of what is left over, some is only elsewhere. In order, each step taking what the one before
// has left:
//
//     renumbered   equal but for a compiler's number:   Foo$3.run → Foo$4.run            (noise)
//     renamed      same class, same code:               Foo.go() → Foo.start()
//     moved        same name, same code, other class:   Foo.go() → Bar.go()
//     both         same code alone, if it is long enough to mean something
//
// A step pairs two methods only when neither has another candidate, so that ten equal getters pair with
// nobody. Code is compared by shape: references to the own class count as equal, since a moved method moves
// with its class.
//
// Where this departs from AppDiff, which looks for equal hashes first and names second: a method that was
// renamed and a copy of another can then vanish from the report, and updated code would go untested.

#include "apk/diff_methods.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "apk/app_packages.h"
#include "apk/dex/listing.h"
#include "apk/utf.h"
#include "base/hash.h"

namespace marmoset::apk {
namespace {

using dex::MethodFacts;

constexpr uint32_t kTellingInstructions = 12;

std::string Key(const MethodFacts& m) {
  std::string key;
  key.reserve(m.type.size() + m.name.size() + m.descriptor.size() + 1);
  key += m.type;
  key += m.name;
  key += m.descriptor;
  return key;
}

bool HasCode(const MethodFacts& m) { return m.member.code_off != 0; }

bool SameCode(const MethodFacts& a, const MethodFacts& b) {
  const dex::CodeHashes& x = a.hashes;
  const dex::CodeHashes& y = b.hashes;
  return x.opcodes == y.opcodes && x.references == y.references && x.literals == y.literals &&
         x.flow == y.flow;
}

// What differs, at the level; empty for nothing.
std::string Reason(const MethodFacts& a, const MethodFacts& b, DiffLevel level) {
  const dex::CodeHashes& x = a.hashes;
  const dex::CodeHashes& y = b.hashes;
  if (HasCode(a) != HasCode(b)) return HasCode(b) ? "has code now" : "has no code now";
  if (level == DiffLevel::kOpcode) return x.raw_opcodes == y.raw_opcodes ? "" : "opcodes";
  std::string reason;
  const auto add = [&reason](bool differs, std::string_view what) {
    if (!differs) return;
    if (!reason.empty()) reason += ", ";
    reason += what;
  };
  add(x.opcodes != y.opcodes, "opcodes");
  add(x.references != y.references, "references");
  add(x.literals != y.literals, "constants");
  add(x.flow != y.flow, "flow");
  if (level == DiffLevel::kExact) {
    add(a.member.access != b.member.access, "access");
    add(x.literals == y.literals && x.raw_literals != y.raw_literals, "resource ids");
    add(x.registers != y.registers, "registers");
    add(x.lines != y.lines, "lines");
    add(reason.empty() && (x.exact != y.exact || x.raw_opcodes != y.raw_opcodes), "instruction forms");
  }
  return reason;
}

std::string Noise(const MethodFacts& a, const MethodFacts& b) {
  const dex::CodeHashes& x = a.hashes;
  const dex::CodeHashes& y = b.hashes;
  if (const std::string_view generated = GeneratedClass(b.type); !generated.empty())
    return std::string(generated);
  if (SameCode(a, b)) return HasCode(a) ? "registers, lines or forms" : "";
  if (x.opcodes == y.opcodes && x.unnumbered == y.unnumbered && x.literals == y.literals && x.flow == y.flow)
    return "synthetic numbering";
  return "";
}

class Pairing {
 public:
  Pairing(const dex::AppFacts& old_facts, const dex::AppFacts& new_facts, const DiffOptions& options,
          ApkDiff* diff)
      : old_(old_facts), new_(new_facts), options_(options), diff_(diff) {}

  void Run() {
    std::unordered_map<std::string, const MethodFacts*> by_key;
    by_key.reserve(old_.methods.size());
    for (const MethodFacts& m : old_.methods) by_key.emplace(Key(m), &m);
    for (const MethodFacts& m : new_.methods) {
      if (!m.problem.empty()) diff_->problems.push_back(m.problem);
      const auto it = by_key.find(Key(m));
      if (it == by_key.end()) {
        left_new_.push_back(&m);
        continue;
      }
      const MethodFacts& before = *it->second;
      by_key.erase(it);
      std::string reason = Reason(before, m, options_.level);
      if (reason.empty()) continue;
      MethodChange change = Describe(m);
      change.reason = std::move(reason);
      change.noise = Noise(before, m);
      change.old_instructions = before.instructions;
      Add(std::move(change), &diff_->changed);
    }
    for (const MethodFacts& m : old_.methods) {
      const auto it = by_key.find(Key(m));
      if (it != by_key.end() && it->second == &m) left_old_.push_back(&m);
    }
    PairLeft([](const MethodFacts& m) {
      return dex::Unnumbered(m.type) + dex::Unnumbered(m.name) + dex::Unnumbered(m.descriptor) +
             (HasCode(m) ? Hex64(m.hashes.opcodes) + Hex64(m.hashes.unnumbered) : "");
    });
    PairLeft([](const MethodFacts& m) {
      return HasCode(m) ? std::string(m.type) + std::string(m.descriptor) + Hex64(m.hashes.shape) : "";
    });
    PairLeft([](const MethodFacts& m) {
      return HasCode(m) && m.name != "<init>" && m.name != "<clinit>"
                 ? std::string(m.name) + std::string(m.descriptor) + Hex64(m.hashes.shape)
                 : "";
    });
    PairLeft([](const MethodFacts& m) {
      return m.instructions >= kTellingInstructions ? std::string(m.descriptor) + Hex64(m.hashes.shape) : "";
    });
    for (const MethodFacts* m : left_new_) {
      MethodChange change = Describe(*m);
      change.noise = GeneratedClass(m->type);
      Add(std::move(change), &diff_->added);
    }
    for (const MethodFacts* m : left_old_) {
      MethodChange change = Describe(*m);
      std::swap(change.old_instructions, change.new_instructions);
      change.noise = GeneratedClass(m->type);
      Add(std::move(change), &diff_->removed);
    }
    for (std::vector<MethodChange>* list : {&diff_->changed, &diff_->added, &diff_->removed, &diff_->moved}) {
      std::stable_sort(list->begin(), list->end(), [](const MethodChange& a, const MethodChange& b) {
        return std::tie(a.class_name, a.name, a.descriptor) < std::tie(b.class_name, b.name, b.descriptor);
      });
    }
  }

 private:
  MethodChange Describe(const MethodFacts& m) const {
    MethodChange change;
    change.class_name = ModifiedToUtf8(dex::JavaName(m.type));
    change.name = ModifiedToUtf8(m.name);
    change.descriptor = ModifiedToUtf8(m.descriptor);
    change.app = InPackages(m.type, options_.app_packages);
    change.synthetic = (m.member.access & dex::kSynthetic) != 0;
    change.new_instructions = m.instructions;
    return change;
  }

  void Add(MethodChange change, std::vector<MethodChange>* list) const {
    if (options_.app_only && !change.app) return;
    // At the exact level the compiler's doing is what was asked for.
    if (!options_.noise && options_.level == DiffLevel::kCode && !change.noise.empty()) return;
    list->push_back(std::move(change));
  }

  // Pairs what has the same key on both sides, if only once on each. An empty key is none.
  template <class KeyOf>
  void PairLeft(KeyOf key_of) {
    struct Both {
      std::vector<const MethodFacts*> before, after;
    };
    std::map<std::string, Both> groups;
    for (const MethodFacts* m : left_old_) {
      if (std::string key = key_of(*m); !key.empty()) groups[std::move(key)].before.push_back(m);
    }
    for (const MethodFacts* m : left_new_) {
      if (std::string key = key_of(*m); !key.empty()) groups[std::move(key)].after.push_back(m);
    }
    std::vector<const MethodFacts*> paired;
    for (const auto& [key, both] : groups) {
      if (both.before.size() != 1 || both.after.size() != 1) continue;
      const MethodFacts& before = *both.before[0];
      const MethodFacts& after = *both.after[0];
      MethodChange change = Describe(after);
      change.old_class_name = ModifiedToUtf8(dex::JavaName(before.type));
      change.old_name = ModifiedToUtf8(before.name);
      change.old_instructions = before.instructions;
      if (dex::Unnumbered(before.type) == dex::Unnumbered(after.type) &&
          dex::Unnumbered(before.name) == dex::Unnumbered(after.name))
        change.noise = "synthetic numbering";
      change.reason = before.type == after.type   ? "renamed"
                      : before.name == after.name ? "moved"
                                                  : "moved and renamed";
      paired.push_back(&before);
      paired.push_back(&after);
      Add(std::move(change), &diff_->moved);
    }
    std::sort(paired.begin(), paired.end());
    const auto is_paired = [&](const MethodFacts* m) {
      return std::binary_search(paired.begin(), paired.end(), m);
    };
    std::erase_if(left_old_, is_paired);
    std::erase_if(left_new_, is_paired);
  }

  const dex::AppFacts& old_;
  const dex::AppFacts& new_;
  const DiffOptions& options_;
  ApkDiff* diff_;
  std::vector<const MethodFacts*> left_old_, left_new_;
};

}  // namespace

void DiffMethods(const dex::AppFacts& old_facts, const dex::AppFacts& new_facts, const DiffOptions& options,
                 ApkDiff* diff) {
  Pairing(old_facts, new_facts, options, diff).Run();
}

std::string_view GeneratedClass(std::string_view type) {
  const size_t slash = type.rfind('/');
  const std::string_view simple = slash == std::string_view::npos ? type : type.substr(slash + 1);
  if (simple == "R;" || simple.substr(0, 2) == "R$") return "resource ids";
  if (simple == "BuildConfig;") return "build stamp";
  return "";
}

}  // namespace marmoset::apk
