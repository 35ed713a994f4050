#include "schedule/acceptance.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"

namespace marmoset {
namespace {

double Sequence(double p, uint32_t reached, uint32_t missed) {
  return std::pow(p, reached) * std::pow(1 - p, missed);
}

}  // namespace

Acceptance::Acceptance(uint32_t max_runs)
    : max_runs_(max_runs), decisions_((max_runs + 1) * (max_runs + 1), Decision::kGoOn) {}

Acceptance::Acceptance(FixedRule rule) : Acceptance(rule.runs) {
  MARMOSET_CHECK(rule.needed >= 1 && rule.needed <= rule.runs);
  for (uint32_t reached = 0; reached <= rule.runs; ++reached)
    for (uint32_t missed = 0; missed <= rule.runs; ++missed)
      decisions_[Place({reached, missed})] = reached >= rule.needed           ? Decision::kAccept
                                             : missed > rule.allowed_misses() ? Decision::kReject
                                                                              : Decision::kGoOn;
}

Acceptance::Decision Acceptance::At(Counts counts) const {
  MARMOSET_CHECK(counts.reached <= max_runs_ && counts.missed <= max_runs_);
  return decisions_[Place(counts)];
}

Counts Acceptance::Clamp(Counts counts) const {
  if (counts.runs() <= max_runs_) return counts;
  const auto reached = static_cast<uint32_t>(uint64_t{counts.reached} * max_runs_ / counts.runs());
  return {reached, max_runs_ - reached};
}

uint32_t Acceptance::SuccessesToAccept(Counts counts) const {
  uint32_t more = 0;
  for (; !Accepts(counts) && counts.runs() < max_runs_; ++more) ++counts.reached;
  return more;
}

uint32_t Acceptance::MissesToReject(Counts counts) const {
  uint32_t more = 0;
  for (; !Rejects(counts) && counts.runs() < max_runs_; ++more) ++counts.missed;
  return more;
}

std::pair<double, double> Acceptance::Walk(double p) const {
  double accepted = 0, runs = 0;
  std::vector<double> here = {1};  // By misses, after `run` replays; only those undecided.
  for (uint32_t run = 0; run <= max_runs_; ++run) {
    std::vector<double> next(run + 2);
    for (uint32_t missed = 0; missed <= run; ++missed) {
      if (here[missed] == 0) continue;
      const Decision decision = At({run - missed, missed});
      if (decision == Decision::kAccept) accepted += here[missed];
      if (decision != Decision::kGoOn) continue;
      runs += here[missed];
      next[missed] += here[missed] * p;
      next[missed + 1] += here[missed] * (1 - p);
    }
    here = std::move(next);
  }
  return {accepted, runs};
}

Result<Acceptance> Acceptance::Sequential(const SequentialOptions& options) {
  const bool sensible = options.bad > 0 && options.bad < options.good && options.good < 1 &&
                        options.alpha > 0 && options.alpha < 0.5 && options.beta > 0 && options.beta < 0.5 &&
                        options.max_runs >= 1 && options.max_runs <= 1000;
  if (!sensible)
    return Fail(
        ErrorCode::kBadInput,
        "acceptance: 0 < bad < good < 1 and error rates between 0 and 0.5 are needed, not bad {}, good "
        "{}, alpha {}, beta {}",
        options.bad, options.good, options.alpha, options.beta);

  const uint32_t n = options.max_runs;
  Acceptance rule(n);
  // Probabilities of one sequence with given counts: under the prior, and under the two hypotheses.
  std::vector<double> average(rule.decisions_.size()), bad(average.size()), good(average.size());
  for (uint32_t reached = 0; reached <= n; ++reached) {
    for (uint32_t missed = 0; reached + missed <= n; ++missed) {
      const size_t place = rule.Place({reached, missed});
      bad[place] = Sequence(options.bad, reached, missed);
      good[place] = Sequence(options.good, reached, missed);
      for (const Prior::Point& point : options.prior.points())
        average[place] += point.weight * Sequence(point.p, reached, missed);
    }
  }
  // The best rule for given prices of the two errors, in replays.
  std::vector<double> cost(average.size());
  const auto construct = [&](double accept_price, double reject_price) {
    for (uint32_t runs = n + 1; runs-- > 0;) {
      for (uint32_t missed = 0; missed <= runs; ++missed) {
        const size_t place = rule.Place({runs - missed, missed});
        const double accept = accept_price * bad[place], reject = reject_price * good[place];
        rule.decisions_[place] = accept < reject ? Decision::kAccept : Decision::kReject;
        cost[place] = std::min(accept, reject);
        if (runs == n) continue;
        const double go_on = average[place] + cost[rule.Place({runs - missed + 1, missed})] +
                             cost[rule.Place({runs - missed, missed + 1})];
        if (go_on < cost[place]) {
          cost[place] = go_on;
          rule.decisions_[place] = Decision::kGoOn;
        }
      }
    }
  };
  // A price grid, finely stepped; of the rules with small enough errors the one with the fewest replays.
  constexpr double kStep = 1.12;
  double fewest = 1e9;
  std::optional<Acceptance> best;
  for (double accept_price = 4; accept_price < 1e5; accept_price *= kStep) {
    for (double reject_price = 4; reject_price < 1e5; reject_price *= kStep) {
      construct(accept_price, reject_price);
      if (1 - rule.AcceptProbability(options.good) > options.beta) continue;
      // Dearer rejection only makes it accept more, so the first that keeps beta decides about alpha.
      if (rule.AcceptProbability(options.bad) <= options.alpha) {
        double runs = 0;
        for (const Prior::Point& point : options.prior.points())
          runs += point.weight * rule.ExpectedRuns(point.p);
        if (runs < fewest) {
          fewest = runs;
          best = rule;
        }
      }
      break;
    }
  }
  if (!best)
    return Fail(ErrorCode::kBadInput, "acceptance: error rates {} and {} need more than {} replays",
                options.alpha, options.beta, n);
  return *std::move(best);
}

}  // namespace marmoset
