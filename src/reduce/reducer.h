// What all reducers have in common: they turn n items into fewer for which the oracle still says kReached.

#pragma once

#include <memory>

#include "reduce/session.h"

namespace marmoset {

// The state of the app (an activity, a screen: the caller's choice, as a label) around one item.
struct StateChange {
  uint32_t before = 0;
  uint32_t after = 0;

  friend bool operator==(const StateChange&, const StateChange&) = default;
};

// What is to be reduced, and what is known about it.
struct Problem {
  uint32_t size = 0;  // The items are 0 … size-1.

  // One per item, or empty. They make the hierarchy of HDD, BHDD and LHDD. In a trace the
  // start of the app is not an item: it is never removed.
  std::vector<StateChange> states;

  // What an item costs to keep (waiting time in ms, for example), one per item, or empty for 1 each. WDD
  // halves by it.
  std::vector<double> costs;

  // How many items the caller thinks will survive; ProbDD and CDD start from it.
  uint32_t expected_survivors = 6;

  // States for the pre-pass (pre_pass.h), one per item, or empty: no pre-pass. Finer ones than `states` make
  // better proposals.
  std::vector<StateChange> pre_pass;

  bool final_sweep = true;  // End with one-by-one removal, so that the result is 1-minimal (sweep.h).
};

// REQUIRES for all reducers: the oracle says kReached for all items (the caller's pre-check). An unresolved
// answer keeps the items in question, and costs the guarantee of 1-minimality unless a later answer settles
// it. Stateless: one reducer may serve several threads.
class Reducer {
 public:
  virtual ~Reducer() = default;

  // The whole reduction: pre-pass, this reducer, final sweep.
  Reduction Reduce(const Problem& problem, Judge& judge, const OnBest& on_best, std::stop_token stop) const;

  // The same for n items of which nothing is known and a sequential oracle.
  Reduction Reduce(uint32_t n, const Oracle& oracle, const OnBest& on_best, std::stop_token stop) const;

 private:
  // Reduces session.best() further.
  virtual void Search(const Problem& problem, Session& session) const = 0;
};

}  // namespace marmoset
