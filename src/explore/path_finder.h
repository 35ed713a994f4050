// Shortest paths in a graph of states whose edges are filtered anew each time.
//
// First: to whatever state a predicate accepts, by breadth-first search. Between: to one given state, by
// breadth-first search from both ends, always one whole level of the smaller front; where the fronts meet
// first, a shortest path is complete. In a graph of 20,000 states the first looks at thousands of them, the
// second at tens.
//
// Of equally short paths, edges that were not gone for longest come first, as seen from where the search
// stands; so a search is a function of the graph.
//
// Graph: size() states, numbered from 0; out(state) and in(state), lists of edge ids; edge(id), which has
// from, to and last_visit. An object keeps its memory between searches. One thread at a time.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace marmoset {

class PathFinder {
 public:
  using State = int;
  using EdgeId = int;
  using Path = std::vector<EdgeId>;

  // Over edges that pass to the first edge that `is_goal` accepts, which has at least one. Empty: there is
  // none.
  template <typename Graph, typename Passes, typename IsGoal>
  Path First(const Graph& graph, State start, const Passes& passes, const IsGoal& is_goal) {
    forward_.Begin(graph, start);
    while (!forward_.front.empty()) {
      const auto goal = Expand<true>(graph, passes, is_goal, forward_);
      if (goal >= 0) return Trace(graph, goal);
    }
    return {};
  }

  // Over edges that pass. Empty: there is none. REQUIRES: start is not goal.
  template <typename Graph, typename Passes>
  Path Between(const Graph& graph, State start, State goal, const Passes& passes) {
    forward_.Begin(graph, start);
    backward_.Begin(graph, goal);
    while (!forward_.front.empty() && !backward_.front.empty()) {
      EdgeId meeting = kNone;
      if (forward_.front.size() <= backward_.front.size())
        meeting = Expand<true>(
            graph, passes, [&](const auto& e) { return backward_.Has(e.to); }, forward_);
      else
        meeting = Expand<false>(
            graph, passes, [&](const auto& e) { return forward_.Has(e.from); }, backward_);
      if (meeting < 0) continue;
      // The meeting edge is the last of one half and belongs to none of the other.
      const auto& edge = graph.edge(meeting);
      const bool by_forward = forward_.by[Index(edge.to)] == meeting;
      Path path = by_forward ? Trace(graph, meeting) : TraceTo(graph, edge.from);
      if (!by_forward) path.push_back(meeting);
      for (State s = edge.to; s != goal; s = graph.edge(path.back()).to)
        path.push_back(backward_.by[Index(s)]);
      return path;
    }
    return {};
  }

 private:
  static constexpr EdgeId kNone = -1, kEnd = -2;
  static size_t Index(State s) { return static_cast<size_t>(s); }

  struct Half {
    std::vector<EdgeId> by;  // By state: the edge that it was reached by, kEnd where the search began.
    std::vector<State> front;

    template <typename Graph>
    void Begin(const Graph& graph, State at) {
      by.assign(graph.size(), kNone);
      by[Index(at)] = kEnd;
      front = {at};
    }
    bool Has(State s) const { return by[Index(s)] != kNone; }
  };

  // Replaces the front by the next level. The edge that `is_end` accepts, if there is one, ends it at once.
  template <bool kForward, typename Graph, typename Passes, typename IsEnd>
  EdgeId Expand(const Graph& graph, const Passes& passes, const IsEnd& is_end, Half& half) {
    next_.clear();
    for (const State s : half.front) {
      edges_.clear();
      for (const EdgeId id : kForward ? graph.out(s) : graph.in(s)) {
        const auto& edge = graph.edge(id);
        if (!half.Has(kForward ? edge.to : edge.from) && passes(edge))
          edges_.emplace_back(edge.last_visit, id);
      }
      std::sort(edges_.begin(), edges_.end());
      for (const auto& [last_visit, id] : edges_) {
        const auto& edge = graph.edge(id);
        const State to = kForward ? edge.to : edge.from;
        if (half.Has(to)) continue;
        half.by[Index(to)] = id;
        if (is_end(edge)) return id;
        next_.push_back(to);
      }
    }
    std::swap(half.front, next_);
    return kNone;
  }

  template <typename Graph>
  Path Trace(const Graph& graph, EdgeId last) const {
    Path path = TraceTo(graph, graph.edge(last).from);
    path.push_back(last);
    return path;
  }

  template <typename Graph>
  Path TraceTo(const Graph& graph, State to) const {
    Path path;
    for (EdgeId id = forward_.by[Index(to)]; id != kEnd; id = forward_.by[Index(graph.edge(id).from)])
      path.push_back(id);
    std::reverse(path.begin(), path.end());
    return path;
  }

  Half forward_, backward_;
  std::vector<State> next_;
  std::vector<std::pair<int64_t, EdgeId>> edges_;  // Of one state.
};

}  // namespace marmoset
