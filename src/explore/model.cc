#include "explore/model.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace marmoset {
namespace {

// The number of primitive namers, N in the formula of beta.
constexpr int kPrimitiveNamers = std::popcount(Namer::kAll.bits());

template <typename T>
bool Disjoint(const std::set<T>& a, const std::set<T>& b) {
  return std::none_of(a.begin(), a.end(), [&](const T& x) { return b.count(x) > 0; });
}

// Candidates for the next finer namer: all finer ones, but none above one that was too fine or good enough.
class Climb {
 public:
  explicit Climb(Namer from) : finer_(FinerNamers(from)) {}
  std::optional<Namer> Next() {
    while (next_ < finer_.size()) {
      const Namer namer = finer_[next_++];
      if (std::none_of(bounds_.begin(), bounds_.end(), [&](Namer b) { return namer.Has(b); })) return namer;
    }
    return std::nullopt;
  }
  void AddBound(Namer namer) { bounds_.push_back(namer); }

 private:
  const std::vector<Namer> finer_;
  size_t next_ = 0;
  std::vector<Namer> bounds_;
};

}  // namespace

size_t Beta(int fineness, size_t max_beta) {
  return std::min(max_beta, size_t{2} << std::max(0, kPrimitiveNamers - fineness));
}

std::string_view ActionKindName(ActionKind kind) {
  constexpr std::array<std::string_view, 10> names = {
      "back",       "menu",        "allow",     "deny",         "click",
      "long click", "scroll down", "scroll up", "scroll right", "scroll left"};
  return names[static_cast<size_t>(kind)];
}

std::vector<ActionKind> KindsFor(uint8_t flags) {
  if (!(flags & kIsEnabled)) return {};
  std::vector<ActionKind> kinds;
  if (flags & (kCanClick | kCanCheck | kCanType)) kinds.push_back(ActionKind::kClick);
  if (flags & kCanLongClick) kinds.push_back(ActionKind::kLongClick);
  if (flags & kCanScrollUpDown) kinds.insert(kinds.end(), {ActionKind::kScrollDown, ActionKind::kScrollUp});
  if (flags & kCanScrollSideways)
    kinds.insert(kinds.end(), {ActionKind::kScrollRight, ActionKind::kScrollLeft});
  return kinds;
}

void Model::Add(TreeId tree, bool inside, std::optional<TreeId> from, std::optional<ConcreteAction> action,
                std::optional<TreeId> expected) {
  ++now_;
  const size_t count = namings_.tree_count();
  tree_visits_.resize(count);
  tree_last_.resize(count);
  tree_inside_.resize(count);
  tree_records_.resize(count);
  tree_misses_.resize(count);
  tree_state_.resize(count, -1);
  ++tree_visits_[static_cast<size_t>(tree)];
  tree_last_[static_cast<size_t>(tree)] = now_;
  tree_inside_[static_cast<size_t>(tree)] = inside;
  const StateId entered = Enter(tree);
  ++states_[static_cast<size_t>(entered)].visits;
  ++activity_visits_[static_cast<size_t>(state(entered).activity_id)];

  std::optional<size_t> record;
  newest_edge_is_new_ = false;
  if (from && action) {
    const auto [it, added] = record_ids_.emplace(std::tuple(*from, *action, tree), records_.size());
    if (added) {
      for (const TreeId end : {*from, tree})
        tree_records_[static_cast<size_t>(end)].push_back(records_.size());
      records_.push_back({*from, *action, tree, 0, 0});
      record_edge_.push_back(-1);
    }
    record = it->second;
    // Derived with this occurrence only; what the record says of all is for Rebuild.
    const Record whole = records_[*record];
    records_[*record].times = 1;
    records_[*record].last = now_;
    const EdgeId edge = Derive(*record, whole.times == 0);
    records_[*record].times = whole.times + 1;
    newest_edge_is_new_ = edge >= 0 && edges_[static_cast<size_t>(edge)].hits == 1;
    // It may have been missed before it was seen: from trees of the same state that were refined meanwhile.
    if (newest_edge_is_new_)
      for (const TreeId source : state(edges_[static_cast<size_t>(edge)].from).trees)
        for (const Miss& miss : tree_misses_[static_cast<size_t>(source)])
          if (std::get<0>(miss) == source) DeriveMiss(miss, misses_.at(miss), edge);
    if (expected && StateOf(*expected) != entered) {
      const Miss miss(*from, *action, *expected, tree);
      if (++misses_[miss] == 1)
        for (const TreeId end : std::set{*from, *expected})
          tree_misses_[static_cast<size_t>(end)].push_back(miss);
      DeriveMiss(miss, 1);
    }
  }
  if (inside) {
    while (Coarsen(tree)) continue;
    while (RefineActions(tree)) continue;
    while (Coarsen(tree)) continue;
  }
  if (!record || !newest_edge_is_new_) return;
  // The states may be others by now.
  const Record& r = records_[*record];
  const StateId source = StateOf(r.from);
  if (const auto acted = ActionOf(source, r.from, r.action)) {
    const auto it = edge_ids_.find({source, *acted, StateOf(tree)});
    if (it != edge_ids_.end()) RefineNonDeterminism(it->second);
  }
}

