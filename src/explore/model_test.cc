#include "explore/model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "gui/testing.h"

namespace marmoset {
namespace {

constexpr char kButton[] = "android.widget.Button";
constexpr char kRow[] = "android.widget.TextView";

Screen ListOf(const std::vector<std::string>& rows) {
  std::vector<Widget> widgets;
  for (const std::string& row : rows)
    widgets.push_back(RowWidget(static_cast<int>(widgets.size()), kRow, "p:id/row", row));
  return ScreenOf("List", std::move(widgets));
}

// A screen of some buttons and labels, nested at random.
Screen RandomScreen(Random& random) {
  std::vector<Widget> widgets;
  const size_t count = 1 + random.Below(8);
  for (size_t i = 0; i < count; ++i) {
    Widget w = RowWidget(static_cast<int>(i), random.Chance(0.5) ? kButton : kRow,
                         fmt::format("p:id/w{}", random.Below(2)), fmt::format("text {}", random.Below(3)));
    w.parent = static_cast<int>(random.Below(i + 1));
    w.index = static_cast<int>(random.Below(3));
    w.clickable = random.Chance(0.7);
    widgets.push_back(w);
  }
  return ScreenOf(fmt::format("A{}", random.Below(2)), std::move(widgets));
}

TEST(Namer, TheLatticeHasItsLaws) {
  for (unsigned x = 0; x < 32; ++x) {
    for (unsigned y = 0; y < 32; ++y) {
      const Namer a(x), b(y);
      EXPECT_EQ(a | b, b | a);
      EXPECT_EQ(a & b, b & a);
      EXPECT_EQ(a | (a & b), a);
      EXPECT_EQ(a & (a | b), a);
      EXPECT_TRUE((a | b).Has(a));
      EXPECT_TRUE(a.Has(a & b));
      EXPECT_EQ(a.IsFinerThan(b), a != b && (a | b) == a);
    }
    EXPECT_EQ(Namer(x) | Namer::kAll, Namer::kAll);
    EXPECT_EQ(Namer(x) & Namer::kNothing, Namer::kNothing);
  }
}

TEST(Namer, FinerOnesAreTriedInThePublishedOrder) {
  const std::vector<Namer> finer = FinerNamers(Namer::kType);
  ASSERT_EQ(finer.size(), 15u);
  EXPECT_EQ(ToString(finer[0]), "TYPE+INDEX");
  EXPECT_EQ(ToString(finer[1]), "TYPE+PARENT");
  EXPECT_EQ(ToString(finer[2]), "TYPE+TEXT");
  EXPECT_EQ(ToString(finer[3]), "TYPE+ANCESTOR");
  EXPECT_EQ(finer.back(), Namer::kAll);
  EXPECT_TRUE(FinerNamers(Namer::kAll).empty());
}

TEST(Namer, AFinerNamerNeverJoinsWhatACoarserOneTellsApart) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    NameTable table;
    const Tree tree = table.MakeTree(RandomScreen(random), {});
    std::vector<std::vector<Name>> names(32);
    for (unsigned bits = 0; bits < 32; ++bits) {
      std::vector<Namer> namers;
      for (int node = 0; node < static_cast<int>(tree.nodes.size()); ++node) {
        const Name name = table.NameOf(tree, node, Namer(bits), names[bits], namers);
        EXPECT_TRUE(table.Fits(name, tree, node));
        names[bits].push_back(name);
        namers.push_back(Namer(bits));
      }
    }
    for (unsigned fine = 0; fine < 32; ++fine)
      for (unsigned coarse = 0; coarse < 32; ++coarse) {
        if (!Namer(fine).IsFinerThan(Namer(coarse))) continue;
        for (size_t i = 0; i < tree.nodes.size(); ++i)
          for (size_t j = 0; j < i; ++j)
            EXPECT_TRUE(names[fine][i] != names[fine][j] || names[coarse][i] == names[coarse][j]);
      }
  }
}

TEST(Naming, TheRowsOfAListAreOneNameUntilTheyAreRefined) {
  Namings namings;
  const TreeId tree = namings.Add(namings.names().MakeTree(ListOf({"Rent", "Food", "Fuel"}), {}));
  const NamedTree base = namings.Apply(kBaseNaming, tree);
  EXPECT_EQ(base.distinct.size(), 2u);  // The rows, and the root that nothing can be done with.
  EXPECT_EQ(base.names[1], base.names[3]);
  const NamingId finer =
      namings.Extend(kBaseNaming, base.names[1], Namer::kType | Namer::kText, kInteractiveNamelet);
  EXPECT_EQ(namings.Apply(finer, tree).distinct.size(), 4u);
  EXPECT_EQ(namings.Apply(finer, tree).names[0], base.names[0]);
  EXPECT_EQ(namings.Extend(kBaseNaming, base.names[1], Namer::kType | Namer::kText, kInteractiveNamelet),
            finer);
  // The table decides per state.
  EXPECT_EQ(namings.NamingOf(tree), kBaseNaming);
  namings.Decide(kBaseNaming, base.key, finer);
  EXPECT_EQ(namings.NamingOf(tree), finer);
}

