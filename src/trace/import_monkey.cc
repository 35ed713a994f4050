// Monkey's scripts and logs as traces. What a file is, is told by its content.

#include <algorithm>

#include "base/file.h"
#include "trace/import.h"
#include "trace/import_text.h"
#include "trace/monkey_log.h"
#include "trace/monkey_script.h"

namespace marmoset {
namespace {

enum class Kind { kScript, kLog, kNetwork, kExecuteLog, kHeadless, kUnknown };

// A line of the protocol of `monkey --port`: a word and its arguments, no parentheses.
bool IsNetworkLine(std::string_view line) {
  static constexpr std::string_view kWords[] = {"touch", "key",  "press",     "tap", "type",
                                                "sleep", "wake", "trackball", "flip"};
  return std::find(std::begin(kWords), std::end(kWords), line.substr(0, line.find(' '))) !=
             std::end(kWords) &&
         line.find('(') == std::string_view::npos;
}

Kind KindOf(std::string_view text) {
  Kind guess = Kind::kUnknown;
  Lines lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    if (line.find(kStartOfData) != std::string_view::npos) return Kind::kScript;
    if (IsMonkeyLogLine(line)) return Kind::kLog;
    line = Trimmed(line);
    if (guess != Kind::kUnknown || line.starts_with('#')) continue;
    if (line.find(";Monkey") != std::string_view::npos)
      guess = Kind::kExecuteLog;
    else if (IsNetworkLine(line))
      guess = Kind::kNetwork;
    else if (line.starts_with("LaunchActivity(") || line.starts_with("Tap(") || line.starts_with("Dispatch"))
      guess = Kind::kHeadless;
  }
  return guess;
}

Result<Trace> TraceFromScript(std::string_view text, Warnings& warnings) {
  MARMOSET_ASSIGN(MonkeyScript script, ReadMonkeyScript(text, false, warnings));
  Trace trace;
  trace.package = std::move(script.package);
  trace.origin = "Monkey script";
  for (ScriptAction& a : script.actions) {
    Step step;
    step.action = std::move(a.action);
    step.at_ms = a.at_ms;
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

Trace TraceFromLog(std::string_view text, Warnings& warnings) {
  MonkeyLog log = ReadMonkeyLog(text, warnings);
  Trace trace;
  trace.package = std::move(log.package);
  trace.origin = "Monkey log";
  if (!log.seed.empty()) trace.origin += fmt::format(" (seed {}, count {})", log.seed, log.count);
  trace.crash = std::move(log.crash);
  trace.steps = std::move(log.steps);
  return trace;
}

}  // namespace

Result<Imported> ParseMonkey(std::string_view bytes, std::optional<Display> display) {
  const std::string text = DecodeText(bytes);
  Warnings warnings;
  Imported imported;
  switch (KindOf(text)) {
    case Kind::kScript: {
      MARMOSET_ASSIGN(imported.trace, TraceFromScript(text, warnings));
      break;
    }
    case Kind::kLog:
      imported.trace = TraceFromLog(text, warnings);
      break;
    case Kind::kNetwork:
      return Fail(ErrorCode::kUnsupported,
                  "this is written for Monkey's network protocol (--port), which is another language than "
                  "that of its "
                  "scripts: rewrite it as a script with '{}'",
                  kStartOfData);
    case Kind::kExecuteLog:
      return Fail(ErrorCode::kBadInput,
                  "this is an execute.log of the SimplyDroid study: import its folder with `marmoset import "
                  "simplydroid`");
    case Kind::kHeadless:
      return Fail(
          ErrorCode::kBadInput,
          "a Monkey script without the line '{}', which Monkey refuses too: put it before the first event",
          kStartOfData);
    case Kind::kUnknown:
      return Fail(ErrorCode::kBadInput,
                  "neither a Monkey script (no line '{}') nor a Monkey log (no line ':Sending …')",
                  kStartOfData);
  }
  Trace& trace = imported.trace;
  if (trace.steps.empty())
    return Fail(ErrorCode::kNothingToDo,
                "there is no event in it that can be repeated: record with `monkey -v -v … > FILE 2>&1`");
  trace.display = display ? *display : GuessDisplay(trace.steps);
  if (!std::holds_alternative<Launch>(trace.steps[0].action)) {
    warnings.Add("it does not begin with the start of the app: a launch is put first");
    trace.steps.insert(trace.steps.begin(), Step{});
    trace.steps[0].action = Launch{};
  }
  imported.warnings = warnings.Take();
  return imported;
}

Result<Imported> ImportMonkey(const fs::path& file, std::optional<Display> display) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(file));
  Result<Imported> imported = ParseMonkey(text, display);
  if (!imported) return Fail(std::move(imported.error()).Within(file.string()));
  return imported;
}

}  // namespace marmoset
