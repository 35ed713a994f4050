// The model of a run as a map that a person can read:
//
//   index.html   the states by activity, each with a picture, its actions and where they lead
//   model.dot    the same as a graph, for Graphviz
//
// Pictures are those that the run took (`explore --screenshots`), else drawn from the screens' trees.

#pragma once

#include "base/error.h"
#include "base/file.h"
#include "explore/run_model.h"
#include "trace/run_record.h"

namespace marmoset {

// Writes both into `folder`, which must exist. `title` is the app's name.
Status WriteModelPage(const fs::path& folder, const std::string& title, const RunModel& run,
                      const RunRecord& record);

}  // namespace marmoset
