// Every reducer on generated traces: oracle calls and replayed events by length, by number and place of the
// needed items; and what the reducers themselves take. Claims: ProbDD and CDD with survivors / n need fewer
// calls than ddmin on long traces with few needed items; no reducer takes noticeable time beside its oracle.
//
//     reduce_bench [ITEMS …]         default 100 1000 10000

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "base/random.h"
#include "reduce/registry.h"

namespace marmoset {
namespace {

// The needed items: the last one, and others in one cluster or anywhere.
Kept Needed(uint32_t n, uint32_t count, bool clustered, Random* random) {
  std::set<uint32_t> items = {n - 1};
  const uint32_t width = std::min(n, 2 * count);
  const auto from = static_cast<uint32_t>(random->Below(n - width + 1));
  while (items.size() < count)
    items.insert(static_cast<uint32_t>(clustered ? from + random->Below(width) : random->Below(n)));
  return Kept(items.begin(), items.end());
}

int Main(const std::vector<uint32_t>& sizes) {
  std::printf("%-12s %6s %6s %-9s %9s %12s %10s\n", "method", "items", "needed", "place", "calls", "events",
              "own ms");
  for (const uint32_t n : sizes) {
    for (const uint32_t count : {1u, 3u, 6u, 20u}) {
      for (const bool clustered : {true, false}) {
        for (const ReducerInfo& info : AllReducers()) {
          if (info.needs_states || (info.name == "one-by-one" && n > 1000)) continue;
          Random random(n + count);
          constexpr int kRounds = 3;
          double calls = 0, events = 0, seconds = 0;
          for (int round = 0; round < kRounds; ++round) {
            const Kept needed = Needed(n, count, clustered, &random);
            double oracle_seconds = 0;
            const auto now = [] { return std::chrono::steady_clock::now(); };
            const auto start = now();
            const Reduction r = info.make()->Reduce(
                n,
                [&](const Kept& kept, std::stop_token) -> Result<Verdict> {
                  const auto asked = now();
                  events += static_cast<double>(kept.size()) / kRounds;
                  const bool all = std::includes(kept.begin(), kept.end(), needed.begin(), needed.end());
                  oracle_seconds += std::chrono::duration<double>(now() - asked).count();
                  return all ? Verdict::kReached : Verdict::kMissed;
                },
                {}, {});
            seconds += (std::chrono::duration<double>(now() - start).count() - oracle_seconds) / kRounds;
            calls += static_cast<double>(r.oracle_calls) / kRounds;
            if (r.kept != needed) return 1;
          }
          std::printf("%-12s %6u %6u %-9s %9.1f %12.0f %10.2f\n", info.name.data(), n, count,
                      clustered ? "clustered" : "scattered", calls, events, seconds * 1e3);
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace marmoset

int main(int argc, char** argv) {
  std::vector<uint32_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<uint32_t>(std::atoi(argv[i])));
  return marmoset::Main(sizes.empty() ? std::vector<uint32_t>{100, 1000, 10000} : sizes);
}
