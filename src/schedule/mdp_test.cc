#include "schedule/mdp.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <numeric>

#include "base/random.h"
#include "reduce/testing/oracles.h"

namespace marmoset {
namespace {

// Plain value iteration: every schedule in every state, every outcome of every schedule, nothing merged but
// the order of candidates. Ends are those of the rule.
class Plain {
 public:
  Plain(FixedRule rule, uint32_t devices, Prior prior)
      : rule_(rule), acceptance_(rule), devices_(devices), prior_(std::move(prior)) {}

  double Steps(std::vector<Counts> state) {
    bool all_out = true;
    for (const Counts& counts : state) {
      if (acceptance_.Accepts(counts)) return 0;
      all_out = all_out && acceptance_.Rejects(counts);
    }
    if (all_out) return 0;
    for (Counts& counts : state)
      if (acceptance_.Rejects(counts)) counts = {0, rule_.allowed_misses() + 1};
    std::sort(state.begin(), state.end());
    const auto known = known_.find(state);
    if (known != known_.end()) return known->second;
    uint32_t left = 0;
    for (const Counts& counts : state) left += acceptance_.Left(counts);
    double best = 1e9;
    Schedule schedule(state.size());
    ForEachSchedule(state, 0, std::min(left, devices_), &schedule,
                    [&] { best = std::min(best, 1 + After(state, schedule, 0, 1)); });
    return known_[state] = best;
  }

 private:
  template <class F>
  void ForEachSchedule(const std::vector<Counts>& state, size_t i, uint32_t devices, Schedule* schedule,
                       const F& f) {
    if (i == state.size()) {
      if (devices == 0) f();
      return;
    }
    for (uint32_t v = 0; v <= std::min(devices, acceptance_.Left(state[i])); ++v) {
      (*schedule)[i] = v;
      ForEachSchedule(state, i + 1, devices - v, schedule, f);
    }
  }

  double After(std::vector<Counts> state, const Schedule& schedule, size_t i, double probability) {
    if (i == state.size()) return probability * Steps(state);
    double sum = 0;
    const Counts before = state[i];
    for (uint32_t missed = 0; missed <= schedule[i]; ++missed) {
      state[i] = {before.reached + schedule[i] - missed, before.missed + missed};
      const double p = schedule[i] == 0 ? 1 : prior_.Predict(before, schedule[i], missed);
      sum += After(state, schedule, i + 1, probability * p);
    }
    return sum;
  }

