#include "device/simulated/simulated_device.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace marmoset {
namespace {

constexpr char kLauncher[] = "com.android.launcher";
constexpr size_t kMaxTyped = 10'000;
constexpr int64_t kMostMs = int64_t{1} << 50;

std::string_view DirectionOf(const Action& action) {
  Point from, to;
  if (const auto* swipe = std::get_if<Swipe>(&action))
    from = swipe->from, to = swipe->to;
  else if (const auto* drag = std::get_if<Drag>(&action))
    from = drag->from, to = drag->to;
  const int64_t x = int64_t{to.x} - from.x, y = int64_t{to.y} - from.y;
  if (std::abs(x) > std::abs(y)) return x > 0 ? "right" : "left";
  return y > 0 ? "down" : "up";
}

// The number that a text is, within what expressions hold; 0 when it is none.
int64_t NumberIn(std::string_view text) {
  constexpr int64_t kMost = 1'000'000'000;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::clamp(value, -kMost, kMost) : 0;
}

}  // namespace

SimulatedDevice::SimulatedDevice(AppModel model) : model_(std::move(model)) {
  info_.name = "simulated";
  info_.sdk = 34;
  info_.display = model_.display;
  info_.deterministic = true;
  values_.resize(model_.names.size());
}

Result<std::unique_ptr<SimulatedDevice>> SimulatedDevice::Open(const fs::path& path) {
  MARMOSET_ASSIGN(AppModel model, ReadAppModel(path));
  return std::make_unique<SimulatedDevice>(std::move(model));
}

Status SimulatedDevice::Reset(const ResetOptions& options) {
  // A model has no threads; what it does by chance stands for what depends on their order, too.
  random_ = Random(options.seed + options.schedule_seed * 0x9e3779b97f4a7c15);
  infrastructure_ = random_.Fork();
  std::fill(values_.begin(), values_.end(), 0);
  // In order, so that a first value may use those before it.
  for (size_t i = 0; i < model_.initial.size(); ++i)
    values_[kBuiltins + i] = model_.initial[i].Evaluate(values_, random_);
  stack_.clear();
  typed_.clear();
  focused_.reset();
  rotation_ = 0;
  alive_ = true;
  in_front_ = false;
  lost_ = false;
  now_ms_ = 0;
  return {};
}

Result<Outcome> SimulatedDevice::Perform(const Action& action) {
  if (!lost_ && model_.lost_probability > 0) lost_ = infrastructure_.Chance(model_.lost_probability);
  if (lost_) return Fail(ErrorCode::kDeviceLost, "the simulated device is lost, as its model says");
  if (!alive_) return Fail(ErrorCode::kInternal, "the app's process is dead: Reset must come first");
  Outcome outcome;
  const int64_t before_ms = now_ms_;
  if (model_.host_gap_probability > 0 && infrastructure_.Chance(model_.host_gap_probability)) {
    outcome.host_gap = HostGap{"com.example.host.Simulated.fail", "simulated host gap"};
    Die();
  } else {
    React(action, outcome);
  }
  if (lost_) return Fail(ErrorCode::kDeviceLost, "the simulated device is lost, as its model says");
  // Transitions say how long they take; without one, the action itself does.
  if (now_ms_ == before_ms) now_ms_ += model_.action_ms;
  if (const auto* wait = std::get_if<Wait>(&action))
    now_ms_ += std::clamp<int64_t>(wait->duration_ms, 0, kMostMs);
  now_ms_ = std::min(now_ms_, kMostMs);
  outcome.now_ms = now_ms_;
  return outcome;
}

Result<Screen> SimulatedDevice::Observe() {
  if (lost_) return Fail(ErrorCode::kDeviceLost, "the simulated device is lost, as its model says");
  return Show().screen;
}

Result<std::string> SimulatedDevice::Screenshot() {
  return Fail(ErrorCode::kUnsupported, "the simulated device has no pixels to show");
}

// ---- What is shown ----

bool SimulatedDevice::Holds(const std::optional<Expression>& condition, bool otherwise) {
  return condition ? condition->Evaluate(values_, random_) != 0 : otherwise;
}

