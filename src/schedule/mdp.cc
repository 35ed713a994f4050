// The optimal policy, computed backwards.
//
// The problem. With 5 candidates, 15 devices and 20 replays each there are 6 * 10^11 states if counted
// naively, and up to 3 876 schedules in each. The paper merges states and arrives at 729 709, solved in 83
// hours on 8 virtual processors.
//
// The idea, in five steps.
//  1. Merge, as the paper does: order does not matter, all ends are one, and a candidate that is out is
//  nothing. So
//     a state is the multiset of the candidates still in, each one of 18 * 3 pairs (reached, missed). While
//     all n are in, the number of replays is a multiple of m. These are 729 705 states for n = 5.
//  2. A step only adds replays. So going through states from most to fewest replays, and from few to many
//     candidates, every state's successors are known when it comes; no iteration to a fixed point.
//  3. Given its number of replays v, a candidate has at most 5 different ends: 0, 1 or 2 further misses and
//  still
//     in, out, or accepted; the last ends the search. This leaves at most 4^n successors of v instead of
//     prod (v + 1), found by multiplying the candidates' probabilities one after the other.
//  4. A multiset has a rank, a sum of binomial coefficients, which is the place of its cost in a plain array:
//  a
//     successor costs a few additions and one load.
//  5. Most schedules are never evaluated. The expected number of steps is the sum over t of the probability
//  that
//     the search takes more than t steps. For t = 1 it follows at once from the schedule. For larger t it is
//     at least 1 - P(some candidate is ever accepted) - P(all are out after m t replays in all), whatever is
//     done. Schedules are taken in the order of this bound, until it exceeds the best cost found; and a sum
//     is given up once it does.
//
// The cost for n = 5 is in docs/papers.md; mdp_test.cc has a plain value iteration that gives the same costs.
//
// Departures. The probabilities of the next replays are those of the posterior, given the replays so far; the
// paper's formula can be read either way. Of the table only what the policy itself can reach is kept.

#include "schedule/mdp.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/check.h"

namespace marmoset {
namespace {

constexpr uint32_t kMaxCandidates = 6;
constexpr double kSlack = 1e-12;  // So that rounding never excludes the best schedule.

using Code = uint8_t;  // reached * (allowed misses + 1) + missed.
using Codes = std::array<Code, kMaxCandidates>;
using Replays = std::array<uint8_t, kMaxCandidates>;

// What v further replays make of a candidate.
struct Outcomes {
  uint32_t in = 0;  // How many ends leave it in.
  std::array<Code, 64> code{};
  std::array<double, 64> probability{};
  double out = 0;
  double accepted = 0;
};

class Solver {
 public:
  explicit Solver(const MdpOptions& options)
      : options_(options),
        n_(options.candidates),
        m_(options.devices),
        misses_(options.rule.allowed_misses() + 1),
        codes_(options.rule.needed * misses_) {
    MARMOSET_CHECK(n_ >= 1 && n_ <= kMaxCandidates && m_ >= 1 && m_ <= 255);
    MARMOSET_CHECK(options.rule.needed >= 1 && options.rule.runs <= 63 && codes_ <= 255);
    for (uint32_t c = 0; c < codes_; ++c) {
      const Counts counts{c / misses_, c % misses_};
      outcomes_.emplace_back();
      chances_.emplace_back();
      for (uint32_t v = 0; v <= Left(static_cast<Code>(c)); ++v) {
        outcomes_.back().push_back(After(counts, v));
        chances_.back().push_back({1 - outcomes_.back().back().accepted, outcomes_.back().back().out});
      }
    }
    for (uint32_t j = 0; j < kMaxCandidates; ++j) {
      binomial_.emplace_back();
      for (uint32_t c = 0; c <= codes_; ++c) binomial_.back().push_back(Choose(c + j, j + 1));
    }
  }

  void Run() {
    values_.resize(n_ + 1);
    for (uint32_t k = 1; k <= n_; ++k) {
      values_[k].assign(binomial_[k - 1][codes_], 0.0);
      std::vector<std::vector<Codes>> by_replays = StatesOf(k);
      for (size_t replays = by_replays.size(); replays-- > 0;) SolveLayer(k, by_replays[replays]);
    }
  }

  double Value(uint32_t k, const Codes& state) const { return values_[k][Rank(k, state)]; }
  const Mdp::Statistics& statistics() const { return statistics_; }

