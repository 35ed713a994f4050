// ProbDD: delta debugging that learns which items matter.
//
// The problem. ddmin forgets: an item that was in every part that could not be dropped is asked about as
// often as one that was in none.
//
// The idea. Keep for each item the probability p that it belongs to the result; all begin at the same small
// value. Dropping a set S succeeds with probability prod (1 - p), so the best set to ask about is the one
// with the largest expected gain |S| prod (1 - p): some number of the least probable items. When S cannot be
// dropped, at least one of it matters, and Bayes' rule raises p of each to p / (1 - prod (1 - p)). With p =
// 1/4, n = 8:
//
//     drop 0 1 2 3: missed, p = .366 each     drop 4 5 6 7: missed, p = .366 each
//     drop 0 1: reached                       drop 2 3: missed, p = .612 each        drop 2: …
//
// until every p is 0 or 1. The weighted form takes the items with the largest (1 - p) w first and maximizes
// (sum of w) prod (1 - p) over all of these prefixes.
//
// The cost: O(n) oracle calls. Not 1-minimal by itself unless the target is monotone; the final sweep makes
// it so.
//
// Departures. The published program stops at p >= 0.8, which is a little faster and loses the argument for
// minimality; we stop at 1. The initial value is survivors / n, the number of survivors being a guess of the
// caller (6 by default): on the 92 traces of SimplyDroid this halves the calls of ddmin, while the published
// 0.1 and 0.25 cost more than ddmin on long traces with few survivors. Ties go to the lower index, not to
// chance.

#include "reduce/probdd.h"

#include <algorithm>
#include <numeric>

#include "reduce/model_run.h"

namespace marmoset {
namespace {

constexpr double kCertain = 1 - 1e-9;

}  // namespace

ProbDdModel::ProbDdModel(size_t units, double initial, std::vector<double> weights)
    : probability_(units, initial), weights_(std::move(weights)) {}

UnitList ProbDdModel::Select() const {
  UnitList order;
  for (uint32_t i = 0; i < probability_.size(); ++i)
    if (probability_[i] >= 0 && probability_[i] < kCertain) order.push_back(i);
  const auto weight = [&](uint32_t i) { return weights_.empty() ? 1.0 : weights_[i]; };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const double gain_a = (1 - probability_[a]) * weight(a), gain_b = (1 - probability_[b]) * weight(b);
    return gain_a != gain_b ? gain_a > gain_b : probability_[a] < probability_[b];
  });
  double best_gain = -1, sum = 0, succeeds = 1;
  size_t best = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    sum += weight(order[k]);
    succeeds *= 1 - probability_[order[k]];
    if (sum * succeeds >= best_gain) {
      best_gain = sum * succeeds;
      best = k + 1;
    }
  }
  order.resize(best);
  std::sort(order.begin(), order.end());
  return order;
}

void ProbDdModel::Missed(const UnitList& without) {
  if (without.size() == 1) {
    probability_[without[0]] = 1;
    return;
  }
  double succeeds = 1;
  for (const uint32_t i : without) succeeds *= 1 - probability_[i];
  for (const uint32_t i : without) probability_[i] = std::min(1.0, probability_[i] / (1 - succeeds));
}

void ProbDdModel::Dropped(const UnitList& gone) {
  for (const uint32_t i : gone) probability_[i] = -1;
}

double InitialProbability(size_t n, uint32_t survivors) {
  if (n == 0) return 0.5;
  return std::clamp(static_cast<double>(survivors) / static_cast<double>(n), 1e-6, 0.5);
}

void ProbDd::Search(const Problem& problem, Session& session) const {
  const Units units = SingleItems(session.best(), problem.costs);
  const double initial = InitialProbability(units.size(), problem.expected_survivors);
  RunModel(units, ProbDdModel(units.size(), initial, weighted_ ? units.cost : std::vector<double>()),
           session);
}

}  // namespace marmoset