TEST(Naming, OtherTextsAreTheSameStateUnderTheBaseNaming) {
  Namings namings;
  const TreeId one = namings.Add(namings.names().MakeTree(ListOf({"Rent", "Food"}), {}));
  const TreeId two = namings.Add(namings.names().MakeTree(ListOf({"Rent", "Food", "Fuel"}), {}));
  EXPECT_NE(one, two);
  EXPECT_EQ(namings.Apply(kBaseNaming, one).key, namings.Apply(kBaseNaming, two).key);
  EXPECT_EQ(namings.Add(namings.names().MakeTree(ListOf({"Rent", "Food"}), {})), one);
}

TEST(Model, BetaIsTheTableOfTheProgram) {
  EXPECT_EQ(Beta(5), 2u);
  EXPECT_EQ(Beta(4), 4u);
  EXPECT_EQ(Beta(3), 8u);
  EXPECT_EQ(Beta(0), 8u);
}

size_t Clicks(const State& state) {
  return static_cast<size_t>(std::count_if(state.actions.begin(), state.actions.end(),
                                           [](const auto& a) { return a.kind == ActionKind::kClick; }));
}

TreeId TreeOf(Model& model, const Screen& screen) {
  return model.namings().Add(model.namings().names().MakeTree(screen, {}));
}

TEST(Model, AnActionOfFourWidgetsIsRefinedOneOfThreeIsNot) {
  for (const size_t rows : {3u, 4u}) {
    Model model;
    std::vector<std::string> texts(rows, "row");
    const TreeId tree = TreeOf(model, ListOf(texts));
    model.Add(tree, true);
    EXPECT_EQ(Clicks(model.state(model.StateOf(tree))), rows == 3 ? 1 : 4);
    EXPECT_EQ(model.refinements(), rows == 3 ? 0 : 1);
  }
}

TEST(Model, WhatLeadsToTwoStatesSplitsItsSource) {
  // A switch shows "on" or "off"; the button leads to A or to B accordingly.
  Model model;
  auto start = [](const char* text) {
    Widget label = RowWidget(0, kRow, "p:id/mode", text);
    label.clickable = false;
    return ScreenOf("Start", {label, RowWidget(1, kButton, "p:id/go", "Go")});
  };
  const TreeId on = TreeOf(model, start("on")), off = TreeOf(model, start("off"));
  const TreeId a = TreeOf(model, ScreenOf("A", {})), b = TreeOf(model, ScreenOf("B", {}));
  model.Add(on, true);
  model.Add(a, true, on, ConcreteAction{ActionKind::kClick, 2});
  model.Add(off, true);
  EXPECT_EQ(model.StateOf(on), model.StateOf(off));
  model.Add(b, true, off, ConcreteAction{ActionKind::kClick, 2});
  EXPECT_NE(model.StateOf(on), model.StateOf(off));
  for (const Edge& e : model.edges()) EXPECT_TRUE(e.strong());
}

TEST(Model, ARefinementThatSplitsTooMuchIsTakenBackForGood) {
  // As above, but the label is a counter: each new value would be one more state.
  Model model;
  auto start = [](int value) {
    Widget label = RowWidget(0, kRow, "p:id/count", fmt::format("{}", value));
    label.clickable = false;
    return ScreenOf("Start", {label, RowWidget(1, kButton, "p:id/go", "Go")});
  };
  const TreeId a = TreeOf(model, ScreenOf("A", {})), b = TreeOf(model, ScreenOf("B", {}));
  size_t most = 0;
  for (int i = 0; i < 30; ++i) {
    const TreeId source = TreeOf(model, start(i));
    model.Add(source, true);
    model.Add(i % 2 ? a : b, true, source, ConcreteAction{ActionKind::kClick, 2});
    most = std::max(most, model.states().size());
  }
  EXPECT_GT(most, 3u);
  EXPECT_EQ(model.states().size(), 3u);
  EXPECT_EQ(model.coarsenings(), 1);
  EXPECT_EQ(model.refinements(), 1);
}

