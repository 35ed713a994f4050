#include "explore/ape.h"

#include <algorithm>
#include <array>
#include <deque>

#include "explore/field_text.h"
#include "explore/path_finder.h"
#include "explore/run_model.h"

namespace marmoset {
namespace {

bool IsSaturated(const ModelAction& a) {
  return a.visits >= static_cast<int64_t>(std::clamp<size_t>(a.nodes, 1, 2));
}

double BasePriority(ActionKind kind) {
  switch (kind) {
    case ActionKind::kClick:
    case ActionKind::kAllow:
    case ActionKind::kDeny:
      return 4;
    case ActionKind::kScrollDown:
    case ActionKind::kScrollRight:
      return 3;
    case ActionKind::kLongClick:
    case ActionKind::kScrollUp:
    case ActionKind::kScrollLeft:
      return 2;
    case ActionKind::kBack:
    case ActionKind::kMenu:
      break;
  }
  return 1;
}

// On a walk, scrolling and long clicks are far behind clicks: what they show is mostly known.
double WalkWeight(ActionKind kind) {
  const double base = BasePriority(kind);
  return base == 4 ? 4 : base == 3 ? 1 : 0.75;
}

std::string RandomFormatted(Random& random) {
  const auto whole = static_cast<int64_t>(random.Next() >> (random.Below(60) + 1));
  const int64_t number = random.Chance(0.25) ? -whole : whole;
  switch (random.Below(3)) {
    case 0:
      return fmt::format("{:04}-{:02}-{:02}", 1970 + random.Below(100), 1 + random.Below(12),
                         1 + random.Below(28));
    case 1:
      return fmt::format("{}.{}", number % 1000000, random.Below(100));
    default:
      return fmt::format("{}", random.Chance(0.5) ? number % 10 : number);
  }
}

class Ape : public Strategy {
 public:
  Ape(const ApeParameters& parameters, const StrategyOptions& options)
      : parameters_(parameters),
        limits_(options.widgets),
        intents_(options.intents),
        resource_texts_(options.texts),
        model_(parameters.model) {}

  Decision Choose(const Screen& screen, Random& random) override {
    // Usually Remember has been told. Where it has not, nobody knows how the app came here.
    if (!place().inside || place().screen != screen) {
      std::vector<WidgetRef> widgets;
      const TreeId tree = AddTree(screen, &widgets);
      if (!place().inside || tree != place().current) Arrive(tree, true, {}, {}, {});
      See(screen, std::move(widgets));
    }
    if (IsTimeToRestart(random)) return {PressKey{"HOME"}, {}, true};
    if (steps_without_news_ >= parameters_.jump_after) {
      if (const auto jump = Jump(Unseen(), random)) return *jump;
    }
    if (parameters_.goes_elsewhere && !IsWorkHere()) {
      if (const auto elsewhere = GoElsewhere(random)) return *elsewhere;
    }
    const double staleness = Staleness();
    if (parameters_.system_rate > 0 && random.Chance(parameters_.system_rate * staleness))
      return SystemEvent(screen, random);
    if (random.Chance(parameters_.fuzzing_rate * staleness)) return Fuzz(screen, random);
    const State& state = Current();
    return Instance(state, state.actions[ChooseAction(random)], random);
  }

  void OnDevice(size_t device) override {
    device_ = device;
    if (places_.size() <= device) places_.resize(device + 1);
  }

  std::optional<ModelSize> model_size() const override {
    return ModelSize{model_.states().size(), model_.edges().size()};
  }

  void Remember(const Step& step, const Screen& after, bool inside, size_t new_methods) override {
    std::vector<WidgetRef> widgets;
    const TreeId tree = inside ? AddTree(after, &widgets) : model_.namings().Add(Tree{});
    if (std::holds_alternative<Launch>(step.action)) {
      place().plan.clear();
      place().steps_since_start = place().steps_without_new_edge = place().steps_in_state = 0;
      for (auto& [thing, tries] : tries_) tries.failures_since_launch = 0;
      Arrive(tree, inside, {}, {}, {});
      if (inside) start_ = tree;
      place().recreated = false;
      place().openers.assign(CoveringWindows(after), Opener{});
      See(after, std::move(widgets));
      CountNews(step, after, new_methods);
      return;
    }
    const std::optional<TreeId> from = place().inside ? std::optional(place().current) : std::nullopt;
    const std::optional<ConcreteAction> action =
        from ? Interpret(step, place().screen, place().widgets) : std::nullopt;
    if (action && parameters_.use_methods) Reward(*from, *action, new_methods > 0);
    if (action && parameters_.walks) {
      const auto [activity, kind, name] = DeedOf(*from, *action);
      done_on_screen_.emplace(*from, kind, name);
    }
    NoteOccasion(step, after, from, action);
    if (action) CountEffect(*from, *action, step.screen != step.screen_after || new_methods > 0);
    std::optional<TreeId> expected;
    if (!place().plan.empty() && action && IsSameAction(place().plan.front(), *from, *action)) {
      expected = place().plan.front().to;
      place().plan.pop_front();
    } else {
      place().plan.clear();
    }
    Arrive(tree, inside, action ? from : std::nullopt, action, expected);
    See(after, std::move(widgets));
    CountNews(step, after, new_methods);
  }