std::string SimulatedDevice::Filled(const std::string& text) const {
  std::string filled;
  for (size_t at = 0; at < text.size();) {
    const size_t open = std::min(text.find('{', at), text.size());
    filled.append(text, at, open - at);
    if (open == text.size()) break;
    const size_t close = text.find('}', open);
    const auto it =
        std::find(model_.names.begin(), model_.names.end(), text.substr(open + 1, close - open - 1));
    if (it != model_.names.end())
      filled += std::to_string(values_[static_cast<size_t>(it - model_.names.begin())]);
    at = close == std::string::npos ? text.size() : close + 1;
  }
  return filled;
}

// A plain column: widgets without bounds stand below each other, each one row high; a list is as high as its
// rows.
Window SimulatedDevice::ShowWindow(size_t index, std::vector<std::optional<Touched>>* origins) {
  const ModelScreen& model = model_.screens[index];
  const Display& d = model_.display;
  const bool turned = rotation_ % 2 == 1;
  const int width = turned ? d.height : d.width, height = turned ? d.width : d.height;

  std::vector<bool> visible;
  int rows = 0;
  for (const ModelWidget& w : model.widgets) {
    visible.push_back(Holds(w.visible, true));
    if (visible.back() && !w.bounds) rows += std::max(1, static_cast<int>(w.rows.size()));
  }
  Window window;
  window.title = model.title.empty() ? model.name : Filled(model.title);
  window.type = model.dialog ? WindowType::kDialog : WindowType::kActivity;
  window.focused = true;
  window.bounds = {0, d.status_bar, width, height - d.navigation_bar};
  if (model.dialog)
    window.bounds = {width / 10, d.status_bar + height / 5, width - width / 10,
                     height - d.navigation_bar - height / 5};
  constexpr int kRowDp = 56;
  const int row_height =
      std::max(1, std::min(kRowDp * d.density / 160, window.bounds.height() / std::max(rows, 1)));

  Widget root;
  root.class_name = "android.widget.LinearLayout";
  root.package = model_.package;
  root.bounds = window.bounds;
  root.enabled = true;
  window.widgets.push_back(root);
  if (origins != nullptr) origins->push_back(std::nullopt);
  int top = window.bounds.top, position = 0;
  for (size_t i = 0; i < model.widgets.size(); ++i, ++position) {
    if (!visible[i]) continue;
    const ModelWidget& m = model.widgets[i];
    Widget w;
    w.parent = 0;
    w.index = position;
    w.class_name = m.class_name;
    if (!m.id.empty()) w.resource_id = model_.package + ":id/" + m.id;
    w.text = Filled(m.text);
    if (const auto typed = typed_.find({index, i}); typed != typed_.end()) w.text = typed->second;
    w.description = Filled(m.description);
    w.hint = Filled(m.hint);
    w.package = model_.package;
    const int lines = std::max(1, static_cast<int>(m.rows.size()));
    w.bounds = {window.bounds.left, top, window.bounds.right, top + row_height * lines};
    if (m.bounds)
      w.bounds = *m.bounds;
    else
      top += row_height * lines;
    w.enabled = Holds(m.enabled, true);
    w.checkable = m.checked.has_value();
    w.checked = m.checked && values_[*m.checked] != 0;
    w.clickable = m.clickable;
    w.long_clickable = m.long_clickable;
    w.editable = w.focusable = m.editable;
    w.focused = focused_ == FieldKey{index, i};
    w.scrollable = m.scrollable;
    w.password = m.password;
    const int parent = static_cast<int>(window.widgets.size());
    window.widgets.push_back(w);
    if (origins != nullptr) origins->push_back(Touched{i, -1});
    for (int line = 0; line < static_cast<int>(m.rows.size()); ++line) {
      Widget row;
      row.parent = parent;
      row.index = line;
      row.class_name = "android.widget.TextView";
      row.text = Filled(m.rows[static_cast<size_t>(line)]);
      row.package = model_.package;
      row.enabled = row.clickable = true;
      // The last row takes what rounding left over.
      const int share = w.bounds.height() / lines;
      row.bounds = {w.bounds.left, w.bounds.top + share * line, w.bounds.right,
                    line + 1 == lines ? w.bounds.bottom : w.bounds.top + share * (line + 1)};
      window.widgets.push_back(row);
      if (origins != nullptr) origins->push_back(Touched{i, line});
    }
  }
  return window;
}

