#include "device/simulated/app_model.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "device/yaml_reader.h"

namespace marmoset {
namespace {

// No hand-written model comes near these; they bound what a hostile one costs.
constexpr size_t kMaxBytes = 1 << 20;
constexpr size_t kMaxNodes = 50'000;
constexpr size_t kMaxScreens = 1000;
constexpr size_t kMaxWidgets = 500;  // Of one screen.
constexpr int64_t kMaxMs = 86'400'000;

constexpr std::string_view kKinds[] = {"launch", "tap",    "double_tap", "long_tap",     "swipe",
                                       "drag",   "pinch",  "text",       "key",          "rotate",
                                       "wait",   "intent", "permission", "process_death"};

constexpr std::string_view kClickableClasses[] = {"Button",       "ImageButton", "CheckBox", "RadioButton",
                                                  "ToggleButton", "Switch",      "EditText", "Spinner"};

bool IsIdentifier(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

template <class List>
bool Has(const List& list, std::string_view item) {
  return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

class Reader : public YamlReader {
 public:
  Reader() : YamlReader(kMaxNodes) {}
  Result<AppModel> Read(const YAML::Node& root);

 private:
  Result<std::optional<Expression>> Condition(const Node& map, const char* key);
  Result<Expression> ExpressionOf(const Node& scalar);
  // Of a widget: looking at a screen must not change what happens next, so that it may not be random.
  Result<std::optional<Expression>> FixedCondition(const Node& map, const char* key);
  // A text that is shown: the names in braces must be variables.
  Result<std::string> Template(const Node& map, const char* key);
  Status CheckTemplate(const Node& at, std::string_view text);
  Result<size_t> Variable(const Node& at, const std::string& name);

  Status Variables(const Node& root);
  Status Unsaved(const Node& root);
  Status ReadScreen(const Node& node, ModelScreen& screen);
  Result<ModelWidget> ReadWidget(const Node& node);
  Result<Transition> ReadTransition(const Node& node, const ModelScreen& screen);
  Status ReadEnding(const Node& node, Transition& transition);
  Result<Crash> ReadCrash(const Node& node);
  Result<size_t> ScreenNamed(const Node& at, const std::string& name);
  std::string FullName(const std::string& name) const;

  AppModel model_;
};

Result<Expression> Reader::ExpressionOf(const Node& scalar) {
  if (!scalar.IsScalar())
    return Wrong(scalar, "an expression expected; put it into quotes, as YAML has other uses for its signs");
  Result<Expression> expression = Expression::Parse(scalar.Scalar(), model_.names);
  if (!expression) return Fail(std::move(expression.error()).Within(Place(scalar)));
  return expression;
}

Result<std::optional<Expression>> Reader::Condition(const Node& map, const char* key) {
  const Node value = map[key];
  if (!value.IsDefined()) return std::nullopt;
  MARMOSET_ASSIGN(Expression expression, ExpressionOf(value));
  return expression;
}

Result<std::optional<Expression>> Reader::FixedCondition(const Node& map, const char* key) {
  MARMOSET_ASSIGN(std::optional<Expression> condition, Condition(map, key));
  if (condition && condition->UsesRandom())
    return Wrong(map[key], "'{}': no random() here: set a variable by it in a transition and use that", key);
  return condition;
}

Status Reader::CheckTemplate(const Node& at, std::string_view text) {
  for (size_t open = 0; (open = text.find('{', open)) != std::string_view::npos;) {
    const size_t close = text.find('}', open);
    if (close == std::string_view::npos) return Wrong(at, "'{}': a '}}' is missing", text);
    MARMOSET_TRY(Variable(at, std::string(text.substr(open + 1, close - open - 1))));
    open = close;
  }
  return {};
}

Result<std::string> Reader::Template(const Node& map, const char* key) {
  MARMOSET_ASSIGN(std::string text, Text(map, key));
  if (!text.empty()) MARMOSET_TRY(CheckTemplate(map[key], text));
  return text;
}

Result<size_t> Reader::Variable(const Node& at, const std::string& name) {
  const auto it = std::find(model_.names.begin(), model_.names.end(), name);
  if (it == model_.names.end()) return Wrong(at, "there is no variable '{}': add it to 'variables'", name);
  return static_cast<size_t>(it - model_.names.begin());
}

Status Reader::Variables(const Node& root) {
  model_.names = {"row", "value", "length"};
  const Node variables = root["variables"];
  if (!variables.IsDefined() || variables.IsNull()) return {};
  if (!variables.IsMap()) return Wrong(variables, "'variables': a map of names and first values expected");
  for (const auto& entry : variables) {
    const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (!IsIdentifier(name) || name == "random")
      return Wrong(entry.first, "'{}' cannot be the name of a variable: use letters, digits and _", name);
    if (Has(model_.names, name)) return Wrong(entry.first, "there are two variables '{}': rename one", name);
    if (model_.names.size() > 1000) return Wrong(entry.first, "more than 1000 variables");
    model_.names.push_back(name);
  }
  for (const auto& entry : variables) {
    MARMOSET_ASSIGN(Expression first, ExpressionOf(entry.second));
    model_.initial.push_back(std::move(first));
  }
  return {};
}

Status Reader::Unsaved(const Node& root) {
  const Node unsaved = root["unsaved"];
  if (!unsaved.IsDefined()) return {};
  if (!unsaved.IsSequence()) return Wrong(unsaved, "'unsaved': a list of variables expected");
  for (const auto& item : unsaved) {
    MARMOSET_ASSIGN(const size_t variable, Variable(item, item.IsScalar() ? item.Scalar() : ""));
    if (variable < kBuiltins) return Wrong(item, "'{}' cannot be unsaved", model_.names[variable]);
    model_.unsaved.push_back(variable);
  }
  return {};
}

// ".Main" and "Main" are the app's; anything with a dot inside stands for itself.
std::string Reader::FullName(const std::string& name) const {
  if (name.starts_with('.')) return model_.package + name;
  if (name.find('.') == std::string::npos) return model_.package + "." + name;
  return name;
}

Result<size_t> Reader::ScreenNamed(const Node& at, const std::string& name) {
  for (size_t i = 0; i < model_.screens.size(); ++i)
    if (model_.screens[i].name == name) return i;
  return Wrong(at, "there is no screen '{}': add it to 'screens', or correct the name", name);
}

Result<ModelWidget> Reader::ReadWidget(const Node& node) {
  MARMOSET_TRY(CheckMap(node, "a widget",
                        {"id", "class", "text", "desc", "hint", "rows", "visible", "enabled", "checked",
                         "bounds", "clickable", "long_clickable", "editable", "scrollable", "password"}));
  ModelWidget w;
  MARMOSET_ASSIGN(w.id, Text(node, "id"));
  MARMOSET_ASSIGN(std::string class_name,
                  Text(node, "class", node["rows"].IsDefined() ? "ListView" : "TextView"));
  const bool clickable = Has(kClickableClasses, class_name);
  const bool field = class_name == "EditText";
  const bool list = class_name == "ListView" || class_name == "ScrollView";
  if (class_name.find('.') == std::string::npos)
    class_name = (class_name == "View"      ? "android.view."
                  : class_name == "WebView" ? "android.webkit."
                                            : "android.widget.") +
                 class_name;
  w.class_name = std::move(class_name);
  MARMOSET_ASSIGN(w.text, Template(node, "text"));
  MARMOSET_ASSIGN(w.description, Template(node, "desc"));
  MARMOSET_ASSIGN(w.hint, Template(node, "hint"));
  MARMOSET_ASSIGN(const std::vector<Node> rows, Items(node, "rows"));
  for (const Node& row : rows) {
    if (!row.IsScalar()) return Wrong(row, "'rows': texts expected");
    MARMOSET_TRY(CheckTemplate(row, row.Scalar()));
    w.rows.push_back(row.Scalar());
  }
  MARMOSET_ASSIGN(w.visible, FixedCondition(node, "visible"));
  MARMOSET_ASSIGN(w.enabled, FixedCondition(node, "enabled"));
  MARMOSET_ASSIGN(const std::string checked, Text(node, "checked"));
  if (!checked.empty()) {
    MARMOSET_ASSIGN(w.checked, Variable(node["checked"], checked));
  }
  MARMOSET_ASSIGN(const std::vector<Node> bounds, Items(node, "bounds"));
  if (!bounds.empty()) {
    int v[4] = {};
    if (bounds.size() != 4) return Wrong(node["bounds"], "'bounds': [left, top, right, bottom] expected");
    for (size_t i = 0; i < 4; ++i) {
      const std::string text = bounds[i].IsScalar() ? bounds[i].Scalar() : "";
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v[i]);
      if (error != std::errc() || end != text.data() + text.size() || v[i] < 0 || v[i] > 10'000)
        return Wrong(bounds[i], "'bounds': whole numbers from 0 to 10000 expected");
    }
    w.bounds = Rect{v[0], v[1], v[2], v[3]};
    if (w.bounds->empty())
      return Wrong(node["bounds"], "'bounds': right and bottom must lie beyond left and top");
  }
  MARMOSET_ASSIGN(w.clickable, Flag(node, "clickable", clickable || w.checked));
  MARMOSET_ASSIGN(w.long_clickable, Flag(node, "long_clickable", false));
  MARMOSET_ASSIGN(w.editable, Flag(node, "editable", field));
  MARMOSET_ASSIGN(w.scrollable, Flag(node, "scrollable", list));
  MARMOSET_ASSIGN(w.password, Flag(node, "password", false));
  return w;
}

Result<Crash> Reader::ReadCrash(const Node& node) {
  MARMOSET_TRY(CheckMap(node, "a crash", {"exception", "message", "at", "cause"}));
  MARMOSET_ASSIGN(const std::string cause, Text(node, "cause", "java"));
  Crash crash;
  crash.thread = "main";
  if (cause == CrashCauseName(CrashCause::kAnr))
    crash.cause = CrashCause::kAnr;
  else if (cause != CrashCauseName(CrashCause::kJava))
    return Wrong(node["cause"], "'cause': java or anr expected");
  MARMOSET_ASSIGN(const std::string exception,
                  Text(node, "exception", crash.cause == CrashCause::kAnr ? "ANR" : ""));
  if (exception.find('.') == std::string::npos && crash.cause == CrashCause::kJava)
    return Wrong(node,
                 "a crash needs an 'exception' with its package, such as java.lang.ArithmeticException");
  MARMOSET_ASSIGN(const std::string message, Template(node, "message"));
  MARMOSET_ASSIGN(const std::string frame, Text(node, "at"));
  if (frame.empty() && crash.cause == CrashCause::kJava)
    return Wrong(
        node,
        "a crash needs the place 'at' which it happens, such as com.example.Main.onClick(Main.java:12)");
  crash.stack = exception;
  if (!message.empty()) crash.stack += ": " + message;
  if (!frame.empty()) crash.stack += "\n\tat " + FullName(frame);
  crash.stack +=
      "\n\tat android.os.Handler.dispatchMessage(Handler.java:106)\n\tat "
      "android.os.Looper.loop(Looper.java:288)";
  return crash;
}

Status Reader::ReadEnding(const Node& node, Transition& t) {
  size_t endings = 0;
  auto ends = [&](const char* key, Ending ending) {
    if (!node[key].IsDefined()) return false;
    ++endings;
    t.ending = ending;
    return true;
  };
  if (ends("go", Ending::kGo)) {
    MARMOSET_ASSIGN(const std::string name, Text(node, "go"));
    MARMOSET_ASSIGN(t.target, ScreenNamed(node["go"], name));
  }
  if (ends("crash", Ending::kCrash)) {
    MARMOSET_ASSIGN(t.crash, ReadCrash(node["crash"]));
  }
  if (ends("host_gap", Ending::kHostGap)) {
    MARMOSET_ASSIGN(t.place, Text(node, "host_gap"));
    if (t.place.empty()) return Wrong(node, "'host_gap': the failing method of the host expected");
  }
  for (const auto& [key, ending] : {std::pair("back", Ending::kBack), std::pair("finish", Ending::kFinish),
                                    std::pair("exit", Ending::kExit), std::pair("lost", Ending::kLost)}) {
    if (!ends(key, ending)) continue;
    MARMOSET_ASSIGN(const bool really, Flag(node, key, true));
    if (!really) return Wrong(node[key], "'{}': leave it out where it does not happen", key);
  }
  if (endings > 1)
    return Wrong(node, "a transition ends in one way: go, back, finish, crash, exit, host_gap or lost");
  return {};
}

Result<Transition> Reader::ReadTransition(const Node& node, const ModelScreen& screen) {
  MARMOSET_TRY(CheckMap(node, "a transition",
                        {"do", "at", "key", "direction", "if", "p", "set", "toast", "log", "left_app", "ms",
                         "go", "back", "finish", "crash", "exit", "host_gap", "lost"}));
  Transition t;
  MARMOSET_ASSIGN(t.kind, Text(node, "do"));
  if (!Has(kKinds, t.kind))
    return Wrong(node, "'do': the kind of an action expected ({}), '{}' found", fmt::join(kKinds, ", "),
                 t.kind);
  MARMOSET_ASSIGN(const std::string at, Text(node, "at"));
  if (!at.empty()) {
    for (size_t i = 0; i < screen.widgets.size() && !t.widget; ++i)
      if (screen.widgets[i].id == at) t.widget = i;
    for (size_t i = 0; i < screen.widgets.size() && !t.widget; ++i)
      if (screen.widgets[i].text == at) t.widget = i;
    if (!t.widget)
      return Wrong(node["at"],
                   "screen '{}' has no widget with the id or text '{}': add it, or correct the name",
                   screen.name, at);
  }
  MARMOSET_ASSIGN(t.key, Text(node, "key"));
  MARMOSET_ASSIGN(t.direction, Text(node, "direction"));
  static constexpr std::string_view kDirections[] = {"", "up", "down", "left", "right"};
  if (!Has(kDirections, t.direction))
    return Wrong(node["direction"], "'direction': up, down, left or right expected");
  MARMOSET_ASSIGN(t.guard, Condition(node, "if"));
  MARMOSET_ASSIGN(t.probability, Probability(node, "p", 1));
  if (const Node set = node["set"]; set.IsDefined()) {
    if (!set.IsMap()) return Wrong(set, "'set': a map of variables and their new values expected");
    for (const auto& entry : set) {
      MARMOSET_TRY(Count(set));
      MARMOSET_ASSIGN(const size_t variable,
                      Variable(entry.first, entry.first.IsScalar() ? entry.first.Scalar() : "?"));
      if (variable < kBuiltins) return Wrong(entry.first, "'{}' cannot be set", model_.names[variable]);
      MARMOSET_ASSIGN(Expression value, ExpressionOf(entry.second));
      t.set.emplace_back(variable, std::move(value));
    }
  }
  MARMOSET_ASSIGN(t.toast, Template(node, "toast"));
  MARMOSET_ASSIGN(t.log, Template(node, "log"));
  MARMOSET_ASSIGN(t.left_app, Text(node, "left_app"));
  if (node["ms"].IsDefined()) {
    MARMOSET_ASSIGN(t.duration_ms, Number(node, "ms", 0, 0, kMaxMs));
  }
  MARMOSET_TRY(ReadEnding(node, t));
  return t;
}

Status Reader::ReadScreen(const Node& node, ModelScreen& screen) {
  MARMOSET_TRY(CheckMap(node, "a screen", {"activity", "title", "dialog", "widgets", "on"}));
  MARMOSET_ASSIGN(screen.dialog, Flag(node, "dialog", false));
  MARMOSET_ASSIGN(const std::string activity, Text(node, "activity"));
  if (screen.dialog != activity.empty())
    return Wrong(node,
                 "screen '{}': give it an 'activity', or 'dialog: true' when it lies over another screen",
                 screen.name);
  if (!activity.empty()) screen.activity = FullName(activity);
  MARMOSET_ASSIGN(screen.title, Template(node, "title"));
  MARMOSET_ASSIGN(const std::vector<Node> widgets, Items(node, "widgets"));
  if (widgets.size() > kMaxWidgets) return Wrong(node, "more than {} widgets on a screen", kMaxWidgets);
  for (const Node& item : widgets) {
    MARMOSET_ASSIGN(ModelWidget widget, ReadWidget(item));
    for (const ModelWidget& other : screen.widgets)
      if (!widget.id.empty() && widget.id == other.id)
        return Wrong(item, "screen '{}' has two widgets with the id '{}': rename one", screen.name,
                     widget.id);
    screen.widgets.push_back(std::move(widget));
  }
  MARMOSET_ASSIGN(const std::vector<Node> transitions, Items(node, "on"));
  for (const Node& item : transitions) {
    MARMOSET_ASSIGN(Transition transition, ReadTransition(item, screen));
    // What answers to a touch says so, unless the model says otherwise.
    if (transition.widget) {
      ModelWidget& w = screen.widgets[*transition.widget];
      const Node& given = widgets[*transition.widget];
      if (transition.kind == "tap" && !given["clickable"].IsDefined())
        w.clickable = w.clickable || w.rows.empty();
      if (transition.kind == "long_tap" && !given["long_clickable"].IsDefined()) w.long_clickable = true;
    }
    screen.transitions.push_back(std::move(transition));
  }
  return {};
}

Result<AppModel> Reader::Read(const Node& root) {
  if (!root.IsMap() || !root["marmoset_model"].IsDefined())
    return Wrong(root, "not an app model: it begins with 'marmoset_model: {}'", kAppModelFormat);
  MARMOSET_ASSIGN(const int64_t format, Number(root, "marmoset_model", 0, 1, 1'000'000));
  if (format > kAppModelFormat)
    return Fail(ErrorCode::kUnsupported,
                "line {}: the model has format {}, this version of marmoset reads up to {}: update marmoset",
                root["marmoset_model"].Mark().line + 1, format, kAppModelFormat);
  MARMOSET_TRY(CheckMap(root, "an app model",
                        {"marmoset_model", "package", "version_name", "version_code", "display", "start",
                         "action_ms", "lost", "host_gap", "variables", "unsaved", "screens"}));
  MARMOSET_ASSIGN(model_.package, Text(root, "package"));
  if (model_.package.find('.') == std::string::npos)
    return Wrong(root, "'package': a package name such as com.example.shop expected");
  MARMOSET_ASSIGN(model_.version_name, Text(root, "version_name", "1.0"));
  MARMOSET_ASSIGN(model_.version_code, Number(root, "version_code", 1, 0, 2'000'000'000));
  MARMOSET_ASSIGN(model_.display, ReadDisplay(root["display"], {1080, 1920, 480, 72, 0}));
  MARMOSET_ASSIGN(model_.action_ms, Number(root, "action_ms", model_.action_ms, 0, kMaxMs));
  MARMOSET_ASSIGN(model_.lost_probability, Probability(root, "lost", 0));
  MARMOSET_ASSIGN(model_.host_gap_probability, Probability(root, "host_gap", 0));
  MARMOSET_TRY(Variables(root));
  MARMOSET_TRY(Unsaved(root));

  const Node screens = root["screens"];
  if (!screens.IsDefined() || !screens.IsMap() || screens.size() == 0)
    return Wrong(root, "'screens': a map of at least one name and screen expected");
  // The names first, so that a transition may lead to a screen further down.
  for (const auto& entry : screens) {
    MARMOSET_TRY(Count(screens));
    if (!entry.first.IsScalar()) return Wrong(entry.first, "the name of a screen expected");
    for (const ModelScreen& other : model_.screens)
      if (other.name == entry.first.Scalar())
        return Wrong(entry.first, "there are two screens '{}': rename one", other.name);
    if (model_.screens.size() == kMaxScreens) return Wrong(entry.first, "more than {} screens", kMaxScreens);
    model_.screens.emplace_back();
    model_.screens.back().name = entry.first.Scalar();
  }
  size_t i = 0;
  for (const auto& entry : screens) MARMOSET_TRY(ReadScreen(entry.second, model_.screens[i++]));

  MARMOSET_ASSIGN(const std::string start, Text(root, "start", model_.screens[0].name));
  MARMOSET_ASSIGN(model_.start, ScreenNamed(root["start"].IsDefined() ? root["start"] : root, start));
  if (model_.screens[model_.start].dialog) return Wrong(root, "'start': a dialog cannot be the first screen");
  return std::move(model_);
}

}  // namespace

Result<AppModel> ParseAppModel(std::string_view text) {
  return ReadYaml(text, kMaxBytes, "an app model",
                  [](const YAML::Node& root) { return Reader().Read(root); });
}

Result<AppModel> ReadAppModel(const fs::path& path) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(path));
  Result<AppModel> model = ParseAppModel(text);
  if (!model) return Fail(std::move(model.error()).Within(path.string()));
  return model;
}

}  // namespace marmoset
