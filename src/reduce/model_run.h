// The loop that ProbDD and CDD share: a model of which units matter says what to leave out next, and learns
// from the answer.
//
// A Model is a value with
//     UnitList Select() const            what to leave out next, ascending; empty when nothing is left to ask
//     void Missed(const UnitList&)       leaving these out missed the target
//     void Dropped(const UnitList&)      these are gone
// Copies of it run ahead of the answers, on the assumption that all of them are misses.

#pragma once

#include <algorithm>

#include "reduce/session.h"
#include "reduce/units.h"

namespace marmoset {

template <class Model>
void RunModel(const Units& units, Model model, Session& session) {
  UnitList current = units.All();
  while (!session.stopped()) {
    Model ahead = model;
    std::vector<UnitList> dropped;
    const auto rest = [&](const UnitList& gone) {
      UnitList left;
      std::set_difference(current.begin(), current.end(), gone.begin(), gone.end(), std::back_inserter(left));
      return left;
    };
    uint32_t group = 0;
    const std::optional<size_t> reached = session.First([&]() -> std::optional<Question> {
      if (!dropped.empty()) ahead.Missed(dropped.back());
      UnitList gone = ahead.Select();
      if (gone.empty()) return std::nullopt;
      dropped.push_back(std::move(gone));
      return Question{units.With(rest(dropped.back())), std::nullopt, group++};
    });
    if (!reached) return;
    for (size_t i = 0; i < *reached; ++i) model.Missed(dropped[i]);
    model.Dropped(dropped[*reached]);
    current = rest(dropped[*reached]);
  }
}

}  // namespace marmoset
