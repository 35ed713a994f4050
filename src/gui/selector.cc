#include "gui/selector.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace marmoset {
namespace {

bool AnswersToTouch(const Widget& w) {
  return w.enabled && (w.clickable || w.long_clickable || w.checkable || w.editable || w.scrollable);
}

double Fraction(int value, int from, int size) {
  return size <= 0 ? 0.5 : std::clamp(static_cast<double>(value - from) / size, 0.0, 1.0);
}

}  // namespace

Selector SelectorOf(const Screen& screen, WidgetRef ref, Point point) {
  const Widget& w = At(screen, ref);
  Selector selector;
  selector.resource_id = w.resource_id;
  selector.text = w.text;
  selector.description = w.description;
  selector.class_name = w.class_name;
  selector.class_path = ClassPath(screen.windows[static_cast<size_t>(ref.window)], ref.widget);
  selector.label = Describe(screen, ref);
  selector.bounds = w.bounds;
  selector.fraction_x = Fraction(point.x, w.bounds.left, w.bounds.width());
  selector.fraction_y = Fraction(point.y, w.bounds.top, w.bounds.height());
  return selector;
}

std::optional<Selector> SelectorAt(const Screen& screen, Point point) {
  std::optional<WidgetRef> deepest, answering;
  // Pre-order: a later widget that contains the point lies deeper or in front.
  for (const WidgetRef ref : ReachableWidgets(screen)) {
    const Widget& w = At(screen, ref);
    if (!w.bounds.Contains(point)) continue;
    deepest = ref;
    if (AnswersToTouch(w)) answering = ref;
  }
  if (answering) return SelectorOf(screen, *answering, point);
  if (deepest) return SelectorOf(screen, *deepest, point);
  return std::nullopt;
}

std::string_view FoundByName(FoundBy by) {
  switch (by) {
    case FoundBy::kAll:
      return "all";
    case FoundBy::kResourceId:
      return "resource_id";
    case FoundBy::kLabel:
      return "label";
    case FoundBy::kClassPath:
      return "class_path";
    case FoundBy::kPoint:
      return "point";
  }
  return "point";
}

FoundWidget Find(const Selector& selector, const Screen& screen) {
  const std::vector<WidgetRef> reachable = ReachableWidgets(screen);
  auto same_path = [&](WidgetRef ref) {
    return ClassPath(screen.windows[static_cast<size_t>(ref.window)], ref.widget) == selector.class_path;
  };
  auto same_id = [&](WidgetRef ref) { return At(screen, ref).resource_id == selector.resource_id; };
  auto same_class = [&](WidgetRef ref) { return At(screen, ref).class_name == selector.class_name; };
  auto same_label = [&](WidgetRef ref) { return same_class(ref) && Describe(screen, ref) == selector.label; };
  // The only widget that matches or, of several, the only one of these with the recorded class path.
  auto only = [&](const std::function<bool(WidgetRef)>& matches) -> std::optional<WidgetRef> {
    std::vector<WidgetRef> found;
    for (const WidgetRef ref : reachable)
      if (!At(screen, ref).bounds.empty() && matches(ref)) found.push_back(ref);
    if (found.size() > 1) std::erase_if(found, [&](WidgetRef ref) { return !same_path(ref); });
    if (found.size() == 1) return found[0];
    return std::nullopt;
  };

  const bool has_id = !selector.resource_id.empty();
  const bool has_label =
      selector.label.starts_with('\'');  // Something that the screen shows, not a class or id.
  if (has_id && has_label)
    if (auto ref = only([&](WidgetRef r) { return same_id(r) && same_label(r); }))
      return {FoundBy::kAll, ref};
  if (has_id)
    if (auto ref = only(same_id)) return {FoundBy::kResourceId, ref};
  // The same words elsewhere are meant only when the recorded widget had no name of its own.
  if (has_label && !has_id)
    if (auto ref = only(same_label)) return {FoundBy::kLabel, ref};
  if (!has_label && !has_id && !selector.class_path.empty())
    if (auto ref = only([&](WidgetRef r) { return same_class(r) && same_path(r); }))
      return {FoundBy::kClassPath, ref};
  return {};
}

Action Aim(const Action& action, const Selector& selector, const FoundWidget& found, const Screen& screen) {
  if (!found.widget || !TouchedPoint(action)) return action;
  const Rect& box = At(screen, *found.widget).bounds;
  auto inside = [](double fraction, int from, int size) {
    const int offset = static_cast<int>(std::lround(fraction * size));
    return from + std::clamp(offset, 0, std::max(size - 1, 0));
  };
  return MovedTo(action, {inside(selector.fraction_x, box.left, box.width()),
                          inside(selector.fraction_y, box.top, box.height())});
}

}  // namespace marmoset