  // The best schedule of a state, worked out again.
  Replays BestOf(uint32_t k, const Codes& state) const {
    Work work;
    return Solve(k, state, &work).second;
  }

  const Outcomes& OutcomesOf(Code code, uint32_t v) const { return outcomes_[code][v]; }

 private:
  struct Action {
    double bound;
    Replays replays;
  };
  struct Chances {
    double not_accepted;
    double out;
  };
  struct Work {
    std::vector<Action> actions;
    uint64_t evaluated = 0;
    uint64_t open = 0;
  };

  static uint64_t Choose(uint64_t n, uint64_t k) {
    if (k > n) return 0;
    uint64_t result = 1;
    for (uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;
  }

  uint32_t Left(Code code) const { return options_.rule.runs - code / misses_ - code % misses_; }

  Outcomes After(Counts counts, uint32_t v) const {
    Outcomes outcomes;
    for (uint32_t missed = 0; missed <= v; ++missed) {
      const double probability = options_.prior.Predict(counts, v, missed);
      if (counts.missed + missed >= misses_) {
        outcomes.out += probability;
      } else if (counts.reached + v - missed >= options_.rule.needed) {
        outcomes.accepted += probability;
      } else {
        outcomes.code[outcomes.in] =
            static_cast<Code>((counts.reached + v - missed) * misses_ + counts.missed + missed);
        outcomes.probability[outcomes.in++] = probability;
      }
    }
    return outcomes;
  }

  size_t Rank(uint32_t k, const Codes& state) const {
    size_t rank = 0;
    for (uint32_t j = 0; j < k; ++j) rank += binomial_[j][state[j]];
    return rank;
  }

  // All states of k candidates in, by their replays so far. With all n in, only multiples of m occur.
  std::vector<std::vector<Codes>> StatesOf(uint32_t k) const {
    std::vector<std::vector<Codes>> states(k * options_.rule.runs + 1);
    Codes state{};
    const std::function<void(uint32_t, Code, uint32_t)> extend = [&](uint32_t i, Code lowest,
                                                                     uint32_t replays) {
      if (i == k) {
        if (k < n_ || replays % m_ == 0) states[replays].push_back(state);
        return;
      }
      for (uint32_t c = lowest; c < codes_; ++c) {
        state[i] = static_cast<Code>(c);
        extend(i + 1, static_cast<Code>(c), replays + c / misses_ + c % misses_);
      }
    };
    extend(0, 0, 0);
    return states;
  }

  void SolveLayer(uint32_t k, const std::vector<Codes>& states) {
    constexpr size_t kChunk = 64;
    std::vector<Work> works((states.size() + kChunk - 1) / kChunk);
    options_.parallel(works.size(), [&](size_t chunk) {
      for (size_t i = chunk * kChunk; i < std::min(states.size(), (chunk + 1) * kChunk); ++i)
        values_[k][Rank(k, states[i])] = Solve(k, states[i], &works[chunk]).first;
      works[chunk].actions = {};
    });
    statistics_.states += states.size();
    for (const Work& work : works) {
      statistics_.actions += work.open;
      statistics_.actions_evaluated += work.evaluated;
    }
  }

  // The cost of a state and its best schedule.
  std::pair<double, Replays> Solve(uint32_t k, const Codes& state, Work* work) const {
    uint32_t left = 0;
    for (uint32_t i = 0; i < k; ++i) left += Left(state[i]);
    const uint32_t devices = std::min(m_, left);
    const double later = options_.prune ? LaterSteps(k, state) : -1e9;

    // First the most promising schedule; then, of all others, those that its cost does not exclude. Listing
    // them twice is cheaper than keeping thousands of which a few are needed.
    Action first{1e9, {}};
    ForEachAction(k, state, devices, left, [&](double bound, const Replays& replays) {
      ++work->open;
      if (bound < first.bound) first = {bound, replays};
    });
    Replays best_replays = first.replays;
    double best = Expectation(k, state, first.replays, 1e9);
    ++work->evaluated;
    work->actions.clear();
    ForEachAction(k, state, devices, left, [&](double bound, const Replays& replays) {
      if (bound + later < best - kSlack && replays != first.replays)
        work->actions.push_back({bound, replays});
    });
    std::sort(work->actions.begin(), work->actions.end(), [](const Action& a, const Action& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.replays < b.replays;
    });
    for (const Action& action : work->actions) {
      if (action.bound + later >= best - kSlack) break;
      ++work->evaluated;
      const double cost = Expectation(k, state, action.replays, options_.prune ? best : 1e9);
      if (cost >= best - kSlack) continue;
      best = cost;
      best_replays = action.replays;
    }
    return {best, best_replays};
  }

  // Calls f(1 + P(more than one step), schedule) for each schedule. Of candidates in the same state the first
  // gets the most.
  template <class F>
  void ForEachAction(uint32_t k, const Codes& state, uint32_t devices, uint32_t left, const F& f) const {
    Replays replays{};
    ForEachAction(k, state, 0, devices, left, 1.0, 1.0, &replays, f);
  }

  template <class F>
  void ForEachAction(uint32_t k, const Codes& state, uint32_t i, uint32_t devices, uint32_t left,
                     double none_accepted, double all_out, Replays* replays, const F& f) const {
    const uint32_t mine = Left(state[i]);
    uint32_t most = std::min(mine, devices);
    if (i > 0 && state[i] == state[i - 1]) most = std::min<uint32_t>(most, (*replays)[i - 1]);
    const uint32_t others = left - mine;
    const uint32_t least = devices > others ? devices - others : 0;
    const Chances* chances = chances_[state[i]].data();
    if (i + 1 == k) {  // The last one takes what is left.
      if (devices > most) return;
      (*replays)[i] = static_cast<uint8_t>(devices);
      f(1 + none_accepted * chances[devices].not_accepted - all_out * chances[devices].out, *replays);
      return;
    }
    for (uint32_t v = least; v <= most; ++v) {
      (*replays)[i] = static_cast<uint8_t>(v);
      ForEachAction(k, state, i + 1, devices - v, others, none_accepted * chances[v].not_accepted,
                    all_out * chances[v].out, replays, f);
    }
  }

  // A lower bound of the sum over t >= 2 of P(more than t steps).
  double LaterSteps(uint32_t k, const Codes& state) const {
    double none_ever = 1;
    std::vector<double> out_after = {1};  // By replays in all until the last is out.
    for (uint32_t i = 0; i < k; ++i) {
      const std::vector<Outcomes>& outcomes = outcomes_[state[i]];
      none_ever *= 1 - outcomes.back().accepted;
      std::vector<double> sum(out_after.size() + outcomes.size() - 1);
      for (size_t v = 1; v < outcomes.size(); ++v) {
        const double at = outcomes[v].out - outcomes[v - 1].out;
        for (size_t u = 0; u < out_after.size() && at > 0; ++u) sum[u + v] += at * out_after[u];
      }
      out_after = std::move(sum);
    }
    double later = 0, all_out = 0;
    size_t counted = 0;
    for (uint32_t t = 2; counted < out_after.size(); ++t) {
      for (; counted < out_after.size() && counted <= size_t{m_} * t; ++counted)
        all_out += out_after[counted];
      later += std::max(0.0, none_ever - all_out - kSlack);
    }
    return later;
  }

  // The candidates already decided on in one branch of an expectation: those in, ascending.
  struct Branch {
    Codes codes;
    uint32_t in;
  };

  // 1 + the expected cost of what follows; any value of at least `limit` if it is at least that.
  double Expectation(uint32_t k, const Codes& state, const Replays& replays, double limit) const {
    // Few outcomes first, so that most work is in the innermost loop.
    std::array<const Outcomes*, kMaxCandidates> outcomes{};
    for (uint32_t i = 0; i < k; ++i) outcomes[i] = &outcomes_[state[i]][replays[i]];
    std::sort(outcomes.begin(), outcomes.begin() + k,
              [](const Outcomes* a, const Outcomes* b) { return a->in < b->in; });
    double sum = 1;
    Descend(outcomes.data(), k, 1.0, {{}, 0}, limit, &sum);
    return sum;
  }

  void Descend(const Outcomes* const* outcomes, uint32_t remaining, double probability, const Branch& branch,
               double limit, double* sum) const {
    const Outcomes& mine = **outcomes;
    if (remaining == 1) {
      *sum += probability * Leaf(mine, branch);
      return;
    }
    for (uint32_t o = 0; o < mine.in && *sum < limit; ++o) {
      Branch next = branch;
      uint32_t at = next.in++;
      for (; at > 0 && next.codes[at - 1] > mine.code[o]; --at) next.codes[at] = next.codes[at - 1];
      next.codes[at] = mine.code[o];
      Descend(outcomes + 1, remaining - 1, probability * mine.probability[o], next, limit, sum);
    }
    if (mine.out > 0 && *sum < limit)
      Descend(outcomes + 1, remaining - 1, probability * mine.out, branch, limit, sum);
  }

  // The expected cost over the ends of the last candidate.
  double Leaf(const Outcomes& mine, const Branch& branch) const {
    // The rank of the state with the new code at place j is low[j] + its own term + high[j].
    std::array<size_t, kMaxCandidates> low{}, high{};
    const uint32_t in = branch.in;
    for (uint32_t j = 0; j < in; ++j) low[j + 1] = low[j] + binomial_[j][branch.codes[j]];
    for (uint32_t j = in; j-- > 0;) high[j] = high[j + 1] + binomial_[j + 1][branch.codes[j]];
    const std::vector<double>& values = values_[in + 1];
    double sum = 0;
    for (uint32_t o = 0; o < mine.in; ++o) {
      uint32_t at = 0;
      while (at < in && branch.codes[at] < mine.code[o]) ++at;
      sum += mine.probability[o] * values[low[at] + binomial_[at][mine.code[o]] + high[at]];
    }
    if (in > 0) sum += mine.out * values_[in][low[in]];
    return sum;
  }

  const MdpOptions& options_;
  const uint32_t n_;
  const uint32_t m_;
  const uint32_t misses_;  // With so many a candidate is out.
  const uint32_t codes_;
  std::vector<std::vector<Chances>> chances_;    // What of the outcomes a bound needs.
  std::vector<std::vector<Outcomes>> outcomes_;  // By code, then by further replays.
  std::vector<std::vector<uint64_t>> binomial_;  // [j][c]: C(c + j, j + 1).
  std::vector<std::vector<double>> values_;      // By candidates in, then by rank.
  Mdp::Statistics statistics_;
};

uint64_t KeyOf(uint32_t k, const Codes& state) {
  uint64_t key = 0;
  for (uint32_t i = 0; i < k; ++i) key |= (uint64_t{state[i]} + 1) << (8 * i);
  return key;
}

}  // namespace

Mdp Mdp::Solve(const MdpOptions& options) {
  Solver solver(options);
  solver.Run();
  Mdp mdp;
  mdp.devices_ = options.devices;
  mdp.rule_ = options.rule;
  mdp.statistics_ = solver.statistics();
  mdp.expected_.push_back(0);

  // What the policy itself can reach from k fresh candidates.
  std::unordered_map<uint64_t, uint64_t> table;
  std::vector<std::pair<uint32_t, Codes>> open;
  for (uint32_t k = 1; k <= options.candidates; ++k) open.emplace_back(k, Codes{});
  for (uint32_t k = 1; k <= options.candidates; ++k) mdp.expected_.push_back(solver.Value(k, Codes{}));
  while (!open.empty()) {
    const auto [k, state] = open.back();
    open.pop_back();
    const auto [entry, added] = table.try_emplace(KeyOf(k, state), 0);
    if (!added) continue;
    const Replays replays = solver.BestOf(k, state);
    for (uint32_t i = 0; i < k; ++i) entry->second |= uint64_t{replays[i]} << (8 * i);
    const std::function<void(uint32_t, std::vector<Code>)> follow = [&, k = k, state = state](
                                                                        uint32_t i, std::vector<Code> in) {
      if (i == k) {
        if (in.empty()) return;
        std::sort(in.begin(), in.end());
        Codes next{};
        std::copy(in.begin(), in.end(), next.begin());
        open.emplace_back(static_cast<uint32_t>(in.size()), next);
        return;
      }
      const Outcomes& outcomes = solver.OutcomesOf(state[i], replays[i]);
      if (outcomes.out > 0) follow(i + 1, in);
      for (uint32_t o = 0; o < outcomes.in; ++o) {
        std::vector<Code> with = in;
        with.push_back(outcomes.code[o]);
        follow(i + 1, std::move(with));
      }
    };
    follow(0, {});
  }
  for (const auto& [state, schedule] : table) mdp.entries_.push_back({state, schedule});
  std::sort(mdp.entries_.begin(), mdp.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.state < b.state; });
  mdp.statistics_.stored = mdp.entries_.size();
  return mdp;
}

}  // namespace marmoset
