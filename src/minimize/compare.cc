#include "minimize/compare.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/clock.h"
#include "base/random.h"
#include "minimize/method.h"
#include "reduce/activity_graph.h"
#include "reduce/hierarchy.h"
#include "schedule/scheduled_judge.h"

namespace marmoset {
namespace {

constexpr double kMissesOfGood = 0.001;
constexpr uint32_t kMostEventsOneByOne = 1000;

constexpr uint32_t kScreens = 40;
constexpr double kOpens = 0.1;   // An event on a screen opens another one …
constexpr double kLeaves = 0.1;  // … or goes back.

// A generated trace: what is needed, and for a nested one the states around its events.
struct Generated {
  Kept needed;
  std::vector<StateChange> states;
};

std::vector<StateChange> Walk(uint32_t events, Random& random) {
  std::vector<uint32_t> stack = {0}, before;
  for (uint32_t i = 0; i < events; ++i) {
    before.push_back(stack.back());
    if (random.Chance(kOpens))
      stack.push_back(static_cast<uint32_t>(random.Below(kScreens)));
    else if (stack.size() > 1 && random.Chance(kLeaves))
      stack.pop_back();
  }
  return ActivityGraph::FromStatesBefore(before);
}

Generated Generate(const Family& family, Random& random) {
  std::set<uint32_t> items = {family.events - 1};
  const uint32_t width = std::min(family.events, 2 * family.needed);
  const auto from = static_cast<uint32_t>(random.Below(family.events - width + 1));
  while (items.size() < std::min(family.needed, family.events))
    items.insert(static_cast<uint32_t>(family.place == Place::kClustered ? from + random.Below(width)
                                                                         : random.Below(family.events)));
  Generated generated;
  if (family.place == Place::kNested) {
    generated.states = Walk(family.events, random);
    std::vector<uint32_t> before;
    for (const StateChange& change : generated.states) before.push_back(change.before);
    const Hierarchy tree = Hierarchy::FromStates(before);
    for (const uint32_t item : std::vector<uint32_t>(items.begin(), items.end()))
      for (uint32_t node = tree.parent(item); node != Hierarchy::kRoot; node = tree.parent(node))
        items.insert(node);
  }
  generated.needed.assign(items.begin(), items.end());
  return generated;
}

// One device that replays a generated trace.
class GeneratedFarm : public ReplayFarm {
 public:
  GeneratedFarm(const Generated& trace, double p, Random random) : trace_(trace), p_(p), random_(random) {}

  uint32_t width() const override { return 1; }

  Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                      std::stop_token) override {
    std::vector<Verdict> verdicts;
    for (const Question* question : questions) {
      events_ += question->kept.size();
      verdicts.push_back(Reaches(*question) ? Verdict::kReached : Verdict::kMissed);
    }
    return verdicts;
  }

  uint64_t events() const { return events_; }

 private:
  // A screen is reached for sure by the way to it: all that is needed up to there.
  bool Reaches(const Question& question) {
    const Kept& kept = question.kept;
    const bool complete = std::all_of(trace_.needed.begin(), trace_.needed.end(), [&](uint32_t item) {
      return (question.reach && item > kept.back()) || std::binary_search(kept.begin(), kept.end(), item);
    });
    return complete &&
           (question.reach ? trace_.states[kept.back()].after == *question.reach : random_.Chance(p_));
  }

  const Generated& trace_;
  const double p_;
  Random random_;
  uint64_t events_ = 0;
};

uint32_t ReplaysPerCandidate(double p) {
  return p >= 1 ? 1 : static_cast<uint32_t>(std::ceil(std::log(kMissesOfGood) / std::log(1 - p)));
}

}  // namespace

std::string_view PlaceName(Place place) {
  return place == Place::kClustered ? "clustered" : place == Place::kScattered ? "scattered" : "nested";
}

std::vector<Family> Families(uint32_t max_events) {
  std::vector<Family> families;
  for (const uint32_t events : {100u, 1000u, 10000u})
    for (const uint32_t needed : {1u, 3u, 6u, 20u})
      for (const Place place : {Place::kClustered, Place::kScattered, Place::kNested})
        for (const double p : {0.1, 0.5, 1.0})
          if (events <= max_events) families.push_back({events, needed, place, p});
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
  const Generated trace = Generate(family, random);
  std::vector<Comparison> comparisons;
  for (const ReducerInfo& info : AllReducers()) {
    if ((info.needs_states && trace.states.empty()) ||
        (info.name == "one-by-one" && family.events > kMostEventsOneByOne))
      continue;
    // Each method meets the same luck from the start.
    GeneratedFarm farm(trace, family.p, random);
    const FixedRule rule{ReplaysPerCandidate(family.p), 1};
    const NaivePolicy policy{Acceptance(rule)};
    ScheduledJudge::Options options;
    options.knows_local_targets = true;
    ScheduledJudge judge(farm, policy, rule, options);
    Problem problem;
    problem.size = family.events;
    problem.states = trace.states;
    const Reduction r = info.make()->Reduce(problem, judge, {}, {});
    Comparison c;
    c.trace =
        fmt::format("{} of {} {}, p {}", family.needed, family.events, PlaceName(family.place), family.p);
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

Result<std::optional<Comparison>> CompareLive(const std::string& name, const MinimizeWorld& world,
                                              const Trace& trace, const Target& target,
                                              const ReducerInfo& method) {
  MARMOSET_ASSIGN(const TemporaryFolder folder, TemporaryFolder::Make());
  MinimizeOptions options;
  options.target = target;
  options.method = method.name;
  options.judgement = JudgeOnce();
  options.confirmations = 1;
  options.out = folder.path();
  const int64_t start_ms = SystemClock().NowMs();
  MARMOSET_ASSIGN(const Minimization m, Minimize(world, trace, options, {}));
  if (m.stopped) return Fail(Error(*m.stopped));
  if (m.pre_check_failed) return std::nullopt;
  Comparison c;
  c.trace = name;
  c.method = method.name;
  c.family.events = static_cast<uint32_t>(trace.steps.size());
  c.replays = m.replays;
  c.replayed_events = m.replayed_events;
  c.length = m.kept.size();
  c.one_minimal = m.one_minimal;
  c.seconds = static_cast<double>(SystemClock().NowMs() - start_ms) / 1000;
  return c;
}

}  // namespace marmoset
