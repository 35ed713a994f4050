#include "device/perform.h"

#include <algorithm>

namespace marmoset {
namespace {

bool HasFocus(const Screen& screen, Point field) {
  const std::vector<WidgetRef> reachable = ReachableWidgets(screen);
  return std::any_of(reachable.begin(), reachable.end(), [&](WidgetRef ref) {
    const Widget& w = At(screen, ref);
    return w.focused && w.editable && w.bounds.Contains(field);
  });
}

}  // namespace

Result<Outcome> PerformOn(Device& device, const Action& action, std::optional<Point> field,
                          const Screen& screen) {
  if (!std::holds_alternative<TypeText>(action) || !field || HasFocus(screen, *field))
    return device.Perform(action);
  MARMOSET_ASSIGN(Outcome tapped, device.Perform(Tap{*field}));
  if (tapped.process_died()) return tapped;
  MARMOSET_ASSIGN(Outcome typed, device.Perform(action));
  // One step for the caller: what the tap did comes before what the text did.
  auto prepend = [](auto& later, auto& earlier) {
    later.insert(later.begin(), earlier.begin(), earlier.end());
  };
  prepend(typed.left_app, tapped.left_app);
  prepend(typed.activities, tapped.activities);
  prepend(typed.toasts, tapped.toasts);
  prepend(typed.log, tapped.log);
  typed.finished = typed.finished || tapped.finished;
  return typed;
}

}  // namespace marmoset
