// The pre-pass: what the recorded states alone suggest to leave out.
//
// The problem. Most events of a random trace change nothing, or lead away and back again. That is visible in
// the recording, before the first replay:
//
//     states     A -0- A -1- B -2- B -3- A -4- C -5- crash
//     no change  0, 2          loop A … A  0 to 3        what is left  4 5
//
// The idea. Propose, in this order: the path without any loop (each state is left for good the last time that
// it is left); the trace without the events that changed nothing; then each loop of the path by itself, the
// longest first. They are proposals: every one is judged by the oracle like any other candidate, since a
// state label (an activity, say) does not show everything that an event did. The last item stays in all of
// them: it is the one that reached the target.
//
// The cost: at most 2 calls and one per distinct state. Nothing is guaranteed.
//
// Source: the idea is that of the replay-free rules of CHARD and of DetReduce's loop elimination (OOPSLA
// 2018, section 4.2); the order and the restriction to disjoint loops are ours, to bound the cost.

#pragma once

#include <span>

#include "reduce/reducer.h"

namespace marmoset {

// Proposes to `session`. `states` is by item.
void PrePass(std::span<const StateChange> states, Session& session);

// The path without loops through `kept`, as places in it that may be dropped: disjoint ranges [from, to),
// ascending; what they leave visits no state twice.
std::vector<std::pair<size_t, size_t>> MaximalLoops(std::span<const StateChange> states, const Kept& kept);

}  // namespace marmoset
