#include "gui/codec.h"

#include <limits>
#include <type_traits>

namespace marmoset {
namespace {

constexpr int kMaxDepth = 200;
constexpr size_t kMaxWidgets = 1'000'000;

struct Flag {
  const char* name;
  bool Widget::*member;
};
constexpr Flag kFlags[] = {
    {"checkable", &Widget::checkable},   {"checked", &Widget::checked},
    {"clickable", &Widget::clickable},   {"enabled", &Widget::enabled},
    {"focusable", &Widget::focusable},   {"focused", &Widget::focused},
    {"scrollable", &Widget::scrollable}, {"long_clickable", &Widget::long_clickable},
    {"password", &Widget::password},     {"selected", &Widget::selected},
    {"editable", &Widget::editable},
};

struct TypeName {
  const char* name;
  WindowType type;
};
constexpr TypeName kWindowTypes[] = {
    {"activity", WindowType::kActivity}, {"dialog", WindowType::kDialog},     {"popup", WindowType::kPopup},
    {"toast", WindowType::kToast},       {"keyboard", WindowType::kKeyboard}, {"system", WindowType::kSystem},
};

// An int from outside: coordinates and counts beyond 31 bits are nonsense that would overflow later.
Result<int> SmallAt(const Json& object, const char* key, int fallback = 0) {
  MARMOSET_ASSIGN(const int64_t value, IntegerAt(object, key, fallback));
  constexpr int64_t kMost = 1 << 28;
  if (value > kMost || value < -kMost)
    return Fail(ErrorCode::kBadInput, "'{}': {} is out of range", key, value);
  return static_cast<int>(value);
}

Result<Point> PointAt(const Json& object, const char* x, const char* y) {
  MARMOSET_ASSIGN(const int px, SmallAt(object, x));
  MARMOSET_ASSIGN(const int py, SmallAt(object, y));
  return Point{px, py};
}

Json ToJson(const Rect& r) { return Json::array({r.left, r.top, r.right, r.bottom}); }

Result<Rect> RectAt(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return Rect{};
  if (!it->is_array() || it->size() != 4)
    return Fail(ErrorCode::kBadInput, "'{}': four numbers expected", key);
  int v[4];
  for (size_t i = 0; i < 4; ++i) {
    if (!(*it)[i].is_number_integer()) return Fail(ErrorCode::kBadInput, "'{}': four integers expected", key);
    const int64_t wide = (*it)[i].get<int64_t>();
    if (wide > (1 << 28) || wide < -(1 << 28))
      return Fail(ErrorCode::kBadInput, "'{}': {} is out of range", key, wide);
    v[i] = static_cast<int>(wide);
  }
  return Rect{v[0], v[1], v[2], v[3]};
}

void AddPoint(Json& json, const char* x, const char* y, Point p) {
  json[x] = p.x;
  json[y] = p.y;
}

template <class Gesture>  // Swipe or Drag.
void AddGesture(Json& json, const Gesture& g) {
  AddPoint(json, "x", "y", g.from);
  AddPoint(json, "to_x", "to_y", g.to);
  json["duration_ms"] = g.duration_ms;
}

template <class Gesture>
Result<Action> GestureFrom(const Json& json, Gesture g) {
  MARMOSET_ASSIGN(g.from, PointAt(json, "x", "y"));
  MARMOSET_ASSIGN(g.to, PointAt(json, "to_x", "to_y"));
  MARMOSET_ASSIGN(g.duration_ms, IntegerAt(json, "duration_ms", g.duration_ms));
  return g;
}

Json ExtraToJson(const ExtraValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Result<SendIntent> IntentFromJson(const Json& json) {
  SendIntent a;
  MARMOSET_ASSIGN(a.action, StringAt(json, "action"));
  MARMOSET_ASSIGN(a.data, StringAt(json, "data"));
  MARMOSET_ASSIGN(a.type, StringAt(json, "type"));
  MARMOSET_ASSIGN(a.component, StringAt(json, "component"));
  if (const auto it = json.find("categories"); it != json.end()) {
    if (!it->is_array()) return Fail(ErrorCode::kBadInput, "'categories': a list expected");
    for (const Json& c : *it) {
      if (!c.is_string()) return Fail(ErrorCode::kBadInput, "'categories': strings expected");
      a.categories.push_back(c.get<std::string>());
    }
  }
  if (const auto it = json.find("extras"); it != json.end()) {
    if (!it->is_object()) return Fail(ErrorCode::kBadInput, "'extras': an object expected");
    for (const auto& [key, value] : it->items()) {
      if (value.is_string())
        a.extras[key] = value.get<std::string>();
      else if (value.is_boolean())
        a.extras[key] = value.get<bool>();
      else if (value.is_number_integer())
        a.extras[key] = value.get<int64_t>();
      else if (value.is_number())
        a.extras[key] = value.get<double>();
      else
        return Fail(ErrorCode::kBadInput, "extra '{}': a string, number or boolean expected", key);
    }
  }
  return a;
}

Json ToJson(const Widget& w) {
  Json json;
  json["parent"] = w.parent;
  json["index"] = w.index;
  json["class"] = w.class_name;
  json["id"] = w.resource_id;
  json["text"] = w.text;
  json["desc"] = w.description;
  json["hint"] = w.hint;
  json["package"] = w.package;
  json["bounds"] = ToJson(w.bounds);
  Json flags = Json::array();
  for (const Flag& f : kFlags)
    if (w.*f.member) flags.push_back(f.name);
  json["flags"] = std::move(flags);
  return json;
}

Result<Widget> WidgetFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "an object expected");
  Widget w;
  MARMOSET_ASSIGN(w.parent, SmallAt(json, "parent", -1));
  MARMOSET_ASSIGN(w.index, SmallAt(json, "index"));
  MARMOSET_ASSIGN(w.class_name, StringAt(json, "class"));
  MARMOSET_ASSIGN(w.resource_id, StringAt(json, "id"));
  MARMOSET_ASSIGN(w.text, StringAt(json, "text"));
  MARMOSET_ASSIGN(w.description, StringAt(json, "desc"));
  MARMOSET_ASSIGN(w.hint, StringAt(json, "hint"));
  MARMOSET_ASSIGN(w.package, StringAt(json, "package"));
  MARMOSET_ASSIGN(w.bounds, RectAt(json, "bounds"));
  if (const auto it = json.find("flags"); it != json.end()) {
    if (!it->is_array()) return Fail(ErrorCode::kBadInput, "'flags': a list expected");
    for (const Json& name : *it)
      for (const Flag& f : kFlags)
        if (name == f.name) w.*f.member = true;
  }
  return w;
}

Result<Window> WindowFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "an object expected");
  Window window;
  MARMOSET_ASSIGN(window.title, StringAt(json, "title"));
  MARMOSET_ASSIGN(window.bounds, RectAt(json, "bounds"));
  MARMOSET_ASSIGN(window.focused, BoolAt(json, "focused"));
  MARMOSET_ASSIGN(const std::string type, StringAt(json, "type", "activity"));
  for (const TypeName& t : kWindowTypes)
    if (type == t.name) window.type = t.type;
  const auto it = json.find("widgets");
  if (it == json.end()) return window;
  if (!it->is_array() || it->size() > kMaxWidgets)
    return Fail(ErrorCode::kBadInput, "'widgets': a list expected");
  for (const Json& item : *it) {
    const size_t i = window.widgets.size();
    Result<Widget> widget = WidgetFromJson(item);
    if (!widget) return Fail(std::move(widget.error()).Within(fmt::format("widget {}", i)));
    if (widget->parent < -1 || widget->parent >= static_cast<int>(i))
      return Fail(ErrorCode::kBadInput, "widget {}: its parent {} does not stand before it", i,
                  widget->parent);
    window.widgets.push_back(std::move(*widget));
  }
  return window;
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  bool too_deep = false;
  Json json;
  std::string wrong;
  try {
    json = Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
      too_deep = too_deep || depth > kMaxDepth;
      return !too_deep;
    });
  } catch (const Json::exception& e) {
    wrong = e.what();
  }
  if (too_deep) return Fail(ErrorCode::kBadInput, "JSON nested deeper than {}", kMaxDepth);
  if (!wrong.empty()) return Fail(ErrorCode::kBadInput, "not JSON: {}", wrong);
  return json;
}

