// LHDD: reduce each level by a target of its own.
//
// The problem. HDD and BHDD replay everything below the last node of a level with every candidate, although
// only the nodes before it are in question.
//
// The idea. The last node of a level leads to the next one: event 22 opens the screen on which 23 happens. So
// it is enough to replay up to 22 and look whether that screen came up. That is the local target: "after the
// last event the state is …". Only at the level of the crash the crash itself is asked for. And since the
// last node is needed and often sufficient, the last 1, 2, 4, … nodes of a level are tried first:
//
//     level 1   22            leads to the state of 23
//     level 2   23            leads to the state of 24
//     level 3   36            crashes: 22 23 36, after three short replays
//
// The cost in oracle calls: one per level at best, log2 k per level of k nodes if pre-selection fails.
// Replays of local targets are short: they end at the last node of the level.
//
// What can go wrong: a local success only says that the state came up, not that it is as good as it was. So
// the result is not known to be right before the level of the crash; if all of that level misses, everything
// is done again with BHDD, from the best known.
//
// Departures. The listing does not judge the pre-selection of the whole level; we do, since the search within
// the level presumes it. Where no pre-selection works, the published program (not the paper) reduces that
// level by the whole target; so do we. Below the level of the crash we proceed as in hdd.cc. Within a level
// parts are equal by weight with the last node counted as one, as the paper says; the program splits by
// number there.

#include "reduce/lhdd.h"

#include <algorithm>

#include "reduce/backward.h"
#include "reduce/hdd.h"

namespace marmoset {
namespace {

// The last k of 0 … n-1.
UnitList Last(uint32_t n, uint32_t k) {
  UnitList list(k);
  for (uint32_t i = 0; i < k; ++i) list[i] = n - k + i;
  return list;
}

class LocalSearch {
 public:
  LocalSearch(const Problem& problem, const LhddOptions& options, Session& session)
      : problem_(problem),
        options_(options),
        session_(session),
        base_(session.best()),
        kept_(session.best()),
        tree_(TreeOf(problem, session.best())) {}

  void Run() {
    if (tree_.size() == 0) return;
    const uint32_t crash_level = tree_.level(static_cast<uint32_t>(tree_.size() - 1));
    for (uint32_t level = 1; level < crash_level && !session_.stopped(); ++level) ReduceLevel(level);
    if (session_.stopped()) return;
    // The levels below the crash; or all of them, if the local targets misled.
    const bool right = ReduceCrashLevel(crash_level);
    HddLevels(tree_, base_, right ? crash_level + 1 : 1, LevelMethod::kByWeight, session_);
  }

 private:
  // A level above the crash: by its local target.
  void ReduceLevel(uint32_t level) {
    std::vector<uint32_t> nodes;
    const Units units = LevelUnits(tree_, base_, kept_, level, &nodes);
    if (nodes.empty()) return;
    const uint32_t last = base_[nodes.back()];
    const uint32_t reach = problem_.states[last].after;
    const auto local = [&](const UnitList& list) {
      Kept kept = units.With(std::span(list).first(list.size() - 1));
      kept.insert(std::upper_bound(kept.begin(), kept.end(), last), last);
      kept.erase(std::upper_bound(kept.begin(), kept.end(), last), kept.end());
      return Question{std::move(kept), reach, 0};
    };
    std::vector<double> weights = units.cost;
    weights.back() = 1;

    const std::optional<UnitList> start = Preselect(units.size(), local);
    if (session_.stopped()) return;
    if (!start) {
      ReduceGlobally(units, units.All());
      return;
    }
    UnitList list = ReduceBackward(*start, weights, {Split::kByWeight, false}, local, session_);
    if (options_.check_levels && list.size() < units.size() &&
        units.With(list).size() < session_.best().size() && !session_.Try(units.With(list))) {
      ReduceGlobally(units, units.All());
      return;
    }
    kept_ = units.With(list);
  }

  // The level of the crash: by the whole target. False if even all of the level misses.
  bool ReduceCrashLevel(uint32_t level) {
    std::vector<uint32_t> nodes;
    const Units units = LevelUnits(tree_, base_, kept_, level, &nodes);
    const auto global = [&](const UnitList& list) { return Question{units.With(list), std::nullopt, 0}; };
    const bool all_known = kept_.size() == session_.best().size();
    const std::optional<UnitList> start = Preselect(units.size(), global, all_known);
    if (!start) return false;
    ReduceBackward(*start, units.cost, {Split::kByWeight, false}, global, session_);
    kept_ = session_.best();
    return true;
  }

  // The shortest of the last 1, 2, 4, …, all nodes that reaches; all of them without asking if that is known.
  template <class Ask>
  std::optional<UnitList> Preselect(uint32_t n, const Ask& ask, bool all_known = false) {
    std::vector<uint32_t> lengths;
    if (options_.preselect)
      for (uint32_t k = 1; k < n; k *= 2) lengths.push_back(k);
    if (!all_known) lengths.push_back(n);
    size_t next = 0;
    const std::optional<size_t> reached = session_.First([&]() -> std::optional<Question> {
      if (next == lengths.size()) return std::nullopt;
      Question question = ask(Last(n, lengths[next]));
      question.group = static_cast<uint32_t>(next++);
      return question;
    });
    if (reached) return Last(n, lengths[*reached]);
    if (all_known && !session_.stopped()) return Last(n, n);
    return std::nullopt;
  }

  // Reduces a level by the whole target, which tells whether what was dropped so far was right to drop.
  void ReduceGlobally(const Units& units, UnitList list) {
    const bool all_known = kept_.size() == session_.best().size();
    if (!all_known && !session_.Try(kept_)) {
      kept_ = session_.best();  // Something above was dropped wrongly.
      return;
    }
    list = ReduceBackward(
        std::move(list), units.cost, {Split::kByWeight, false},
        [&](const UnitList& l) {
          return Question{units.With(l), std::nullopt, 0};
        },
        session_);
    kept_ = session_.best();
  }

  const Problem& problem_;
  const LhddOptions& options_;
  Session& session_;
  const Kept base_;
  Kept
      kept_;  // What the local targets left, not yet judged by the whole target unless it is session_.best().
  const Hierarchy tree_;
};

}  // namespace

void Lhdd::Search(const Problem& problem, Session& session) const {
  if (problem.states.empty() || !session.KnowsLocalTargets()) {
    const Kept base = session.best();
    HddLevels(TreeOf(problem, base), base, 1, LevelMethod::kByWeight, session);
    return;
  }
  LocalSearch(problem, options_, session).Run();
}

}  // namespace marmoset
