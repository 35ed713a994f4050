#include "trace/monkey_script.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "trace/key_names.h"
#include "trace/touch_folder.h"

namespace marmoset {
namespace {

enum class Event {
  kKey,
  kPointer,
  kTrackball,
  kRotate,
  kTap,
  kHold,
  kDrag,
  kPinch,
  kLaunch,
  kWait,
  kProfileWait,
  kPress,
  kLongPress,
  kString,
  kNoAction,  // Nothing that a user does.
};

struct Verb {
  std::string_view name;
  size_t least;  // Arguments.
  size_t most;
  Event event;
};

// In the order in which Monkey searches a line for them.
constexpr Verb kVerbs[] = {
    {"DispatchKey", 8, 8, Event::kKey},
    {"DispatchPointer", 12, 13, Event::kPointer},
    {"DispatchTrackball", 12, 13, Event::kTrackball},
    {"RotateScreen", 2, 2, Event::kRotate},
    {"Tap", 2, 3, Event::kTap},
    {"PressAndHold", 3, 3, Event::kHold},
    {"Drag", 5, 5, Event::kDrag},
    {"PinchZoom", 9, 9, Event::kPinch},
    {"DispatchFlip", 1, 1, Event::kNoAction},
    {"LaunchActivity", 2, 3, Event::kLaunch},
    {"DeviceWakeUp", 0, 1, Event::kNoAction},
    {"LaunchInstrumentation", 2, 2, Event::kNoAction},
    {"UserWait", 1, 1, Event::kWait},
    {"ProfileWait", 0, 1, Event::kProfileWait},
    {"DispatchPress", 1, 1, Event::kPress},
    {"LongPress", 0, 1, Event::kLongPress},
    {"PowerLog", 1, 2, Event::kNoAction},
    {"WriteLog", 0, 1, Event::kNoAction},
    {"RunCmd", 1, 1, Event::kNoAction},
    {"DispatchString", 1, 1, Event::kString},
    {"StartCaptureFramerate", 0, 1, Event::kNoAction},
    {"EndCaptureFramerate", 1, 1, Event::kNoAction},
    {"StartCaptureAppFramerate", 1, 1, Event::kNoAction},
    {"EndCaptureAppFramerate", 2, 2, Event::kNoAction},
};

constexpr int64_t kProfileWaitMs = 5000;  // Monkey's default of --profile-wait.
constexpr int64_t kMostWaitMs = 3'600'000;
constexpr int64_t kLongTapMs = 500;
constexpr int64_t kMostGestureMs = 5000;

const Verb* VerbNamed(std::string_view name) {
  for (const Verb& v : kVerbs)
    if (v.name == name) return &v;
  return nullptr;
}

// The verb that Monkey itself would see in this line.
const Verb* VerbForMonkey(std::string_view line) {
  for (const Verb& v : kVerbs)
    if (line.find(v.name) != std::string_view::npos) return &v;
  return nullptr;
}

class Reader {
 public:
  Reader(bool numbers_are_keys, Warnings& warnings)
      : numbers_are_keys_(numbers_are_keys), warnings_(warnings) {}

  // The header up to kStartOfData. False when there is none.
  bool Header(Lines& lines);
  void EventLine(size_t number, std::string_view line);
  MonkeyScript Finish();

 private:
  void Warn(std::string_view text) { warnings_.AddAtLine(line_, text); }
  bool Take(Event event, const std::vector<std::string_view>& args);
  bool TakePointer(const std::vector<std::string_view>& args);
  bool TakePress(std::string_view key);
  bool TakeRotation(std::string_view degree);
  void Wait(int64_t ms);
  void Emit(Action action) {
    script_.actions.push_back({std::move(action), now_ms_, script_.events, script_.events});
  }

