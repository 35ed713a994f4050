// ddmin: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, section 3;
// with other options, the minimizer of ND3MIN (Clapp et al., "Minimizing GUI Event Traces", FSE 2016, figure
// 2).

#pragma once

#include "reduce/reducer.h"
#include "reduce/units.h"

namespace marmoset {

struct DdminOptions {
  uint32_t parts = 2;  // Into how many parts to cut first, and again after a part alone reached. ND3MIN: 5.
  bool parts_alone = true;       // Try each part alone, too. Without it: complements only.
  bool backward = false;         // From the last part to the first.
  bool published_parts = false;  // Cut as SimplyDroid's program does (PublishedPartOf in units.h).
};

// ddmin over units; the session's best must be what units.With(units.All()) gives.
void DdminUnits(const Units& units, const DdminOptions& options, Session& session);

class Ddmin : public Reducer {
 public:
  explicit Ddmin(DdminOptions options = {}) : options_(options) {}

 private:
  void Search(const Problem& problem, Session& session) const override;

  DdminOptions options_;
};

}  // namespace marmoset
