// `marmoset bench`: studies of Marmoset's algorithms, for researchers and for ourselves.

#include "cli/bench.h"

#include "cli/verbs.h"

namespace marmoset::cli {

void AddBench(CLI::App& root, Shared& shared, const RunVerb& run) {
  CLI::App* bench = AddVerb(root, "bench", "Measure Marmoset's algorithms",
                            "  marmoset bench device app.apk\n"
                            "  marmoset bench explore app.apk other.apk --seeds 10 --out study\n"
                            "  marmoset bench minimize simplydroid --csv methods.csv\n"
                            "  marmoset bench minimize simplydroid --apps apks --methods lhdd,ddmin\n"
                            "  marmoset bench minimize --max-events 1000\n");
  bench->require_subcommand(1);
  AddBenchDevice(*bench, shared, run);
  AddBenchExplore(*bench, shared, run);
  AddBenchMinimize(*bench, shared, run);
}

}  // namespace marmoset::cli