StateId Model::Enter(TreeId tree) {
  const NamingId naming = namings_.NamingOf(tree);
  const NamedTree& named = namings_.Apply(naming, tree);
  const auto next = static_cast<StateId>(states_.size());
  const auto [it, added] = state_ids_.emplace(named.key, free_state_.value_or(next));
  tree_state_[static_cast<size_t>(tree)] = it->second;
  if (added) {
    State s;
    s.key = named.key;
    s.naming = naming;
    s.activity = namings_.tree(tree).activity;
    const auto [activity, is_new] =
        activity_ids_.emplace(s.activity, static_cast<ActivityId>(activity_states_.size()));
    s.activity_id = activity->second;
    if (is_new) {
      activity_states_.emplace_back();
      activity_visits_.push_back(0);
    }
    if (namings_.tree(tree).is_question) {
      s.actions.push_back({ActionKind::kAllow, kNoName, 1, 0, {}});
      s.actions.push_back({ActionKind::kDeny, kNoName, 1, 0, {}});
    } else if (tree_inside_[static_cast<size_t>(tree)]) {
      s.actions.push_back({ActionKind::kBack, kNoName, 1, 0, {}});
      s.actions.push_back({ActionKind::kMenu, kNoName, 1, 0, {}});
      for (const Name name : named.distinct)
        for (const ActionKind kind : KindsFor(namings_.names().At(name).flags))
          s.actions.push_back({kind, name, 0, 0, {}});
    }
    activity_states_[static_cast<size_t>(s.activity_id)].push_back(it->second);
    if (free_state_)
      states_[static_cast<size_t>(it->second)] = std::move(s);
    else
      states_.push_back(std::move(s));
    free_state_.reset();
  }
  State& s = states_[static_cast<size_t>(it->second)];
  s.trees.erase(std::remove(s.trees.begin(), s.trees.end(), tree), s.trees.end());
  s.trees.push_back(tree);
  for (ModelAction& a : s.actions)
    if (HasTarget(a.kind))
      a.nodes = static_cast<size_t>(std::count(named.names.begin(), named.names.end(), a.name));
  return it->second;
}

std::optional<size_t> Model::ActionOf(StateId id, TreeId tree, ConcreteAction action) {
  const State& s = state(id);
  Name name = kNoName;
  if (action.node >= 0) name = namings_.Apply(s.naming, tree).names[static_cast<size_t>(action.node)];
  for (size_t i = 0; i < s.actions.size(); ++i)
    if (s.actions[i].kind == action.kind && s.actions[i].name == name) return i;
  return std::nullopt;
}

EdgeId Model::EdgeBetween(StateId from, size_t action, StateId to) {
  const auto [it, added] =
      edge_ids_.emplace(std::tuple(from, action, to), static_cast<EdgeId>(edges_.size()));
  if (added) {
    Edge edge;
    edge.from = from;
    edge.action = action;
    edge.to = to;
    State& source = states_[static_cast<size_t>(from)];
    edge.kind = source.actions[action].kind;
    edges_.push_back(std::move(edge));
    source.actions[action].edges.push_back(it->second);
    source.out.push_back(it->second);
    states_[static_cast<size_t>(to)].in.push_back(it->second);
  }
  return it->second;
}

