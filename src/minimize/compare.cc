#include "minimize/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/random.h"
#include "minimize/method.h"
#include "schedule/scheduled_judge.h"

namespace marmoset {
namespace {

constexpr double kMissesOfGood = 0.001;
constexpr uint32_t kMostEventsOneByOne = 1000;

Kept NeededOf(const Family& family, Random& random) {
  std::set<uint32_t> items = {family.events - 1};
  const uint32_t width = std::min(family.events, 2 * family.needed);
  const auto from = static_cast<uint32_t>(random.Below(family.events - width + 1));
  while (items.size() < std::min(family.needed, family.events))
    items.insert(
        static_cast<uint32_t>(family.clustered ? from + random.Below(width) : random.Below(family.events)));
  return Kept(items.begin(), items.end());
}

// One device that replays generated traces.
class GeneratedFarm : public ReplayFarm {
 public:
  GeneratedFarm(Kept needed, double p, Random random) : needed_(std::move(needed)), p_(p), random_(random) {}

  uint32_t width() const override { return 1; }

  Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                      std::stop_token) override {
    std::vector<Verdict> verdicts;
    for (const Question* question : questions) {
      const Kept& kept = question->kept;
      events_ += kept.size();
      const bool complete = std::all_of(needed_.begin(), needed_.end(), [&](uint32_t item) {
        return std::binary_search(kept.begin(), kept.end(), item);
      });
      verdicts.push_back(complete && random_.Chance(p_) ? Verdict::kReached : Verdict::kMissed);
    }
    return verdicts;
  }

  uint64_t events() const { return events_; }

 private:
  const Kept needed_;
  const double p_;
  Random random_;
  uint64_t events_ = 0;
};

uint32_t ReplaysPerCandidate(double p) {
  return p >= 1 ? 1 : static_cast<uint32_t>(std::ceil(std::log(kMissesOfGood) / std::log(1 - p)));
}

}  // namespace

std::vector<Family> Families(uint32_t max_events) {
  std::vector<Family> families;
  for (const uint32_t events : {100u, 1000u, 10000u})
    for (const uint32_t needed : {1u, 3u, 6u, 20u})
      for (const bool clustered : {true, false})
        for (const double p : {0.1, 0.5, 1.0})
          if (events <= max_events) families.push_back({events, needed, clustered, p});
  return families;
}

Result<std::vector<Comparison>> CompareOn(const std::string& name, const Trace& trace) {
  std::vector<Comparison> comparisons;
  for (const ReducerInfo& info : AllReducers()) {
    MARMOSET_ASSIGN(const OfflineReduction r, MinimizeOffline(trace, *info.make()));
    Comparison c;
    c.trace = name;
    c.method = info.name;
    c.family.events = static_cast<uint32_t>(trace.steps.size());
    c.replays = r.replays;
    c.replayed_events = r.replayed_events;
    c.length = r.kept.size();
    c.one_minimal = r.one_minimal;
    comparisons.push_back(std::move(c));
  }
  return comparisons;
}

std::vector<Comparison> CompareOn(const Family& family, uint64_t seed) {
  Random random(seed);
  const Kept needed = NeededOf(family, random);
  std::vector<Comparison> comparisons;
  for (const ReducerInfo& info : AllReducers()) {
    if (info.needs_states || (info.name == "one-by-one" && family.events > kMostEventsOneByOne)) continue;
    // Each method meets the same luck from the start.
    GeneratedFarm farm(needed, family.p, random);
    const FixedRule rule{ReplaysPerCandidate(family.p), 1};
    const NaivePolicy policy{Acceptance(rule)};
    ScheduledJudge judge(farm, policy, rule);
    Problem problem;
    problem.size = family.events;
    const Reduction r = info.make()->Reduce(problem, judge, {}, {});
    Comparison c;
    c.trace = fmt::format("{} of {} {}, p {}", family.needed, family.events,
                          family.clustered ? "clustered" : "scattered", family.p);
    c.method = info.name;
    c.family = family;
    c.replays = judge.replays();
    c.replayed_events = farm.events();
    c.length = r.kept.size();
    c.one_minimal = r.one_minimal;
    comparisons.push_back(std::move(c));
  }
  return comparisons;
}

double Median(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return static_cast<double>(values[(n - 1) / 2] + values[n / 2]) / 2;
}

double Mean(std::span<const uint64_t> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace marmoset
