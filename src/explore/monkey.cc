// The strategy `monkey`: random events at random places, as `adb shell monkey` sends them.
//
// Each step draws an event type by its share and then a place or key uniformly, without looking at the
// widgets. The shares are Monkey's: touch 15, motion 10, pinchzoom 2, nav 25, majornav 15, syskeys 2,
// appswitch 2, anyevent 13, rotation and permission 0. Monkey's trackball (15) and flip (1) events have no
// counterpart on a device made after 2010; their shares are divided among the others in proportion. Unlike
// Monkey, one event here is a whole gesture (down, moves, up), so that a step can be removed from a trace
// without leaving half a touch behind.
//
// A touch that would fall on a blocked widget is drawn again.

#include "explore/monkey.h"

#include <algorithm>
#include <array>

namespace marmoset {
namespace {

struct ShareField {
  double MonkeyShares::*member;
  double monkey_default;
};
// In the order of Monkey::Draw's cases.
constexpr std::array<ShareField, 10> kFields = {{
    {&MonkeyShares::touch, 15},
    {&MonkeyShares::motion, 10},
    {&MonkeyShares::pinchzoom, 2},
    {&MonkeyShares::rotation, 0},
    {&MonkeyShares::permission, 0},
    {&MonkeyShares::nav, 25},
    {&MonkeyShares::majornav, 15},
    {&MonkeyShares::syskeys, 2},
    {&MonkeyShares::appswitch, 2},
    {&MonkeyShares::anyevent, 13},
}};

constexpr std::array<std::string_view, 4> kNavKeys = {"DPAD_UP", "DPAD_DOWN", "DPAD_LEFT", "DPAD_RIGHT"};
constexpr std::array<std::string_view, 2> kMajorNavKeys = {"MENU", "DPAD_CENTER"};
constexpr std::array<std::string_view, 7> kSysKeys = {"HOME",      "BACK",        "CALL",       "ENDCALL",
                                                      "VOLUME_UP", "VOLUME_DOWN", "VOLUME_MUTE"};
// Keys that apps may react to; Monkey draws from all key codes, most of which no app knows.
constexpr std::array<std::string_view, 20> kAnyKeys = {
    "TAB",    "SPACE",  "ENTER", "DEL", "ESCAPE", "PAGE_UP", "PAGE_DOWN", "MOVE_HOME",        "MOVE_END",
    "SEARCH", "CAMERA", "FOCUS", "A",   "Z",      "0",       "9",         "MEDIA_PLAY_PAUSE", "HEADSETHOOK",
    "STAR",   "POUND"};

constexpr int kMaxRedraws = 50;

template <size_t N>
Action OneOf(const std::array<std::string_view, N>& keys, Random& random) {
  return PressKey{std::string(keys[random.Below(N)])};
}

Point AnyPoint(const Screen& screen, Random& random) {
  return {static_cast<int>(random.Below(static_cast<uint64_t>(std::max(screen.width, 1)))),
          static_cast<int>(random.Below(static_cast<uint64_t>(std::max(screen.height, 1))))};
}

class Monkey : public Strategy {
 public:
  Monkey(const MonkeyShares& shares, WidgetLimits limits) : limits_(std::move(limits)) {
    for (const ShareField& f : kFields) weights_.push_back(shares.*f.member);
  }

  Decision Choose(const Screen& screen, Random& random) override {
    for (int i = 0; i < kMaxRedraws; ++i) {
      Action action = Draw(screen, random);
      if (Permitted(screen, action)) return {std::move(action), {}};
    }
    return {PressKey{"BACK"}, {}};  // Everything here is blocked.
  }

 private:
  Action Draw(const Screen& screen, Random& random) const {
    switch (random.Weighted(weights_)) {
      case 0:
        return Tap{AnyPoint(screen, random)};
      case 1: {
        const Point from = AnyPoint(screen, random);
        return Swipe{from, AnyPoint(screen, random), 200};
      }
      case 2: {
        Pinch p;
        for (Point* point : {&p.from, &p.to, &p.from2, &p.to2}) *point = AnyPoint(screen, random);
        return p;
      }
      case 3:
        return Rotate{static_cast<int>(random.Below(4))};
      case 4:
        return AnswerPermission{random.Chance(0.5)};
      case 5:
        return OneOf(kNavKeys, random);
      case 6:
        return OneOf(kMajorNavKeys, random);
      case 7:
        return OneOf(kSysKeys, random);
      case 8:
        return Launch{};
      default:
        return OneOf(kAnyKeys, random);
    }
  }

  bool Permitted(const Screen& screen, const Action& action) const {
    const std::optional<Point> point = TouchedPoint(action);
    if (!point) return true;
    const std::vector<WidgetRef> reachable = ReachableWidgets(screen);
    return std::none_of(reachable.begin(), reachable.end(), [&](WidgetRef ref) {
      const Widget& w = At(screen, ref);
      return w.clickable && w.bounds.Contains(*point) && !limits_.Permits(w);
    });
  }

  const WidgetLimits limits_;
  std::vector<double> weights_;
};

}  // namespace

Result<MonkeyShares> CompleteShares(const MonkeyShares& shares) {
  double set = 0, unset_defaults = 0;
  for (const ShareField& f : kFields) {
    if (shares.*f.member >= 0)
      set += shares.*f.member;
    else
      unset_defaults += f.monkey_default;
  }
  if (set > 100)
    return Fail(ErrorCode::kBadInput, "the --pct-… shares sum up to {}: at most 100 is possible", set);
  if (unset_defaults == 0 && set <= 0)
    return Fail(ErrorCode::kBadInput, "all --pct-… shares are 0: no event is left");
  MonkeyShares complete = shares;
  for (const ShareField& f : kFields)
    if (complete.*f.member < 0)
      complete.*f.member = unset_defaults > 0 ? f.monkey_default / unset_defaults * (100 - set) : 0;
  return complete;
}

Result<std::unique_ptr<Strategy>> MakeMonkey(const StrategyOptions& options) {
  MARMOSET_ASSIGN(const MonkeyShares shares, CompleteShares(options.monkey));
  return std::make_unique<Monkey>(shares, options.widgets);
}

}  // namespace marmoset
