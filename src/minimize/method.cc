#include "minimize/method.h"

#include <algorithm>
#include <map>

#include "reduce/activity_graph.h"

namespace marmoset {

size_t ActivityStates::activities() const {
  return names.size() - static_cast<size_t>(std::count(names.begin(), names.end(), ""));
}

bool ActivityStates::usable() const { return names.size() >= 2; }

ActivityStates StatesOf(const Trace& trace, const Kept& steps) {
  ActivityStates states;
  std::map<std::string, uint32_t> labels;
  std::vector<uint32_t> before;
  for (const uint32_t i : steps) {
    const std::string& activity = trace.steps[i].activity;
    const auto [it, added] = labels.try_emplace(activity, static_cast<uint32_t>(states.names.size()));
    if (added) states.names.push_back(activity);
    before.push_back(it->second);
  }
  states.around = ActivityGraph::FromStatesBefore(before);
  return states;
}

size_t FixedSteps(const Trace& trace) {
  return !trace.steps.empty() && std::holds_alternative<Launch>(trace.steps[0].action) ? 1 : 0;
}

namespace {

// The steps that a reducer may drop.
Kept Items(const Trace& trace) {
  Kept items;
  for (size_t i = FixedSteps(trace); i < trace.steps.size(); ++i) items.push_back(static_cast<uint32_t>(i));
  return items;
}

}  // namespace

std::string MethodNames() {
  std::string names = "auto";
  for (const ReducerInfo& info : AllReducers()) names += ", " + std::string(info.name);
  return names;
}

Result<MethodChoice> ChooseMethod(std::string_view name, const Trace& trace) {
  if (name == "auto") {
    const ActivityStates states = StatesOf(trace, Items(trace));
    if (states.usable())
      return MethodChoice{
          FindReducer("lhdd"),
          fmt::format("the steps were done in {} activities{}, which make a hierarchy", states.activities(),
                      states.activities() < states.names.size() ? " and on the home screen" : "")};
    return MethodChoice{FindReducer("ddmin"),
                        states.activities() == 0 ? "no activities are recorded in the trace"
                                                 : "all steps were done in one activity, so that there is no "
                                                   "hierarchy"};
  }
  if (const ReducerInfo* info = FindReducer(name)) return MethodChoice{info, ""};
  return Fail(ErrorCode::kBadInput, "method '{}': expected one of {}", name, MethodNames());
}

Result<OfflineReduction> MinimizeOffline(const Trace& trace, const Reducer& reducer) {
  const Kept items = Items(trace);
  if (items.empty()) return Fail(ErrorCode::kNothingToDo, "the trace has no steps beside the launch");
  ActivityStates states = StatesOf(trace, items);
  if (states.activities() == 0)
    return Fail(
        ErrorCode::kUnsupported,
        "no activities are recorded in the trace, so that nothing is known about its parts: replay it "
        "on a device instead");
  const ActivityGraph graph(states.around);
  Problem problem;
  problem.size = static_cast<uint32_t>(items.size());
  problem.states = std::move(states.around);
  SequentialJudge judge(graph.AsOracle());
  const Reduction reduction = reducer.Reduce(problem, judge, {}, {});
  OfflineReduction result;
  for (uint32_t i = 0; i < FixedSteps(trace); ++i) result.kept.push_back(i);
  for (const uint32_t i : reduction.kept) result.kept.push_back(items[i]);
  result.replays = reduction.oracle_calls;
  result.replayed_events = graph.replayed_events();
  result.one_minimal = reduction.one_minimal;
  return result;
}

}  // namespace marmoset
