// The strategy `random`: what a curious person without a plan would do.
//
// On each screen it lists what can be done to the reachable widgets (tap, long-tap, type, scroll) and to the
// app (BACK, MENU, rotate) and draws one of them. Each has a base weight by kind. What was done to a widget
// before wears its weight down, to a quarter at most: new widgets are likely, yet a path that leads through
// well-known ones stays as likely as on a walk without memory. "Before" means an action of the same kind on a
// widget of the same activity, resource id and class path.
//
// Staying in the app is the explorer's business, not the strategy's. Dialogs need no rule of their own: while
// one is open only its widgets are reachable.

#include "explore/random_walk.h"

#include <array>
#include <map>

namespace marmoset {
namespace {

constexpr double kTap = 10;
constexpr double kType = 8;
constexpr double kLongTap = 2;
constexpr double kScroll = 4;
constexpr double kBack = 2;
constexpr double kMenu = 1;
constexpr double kRotate = 0.25;
// What is left of a weight that is worn down for good.
constexpr double kWornOut = 0.25;

// Values that fields of all kinds have trouble with, beside ordinary ones.
constexpr std::array<std::string_view, 12> kTexts = {"1",     "0",           "12",           "-1",
                                                     "3.5",   "100",         "999999999999", "",
                                                     "hello", "a@b.example", "Grüße, 世界",  "2026-11-27"};

struct Option {
  Decision decision;
  double weight;
};

std::string WidgetKey(std::string_view activity, std::string_view kind, std::string_view id,
                      std::string_view path) {
  return fmt::format("{}|{}|{}|{}", activity, kind, id, path);
}

class RandomWalk : public Strategy {
 public:
  explicit RandomWalk(WidgetLimits limits) : limits_(std::move(limits)) {}

  Decision Choose(const Screen& screen, Random& random) override {
    std::vector<Option> options;
    for (const WidgetRef ref : ReachableWidgets(screen)) AddWidget(screen, ref, random, options);
    options.push_back({{PressKey{"BACK"}, {}, false}, kBack});
    options.push_back({{PressKey{"MENU"}, {}, false}, kMenu});
    options.push_back({{Rotate{screen.rotation == 0 ? 1 : 0}, {}, false}, kRotate});
    std::vector<double> weights;
    for (const Option& o : options) weights.push_back(o.weight);
    return options[random.Weighted(weights)].decision;
  }

  void Remember(const Step& step, const Screen&, bool, size_t) override {
    if (!step.selector) return;
    ++times_[WidgetKey(step.activity, KindName(step.action), step.selector->resource_id,
                       step.selector->class_path)];
  }

 private:
  void AddWidget(const Screen& screen, WidgetRef ref, Random& random, std::vector<Option>& options) {
    const Widget& w = At(screen, ref);
    if (!w.enabled || w.bounds.empty() || !limits_.Permits(w)) return;
    const std::string path = ClassPath(screen.windows[static_cast<size_t>(ref.window)], ref.widget);
    const Point center = w.bounds.center();
    auto add = [&](Action action, double weight) {
      const auto it = times_.find(WidgetKey(screen.activity, KindName(action), w.resource_id, path));
      const double times = it == times_.end() ? 0 : it->second;
      options.push_back(
          {{std::move(action), ref, false}, weight * (kWornOut + (1 - kWornOut) / (1 + times))});
    };
    if (w.editable)
      add(TypeText{std::string(kTexts[random.Below(kTexts.size())]), true}, kType);
    else if (w.clickable || w.checkable)
      add(Tap{center}, kTap);
    if (w.long_clickable && !w.editable) add(LongTap{center}, kLongTap);
    if (w.scrollable) {
      // uiautomator does not say in which direction a widget scrolls; those that are much wider than high go
      // sideways.
      const bool sideways = w.bounds.width() > 2 * w.bounds.height();
      const bool forward = random.Chance(0.7);
      const int dx = sideways ? w.bounds.width() / 3 : 0;
      const int dy = sideways ? 0 : w.bounds.height() / 3;
      const Point early{center.x - dx, center.y - dy}, late{center.x + dx, center.y + dy};
      add(forward ? Swipe{late, early, 300} : Swipe{early, late, 300}, kScroll);
    }
  }

  const WidgetLimits limits_;
  std::map<std::string, double> times_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> MakeRandomWalk(const StrategyOptions& options) {
  return std::make_unique<RandomWalk>(options.widgets);
}

}  // namespace marmoset
