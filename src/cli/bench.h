// The subcommands of `marmoset bench`.

#pragma once

#include "cli/verb.h"

namespace marmoset::cli {

void AddBenchDevice(CLI::App& bench, Shared& shared, const RunVerb& run);
void AddBenchMinimize(CLI::App& bench, Shared& shared, const RunVerb& run);
void AddBenchExplore(CLI::App& bench, Shared& shared, const RunVerb& run);

}  // namespace marmoset::cli