 private:
  struct PlannedStep {
    TreeId from;
    ConcreteAction action;
    TreeId to;
  };

  TreeId AddTree(const Screen& screen, std::vector<WidgetRef>* widgets) {
    Tree tree = model_.namings().names().MakeTree(screen, limits_, widgets);
    tree.is_question = parameters_.answers_questions && IsPermissionQuestion(screen);
    return model_.namings().Add(std::move(tree));
  }

  // News are activities and methods; where methods are not counted, transitions.
  void CountNews(const Step& step, const Screen& after, size_t new_methods) {
    counts_methods_ = counts_methods_ || new_methods > 0;
    const bool new_activity = seen_activities_.insert(after.activity).second;
    const bool news = new_activity || new_methods > 0 || (!counts_methods_ && model_.newest_edge_is_new());
    steps_without_news_ = news ? 0 : steps_without_news_ + 1;
    stale_steps_ = news ? 0 : stale_steps_ + 1;
    const auto* sent = std::get_if<SendIntent>(&step.action);
    if (!sent) return;
    steps_without_news_ = 0;  // What it has opened is given some time.
    for (size_t i = 0; i < intents_.size(); ++i)
      if (intents_[i].intent == *sent) ++sent_[i];
  }

  // The intents, not yet sent, to activities that were never in front.
  std::vector<size_t> Unseen() const {
    std::vector<size_t> unseen;
    for (size_t i = 0; i < intents_.size(); ++i)
      if (!seen_activities_.contains(intents_[i].activity) && !sent_.contains(i)) unseen.push_back(i);
    return unseen;
  }

  // How often the chance of what the model does not know is to count.
  double Staleness() const {
    if (parameters_.stale_after == 0) return 1;
    return 1 + static_cast<double>(std::min(stale_steps_ / parameters_.stale_after, parameters_.max_stale));
  }

  // What was done to open a window: to a widget of this class and id.
  using Opener = std::pair<ActionKind, uint32_t>;

  // Where a device is.
  struct Place {
    bool inside = false;
    TreeId current = 0;
    std::optional<TreeId> previous;  // Where the last step began, if it was one that the model knows.
    Screen screen;
    std::vector<WidgetRef> widgets;  // Of the tree's nodes.
    std::deque<PlannedStep> plan;
    int64_t steps_since_start = 0;
    int64_t steps_without_new_edge = 0;
    int64_t steps_in_state = 0;
    std::vector<Opener> openers;  // Of the windows that cover the activity.
    bool recreated = false;       // By a rotation or a death, since the launch.
  };

  Place& place() { return places_[device_]; }

  const State& Current() { return model_.state(model_.StateOf(place().current)); }

  void Arrive(TreeId tree, bool inside, std::optional<TreeId> from, std::optional<ConcreteAction> action,
              std::optional<TreeId> expected) {
    model_.Add(tree, inside, from, action, expected);
    ++place().steps_since_start;
    place().steps_without_new_edge = model_.newest_edge_is_new() ? 0 : place().steps_without_new_edge + 1;
    const bool same = from && model_.StateOf(*from) == model_.StateOf(tree);
    place().steps_in_state = same ? place().steps_in_state + 1 : 0;
    place().previous = from;
    place().current = tree;
    place().inside = inside;
    if (!inside) {
      place().plan.clear();
      return;
    }
    if (!place().plan.empty() && model_.StateOf(place().plan.front().from) != model_.StateOf(place().current))
      place().plan.clear();
    if (place().plan.empty()) MakePlan();
  }

  void See(const Screen& screen, std::vector<WidgetRef> widgets) {
    if (place().inside)
      for (const WidgetRef ref : ReachableWidgets(screen)) CollectText(At(screen, ref).text);
    place().screen = screen;
    place().widgets = std::move(widgets);
  }

