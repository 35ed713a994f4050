// WDD: Zhou, Xu, Zhang, Tian and Sun, "WDD: Weighted Delta Debugging", ICSE 2025: ddmin whose parts are equal
// in weight rather than in number.

#pragma once

#include "reduce/reducer.h"
#include "reduce/units.h"

namespace marmoset {

// Where to split the list in two: the first part has about half the weight. REQUIRES: at least 2 units.
size_t HalfByWeight(const Units& units, const UnitList& list);

class Wdd : public Reducer {
  void Search(const Problem& problem, Session& session) const override;
};

}  // namespace marmoset