EdgeId Model::Derive(size_t id, bool is_first) {
  const Record& r = records_[id];
  const StateId from = StateOf(r.from);
  const auto action = ActionOf(from, r.from, r.action);
  if (!action) return -1;
  const EdgeId edge_id = EdgeBetween(from, *action, StateOf(r.to));
  record_edge_[id] = edge_id;
  Edge& edge = edges_[static_cast<size_t>(edge_id)];
  edge.hits += r.times;
  edge.last_visit = std::max(edge.last_visit, r.last);
  if (is_first) edge.records.push_back(id);
  ModelAction& acted = states_[static_cast<size_t>(from)].actions[*action];
  acted.visits += r.times;
  name_visits_[{state(from).activity_id, acted.kind, acted.name}] += r.times;
  return edge_id;
}

void Model::DeriveMiss(const Miss& miss, int64_t times, std::optional<EdgeId> only) {
  const auto& [from, action, expected, to] = miss;
  const StateId source = StateOf(from), target = StateOf(expected);
  if (target == StateOf(to)) return;  // Since then the two have become one.
  const auto acted = ActionOf(source, from, action);
  if (!acted) return;
  const auto it = edge_ids_.find({source, *acted, target});
  if (it != edge_ids_.end() && (!only || *only == it->second))
    edges_[static_cast<size_t>(it->second)].misses += times;
}

void Model::RemoveEdge(EdgeId id) {
  const auto key = [](const Edge& e) { return std::tuple(e.from, e.action, e.to); };
  const Edge edge = std::move(edges_[static_cast<size_t>(id)]);
  State& source = states_[static_cast<size_t>(edge.from)];
  ModelAction& acted = source.actions[edge.action];
  std::erase(acted.edges, id);
  std::erase(source.out, id);
  std::erase(states_[static_cast<size_t>(edge.to)].in, id);
  acted.visits -= edge.hits;
  name_visits_[{state(edge.from).activity_id, acted.kind, acted.name}] -= edge.hits;
  edge_ids_.erase(key(edge));
  for (const size_t r : edge.records) record_edge_[r] = -1;
  // The last one gets its number.
  const auto last = static_cast<EdgeId>(edges_.size() - 1);
  if (id != last) {
    Edge& moved = edges_[static_cast<size_t>(id)];
    moved = std::move(edges_.back());
    State& its_source = states_[static_cast<size_t>(moved.from)];
    std::vector<EdgeId>& its_target_in = states_[static_cast<size_t>(moved.to)].in;
    for (std::vector<EdgeId>* ids :
         {&its_source.actions[moved.action].edges, &its_source.out, &its_target_in})
      std::replace(ids->begin(), ids->end(), last, id);
    edge_ids_[key(moved)] = id;
    for (const size_t r : moved.records) record_edge_[r] = id;
  }
  edges_.pop_back();
}

void Model::SortTrees(StateId id) {
  std::vector<TreeId>& trees = states_[static_cast<size_t>(id)].trees;
  std::sort(trees.begin(), trees.end(), [this](TreeId a, TreeId b) {
    return tree_last_[static_cast<size_t>(a)] < tree_last_[static_cast<size_t>(b)];
  });
  Enter(trees.back());
}

void Model::Rederive(StateId id) {
  ++version_;
  std::vector<TreeId> trees = state(id).trees;
  std::sort(trees.begin(), trees.end());
  std::set<size_t> records;
  std::set<Miss> misses;
  for (const TreeId tree : trees) {
    const auto t = static_cast<size_t>(tree);
    records.insert(tree_records_[t].begin(), tree_records_[t].end());
    misses.insert(tree_misses_[t].begin(), tree_misses_[t].end());
  }
  std::set<EdgeId, std::greater<>> doomed;  // The highest first: what takes a free number is not doomed.
  for (const size_t r : records)
    if (record_edge_[r] >= 0) doomed.insert(record_edge_[r]);
  for (const EdgeId edge : doomed) RemoveEdge(edge);
  state_ids_.erase(state(id).key);
  std::erase(activity_states_[static_cast<size_t>(state(id).activity_id)], id);
  free_state_ = id;
  std::set<StateId> entered;
  for (const TreeId tree : trees) {
    const StateId now_in = Enter(tree);
    states_[static_cast<size_t>(now_in)].visits += tree_visits_[static_cast<size_t>(tree)];
    entered.insert(now_in);
  }
  if (free_state_) {  // All of them were in other states already: no number may be without a state.
    free_state_.reset();
    return Rebuild();
  }
  for (const StateId one : entered) SortTrees(one);
  for (const size_t r : records) Derive(r, true);
  for (const Miss& miss : misses) DeriveMiss(miss, misses_.at(miss));
}

