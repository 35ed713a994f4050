#include "trace/monkey_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/key_names.h"
#include "trace/touch_folder.h"

namespace marmoset {
namespace {

constexpr std::string_view kTouch = ":Sending Touch (";
constexpr std::string_view kTrackball = ":Sending Trackball (";
constexpr std::string_view kKey = ":Sending Key (";
constexpr std::string_view kFlip = ":Sending Flip ";
constexpr std::string_view kRotation = ":Sending rotation degree=";
constexpr std::string_view kPermission = ":Permission ";
constexpr std::string_view kSwitch = ":Switch: ";
constexpr std::string_view kAllow = ":AllowPackage: ";
constexpr std::string_view kStart = ":Monkey: ";
constexpr std::string_view kSleep = "Sleeping for ";
constexpr std::string_view kWait = "Wait Event for ";
constexpr std::string_view kInjected = "Events injected: ";
constexpr std::string_view kCrash = "// CRASH: ";
constexpr std::string_view kAnr = "// NOT RESPONDING: ";
constexpr std::string_view kFailed = "// Injection Failed";

constexpr int64_t kMostMs = int64_t{1} << 50;

// The text after `begin`, up to `end` or the end.
std::string_view Between(std::string_view line, std::string_view begin, std::string_view end) {
  const size_t from = line.find(begin);
  if (from == std::string_view::npos) return {};
  line.remove_prefix(from + begin.size());
  return line.substr(0, line.find(end));
}

// "ACTION_DOWN" of ":Sending Touch (ACTION_DOWN): …"; Monkey prints numbers for what it has no name for.
std::optional<TouchFolder::Kind> TouchKind(std::string_view name) {
  using Kind = TouchFolder::Kind;
  if (name == "ACTION_DOWN") return Kind::kDown;
  if (name == "ACTION_MOVE") return Kind::kMove;
  if (name == "ACTION_UP") return Kind::kUp;
  if (name == "ACTION_CANCEL") return Kind::kCancel;
  if (name.starts_with("ACTION_POINTER_DOWN")) return Kind::kOtherDown;
  if (name.starts_with("ACTION_POINTER_UP")) return Kind::kOtherUp;
  return std::nullopt;
}

// "0:(953.0,838.0) 1:(1.5,2.0)". Empty when a part does not fit.
std::vector<TouchFolder::Finger> Fingers(std::string_view text) {
  std::vector<TouchFolder::Finger> fingers;
  while (!(text = Trimmed(text)).empty()) {
    const size_t colon = text.find(":("), comma = text.find(','), close = text.find(')');
    if (colon == std::string_view::npos || comma == std::string_view::npos ||
        close == std::string_view::npos || !(colon < comma && comma < close))
      return {};
    const auto index = ParseInteger(text.substr(0, colon));
    const auto x = ParseCoordinate(text.substr(colon + 2, comma - colon - 2));
    const auto y = ParseCoordinate(text.substr(comma + 1, close - comma - 1));
    if (!index || !x || !y || *index < 0 || *index > 1000) return {};
    fingers.push_back({static_cast<int>(*index), PixelAt(*x, *y)});
    text.remove_prefix(close + 1);
  }
  return fingers;
}

class Reader {
 public:
  explicit Reader(Warnings& warnings) : warnings_(warnings) {}

  // False once nothing more is of interest.
  bool Line(size_t number, std::string_view line);
  MonkeyLog Finish();

 private:
  void Touch(std::string_view line);
  void Key(std::string_view line);
  void Switch(std::string_view line);
  void InjectionFailed();
  void Process(CrashCause cause, std::string_view name);
  void CrashLine(std::string_view line);
  void EndCrash();
  void Sleep(std::string_view line, std::string_view begin, bool is_event);
  void Emit(Action action, int64_t at_ms) {
    Step step;
    step.action = std::move(action);
    step.at_ms = at_ms;
    log_.steps.push_back(std::move(step));
  }
  void Emit(Action action) { Emit(std::move(action), now_ms_); }
  bool IsOurs(std::string_view process) const;

