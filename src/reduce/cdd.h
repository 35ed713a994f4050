// CDD: Zhang, Tian, Xu, Tan and Sun, "Deep Dive into Probabilistic Delta Debugging: Insights and
// Simplifications", arXiv 2408.04735: ProbDD with a counter in place of the probability.

#pragma once

#include "reduce/reducer.h"
#include "reduce/units.h"

namespace marmoset {

class CddModel {
 public:
  // REQUIRES: 0 < initial < 1.
  CddModel(size_t units, double initial) : initial_(initial), missed_(units, 0) {}

  UnitList Select() const;
  void Missed(const UnitList& without);
  void Dropped(const UnitList& gone);

  // How many units to leave out together in round r (from 0): the paper's s_r, not yet limited to what is
  // left.
  static size_t SizeInRound(double initial, uint32_t round);

 private:
  double initial_;
  std::vector<uint32_t> missed_;  // In how many missed sets a unit was; kGone, kNeeded.
};

class Cdd : public Reducer {
  void Search(const Problem& problem, Session& session) const override;
};

}  // namespace marmoset
