// When has a candidate been replayed often enough to accept or to reject it?
//
// The problem. ND3MIN accepts what succeeds in 18 of 20 replays. To find out that a good candidate is good
// takes 18 replays, although 10 successes in a row already leave little doubt.
//
// The idea. State the two errors instead: a candidate that reaches with probability `bad` or less is accepted
// at most with probability alpha, and one that reaches with `good` or more is rejected at most with
// probability beta. Among all rules that look after every replay and stop by `max_runs`, the one with the
// fewest expected replays (weighed over a prior) follows by going backwards from the last replay: accept,
// reject or go on, whichever costs least, with a price on each error that is raised until the errors are as
// stated. Near its two hypotheses this is Wald's sequential test (SPRT), which it betters where that is weak:
// it is bounded, its error rates are exact rather than approximate, and it is short for candidates in
// between.
//
// With the error rates that 18 of 20 has at 0.7 and 0.95 it needs fewer replays for every p
// (acceptance_test.cc).
//
// Sources: ND3MIN section 3 (fixed rule); Wald, "Sequential Analysis", 1947; the backward construction is
// standard (for example DeGroot, "Optimal Statistical Decisions", chapter 12). Unresolved replays are not
// counted at all: they are neither success nor miss.
//
// A value; const functions may be called by several threads.

#pragma once

#include <vector>

#include "base/error.h"
#include "schedule/prior.h"

namespace marmoset {

// At least `needed` successes in `runs` replays.
struct FixedRule {
  uint32_t runs = 20;
  uint32_t needed = 18;

  uint32_t allowed_misses() const { return runs - needed; }
};

struct SequentialOptions {
  double bad = 0.70;     // Candidates up to this p …
  double alpha = 0.035;  // … are accepted with at most this probability.
  double good = 0.95;    // Candidates from this p on …
  double beta = 0.075;   // … are rejected with at most this probability.
  uint32_t max_runs = 34;
  Prior prior = Prior::Equal(0.6, 1.0, 0.05);  // Weighs the expected replays: here where they are many.
};

class Acceptance {
 public:
  // Stops as soon as the outcome is certain. REQUIRES: 1 <= needed <= runs.
  Acceptance(FixedRule rule);  // NOLINT: the paper's rule is an acceptance.

  // kBadInput if the options contradict themselves or need more than max_runs replays.
  static Result<Acceptance> Sequential(const SequentialOptions& options);

  // Counts that the rule knows a decision for: of more than max_runs() replays, as many in the same
  // proportion.
  Counts Clamp(Counts counts) const;

  bool Accepts(Counts counts) const { return At(counts) == Decision::kAccept; }
  bool Rejects(Counts counts) const { return At(counts) == Decision::kReject; }

  // Replays that the candidate may still get; 0 once it is decided.
  uint32_t Left(Counts counts) const { return At(counts) == Decision::kGoOn ? max_runs_ - counts.runs() : 0; }

  // If all further replays succeed, or all miss, how many until it is decided. REQUIRES: it is not yet.
  uint32_t SuccessesToAccept(Counts counts) const;
  uint32_t MissesToReject(Counts counts) const;

  uint32_t max_runs() const { return max_runs_; }

  // What the rule does with candidates of probability p, one replay at a time: exact.
  double AcceptProbability(double p) const { return Walk(p).first; }
  double ExpectedRuns(double p) const { return Walk(p).second; }

 private:
  enum class Decision : uint8_t { kGoOn, kAccept, kReject };

  explicit Acceptance(uint32_t max_runs);

  size_t Place(Counts counts) const { return counts.reached * (max_runs_ + 1) + counts.missed; }
  Decision At(Counts counts) const;
  std::pair<double, double> Walk(double p) const;

  uint32_t max_runs_;
  std::vector<Decision> decisions_;  // By Place, for up to max_runs replays.
};

}  // namespace marmoset
