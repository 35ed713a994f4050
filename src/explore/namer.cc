#include "explore/namer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace marmoset {
namespace {

constexpr std::array<std::string_view, 5> kPrimitives = {"TYPE", "INDEX", "PARENT", "TEXT", "ANCESTOR"};

int SumOfOrdinals(Namer namer) {
  int sum = 0;
  for (unsigned i = 0; i < kPrimitives.size(); ++i)
    if (namer.Has(Namer(1u << i))) sum += static_cast<int>(i);
  return sum;
}

// Directions are guessed from the class: uiautomator says only that something scrolls.
uint8_t ScrollDirections(std::string_view class_name) {
  const std::string_view name = ShortName(class_name);
  constexpr std::array<std::string_view, 5> up_down = {"ScrollView", "ListView", "ExpandableListView",
                                                       "VerticalGridView", "NestedScrollView"};
  constexpr std::array<std::string_view, 4> sideways = {"HorizontalScrollView", "HorizontalGridView",
                                                        "ViewPager", "ViewPager2"};
  if (std::find(up_down.begin(), up_down.end(), name) != up_down.end()) return kCanScrollUpDown;
  if (std::find(sideways.begin(), sideways.end(), name) != sideways.end()) return kCanScrollSideways;
  return kCanScrollUpDown | kCanScrollSideways;
}

uint8_t FlagsOf(const Widget& w, bool permitted) {
  uint8_t flags = w.enabled ? kIsEnabled : 0;
  if (!permitted) return flags;
  if (w.clickable) flags |= kCanClick;
  if (w.checkable) flags |= kCanCheck;
  if (w.long_clickable) flags |= kCanLongClick;
  if (w.editable) flags |= kCanType;
  if (w.scrollable) flags |= ScrollDirections(w.class_name);
  return flags;
}

}  // namespace

int Namer::fineness() const { return std::popcount(unsigned{bits_}); }

std::string ToString(Namer namer) {
  std::string text;
  for (unsigned i = 0; i < kPrimitives.size(); ++i) {
    if (!namer.Has(Namer(1u << i))) continue;
    if (!text.empty()) text += '+';
    text += kPrimitives[i];
  }
  return text.empty() ? "NOTHING" : text;
}

std::vector<Namer> FinerNamers(Namer namer) {
  std::vector<Namer> finer;
  for (unsigned bits = 0; bits <= Namer::kAll.bits(); ++bits)
    if (Namer(bits).IsFinerThan(namer)) finer.push_back(Namer(bits));
  std::stable_sort(finer.begin(), finer.end(), [](Namer a, Namer b) {
    return std::pair(a.fineness(), SumOfOrdinals(a)) < std::pair(b.fineness(), SumOfOrdinals(b));
  });
  return finer;
}

Tree NameTable::MakeTree(const Screen& screen, const WidgetLimits& limits,
                         std::vector<WidgetRef>* widget_of) {
  Tree tree;
  tree.activity = screen.activity;
  std::vector<int> node_of;  // By widget; of an empty one, its nearest ancestor's.
  for (const WidgetRef ref : ReachableWidgets(screen)) {
    const Widget& w = marmoset::At(screen, ref);
    const int parent = w.parent < 0 ? -1 : node_of[static_cast<size_t>(w.parent)];
    if (w.bounds.empty()) {
      node_of.push_back(parent);
      continue;
    }
    TreeNode node;
    node.parent = parent;
    node.index = static_cast<uint32_t>(w.index);
    node.type = InternString(w.class_name + "#" + w.resource_id);
    const std::string text = w.editable ? "" : w.text.substr(0, parameters_.text_length);
    node.text = InternString(text + "\n" + w.description.substr(0, parameters_.text_length));
    node.flags = FlagsOf(w, limits.Permits(w));
    node_of.push_back(static_cast<int>(tree.nodes.size()));
    tree.nodes.push_back(node);
    if (widget_of) widget_of->push_back(ref);
  }
  return tree;
}