  Warnings& warnings_;
  MonkeyLog log_;
  std::vector<std::string> allowed_;
  TouchFolder touches_;
  int64_t now_ms_ = 0;
  bool can_fail_ = false;      // The line before is the whole of the last step.
  bool touch_failed_ = false;  // The open gesture was not taken by the phone.
  bool saw_keys_or_sleeps_ = false;
  bool ended_ = false;
  bool in_crash_ = false;
  size_t steps_to_crash_ = 0;
  std::string crashed_process_;
  std::string stack_;
  size_t trackballs_ = 0, flips_ = 0, permissions_ = 0, failed_ = 0, torn_ = 0;
};

bool Reader::Line(size_t number, std::string_view line) {
  const std::string_view trimmed = Trimmed(line);
  if (in_crash_) CrashLine(line);
  if (log_.crash) return false;
  if (trimmed.starts_with(kFailed)) {
    InjectionFailed();
    return true;
  }
  if (!trimmed.starts_with(':') && !trimmed.starts_with(kSleep) && !trimmed.starts_with(kWait) &&
      !trimmed.starts_with("//") && !trimmed.starts_with("**") && !trimmed.starts_with(kInjected))
    return true;
  if (!trimmed.starts_with("//")) can_fail_ = false;

  if (trimmed.starts_with(kTouch)) {
    Touch(trimmed);
  } else if (trimmed.starts_with(kTrackball)) {
    ++trackballs_;
  } else if (trimmed.starts_with(kKey)) {
    Key(trimmed);
  } else if (trimmed.starts_with(kFlip)) {
    ++flips_;
  } else if (trimmed.starts_with(kPermission)) {
    ++permissions_;
  } else if (trimmed.starts_with(kRotation)) {
    const auto degree = ParseInteger(Between(trimmed, kRotation, ","));
    can_fail_ = degree && *degree >= 0 && *degree <= 3;
    if (can_fail_)
      Emit(Rotate{static_cast<int>(*degree)});
    else
      warnings_.AddAtLine(number, "a rotation that is none: skipped");
  } else if (trimmed.starts_with(kSwitch)) {
    Switch(trimmed);
  } else if (trimmed.starts_with(kAllow)) {
    allowed_.emplace_back(Trimmed(trimmed.substr(kAllow.size())));
  } else if (trimmed.starts_with(kStart)) {
    log_.seed = Between(trimmed, "seed=", " ");
    log_.count = Between(trimmed, "count=", " ");
  } else if (trimmed.starts_with(kSleep)) {
    Sleep(trimmed, kSleep, false);
  } else if (trimmed.starts_with(kWait)) {
    Sleep(trimmed, kWait, true);
  } else if (trimmed.starts_with(kCrash)) {
    Process(CrashCause::kJava, trimmed.substr(kCrash.size()));
  } else if (trimmed.starts_with(kAnr)) {
    Process(CrashCause::kAnr, trimmed.substr(kAnr.size()));
  } else if (trimmed.starts_with("** New native crash detected")) {
    warnings_.AddAtLine(number,
                        "a native crash, whose signal Monkey does not print: no crash is recorded for it");
  } else if (trimmed.starts_with(kInjected)) {
    ended_ = true;  // What is sent afterwards only tidies up.
    return in_crash_;
  }
  return true;
}

void Reader::Touch(std::string_view line) {
  const auto kind = TouchKind(Between(line, kTouch, ")"));
  // The coordinates follow the first "): ".
  const size_t colon = line.find("): ");
  const auto fingers =
      colon == std::string_view::npos ? std::vector<TouchFolder::Finger>() : Fingers(line.substr(colon + 3));
  if (!kind || fingers.empty()) {
    ++torn_;
    touches_.Abandon();
    return;
  }
  if (*kind == TouchFolder::Kind::kDown) {
    if (touches_.open()) ++torn_;
    touch_failed_ = false;
  } else if (!touches_.open()) {
    if (*kind == TouchFolder::Kind::kUp) ++torn_;
    return;
  }
  auto action = touches_.Add(*kind, fingers, now_ms_);
  if (!action) return;
  if (touch_failed_)
    ++failed_;
  else
    Emit(std::move(*action), touches_.began_ms());
}

void Reader::Key(std::string_view line) {
  saw_keys_or_sleeps_ = true;
  if (!Between(line, kKey, ")").starts_with("ACTION_DOWN")) return;  // Its going up is the same press.
  const auto code = ParseInteger(Trimmed(Between(line, "): ", "//")));
  const std::string_view name = code ? KeyName(*code) : std::string_view();
  can_fail_ = !name.empty();
  if (can_fail_)
    Emit(PressKey{std::string(name)});
  else
    ++torn_;
}

void Reader::Switch(std::string_view line) {
  const std::string_view component = Between(line, "component=", ";");
  const size_t slash = component.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == component.size()) {
    ++torn_;
    return;
  }
  if (log_.package.empty()) log_.package = component.substr(0, slash);
  Emit(Launch{ComponentName(component.substr(0, slash), component.substr(slash + 1))});
}

// Which event failed is told by the line before only. At -v Monkey does not print keys but does print their
// failures, so that a touch is taken for failed only when its beginning was: a failure after its end may be
// that of a key.
void Reader::InjectionFailed() {
  if (can_fail_) {
    log_.steps.pop_back();
    can_fail_ = false;
    ++failed_;
  } else if (touches_.open()) {
    touch_failed_ = true;
  }
}

void Reader::Sleep(std::string_view line, std::string_view begin, bool is_event) {
  saw_keys_or_sleeps_ = true;
  const auto ms = ParseInteger(Trimmed(Between(line, begin, "milliseconds")));
  if (!ms || *ms < 0) return;
  const int64_t bounded_ms = std::min(*ms, int64_t{3'600'000});
  if (is_event && !touches_.open()) Emit(Wait{bounded_ms});
  now_ms_ = std::min(now_ms_ + bounded_ms, kMostMs);
}

bool Reader::IsOurs(std::string_view process) const {
  if (allowed_.empty()) return true;
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const std::string& package) {
    return process == package || process.starts_with(package + ":");
  });
}

