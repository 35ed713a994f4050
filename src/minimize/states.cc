#include "minimize/states.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "reduce/activity_graph.h"

namespace marmoset {

std::string StateName(StateFunction function, const Screen& screen) {
  if (function == StateFunction::kActivity || screen.activity.empty()) return screen.activity;
  return "screen:" + Hex64(ShapeHash(screen));
}

size_t States::known() const {
  return names.size() - static_cast<size_t>(std::count(names.begin(), names.end(), ""));
}

States StatesOf(const std::vector<std::string>& names_before) {
  States states;
  std::map<std::string_view, uint32_t> labels;
  std::vector<uint32_t> before;
  for (const std::string& name : names_before) {
    const auto [it, added] = labels.try_emplace(name, static_cast<uint32_t>(states.names.size()));
    if (added) states.names.push_back(name);
    before.push_back(it->second);
  }
  states.around = ActivityGraph::FromStatesBefore(before);
  return states;
}

std::vector<std::string> ActivitiesBefore(const Trace& trace, const Kept& steps) {
  std::vector<std::string> names;
  for (const uint32_t i : steps) names.push_back(trace.steps[i].activity);
  return names;
}

std::vector<StateChange> ScreensAround(const Trace& trace, const Kept& steps) {
  std::map<uint64_t, uint32_t> labels;
  const auto label = [&](uint64_t screen) {
    return labels.try_emplace(screen, static_cast<uint32_t>(labels.size())).first->second;
  };
  std::vector<StateChange> around;
  for (const uint32_t i : steps) {
    const Step& step = trace.steps[i];
    if (step.screen == 0) return {};
    around.push_back({label(step.screen), label(step.screen_after)});
  }
  return around;
}

}  // namespace marmoset