NameTable::Entry NameTable::Local(const TreeNode& node, Namer namer) const {
  Entry entry;
  entry.namer = namer;
  if (namer.Has(Namer::kIndex)) entry.index = node.index + 1;
  if (namer.Has(Namer::kType)) entry.type = node.type;
  if (namer.Has(Namer::kText)) entry.text = node.text;
  return entry;
}

Name NameTable::NameOf(const Tree& tree, int node, Namer namer, const std::vector<Name>& names,
                       const std::vector<Namer>& namers) {
  const TreeNode& n = tree.nodes[static_cast<size_t>(node)];
  Entry entry = Local(n, namer);
  entry.flags = n.flags;
  if (namer.Has(Namer::kParent) && n.parent >= 0) entry.parent = names[static_cast<size_t>(n.parent)];
  if (namer.Has(Namer::kAncestor)) {
    std::vector<Entry> chain;
    for (int a = n.parent; a >= 0; a = tree.nodes[static_cast<size_t>(a)].parent)
      chain.push_back(Local(tree.nodes[static_cast<size_t>(a)],
                            namer.Has(Namer::kParent) ? namers[static_cast<size_t>(a)] : namer));
    for (size_t i = chain.size(); i-- > 0;) {
      chain[i].parent = entry.ancestors;
      entry.ancestors = Intern(chain[i]);
    }
  }
  return Intern(entry);
}

bool NameTable::FitsLocally(const Entry& entry, const TreeNode& node) {
  return (!entry.namer.Has(Namer::kIndex) || entry.index == node.index + 1) &&
         (!entry.namer.Has(Namer::kType) || entry.type == node.type) &&
         (!entry.namer.Has(Namer::kText) || entry.text == node.text);
}

bool NameTable::Fits(Name name, const Tree& tree, int node) const {
  const TreeNode& n = tree.nodes[static_cast<size_t>(node)];
  const Entry& entry = At(name);
  if (entry.flags != n.flags || !FitsLocally(entry, n)) return false;
  if (entry.namer.Has(Namer::kParent)) {
    if ((n.parent < 0) != (entry.parent == kNoName)) return false;
    if (n.parent >= 0 && !Fits(entry.parent, tree, n.parent)) return false;
  }
  if (!entry.namer.Has(Namer::kAncestor)) return true;
  Name wanted = entry.ancestors;
  int ancestor = n.parent;
  for (; ancestor >= 0 && wanted != kNoName; wanted = At(wanted).parent) {
    if (!FitsLocally(At(wanted), tree.nodes[static_cast<size_t>(ancestor)])) return false;
    ancestor = tree.nodes[static_cast<size_t>(ancestor)].parent;
  }
  return ancestor < 0 && wanted == kNoName;
}

std::string NameTable::Describe(Name name) const {
  const Entry& entry = At(name);
  std::string text = entry.parent == kNoName ? "" : Describe(entry.parent) + "/";
  if (entry.type != 0) {
    const std::string& type = strings_[entry.type];
    const size_t hash = type.find('#');
    text += ShortName(type.substr(0, hash));
    if (hash + 1 < type.size()) text += '#' + std::string(ShortName(type.substr(hash + 1)));
  } else {
    text += '*';
  }
  if (entry.index != 0) text += fmt::format("[{}]", entry.index - 1);
  if (entry.text != 0)
    text += fmt::format("'{}'", strings_[entry.text].substr(0, strings_[entry.text].find('\n')));
  return text;
}

Name NameTable::Intern(const Entry& entry) {
  const auto [it, added] = ids_.emplace(entry, static_cast<Name>(entries_.size()));
  if (added) entries_.push_back(entry);
  return it->second;
}

uint32_t NameTable::InternString(std::string string) {
  const auto [it, added] = string_ids_.emplace(string, static_cast<uint32_t>(strings_.size()));
  if (added) strings_.push_back(std::move(string));
  return it->second;
}

}  // namespace marmoset
