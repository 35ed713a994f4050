// A strategy: looks at a screen and says what to do next. New ones are one file and one line in strategy.cc.
//
// A strategy's decisions are a function of (seed, options, what it saw), nothing else. What it saw is told by
// Remember, step by step, also for the steps of an interrupted run that is resumed: afterwards it must decide
// as it would have, given the same random state.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "gui/action.h"
#include "gui/screen.h"
#include "trace/trace.h"

namespace marmoset {

// What to do, and to which widget where the strategy had one in mind.
struct Decision {
  Action action;
  std::optional<WidgetRef> widget;
  // End the episode and start the app anew instead; the action is not done.
  bool restart = false;
};

// What a strategy has learnt of the app, as numbers.
struct ModelSize {
  size_t states = 0;
  size_t transitions = 0;
  friend bool operator==(const ModelSize&, const ModelSize&) = default;
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // What follows is about this one of the devices, which are numbered from 0. Where it is never called, there
  // is one.
  virtual void OnDevice(size_t /*device*/) {}

  // REQUIRES: the screen is the app's.
  virtual Decision Choose(const Screen& screen, Random& random) = 0;

  // Told after each step of the run, the explorer's own (launches, returns to the app) included. `inside`:
  // Choose may be asked about the screen `after`. `new_methods`: how many of the app's methods this step was
  // the run's first to enter; 0 where the device does not count them.
  virtual void Remember(const Step& step, const Screen& after, bool inside, size_t new_methods) {
    (void)step;
    (void)after;
    (void)inside;
    (void)new_methods;
  }

  // Nothing where it has no model.
  virtual std::optional<ModelSize> model_size() const { return std::nullopt; }
};

// Widgets that a strategy must leave alone. A pattern matches when it equals a widget's resource id, the part
// of it after the last '/', its text or its description.
struct WidgetLimits {
  std::vector<std::string> blocked;
  std::vector<std::string> allowed;  // Empty: all that are not blocked.

  bool Permits(const Widget& widget) const;
};

// Whether the screen is the system's question for a permission: part of using the app, though not the app's.
bool IsPermissionQuestion(const Screen& screen);

// Whether the app has asked the user to pick a contact: likewise.
bool IsContactPicker(const Screen& screen);

// Whether it is the system's list of the app's notifications: likewise.
bool IsNotificationShade(const Screen& screen);

// Shares of Monkey's event types in per cent. Negative: not set; what is left of 100 is divided among these
// in proportion to Monkey's own defaults.
struct MonkeyShares {
  double touch = -1;
  double motion = -1;
  double pinchzoom = -1;
  double rotation = -1;
  double permission = -1;
  double nav = -1;
  double majornav = -1;
  double syskeys = -1;
  double appswitch = -1;
  double anyevent = -1;
};

// An intent that any other app could send, and the activity that it opens.
struct OutsideIntent {
  SendIntent intent;
  std::string activity;  // Full class name.
};

struct StrategyOptions {
  WidgetLimits widgets = {};
  MonkeyShares monkey = {};
  std::vector<OutsideIntent> intents = {};
  std::vector<std::string> texts = {};  // Of the app's resources.
};

struct StrategyEntry {
  std::string_view name;
  std::string_view description;
  Result<std::unique_ptr<Strategy>> (*make)(const StrategyOptions& options);
};

// All strategies, in the order in which help lists them.
const std::vector<StrategyEntry>& Strategies();

// kNotFound with the known names.
Result<std::unique_ptr<Strategy>> MakeStrategy(std::string_view name, const StrategyOptions& options);

}  // namespace marmoset
