#include "gui/display_map.h"

#include <algorithm>
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
      : recorded_(recorded), here_(here), width_(Width(recorded, turned)), here_width_(Width(here, turned)) {
    const int height = turned ? recorded.width : recorded.height;
    const int here_height = turned ? here.width : here.height;
    Fill(recorded_bands_, recorded, height);
    Fill(here_bands_, here, here_height);
  }

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
  static int Width(const Display& display, bool turned) { return turned ? display.height : display.width; }
  static int Scale(int value, int from, int to) { return static_cast<int>(int64_t{value} * to / from); }
  static void Fill(Band (&bands)[3], const Display& display, int height) {
    bands[0] = {0, display.status_bar};
    bands[1] = {display.status_bar, height - display.navigation_bar};
    bands[2] = {height - display.navigation_bar, height};
  }

  Display recorded_;
  Display here_;
  int width_;
  int here_width_;
  Band recorded_bands_[3];
  Band here_bands_[3];
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
