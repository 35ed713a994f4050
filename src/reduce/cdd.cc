// CDD: counting instead of believing.
//
// The problem. ProbDD's probabilities need floating point and sorting, and yet only say how often an item was
// in a set that could not be dropped.
//
// The idea. Count exactly that. In round r all items with count r are dropped in sets of s_r, where s_r is
// what ProbDD would choose if all probabilities were p0 / (1 - 1/e)^r. With p0 = 1/4 the sizes are 4, 2, 1:
//
//     0 1 2 3 | 4 5 6 7      both sets missed: all counts are 1
//     0 1 | 2 3 | 4 5 | 6 7  the first could be dropped; the counts of 2 … 7 are 2
//     2 | 3 | 4 | 5 | 6 | 7  each alone
//
// The cost in oracle calls when nothing can be dropped: about 1.75 n for p0 = 0.25, 2.1 n for 0.1. Not
// 1-minimal by itself; the final sweep makes it so.
//
// Departures: p0 = survivors / n, as in our ProbDD.

#include "reduce/cdd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "reduce/model_run.h"
#include "reduce/probdd.h"

namespace marmoset {
namespace {

constexpr uint32_t kGone = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kNeeded = kGone - 1;

}  // namespace

size_t CddModel::SizeInRound(double initial, uint32_t round) {
  const double p = initial / std::pow(1 - 1 / std::numbers::e, round);
  if (p >= 1) return 1;
  // s (1 - p)^s is largest around -1 / ln(1 - p); ties go to the larger s.
  const double around = -1 / std::log1p(-p);
  const auto gain = [&](double s) { return s * std::pow(1 - p, s); };
  const double low = std::max(1.0, std::floor(around));
  return static_cast<size_t>(gain(low + 1) >= gain(low) * (1 - 1e-12) ? low + 1 : low);
}

UnitList CddModel::Select() const {
  UnitList order;
  for (uint32_t i = 0; i < missed_.size(); ++i)
    if (missed_[i] < kNeeded) order.push_back(i);
  if (order.empty()) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return missed_[a] < missed_[b]; });
  order.resize(std::min(SizeInRound(initial_, missed_[order[0]]), order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

void CddModel::Missed(const UnitList& without) {
  if (without.size() == 1) {
    missed_[without[0]] = kNeeded;
    return;
  }
  for (const uint32_t i : without) ++missed_[i];
}

void CddModel::Dropped(const UnitList& gone) {
  for (const uint32_t i : gone) missed_[i] = kGone;
}

void Cdd::Search(const Problem& problem, Session& session) const {
  const Units units = SingleItems(session.best(), {});
  RunModel(units, CddModel(units.size(), InitialProbability(units.size(), problem.expected_survivors)),
           session);
}

}  // namespace marmoset
