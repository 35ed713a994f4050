#include "reduce/backward.h"

#include <algorithm>

#include "base/check.h"

namespace marmoset {
namespace {

std::vector<std::pair<size_t, size_t>> SplitByWeight(std::span<const double> weights, size_t parts) {
  double total = 0;
  for (const double weight : weights) total += weight;
  const double average = total / static_cast<double>(parts);
  std::vector<std::pair<size_t, size_t>> ranges;
  size_t from = 0;
  double sum = 0;
  for (size_t i = 0; i < weights.size() && ranges.size() + 1 < parts; ++i) {
    sum += weights[i];
    // Never leave fewer nodes than parts still to make.
    if (sum < average && weights.size() - (i + 1) > parts - (ranges.size() + 1)) continue;
    ranges.emplace_back(from, i + 1);
    from = i + 1;
    sum = 0;
  }
  ranges.emplace_back(from, weights.size());
  return ranges;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> SplitList(std::span<const double> weights, size_t parts, Split split) {
  MARMOSET_CHECK(parts >= 1 && parts <= weights.size());
  if (split == Split::kByWeight) return SplitByWeight(weights, parts);
  std::vector<std::pair<size_t, size_t>> ranges;
  for (size_t i = 0; i < parts; ++i)
    ranges.push_back(split == Split::kEqual ? PartOf(weights.size(), i, parts)
                                            : PublishedPartOf(weights.size(), i, parts));
  return ranges;
}

UnitList ReduceBackward(UnitList list, std::span<const double> weights, const BackwardOptions& options,
                        const std::function<Question(const UnitList&)>& question, Session& session) {
  size_t parts = 2;
  while (list.size() >= 2 && !session.stopped()) {
    std::vector<double> list_weights;
    for (const uint32_t i : list) list_weights.push_back(weights[i]);
    struct Step {
      size_t parts, from, to;
      bool alone;
    };
    // The steps at one granularity, in order; `none` when it asks nothing (a part alone that is everything).
    const auto steps_at = [&](size_t p) {
      const std::vector<std::pair<size_t, size_t>> ranges = SplitList(list_weights, p, options.split);
      std::vector<Step> steps = {{p, ranges[p - 1].first, ranges[p - 1].second, true}};
      if (options.give_up_last) steps.push_back({p, ranges[p - 1].first, ranges[p - 1].second, false});
      for (size_t i = p - 1; i-- > 0;) steps.push_back({p, ranges[i].first, ranges[i].second, false});
      std::erase_if(steps, [](const Step& step) { return step.from == step.to; });
      return steps;
    };
    const auto chosen = [&](const Step& step) {
      if (!step.alone) return Without(list, step.from, step.to);
      return UnitList(list.begin() + static_cast<ptrdiff_t>(step.from),
                      list.begin() + static_cast<ptrdiff_t>(step.to));
    };

    parts = std::min(parts, list.size());
    std::vector<Step> steps = steps_at(parts);
    size_t next = 0;
    uint32_t group = 0;
    const std::optional<size_t> reached = session.First([&]() -> std::optional<Question> {
      if (next == steps.size()) {
        if (parts == list.size()) return std::nullopt;
        parts = std::min(2 * parts, list.size());
        const std::vector<Step> finer = steps_at(parts);
        steps.insert(steps.end(), finer.begin(), finer.end());
        ++group;
      }
      Question asked = question(chosen(steps[next++]));
      asked.group = group;
      return asked;
    });
    if (!reached) return list;
    const Step step = steps[*reached];
    list = chosen(step);
    parts = step.alone ? 2 : std::max<size_t>(step.parts - 1, 2);
  }
  return list;
}

}  // namespace marmoset
