// The one-by-one sweep: try to leave out each single item, until none can be left out.
//
// The problem. Most reducers stop at a result that is small but may still hold an item that nobody needs.
//
//     best 1 4 6 7     without 7: missed   without 6: reached, so 1 4 7 is the best
//                      without 4: missed   without 1: missed   without 7 (now without 6 as well): missed
//
// The idea. Go from the last item to the first, over and over, and end after a full turn without a success.
// Late items go first because what follows the crash-relevant part of a trace is the easiest to drop.
//
// The cost. k calls to confirm a result of k items, fewer if some are remembered; at worst (n^2 + n) / 2 when
// it starts with n items and removes one per turn. The result is 1-minimal.

#pragma once

#include "reduce/reducer.h"

namespace marmoset {

// Sweeps the session's best candidate.
void SweepItems(Session& session);

class Sweep : public Reducer {
  void Search(const Problem&, Session& session) const override { SweepItems(session); }
};

}  // namespace marmoset
