// Namings: which namer is used where, and the decision tree that says which naming a screen gets.
//
// Problem: a single namer for all widgets of an app is too coarse in one place and too fine in another.
//
// Idea: a naming is a list of rules. It begins with one: what can be acted on is named by TYPE, the rest by
// the empty namer. A refinement adds a rule below another: "what has the name X so far is named by the finer
// namer R". Rules thus form a tree, and a node's name is found by going down from the base rule as long as a
// rule below fits. Namings form a tree, too: each is its parent plus one rule. The screen's state is its
// activity, its naming and the set of its names.
//
// Which naming a screen gets is decided per state, not globally. The decision tree is a table (naming, state
// under it) → finer naming: begin with the base naming, compute the state, and go on while there is an
// entry. Refining a state adds an entry; coarsening removes one. So a screen that is not in a refined state
// is untouched by the refinement.
//
// Example: a screen with a list of four rows. Base: {list, row, nothing}. The refinement "row → TYPE+INDEX"
// gives {list, row[0], row[1], row[2], row[3], nothing}, for the screens of this state only.
//
// Naming a screen costs one name per node, plus one comparison per rule below those that fit; results are
// kept per (naming, tree). Paper: Gu et al., ICSE 2019, sections III and IV (L = naming, decision tree). It
// departs from the published program in that a rule's selector is the name itself instead of an XPath text.

#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "explore/namer.h"

namespace marmoset {

using NamingId = int;
using TreeId = int;
using KeyId = int;
inline constexpr NamingId kBaseNaming = 0;

// A rule. The two base rules have no selector.
struct Namelet {
  Name selector = kNoName;
  Namer namer;
  int parent = -1;  // Index of the rule that it stands below.
};
inline constexpr int kInteractiveNamelet = 0, kOtherNamelet = 1;

struct NamedTree {
  std::vector<Name> names;     // By node.
  std::vector<int> namelets;   // By node: the rule that gave the name.
  std::vector<Name> distinct;  // Sorted.
  KeyId key = 0;
};

// All trees, namings and keys of a model, and the decision tree.
class Namings {
 public:
  explicit Namings(NameParameters parameters = {});

  NameTable& names() { return names_; }
  const NameTable& names() const { return names_; }

  // Equal trees get equal numbers.
  TreeId Add(Tree tree);
  const Tree& tree(TreeId id) const { return trees_[static_cast<size_t>(id)]; }
  size_t tree_count() const { return trees_.size(); }

  // The naming with one rule more; the same arguments give the same naming.
  NamingId Extend(NamingId naming, Name selector, Namer namer, int below);
  NamingId ParentOf(NamingId naming) const { return namings_[static_cast<size_t>(naming)].parent; }
  const std::vector<Namelet>& Namelets(NamingId naming) const {
    return namings_[static_cast<size_t>(naming)].namelets;
  }
  // The largest number of primitive namers in any of its rules.
  int Fineness(NamingId naming) const;

  // The tree under a naming. The reference is good until a tree or naming is added.
  const NamedTree& Apply(NamingId naming, TreeId tree);

  // What the decision tree says.
  NamingId NamingOf(TreeId tree);
  void Decide(NamingId naming, KeyId key, NamingId finer) { decisions_[{naming, key}] = finer; }
  void Undecide(NamingId naming, KeyId key) { decisions_.erase({naming, key}); }
  size_t decision_count() const { return decisions_.size(); }

  const std::string& ActivityOf(KeyId key) const { return key_activity_[static_cast<size_t>(key)]; }

 private:
  struct Naming {
    NamingId parent = -1;
    std::vector<Namelet> namelets;
  };

  NameTable names_;
  std::vector<Tree> trees_;
  std::map<uint64_t, std::vector<TreeId>> trees_by_hash_;
  std::vector<Naming> namings_;
  std::map<std::tuple<NamingId, Name, unsigned, int>, NamingId> extensions_;
  std::map<std::pair<NamingId, TreeId>, NamedTree> applied_;
  std::map<std::tuple<std::string, NamingId, std::vector<Name>>, KeyId> keys_;
  std::vector<std::string> key_activity_;
  std::map<std::pair<NamingId, KeyId>, NamingId> decisions_;
};

}  // namespace marmoset
