#include "trace/touch_folder.h"

#include <algorithm>
#include <cstdlib>

namespace marmoset {
namespace {

// Between going down and up without a move, Monkey shifts a tap by up to this many pixels in each direction.
// Android takes it for a tap at any distance, as it looks at moves only; a larger shift means that the log
// leaves out moves.
constexpr int kMonkeyTapDrift = 25;

// A finger that moved less than this stood still.
constexpr int kStill = 3;

// Android's time for a long press.
constexpr int64_t kLongTapMs = 500;

// For moves without times: about what a finger takes.
constexpr int64_t kMsPerMove = 10;
constexpr int64_t kLeastSwipeMs = 50;
constexpr int64_t kMostSwipeMs = 5000;

bool Within(Point a, Point b, int distance) {
  return std::abs(a.x - b.x) <= distance && std::abs(a.y - b.y) <= distance;
}

}  // namespace

std::optional<Action> TouchFolder::Add(Kind kind, const std::vector<Finger>& fingers, int64_t at_ms) {
  if (kind == Kind::kCancel) {
    open_ = false;
    return std::nullopt;
  }
  if (kind == Kind::kDown) {
    open_ = true;
    began_ms_ = at_ms;
    moves_ = 0;
    paths_[0] = paths_[1] = {};
  }
  if (!open_) return std::nullopt;
  if (kind == Kind::kMove) ++moves_;
  for (const Finger& f : fingers) {
    if (f.index < 0 || f.index > 1) continue;
    Path& path = paths_[f.index];
    if (!path.seen) path.from = f.at;
    path.seen = true;
    path.to = f.at;
  }
  if (kind != Kind::kUp) return std::nullopt;
  open_ = false;
  if (!paths_[0].seen) return std::nullopt;
  return Finished(at_ms);
}

Action TouchFolder::Finished(int64_t at_ms) const {
  const Path& first = paths_[0];
  const Path& second = paths_[1];
  const int64_t lasted_ms = at_ms - began_ms_;
  const int64_t swipe_ms = std::clamp(std::max(lasted_ms, moves_ * kMsPerMove), kLeastSwipeMs, kMostSwipeMs);
  if (second.seen) return Pinch{first.from, first.to, second.from, second.to, swipe_ms};
  const bool stayed =
      moves_ == 0 ? Within(first.from, first.to, kMonkeyTapDrift) : Within(first.from, first.to, kStill);
  if (!stayed) return Swipe{first.from, first.to, swipe_ms};
  if (lasted_ms >= kLongTapMs) return LongTap{first.from, lasted_ms};
  return Tap{first.from};
}

}  // namespace marmoset
