#include "explore/strategy.h"

#include <algorithm>

#include "explore/ape.h"
#include "explore/monkey.h"
#include "explore/random_walk.h"

namespace marmoset {
namespace {

bool Names(const std::string& pattern, const Widget& w) {
  return !pattern.empty() && (pattern == w.resource_id || pattern == w.text || pattern == w.description ||
                              (!w.resource_id.empty() && pattern == ShortName(w.resource_id)));
}

}  // namespace

bool WidgetLimits::Permits(const Widget& widget) const {
  auto names = [&](const std::string& pattern) { return Names(pattern, widget); };
  if (std::any_of(blocked.begin(), blocked.end(), names)) return false;
  return allowed.empty() || std::any_of(allowed.begin(), allowed.end(), names);
}

bool IsPermissionQuestion(const Screen& screen) {
  return screen.package.ends_with(".permissioncontroller") || screen.package.ends_with(".packageinstaller");
}

bool IsContactPicker(const Screen& screen) { return screen.activity.ends_with(".ContactSelectionActivity"); }

bool IsNotificationShade(const Screen& screen) { return screen.package == "com.android.systemui"; }

const std::vector<StrategyEntry>& Strategies() {
  static const std::vector<StrategyEntry> all = {
      {"random", "picks widgets, the less tried the likelier; types into fields; answers dialogs",
       MakeRandomWalk},
      {"ape", "APE: learns a model of the app whose resolution adapts itself, and goes where it has gaps",
       MakeApe},
      {"ape-published", "ape without what goes beyond the paper", MakePublishedApe},
      {"monkey", "Android Monkey's mix of events at random coordinates", MakeMonkey},
  };
  return all;
}

Result<std::unique_ptr<Strategy>> MakeStrategy(std::string_view name, const StrategyOptions& options) {
  std::string known;
  for (const StrategyEntry& entry : Strategies()) {
    if (entry.name == name) return entry.make(options);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  return Fail(ErrorCode::kNotFound, "strategy '{}': not known; there are {}", name, known);
}

}  // namespace marmoset
