#include "minimize/method.h"

#include "reduce/activity_graph.h"

namespace marmoset {

size_t FixedSteps(const Trace& trace) {
  return !trace.steps.empty() && std::holds_alternative<Launch>(trace.steps[0].action) ? 1 : 0;
}

Kept DroppableSteps(const Trace& trace) {
  Kept items;
  for (size_t i = FixedSteps(trace); i < trace.steps.size(); ++i) items.push_back(static_cast<uint32_t>(i));
  return items;
}

std::string MethodNames() {
  std::string names = "auto";
  for (const ReducerInfo& info : AllReducers()) names += ", " + std::string(info.name);
  return names;
}

Result<MethodChoice> ChooseMethod(std::string_view name, const States& states) {
  if (name == "auto") {
    if (states.usable())
      return MethodChoice{
          FindReducer("lhdd"),
          fmt::format("the steps were done in {} states{}, which make a hierarchy", states.known(),
                      states.known() < states.names.size() ? " and on the home screen" : "")};
    return MethodChoice{FindReducer("probdd"),
                        states.known() == 0
                            ? "nothing is known of the states between the steps"
                            : "all steps were done in one state, so that there is no hierarchy"};
  }
  if (const ReducerInfo* info = FindReducer(name)) return MethodChoice{info, ""};
  return Fail(ErrorCode::kBadInput, "method '{}': expected one of {}", name, MethodNames());
}

Result<OfflineReduction> MinimizeOffline(const Trace& trace, const Reducer& reducer) {
  const Kept items = DroppableSteps(trace);
  if (items.empty()) return Fail(ErrorCode::kNothingToDo, "the trace has no steps beside the launch");
  States states = StatesOf(ActivitiesBefore(trace, items));
  if (states.known() == 0)
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
