// The policies of ND3MIN but for the MDP (mdp.h).
//
// The heuristic in one example, 15 devices, (successes, misses) so far:
//
//     (0,0) (0,0) (0,0)    nothing known: 5 5 5
//     (4,1) (2,3) (5,0)    the third looks best and needs 13 more; 2 devices are left: as the first would
//     need 14,
//                          which does not fit now but would next time, it is deferred, and gets those 2
//
// Departures. The figure of the paper is damaged where candidates unlikely to pass are scheduled; the number
// of replays until one is refuted, ceil((runs - needed + 1 - misses) / (1 - p)), follows from the text.

#include "schedule/policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marmoset {
namespace {

std::vector<uint32_t> LeftOf(std::span<const Counts> candidates, const Acceptance& rule) {
  std::vector<uint32_t> left;
  for (const Counts& counts : candidates) left.push_back(rule.Left(counts));
  return left;
}

std::vector<size_t> InOrder(size_t n) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

uint32_t Ceil(double x) { return static_cast<uint32_t>(std::ceil(x - 1e-9)); }

}  // namespace

void FillRoundRobin(std::span<const size_t> order, std::span<const uint32_t> left, uint32_t devices,
                    Schedule* schedule) {
  uint32_t used = std::accumulate(schedule->begin(), schedule->end(), 0u);
  for (bool added = true; added && used < devices;) {
    added = false;
    for (const size_t i : order) {
      if (used == devices || (*schedule)[i] >= left[i]) continue;
      ++(*schedule)[i];
      ++used;
      added = true;
    }
  }
}

Schedule NaivePolicy::Next(std::span<const Counts> candidates, uint32_t devices) const {
  Schedule schedule;
  uint32_t free = devices;
  for (const uint32_t left : LeftOf(candidates, rule_)) {
    schedule.push_back(std::min(left, free));
    free -= schedule.back();
  }
  return schedule;
}

Schedule RoundRobinPolicy::Next(std::span<const Counts> candidates, uint32_t devices) const {
  Schedule schedule(candidates.size());
  FillRoundRobin(InOrder(candidates.size()), LeftOf(candidates, rule_), devices, &schedule);
  return schedule;
}

Schedule HeuristicPolicy::Next(std::span<const Counts> candidates, uint32_t devices) const {
  const size_t n = candidates.size();
  const std::vector<uint32_t> left = LeftOf(candidates, rule_);
  Schedule schedule(n);
  const bool nothing_known =
      std::all_of(candidates.begin(), candidates.end(), [](const Counts& c) { return c.runs() == 0; });
  if (nothing_known) {
    FillRoundRobin(InOrder(n), left, devices, &schedule);
    return schedule;
  }

  std::vector<double> p(n);
  for (size_t i = 0; i < n; ++i)
    p[i] = candidates[i].runs() == 0 ? 0 : static_cast<double>(candidates[i].reached) / candidates[i].runs();
  std::vector<size_t> order = InOrder(n);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return p[a] != p[b] ? p[a] > p[b] : candidates[a].reached > candidates[b].reached;
  });

  uint32_t free = devices;
  std::vector<size_t> deferred, unlikely;
  for (const size_t i : order) {
    if (left[i] == 0) continue;
    if (p[i] < likely_) {
      unlikely.push_back(i);
      continue;
    }
    if (free == 0) continue;
    const uint32_t confirm = std::min(left[i], Ceil(rule_.SuccessesToAccept(candidates[i]) / p[i]));
    if (confirm <= free) {
      schedule[i] = confirm;
    } else if (confirm <= devices) {
      deferred.push_back(i);
    } else {
      schedule[i] = free;
    }
    free -= schedule[i];
  }
  FillRoundRobin(deferred, left, devices, &schedule);
  free = devices - std::accumulate(schedule.begin(), schedule.end(), 0u);
  for (const size_t i : unlikely) {
    const uint32_t refute = std::min(left[i], Ceil(rule_.MissesToReject(candidates[i]) / (1 - p[i])));
    schedule[i] = std::min(refute, free);
    free -= schedule[i];
  }
  FillRoundRobin(order, left, devices, &schedule);
  return schedule;
}

}  // namespace marmoset