  const FixedRule rule_;
  const Acceptance acceptance_;
  const uint32_t devices_;
  const Prior prior_;
  std::map<std::vector<Counts>, double> known_;
};

TEST(Mdp, CostsWhatPlainValueIterationFinds) {
  struct Case {
    uint32_t candidates, devices;
    FixedRule rule;
  };
  std::vector<Case> cases = {{1, 15, {}},    {2, 15, {}},    {1, 4, {}},       {2, 5, {}},
                             {3, 4, {6, 5}}, {3, 1, {4, 3}}, {3, 7, {7, 5}},   {4, 5, {4, 3}},
                             {4, 3, {4, 4}}, {5, 4, {3, 2}}, {2, 16, {20, 17}}};
  if (!kSanitized) cases.push_back({3, 9, {10, 8}});
  // The paper's own size takes minutes in this way: MARMOSET_SLOW_TESTS=1.
  if (std::getenv("MARMOSET_SLOW_TESTS") != nullptr) {
    cases.push_back({3, 15, {}});
    cases.push_back({4, 9, {10, 8}});
    cases.push_back({4, 3, {}});
  }
  for (const Case& c : cases) {
    for (const Prior& prior : {Prior::Published(), Prior::Equal(0, 1, 0.1)}) {
      MdpOptions options;
      options.candidates = c.candidates;
      options.devices = c.devices;
      options.rule = c.rule;
      options.prior = prior;
      const Mdp mdp = Mdp::Solve(options);
      Plain plain(c.rule, c.devices, prior);
      for (uint32_t n = 1; n <= c.candidates; ++n)
        EXPECT_NEAR(mdp.ExpectedSteps(n), plain.Steps(std::vector<Counts>(n)), 1e-9)
            << n << " on " << c.devices << ", " << c.rule.needed << " of " << c.rule.runs;
    }
  }
}

// Neither pruning nor threads change anything.
TEST(Mdp, PruningAndThreadsChangeNothing) {
  MdpOptions options;
  options.candidates = kSanitized ? 2 : 3;
  const Mdp pruned = Mdp::Solve(options);
  options.prune = false;
  const Mdp plain = Mdp::Solve(options);
  options.prune = true;
  options.parallel = OnThreads(3);
  const Mdp threads = Mdp::Solve(options);
  for (uint32_t n = 1; n <= options.candidates; ++n) {
    EXPECT_NEAR(pruned.ExpectedSteps(n), plain.ExpectedSteps(n), 1e-12);
    EXPECT_EQ(pruned.ExpectedSteps(n), threads.ExpectedSteps(n));
  }
  EXPECT_EQ(pruned.Save(), threads.Save());
  EXPECT_EQ(plain.statistics().actions_evaluated, plain.statistics().actions);
  EXPECT_LT(pruned.statistics().actions_evaluated * (options.candidates == 3 ? 20 : 4),
            plain.statistics().actions_evaluated);
}

// Simulated by its own policy the process takes as many steps as it says, and every state is in the table.
TEST(Mdp, ItsPolicyTakesTheStepsThatItSays) {
  MdpOptions options;
  options.candidates = 2;
  options.devices = 6;
  const Mdp mdp = Mdp::Solve(options);
  const Acceptance rule(options.rule);
  std::vector<double> weights;
  for (const Prior::Point& point : options.prior.points()) weights.push_back(point.weight);
  Random random(11);
  constexpr int kRounds = 20000;
  double steps = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Counts> state(2);
    const std::vector<double> p = {options.prior.points()[random.Weighted(weights)].p,
                                   options.prior.points()[random.Weighted(weights)].p};
    while (true) {
      uint32_t left = 0;
      bool accepted = false;
      for (const Counts& counts : state) {
        left += rule.Left(counts);
        accepted = accepted || rule.Accepts(counts);
      }
      if (accepted || left == 0) break;
      const std::optional<Schedule> schedule = mdp.Best(state, 6);
      ASSERT_TRUE(schedule);
      ASSERT_EQ(std::accumulate(schedule->begin(), schedule->end(), 0u), std::min(left, 6u));
      for (size_t i = 0; i < 2; ++i)
        for (uint32_t v = 0; v < (*schedule)[i]; ++v)
          ++(random.Chance(p[i]) ? state[i].reached : state[i].missed);
      ++steps;
    }
  }
  EXPECT_NEAR(steps / kRounds, mdp.ExpectedSteps(2), 0.05);
}

TEST(Mdp, SavesAndLoads) {
  MdpOptions options;
  options.candidates = 2;
  const Mdp mdp = Mdp::Solve(options);
  const std::string bytes = mdp.Save();
  const Result<Mdp> loaded = Mdp::Load(bytes);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->Save(), bytes);
  EXPECT_EQ(loaded->ExpectedSteps(2), mdp.ExpectedSteps(2));
  const std::vector<Counts> start(2);
  EXPECT_EQ(loaded->Best(start, 15), mdp.Best(start, 15));
  EXPECT_FALSE(loaded->Best(start, 14));
  EXPECT_FALSE(loaded->Best(std::vector<Counts>(3), 15));
  // Cut off or changed anywhere: an error or a table, never a crash.
  for (size_t length = 0; length < bytes.size(); ++length) EXPECT_FALSE(Mdp::Load(bytes.substr(0, length)));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    const Result<Mdp> result = Mdp::Load(damaged);
    EXPECT_TRUE(result || result.error().code() == ErrorCode::kBadInput);
  }
}

}  // namespace
}  // namespace marmoset
