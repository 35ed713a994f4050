// The model: states, actions and transitions of an app, as far as it has been explored, with a resolution
// that adapts itself.
//
// Problem: on a model that is too coarse one action "leads" now here, now there, and paths cannot be relied
// on; on one that is too fine everything is always new. Which it is shows only while exploring.
//
// Idea: what happened is kept as a log of (tree, action, tree) that never changes. States, actions and
// transitions are derived from it by the namings (naming.h). After each step the model looks at the new
// state and changes the decision tree if need be:
//   * action refinement: one action stands for more than alpha widgets: name them by a finer namer;
//   * non-determinism: an action got a second target: name the acted widgets, or else any widget of the
//     source state, so that the sources of the two transitions differ;
//   * state coarsening: a refinement split one state into more than beta: take it back, never to return.
// Whenever the decision tree changes, what derives from the trees that it concerns is derived anew from the
// log.
//
// Example: a list of four rows has one action "tap row" that stands for four widgets. 4 > alpha = 3, so rows
// are named by TYPE+INDEX and there are four actions. If the sorting button then turns out to lead to two
// states, some widget's text may tell which.
//
// Cost: a step that changes nothing costs a few look-ups. A refinement costs one pass over what happened in
// the state that it splits; only a coarsening, which is rare, goes over the whole log. No oracle calls: it
// only watches.
//
// Paper: Gu et al., ICSE 2019, section IV; constants that the paper leaves out are those of the published
// program. Deviations are listed in docs/papers.md.

#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "explore/naming.h"

namespace marmoset {

struct ModelParameters {
  size_t alpha = 3;                    // Widgets that an action may stand for.
  size_t max_beta = 8;                 // States that one state may be split into, at most.
  size_t max_states_from_one = 8;      // Known states that stem from one state, before it is coarsened.
  size_t max_names = 20;               // Names of a state, for it to be refined.
  size_t max_states_of_activity = 10;  // States of an activity, for it to be refined.
  size_t max_trees_of_state = 20;      // Trees of a state that are looked at: the newest.
  size_t max_targets = 3;              // An action with so many targets is not refined again.
  NameParameters names;
};

// How many states a refinement may make of one, for a naming of this fineness: the finer, the fewer.
size_t Beta(int fineness, size_t max_beta = 8);

enum class ActionKind {
  kBack,
  kMenu,
  kAllow,  // Answers to the question for a permission.
  kDeny,
  kClick,
  kLongClick,
  kScrollDown,
  kScrollUp,
  kScrollRight,
  kScrollLeft
};
std::string_view ActionKindName(ActionKind kind);
constexpr bool HasTarget(ActionKind kind) { return kind >= ActionKind::kClick; }

// What can be done with a widget, by the flags of its name.
std::vector<ActionKind> KindsFor(uint8_t flags);

using StateId = int;
using ActivityId = int;  // Activities are numbered as they are seen.
using EdgeId = int;

struct ModelAction {
  ActionKind kind = ActionKind::kBack;
  Name name = kNoName;  // kNoName for an action without target.
  size_t nodes = 1;     // Widgets that it stands for, in the state's newest tree.
  int64_t visits = 0;
  std::vector<EdgeId> edges;
};

struct State {
  KeyId key = 0;
  NamingId naming = kBaseNaming;
  std::string activity;
  ActivityId activity_id = 0;
  std::vector<TreeId> trees;  // The newest last.
  int64_t visits = 0;
  std::vector<ModelAction> actions;
  std::vector<EdgeId> out;  // Of all its actions.
  std::vector<EdgeId> in;
};

struct Edge {
  StateId from = 0;
  StateId to = 0;
  size_t action = 0;  // Index in State::actions.
  ActionKind kind = ActionKind::kBack;
  int64_t hits = 0;
  int64_t misses = 0;
  int64_t last_visit = 0;
  std::vector<size_t> records;  // In the log.

  // Can be relied on.
  bool strong() const { return (misses == 0 && hits >= 1) || hits - misses >= 2; }
};

// A kind of action on a node of a tree; node -1 for actions without target.
struct ConcreteAction {
  ActionKind kind = ActionKind::kBack;
  int node = -1;
  friend bool operator==(const ConcreteAction&, const ConcreteAction&) = default;
  friend bool operator<(const ConcreteAction& a, const ConcreteAction& b) {
    return std::pair(a.kind, a.node) < std::pair(b.kind, b.node);
  }
};

class Model {
 public:
  // What happened, with the times it did.
  struct Record {
    TreeId from = 0;
    ConcreteAction action;
    TreeId to = 0;
    int64_t times = 0;
    int64_t last = 0;
  };

  explicit Model(ModelParameters parameters = {}) : parameters_(parameters), namings_(parameters.names) {}

  Namings& namings() { return namings_; }
  const Namings& namings() const { return namings_; }
  const ModelParameters& parameters() const { return parameters_; }

  // The app is seen in `tree`: a visit of its state. `inside`: actions of it may be chosen. Without
  // `from` and `action` it is not known how it came there. `expected`: the state that was counted on, by its
  // newest tree. Refines and coarsens.
  void Add(TreeId tree, bool inside, std::optional<TreeId> from = {},
           std::optional<ConcreteAction> action = {}, std::optional<TreeId> expected = {});

