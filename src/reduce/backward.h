// SimplyDroid's way of reducing one level of the hierarchy: from the crash backwards.
//
// The last node of a level leads on to the crash, so the search never gives it up: it tries the last part
// alone (then starts again with halves of it), and then all but each earlier part, from the right to the
// left. Parts have equal numbers of nodes in HDD, and equal weight (nodes in their subtrees) in BHDD:
//
//     weights 5 10 1 3 1 15, two parts:   by number 5 10 1 | 3 1 15     by weight 5 10 1 3 | 1 15
//
// The cost for k nodes of which only the last matters: about log2 k calls.
//
// Source: SimplyDroid (ASE 2017), table 2, procedure inlevel_hdd, and section III.D for the parts by weight.
// Departures: the listing recurses for ever when nothing can be dropped any more; we stop once parts are
// single nodes. The published program cuts parts of floor((n + 1) / p) nodes and leaves a tail that belongs
// to none, so that its "last part" misses the crash (kAsPublished does the same, to compare with its
// figures).

#pragma once

#include <functional>

#include "reduce/session.h"
#include "reduce/units.h"

namespace marmoset {

enum class Split { kEqual, kByWeight, kAsPublished };

// The ranges [from, to) of `parts` parts of a list with these weights.
// REQUIRES: 1 <= parts <= weights.size().
std::vector<std::pair<size_t, size_t>> SplitList(std::span<const double> weights, size_t parts, Split split);

struct BackwardOptions {
  Split split = Split::kEqual;
  bool give_up_last = false;  // Also try without the last part.
};

// Reduces `list`, asking `question` of each sublist, and returns what is left of it. `weights` is by element
// of the list's numbering (weights[list[i]]). REQUIRES: the whole list reaches; `question` is for a proper
// sublist.
UnitList ReduceBackward(UnitList list, std::span<const double> weights, const BackwardOptions& options,
                        const std::function<Question(const UnitList&)>& question, Session& session);

}  // namespace marmoset