Result<std::string> StringAt(const Json& object, const char* key, std::string fallback) {
  const auto it = object.find(key);
  if (it == object.end()) return fallback;
  if (!it->is_string()) return Fail(ErrorCode::kBadInput, "'{}': a string expected", key);
  return it->get<std::string>();
}

Result<int64_t> IntegerAt(const Json& object, const char* key, int64_t fallback) {
  const auto it = object.find(key);
  if (it == object.end()) return fallback;
  if (!it->is_number_integer()) return Fail(ErrorCode::kBadInput, "'{}': an integer expected", key);
  if (it->is_number_unsigned() && it->get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()})
    return Fail(ErrorCode::kBadInput, "'{}': out of range", key);
  return it->get<int64_t>();
}

Result<bool> BoolAt(const Json& object, const char* key, bool fallback) {
  const auto it = object.find(key);
  if (it == object.end()) return fallback;
  if (!it->is_boolean()) return Fail(ErrorCode::kBadInput, "'{}': true or false expected", key);
  return it->get<bool>();
}

Json ToJson(const Action& action) {
  Json json;
  json["kind"] = KindName(action);
  std::visit(
      [&json](const auto& a) {
        using A = std::decay_t<decltype(a)>;
        if constexpr (std::is_same_v<A, Launch>) {
          if (!a.component.empty()) json["component"] = a.component;
        } else if constexpr (std::is_same_v<A, Tap> || std::is_same_v<A, DoubleTap>) {
          AddPoint(json, "x", "y", a.at);
        } else if constexpr (std::is_same_v<A, LongTap>) {
          AddPoint(json, "x", "y", a.at);
          json["duration_ms"] = a.duration_ms;
        } else if constexpr (std::is_same_v<A, Swipe> || std::is_same_v<A, Drag>) {
          AddGesture(json, a);
        } else if constexpr (std::is_same_v<A, Pinch>) {
          AddPoint(json, "x", "y", a.from);
          AddPoint(json, "to_x", "to_y", a.to);
          AddPoint(json, "x2", "y2", a.from2);
          AddPoint(json, "to_x2", "to_y2", a.to2);
          json["duration_ms"] = a.duration_ms;
        } else if constexpr (std::is_same_v<A, TypeText>) {
          json["text"] = a.text;
          json["replace"] = a.replace;
        } else if constexpr (std::is_same_v<A, PressKey>) {
          json["key"] = a.key;
        } else if constexpr (std::is_same_v<A, Rotate>) {
          json["rotation"] = a.rotation;
        } else if constexpr (std::is_same_v<A, Wait>) {
          json["duration_ms"] = a.duration_ms;
        } else if constexpr (std::is_same_v<A, SendIntent>) {
          if (!a.action.empty()) json["action"] = a.action;
          if (!a.data.empty()) json["data"] = a.data;
          if (!a.type.empty()) json["type"] = a.type;
          if (!a.component.empty()) json["component"] = a.component;
          if (!a.categories.empty()) json["categories"] = a.categories;
          for (const auto& [key, value] : a.extras) json["extras"][key] = ExtraToJson(value);
        } else if constexpr (std::is_same_v<A, AnswerPermission>) {
          json["allow"] = a.allow;
        } else {
          static_assert(std::is_same_v<A, ProcessDeath>);
        }
      },
      action);
  return json;
}