// The position in the stack of the screen whose activity is in front: a dialog belongs to what it lies over.
size_t SimulatedDevice::ActivityBelow(size_t position) const {
  while (position > 0 && model_.screens[stack_[position]].dialog) --position;
  return position;
}

SimulatedDevice::Shown SimulatedDevice::Show() {
  Shown shown;
  Screen& screen = shown.screen;
  const bool turned = rotation_ % 2 == 1;
  screen.width = turned ? model_.display.height : model_.display.width;
  screen.height = turned ? model_.display.width : model_.display.height;
  screen.rotation = rotation_;
  screen.package = kLauncher;
  if (!InApp()) return shown;
  const size_t base = ActivityBelow(stack_.size() - 1);
  screen.package = model_.package;
  screen.activity = model_.screens[stack_[base]].activity;
  for (size_t i = base; i < stack_.size(); ++i) {
    const bool front = i + 1 == stack_.size();
    screen.windows.push_back(ShowWindow(stack_[i], front ? &shown.origins : nullptr));
    screen.windows.back().focused = front;
  }
  return shown;
}

std::optional<SimulatedDevice::Touched> SimulatedDevice::At(Point point) {
  const Shown shown = Show();
  if (shown.screen.windows.empty()) return std::nullopt;
  const std::vector<Widget>& widgets = shown.screen.windows.back().widgets;
  // Later widgets lie inside or in front of earlier ones.
  for (size_t i = widgets.size(); i-- > 0;) {
    if (!widgets[i].bounds.Contains(point) || !shown.origins[i]) continue;
    if (!widgets[i].enabled) return std::nullopt;
    return shown.origins[i];
  }
  return std::nullopt;
}

// ---- What happens ----

void SimulatedDevice::React(const Action& action, Outcome& outcome) {
  if (const auto* launch = std::get_if<Launch>(&action)) {
    Launched(launch->component, outcome);
    return;
  }
  if (const auto* rotate = std::get_if<Rotate>(&action)) rotation_ = std::clamp(rotate->rotation, 0, 3);
  if (std::holds_alternative<ProcessDeath>(action)) LoseProcess();
  if (!InApp()) return;  // The home screen answers to nothing.
  if (const auto* typed = std::get_if<TypeText>(&action)) {
    Type(*typed, outcome);
    return;
  }
  const auto point = TouchedPoint(action);
  const auto touched = point ? At(*point) : std::nullopt;
  if (touched) values_[kRow] = touched->row;
  if (Fire(action, touched, outcome)) return;

  // Nothing in the model: what Android does by itself.
  if (const auto* key = std::get_if<PressKey>(&action)) {
    if (key->key == "BACK") Back(outcome);
    if (key->key == "HOME") in_front_ = false;
  } else if (std::holds_alternative<Tap>(action)) {
    TapDefault(touched);
  } else if (const auto* twice = std::get_if<DoubleTap>(&action)) {
    for (int i = 0; i < 2 && InApp() && !lost_; ++i) React(Tap{twice->at}, outcome);
  } else if (const auto* held = std::get_if<LongTap>(&action)) {
    // A widget that knows no long press takes it for a tap.
    if (touched && !Front().widgets[touched->widget].long_clickable) React(Tap{held->at}, outcome);
  }
}

bool SimulatedDevice::Fits(const Transition& t, const Action& action,
                           const std::optional<Touched>& touched) const {
  if (t.kind != KindName(action)) return false;
  if (t.widget && (!touched || touched->widget != *t.widget)) return false;
  if (const auto* key = std::get_if<PressKey>(&action); key != nullptr && !t.key.empty() && t.key != key->key)
    return false;
  return t.direction.empty() || t.direction == DirectionOf(action);
}

// The first transition that fits, whose guard holds and whose draw succeeds.
bool SimulatedDevice::Fire(const Action& action, const std::optional<Touched>& touched, Outcome& outcome) {
  for (const Transition& t : Front().transitions) {
    if (!Fits(t, action, touched) || !Holds(t.guard, true)) continue;
    if (t.probability < 1 && !random_.Chance(t.probability)) continue;
    // A toggle toggles whatever else it does, and before that.
    if (std::holds_alternative<Tap>(action)) TapDefault(touched);
    Apply(t, outcome);
    return true;
  }
  return false;
}

