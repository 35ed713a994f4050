// All reducers by name (the list itself is reducers.def).

#pragma once

#include <span>
#include <string_view>

#include "reduce/reducer.h"

namespace marmoset {

struct ReducerInfo {
  std::string_view name;     // As in `--method`.
  bool needs_states;         // Without Problem::states it still works, as on a tree of one level.
  std::string_view summary;  // One line, lower case, no full stop.
  std::unique_ptr<Reducer> (*make)();
};

std::span<const ReducerInfo> AllReducers();

// Null if there is none of that name.
const ReducerInfo* FindReducer(std::string_view name);

}  // namespace marmoset
