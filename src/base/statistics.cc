#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marmoset {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double EffectSize(std::span<const double> a, std::span<const double> b) {
  double wins = 0;
  for (const double x : a)
    for (const double y : b) wins += x > y ? 1 : x == y ? 0.5 : 0;
  return wins / static_cast<double>(a.size() * b.size());
}

namespace {

constexpr size_t kExactBelow = 50;

// The probability that U is at most `u` for n and m values without ties, all orders being equally likely. The
// largest of all is one of the n with probability n / (n + m), and then exceeds all of the m; else U is that
// of the others.
double ExactTail(size_t n, size_t m, size_t u) {
  using Distribution = std::vector<double>;
  std::vector<Distribution> of_j(m + 1, Distribution(n * m + 1));  // For the i of the outer loop.
  for (Distribution& none : of_j) none[0] = 1;
  for (size_t i = 1; i <= n; ++i) {
    for (size_t j = 1; j <= m; ++j) {
      const double largest = static_cast<double>(i) / static_cast<double>(i + j);
      Distribution next(n * m + 1);
      for (size_t k = 0; k <= i * j; ++k)
        next[k] = largest * (k >= j ? of_j[j][k - j] : 0) + (1 - largest) * of_j[j - 1][k];
      of_j[j] = std::move(next);
    }
  }
  return std::accumulate(of_j[m].begin(), of_j[m].begin() + static_cast<std::ptrdiff_t>(u) + 1, 0.0);
}

}  // namespace

double MannWhitney(std::span<const double> a, std::span<const double> b) {
  const size_t n = a.size(), m = b.size();
  const auto pairs = static_cast<double>(n * m);
  const double u = EffectSize(a, b) * pairs;
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  double ties = 0;  // Sum of t^3 - t over groups of t equal values.
  for (size_t i = 0, j = 0; i < all.size(); i = j) {
    while (j < all.size() && all[j] == all[i]) ++j;
    const auto t = static_cast<double>(j - i);
    ties += t * t * t - t;
  }
  if (ties == 0 && n < kExactBelow && m < kExactBelow)
    return std::min(1.0, 2 * ExactTail(n, m, static_cast<size_t>(std::min(u, pairs - u))));
  const auto count = static_cast<double>(n + m);
  const double variance = pairs / 12 * (count + 1 - ties / (count * (count - 1)));
  if (variance <= 0) return 1;
  const double distance = std::max(0.0, std::abs(u - pairs / 2) - 0.5);
  return std::erfc(distance / std::sqrt(2 * variance));
}

}  // namespace marmoset
