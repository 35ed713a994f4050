#include "reduce/hierarchy.h"

#include <algorithm>

#include "base/check.h"

namespace marmoset {

Hierarchy::Hierarchy(std::vector<uint32_t> parents)
    : parents_(std::move(parents)), levels_(parents_.size()), ends_(parents_.size()) {
  for (uint32_t i = 0; i < parents_.size(); ++i) {
    const uint32_t parent = parents_[i];
    MARMOSET_CHECK(parent == kRoot || parent < i);
    levels_[i] = parent == kRoot ? 1 : levels_[parent] + 1;
    // In preorder the parent is the previous node or one of its ancestors.
    uint32_t up = i == 0 ? kRoot : i - 1;
    while (up != kRoot && up != parent) up = parents_[up];
    MARMOSET_CHECK(up == parent);
    depth_ = std::max(depth_, levels_[i]);
  }
  for (uint32_t i = 0; i < parents_.size(); ++i) ends_[i] = i + 1;
  for (uint32_t i = static_cast<uint32_t>(parents_.size()); i-- > 0;)
    if (parents_[i] != kRoot) ends_[parents_[i]] = std::max(ends_[parents_[i]], ends_[i]);
}

Hierarchy Hierarchy::FromStates(std::span<const uint32_t> states_before) {
  std::vector<uint32_t> parents(states_before.size());
  for (uint32_t i = 0; i < parents.size(); ++i) {
    const uint32_t previous = i == 0 ? kRoot : i - 1;
    uint32_t same = previous;
    while (same != kRoot && states_before[same] != states_before[i]) same = parents[same];
    parents[i] = same == kRoot ? previous : parents[same];
  }
  return Hierarchy(std::move(parents));
}

Hierarchy Hierarchy::Flat(size_t nodes) { return Hierarchy(std::vector<uint32_t>(nodes, kRoot)); }

std::vector<uint32_t> Hierarchy::NodesAt(uint32_t level) const {
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < size(); ++i)
    if (levels_[i] == level) nodes.push_back(i);
  return nodes;
}

}  // namespace marmoset
