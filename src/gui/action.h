// An action: one thing that a user or the system does to a device, as a plain value.
//
// Points are pixels of the whole display; times are milliseconds of the device's time. How an action is
// written in a trace file and sent to the hosted device is in codec.h; both use the names in action.cc.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gui/screen.h"

namespace marmoset {

struct Launch {
  std::string component;  // "package/class"; empty: the launcher activity.
  friend bool operator==(const Launch&, const Launch&) = default;
};
struct Tap {
  Point at;
  friend bool operator==(const Tap&, const Tap&) = default;
};
struct DoubleTap {
  Point at;
  friend bool operator==(const DoubleTap&, const DoubleTap&) = default;
};
struct LongTap {
  Point at;
  int64_t duration_ms = 1000;
  friend bool operator==(const LongTap&, const LongTap&) = default;
};
struct Swipe {
  Point from;
  Point to;
  int64_t duration_ms = 300;
  friend bool operator==(const Swipe&, const Swipe&) = default;
};
struct Drag {  // A swipe that first rests on its start, long enough to pick something up.
  Point from;
  Point to;
  int64_t duration_ms = 1000;
  friend bool operator==(const Drag&, const Drag&) = default;
};
struct Pinch {
  Point from;
  Point to;
  Point from2;
  Point to2;
  int64_t duration_ms = 500;
  friend bool operator==(const Pinch&, const Pinch&) = default;
};
struct TypeText {  // Into the focused field.
  std::string text;
  bool replace = true;  // Instead of what the field holds.
  friend bool operator==(const TypeText&, const TypeText&) = default;
};
struct PressKey {
  std::string key;  // Android's name without KEYCODE_: "BACK", "HOME", "ENTER", "VOLUME_UP".
  friend bool operator==(const PressKey&, const PressKey&) = default;
};
struct Rotate {
  int rotation = 0;  // Quarter turns, 0 to 3.
  friend bool operator==(const Rotate&, const Rotate&) = default;
};
struct Wait {
  int64_t duration_ms = 0;
  friend bool operator==(const Wait&, const Wait&) = default;
};
using ExtraValue = std::variant<std::string, int64_t, double, bool>;
struct SendIntent {
  std::string action;
  std::string data;  // A URI: a deep link.
  std::string type;
  std::string component;
  std::vector<std::string> categories;
  std::map<std::string, ExtraValue> extras;
  friend bool operator==(const SendIntent&, const SendIntent&) = default;
};
struct AnswerPermission {
  bool allow = true;
  friend bool operator==(const AnswerPermission&, const AnswerPermission&) = default;
};
// The app goes to the background, the system ends its process for want of memory, and the user comes back:
// what the app keeps is in its files and in the saved state of its activities.
struct ProcessDeath {
  friend bool operator==(const ProcessDeath&, const ProcessDeath&) = default;
};

using Action = std::variant<Launch, Tap, DoubleTap, LongTap, Swipe, Drag, Pinch, TypeText, PressKey, Rotate,
                            Wait, SendIntent, AnswerPermission, ProcessDeath>;

// The `kind` of the action in files and on the wire: "tap", "long_tap", …
std::string_view KindName(const Action& action);

// The point that the action touches first, if it touches the screen.
std::optional<Point> TouchedPoint(const Action& action);

// The same action with all its points moved so that TouchedPoint is `to`. Unchanged if it touches nothing.
Action MovedTo(Action action, Point to);

// "tap", "type 'hello'", "press BACK": what a person would read, without the widget.
std::string Describe(const Action& action);

}  // namespace marmoset