  using Deed = std::tuple<ActivityId, ActionKind, Name>;  // In an activity.

  Deed DeedOf(TreeId from, ConcreteAction action) {
    const State& state = model_.state(model_.StateOf(from));
    const Name name =
        action.node < 0 ? kNoName
                        : model_.namings().Apply(state.naming, from).names[static_cast<size_t>(action.node)];
    return {state.activity_id, action.kind, name};
  }

  void Reward(TreeId from, ConcreteAction action, bool found_methods) {
    const Deed deed = DeedOf(from, action);
    if (found_methods)
      rewarding_.insert(deed);
    else
      rewarding_.erase(deed);
  }

  // ---- Occasions.

  using Occasion = std::pair<Opener, bool>;  // The opener of the window in front; whether recreated.

  static size_t CoveringWindows(const Screen& screen) {
    return static_cast<size_t>(std::count_if(
        screen.windows.begin(), screen.windows.end(),
        [](const Window& w) { return w.type == WindowType::kDialog || w.type == WindowType::kPopup; }));
  }

  Occasion PresentOccasion() {
    return {place().openers.empty() ? Opener{} : place().openers.back(), place().recreated};
  }

  void NoteOccasion(const Step& step, const Screen& after, std::optional<TreeId> from,
                    std::optional<ConcreteAction> action) {
    if (!parameters_.knows_occasions) return;
    Opener opener{};
    if (action) {
      occasions_.emplace(PresentOccasion(), DeedOf(*from, *action));
      opener.first = action->kind;
      if (action->node >= 0)
        opener.second = model_.namings().tree(*from).nodes[static_cast<size_t>(action->node)].type;
    }
    if (std::holds_alternative<Rotate>(step.action) || std::holds_alternative<ProcessDeath>(step.action))
      place().recreated = true;
    if (after.activity != place().screen.activity) place().openers.clear();
    place().openers.resize(CoveringWindows(after), opener);
  }

  // What was done here before, but never on the present occasion.
  std::vector<size_t> FreshOnOccasion(const State& state) {
    std::vector<size_t> fresh;
    const Occasion occasion = PresentOccasion();
    if (!parameters_.knows_occasions || occasion == Occasion{}) return fresh;
    for (size_t i = 0; i < state.actions.size(); ++i) {
      const ModelAction& a = state.actions[i];
      if ((a.kind == ActionKind::kClick || a.kind == ActionKind::kLongClick) && !IsInert(state, a) &&
          !occasions_.contains({occasion, Deed(state.activity_id, a.kind, a.name)}))
        fresh.push_back(i);
    }
    return fresh;
  }

  // All widgets of one class and id in an activity.
  using Thing = std::tuple<ActivityId, ActionKind, uint32_t>;

  struct Tries {
    int64_t effects = 0;
    int64_t failures = 0;
    int64_t failures_since_launch = 0;
  };

  void CountEffect(TreeId from, ConcreteAction action, bool had_effect) {
    const Tree& tree = model_.namings().tree(from);
    Tries* tries = nullptr;
    if (action.kind == ActionKind::kMenu) tries = &menu_;
    if (action.node >= 0)
      tries = &tries_[{model_.state(model_.StateOf(from)).activity_id, action.kind,
                       tree.nodes[static_cast<size_t>(action.node)].type}];
    if (!tries) return;
    ++(had_effect ? tries->effects : tries->failures);
    tries->failures_since_launch += !had_effect;
  }

  // Null: none yet.
  const Tries* TriesOf(const State& state, const ModelAction& a) const {
    if (a.kind == ActionKind::kMenu) return &menu_;
    if (!HasTarget(a.kind)) return nullptr;
    const auto it = tries_.find({state.activity_id, a.kind, model_.namings().names().At(a.name).type});
    return it == tries_.end() ? nullptr : &it->second;
  }

  // Whether this kind of action on this kind of widget was tried often and never changed anything. What a
  // click does may hang on what was done elsewhere (a row that matters in dark mode only), so clicks get more
  // tries, and after each launch anew.
  bool IsInert(const State& state, const ModelAction& a) const {
    if (parameters_.inert_after == 0 || !HasTarget(a.kind)) return false;
    const Tries* tries = TriesOf(state, a);
    if (!tries || tries->effects > 0) return false;
    return a.kind == ActionKind::kClick ? tries->failures_since_launch >= 2 * parameters_.inert_after
                                        : tries->failures >= parameters_.inert_after;
  }

