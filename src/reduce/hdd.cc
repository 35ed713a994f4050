// HDD: delta debugging level by level.
//
// The problem. In a tree of items (hierarchy.h) most of what ddmin tries cannot work: it keeps events in a
// dialog and drops the one that opened it.
//
// The idea. Reduce the nodes of level 1 first, each standing for its whole subtree; then the nodes of level 2
// that are left; and so on. In the worked example of SimplyDroid (36 events, level 1 is 2 7 17 18 21 22, of
// which 22 leads to the crash):
//
//     level 1   2 7 17 | 18 21 22   the right half alone reaches: 17 events are gone with one replay
//               18 21 | 22          22 alone reaches
//     level 2   23                  nothing to do
//     level 3   24 … 36             four times the right half, to 36
//
// The cost in oracle calls: the sum of what the level's method needs; at best logarithmic in the number of
// nodes.
//
// Departures. SimplyDroid protects the last node of every level, also of levels deeper than the crash, where
// that node has nothing to do with it; there we ask first whether the whole level can go, and then let go of
// the last node as of any other. Not 1-minimal by itself (a node is dropped only with all below it); the
// final sweep makes it so.

#include "reduce/hdd.h"

#include <algorithm>

#include "reduce/backward.h"
#include "reduce/ddmin.h"

namespace marmoset {

Units LevelUnits(const Hierarchy& tree, const Kept& base, const Kept& kept, uint32_t level,
                 std::vector<uint32_t>* nodes) {
  Units units;
  nodes->clear();
  // Both are ascending, so one walk finds the node of each kept item.
  uint32_t node = 0, end = 0;
  for (const uint32_t item : kept) {
    while (base[node] != item) ++node;
    if (tree.level(node) < level) {
      units.fixed.push_back(item);
    } else if (tree.level(node) == level) {
      units.units.push_back({item});
      nodes->push_back(node);
      end = tree.end(node);
    } else if (node < end) {
      units.units.back().push_back(item);
    } else {
      // Its ancestor at this level is gone, which a sweep or another pass may do.
      units.fixed.push_back(item);
    }
  }
  for (const Kept& unit : units.units) units.cost.push_back(static_cast<double>(unit.size()));
  return units;
}

Hierarchy TreeOf(const Problem& problem, const Kept& base) {
  if (problem.states.empty()) return Hierarchy::Flat(base.size());
  std::vector<uint32_t> before;
  before.reserve(base.size());
  for (const uint32_t item : base) before.push_back(problem.states[item].before);
  return Hierarchy::FromStates(before);
}

void HddLevels(const Hierarchy& tree, const Kept& base, uint32_t first, LevelMethod method,
               Session& session) {
  if (tree.size() == 0) return;
  const uint32_t crash_level = tree.level(static_cast<uint32_t>(tree.size() - 1));
  for (uint32_t level = first; level <= tree.depth() && !session.stopped(); ++level) {
    std::vector<uint32_t> nodes;
    const Units units = LevelUnits(tree, base, session.best(), level, &nodes);
    if (nodes.empty()) continue;
    if (method == LevelMethod::kDdmin) {
      DdminUnits(units, {}, session);
      continue;
    }
    BackwardOptions options;
    options.split = method == LevelMethod::kByWeight      ? Split::kByWeight
                    : method == LevelMethod::kAsPublished ? Split::kAsPublished
                                                          : Split::kEqual;
    if (level > crash_level && method != LevelMethod::kAsPublished) {
      options.give_up_last = true;
      if (session.Try(units.fixed)) continue;
    }
    ReduceBackward(
        units.All(), units.cost, options,
        [&](const UnitList& list) {
          return Question{units.With(list), std::nullopt, 0};
        },
        session);
  }
}

}  // namespace marmoset
