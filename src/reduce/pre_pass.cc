#include "reduce/pre_pass.h"

#include <algorithm>
#include <unordered_map>

#include "reduce/units.h"

namespace marmoset {

std::vector<std::pair<size_t, size_t>> MaximalLoops(std::span<const StateChange> states, const Kept& kept) {
  std::unordered_map<uint32_t, size_t> last_left;
  for (size_t i = 0; i < kept.size(); ++i) last_left[states[kept[i]].before] = i;
  std::vector<std::pair<size_t, size_t>> loops;
  for (size_t i = 0; i < kept.size(); ++i) {
    const size_t last = last_left[states[kept[i]].before];
    if (last > i) loops.emplace_back(i, last);
    i = last;
  }
  return loops;
}

void PrePass(std::span<const StateChange> states, Session& session) {
  const Kept base = session.best();
  if (base.size() < 2) return;
  std::vector<std::pair<size_t, size_t>> loops = MaximalLoops(states, base);

  std::vector<bool> in_loop(base.size());
  for (const auto& [from, to] : loops)
    for (size_t i = from; i < to; ++i) in_loop[i] = true;
  Kept path, effective;
  for (size_t i = 0; i < base.size(); ++i) {
    if (!in_loop[i]) path.push_back(base[i]);
    if (i + 1 == base.size() || states[base[i]].before != states[base[i]].after) effective.push_back(base[i]);
  }
  size_t next = 0;
  const std::vector<Kept> whole = {std::move(path), std::move(effective)};
  const std::optional<size_t> reached = session.First([&]() -> std::optional<Question> {
    while (next < whole.size() && whole[next].size() == base.size()) ++next;
    if (next == whole.size()) return std::nullopt;
    return Question{whole[next++], std::nullopt, 0};
  });
  if (reached && session.best() == whole[0]) return;

  // The loops as items, since the best may have changed. One that missed is not proposed again.
  std::stable_sort(loops.begin(), loops.end(),
                   [](const auto& a, const auto& b) { return a.second - a.first > b.second - b.first; });
  size_t first = 0;
  while (first < loops.size() && !session.stopped()) {
    const Kept best = session.best();
    size_t i = first;
    std::vector<size_t> proposed;
    const std::optional<size_t> found = session.First([&]() -> std::optional<Question> {
      for (; i < loops.size(); ++i) {
        const uint32_t low = base[loops[i].first], high = base[loops[i].second];
        Kept kept;
        for (const uint32_t item : best)
          if (item < low || item >= high) kept.push_back(item);
        if (kept.size() == best.size()) continue;
        proposed.push_back(i++);
        return Question{std::move(kept), std::nullopt, 0};
      }
      return std::nullopt;
    });
    if (!found) return;
    first = proposed[*found] + 1;
  }
}

}  // namespace marmoset
