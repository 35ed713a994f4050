// ProbDD: Wang, Shen, Wang and Zhang, "Probabilistic Delta Debugging", ESEC/FSE 2021; weighted as in WDD
// (ICSE 2025).

#pragma once

#include "reduce/reducer.h"
#include "reduce/units.h"

namespace marmoset {

// The belief: for each unit, how likely it is that it belongs to the result.
class ProbDdModel {
 public:
  // REQUIRES: 0 < initial < 1. `weights`: one per unit for the weighted form, or empty.
  ProbDdModel(size_t units, double initial, std::vector<double> weights);

  UnitList Select() const;
  void Missed(const UnitList& without);
  void Dropped(const UnitList& gone);

  double probability(uint32_t unit) const { return probability_[unit]; }

 private:
  std::vector<double> probability_;  // -1: dropped.
  std::vector<double> weights_;
};

// The initial probability for n units of which `survivors` are expected to remain.
double InitialProbability(size_t n, uint32_t survivors);

class ProbDd : public Reducer {
 public:
  explicit ProbDd(bool weighted) : weighted_(weighted) {}

 private:
  void Search(const Problem& problem, Session& session) const override;

  bool weighted_;
};

}  // namespace marmoset