  // State ids are those of the current version: what changes the decision tree gives new ones.
  // REQUIRES: the tree has been added.
  StateId StateOf(TreeId tree) const { return tree_state_.at(static_cast<size_t>(tree)); }
  // In no order.
  const std::vector<StateId>& StatesOf(ActivityId activity) const {
    return activity_states_[static_cast<size_t>(activity)];
  }
  size_t activity_count() const { return activity_states_.size(); }
  const State& state(StateId id) const { return states_[static_cast<size_t>(id)]; }
  const std::vector<State>& states() const { return states_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const Edge& edge(EdgeId id) const { return edges_[static_cast<size_t>(id)]; }
  // The graph as PathFinder takes it.
  size_t size() const { return states_.size(); }
  const std::vector<EdgeId>& out(StateId id) const { return state(id).out; }
  const std::vector<EdgeId>& in(StateId id) const { return state(id).in; }
  const Record& record(size_t id) const { return records_[id]; }
  // The state's action that this is an instance of.
  std::optional<size_t> ActionOf(StateId state, TreeId tree, ConcreteAction action);

  // Visits of all states of an activity, and of all instances of (activity, kind, name).
  int64_t ActivityVisits(ActivityId activity) const {
    return activity_visits_[static_cast<size_t>(activity)];
  }
  int64_t NameVisits(ActivityId activity, ActionKind kind, Name name) const;
  // Whether the newest record was a transition that no other had been.
  bool newest_edge_is_new() const { return newest_edge_is_new_; }

  int64_t version() const { return version_; }
  int64_t refinements() const { return refinements_; }
  int64_t coarsenings() const { return coarsenings_; }

  // Derives states and transitions from the log again.
  void Rebuild();
  // States and transitions as text, for comparison: independent of their numbers.
  std::string Dump() const;

 private:
  // From, action, expected, what came instead.
  using Miss = std::tuple<TreeId, ConcreteAction, TreeId, TreeId>;
  // A refinement that was taken back: these trees must not give more states than that.
  struct Limit {
    std::set<TreeId> trees;
    size_t beta = 0;
  };

  StateId Enter(TreeId tree);
  // Derives again what the trees of a state gave, after its naming has been refined.
  void Rederive(StateId state);
  void RemoveEdge(EdgeId edge);
  void SortTrees(StateId state);
  EdgeId EdgeBetween(StateId from, size_t action, StateId to);
  // Counts the record; -1 if nothing in its source state is such an action.
  EdgeId Derive(size_t record, bool is_first);
  // Counts for `only`, if it is given, else for whichever transition was missed.
  void DeriveMiss(const Miss& miss, int64_t times, std::optional<EdgeId> only = {});

  bool Coarsen(TreeId tree);
  bool RefineActions(TreeId tree);
  bool RefineNonDeterminism(EdgeId edge);
  std::vector<TreeId> NewestTrees(const State& state) const;
  std::set<KeyId> KeysUnder(NamingId naming, const std::vector<TreeId>& trees);
  bool IsPermitted(NamingId naming, const std::vector<TreeId>& trees);
  bool FitsBeta(NamingId naming, const std::vector<TreeId>& trees);
  std::optional<int> NameletOf(NamingId naming, Name name, const std::vector<TreeId>& trees);
  std::vector<int> NodesOf(NamingId naming, TreeId tree, Name name);
  std::set<Name> ActedNames(NamingId naming, const Edge& edge);
  std::vector<TreeId> Sources(const Edge& edge) const;

  const ModelParameters parameters_;
  Namings namings_;

  // What happened.
  std::vector<Record> records_;
  std::map<std::tuple<TreeId, ConcreteAction, TreeId>, size_t> record_ids_;
  std::vector<std::vector<size_t>> tree_records_;  // By tree: the records from and to it.
  std::map<Miss, int64_t> misses_;
  std::vector<std::vector<Miss>> tree_misses_;  // By tree: where it is from, or was expected.
  std::vector<int64_t> tree_visits_;            // By tree.
  std::vector<int64_t> tree_last_;              // By tree: when it was seen last.
  std::vector<bool> tree_inside_;               // By tree.
  int64_t now_ = 0;
  bool newest_edge_is_new_ = false;

  // What was learnt about resolution.
  std::set<std::pair<KeyId, Name>> unrefinable_;
  std::set<std::tuple<KeyId, ActionKind, Name>> given_up_;
  std::set<std::pair<TreeId, NamingId>> taken_back_;
  std::vector<Limit> limits_;
  int64_t version_ = 0;
  int64_t refinements_ = 0;
  int64_t coarsenings_ = 0;

  // Derived.
  std::vector<State> states_;
  std::optional<StateId> free_state_;  // A number that Enter is to use again, while a state is split.
  std::map<KeyId, StateId> state_ids_;
  std::vector<StateId> tree_state_;  // By tree; -1 where it has not been added.
  std::map<std::string, ActivityId> activity_ids_;
  std::vector<std::vector<StateId>> activity_states_;  // By activity.
  std::vector<Edge> edges_;
  std::map<std::tuple<StateId, size_t, StateId>, EdgeId> edge_ids_;
  std::vector<EdgeId> record_edge_;       // By record; -1 where its action is none of the state.
  std::vector<int64_t> activity_visits_;  // By activity.
  std::map<std::tuple<ActivityId, ActionKind, Name>, int64_t> name_visits_;
};

}  // namespace marmoset