void Model::Rebuild() {
  ++version_;
  states_.clear();
  for (std::vector<StateId>& states : activity_states_) states.clear();
  std::fill(record_edge_.begin(), record_edge_.end(), -1);
  state_ids_.clear();
  edges_.clear();
  edge_ids_.clear();
  std::fill(activity_visits_.begin(), activity_visits_.end(), 0);
  name_visits_.clear();
  for (TreeId tree = 0; tree < static_cast<TreeId>(tree_visits_.size()); ++tree) {
    if (tree_visits_[static_cast<size_t>(tree)] == 0) continue;
    const StateId id = Enter(tree);
    states_[static_cast<size_t>(id)].visits += tree_visits_[static_cast<size_t>(tree)];
    activity_visits_[static_cast<size_t>(state(id).activity_id)] += tree_visits_[static_cast<size_t>(tree)];
  }
  for (StateId id = 0; id < static_cast<StateId>(states_.size()); ++id) SortTrees(id);
  for (size_t i = 0; i < records_.size(); ++i) Derive(i, true);
  for (const auto& [miss, times] : misses_) DeriveMiss(miss, times);
}

int64_t Model::NameVisits(ActivityId activity, ActionKind kind, Name name) const {
  const auto it = name_visits_.find({activity, kind, name});
  return it == name_visits_.end() ? 0 : it->second;
}

// ---- How the resolution changes.

std::vector<TreeId> Model::NewestTrees(const State& s) const {
  const size_t skip = s.trees.size() - std::min(s.trees.size(), parameters_.max_trees_of_state);
  return {s.trees.begin() + static_cast<std::ptrdiff_t>(skip), s.trees.end()};
}

std::set<KeyId> Model::KeysUnder(NamingId naming, const std::vector<TreeId>& trees) {
  std::set<KeyId> keys;
  for (const TreeId tree : trees) keys.insert(namings_.Apply(naming, tree).key);
  return keys;
}

// Whether nothing that was taken back comes back when these trees get the naming.
bool Model::IsPermitted(NamingId naming, const std::vector<TreeId>& trees) {
  for (const TreeId tree : trees)
    if (taken_back_.count({tree, naming})) return false;
  for (const Limit& limit : limits_) {
    if (std::none_of(trees.begin(), trees.end(), [&](TreeId t) { return limit.trees.count(t) > 0; }))
      continue;
    std::set<KeyId> keys;
    for (const TreeId t : limit.trees) {
      const bool changes = std::find(trees.begin(), trees.end(), t) != trees.end();
      keys.insert(namings_.Apply(changes ? naming : namings_.NamingOf(t), t).key);
    }
    if (keys.size() > limit.beta) return false;
  }
  return true;
}

bool Model::FitsBeta(NamingId naming, const std::vector<TreeId>& trees) {
  return KeysUnder(naming, trees).size() <= Beta(namings_.Fineness(naming), parameters_.max_beta);
}

// The rule that gives this name, if in all these trees it is the same one.
std::optional<int> Model::NameletOf(NamingId naming, Name name, const std::vector<TreeId>& trees) {
  std::optional<int> namelet;
  for (const TreeId tree : trees) {
    const NamedTree& named = namings_.Apply(naming, tree);
    for (size_t i = 0; i < named.names.size(); ++i) {
      if (named.names[i] != name) continue;
      if (namelet && *namelet != named.namelets[i]) return std::nullopt;
      namelet = named.namelets[i];
    }
  }
  return namelet;
}

std::vector<int> Model::NodesOf(NamingId naming, TreeId tree, Name name) {
  std::vector<int> nodes;
  const std::vector<Name>& names = namings_.Apply(naming, tree).names;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) nodes.push_back(static_cast<int>(i));
  return nodes;
}

