// The model of a run that is over: what `ape` would have learnt from it, whichever strategy drove it.
//
// It is derived from the steps and screens of the run record. The one that `ape` had may differ in
// resolution, since its plans that failed weakened transitions; what happened is the same.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "explore/model.h"
#include "trace/run_record.h"

namespace marmoset {

struct RunModel {
  Model model;
  std::map<TreeId, uint64_t> screens;  // ContentHash of the last screen with this tree.
  std::map<std::pair<TreeId, ConcreteAction>, std::string>
      labels;  // "tap 'Save'": the last step that was this.
};

// `package` is the app's: other screens are outside. kBadInput where the record lacks a screen.
Result<std::unique_ptr<RunModel>> ModelOfRun(const RunRecord& record, const std::string& package);

// The model's action that a step was, on the screen that it was done to, whose tree has these widgets as its
// nodes (NameTable::MakeTree).
std::optional<ConcreteAction> Interpret(const Step& step, const Screen& before,
                                        const std::vector<WidgetRef>& widgets);

}  // namespace marmoset
