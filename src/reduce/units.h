// Units: groups of items that a pass keeps or drops together, beside items that it does not touch.
//
// The same pass then works on single items (every unit one item) and on one level of a hierarchy (every unit
// a node with all below it; the levels above are fixed).

#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "reduce/oracle.h"

namespace marmoset {

// Places in Units::units, ascending.
using UnitList = std::vector<uint32_t>;

struct Units {
  Kept fixed;                // Kept in any case.
  std::vector<Kept> units;   // Disjoint from each other and from `fixed`, none empty.
  std::vector<double> cost;  // One per unit.

  uint32_t size() const { return static_cast<uint32_t>(units.size()); }
  UnitList All() const;

  // The candidate made of the fixed items and the units chosen.
  Kept With(std::span<const uint32_t> chosen) const;
};

// Each item of `kept` as a unit of its own. `costs` is by item; empty means 1 each.
Units SingleItems(const Kept& kept, std::span<const double> costs);

// The list without the places [from, to).
UnitList Without(const UnitList& list, size_t from, size_t to);

// The i-th of `parts` parts of nearly equal length, as [from, to): lengths differ by at most one.
inline std::pair<size_t, size_t> PartOf(size_t length, size_t i, size_t parts) {
  return {(i * length + parts - 1) / parts, ((i + 1) * length + parts - 1) / parts};
}

// The same as SimplyDroid's program has it: floor((length + 1) / parts) each, which may leave a tail that
// belongs to no part. Only to compare with its figures.
inline std::pair<size_t, size_t> PublishedPartOf(size_t length, size_t i, size_t parts) {
  const size_t size = (length + 1) / parts;
  return {std::min(i * size, length), std::min((i + 1) * size, length)};
}

}  // namespace marmoset