  // Whether MENU has shown to be without use in this app: then it waits until there is nothing else to do.
  bool IsMenuIdle() const {
    return parameters_.inert_after > 0 && menu_.failures >= parameters_.inert_after + 2 * menu_.effects;
  }

  void CollectText(const std::string& text) {
    if (text.empty() || text.size() > parameters_.max_text_length || texts_.size() >= parameters_.max_texts)
      return;
    if (known_texts_.insert(text).second) texts_.push_back(text);
  }

  // ---- From the model's actions to those of a device.

  bool IsSameAction(const PlannedStep& planned, TreeId from, ConcreteAction action) {
    const StateId state = model_.StateOf(from);
    if (model_.StateOf(planned.from) != state) return false;
    const auto wanted = model_.ActionOf(state, planned.from, planned.action);
    return wanted && wanted == model_.ActionOf(state, from, action);
  }

  Decision Instance(const State& state, const ModelAction& action, Random& random) {
    const Screen& screen = place().screen;
    if (action.kind == ActionKind::kBack) return {PressKey{"BACK"}, {}, false};
    if (action.kind == ActionKind::kMenu) return {PressKey{"MENU"}, {}, false};
    if (action.kind == ActionKind::kAllow) return {AnswerPermission{true}, {}, false};
    if (action.kind == ActionKind::kDeny) return {AnswerPermission{false}, {}, false};
    const std::vector<Name>& names = model_.namings().Apply(state.naming, place().current).names;
    std::vector<size_t> nodes;
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == action.name) nodes.push_back(i);
    const WidgetRef ref = place().widgets[nodes[random.Below(nodes.size())]];
    const Widget& w = At(screen, ref);
    const Point center = w.bounds.center();
    const int dx = w.bounds.width() / 3, dy = w.bounds.height() / 3;
    const Point left{center.x - dx, center.y}, right{center.x + dx, center.y};
    const Point top{center.x, center.y - dy}, bottom{center.x, center.y + dy};
    switch (action.kind) {
      case ActionKind::kLongClick:
        return {LongTap{center}, ref, false};
      case ActionKind::kScrollDown:
        return {Swipe{bottom, top, 300}, ref, false};
      case ActionKind::kScrollUp:
        return {Swipe{top, bottom, 300}, ref, false};
      case ActionKind::kScrollRight:
        return {Swipe{right, left, 300}, ref, false};
      case ActionKind::kScrollLeft:
        return {Swipe{left, right, 300}, ref, false};
      default:
        break;
    }
    if (w.editable && random.Chance(parameters_.type_rate)) {
      return {TypeText{TextFor(w, random), true}, ref, false};
    }
    return {Tap{center}, ref, false};
  }

  std::string TextFor(const Widget& field, Random& random) const {
    if (const auto kind = FieldKindOf(field); kind && random.Chance(parameters_.fitting_rate)) {
      if (parameters_.known_rate > 0 && random.Chance(parameters_.known_rate)) {
        std::vector<const std::string*> fitting;
        for (const std::vector<std::string>* texts : {&texts_, &resource_texts_})
          for (const std::string& text : *texts)
            if (Fits(*kind, text)) fitting.push_back(&text);
        if (!fitting.empty()) return *fitting[random.Below(fitting.size())];
      }
      return FittingText(*kind, random);
    }
    if (!resource_texts_.empty() && random.Chance(parameters_.resource_rate))
      return resource_texts_[random.Below(resource_texts_.size())];
    if (texts_.empty() || random.Chance(parameters_.formatted_rate)) return RandomFormatted(random);
    return texts_[random.Below(texts_.size())];
  }

  Decision Fuzz(const Screen& screen, Random& random) {
    constexpr std::array<const char*, 7> kKeys = {"DPAD_UP",     "DPAD_DOWN", "DPAD_LEFT",  "DPAD_RIGHT",
                                                  "DPAD_CENTER", "VOLUME_UP", "VOLUME_DOWN"};
    if (limits_.blocked.empty() && limits_.allowed.empty() && random.Chance(0.5))
      return {PressKey{kKeys[random.Below(kKeys.size())]}, {}, false};
    return {Rotate{screen.rotation == 0 ? 1 : 0}, {}, false};
  }

