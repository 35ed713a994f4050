#include "schedule/prior.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace marmoset {
namespace {

constexpr double kEdge = 1e-9;

double Choose(uint32_t n, uint32_t k) {
  double result = 1;
  for (uint32_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// The probability of a given sequence with these counts. 0^0 is 1.
double Sequence(double p, uint32_t reached, uint32_t missed) {
  return std::pow(p, reached) * std::pow(1 - p, missed);
}

}  // namespace

double AtLeast(uint32_t needed, uint32_t runs, double p) {
  double sum = 0;
  for (uint32_t i = needed; i <= runs; ++i) sum += Choose(runs, i) * Sequence(p, i, runs - i);
  return sum;
}

Prior::Prior(std::vector<Point> points) : points_(std::move(points)) {
  double total = 0;
  for (const Point& point : points_) {
    MARMOSET_CHECK(point.p >= 0 && point.p <= 1 && point.weight >= 0);
    total += point.weight;
  }
  MARMOSET_CHECK(total > 0);
  for (Point& point : points_) point.weight /= total;
}

Prior Prior::Published() {
  return Prior({{0, .4100},  {.05, .0288}, {.1, .0398},  {.15, .0236}, {.2, .0211}, {.25, .0226},
                {.3, .0375}, {.35, .0232}, {.4, .0256},  {.45, .0173}, {.5, .0140}, {.55, .0047},
                {.6, .0005}, {.65, .0001}, {.7, .0001},  {.75, .0064}, {.8, .0237}, {.85, .0182},
                {.9, .0323}, {.95, .0079}, {.98, .1540}, {1, .0885}});
}

Prior Prior::Equal(double low, double high, double step) {
  MARMOSET_CHECK(step > 0 && low <= high);
  std::vector<Point> points;
  for (int i = 0; low + i * step <= high + kEdge; ++i) points.push_back({std::min(low + i * step, 1.0), 1});
  return Prior(std::move(points));
}

std::vector<double> Prior::Posterior(Counts counts) const {
  std::vector<double> weights;
  double total = 0;
  for (const Point& point : points_) {
    weights.push_back(point.weight * Sequence(point.p, counts.reached, counts.missed));
    total += weights.back();
  }
  MARMOSET_CHECK(total > 0);
  for (double& weight : weights) weight /= total;
  return weights;
}

double Prior::Predict(Counts counts, uint32_t more, uint32_t missed) const {
  const std::vector<double> weights = Posterior(counts);
  double sum = 0;
  for (size_t i = 0; i < points_.size(); ++i)
    sum += weights[i] * Choose(more, missed) * Sequence(points_[i].p, more - missed, missed);
  return sum;
}

Prior Prior::Learn(std::span<const Counts> seen, double strength) const {
  Prior learned = *this;
  for (int round = 0; round < 100; ++round) {
    std::vector<Point> next = points_;
    for (Point& point : next) point.weight = point.weight * strength + 1e-12;
    for (const Counts& counts : seen) {
      const std::vector<double> weights = learned.Posterior(counts);
      for (size_t i = 0; i < next.size(); ++i) next[i].weight += weights[i];
    }
    Prior better(std::move(next));
    double change = 0;
    for (size_t i = 0; i < points_.size(); ++i)
      change = std::max(change, std::abs(better.points_[i].weight - learned.points_[i].weight));
    learned = std::move(better);
    if (change < 1e-7) break;
  }
  return learned;
}

double ReliableProbability(const Prior& prior, uint32_t reached, uint32_t runs, double bound) {
  const std::vector<double> weights = prior.Posterior({reached, runs - reached});
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i)
    if (prior.points()[i].p > bound + kEdge) sum += weights[i];
  return sum;
}

double MinimalProbability(const Prior& prior, uint32_t length, uint32_t runs, uint32_t needed) {
  const double bound = static_cast<double>(needed) / runs;
  double rejected = 0, rejected_though_good = 0;
  for (const Prior::Point& point : prior.points()) {
    const double weight = point.weight * (1 - AtLeast(needed, runs, point.p));
    rejected += weight;
    if (point.p >= bound - kEdge) rejected_though_good += weight;
  }
  return rejected > 0 ? std::pow(1 - rejected_though_good / rejected, length) : 0;
}

}  // namespace marmoset
