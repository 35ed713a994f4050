// ND3MIN's policies compared: steps to find one of n candidates that passes, or to show that none does, on 1
// to 16 devices. Claims: the order of the paper (naive, round robin, heuristic, MDP), and the heuristic
// within a few per cent of the MDP.
//
//     nd3min_bench [CANDIDATES [ROUNDS [THREADS]]]         defaults 5, 20000, 2
//
// Candidates are drawn from the published prior. Every policy gets the same candidates and the same outcome
// of the k-th replay of each. The column "exact" is what the MDP expects; its simulation must agree. The last
// columns are the heuristic with the sequential test in place of 18 of 20.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/random.h"
#include "reduce/registry.h"
#include "schedule/mdp.h"
#include "schedule/scheduled_judge.h"

namespace marmoset {
namespace {

// The outcomes of all replays, decided in advance.
using World = std::vector<std::vector<bool>>;

struct Cost {
  double steps = 0;
  double replays = 0;
};

Cost Search(const Policy& policy, const Acceptance& rule, const World& world, uint32_t devices) {
  std::vector<Counts> counts(world.size());
  Cost cost;
  while (true) {
    uint32_t left = 0;
    for (const Counts& c : counts) {
      if (rule.Accepts(c)) return cost;
      left += rule.Left(c);
    }
    if (left == 0) return cost;
    const Schedule schedule = policy.Next(counts, devices);
    for (size_t i = 0; i < schedule.size(); ++i) {
      for (uint32_t v = 0; v < schedule[i]; ++v) {
        ++(world[i][counts[i].runs()] ? counts[i].reached : counts[i].missed);
        ++cost.replays;
      }
    }
    ++cost.steps;
  }
}

double Seconds(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

int Main(uint32_t candidates, int rounds, size_t threads) {
  const Prior prior = Prior::Published();
  std::vector<double> weights;
  for (const Prior::Point& point : prior.points()) weights.push_back(point.weight);
  const Acceptance fixed{FixedRule()};
  const Result<Acceptance> sequential = Acceptance::Sequential({});
  if (!sequential) return 1;
  std::printf("%u candidates, %d rounds\n", candidates, rounds);
  std::printf(
      "devices   naive   robin  heuristic    mdp   exact  heur/mdp  seconds  entries  bytes  sequential "
      "steps (replays) "
      "fixed (replays)\n");
  for (uint32_t devices = 1; devices <= 16; ++devices) {
    MdpOptions options;
    options.candidates = candidates;
    options.devices = devices;
    options.parallel = OnThreads(threads);
    const auto start = std::chrono::steady_clock::now();
    const auto mdp = std::make_shared<const Mdp>(Mdp::Solve(options));
    const double seconds = Seconds(start);

    const NaivePolicy naive;
    const RoundRobinPolicy robin;
    const HeuristicPolicy heuristic;
    const MdpPolicy best(mdp);
    const HeuristicPolicy with_sequential(*sequential);
    Random random(devices);
    Cost sums[5];
    for (int round = 0; round < rounds; ++round) {
      World world(candidates);
      for (auto& outcomes : world) {
        const double p = prior.points()[random.Weighted(weights)].p;
        for (uint32_t run = 0; run < std::max(fixed.max_runs(), sequential->max_runs()); ++run)
          outcomes.push_back(random.Chance(p));
      }
      const auto add = [&](int i, const Cost& cost) {
        sums[i].steps += cost.steps / rounds;
        sums[i].replays += cost.replays / rounds;
      };
      add(0, Search(naive, fixed, world, devices));
      add(1, Search(robin, fixed, world, devices));
      add(2, Search(heuristic, fixed, world, devices));
      add(3, Search(best, fixed, world, devices));
      add(4, Search(with_sequential, *sequential, world, devices));
    }
    std::printf("%7u %7.3f %7.3f %10.3f %6.3f %7.3f %9.3f %8.2f %8llu %6zu %17.3f (%6.2f) %6.3f (%6.2f)\n",
                devices, sums[0].steps, sums[1].steps, sums[2].steps, sums[3].steps,
                mdp->ExpectedSteps(candidates), sums[2].steps / sums[3].steps, seconds,
                static_cast<unsigned long long>(mdp->statistics().stored), mdp->Save().size(), sums[4].steps,
                sums[4].replays, sums[2].steps, sums[2].replays);
    std::fflush(stdout);
  }
  return 0;
}

// An app in which a trace reaches with probability p if it holds the needed events, and never otherwise.
class SimulatedFarm : public ReplayFarm {
 public:
  SimulatedFarm(uint32_t devices, Kept needed, double p, uint64_t seed)
      : devices_(devices), needed_(std::move(needed)), p_(p), random_(seed) {}

  uint32_t width() const override { return devices_; }
  bool Reaches(const Kept& kept) {
    return std::includes(kept.begin(), kept.end(), needed_.begin(), needed_.end()) && random_.Chance(p_);
  }
  Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                      std::stop_token) override {
    std::vector<Verdict> verdicts;
    for (const Question* question : questions)
      verdicts.push_back(Reaches(question->kept) ? Verdict::kReached : Verdict::kMissed);
    return verdicts;
  }

 private:
  uint32_t devices_;
  const Kept needed_;
  const double p_;
  Random random_;
};

int Whole(int rounds, size_t threads) {
  MdpOptions options;
  options.parallel = OnThreads(threads);
  const Result<Acceptance> sequential = Acceptance::Sequential({});
  if (!sequential) return 1;
  const Acceptance fixed{FixedRule()};
  const NaivePolicy naive;
  const RoundRobinPolicy robin;
  const HeuristicPolicy heuristic;
  const MdpPolicy mdp(std::make_shared<const Mdp>(Mdp::Solve(options)));
  const HeuristicPolicy with_sequential(*sequential);
  struct Method {
    const char* name;
    const Policy* policy;
    const Acceptance* rule;
    const char* reducer;
  };
  const Method methods[] = {{"naive", &naive, &fixed, "nd3min"},
                            {"round robin", &robin, &fixed, "nd3min"},
                            {"heuristic", &heuristic, &fixed, "nd3min"},
                            {"mdp", &mdp, &fixed, "nd3min"},
                            {"heuristic, sequential", &with_sequential, &*sequential, "nd3min"},
                            {"probdd, heuristic, sequential", &with_sequential, &*sequential, "probdd"}};
  std::printf("%-30s %7s %9s %7s %12s\n", "method", "steps", "replays", "length", "of 200");
  for (const Method& method : methods) {
    double steps = 0, replays = 0, length = 0, reached = 0;
    for (int round = 0; round < rounds; ++round) {
      Random random(static_cast<uint64_t>(round));
      Kept needed = {static_cast<uint32_t>(random.Below(500))};
      for (uint64_t i = random.Below(6); i > 0; --i)
        needed.push_back(static_cast<uint32_t>(random.Below(500)));
      std::sort(needed.begin(), needed.end());
      needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
      SimulatedFarm farm(15, needed, 0.97, random.Next());
      ScheduledJudge judge(farm, *method.policy, *method.rule);
      Problem problem;
      problem.size = 500;
      const Reduction r = FindReducer(method.reducer)->make()->Reduce(problem, judge, {}, {});
      steps += static_cast<double>(judge.steps()) + 2;
      replays += static_cast<double>(judge.replays());
      length += static_cast<double>(r.kept.size());
      for (int i = 0; i < 200; ++i) reached += farm.Reaches(r.kept);
    }
    std::printf("%-30s %7.1f %9.1f %7.2f %12.1f\n", method.name, steps / rounds, replays / rounds,
                length / rounds, reached / rounds);
  }
  return 0;
}

}  // namespace
}  // namespace marmoset

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "whole")
    return marmoset::Whole(argc > 2 ? std::atoi(argv[2]) : 40,
                           argc > 3 ? static_cast<size_t>(std::atoi(argv[3])) : 2);
  return marmoset::Main(argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 5,
                        argc > 2 ? std::atoi(argv[2]) : 20000,
                        argc > 3 ? static_cast<size_t>(std::atoi(argv[3])) : 2);
}