bool Model::RefineActions(TreeId tree) {
  const StateId id = StateOf(tree);
  const State& s = state(id);
  if (StatesOf(s.activity_id).size() > parameters_.max_states_of_activity) return false;
  if (namings_.Apply(s.naming, tree).distinct.size() >= parameters_.max_names) return false;

  std::vector<std::pair<size_t, Name>> targets;  // By the number of nodes.
  for (const ModelAction& a : s.actions)
    if (HasTarget(a.kind) && a.nodes > parameters_.alpha) targets.emplace_back(a.nodes, a.name);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  const std::vector<TreeId> trees = NewestTrees(s);
  for (const auto& [nodes, name] : targets) {
    if (unrefinable_.count({s.key, name})) continue;
    const std::optional<int> namelet = NameletOf(s.naming, name, trees);
    const std::vector<int> acted = NodesOf(s.naming, tree, name);
    if (namelet) {
      Climb climb(namings_.names().At(name).namer);
      while (const auto namer = climb.Next()) {
        const NamingId finer = namings_.Extend(s.naming, name, *namer, *namelet);
        std::set<Name> split;
        for (const int node : acted)
          split.insert(namings_.Apply(finer, tree).names[static_cast<size_t>(node)]);
        if (split.size() < 2) continue;
        const bool too_many_names = std::any_of(trees.begin(), trees.end(), [&](TreeId t) {
          return namings_.Apply(finer, t).distinct.size() > parameters_.max_names;
        });
        if (too_many_names || !FitsBeta(finer, trees)) {
          climb.AddBound(*namer);
          continue;
        }
        if (!IsPermitted(finer, s.trees)) continue;
        namings_.Decide(s.naming, s.key, finer);
        ++refinements_;
        Rederive(id);
        return true;
      }
    }
    unrefinable_.insert({s.key, name});
  }
  return false;
}

std::set<Name> Model::ActedNames(NamingId naming, const Edge& edge) {
  std::set<Name> names;
  for (const size_t r : edge.records)
    names.insert(
        namings_.Apply(naming, records_[r].from).names[static_cast<size_t>(records_[r].action.node)]);
  return names;
}

std::vector<TreeId> Model::Sources(const Edge& edge) const {
  std::vector<TreeId> trees;
  for (const size_t r : edge.records) trees.push_back(records_[r].from);
  std::sort(trees.begin(), trees.end(), [this](TreeId a, TreeId b) {
    return tree_last_[static_cast<size_t>(a)] < tree_last_[static_cast<size_t>(b)];
  });
  trees.erase(std::unique(trees.begin(), trees.end()), trees.end());
  const size_t skip = trees.size() - std::min(trees.size(), parameters_.max_trees_of_state);
  trees.erase(trees.begin(), trees.begin() + static_cast<std::ptrdiff_t>(skip));
  return trees;
}