TEST(Model, AMissedExpectationWeakensTheTransition) {
  Model model;
  const TreeId start = TreeOf(model, ScreenOf("Start", {RowWidget(0, kButton, "p:id/go", "Go")}));
  const TreeId a = TreeOf(model, ScreenOf("A", {})), b = TreeOf(model, ScreenOf("B", {}));
  const ConcreteAction go{ActionKind::kClick, 1};
  model.Add(start, true);
  model.Add(a, true, start, go);
  EXPECT_TRUE(model.edges()[0].strong());
  model.Add(start, true);
  model.Add(b, true, start, go, a);
  EXPECT_FALSE(model.edges()[0].strong());
  EXPECT_TRUE(model.edges()[1].strong());
}

TEST(Model, ARebuildCountsEverythingOnceAndIsAFixedPoint) {
  int64_t refinements = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    Model model;
    TreeId at = TreeOf(model, RandomScreen(random));
    model.Add(at, true);
    for (int i = 0; i < 120; ++i) {
      const Tree& tree = model.namings().tree(at);
      const auto node = static_cast<int>(random.Below(tree.nodes.size()));
      const bool clickable = tree.nodes[static_cast<size_t>(node)].flags & kCanClick;
      const ConcreteAction action =
          clickable ? ConcreteAction{ActionKind::kClick, node} : ConcreteAction{ActionKind::kBack, -1};
      const TreeId next = TreeOf(model, RandomScreen(random));
      model.Add(next, true, at, action, random.Chance(0.2) ? std::optional(at) : std::nullopt);
      at = next;
    }
    refinements += model.refinements();
    model.Rebuild();
    const std::string once = model.Dump();
    int64_t visits = 0, hits = 0;
    for (const State& s : model.states()) visits += s.visits;
    for (const Edge& e : model.edges()) hits += e.hits;
    EXPECT_EQ(visits, 121);
    EXPECT_EQ(hits, 120);
    model.Rebuild();
    EXPECT_EQ(model.Dump(), once);
  }
  EXPECT_GT(refinements, 0);
}

TEST(Model, RefiningGivesWhatARebuildGives) {
  int64_t refinements = 0, coarsenings = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    ModelParameters parameters;
    if (seed % 2 == 0) parameters.max_states_from_one = 2;  // Much is taken back.
    Model model(parameters);
    std::vector<TreeId> trees = {TreeOf(model, RandomScreen(random))};
    model.Add(trees[0], true);
    for (int i = 0; i < 150; ++i) {
      const TreeId from = trees.back();
      const Tree& tree = model.namings().tree(from);
      const auto node = static_cast<int>(random.Below(tree.nodes.size()));
      const bool clickable = tree.nodes[static_cast<size_t>(node)].flags & kCanClick;
      const ConcreteAction action =
          clickable ? ConcreteAction{ActionKind::kClick, node} : ConcreteAction{ActionKind::kMenu, -1};
      // Half of the screens have been seen before, so that transitions and misses meet again.
      const TreeId next =
          random.Chance(0.5) ? trees[random.Below(trees.size())] : TreeOf(model, RandomScreen(random));
      const TreeId other = trees[random.Below(trees.size())];
      model.Add(next, true, from, action, random.Chance(0.3) ? std::optional(other) : std::nullopt);
      trees.push_back(next);
      const std::string by_steps = model.Dump();
      Model rebuilt = model;
      rebuilt.Rebuild();
      ASSERT_EQ(rebuilt.Dump(), by_steps) << "seed " << seed << " step " << i;
    }
    refinements += model.refinements();
    coarsenings += model.coarsenings();
  }
  EXPECT_GT(refinements, 100);
  EXPECT_GT(coarsenings, 10);
}

TEST(Model, StepByStepGivesWhatARebuildGives) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    Model model;
    std::vector<TreeId> trees;
    for (int i = 0; i < 150; ++i) {
      const TreeId next = TreeOf(model, RandomScreen(random));
      if (trees.empty()) {
        model.Add(next, true);
      } else {
        const TreeId from = trees.back();
        const ConcreteAction back{random.Chance(0.5) ? ActionKind::kBack : ActionKind::kMenu, -1};
        const TreeId other = trees[random.Below(trees.size())];
        model.Add(next, true, from, back, random.Chance(0.3) ? std::optional(other) : std::nullopt);
      }
      trees.push_back(next);
      const std::string by_steps = model.Dump();
      model.Rebuild();
      ASSERT_EQ(model.Dump(), by_steps) << "seed " << seed << " step " << i;
    }
  }
}

}  // namespace
}  // namespace marmoset
