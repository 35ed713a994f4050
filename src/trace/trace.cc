#include "trace/trace.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "gui/codec.h"

namespace marmoset {
namespace {

// Text from a device may hold bytes that are not UTF-8; a trace file is always valid JSON.
std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Number>
bool ParseWhole(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

Result<int> BoundedAt(const Json& object, const char* key, int fallback, int least, int most) {
  MARMOSET_ASSIGN(const int64_t value, IntegerAt(object, key, fallback));
  if (value < least || value > most)
    return Fail(ErrorCode::kBadInput, "'{}': {} to {} expected, {} found", key, least, most, value);
  return static_cast<int>(value);
}

Result<int64_t> NaturalAt(const Json& object, const char* key) {
  MARMOSET_ASSIGN(const int64_t value, IntegerAt(object, key));
  if (value < 0) return Fail(ErrorCode::kBadInput, "'{}': {} is negative", key, value);
  return value;
}

Result<uint64_t> ScreenHashAt(const Json& object, const char* key) {
  MARMOSET_ASSIGN(const std::string text, StringAt(object, key));
  uint64_t hash = 0;
  if (!text.empty() && !ParseWhole(text, hash, 16))
    return Fail(ErrorCode::kBadInput, "'{}': up to 16 hexadecimal digits expected", key);
  return hash;
}

Json ToJson(const Display& d) {
  Json json;
  json["width"] = d.width;
  json["height"] = d.height;
  json["density"] = d.density;
  json["status_bar"] = d.status_bar;
  json["navigation_bar"] = d.navigation_bar;
  return json;
}

Result<Display> DisplayFromJson(const Json& json) {
  constexpr int kMostPixels = 100'000;
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "an object expected");
  Display d;
  MARMOSET_ASSIGN(d.width, BoundedAt(json, "width", d.width, 1, kMostPixels));
  MARMOSET_ASSIGN(d.height, BoundedAt(json, "height", d.height, 1, kMostPixels));
  MARMOSET_ASSIGN(d.density, BoundedAt(json, "density", d.density, 1, 10'000));
  MARMOSET_ASSIGN(d.status_bar, BoundedAt(json, "status_bar", d.status_bar, 0, kMostPixels));
  MARMOSET_ASSIGN(d.navigation_bar, BoundedAt(json, "navigation_bar", d.navigation_bar, 0, kMostPixels));
  return d;
}

// The version, or why this is no header of a trace that we read.
Status CheckFormat(const Json& json) {
  if (!json.is_object() || !json.contains("marmoset_trace"))
    return Fail(
        ErrorCode::kBadInput,
        "not a Marmoset trace: the first line is not a header with 'marmoset_trace' (recordings of other "
        "tools are read by `marmoset import`)");
  MARMOSET_ASSIGN(const int64_t format, IntegerAt(json, "marmoset_trace"));
  if (format < 1) return Fail(ErrorCode::kBadInput, "'marmoset_trace': there is no format {}", format);
  if (format > kTraceFormat)
    return Fail(ErrorCode::kUnsupported,
                "the trace has format {}, this version of marmoset reads up to {}: update marmoset", format,
                kTraceFormat);
  return {};
}

Result<Trace> HeaderFromJson(const Json& json) {
  MARMOSET_TRY(CheckFormat(json));
  Trace trace;
  MARMOSET_ASSIGN(trace.package, StringAt(json, "package"));
  MARMOSET_ASSIGN(trace.version_name, StringAt(json, "version_name"));
  MARMOSET_ASSIGN(trace.version_code, NaturalAt(json, "version_code"));
  MARMOSET_ASSIGN(trace.apk_sha256, StringAt(json, "apk_sha256"));
  if (const auto it = json.find("display"); it != json.end()) {
    auto display = DisplayFromJson(*it);
    if (!display) return Fail(std::move(display.error()).Within("'display'"));
    trace.display = *display;
  }
  MARMOSET_ASSIGN(const int64_t sdk, NaturalAt(json, "sdk"));
  trace.sdk = static_cast<int>(std::min<int64_t>(sdk, 10'000));
  MARMOSET_ASSIGN(trace.device, StringAt(json, "device"));
  if (const auto it = json.find("profile"); it != json.end()) {
    if (!it->is_object()) return Fail(ErrorCode::kBadInput, "'profile': an object expected");
    trace.profile = Dump(*it);
  }
  MARMOSET_ASSIGN(const std::string seed, StringAt(json, "seed", "0"));
  if (!ParseWhole(seed, trace.seed, 10))
    return Fail(ErrorCode::kBadInput, "'seed': a 64-bit number in quotes expected, '{}' found", seed);
  MARMOSET_ASSIGN(trace.origin, StringAt(json, "origin"));
  if (json.contains("crash")) {
    MARMOSET_ASSIGN(const std::string crash, StringAt(json, "crash"));
    trace.crash = ParseSignature(crash);
    if (trace.crash->exception.empty())
      return Fail(ErrorCode::kBadInput,
                  "'crash': a signature such as 'java.lang.X at a.B.c(B.java:1)' expected");
  }
  return trace;
}

Result<Step> StepFromJson(const Json& json) {
  if (!json.is_object()) return Fail(ErrorCode::kBadInput, "an object expected");
  Step step;
  const auto action = json.find("action");
  if (action == json.end()) return Fail(ErrorCode::kBadInput, "a step needs an 'action'");
  MARMOSET_ASSIGN(step.action, ActionFromJson(*action));
  if (const auto it = json.find("selector"); it != json.end()) {
    MARMOSET_ASSIGN(step.selector, SelectorFromJson(*it));
  }
  MARMOSET_ASSIGN(step.activity, StringAt(json, "activity"));
  MARMOSET_ASSIGN(step.activity_after, StringAt(json, "activity_after"));
  MARMOSET_ASSIGN(step.screen, ScreenHashAt(json, "screen"));
  MARMOSET_ASSIGN(step.screen_after, ScreenHashAt(json, "screen_after"));
  MARMOSET_ASSIGN(step.at_ms, NaturalAt(json, "at_ms"));
  return step;
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

std::string HeaderLine(const Trace& trace) {
  Json json;
  json["marmoset_trace"] = kTraceFormat;
  auto add = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  add("package", trace.package);
  add("version_name", trace.version_name);
  if (trace.version_code != 0) json["version_code"] = trace.version_code;
  add("apk_sha256", trace.apk_sha256);
  json["display"] = ToJson(trace.display);
  if (trace.sdk != 0) json["sdk"] = trace.sdk;
  add("device", trace.device);
  if (!trace.profile.empty()) json["profile"] = Json::parse(trace.profile);
  json["seed"] = std::to_string(trace.seed);  // Text: readers with doubles for numbers would round it.
  add("origin", trace.origin);
  if (trace.crash) json["crash"] = trace.crash->ToString();
  return Dump(json) + "\n";
}

std::string StepLine(const Step& step) {
  Json json;
  json["action"] = ToJson(step.action);
  if (step.selector) json["selector"] = ToJson(*step.selector);
  if (!step.activity.empty()) json["activity"] = step.activity;
  if (!step.activity_after.empty()) json["activity_after"] = step.activity_after;
  if (step.screen != 0) json["screen"] = Hex64(step.screen);
  if (step.screen_after != 0) json["screen_after"] = Hex64(step.screen_after);
  if (step.at_ms != 0) json["at_ms"] = step.at_ms;
  return Dump(json) + "\n";
}

std::string ToText(const Trace& trace) {
  std::string text = HeaderLine(trace);
  for (const Step& step : trace.steps) text += StepLine(step);
  return text;
}

Result<Trace> ParseTrace(std::string_view text) {
  std::optional<Trace> trace;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t feed = text.find('\n');
    const bool ended = feed != std::string_view::npos;
    const std::string_view line = text.substr(0, feed);
    text.remove_prefix(ended ? feed + 1 : text.size());
    if (IsBlank(line)) continue;
    auto within_line = [number](Error error) {
      return Fail(std::move(error).Within(fmt::format("line {}", number)));
    };
    Result<Json> json = ParseJson(line);
    if (!json) {
      // An object that was cut off never parses, so a last line that does is whole even without line feed.
      if (trace && !ended) break;
      return within_line(std::move(json.error()));
    }
    if (!trace) {
      Result<Trace> header = HeaderFromJson(*json);
      if (!header) return within_line(std::move(header.error()));
      trace = std::move(*header);
      continue;
    }
    Result<Step> step = StepFromJson(*json);
    if (!step) return within_line(std::move(step.error()));
    trace->steps.push_back(std::move(*step));
  }
  if (!trace) return Fail(ErrorCode::kBadInput, "not a Marmoset trace: the file is empty");
  return std::move(*trace);
}

Result<Trace> ReadTrace(const fs::path& path) {
  MARMOSET_ASSIGN(const std::string text, ReadFile(path));
  Result<Trace> trace = ParseTrace(text);
  if (!trace) return Fail(std::move(trace.error()).Within(path.string()));
  return trace;
}

Status WriteTrace(const fs::path& path, const Trace& trace) { return WriteFile(path, ToText(trace)); }

std::string Describe(const Step& step) {
  std::string text = Describe(step.action);
  if (!step.selector || step.selector->label.empty()) return text;
  if (const auto* typed = std::get_if<TypeText>(&step.action))
    return text + (typed->replace ? " into " : " to ") + step.selector->label;
  if (!TouchedPoint(step.action)) return text;
  // The words of a touch hold its points as "(x, y)"; the name of the widget says more than the first of
  // them.
  const size_t open = text.find('(');
  const size_t close = text.find(')', open);
  if (close == std::string::npos) return text;
  return text.replace(open, close + 1 - open, step.selector->label);
}

}  // namespace marmoset