  // The explorer brings the app back from the home screen.
  Decision SystemEvent(const Screen& screen, Random& random) {
    if (screen.notifications > 0 && random.Chance(0.5)) return {PressKey{"NOTIFICATION"}, {}, false};
    switch (random.Below(intents_.empty() ? 2 : 3)) {
      case 0:
        return {PressKey{"HOME"}, {}, false};
      case 1:
        return {ProcessDeath{}, {}, false};
      default:
        return {intents_[random.Below(intents_.size())].intent, {}, false};
    }
  }

  // ---- Choosing.

  bool IsTimeToRestart(Random& random) {
    const auto stretched = [this](int64_t steps) {
      return static_cast<int64_t>(Staleness() * static_cast<double>(steps));
    };
    if (place().steps_without_new_edge > stretched(parameters_.restart_no_new_edge)) return true;
    if (place().steps_in_state > parameters_.restart_same_state) return true;
    if (place().steps_since_start < stretched(parameters_.restart_min)) return false;
    // The hazard of a uniform distribution: no need to remember what was drawn at the start.
    const auto left = static_cast<double>(stretched(parameters_.restart_max) - place().steps_since_start);
    const bool due = random.Chance(left <= 1 ? 1.0 : 1.0 / left);
    if (!due) return false;
    const State& state = Current();
    return std::none_of(state.actions.begin(), state.actions.end(), [&](const ModelAction& a) {
      return IsWork(state, a) && model_.NameVisits(state.activity_id, a.kind, a.name) == 0;
    });
  }

  // Whether something is left to do here, or on a path from here.
  bool IsWorkHere() {
    const State& state = Current();
    return !place().plan.empty() || HasGreedy(Previous(), state) || UntriedBack(state) || KnownByName(state);
  }

  // To an activity that was never seen; or to a new start, if a path leads from there to work; or to an
  // activity that has work.
  std::optional<Decision> GoElsewhere(Random& random) {
    if (const auto jump = Jump(Unseen(), random)) return jump;
    if (place().steps_since_start >= parameters_.return_after && IsWorkFromStart())
      return Decision{PressKey{"HOME"}, {}, true};
    return Jump(WithWork(), random);
  }

  std::optional<Decision> Jump(const std::vector<size_t>& intents, Random& random) const {
    if (intents.empty()) return std::nullopt;
    return Decision{intents_[intents[random.Below(intents.size())]].intent, {}, false};
  }

  bool IsWorkFromStart() {
    if (!start_) return false;
    const StateId start = model_.StateOf(*start_);
    if (HasWork(model_.state(start))) return true;
    return !PathToWork(start).empty();
  }

  // The intents to activities that have work, unless they were sent often.
  std::vector<size_t> WithWork() const {
    if (intents_.empty()) return {};
    std::set<std::string_view> activities;
    for (const State& s : model_.states())
      if (HasWork(s)) activities.insert(s.activity);
    std::vector<size_t> found;
    for (size_t i = 0; i < intents_.size(); ++i) {
      const auto sent = sent_.find(i);
      if (activities.contains(intents_[i].activity) &&
          (sent == sent_.end() || sent->second < parameters_.max_jumps))
        found.push_back(i);
    }
    return found;
  }

  // The work of `to` for one who comes from `from`, as indices of actions. Twins in states of one activity
  // are the same to the user: what was done in the one need not be done in the other.
  std::vector<size_t> Greedy(const State* from, const State& to) const {
    std::vector<size_t> work;
    for (size_t i = 0; i < to.actions.size(); ++i)
      if (IsGreedy(from, to, to.actions[i])) work.push_back(i);
    return work;
  }

  bool HasGreedy(const State* from, const State& to) const {
    return std::any_of(to.actions.begin(), to.actions.end(),
                       [&](const ModelAction& a) { return IsGreedy(from, to, a); });
  }

  bool IsGreedy(const State* from, const State& to, const ModelAction& a) const {
    if (!IsWork(to, a)) return false;
    if (!from || from->activity_id != to.activity_id) return true;
    const auto twin = std::find_if(from->actions.begin(), from->actions.end(), [&](const ModelAction& b) {
      return b.kind == a.kind && b.name == a.name;
    });
    return twin == from->actions.end() || !IsDone(*from, *twin);
  }

  // What there is to do in a state: everything that is not saturated. BACK has rules of its own. MENU answers
  // alike everywhere in an activity, mostly by nothing: trying it once is enough.
  bool IsWork(const State& state, const ModelAction& a) const {
    if (a.kind == ActionKind::kBack) return false;
    if (a.kind == ActionKind::kMenu)
      return model_.NameVisits(state.activity_id, a.kind, kNoName) == 0 && !IsMenuIdle();
    return !IsDone(state, a) && !IsInert(state, a);
  }