void Reader::Process(CrashCause cause, std::string_view name) {
  if (in_crash_) EndCrash();
  const std::string_view process = Trimmed(name.substr(0, name.find(" (pid")));
  if (!IsOurs(process)) {
    warnings_.Add(fmt::format("{} of another app, {}: not taken for the app's",
                              cause == CrashCause::kAnr ? "an ANR" : "a crash", process));
    return;
  }
  if (cause == CrashCause::kAnr) {
    log_.crash = SignatureOf({CrashCause::kAnr, "", ""});
    return;
  }
  in_crash_ = true;
  steps_to_crash_ = log_.steps.size();
  crashed_process_ = process;
  stack_.clear();
}

// Report lines begin with "// "; others are of the other stream. The report ends with an empty one.
void Reader::CrashLine(std::string_view line) {
  line = line.starts_with("//") ? line : Trimmed(line);
  if (line.starts_with("** ")) return EndCrash();
  if (!line.starts_with("//")) return;
  line.remove_prefix(2);
  if (Trimmed(line).empty()) return EndCrash();
  if (line.starts_with(' ')) line.remove_prefix(1);
  for (const std::string_view about :
       {"CRASH: ", "Short Msg: ", "Long Msg: ", "Build Label: ", "Build Changelist: ", "Build Time: ",
        "[calendar_time:", "Sending event #", "activityResuming("})
    if (Trimmed(line).starts_with(about)) return;
  stack_ += line;
  stack_ += '\n';
}

void Reader::EndCrash() {
  in_crash_ = false;
  if (ParseStack(stack_).empty()) {
    warnings_.Add(fmt::format("the crash of {} has no stack: it is not recorded", crashed_process_));
    return;
  }
  log_.crash = SignatureOf({CrashCause::kJava, "", stack_});
  // Events that the other stream told of in the middle of the report came after the crash.
  log_.steps.resize(std::min(log_.steps.size(), steps_to_crash_));
}

MonkeyLog Reader::Finish() {
  if (in_crash_) EndCrash();
  if (!allowed_.empty()) log_.package = allowed_[0];
  auto say = [this](size_t count, std::string_view what) {
    if (count > 0) warnings_.Add(fmt::format("{} {}", count, what));
  };
  say(trackballs_, "trackball events are left out: no phone has one any more");
  say(flips_, "keyboard flips are left out");
  say(permissions_, "permission changes are left out");
  say(failed_, "events that the phone did not take are left out");
  say(torn_, "events are left out since the file does not hold them whole");
  if (!log_.steps.empty() && !saw_keys_or_sleeps_)
    warnings_.Add("there are no keys in the log; Monkey prints them only with -v -v");
  if (!ended_ && !log_.crash) warnings_.Add("the log ends before Monkey did");
  return std::move(log_);
}

}  // namespace

bool IsMonkeyLogLine(std::string_view line) {
  line = Trimmed(line);
  for (const std::string_view begin : {std::string_view(":Sending "), kSwitch, kStart, kAllow, kInjected})
    if (line.starts_with(begin)) return true;
  return false;
}

MonkeyLog ReadMonkeyLog(std::string_view text, Warnings& warnings) {
  Reader reader(warnings);
  Lines lines(text);
  std::string_view line;
  bool reading = true;
  size_t events_after = 0;
  while (lines.Next(line)) {
    if (reading)
      reading = reader.Line(lines.number(), line);
    else if (Trimmed(line).starts_with(":Sending Touch") || Trimmed(line).starts_with(":Sending Key"))
      ++events_after;
  }
  MonkeyLog log = reader.Finish();
  if (events_after > 0)
    warnings.Add(fmt::format("{} event lines after the first crash are left out", events_after));
  return log;
}

}  // namespace marmoset
