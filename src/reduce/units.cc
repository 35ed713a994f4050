#include "reduce/units.h"

#include <algorithm>

namespace marmoset {

UnitList Units::All() const {
  UnitList all(units.size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

Kept Units::With(std::span<const uint32_t> chosen) const {
  Kept kept = fixed;
  for (const uint32_t i : chosen) kept.insert(kept.end(), units[i].begin(), units[i].end());
  if (!std::is_sorted(kept.begin(), kept.end())) std::sort(kept.begin(), kept.end());
  return kept;
}

Units SingleItems(const Kept& kept, std::span<const double> costs) {
  Units units;
  units.units.reserve(kept.size());
  units.cost.reserve(kept.size());
  for (const uint32_t item : kept) {
    units.units.push_back({item});
    units.cost.push_back(costs.empty() ? 1.0 : costs[item]);
  }
  return units;
}

UnitList Without(const UnitList& list, size_t from, size_t to) {
  UnitList rest(list.begin(), list.begin() + static_cast<ptrdiff_t>(from));
  rest.insert(rest.end(), list.begin() + static_cast<ptrdiff_t>(to), list.end());
  return rest;
}

}  // namespace marmoset