void SimulatedDevice::TapDefault(const std::optional<Touched>& touched) {
  if (!touched) return;
  const ModelWidget& w = Front().widgets[touched->widget];
  if (w.checked) values_[*w.checked] = values_[*w.checked] == 0;
  if (w.editable) focused_ = FieldKey{stack_.back(), touched->widget};
}

void SimulatedDevice::Apply(const Transition& t, Outcome& outcome) {
  for (const auto& [variable, expression] : t.set) values_[variable] = expression.Evaluate(values_, random_);
  now_ms_ += t.duration_ms.value_or(model_.action_ms);
  if (!t.toast.empty()) outcome.toasts.push_back(Filled(t.toast));
  if (!t.log.empty()) outcome.log.push_back({'I', model_.screens[model_.start].name, Filled(t.log)});
  if (!t.left_app.empty()) outcome.left_app.push_back(t.left_app);
  switch (t.ending) {
    case Ending::kStay:
      break;
    case Ending::kGo:
      Go(t.target, outcome);
      break;
    case Ending::kBack:
      Back(outcome);
      break;
    case Ending::kFinish:
      stack_.clear();
      in_front_ = false;
      outcome.finished = true;
      break;
    case Ending::kCrash:
      outcome.crash = t.crash;
      outcome.crash->stack = Filled(t.crash.stack);
      Die();
      break;
    case Ending::kExit:
      outcome.exited = true;
      Die();
      break;
    case Ending::kHostGap:
      outcome.host_gap = HostGap{t.place, "simulated host gap\n\tat " + t.place};
      Die();
      break;
    case Ending::kLost:
      lost_ = true;
      break;
  }
}

void SimulatedDevice::Type(const TypeText& typed, Outcome& outcome) {
  if (!focused_ || focused_->first != stack_.back()) return;
  const FieldKey field = *focused_;
  std::string& text = typed_[field];
  if (typed.replace) text.clear();
  text += typed.text;
  if (text.size() > kMaxTyped) text.resize(kMaxTyped);
  values_[kValue] = NumberIn(text);
  values_[kLength] = static_cast<int64_t>(text.size());
  Fire(typed, Touched{field.second, -1}, outcome);
}

void SimulatedDevice::Launched(const std::string& component, Outcome& outcome) {
  size_t screen = model_.start;
  if (!component.empty()) {
    const size_t slash = component.find('/');
    std::string activity = component.substr(slash == std::string::npos ? 0 : slash + 1);
    if (activity.starts_with('.')) activity = model_.package + activity;
    const auto it = std::find_if(model_.screens.begin(), model_.screens.end(),
                                 [&](const ModelScreen& s) { return !s.dialog && s.activity == activity; });
    if (it == model_.screens.end()) {
      outcome.log.push_back({'W', "ActivityTaskManager", "there is no activity " + component});
      return;
    }
    screen = static_cast<size_t>(it - model_.screens.begin());
  }
  in_front_ = true;
  // The launcher brings a running app to the front as it was; an activity that is named is shown.
  if (component.empty() && !stack_.empty()) return;
  Go(screen, outcome);
}

// The screens and their fields are saved, as Android saves them.
void SimulatedDevice::LoseProcess() {
  for (const size_t variable : model_.unsaved)
    values_[variable] = model_.initial[variable - kBuiltins].Evaluate(values_, random_);
  in_front_ = !stack_.empty();
}

// Going to a screen that is open already goes back to it, so that the stack never holds more than all
// screens.
void SimulatedDevice::Go(size_t screen, Outcome& outcome) {
  focused_.reset();
  const auto open = std::find(stack_.begin(), stack_.end(), screen);
  if (open != stack_.end()) {
    stack_.erase(open + 1, stack_.end());
    return;
  }
  stack_.push_back(screen);
  if (!model_.screens[screen].dialog) outcome.activities.push_back(model_.screens[screen].activity);
}

void SimulatedDevice::Back(Outcome& outcome) {
  focused_.reset();
  stack_.pop_back();
  if (!stack_.empty()) return;
  in_front_ = false;
  outcome.finished = true;
}

}  // namespace marmoset
