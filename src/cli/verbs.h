// The verbs: one file each. A new verb is a file, a line here and a line in verbs.cc.

#pragma once

#include "cli/verb.h"

namespace marmoset::cli {

void AddApk(CLI::App& root, Shared& shared, const RunVerb& run);
void AddBench(CLI::App& root, Shared& shared, const RunVerb& run);
void AddDevices(CLI::App& root, Shared& shared, const RunVerb& run);
void AddDoctor(CLI::App& root, Shared& shared, const RunVerb& run);
void AddExplore(CLI::App& root, Shared& shared, const RunVerb& run);
void AddExport(CLI::App& root, Shared& shared, const RunVerb& run);
void AddImport(CLI::App& root, Shared& shared, const RunVerb& run);
void AddManual(CLI::App& root, Shared& shared, const RunVerb& run);  // man, completion
void AddMinimize(CLI::App& root, Shared& shared, const RunVerb& run);
void AddReplay(CLI::App& root, Shared& shared, const RunVerb& run);
void AddReport(CLI::App& root, Shared& shared, const RunVerb& run);

}  // namespace marmoset::cli
