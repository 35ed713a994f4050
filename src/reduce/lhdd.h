// LHDD: SimplyDroid's local hierarchical delta debugging (ASE 2017, section III.E, table 3).

#pragma once

#include "reduce/reducer.h"

namespace marmoset {

struct LhddOptions {
  bool preselect = true;  // Try the last 1, 2, 4, … nodes of a level before anything else.
  bool check_levels =
      false;  // Judge each level's result by the whole target, too (the program's extra check).
};

class Lhdd : public Reducer {
 public:
  explicit Lhdd(LhddOptions options = {}) : options_(options) {}

 private:
  // Without states, or with a judge that knows no local targets, this is BHDD.
  void Search(const Problem& problem, Session& session) const override;

  LhddOptions options_;
};

}  // namespace marmoset
