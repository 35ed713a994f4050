// A screen: what an app shows at one moment, as a plain value.
//
// A screen is a list of windows from back to front; a window is a tree of widgets, kept as a list in
// pre-order. The attributes are uiautomator's, so that a screen reads the same whether it came from a phone,
// from the hosted device or from an app model. Coordinates are pixels of the whole display, origin at the top
// left.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marmoset {

struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// Half-open: right and bottom are outside.
struct Rect {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  friend bool operator==(const Rect&, const Rect&) = default;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
  bool empty() const { return width() <= 0 || height() <= 0; }
  Point center() const { return {left + width() / 2, top + height() / 2}; }
  bool Contains(Point p) const { return p.x >= left && p.x < right && p.y >= top && p.y < bottom; }
};

struct Widget {
  int parent = -1;  // Index in Window::widgets; -1 for a root.
  int index = 0;    // Position among the parent's children, invisible ones included.
  std::string class_name;
  std::string resource_id;  // "package:id/name", or empty.
  std::string text;
  std::string description;  // Android's content description.
  std::string hint;
  std::string package;
  Rect bounds;  // The visible part.

  bool checkable = false;
  bool checked = false;
  bool clickable = false;
  bool enabled = false;
  bool focusable = false;
  bool focused = false;
  bool scrollable = false;
  bool long_clickable = false;
  bool password = false;
  bool selected = false;
  bool editable = false;

  friend bool operator==(const Widget&, const Widget&) = default;
};

enum class WindowType { kActivity, kDialog, kPopup, kToast, kKeyboard, kSystem };

struct Window {
  std::string title;
  WindowType type = WindowType::kActivity;
  Rect bounds;
  bool focused = false;
  std::vector<Widget> widgets;  // Pre-order: a parent stands before its children.

  friend bool operator==(const Window&, const Window&) = default;
};

struct Screen {
  std::string package;   // Of the app in front; the launcher's on the home screen.
  std::string activity;  // Full class name; empty on the home screen.
  int width = 0;
  int height = 0;
  int rotation = 0;  // Quarter turns, 0 to 3, as Android's Surface.ROTATION_*.
  bool keyboard = false;
  int notifications = 0;        // The app's, which the key NOTIFICATION would list; no part of the hashes.
  std::vector<Window> windows;  // Back to front.

  friend bool operator==(const Screen&, const Screen&) = default;
};

// Where a widget is in a screen.
struct WidgetRef {
  int window = 0;
  int widget = 0;
  friend bool operator==(const WidgetRef&, const WidgetRef&) = default;
};

const Widget& At(const Screen& screen, WidgetRef ref);

// The widgets that a person can reach: those of the front-most window that takes input (toasts and keyboards
// do not cover the app), in pre-order.
std::vector<WidgetRef> ReachableWidgets(const Screen& screen);

// A hash of everything that a person could see or do: two screens with the same hash are the same. Stable
// over runs and platforms.
uint64_t ContentHash(const Screen& screen);

// A hash of what can be done: the activity, whether the keyboard is shown, and the kinds of reachable widgets
// (class, resource id, what they react to). Texts, places, and how many widgets there are of a kind do not
// count. A list that grew has the same shape; an activity with a dialog, menu or other fragment has another.
uint64_t ShapeHash(const Screen& screen);

// "FrameLayout[0]/ListView[0]/TextView[2]": classes without package, positions among the parent's children.
std::string ClassPath(const Window& window, int widget);

// At most `max_bytes` of a text in UTF-8. Where it is too long, the character at the cut goes, too, so that
// no half of one is left.
std::string CutText(std::string_view text, size_t max_bytes);

// The part of a class name or resource id that people say: "Button" of "android.widget.Button", "save" of
// "com.example:id/save".
std::string_view ShortName(std::string_view name);

// What a person would call the widget: its text, description, the text of its only labelled descendant, its
// hint, its id, or its class; quoted where it is something that the screen shows.
std::string Describe(const Screen& screen, WidgetRef ref);

}  // namespace marmoset
