// Reads the scripts of Android's Monkey (`monkey -f FILE`), in the forms that are found in the wild.
//
// Monkey's own reader looks for an event's name anywhere in a line and silently drops what it does not like.
// This one takes the author's meaning (the name stands before the parenthesis, `#` begins a comment) and
// warns where Monkey would do something else.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gui/action.h"
#include "trace/import_text.h"

namespace marmoset {

struct ScriptAction {
  Action action;
  int64_t at_ms = 0;  // Sum of the waits before it.
  // The script's events that make it up, counted from 0: a tap may be one event or two.
  size_t first_event = 0;
  size_t last_event = 0;
};

struct MonkeyScript {
  std::vector<ScriptAction> actions;
  size_t events = 0;    // Lines with an event, those that are no action included.
  std::string package;  // Of the first LaunchActivity.
};

// The line without which Monkey takes no script.
inline constexpr std::string_view kStartOfData = "start data >>";

// How long one step of a Drag or PinchZoom takes.
inline constexpr int64_t kMsPerDragStep = 10;

// The name of the event that Monkey performs for a line, wherever in it that stands; empty for none.
std::string_view EventThatMonkeySees(std::string_view line);

// `numbers_are_keys`: DispatchPress(4) is ordinary (the SimplyDroid study's Monkey writes it); otherwise it
// is worth a warning, since Monkey ignores it. kBadInput when there is no script in the text.
Result<MonkeyScript> ReadMonkeyScript(std::string_view text, bool numbers_are_keys, Warnings& warnings);

}  // namespace marmoset
