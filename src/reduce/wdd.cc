// WDD: delta debugging by weight.
//
// The problem. Items differ: one waits ten seconds, another taps at once; one node of a tree has 500 events
// below it, another none. Parts of equal number then differ a lot in what dropping them gains.
//
// The idea. Every part is split where half of its weight is reached. For weights 8 1 1 1 1 1 1:
//
//     8 | 1 1 1 1 1 1      by number it would be 8 1 1 | 1 1 1 1
//     8 | 1 1 1 | 1 1 1    a part of one item is not split again
//
// As in ddmin, each part alone is tried first (then it is the new beginning), then all but each part (then
// that part is gone and the others remain); when all missed, every part is split in two.
//
// The cost is that of ddmin in calls. Ends with single items, each tried without: 1-minimal, but for what
// changed after an item was tried, which the final sweep sees to.

#include "reduce/wdd.h"

#include <algorithm>
#include <cmath>

namespace marmoset {
namespace {

using Parts = std::vector<UnitList>;

Parts SplitEach(const Units& units, const Parts& parts) {
  Parts finer;
  for (const UnitList& part : parts) {
    if (part.size() < 2) {
      finer.push_back(part);
      continue;
    }
    const auto middle = part.begin() + static_cast<ptrdiff_t>(HalfByWeight(units, part));
    finer.emplace_back(part.begin(), middle);
    finer.emplace_back(middle, part.end());
  }
  return finer;
}

}  // namespace

size_t HalfByWeight(const Units& units, const UnitList& list) {
  double total = 0;
  for (const uint32_t i : list) total += units.cost[i];
  double sum = 0;
  size_t count = 0;
  // The unit that crosses the half goes to the first part if that lands at least as near to the half.
  while (count + 1 < list.size()) {
    const double next = sum + units.cost[list[count]];
    if (next > total / 2 && next - total / 2 > total / 2 - sum) break;
    sum = next;
    ++count;
  }
  return std::max<size_t>(count, 1);
}

void Wdd::Search(const Problem& problem, Session& session) const {
  const Units units = SingleItems(session.best(), problem.costs);
  Parts parts = {units.All()};
  if (units.size() == 0) return;
  while (!parts.empty() && !session.stopped()) {
    struct Step {
      uint32_t level;
      size_t part;
      bool alone;
    };
    std::vector<Parts> levels = {parts};  // levels[i]: split i times.
    std::vector<Step> steps;
    Step at{0, 0, parts.size() > 1};
    uint32_t group = 0;
    const std::optional<size_t> reached = session.First([&]() -> std::optional<Question> {
      if (at.part == levels.back().size()) {
        ++group;
        if (at.alone) {
          at = {at.level, 0, false};
        } else {
          Parts finer = SplitEach(units, levels.back());
          if (finer.size() == levels.back().size()) return std::nullopt;
          levels.push_back(std::move(finer));
          at = {at.level + 1, 0, true};
        }
      }
      const Parts& now = levels[at.level];
      UnitList chosen;
      for (size_t i = 0; i < now.size(); ++i)
        if ((i == at.part) == at.alone) chosen.insert(chosen.end(), now[i].begin(), now[i].end());
      steps.push_back(at);
      ++at.part;
      return Question{units.With(chosen), std::nullopt, group};
    });
    if (!reached) return;
    const Step step = steps[*reached];
    parts = std::move(levels[step.level]);
    if (step.alone) {
      parts = {std::move(parts[step.part])};
    } else {
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(step.part));
    }
  }
}

}  // namespace marmoset