bool Model::RefineNonDeterminism(EdgeId id) {
  const Edge& edge = edges_[static_cast<size_t>(id)];
  const State& s = state(edge.from);
  const ModelAction& action = s.actions[edge.action];
  if (action.kind == ActionKind::kBack || action.edges.size() < 2) return false;
  const auto gives_up = std::tuple(s.key, action.kind, action.name);
  if (given_up_.count(gives_up)) return false;
  if (StatesOf(s.activity_id).size() > parameters_.max_states_of_activity) return false;

  // Smaller is better: as few states as possible, then as few actions, then the coarser namers.
  struct Candidate {
    std::array<size_t, 4> cost;
    NamingId naming;
  };
  std::optional<Candidate> best;
  auto offer = [&](NamingId finer, Namer from, Namer to, const std::vector<TreeId>& trees) {
    std::set<std::pair<KeyId, Name>> actions;
    for (const TreeId t : trees)
      for (const Name n : namings_.Apply(finer, t).distinct)
        if (!KindsFor(namings_.names().At(n).flags).empty())
          actions.insert({namings_.Apply(finer, t).key, n});
    const auto order = FinerNamers(from);
    const Candidate candidate{
        {KeysUnder(finer, trees).size(), actions.size(), static_cast<size_t>(from.fineness()),
         static_cast<size_t>(std::find(order.begin(), order.end(), to) - order.begin())},
        finer};
    if (!best || candidate.cost < best->cost) best = candidate;
  };

  for (const EdgeId other_id : action.edges) {
    if (other_id == id) continue;
    const Edge& other = edges_[static_cast<size_t>(other_id)];
    const std::vector<TreeId> one = Sources(edge), two = Sources(other);
    std::vector<TreeId> both = one;
    both.insert(both.end(), two.begin(), two.end());

    // First by the acted widgets, where the action stands for more than one.
    const bool is_many = HasTarget(action.kind) && std::any_of(both.begin(), both.end(), [&](TreeId t) {
                           return NodesOf(s.naming, t, action.name).size() > 1;
                         });
    if (is_many) {
      if (const auto namelet = NameletOf(s.naming, action.name, both)) {
        Climb climb(namings_.names().At(action.name).namer);
        while (const auto namer = climb.Next()) {
          const NamingId finer = namings_.Extend(s.naming, action.name, *namer, *namelet);
          if (!FitsBeta(finer, both)) {
            climb.AddBound(*namer);
            continue;
          }
          if (!Disjoint(ActedNames(finer, edge), ActedNames(finer, other)) || !IsPermitted(finer, s.trees))
            continue;
          offer(finer, namings_.names().At(action.name).namer, *namer, both);
          break;
        }
      }
    }
    // Then by whatever tells the sources apart. Equal trees, nothing tells apart.
    if (!best && one.back() != two.back()) {
      for (const Name name : namings_.Apply(s.naming, one.back()).distinct) {
        const auto namelet = NameletOf(s.naming, name, both);
        if (!namelet) continue;
        Climb climb(namings_.names().At(name).namer);
        while (const auto namer = climb.Next()) {
          const NamingId finer = namings_.Extend(s.naming, name, *namer, *namelet);
          if (!FitsBeta(finer, both)) {
            climb.AddBound(*namer);
            continue;
          }
          if (!Disjoint(KeysUnder(finer, one), KeysUnder(finer, two)) || !IsPermitted(finer, s.trees))
            continue;
          offer(finer, namings_.names().At(name).namer, *namer, both);
          break;
        }
      }
    }
    if (best) break;
  }
  if (!best) {
    if (action.edges.size() >= parameters_.max_targets) given_up_.insert(gives_up);
    return false;
  }
  namings_.Decide(s.naming, s.key, best->naming);
  ++refinements_;
  Rederive(edge.from);
  return true;
}

bool Model::Coarsen(TreeId tree) {
  for (NamingId t = namings_.NamingOf(tree); t != kBaseNaming; t = namings_.ParentOf(t)) {
    const NamingId coarser = namings_.ParentOf(t);
    const KeyId key = namings_.Apply(coarser, tree).key;
    size_t states = 0;
    std::vector<TreeId> trees;
    for (const StateId id : StatesOf(state(StateOf(tree)).activity_id)) {
      const State& s = state(id);
      if (namings_.Apply(coarser, s.trees.back()).key != key) continue;
      ++states;
      trees.insert(trees.end(), s.trees.begin(), s.trees.end());
    }
    const size_t beta = Beta(namings_.Fineness(t), parameters_.max_beta);
    if (states <= parameters_.max_states_from_one && KeysUnder(t, trees).size() <= beta) continue;
    // Its trees fall back to the coarser naming. What was refined below it stays in the table, out of reach.
    namings_.Undecide(coarser, key);
    for (const TreeId affected : trees) taken_back_.insert({affected, t});
    limits_.push_back({{trees.begin(), trees.end()}, beta});
    ++coarsenings_;
    Rebuild();
    return true;
  }
  return false;
}

std::string Model::Dump() const {
  std::vector<std::string> lines;
  for (const State& s : states_) {
    std::string text =
        fmt::format("state key {} naming {} {} visits {} newest tree {} of {} in {}\n", s.key, s.naming,
                    s.activity, s.visits, s.trees.back(), s.trees.size(), s.in.size());
    for (const ModelAction& a : s.actions)
      text += fmt::format("  {} {} nodes {} visits {} edges {} of all {}\n", ActionKindName(a.kind),
                          namings_.names().Describe(a.name), a.nodes, a.visits, a.edges.size(),
                          NameVisits(s.activity_id, a.kind, a.name));
    lines.push_back(std::move(text));
  }
  for (const Edge& e : edges_)
    lines.push_back(fmt::format("edge {}.{} -> {} hits {} misses {} last {} records {}\n", state(e.from).key,
                                e.action, state(e.to).key, e.hits, e.misses, e.last_visit, e.records.size()));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace marmoset
