// What is believed about a candidate before it was ever replayed: how likely is it that it reaches the target
// with probability p?
//
// Clapp, Bastani, Anand and Aiken, "Minimizing GUI Event Traces" (ND3MIN), FSE 2016, sections 3, 4.3 and 5.2.
// Values; const functions may be called by several threads.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace marmoset {

// Replays of one candidate so far. Unresolved replays are in neither.
struct Counts {
  uint32_t reached = 0;
  uint32_t missed = 0;

  uint32_t runs() const { return reached + missed; }
  // clang-tidy 14 takes a comparison's own zero for a null pointer.
  friend auto operator<=>(const Counts&, const Counts&) = default;  // NOLINT(modernize-use-nullptr)
};

class Prior {
 public:
  struct Point {
    double p;       // Probability that one replay reaches.
    double weight;  // Share of candidates of which this holds. Over all points they sum to 1.
  };

  // Weights need not sum to 1; they are scaled. REQUIRES: some weight is positive, 0 <= p <= 1.
  explicit Prior(std::vector<Point> points);

  // The prior of the paper's figure 4, as far as it can be recovered: that figure gives no numbers, but p1
  // and p2 of the paper's tables follow from it. These weights reproduce every published p2 and each
  // published p1 within 0.02. How the weight of failing candidates is spread over small p is not determined
  // by those tables.
  static Prior Published();

  // All of low, low + step, …, high equally likely.
  static Prior Equal(double low, double high, double step);

  // The prior that explains what was seen: `seen` has the final counts of candidates judged so far.
  // Expectation maximization with this prior as `strength` candidates of its own, so that little data changes
  // little.
  Prior Learn(std::span<const Counts> seen, double strength = 50) const;

  const std::vector<Point>& points() const { return points_; }

  // The weights after the counts were seen. REQUIRES: the counts are possible under the prior.
  std::vector<double> Posterior(Counts counts) const;

  // The probability that `more` further replays have exactly `missed` misses, given the counts so far.
  double Predict(Counts counts, uint32_t more, uint32_t missed) const;

 private:
  std::vector<Point> points_;
};

// The paper's p1: the probability that a result which reached in `reached` of `runs` final replays does so
// with probability over `bound`.
double ReliableProbability(const Prior& prior, uint32_t reached, uint32_t runs = 20, double bound = 0.85);

// The paper's p2 (lemma 1): the probability that none of the `length` results with one event less reaches
// with probability `needed` / `runs` or more, given that each of them was rejected.
double MinimalProbability(const Prior& prior, uint32_t length, uint32_t runs = 20, uint32_t needed = 18);

// The probability of at least `needed` successes in `runs` replays that each succeed with probability p.
double AtLeast(uint32_t needed, uint32_t runs, double p);

}  // namespace marmoset
