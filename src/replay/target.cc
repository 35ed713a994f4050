#include "replay/target.h"

namespace marmoset {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

Result<Target> ParseTarget(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string value(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (kind == "crash") return CrashTarget{ParseSignature(value)};
  if (value.empty())
    return Fail(ErrorCode::kBadInput,
                "target '{}': expected crash, crash:SIGNATURE, activity:NAME, widget:PATTERN, log:REGEX or "
                "command:SHELL",
                text);
  if (kind == "activity") return ActivityTarget{value};
  if (kind == "widget") return WidgetTarget{value};
  if (kind == "command") return CommandTarget{value};
  if (kind == "log") {
    try {
      return LogTarget{value,
                       std::make_shared<std::regex>(value, std::regex::ECMAScript | std::regex::optimize)};
    } catch (const std::regex_error& e) {
      return Fail(ErrorCode::kBadInput, "target '{}': not a regular expression: {}", text, e.what());
    }
  }
  return Fail(ErrorCode::kBadInput, "target '{}': '{}' is not crash, activity, widget, log or command", text,
              kind);
}

std::string ToText(const Target& target) {
  return std::visit(Overloaded{
                        [](const CrashTarget& t) {
                          return t.signature.exception.empty() ? std::string("crash")
                                                               : "crash:" + t.signature.ToString();
                        },
                        [](const ActivityTarget& t) { return "activity:" + t.name; },
                        [](const WidgetTarget& t) { return "widget:" + t.pattern; },
                        [](const LogTarget& t) { return "log:" + t.pattern; },
                        [](const CommandTarget& t) { return "command:" + t.command; },
                    },
                    target);
}

std::string Describe(const Target& target) {
  return std::visit(Overloaded{
                        [](const CrashTarget& t) {
                          return t.signature.exception.empty() ? std::string("any crash")
                                                               : "the crash " + t.signature.ToString();
                        },
                        [](const ActivityTarget& t) { return "the activity " + t.name; },
                        [](const WidgetTarget& t) { return "a widget '" + t.pattern + "' on screen"; },
                        [](const LogTarget& t) { return "a log line like /" + t.pattern + "/"; },
                        [](const CommandTarget& t) { return "success of `" + t.command + "`"; },
                    },
                    target);
}

}  // namespace marmoset