  bool numbers_are_keys_;
  Warnings& warnings_;
  MonkeyScript script_;
  TouchFolder touches_;
  size_t touch_began_ = 0;
  size_t line_ = 0;
  int64_t now_ms_ = 0;
};

bool Reader::Header(Lines& lines) {
  std::string_view line;
  while (lines.Next(line)) {
    line_ = lines.number();
    if (line.find(kStartOfData) != std::string_view::npos) return true;
    const std::string_view trimmed = Trimmed(line);
    if (trimmed.starts_with('#')) continue;
    // Monkey takes what stands after the seventh character, so that the space after '=' matters.
    for (const std::string_view key : {"count", "speed"})
      if (trimmed.starts_with(key) && !trimmed.starts_with(fmt::format("{}= ", key)))
        Warn(fmt::format("'{}': Monkey reads '{}' only as '{}= 1'", trimmed, key, key));
  }
  return false;
}

void Reader::EventLine(size_t number, std::string_view line) {
  line_ = number;
  const std::string_view trimmed = Trimmed(line);
  if (trimmed.empty()) return;
  const size_t open = trimmed.find('(');
  const size_t close = trimmed.find(')', open == std::string_view::npos ? 0 : open);
  const bool is_call = open != std::string_view::npos && close != std::string_view::npos;
  const Verb* for_monkey = is_call ? VerbForMonkey(trimmed) : nullptr;
  if (trimmed.starts_with('#')) {
    if (for_monkey != nullptr)
      Warn(fmt::format("taken as a comment, but Monkey performs the {} in it", for_monkey->name));
    return;
  }
  if (!is_call) {
    Warn("not an event: skipped, as Monkey does");
    return;
  }
  const std::string_view name = Trimmed(trimmed.substr(0, open));
  const Verb* verb = VerbNamed(name);
  if (verb == nullptr) {
    Warn(fmt::format("'{}' is not an event of Monkey's scripts: skipped", name.substr(0, 60)));
    return;
  }
  if (for_monkey != verb)
    Warn(fmt::format("taken as {}, but Monkey finds '{}' in the line and takes it for that", name,
                     for_monkey->name));

  std::vector<std::string_view> args;
  for (std::string_view rest = trimmed.substr(open + 1, close - open - 1);;) {
    const size_t comma = rest.find(',');
    args.push_back(Trimmed(rest.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  // As Java's split: empty fields at the end do not count, except that there is always one.
  while (args.size() > 1 && args.back().empty()) args.pop_back();
  if (args.size() < verb->least || args.size() > verb->most) {
    Warn(fmt::format("{} with {} arguments: skipped, as Monkey does", name, args.size()));
    return;
  }
  if (!Take(verb->event, args)) Warn(fmt::format("{} with arguments that do not fit: skipped", name));
  ++script_.events;
}

bool Reader::Take(Event event, const std::vector<std::string_view>& args) {
  // Coordinates from the `i`-th argument on.
  auto point = [&args](size_t i) -> std::optional<Point> {
    const auto x = ParseCoordinate(args[i]), y = ParseCoordinate(args[i + 1]);
    if (!x || !y) return std::nullopt;
    return PixelAt(*x, *y);
  };
  auto natural = [&args](size_t i) -> std::optional<int64_t> {
    const auto value = ParseInteger(args[i]);
    return value && *value >= 0 ? value : std::nullopt;
  };
  switch (event) {
    case Event::kKey: {
      const auto action = ParseInteger(args[2]), code = ParseInteger(args[3]);
      if (!action || !code || KeyName(*code).empty()) return false;
      if (*action == 0) Emit(PressKey{std::string(KeyName(*code))});  // Its going up is the same press.
      return true;
    }
    case Event::kPointer:
      return TakePointer(args);
    case Event::kTrackball:
      Warn("no phone has a trackball any more: skipped");
      return true;
    case Event::kRotate:
      return TakeRotation(args[0]);
    case Event::kTap: {
      const auto at = point(0);
      const auto ms = args.size() == 3 ? natural(2) : std::optional<int64_t>(0);
      if (!at || !ms) return false;
      if (*ms >= kLongTapMs)
        Emit(LongTap{*at, std::min(*ms, kMostWaitMs)});
      else
        Emit(Tap{*at});
      return true;
    }
    case Event::kHold: {
      const auto at = point(0);
      const auto ms = natural(2);
      if (!at || !ms) return false;
      Emit(LongTap{*at, std::min(*ms, kMostWaitMs)});
      return true;
    }
    case Event::kDrag: {
      const auto from = point(0), to = point(2);
      const auto steps = natural(4);
      if (!from || !to || !steps || *steps == 0) return false;
      Emit(Swipe{*from, *to, std::min(*steps, kMostGestureMs / kMsPerDragStep) * kMsPerDragStep});
      return true;
    }
    case Event::kPinch: {
      const auto from = point(0), to = point(2), from2 = point(4), to2 = point(6);
      const auto steps = natural(8);
      if (!from || !to || !from2 || !to2 || !steps || *steps == 0) return false;
      Emit(Pinch{*from, *to, *from2, *to2,
                 std::min(*steps, kMostGestureMs / kMsPerDragStep) * kMsPerDragStep});
      return true;
    }
    case Event::kLaunch: {
      if (args[0].empty() || args[1].empty()) return false;
      if (script_.package.empty()) script_.package = args[0];
      Emit(Launch{ComponentName(args[0], args[1])});
      return true;
    }
    case Event::kWait: {
      const auto ms = natural(0);
      if (!ms) return false;
      Wait(*ms);
      return true;
    }
    case Event::kProfileWait:
      Wait(kProfileWaitMs);
      return true;
    case Event::kPress:
      return TakePress(args[0]);
    case Event::kLongPress:
      Warn("LongPress holds DPAD_CENTER for two seconds: taken as an ordinary press");
      Emit(PressKey{"DPAD_CENTER"});
      return true;
    case Event::kString: {
      if (args[0].empty()) return false;
      // Monkey hands the text to `input text`, which takes "%s" for a space.
      std::string text(args[0]);
      for (size_t at = 0; (at = text.find("%s", at)) != std::string::npos;) text.replace(at, 2, " ");
      Emit(TypeText{std::move(text), false});
      return true;
    }
    case Event::kNoAction:
      Warn("not a user's action: skipped");
      return true;
  }
  return false;
}

bool Reader::TakePointer(const std::vector<std::string_view>& args) {
  const auto code = ParseInteger(args[2]);
  const auto x = ParseCoordinate(args[3]), y = ParseCoordinate(args[4]);
  const auto finger = args.size() == 13 ? ParseInteger(args[12]) : std::optional<int64_t>(0);
  if (!code || !x || !y || !finger || *finger < 0 || *finger > 1) return false;
  using Kind = TouchFolder::Kind;
  // MotionEvent's actions; of those for a second finger the low byte.
  static constexpr Kind kKinds[] = {Kind::kDown,   Kind::kUp,        Kind::kMove,   Kind::kCancel,
                                    Kind::kCancel, Kind::kOtherDown, Kind::kOtherUp};
  const int64_t low = *code & 0xff;
  if (*code < 0 || low >= static_cast<int64_t>(std::size(kKinds))) return false;
  const Kind kind = kKinds[low];
  if (kind == Kind::kDown) {
    if (touches_.open()) Warn("the finger was down already: the touch before is left out");
    touch_began_ = script_.events;
  } else if (!touches_.open()) {
    Warn("the finger was not down: skipped");
    return true;
  }
  if (auto action = touches_.Add(kind, {{static_cast<int>(*finger), PixelAt(*x, *y)}}, now_ms_)) {
    Emit(std::move(*action));
    script_.actions.back().first_event = touch_began_;
    script_.actions.back().at_ms = touches_.began_ms();
  }
  return true;
}

bool Reader::TakePress(std::string_view key) {
  if (const auto code = ParseInteger(key)) {
    const std::string_view name = KeyName(*code);
    if (name.empty()) return false;
    if (!numbers_are_keys_)
      Warn(fmt::format("DispatchPress({}): Monkey ignores key numbers; taken as KEYCODE_{}", *code, name));
    Emit(PressKey{std::string(name)});
    return true;
  }
  const auto code = KeyCode(key);
  if (!code) return false;
  if (!key.starts_with("KEYCODE_"))
    Warn(fmt::format("Monkey ignores '{}'; taken as KEYCODE_{}", key, KeyName(*code)));
  Emit(PressKey{std::string(KeyName(*code))});
  return true;
}

bool Reader::TakeRotation(std::string_view degree) {
  const auto value = ParseInteger(degree);
  if (!value) return false;
  if (*value >= 0 && *value <= 3) {
    Emit(Rotate{static_cast<int>(*value)});
    return true;
  }
  if (*value < 0 || *value > 270 || *value % 90 != 0) return false;
  Warn(fmt::format("Monkey counts quarter turns and does not know {}; taken as {}", *value, *value / 90));
  Emit(Rotate{static_cast<int>(*value / 90)});
  return true;
}

void Reader::Wait(int64_t ms) {
  ms = std::min(ms, kMostWaitMs);
  // With a finger down it is how long the finger stays.
  if (!touches_.open()) Emit(marmoset::Wait{ms});
  // Bounded, so that no number of waits makes it overflow.
  now_ms_ = std::min(now_ms_ + ms, int64_t{1} << 50);
}

MonkeyScript Reader::Finish() {
  if (touches_.open()) warnings_.Add("the script ends with a finger down: that touch is left out");
  return std::move(script_);
}

}  // namespace

std::string_view EventThatMonkeySees(std::string_view line) {
  const Verb* verb = VerbForMonkey(line);
  return verb ? verb->name : std::string_view();
}

Result<MonkeyScript> ReadMonkeyScript(std::string_view text, bool numbers_are_keys, Warnings& warnings) {
  Lines lines(text);
  Reader reader(numbers_are_keys, warnings);
  if (!reader.Header(lines))
    return Fail(ErrorCode::kBadInput,
                "not a Monkey script: the line '{}' is missing, without which Monkey refuses it too: put it "
                "before the "
                "first event",
                kStartOfData);
  std::string_view line;
  while (lines.Next(line)) reader.EventLine(lines.number(), line);
  return reader.Finish();
}

}  // namespace marmoset
