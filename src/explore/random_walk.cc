// The strategy `random`: what a curious person without a plan would do.
//
// On each screen it lists what can be done to the reachable widgets (tap, long-tap, type, scroll) and to the
// app (BACK, MENU, rotate) and draws one of them. Each has a base weight by kind, divided by one more than
// the number of times that the same thing was done before: new widgets are likely, old ones never die out.
// "The same thing" is an action of the same kind on a widget of the same activity, resource id and class
// path.
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
// BACK and MENU wear out more slowly than widgets: they are ways, not places.
constexpr double kKeyWear = 0.02;

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

std::string KeyKey(std::string_view activity, std::string_view key) {
  return fmt::format("{}|key|{}", activity, key);
}

std::string RotateKey(std::string_view activity) { return fmt::format("{}|rotate", activity); }

class RandomWalk : public Strategy {
 public:
  explicit RandomWalk(WidgetLimits limits) : limits_(std::move(limits)) {}

  Decision Choose(const Screen& screen, Random& random) override {
    std::vector<Option> options;
    for (const WidgetRef ref : ReachableWidgets(screen)) AddWidget(screen, ref, random, options);
    Add(options, {PressKey{"BACK"}, {}}, KeyKey(screen.activity, "BACK"), kBack);
    Add(options, {PressKey{"MENU"}, {}}, KeyKey(screen.activity, "MENU"), kMenu);
    Add(options, {Rotate{screen.rotation == 0 ? 1 : 0}, {}}, RotateKey(screen.activity), kRotate);
    std::vector<double> weights;
    for (const Option& o : options) weights.push_back(o.weight);
    return options[random.Weighted(weights)].decision;
  }

  void Remember(const Step& step) override { ++times_[KeyOf(step)]; }

 private:
  // A recorded step in the words of Choose's keys.
  static std::string KeyOf(const Step& step) {
    if (const auto* key = std::get_if<PressKey>(&step.action)) return KeyKey(step.activity, key->key);
    if (std::holds_alternative<Rotate>(step.action)) return RotateKey(step.activity);
    const Selector& s = step.selector ? *step.selector : Selector{};
    return WidgetKey(step.activity, KindName(step.action), s.resource_id, s.class_path);
  }

  void Add(std::vector<Option>& options, Decision decision, const std::string& key, double weight) {
    const auto it = times_.find(key);
    const double times = it == times_.end() ? 0 : it->second;
    const double wear = decision.widget ? 1 : kKeyWear;
    options.push_back({std::move(decision), weight / (1 + wear * times)});
  }

  void AddWidget(const Screen& screen, WidgetRef ref, Random& random, std::vector<Option>& options) {
    const Widget& w = At(screen, ref);
    if (!w.enabled || w.bounds.empty() || !limits_.Permits(w)) return;
    const std::string path = ClassPath(screen.windows[static_cast<size_t>(ref.window)], ref.widget);
    const Point center = w.bounds.center();
    auto add = [&](Action action, double weight) {
      const std::string key = WidgetKey(screen.activity, KindName(action), w.resource_id, path);
      Add(options, {std::move(action), ref}, key, weight);
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
