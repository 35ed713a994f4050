// How sure is a success rate? "Reached in 38 of 40 replays, 95 % interval 0.83 to 0.99."
//
// Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 1927; Clopper and
// Pearson, "The Use of Confidence or Fiducial Limits", Biometrika 1934. Both presume a number of replays
// fixed in advance: apply them to the final check, not to replays that a sequential test stopped.
//
// Pure functions.

#pragma once

#include "schedule/prior.h"

namespace marmoset {

struct Interval {
  double low;
  double high;
};

// Close to the stated confidence on average; the one to print. For no replays: [0, 1].
Interval WilsonInterval(Counts counts, double confidence = 0.95);

// Never less than the stated confidence; wider. For no replays: [0, 1].
Interval ClopperPearsonInterval(Counts counts, double confidence = 0.95);

}  // namespace marmoset
