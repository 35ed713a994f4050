#include "gui/crash.h"

#include <algorithm>
#include <charconv>

namespace marmoset {
namespace {

std::string_view Trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// "com.example.Main.onClick(Main.java:12)", after "at ".
StackFrame ParseFrame(std::string_view text) {
  StackFrame frame;
  const size_t open = text.find('(');
  frame.method = Trim(text.substr(0, open));
  if (open == std::string_view::npos) return frame;
  std::string_view place = text.substr(open + 1);
  place = place.substr(0, place.find(')'));
  const size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    const std::string_view digits = place.substr(colon + 1);
    int line = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
    if (error == std::errc() && end == digits.data() + digits.size()) frame.line = line;
    place = place.substr(0, colon);
  }
  if (place != "Native Method" && place != "Unknown Source") frame.file = place;
  return frame;
}

// Whether the text before the first ':' looks like a class name, as in "java.lang.X: message" and
// "java.lang.X".
bool LooksLikeException(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  return name.find('.') != std::string_view::npos && name.find(' ') == std::string_view::npos &&
         name.find('(') == std::string_view::npos;
}

std::string FrameText(const StackFrame& f) {
  std::string text = f.method;
  if (f.file.empty()) return text;
  text += "(" + f.file;
  if (f.line > 0) text += ":" + std::to_string(f.line);
  return text + ")";
}

}  // namespace

std::string_view CrashCauseName(CrashCause cause) {
  switch (cause) {
    case CrashCause::kJava:
      return "java";
    case CrashCause::kAnr:
      return "anr";
    case CrashCause::kNative:
      return "native";
  }
  return "java";
}

std::vector<ThrowableText> ParseStack(std::string_view stack) {
  std::vector<ThrowableText> chain;
  bool in_suppressed = false;
  while (!stack.empty()) {
    const size_t end = std::min(stack.find('\n'), stack.size());
    std::string_view line = Trim(stack.substr(0, end));
    stack.remove_prefix(std::min(end + 1, stack.size()));
    if (line.starts_with("Suppressed: ")) {
      in_suppressed = true;
      continue;
    }
    if (line.starts_with("at ")) {
      if (!chain.empty() && !in_suppressed) chain.back().frames.push_back(ParseFrame(line.substr(3)));
      continue;
    }
    const bool caused = line.starts_with("Caused by: ");
    if (caused) line.remove_prefix(11);
    if (!caused && !chain.empty()) continue;  // A further line of the message, or "... 12 more".
    if (!LooksLikeException(line)) continue;
    in_suppressed = false;
    ThrowableText t;
    const size_t colon = line.find(": ");
    t.exception = line.substr(0, colon);
    if (t.exception.ends_with(':')) t.exception.pop_back();
    if (colon != std::string_view::npos) t.message = line.substr(colon + 2);
    chain.push_back(std::move(t));
  }
  return chain;
}

std::string CrashSignature::ToString() const {
  return frame.empty() ? exception : exception + " at " + frame;
}

bool IsPlatformMethod(std::string_view method) {
  static constexpr std::string_view kPrefixes[] = {"android.",
                                                   "androidx.",
                                                   "java.",
                                                   "javax.",
                                                   "jdk.",
                                                   "sun.",
                                                   "kotlin.",
                                                   "kotlinx.",
                                                   "dalvik.",
                                                   "libcore.",
                                                   "com.android.",
                                                   "com.google.android.",
                                                   "org.apache.http.",
                                                   "org.json.",
                                                   "org.xml.",
                                                   "org.xmlpull.",
                                                   "org.robolectric."};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return method.starts_with(prefix); });
}

CrashSignature SignatureOf(const Crash& crash) {
  const std::vector<ThrowableText> chain = ParseStack(crash.stack);
  CrashSignature signature;
  const auto first_line = crash.stack.substr(0, crash.stack.find('\n'));
  if (crash.cause == CrashCause::kAnr)
    signature.exception = "ANR";
  else if (!chain.empty())
    signature.exception = chain.back().exception;
  else
    signature.exception = first_line;
  // The root's own frames first; where they are all the platform's, those of the exceptions around it.
  for (auto t = chain.rbegin(); t != chain.rend(); ++t)
    for (const StackFrame& f : t->frames)
      if (!IsPlatformMethod(f.method)) {
        signature.frame = FrameText(f);
        return signature;
      }
  if (!chain.empty() && !chain.back().frames.empty()) signature.frame = FrameText(chain.back().frames[0]);
  return signature;
}

CrashSignature ParseSignature(std::string_view text) {
  const size_t at = text.find(" at ");
  if (at == std::string_view::npos) return {std::string(Trim(text)), ""};
  return {std::string(Trim(text.substr(0, at))), std::string(Trim(text.substr(at + 4)))};
}

// Of a frame's text, "a.B.c(B.java:1)".
static std::string_view MethodOf(std::string_view frame) { return frame.substr(0, frame.find('(')); }

bool Matches(const CrashSignature& wanted, const CrashSignature& found) {
  if (wanted.exception != found.exception) return false;
  if (wanted.frame.empty() || wanted.frame == found.frame) return true;
  return IsPlatformMethod(wanted.frame) && MethodOf(wanted.frame) == MethodOf(found.frame);
}

}  // namespace marmoset
