#include "reduce/activity_graph.h"

#include <algorithm>

namespace marmoset {

std::vector<StateChange> ActivityGraph::FromStatesBefore(const std::vector<uint32_t>& before) {
  std::vector<StateChange> states;
  uint32_t unused = 0;
  for (const uint32_t state : before) unused = std::max(unused, state + 1);
  for (size_t i = 0; i < before.size(); ++i)
    states.push_back({before[i], i + 1 < before.size() ? before[i + 1] : unused});
  return states;
}

Verdict ActivityGraph::Ask(const Question& question) const {
  uint32_t state = states_.front().before;
  uint64_t sent = 0;
  bool reached = false;
  for (const uint32_t event : question.kept) {
    ++sent;
    if (states_[event].before != state) continue;
    state = states_[event].after;
    if (event + 1 == states_.size()) {
      reached = true;
      break;
    }
  }
  replayed_events_ += sent;
  if (question.reach) reached = state == *question.reach;
  return reached ? Verdict::kReached : Verdict::kMissed;
}

TargetOracle ActivityGraph::AsOracle() const {
  return [this](const Question& question, std::stop_token) -> Result<Verdict> { return Ask(question); };
}

}  // namespace marmoset
