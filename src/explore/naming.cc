#include "explore/naming.h"

#include <algorithm>

#include "base/hash.h"

namespace marmoset {

Namings::Namings(NameParameters parameters) : names_(parameters) {
  namings_.push_back({-1, {{kNoName, Namer::kType, -1}, {kNoName, Namer::kNothing, -1}}});
}

TreeId Namings::Add(Tree tree) {
  std::string bytes = tree.activity;
  for (const TreeNode& n : tree.nodes)
    bytes += fmt::format("|{},{},{},{},{}", n.parent, n.index, n.type, n.text, n.flags);
  std::vector<TreeId>& same = trees_by_hash_[Hash64(bytes)];
  for (const TreeId id : same)
    if (this->tree(id) == tree) return id;
  same.push_back(static_cast<TreeId>(trees_.size()));
  trees_.push_back(std::move(tree));
  return same.back();
}

NamingId Namings::Extend(NamingId naming, Name selector, Namer namer, int below) {
  const auto [it, added] = extensions_.emplace(std::tuple(naming, selector, namer.bits(), below),
                                               static_cast<NamingId>(namings_.size()));
  if (added) {
    Naming extended{naming, Namelets(naming)};
    extended.namelets.push_back({selector, namer, below});
    namings_.push_back(std::move(extended));
  }
  return it->second;
}

int Namings::Fineness(NamingId naming) const {
  int most = 0;
  for (const Namelet& n : Namelets(naming)) most = std::max(most, n.namer.fineness());
  return most;
}

const NamedTree& Namings::Apply(NamingId naming, TreeId id) {
  const auto known = applied_.find({naming, id});
  if (known != applied_.end()) return known->second;
  const Tree& tree = this->tree(id);
  const std::vector<Namelet>& namelets = Namelets(naming);
  NamedTree named;
  std::vector<Namer> namers;
  for (int node = 0; node < static_cast<int>(tree.nodes.size()); ++node) {
    const bool interactive = (tree.nodes[static_cast<size_t>(node)].flags & kIsInteractive) != 0;
    int rule = interactive ? kInteractiveNamelet : kOtherNamelet;
    // A rule stands after the one that it is below, so one pass goes all the way down. Of two rules below the
    // same one the older comes first: the younger was made for what the older did not fit.
    for (int i = kOtherNamelet + 1; i < static_cast<int>(namelets.size()); ++i) {
      const Namelet& n = namelets[static_cast<size_t>(i)];
      if (n.parent == rule && names_.Fits(n.selector, tree, node)) rule = i;
    }
    const Namer namer = namelets[static_cast<size_t>(rule)].namer;
    named.names.push_back(names_.NameOf(tree, node, namer, named.names, namers));
    named.namelets.push_back(rule);
    namers.push_back(namer);
  }
  named.distinct = named.names;
  std::sort(named.distinct.begin(), named.distinct.end());
  named.distinct.erase(std::unique(named.distinct.begin(), named.distinct.end()), named.distinct.end());
  const auto [it, added] = keys_.emplace(std::tuple(tree.activity, naming, named.distinct),
                                         static_cast<KeyId>(key_activity_.size()));
  if (added) key_activity_.push_back(tree.activity);
  named.key = it->second;
  return applied_.emplace(std::pair(naming, id), std::move(named)).first->second;
}

NamingId Namings::NamingOf(TreeId tree) {
  NamingId naming = kBaseNaming;
  for (;;) {
    const auto it = decisions_.find({naming, Apply(naming, tree).key});
    if (it == decisions_.end()) return naming;
    naming = it->second;
  }
}

}  // namespace marmoset
