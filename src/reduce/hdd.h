// Hierarchical delta debugging: Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE 2006; and HDD and
// BHDD as SimplyDroid does them (ASE 2017, table 2 and section III.D).

#pragma once

#include "reduce/hierarchy.h"
#include "reduce/reducer.h"
#include "reduce/units.h"

namespace marmoset {

// How one level is reduced.
enum class LevelMethod {
  kDdmin,       // ddmin over its nodes: the general algorithm, for any tree.
  kBackward,    // From the crash backwards, parts of equal number (backward.h): SimplyDroid's HDD.
  kByWeight,    // The same with parts of equal weight: SimplyDroid's BHDD.
  kAsPublished  // kBackward with the published program's parts and its protection of every level's last node.
};

// One level of a tree over the items `base` (node i is base[i]), of which the items `kept` are left: each
// kept node of the level is a unit with what is kept below it; the kept nodes above are fixed. Its cost is
// its number of items. `nodes` receives the units' nodes.
Units LevelUnits(const Hierarchy& tree, const Kept& base, const Kept& kept, uint32_t level,
                 std::vector<uint32_t>* nodes);

// The tree of a problem, restricted to the items in `base`; flat when the problem has no states.
Hierarchy TreeOf(const Problem& problem, const Kept& base);

// Reduces session.best(), a part of the items `base` over which `tree` is, from level `first` down.
void HddLevels(const Hierarchy& tree, const Kept& base, uint32_t first, LevelMethod method, Session& session);

class Hdd : public Reducer {
 public:
  explicit Hdd(LevelMethod method) : method_(method) {}

 private:
  void Search(const Problem& problem, Session& session) const override {
    const Kept base = session.best();
    HddLevels(TreeOf(problem, base), base, 1, method_, session);
  }

  LevelMethod method_;
};

}  // namespace marmoset