  bool IsDone(const State& state, const ModelAction& a) const {
    return IsSaturated(a) && !rewarding_.contains(Deed(state.activity_id, a.kind, a.name));
  }

  bool HasWork(const State& state) const {
    return std::any_of(state.actions.begin(), state.actions.end(),
                       [&](const ModelAction& a) { return IsWork(state, a); });
  }

  const State* Previous() {
    return place().previous ? &model_.state(model_.StateOf(*place().previous)) : nullptr;
  }

  // An untried action whose twins in the activity all lead to one state, and that state has work.
  std::optional<size_t> KnownByName(const State& state) {
    for (size_t i = 0; i < state.actions.size(); ++i) {
      const ModelAction& a = state.actions[i];
      if (a.visits > 0 || !HasTarget(a.kind) || model_.NameVisits(state.activity_id, a.kind, a.name) == 0)
        continue;
      std::set<StateId> targets;
      for (const StateId id : model_.StatesOf(state.activity_id)) {
        const State& other = model_.state(id);
        for (const ModelAction& b : other.actions)
          if (b.kind == a.kind && b.name == a.name)
            for (const EdgeId e : b.edges) targets.insert(model_.edge(e).to);
      }
      if (targets.size() == 1 && HasWork(model_.state(*targets.begin()))) return i;
    }
    return std::nullopt;
  }

  std::optional<size_t> UntriedBack(const State& state) const {
    for (size_t i = 0; i < state.actions.size(); ++i)
      if (state.actions[i].kind == ActionKind::kBack && state.actions[i].visits == 0) return i;
    return std::nullopt;
  }

  // Whether MENU never led from one state of the activity to another.
  bool IsIdleMenu(const State& state) const {
    if (model_.NameVisits(state.activity_id, ActionKind::kMenu, kNoName) == 0) return false;
    for (const StateId other : model_.StatesOf(state.activity_id)) {
      for (const ModelAction& a : model_.state(other).actions)
        if (a.kind == ActionKind::kMenu)
          for (const EdgeId id : a.edges)
            if (model_.edge(id).to != model_.edge(id).from) return false;
    }
    return true;
  }

  std::vector<double> Priorities(const State& state, const std::vector<size_t>& actions) const {
    std::vector<double> priorities;
    for (const size_t i : actions) {
      const ModelAction& a = state.actions[i];
      const double base = BasePriority(a.kind);
      double priority = 8 * base;
      if (a.visits == 0) priority += HasTarget(a.kind) ? 20 : 5;
      if (HasTarget(a.kind) && a.nodes > 1 && !IsSaturated(a))
        priority += static_cast<double>(std::min<size_t>(a.nodes, 5)) * base;
      for (const EdgeId id : a.edges) {
        const Edge& edge = model_.edge(id);
        const State& to = model_.state(edge.to);
        if (!edge.strong())
          priority += a.edges.size() > 1 ? 10 : 0;
        else if (!HasWork(to))
          priority -= 10;
        else if (to.activity_id == state.activity_id)
          priority += 10;
      }
      priorities.push_back(std::max(priority, 1.0));
    }
    return priorities;
  }

  bool LeavesApp(const ModelAction& a) const {
    return !a.edges.empty() && std::all_of(a.edges.begin(), a.edges.end(), [&](EdgeId e) {
      return model_.state(model_.edge(e).to).actions.empty();
    });
  }

  // Of a walk where nothing is left. It must get far, so BACK is seldom, but less so in an activity that has
  // had more than its share. What was done often loses weight, but never all. Two screens of one state can
  // differ in what their code does: a form with another choice.
  std::vector<double> WalkWeights(const State& state, const std::vector<size_t>& actions) const {
    int64_t visits = 0;
    for (size_t i = 0; i < model_.activity_count(); ++i)
      visits += model_.ActivityVisits(static_cast<ActivityId>(i));
    const double share =
        static_cast<double>(model_.ActivityVisits(state.activity_id) * model_.activity_count()) /
        static_cast<double>(std::max<int64_t>(visits, 1));
    std::vector<double> weights;
    for (const size_t i : actions) {
      const ModelAction& a = state.actions[i];
      if (a.kind == ActionKind::kBack) {
        weights.push_back(LeavesApp(a) ? 0.25 : std::clamp(share - 1, 0.5, 4.0));
        continue;
      }
      const auto nodes = static_cast<double>(std::max<size_t>(a.nodes, 1));
      const auto times = static_cast<double>(model_.NameVisits(state.activity_id, a.kind, a.name));
      double weight = WalkWeight(a.kind) * nodes * (0.25 + 0.75 / (1 + times / nodes));
      if (done_on_screen_.contains({places_[device_].current, a.kind, a.name})) weight *= 0.5;
      if (const Tries* tries = TriesOf(state, a))
        weight *= static_cast<double>(1 + tries->effects) /
                  static_cast<double>(1 + tries->effects + tries->failures);
      weights.push_back(weight);
    }
    return weights;
  }

