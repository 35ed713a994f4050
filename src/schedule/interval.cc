#include "schedule/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace marmoset {
namespace {

// The x in [low, high] at which the increasing function `f` is 0.
template <class F>
double Root(double low, double high, const F& f) {
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// P(at least k successes in n), by logarithms so that n may be large.
double Tail(uint32_t k, uint32_t n, double p) {
  if (p <= 0) return k == 0 ? 1 : 0;
  if (p >= 1) return 1;
  double sum = 0;
  for (uint32_t i = k; i <= n; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return std::min(sum, 1.0);
}

}  // namespace

Interval WilsonInterval(Counts counts, double confidence) {
  const double n = counts.runs();
  if (n == 0) return {0, 1};
  // The two-sided quantile of the normal distribution.
  const double z = Root(0, 40, [&](double x) { return std::erf(x / std::numbers::sqrt2) - confidence; });
  const double p = counts.reached / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {counts.reached == 0 ? 0 : std::max(0.0, centre - half),
          counts.missed == 0 ? 1 : std::min(1.0, centre + half)};
}

Interval ClopperPearsonInterval(Counts counts, double confidence) {
  const uint32_t n = counts.runs(), k = counts.reached;
  const double tail = (1 - confidence) / 2;
  return {k == 0 ? 0 : Root(0, 1, [&](double p) { return Tail(k, n, p) - tail; }),
          k == n ? 1 : Root(0, 1, [&](double p) { return tail - (1 - Tail(k + 1, n, p)); })};
}

}  // namespace marmoset
