// A trace as a script of Android's Monkey.
//
// Monkey finds an event by searching the line for its name, splits at every comma and closing parenthesis,
// and says nothing of what it does not understand. So each line is read back as Monkey would, and a text is
// cut where it has a comma or parenthesis, which are pressed as keys instead.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "trace/export.h"
#include "trace/key_names.h"
#include "trace/monkey_script.h"

namespace marmoset {
namespace {

// Between two actions: the script's reader waits for nothing.
constexpr int64_t kPauseMs = 500;
constexpr int64_t kStartMs = 3000;
constexpr int64_t kPickUpMs = 600;  // A finger that rests so long picks up what can be dragged.
constexpr int kMostDeletions = 200;

int64_t DragSteps(int64_t duration_ms) { return std::max<int64_t>(1, duration_ms / kMsPerDragStep); }

class Writer {
 public:
  Writer(const Trace& trace, const std::string& launcher) : trace_(trace), launcher_(launcher) {}

  Exported Write() {
    for (step_ = 0; step_ < trace_.steps.size(); ++step_) {
      const Step& step = trace_.steps[step_];
      lines_ += fmt::format("# {}: {}\n", step_ + 1, OneLine(Describe(step)));
      std::visit([&](const auto& action) { Do(step, action); }, step.action);
      if (!std::holds_alternative<Wait>(step.action)) Pause(kPauseMs);
    }
    const Display& d = trace_.display;
    out_.text = fmt::format("# {}, {}x{}@{}\ntype= raw events\ncount= {}\nspeed= 1.0\n{}\n{}", trace_.package,
                            d.width, d.height, d.density, events_, kStartOfData, lines_);
    return std::move(out_);
  }

