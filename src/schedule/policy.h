// A policy says which candidates to replay next on m devices.
//
// The problem. Of n candidates find one that succeeds in 18 of 20 replays, or show that there is none, in as
// few steps as possible; a step is one replay on each of m devices at once. A candidate is out after 3
// misses.
//
// A schedule is how many replays each candidate gets in the next step. All policies fill the step as far as
// the acceptance rule allows: every candidate at most 20 replays in all, none for one that is out. How they
// compare is shown by nd3min_bench.cc.
//
// Source: ND3MIN (prior.h), section 4. Policies are stateless after construction; const functions may be
// called by several threads.

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "schedule/acceptance.h"

namespace marmoset {

// The constants of ND3MIN, all of them.
struct Nd3minParameters {
  FixedRule rule;
  uint32_t devices = 15;           // m.
  uint32_t parts = 5;              // n: into how many parts a trace is cut first.
  uint32_t pre_check_runs = 20;    // The original trace must reach …
  uint32_t pre_check_needed = 15;  // … in so many of so many replays.
  uint32_t final_runs = 20;        // Replays of the result, reported.
  double likely = 0.8;             // c: the share of successes from which the heuristic tries to confirm.
};

// How many replays each candidate gets next; same length as the candidates.
using Schedule = std::vector<uint32_t>;

class Policy {
 public:
  virtual ~Policy() = default;

  // The schedule for the next step. REQUIRES: no candidate is accepted, and at least one has replays left.
  // Ensures: the sum is min(devices, all replays left).
  virtual Schedule Next(std::span<const Counts> candidates, uint32_t devices) const = 0;
};

// All replays of the first candidate, then of the second, and so on (section 4.1).
class NaivePolicy : public Policy {
 public:
  explicit NaivePolicy(Acceptance rule = FixedRule()) : rule_(std::move(rule)) {}
  Schedule Next(std::span<const Counts> candidates, uint32_t devices) const override;

 private:
  Acceptance rule_;
};

// One replay each, over and over (section 4.1).
class RoundRobinPolicy : public Policy {
 public:
  explicit RoundRobinPolicy(Acceptance rule = FixedRule()) : rule_(std::move(rule)) {}
  Schedule Next(std::span<const Counts> candidates, uint32_t devices) const override;

 private:
  Acceptance rule_;
};

// First look at all, then confirm what looks good and refute what does not (section 4.2, figure 3).
class HeuristicPolicy : public Policy {
 public:
  explicit HeuristicPolicy(Acceptance rule = FixedRule(), double likely = 0.8)
      : rule_(std::move(rule)), likely_(likely) {}
  Schedule Next(std::span<const Counts> candidates, uint32_t devices) const override;

 private:
  Acceptance rule_;
  double likely_;
};

// Adds one replay after the other, in the order given and from its start again, while devices and `left`
// allow.
void FillRoundRobin(std::span<const size_t> order, std::span<const uint32_t> left, uint32_t devices,
                    Schedule* schedule);

}  // namespace marmoset