  // REQUIRES: the app is inside, so that the state has at least BACK or an answer.
  size_t ChooseAction(Random& random) {
    const State& state = Current();
    if (!place().plan.empty()) {
      const PlannedStep& next = place().plan.front();
      if (const auto action = model_.ActionOf(model_.StateOf(place().current), next.from, next.action))
        return *action;
    }
    const std::vector<size_t> greedy = Greedy(Previous(), state);
    if (!greedy.empty()) return greedy[random.Weighted(Priorities(state, greedy))];
    if (const auto known = KnownByName(state)) return *known;
    if (const auto back = UntriedBack(state)) return *back;
    const std::vector<size_t> fresh = FreshOnOccasion(state);
    if (!fresh.empty()) return fresh[random.Below(fresh.size())];
    std::vector<size_t> all;
    for (size_t i = 0; i < state.actions.size(); ++i)
      if (state.actions[i].kind != ActionKind::kMenu || !IsIdleMenu(state)) all.push_back(i);
    if (parameters_.walks) return all[random.Weighted(WalkWeights(state, all))];
    if (random.Chance(parameters_.epsilon)) return all[random.Weighted(Priorities(state, all))];
    std::vector<size_t> lively;
    for (const size_t i : all)
      if (!IsInert(state, state.actions[i])) lively.push_back(i);
    if (!lively.empty()) all = std::move(lively);
    int64_t fewest = state.actions[all[0]].visits;
    for (const size_t i : all) fewest = std::min(fewest, state.actions[i].visits);
    std::vector<size_t> least;
    for (const size_t i : all)
      if (state.actions[i].visits == fewest) least.push_back(i);
    return least[random.Below(least.size())];
  }

  // ---- Planning.

  bool Follow(const std::vector<EdgeId>& path) {
    for (const EdgeId id : path) {
      const Model::Record& r = model_.record(model_.edge(id).records.back());
      place().plan.push_back({r.from, r.action, r.to});
    }
    return !path.empty();
  }

  static bool IsStrongForward(const Edge& e) { return e.strong() && e.kind != ActionKind::kBack; }

  std::vector<EdgeId> PathToWork(StateId start) {
    return finder_.First(model_, start, IsStrongForward, [this](const Edge& e) {
      return HasGreedy(&model_.state(e.from), model_.state(e.to));
    });
  }

  // By chance nothing: see the top of ape.h.
  void MakePlan() {
    const StateId here = model_.StateOf(place().current);
    const State& state = model_.state(here);
    if (ThereAndBack(here)) return;
    if (HasGreedy(Previous(), state) || KnownByName(state)) return;
    if (Follow(PathToWork(here))) return;
    if (ToTrivialActivity(here)) return;
    if (UntriedBack(state)) return;
    Follow(finder_.First(
        model_, here, [](const Edge& e) { return e.strong() && e.kind == ActionKind::kBack; },
        [this](const Edge& e) { return HasWork(model_.state(e.to)); }));
  }

  bool ThereAndBack(StateId here) {
    if (!place().previous) return false;
    const StateId there = model_.StateOf(*place().previous);
    const State& a = model_.state(here);
    auto coldness = [&](const State& s) {
      return s.activity_id == a.activity_id ? s.visits : model_.ActivityVisits(s.activity_id);
    };
    auto is_allowed = [&](StateId id) {
      const State& s = model_.state(id);
      if (s.in.size() > parameters_.dialog_in_edges && !HasWork(s)) return false;
      return coldness(s) < (s.activity_id == a.activity_id ? a.visits : model_.ActivityVisits(a.activity_id));
    };
    if (there == here || !is_allowed(there)) return false;
    const auto strong = [](const Edge& e) { return e.strong(); };
    const std::vector<EdgeId> path = finder_.Between(model_, here, there, IsStrongForward);
    if (path.empty() || finder_.Between(model_, there, here, strong).empty()) return false;
    size_t best = path.size();
    for (size_t i = 0; i < path.size(); ++i) {
      const Edge& edge = model_.edge(path[i]);
      if (!is_allowed(edge.to)) break;
      const State& to = model_.state(edge.to);
      if (!HasGreedy(&model_.state(edge.from), to)) continue;
      if (best == path.size() || coldness(to) < coldness(model_.state(model_.edge(path[best]).to))) best = i;
    }
    if (best == path.size()) return false;
    return Follow({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(best) + 1});
  }

