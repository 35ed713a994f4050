// ddmin: the classic delta debugging algorithm.
//
// The problem. A trace of n events reaches the target; find a small part of it that still does, by asking the
// oracle about as few parts as possible. For example, of events 0 … 7 only {1, 6} matter:
//
//     0 1 2 3 | 4 5 6 7       two halves: each alone misses
//     0 1 | 2 3 | 4 5 | 6 7   quarters alone miss; all but {2 3} reaches: go on with 0 1 4 5 6 7 in thirds
//     0 1 | 4 5 | 6 7         all but {4 5} reaches: go on with 0 1 6 7 in halves … 1 6
//
// The idea. Cut what is left into k parts of nearly equal size. If one part alone reaches, keep only it and
// begin again with the first k. Otherwise, if all but one part reaches, drop that part (k-1). Otherwise cut
// finer (2k), until the parts are single items. When no single item can be dropped, the result is 1-minimal.
//
// The cost in oracle calls: O(log n) at best, n^2 + 3n at worst; each candidate is asked at most once,
// because the session remembers misses (the published reuse of results). An unresolved verdict keeps the
// part; it is not remembered, so that a later round may ask again.
//
// Departures. ND3MIN's listing cuts parts of length floor(n / k) and so drops the tail of the trace unasked;
// we cut evenly. Its order within a set of parts is open; ours is left to right, or right to left on request.

#include "reduce/ddmin.h"

#include <algorithm>

namespace marmoset {
namespace {

// Lists the questions of one ddmin run from granularity `k` on, as if all of them missed.
class Proposals {
 public:
  struct Step {
    size_t k, from, to;
    bool alone;
  };

  Proposals(const Units& units, const UnitList& current, const DdminOptions& options, size_t k)
      : units_(units), current_(current), options_(options), k_(k) {
    alone_ = options_.parts_alone && current_.size() > 1;  // The only part is everything.
  }

  std::optional<Question> Next() {
    if (part_ == k_) {
      part_ = 0;
      ++group_;
      if (!alone_) {
        if (k_ == current_.size()) return std::nullopt;
        k_ = std::min(2 * k_, current_.size());
        alone_ = options_.parts_alone;
      } else {
        alone_ = false;
      }
    }
    const size_t part = options_.backward ? k_ - 1 - part_ : part_;
    ++part_;
    const auto [from, to] = options_.published_parts ? PublishedPartOf(current_.size(), part, k_)
                                                     : PartOf(current_.size(), part, k_);
    steps_.push_back({k_, from, to, alone_});
    return Question{units_.With(Chosen(steps_.back())), std::nullopt, group_};
  }

  const Step& step(size_t place) const { return steps_[place]; }

  UnitList Chosen(const Step& step) const {
    if (!step.alone) return Without(current_, step.from, step.to);
    return {current_.begin() + static_cast<ptrdiff_t>(step.from),
            current_.begin() + static_cast<ptrdiff_t>(step.to)};
  }

 private:
  const Units& units_;
  const UnitList& current_;
  const DdminOptions& options_;
  size_t k_;
  size_t part_ = 0;
  bool alone_;
  uint32_t group_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

void DdminUnits(const Units& units, const DdminOptions& options, Session& session) {
  UnitList current = units.All();
  size_t k = options.parts;
  while (!current.empty() && !session.stopped()) {
    Proposals proposals(units, current, options, std::min(k, current.size()));
    const std::optional<size_t> reached = session.First([&] { return proposals.Next(); });
    if (!reached) return;
    const Proposals::Step step = proposals.step(*reached);
    k = step.alone ? options.parts : std::max<size_t>(step.k - 1, 2);
    current = proposals.Chosen(step);
  }
}

void Ddmin::Search(const Problem& problem, Session& session) const {
  DdminUnits(SingleItems(session.best(), problem.costs), options_, session);
}

}  // namespace marmoset
