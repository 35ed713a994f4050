// Summaries and comparisons of lists of figures.
//
// Pure functions. REQUIRES for all: not empty.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace marmoset {

// The middle one, or the mean of the two in the middle.
double Median(std::vector<double> values);
double Mean(std::span<const double> values);

// The value that a share `q` of the values lies below, 0 <= q <= 1, interpolated (R's type 7).
double Quantile(std::vector<double> values, double q);

// Vargha and Delaney's A12: the probability that a value of `a` exceeds one of `b`, a tie counting half. 0.5:
// no difference; 0.56, 0.64 and 0.71 are called small, medium and large (Vargha and Delaney, JEBS 2000).
double EffectSize(std::span<const double> a, std::span<const double> b);

// The two-sided p-value of the Mann-Whitney U test: exact without ties where both have fewer than 50 values,
// else by the normal approximation with corrections for ties and continuity, as R does. 1 if all values are
// equal.
double MannWhitney(std::span<const double> a, std::span<const double> b);

}  // namespace marmoset