Result<Action> ActionFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "action: an object expected");
  MARMOSET_ASSIGN(const std::string kind, StringAt(json, "kind"));
  if (kind == "launch") {
    MARMOSET_ASSIGN(std::string component, StringAt(json, "component"));
    return Launch{std::move(component)};
  }
  if (kind == "tap" || kind == "double_tap" || kind == "long_tap") {
    MARMOSET_ASSIGN(const Point at, PointAt(json, "x", "y"));
    if (kind == "tap") return Tap{at};
    if (kind == "double_tap") return DoubleTap{at};
    MARMOSET_ASSIGN(const int64_t duration_ms, IntegerAt(json, "duration_ms", LongTap{}.duration_ms));
    return LongTap{at, duration_ms};
  }
  if (kind == "swipe") return GestureFrom(json, Swipe{});
  if (kind == "drag") return GestureFrom(json, Drag{});
  if (kind == "pinch") {
    Pinch p;
    MARMOSET_ASSIGN(p.from, PointAt(json, "x", "y"));
    MARMOSET_ASSIGN(p.to, PointAt(json, "to_x", "to_y"));
    MARMOSET_ASSIGN(p.from2, PointAt(json, "x2", "y2"));
    MARMOSET_ASSIGN(p.to2, PointAt(json, "to_x2", "to_y2"));
    MARMOSET_ASSIGN(p.duration_ms, IntegerAt(json, "duration_ms", p.duration_ms));
    return p;
  }
  if (kind == "text") {
    MARMOSET_ASSIGN(std::string text, StringAt(json, "text"));
    MARMOSET_ASSIGN(const bool replace, BoolAt(json, "replace", true));
    return TypeText{std::move(text), replace};
  }
  if (kind == "key") {
    MARMOSET_ASSIGN(std::string key, StringAt(json, "key"));
    if (key.empty()) return Fail(ErrorCode::kBadInput, "'key': a key name such as BACK expected");
    return PressKey{std::move(key)};
  }
  if (kind == "rotate") {
    MARMOSET_ASSIGN(const int rotation, SmallAt(json, "rotation"));
    if (rotation < 0 || rotation > 3) return Fail(ErrorCode::kBadInput, "'rotation': 0 to 3 expected");
    return Rotate{rotation};
  }
  if (kind == "wait") {
    MARMOSET_ASSIGN(const int64_t duration_ms, IntegerAt(json, "duration_ms"));
    return Wait{duration_ms};
  }
  if (kind == "intent") {
    MARMOSET_ASSIGN(SendIntent intent, IntentFromJson(json));
    return intent;
  }
  if (kind == "permission") {
    MARMOSET_ASSIGN(const bool allow, BoolAt(json, "allow", true));
    return AnswerPermission{allow};
  }
  if (kind == "process_death") return ProcessDeath{};
  return Fail(ErrorCode::kBadInput, "action kind '{}' is not known to this version", kind);
}

