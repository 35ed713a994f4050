#include "gui/action.h"

#include <fmt/format.h>

namespace marmoset {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

std::string Pixels(Point p) { return fmt::format("({}, {})", p.x, p.y); }

std::string_view Direction(Point from, Point to) {
  const Point d = to - from;
  if (std::abs(d.x) > std::abs(d.y)) return d.x > 0 ? "right" : "left";
  return d.y > 0 ? "down" : "up";
}

}  // namespace

std::string_view KindName(const Action& action) {
  return std::visit(Overloaded{
                        [](const Launch&) { return "launch"; },
                        [](const Tap&) { return "tap"; },
                        [](const DoubleTap&) { return "double_tap"; },
                        [](const LongTap&) { return "long_tap"; },
                        [](const Swipe&) { return "swipe"; },
                        [](const Drag&) { return "drag"; },
                        [](const Pinch&) { return "pinch"; },
                        [](const TypeText&) { return "text"; },
                        [](const PressKey&) { return "key"; },
                        [](const Rotate&) { return "rotate"; },
                        [](const Wait&) { return "wait"; },
                        [](const SendIntent&) { return "intent"; },
                        [](const AnswerPermission&) { return "permission"; },
                        [](const ProcessDeath&) { return "process_death"; },
                    },
                    action);
}

std::optional<Point> TouchedPoint(const Action& action) {
  using Maybe = std::optional<Point>;
  return std::visit(Overloaded{
                        [](const Tap& a) -> Maybe { return a.at; },
                        [](const DoubleTap& a) -> Maybe { return a.at; },
                        [](const LongTap& a) -> Maybe { return a.at; },
                        [](const Swipe& a) -> Maybe { return a.from; },
                        [](const Drag& a) -> Maybe { return a.from; },
                        [](const Pinch& a) -> Maybe { return a.from; },
                        [](const auto&) -> Maybe { return std::nullopt; },
                    },
                    action);
}

Action MovedTo(Action action, Point to) {
  const std::optional<Point> from = TouchedPoint(action);
  if (!from) return action;
  const Point by = to - *from;
  std::visit(Overloaded{
                 [by](Tap& a) { a.at = a.at + by; },
                 [by](DoubleTap& a) { a.at = a.at + by; },
                 [by](LongTap& a) { a.at = a.at + by; },
                 [by](Swipe& a) { a.from = a.from + by, a.to = a.to + by; },
                 [by](Drag& a) { a.from = a.from + by, a.to = a.to + by; },
                 [by](Pinch& a) {
                   for (Point* p : {&a.from, &a.to, &a.from2, &a.to2}) *p = *p + by;
                 },
                 [](auto&) {},
             },
             action);
  return action;
}

std::string Describe(const Action& action) {
  return std::visit(
      Overloaded{
          [](const Launch& a) { return a.component.empty() ? "launch the app" : "launch " + a.component; },
          [](const Tap& a) { return "tap " + Pixels(a.at); },
          [](const DoubleTap& a) { return "double-tap " + Pixels(a.at); },
          [](const LongTap& a) { return "long-tap " + Pixels(a.at); },
          [](const Swipe& a) {
            return fmt::format("swipe {} from {}", Direction(a.from, a.to), Pixels(a.from));
          },
          [](const Drag& a) { return fmt::format("drag {} to {}", Pixels(a.from), Pixels(a.to)); },
          [](const Pinch& a) { return "pinch at " + Pixels(a.from); },
          [](const TypeText& a) { return fmt::format("{} '{}'", a.replace ? "enter" : "append", a.text); },
          [](const PressKey& a) { return "press " + a.key; },
          [](const Rotate& a) { return fmt::format("rotate to {}°", a.rotation * 90); },
          [](const Wait& a) { return fmt::format("wait {} ms", a.duration_ms); },
          [](const SendIntent& a) {
            std::string text = "send intent";
            for (const std::string* part : {&a.action, &a.data, &a.component})
              if (!part->empty()) text += " " + *part;
            return text;
          },
          [](const AnswerPermission& a) {
            return std::string(a.allow ? "allow the permission" : "deny the permission");
          },
          [](const ProcessDeath&) {
            return std::string("leave the app until its process is ended, and return");
          },
      },
      action);
}

}  // namespace marmoset
