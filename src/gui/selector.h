// Selectors: how a recorded widget is found again on another screen.
//
// A recorded step keeps everything by which its widget can be known. Looking it up tries the ways in the
// order of how much they mean to a person and takes the first that names exactly one reachable widget:
//
//   1. resource id, class and label (what Describe says: its text, description, or the text inside it)
//   2. resource id
//   3. class and label, for a widget without resource id
//   4. class path, for a widget with neither
//   5. nothing: the recorded point is used, and the caller is told
//
// Of several that match (rows of a list), the one with the recorded class path is meant.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gui/action.h"
#include "gui/screen.h"

namespace marmoset {

// What a step recorded about the widget that it touched. Empty strings: not known. ("Target" is kept for what
// a replay should reach.)
struct Selector {
  std::string resource_id;
  std::string text;
  std::string description;
  std::string class_name;
  std::string class_path;
  std::string label;  // What a person calls it (Describe).
  Rect bounds;        // On the recorded screen.
  // Where in the widget the point lay, as fractions of its width and height.
  double fraction_x = 0.5;
  double fraction_y = 0.5;

  friend bool operator==(const Selector&, const Selector&) = default;
};

// Records the deepest reachable widget at the point that answers to the touch (or, where none does, the
// deepest one). Empty when no widget lies there.
std::optional<Selector> SelectorAt(const Screen& screen, Point point);

// Records this widget, touched at `point`.
Selector SelectorOf(const Screen& screen, WidgetRef ref, Point point);

enum class FoundBy { kAll, kResourceId, kLabel, kClassPath, kPoint };
std::string_view FoundByName(FoundBy by);

struct FoundWidget {
  FoundBy by = FoundBy::kPoint;
  std::optional<WidgetRef> widget;  // Empty exactly when by is kPoint.
};

// Looks the selector up among the reachable widgets of `screen`.
FoundWidget Find(const Selector& selector, const Screen& screen);

// The action, aimed at where the selector is on `screen` now: the same fraction of the found widget, or the
// recorded point. Gestures keep their length and direction.
Action Aim(const Action& action, const Selector& selector, const FoundWidget& found, const Screen& screen);

}  // namespace marmoset
