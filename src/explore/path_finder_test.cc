#include "explore/path_finder.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace marmoset {
namespace {

struct TestEdge {
  int from = 0;
  int to = 0;
  int64_t last_visit = 0;
  bool passes = true;
};

struct TestGraph {
  std::vector<TestEdge> edges;
  std::vector<std::vector<int>> outs, ins;

  explicit TestGraph(size_t states) : outs(states), ins(states) {}
  void Add(const TestEdge& e) {
    outs[static_cast<size_t>(e.from)].push_back(static_cast<int>(edges.size()));
    ins[static_cast<size_t>(e.to)].push_back(static_cast<int>(edges.size()));
    edges.push_back(e);
  }
  size_t size() const { return outs.size(); }
  const std::vector<int>& out(int s) const { return outs[static_cast<size_t>(s)]; }
  const std::vector<int>& in(int s) const { return ins[static_cast<size_t>(s)]; }
  const TestEdge& edge(int id) const { return edges[static_cast<size_t>(id)]; }
};

bool Passes(const TestEdge& e) { return e.passes; }

// How many edges a shortest path has: the states are made cheaper until none can be.
std::optional<size_t> Distance(const TestGraph& graph, int start, int goal) {
  std::vector<std::optional<size_t>> far(graph.size());
  far[static_cast<size_t>(start)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const TestEdge& e : graph.edges) {
      const auto from = far[static_cast<size_t>(e.from)];
      auto& to = far[static_cast<size_t>(e.to)];
      if (!e.passes || !from || (to && *to <= *from + 1)) continue;
      to = *from + 1;
      changed = true;
    }
  }
  return far[static_cast<size_t>(goal)];
}

void ExpectPath(const TestGraph& graph, const PathFinder::Path& path, int start, int goal) {
  int at = start;
  for (const int id : path) {
    EXPECT_EQ(graph.edge(id).from, at);
    EXPECT_TRUE(graph.edge(id).passes);
    at = graph.edge(id).to;
  }
  EXPECT_EQ(at, goal);
}

TEST(PathFinder, PathsAreShortestInEveryGraph) {
  PathFinder finder;
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const size_t states = 2 + random.Below(12);
    TestGraph graph(states);
    const size_t edges = random.Below(3 * states);
    for (size_t i = 0; i < edges; ++i)
      graph.Add({static_cast<int>(random.Below(states)), static_cast<int>(random.Below(states)),
                 static_cast<int64_t>(random.Below(4)), random.Chance(0.8)});
    const int start = 0, goal = 1;
    const auto expected = Distance(graph, start, goal);
    const auto between = finder.Between(graph, start, goal, Passes);
    const auto first = finder.First(graph, start, Passes, [](const TestEdge& e) { return e.to == 1; });
    if (!expected) {
      EXPECT_TRUE(between.empty() && first.empty()) << "round " << round;
      continue;
    }
    ASSERT_EQ(between.size(), *expected) << "round " << round;
    ASSERT_EQ(first.size(), *expected) << "round " << round;
    ExpectPath(graph, between, start, goal);
    ExpectPath(graph, first, start, goal);
  }
}

TEST(PathFinder, WhatWasNotGoneForLongestComesFirst) {
  TestGraph graph(4);
  graph.Add({0, 1, 5});
  graph.Add({0, 2, 3});
  graph.Add({0, 2, 4});
  graph.Add({1, 3, 2});
  graph.Add({2, 3, 1});
  PathFinder finder;
  EXPECT_EQ(finder.First(graph, 0, Passes, [](const TestEdge& e) { return e.to == 3; }),
            (PathFinder::Path{1, 4}));
  EXPECT_EQ(finder.Between(graph, 0, 3, Passes), (PathFinder::Path{1, 4}));
}

}  // namespace
}  // namespace marmoset