 private:
  // A comment must hold no event, since Monkey would perform it.
  static std::string OneLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '(' || c == ')'; }, ' ');
    return text;
  }

  void Warn(const std::string& what) { out_.warnings.push_back(fmt::format("step {}: {}", step_ + 1, what)); }

  void Event(std::string_view name, const std::string& arguments) {
    const std::string line = fmt::format("{}({})", name, arguments);
    const std::string_view seen = EventThatMonkeySees(line);
    if (seen != name)
      Warn(fmt::format("Monkey finds '{}' in \"{}\" and performs that: do this step by hand", seen, line));
    lines_ += line + '\n';
    ++events_;
  }
  void Pause(int64_t ms) { Event("UserWait", fmt::format("{}", ms)); }
  void Key(std::string_view key) { Event("DispatchPress", fmt::format("KEYCODE_{}", key)); }
  void TapAt(Point at) { Event("Tap", fmt::format("{},{}", at.x, at.y)); }

  void Start(const std::string& component) {
    const size_t slash = component.find('/');
    const std::string package = slash == std::string::npos ? trace_.package : component.substr(0, slash);
    std::string activity = slash == std::string::npos ? launcher_ : component.substr(slash + 1);
    if (activity.starts_with('.')) activity = package + activity;
    Event("LaunchActivity", fmt::format("{},{}", package, activity));
    Pause(kStartMs);
  }

  void Run(const std::string& command) {
    if (command.find_first_of(",()") != std::string::npos)
      return Warn(
          fmt::format("Monkey can run no command with a comma or parenthesis: left out: {}", command));
    Event("RunCmd", command);
  }

  void Pointer(int action, Point at) {
    Event("DispatchPointer", fmt::format("0,0,{},{},{},1.0,1.0,0,1.0,1.0,0,0", action, at.x, at.y));
  }

  void Do(const Step&, const Launch& a) { Start(a.component); }
  void Do(const Step&, const Tap& a) { TapAt(a.at); }
  void Do(const Step&, const DoubleTap& a) {
    TapAt(a.at);
    TapAt(a.at);
  }
  void Do(const Step&, const LongTap& a) {
    Event("PressAndHold", fmt::format("{},{},{}", a.at.x, a.at.y, a.duration_ms));
  }
  void Do(const Step&, const Swipe& a) {
    Event("Drag",
          fmt::format("{},{},{},{},{}", a.from.x, a.from.y, a.to.x, a.to.y, DragSteps(a.duration_ms)));
  }
  void Do(const Step&, const Drag& a) {
    constexpr int kMoves = 10;
    Pointer(0, a.from);
    Pause(kPickUpMs);
    for (int i = 1; i <= kMoves; ++i) {
      Pointer(2, {a.from.x + (a.to.x - a.from.x) * i / kMoves, a.from.y + (a.to.y - a.from.y) * i / kMoves});
      Pause(std::max<int64_t>(1, (a.duration_ms - kPickUpMs) / kMoves));
    }
    Pointer(1, a.to);
  }
  void Do(const Step&, const Pinch& a) {
    Event("PinchZoom", fmt::format("{},{},{},{},{},{},{},{},{}", a.from.x, a.from.y, a.to.x, a.to.y,
                                   a.from2.x, a.from2.y, a.to2.x, a.to2.y, DragSteps(a.duration_ms)));
  }
  void Do(const Step& step, const TypeText& a) {
    if (step.selector) {
      TapAt(step.selector->bounds.center());
      Pause(kPauseMs);
    }
    if (a.replace && step.selector && !step.selector->text.empty()) {
      Key("MOVE_END");
      const auto letters = static_cast<int>(std::count_if(
          step.selector->text.begin(), step.selector->text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
      for (int i = 0; i < std::min(letters, kMostDeletions); ++i) Key("DEL");
    }
    Type(a.text);
  }
  void Do(const Step&, const PressKey& a) {
    if (!KeyCode(a.key)) return Warn(fmt::format("no key '{}': left out", a.key));
    Key(a.key);
  }
  void Do(const Step&, const Rotate& a) { Event("RotateScreen", fmt::format("{},1", a.rotation)); }
  void Do(const Step&, const Wait& a) { Pause(a.duration_ms); }
  void Do(const Step&, const SendIntent& a) {
    std::string command = "am start";
    const auto add = [&](std::string_view flag, const std::string& value) {
      if (!value.empty()) command += fmt::format(" {} {}", flag, value);
    };
    add("-a", a.action);
    add("-d", a.data);
    add("-t", a.type);
    for (const std::string& category : a.categories) add("-c", category);
    add("-n", a.component);
    if (!a.extras.empty()) Warn("the intent's extras are left out");
    Run(command);
  }
  void Do(const Step&, const AnswerPermission& a) {
    Warn(fmt::format("Monkey cannot answer the question for a permission: {} it before with `pm {}`",
                     a.allow ? "grant" : "revoke", a.allow ? "grant" : "revoke"));
  }
  void Do(const Step&, const ProcessDeath&) {
    Key("HOME");
    Pause(kStartMs);
    Run("am kill " + trace_.package);
    Start("");
  }

  // Space is "%s" for `input text`; a real "%s" is typed in two pieces.
  void Type(const std::string& text) {
    std::string piece;
    const auto flush = [&] {
      if (!piece.empty()) Event("DispatchString", piece);
      piece.clear();
    };
    bool foreign = false;
    for (const char c : text) {
      if (c == ',' || c == '(' || c == ')' || c == '\n') {
        flush();
        Key(c == ',' ? "COMMA" : c == '(' ? "NUMPAD_LEFT_PAREN" : c == ')' ? "NUMPAD_RIGHT_PAREN" : "ENTER");
      } else if (c == ' ') {
        piece += "%s";
      } else if (c < ' ' || c > '~') {
        foreign = true;
      } else {
        if (c == 's' && piece.ends_with('%')) flush();
        piece += c;
      }
    }
    flush();
    if (foreign) Warn("Monkey types ASCII only: the other letters are left out");
  }

  const Trace& trace_;
  const std::string& launcher_;
  size_t step_ = 0;
  size_t events_ = 0;
  std::string lines_;
  Exported out_;
};

}  // namespace

Result<Exported> WriteMonkeyScript(const Trace& trace, const std::string& launcher) {
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "the trace has no steps");
  if (trace.package.empty()) return Fail(ErrorCode::kBadInput, "the trace does not say which app it is of");
  return Writer(trace, launcher).Write();
}

}  // namespace marmoset
