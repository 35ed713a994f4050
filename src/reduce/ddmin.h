// ddmin: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, section 3.

#pragma once

#include "reduce/reducer.h"

namespace marmoset {

class Ddmin : public Reducer {
 public:
  Reduction Reduce(uint32_t n, const Oracle& oracle, const OnBest& on_best,
                   std::stop_token stop) const override;
};

}  // namespace marmoset