Json ToJson(const Selector& t) {
  Json json;
  json["id"] = t.resource_id;
  json["text"] = t.text;
  json["desc"] = t.description;
  json["class"] = t.class_name;
  json["path"] = t.class_path;
  json["label"] = t.label;
  json["bounds"] = ToJson(t.bounds);
  json["fraction"] = Json::array({t.fraction_x, t.fraction_y});
  return json;
}

Result<Selector> SelectorFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "selector: an object expected");
  Selector t;
  MARMOSET_ASSIGN(t.resource_id, StringAt(json, "id"));
  MARMOSET_ASSIGN(t.text, StringAt(json, "text"));
  MARMOSET_ASSIGN(t.description, StringAt(json, "desc"));
  MARMOSET_ASSIGN(t.class_name, StringAt(json, "class"));
  MARMOSET_ASSIGN(t.class_path, StringAt(json, "path"));
  MARMOSET_ASSIGN(t.label, StringAt(json, "label"));
  MARMOSET_ASSIGN(t.bounds, RectAt(json, "bounds"));
  if (const auto it = json.find("fraction"); it != json.end()) {
    if (!it->is_array() || it->size() != 2 || !(*it)[0].is_number() || !(*it)[1].is_number())
      return Fail(ErrorCode::kBadInput, "'fraction': two numbers expected");
    t.fraction_x = (*it)[0].get<double>();
    t.fraction_y = (*it)[1].get<double>();
    // The negated form also refuses NaN.
    if (!(t.fraction_x >= 0 && t.fraction_x <= 1 && t.fraction_y >= 0 && t.fraction_y <= 1))
      return Fail(ErrorCode::kBadInput, "'fraction': numbers from 0 to 1 expected");
  }
  return t;
}

Json ToJson(const Screen& screen) {
  Json json;
  json["package"] = screen.package;
  json["activity"] = screen.activity;
  json["width"] = screen.width;
  json["height"] = screen.height;
  json["rotation"] = screen.rotation;
  json["keyboard"] = screen.keyboard;
  if (screen.notifications != 0) json["notifications"] = screen.notifications;
  json["windows"] = Json::array();
  for (const Window& window : screen.windows) {
    Json w;
    w["title"] = window.title;
    for (const TypeName& t : kWindowTypes)
      if (window.type == t.type) w["type"] = t.name;
    w["bounds"] = ToJson(window.bounds);
    w["focused"] = window.focused;
    w["widgets"] = Json::array();
    for (const Widget& widget : window.widgets) w["widgets"].push_back(ToJson(widget));
    json["windows"].push_back(std::move(w));
  }
  return json;
}

Result<Screen> ScreenFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "screen: an object expected");
  Screen screen;
  MARMOSET_ASSIGN(screen.package, StringAt(json, "package"));
  MARMOSET_ASSIGN(screen.activity, StringAt(json, "activity"));
  MARMOSET_ASSIGN(screen.width, SmallAt(json, "width"));
  MARMOSET_ASSIGN(screen.height, SmallAt(json, "height"));
  MARMOSET_ASSIGN(screen.rotation, SmallAt(json, "rotation"));
  MARMOSET_ASSIGN(screen.keyboard, BoolAt(json, "keyboard"));
  MARMOSET_ASSIGN(const int64_t notifications, IntegerAt(json, "notifications"));
  screen.notifications = static_cast<int>(std::clamp<int64_t>(notifications, 0, 1000));
  const auto it = json.find("windows");
  if (it == json.end()) return screen;
  if (!it->is_array()) return Fail(ErrorCode::kBadInput, "'windows': a list expected");
  for (const Json& item : *it) {
    Result<Window> window = WindowFromJson(item);
    if (!window)
      return Fail(std::move(window.error()).Within(fmt::format("window {}", screen.windows.size())));
    screen.windows.push_back(std::move(*window));
  }
  return screen;
}

}  // namespace marmoset
