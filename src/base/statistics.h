// Summaries of a list of figures.
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

}  // namespace marmoset
