// An app model: an app described in a YAML file instead of code. Format: docs/formats/app_model.md.
//
// A model has screens with widgets, transitions between them (with guards, probabilities and effects) and
// variables. Plain values; everything that a transition refers to has been looked up and checked by the
// reader.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "device/simulated/expression.h"
#include "gui/crash.h"
#include "gui/display.h"
#include "gui/screen.h"

namespace marmoset {

// The version of the format that this program reads.
inline constexpr int kAppModelFormat = 1;

// Names that expressions may use besides the model's variables. They come first in AppModel::names.
enum Builtin : size_t {
  kRow,     // The row of a list that was touched, from 0.
  kValue,   // The typed text as a number; 0 when it is none.
  kLength,  // Its length in bytes.
  kBuiltins,
};

struct ModelWidget {
  std::string id;  // Without package; may be empty.
  std::string class_name;
  // Texts may hold "{variable}".
  std::string text;
  std::string description;
  std::string hint;
  std::vector<std::string> rows;  // Of a list: a child with each of these texts.
  std::optional<Expression> visible;
  std::optional<Expression> enabled;
  std::optional<size_t> checked;  // The variable that a tap toggles between 0 and 1.
  std::optional<Rect> bounds;     // Otherwise below the widget before it.
  bool clickable = false;
  bool long_clickable = false;
  bool editable = false;
  bool scrollable = false;
  bool password = false;
};

enum class Ending { kStay, kGo, kBack, kFinish, kCrash, kExit, kHostGap, kLost };

struct Transition {
  std::string kind;              // KindName of the action.
  std::optional<size_t> widget;  // Index in the screen's widgets; empty: anywhere.
  std::string key;               // Of a key press; empty: any.
  std::string direction;         // Of a swipe or drag: up, down, left, right; empty: any.
  std::optional<Expression> guard;
  double probability = 1;
  std::vector<std::pair<size_t, Expression>> set;  // Variable and its new value.
  std::string toast;
  std::string log;
  std::string left_app;  // The intent that goes to another app.
  std::optional<int64_t> duration_ms;
  Ending ending = Ending::kStay;
  size_t target = 0;  // kGo: the screen.
  Crash crash;        // kCrash; its stack may hold "{variable}".
  std::string place;  // kHostGap: the method of the host that fails.
};

struct ModelScreen {
  std::string name;
  std::string activity;  // Full class name; of a dialog empty.
  std::string title;
  bool dialog = false;  // Shown over the screen below.
  std::vector<ModelWidget> widgets;
  std::vector<Transition> transitions;
};

struct AppModel {
  std::string package;
  std::string version_name;
  int64_t version_code = 1;
  Display display;
  size_t start = 0;
  int64_t action_ms = 100;
  double lost_probability = 0;      // Per action.
  double host_gap_probability = 0;  // Per action.
  std::vector<std::string> names;   // Builtins, then variables.
  std::vector<Expression> initial;  // Of the variables (not of the builtins).
  std::vector<size_t> unsaved;      // Variables that a process death sets back to their first value.
  std::vector<ModelScreen> screens;
};

// kBadInput with the line and the remedy; kUnsupported for a format from the future.
Result<AppModel> ParseAppModel(std::string_view text);
Result<AppModel> ReadAppModel(const fs::path& path);

}  // namespace marmoset
