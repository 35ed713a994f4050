#include "gui/display_map.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace marmoset {
namespace {

// One of the three parts of a display, from top to bottom.
struct Band {
  int top = 0;
  int bottom = 0;  // Exclusive.
  bool is_empty() const { return bottom <= top; }
};

class Map {
 public:
  Map(const Display& recorded, const Display& here, bool turned)
      : width_(turned ? recorded.height : recorded.width),
        here_width_(turned ? here.height : here.width),
        recorded_bands_(Bands(recorded, turned)),
        here_bands_(Bands(here, turned)) {}

  std::optional<Point> Exact(Point p) const {
    if (p.x < 0 || p.x >= width_) return std::nullopt;
    for (size_t i = 0; i < 3; ++i) {
      const Band& from = recorded_bands_[i];
      const Band& to = here_bands_[i];
      if (p.y < from.top || p.y >= from.bottom) continue;
      if (to.is_empty()) return std::nullopt;
      return Point{Scale(p.x, width_, here_width_),
                   to.top + Scale(p.y - from.top, from.bottom - from.top, to.bottom - to.top)};
    }
    return std::nullopt;
  }

  Point Nearest(Point p) const {
    p.x = std::clamp(p.x, 0, width_ - 1);
    p.y = std::clamp(p.y, 0, recorded_bands_[2].bottom - 1);
    if (const auto exact = Exact(p)) return *exact;
    const bool above = p.y < recorded_bands_[1].top;
    return {Scale(p.x, width_, here_width_), above ? here_bands_[1].top : here_bands_[1].bottom - 1};
  }

 private:
  static int Scale(int value, int from, int to) { return static_cast<int>(int64_t{value} * to / from); }
  static std::array<Band, 3> Bands(const Display& display, bool turned) {
    const int height = turned ? display.width : display.height;
    const int bottom_bar = height - display.navigation_bar;
    return {Band{0, display.status_bar}, {display.status_bar, bottom_bar}, {bottom_bar, height}};
  }

  int width_;
  int here_width_;
  std::array<Band, 3> recorded_bands_;
  std::array<Band, 3> here_bands_;
};

}  // namespace

std::optional<Action> OnDisplay(const Action& action, const Display& recorded, const Display& here,
                                bool turned) {
  const std::optional<Point> touched = TouchedPoint(action);
  if (!touched || recorded.width <= 0 || recorded.height <= 0 || recorded == here) return action;
  const Map map(recorded, here, turned);
  const std::optional<Point> first = map.Exact(*touched);
  if (!first) return std::nullopt;
  Action mapped = MovedTo(action, *first);
  if (auto* swipe = std::get_if<Swipe>(&mapped)) swipe->to = map.Nearest(std::get<Swipe>(action).to);
  if (auto* drag = std::get_if<Drag>(&mapped)) drag->to = map.Nearest(std::get<Drag>(action).to);
  if (auto* pinch = std::get_if<Pinch>(&mapped)) {
    const Pinch& original = std::get<Pinch>(action);
    pinch->to = map.Nearest(original.to);
    pinch->from2 = map.Nearest(original.from2);
    pinch->to2 = map.Nearest(original.to2);
  }
  return mapped;
}

}  // namespace marmoset
