// The coverage of a run as two files for people and tools (docs/formats/coverage.md):
//
//   methods.tsv   every method of the app, the entered ones first, in the order in which they were entered
//   curve.tsv     how many methods had been entered after which event

#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/method.h"
#include "trace/run_record.h"

namespace marmoset {

// `covered` as RunRecord::Covered gives it, `all` as Device::methods does.
std::string MethodsText(const std::vector<CoveredMethod>& covered, const std::vector<AppMethod>& all);
std::string CurveText(const std::vector<CoveredMethod>& covered);

// Writes both into `folder`, which is made. kIo.
Status WriteCoverage(const fs::path& folder, const std::vector<CoveredMethod>& covered,
                     const std::vector<AppMethod>& all);

}  // namespace marmoset
