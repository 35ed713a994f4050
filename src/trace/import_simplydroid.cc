// The traces of the SimplyDroid study (J. Jiang and others): a patched Monkey wrote what it did as a script
// and, beside it, which activity was in front.
//
// execute.log has one line per low-level event, "index;MonkeyTouchEvent;package;activity;injected". Every
// event of the script ends with a MonkeyThrottleEvent line, so the k-th of these closes the script's k-th
// event. The activity on the last line before it is the state in which the event was performed; the one on
// the line itself is the state after it. The line of the crash, "// CRASH: // stack" with "$$ " for line
// feeds, stands before the last of them.

#include "base/file.h"
#include "trace/import.h"
#include "trace/import_text.h"
#include "trace/monkey_script.h"

namespace marmoset {
namespace {

struct Around {
  std::string before;
  std::string after;
};

struct ExecuteLog {
  std::vector<Around> events;
  std::optional<CrashSignature> crash;
  size_t crash_event = 0;  // During which event (from 0) the crash was written.
};

// Nothing is in front on the home screen; launchers have many names.
bool IsHome(std::string_view package) {
  return package.find("launcher") != std::string_view::npos || package == "com.miui.home";
}

std::string StackOf(std::string_view text) {
  if (text.starts_with("// ")) text.remove_prefix(3);
  std::string stack(text);
  for (size_t at = 0; (at = stack.find("$$ ", at)) != std::string::npos; ++at) stack.replace(at, 3, "\n");
  return stack;
}

ExecuteLog ReadExecuteLog(std::string_view text, Warnings& warnings) {
  constexpr std::string_view kCrash = "// CRASH: ";
  ExecuteLog log;
  Lines lines(text);
  std::string_view line;
  std::string before;
  size_t not_injected = 0;
  auto take_crash = [&](CrashSignature signature) {
    if (log.crash) return;  // What comes after the first crash is another story.
    log.crash = std::move(signature);
    log.crash_event = log.events.size();
  };
  while (lines.Next(line)) {
    if (line.starts_with(kCrash)) {
      const std::string stack = StackOf(line.substr(kCrash.size()));
      if (ParseStack(stack).empty())
        warnings.AddAtLine(lines.number(), "execute.log: a crash without stack: it is not recorded");
      else
        take_crash(SignatureOf({CrashCause::kJava, "", stack}));
      continue;
    }
    if (line.starts_with("// NOT RESPONDING")) {
      take_crash(SignatureOf({CrashCause::kAnr, "", ""}));
      continue;
    }
    if (line.empty() || line.starts_with("//")) continue;
    std::vector<std::string_view> fields;
    for (std::string_view rest = line; fields.size() < 6;) {
      const size_t end = rest.find(';');
      fields.push_back(rest.substr(0, end));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (fields.size() != 5 || !ParseInteger(fields[0])) {
      warnings.AddAtLine(lines.number(), "execute.log: not 'index;event;package;activity;injected': skipped");
      continue;
    }
    std::string activity = IsHome(fields[2]) ? std::string() : std::string(fields[3]);
    if (fields[4] == "0") ++not_injected;
    if (fields[1] == "MonkeyThrottleEvent")
      log.events.push_back({before, std::move(activity)});
    else
      before = std::move(activity);
  }
  if (not_injected > 0)
    warnings.Add(fmt::format("execute.log: {} low-level events were not taken by the phone; they are kept",
                             not_injected));
  return log;
}

}  // namespace

Result<Imported> ParseSimplyDroid(std::string_view script, std::string_view execute_log,
                                  std::optional<Display> display) {
  Warnings warnings;
  Result<MonkeyScript> read = ReadMonkeyScript(DecodeText(script), true, warnings);
  if (!read) return Fail(std::move(read.error()).Within("script.log"));
  if (read->actions.empty()) return Fail(ErrorCode::kNothingToDo, "script.log: there are no events in it");
  const ExecuteLog log = ReadExecuteLog(DecodeText(execute_log), warnings);

  Imported imported;
  Trace& trace = imported.trace;
  trace.package = read->package;
  trace.origin = "SimplyDroid study";
  trace.crash = log.crash;
  size_t after_crash = 0;
  for (ScriptAction& a : read->actions) {
    if (log.crash && a.first_event > log.crash_event) {
      ++after_crash;
      continue;
    }
    Step step;
    step.action = std::move(a.action);
    step.at_ms = a.at_ms;
    if (a.first_event < log.events.size()) step.activity = log.events[a.first_event].before;
    if (a.last_event < log.events.size()) step.activity_after = log.events[a.last_event].after;
    trace.steps.push_back(std::move(step));
  }
  if (after_crash > 0) warnings.Add(fmt::format("{} events after the crash are left out", after_crash));
  if (log.events.size() != read->events)
    warnings.Add(fmt::format("script.log has {} events, execute.log has the activities of {}", read->events,
                             log.events.size()));
  if (!log.crash) warnings.Add("execute.log: there is no crash in it");
  trace.display = display ? *display : GuessDisplay(trace.steps);
  // The study's phones: a Mi 1 with Android 4.4, which has this display, and a Mi 5 with Android 6.
  trace.sdk = trace.display.width == 480 ? 19 : 23;
  imported.warnings = warnings.Take();
  return imported;
}

Result<Imported> ImportSimplyDroid(const fs::path& folder, std::optional<Display> display) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Fail(ErrorCode::kNotFound, "{}: a folder with script.log and execute.log expected",
                folder.string());
  MARMOSET_ASSIGN(const std::string script, ReadFile(folder / "script.log"));
  MARMOSET_ASSIGN(const std::string log, ReadFile(folder / "execute.log"));
  Result<Imported> imported = ParseSimplyDroid(script, log, display);
  if (!imported) return Fail(std::move(imported.error()).Within(folder.string()));
  return imported;
}

}  // namespace marmoset
