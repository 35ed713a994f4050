// Namers: which attributes of a widget make its name.
//
// Problem: a model of an app needs to know when two widgets (of one screen, or of two) are "the same". Keep
// all attributes and every row of every list is something new; keep only the class and a calculator has one
// key. No fixed choice suits all apps, so APE chooses for each place anew while it runs.
//
// Example: a list of the rows "Rent", "Food", "Fuel". The namer TYPE gives all three one name; TYPE+INDEX and
// TYPE+TEXT give three, but only TYPE+INDEX still knows the rows when their texts change.
//
// Idea: there are five primitive namers. TYPE keeps class and resource id, INDEX the position among the
// siblings, TEXT text and description, PARENT the current name of the parent, ANCESTOR what the same namer
// keeps of all ancestors (with PARENT: what each ancestor's own namer keeps). Any set of them is a namer;
// sets ordered by inclusion are the lattice: the empty namer, which keeps nothing, is the coarsest, the set
// of all five the finest. A finer namer never joins what a coarser one tells apart. Whatever the namer, a
// name also says what can be done with the widget, so that the actions of a name are known from the name.
//
// A name is a number: names, and the texts in them, are interned in a NameTable. A name can also be asked
// whether it fits a node (Fits); this is what the paper uses XPath expressions for. Naming a node costs one
// look-up in a hash table.
//
// Paper: Gu et al., "Practical GUI Testing of Android Applications via Model Abstraction and Refinement",
// ICSE 2019, section III (attribute path = name, reducer = namer). It departs from the published program in
// that descriptions are cut like texts, quotes are kept (no XPath needs escaping), a long-clickable widget
// does not count as clickable for it, what is typed into a field is no part of its name, and screenshots are
// not looked at.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explore/strategy.h"
#include "gui/screen.h"

namespace marmoset {

// A set of primitive namers.
class Namer {
 public:
  constexpr Namer() = default;
  constexpr explicit Namer(unsigned bits) : bits_(static_cast<uint8_t>(bits)) {}

  static const Namer kNothing, kType, kIndex, kParent, kText, kAncestor, kAll;

  constexpr unsigned bits() const { return bits_; }
  // The number of primitive namers.
  int fineness() const;
  constexpr bool Has(Namer part) const { return (bits_ & part.bits_) == part.bits_; }
  // Keeps more: a strict superset.
  constexpr bool IsFinerThan(Namer other) const { return bits_ != other.bits_ && Has(other); }

  friend constexpr Namer operator|(Namer a, Namer b) { return Namer(unsigned{a.bits_} | b.bits_); }  // Join.
  friend constexpr Namer operator&(Namer a, Namer b) { return Namer(unsigned{a.bits_} & b.bits_); }  // Meet.
  friend constexpr bool operator==(Namer, Namer) = default;

 private:
  uint8_t bits_ = 0;
};

inline constexpr Namer Namer::kNothing{0}, Namer::kType{1}, Namer::kIndex{2}, Namer::kParent{4},
    Namer::kText{8}, Namer::kAncestor{16}, Namer::kAll{31};

// "TYPE+INDEX"; "NOTHING".
std::string ToString(Namer namer);

// All finer namers in the order in which they are tried: the fewer primitives the earlier, then in the order
// TYPE, INDEX, PARENT, TEXT, ANCESTOR.
std::vector<Namer> FinerNamers(Namer namer);

// What can be done with a widget.
inline constexpr uint8_t kCanClick = 1, kCanCheck = 2, kCanLongClick = 4, kCanScrollUpDown = 8,
                         kCanScrollSideways = 16, kIsEnabled = 32, kCanType = 64;
inline constexpr uint8_t kIsInteractive =
    kCanClick | kCanCheck | kCanLongClick | kCanScrollUpDown | kCanScrollSideways | kCanType;

// A widget with its strings interned.
struct TreeNode {
  int parent = -1;  // Index in Tree::nodes.
  uint32_t index = 0;
  uint32_t type = 0;
  uint32_t text = 0;
  uint8_t flags = 0;
  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

// What the model knows of a screen: of the front-most window, without empty widgets, in pre-order. Trees that
// no namer can tell apart are equal.
struct Tree {
  std::string activity;
  // A question of the system that is answered by yes or no, whatever its buttons look like.
  bool is_question = false;
  std::vector<TreeNode> nodes;
  friend bool operator==(const Tree&, const Tree&) = default;
};

using Name = uint32_t;  // An index in a NameTable.
inline constexpr Name kNoName = 0;

struct NameParameters {
  size_t text_length = 8;  // Bytes of text and of description that are kept.
};

class NameTable {
 public:
  // What a name says. The zeros of fields that the namer does not keep never stand for a value.
  struct Entry {
    Namer namer;
    uint8_t flags = 0;
    uint32_t index = 0;  // Plus 1.
    uint32_t type = 0;
    uint32_t text = 0;
    Name parent = kNoName;
    Name ancestors = kNoName;  // A chain of entries linked by `parent`, nearest first.
    friend auto operator<=>(const Entry& a, const Entry& b) { return a.Tuple() <=> b.Tuple(); }
    friend bool operator==(const Entry& a, const Entry& b) { return a.Tuple() == b.Tuple(); }

   private:
    std::array<uint32_t, 7> Tuple() const {
      return {namer.bits(), flags, index, type, text, parent, ancestors};
    }
  };

  explicit NameTable(NameParameters parameters = {}) : parameters_(parameters), entries_(1), strings_(1) {}

  // `widget_of`, if given, receives for each node the widget that it stands for. Widgets that `limits` forbid
  // are in the tree, but nothing can be done with them.
  Tree MakeTree(const Screen& screen, const WidgetLimits& limits,
                std::vector<WidgetRef>* widget_of = nullptr);

  // The name of a node by `namer`. `names` and `namers` hold what was given to the nodes before it.
  Name NameOf(const Tree& tree, int node, Namer namer, const std::vector<Name>& names,
              const std::vector<Namer>& namers);

  // Whether the node has the attributes that the name keeps, its ancestors included.
  bool Fits(Name name, const Tree& tree, int node) const;

  const Entry& At(Name name) const { return entries_[name]; }
  // For people: "Button#save[2]'Save'".
  std::string Describe(Name name) const;
  size_t size() const { return entries_.size(); }

 private:
  Entry Local(const TreeNode& node, Namer namer) const;
  static bool FitsLocally(const Entry& entry, const TreeNode& node);
  Name Intern(const Entry& entry);
  uint32_t InternString(std::string string);

  const NameParameters parameters_;
  std::vector<Entry> entries_;
  std::map<Entry, Name> ids_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, uint32_t> string_ids_;
};

}  // namespace marmoset