  struct ActivityTotals {
    size_t states = 0;
    int64_t visits = 0;
    size_t actions = 0;
    size_t tried = 0;
  };

  bool IsTrivial(const ActivityTotals& t) const {
    if (t.visits * 4 <= static_cast<int64_t>(t.states)) return true;
    const double rate = t.actions == 0 ? 1 : static_cast<double>(t.tried) / static_cast<double>(t.actions);
    return rate <= (t.states < parameters_.trivial_few_states ? parameters_.trivial_rate_few
                                                              : parameters_.trivial_rate_many);
  }

  bool ToTrivialActivity(StateId here) {
    std::vector<ActivityTotals> totals(model_.activity_count());
    for (const State& s : model_.states()) {
      if (s.actions.empty()) continue;  // Outside the app.
      ActivityTotals& t = totals[static_cast<size_t>(s.activity_id)];
      ++t.states;
      t.visits += s.visits;
      for (const ModelAction& a : s.actions) {
        ++t.actions;
        t.tried += a.visits > 0;
      }
    }
    std::vector<int64_t> visits;
    int64_t sum = 0;
    for (const ActivityTotals& t : totals) {
      if (t.states == 0) continue;
      visits.push_back(t.visits);
      sum += t.visits;
    }
    if (visits.size() <= parameters_.trivial_min_activities) return false;
    std::sort(visits.begin(), visits.end());
    const int64_t limit = std::max(visits[visits.size() / 2], sum / static_cast<int64_t>(visits.size()));
    std::vector<bool> trivial;
    for (const ActivityTotals& t : totals)
      trivial.push_back(t.states > 0 && t.visits <= limit && IsTrivial(t));
    if (trivial[static_cast<size_t>(model_.state(here).activity_id)]) return false;
    return Follow(finder_.First(model_, here, IsStrongForward, [&](const Edge& e) {
      const State& to = model_.state(e.to);
      return trivial[static_cast<size_t>(to.activity_id)] && HasWork(to);
    }));
  }

  const ApeParameters parameters_;
  const WidgetLimits limits_;
  const std::vector<OutsideIntent> intents_;
  const std::vector<std::string> resource_texts_;
  Model model_;

  // All of this follows from what Remember was told.
  std::deque<Place> places_ = std::deque<Place>(1);  // By device.
  size_t device_ = 0;
  bool counts_methods_ = false;
  int64_t steps_without_news_ = 0;  // Nor an intent from outside.
  int64_t stale_steps_ = 0;         // Without news.
  std::set<std::string> seen_activities_;
  std::map<size_t, int64_t> sent_;  // How often, by index in intents_.
  std::map<Thing, Tries> tries_;
  Tries menu_;
  std::set<std::pair<Occasion, Deed>> occasions_;  // What was done on each.
  std::set<std::tuple<TreeId, ActionKind, Name>> done_on_screen_;
  std::optional<TreeId> start_;  // What the last launch showed.
  std::set<Deed> rewarding_;     // What entered new methods when it was done last.
  std::vector<std::string> texts_;
  std::set<std::string> known_texts_;

  PathFinder finder_;
};

}  // namespace

std::unique_ptr<Strategy> MakeApeWith(const ApeParameters& parameters, const StrategyOptions& options) {
  return std::make_unique<Ape>(parameters, options);
}

Result<std::unique_ptr<Strategy>> MakeApe(const StrategyOptions& options) {
  return MakeApeWith(ApeParameters{}, options);
}

Result<std::unique_ptr<Strategy>> MakePublishedApe(const StrategyOptions& options) {
  ApeParameters parameters;
  parameters.use_methods = false;
  parameters.fitting_rate = 0;
  parameters.inert_after = 0;
  parameters.answers_questions = false;
  parameters.system_rate = 0;
  parameters.stale_after = 0;
  parameters.knows_occasions = false;
  parameters.goes_elsewhere = false;
  parameters.walks = false;
  StrategyOptions limits_only;
  limits_only.widgets = options.widgets;
  return MakeApeWith(parameters, limits_only);
}

}  // namespace marmoset
