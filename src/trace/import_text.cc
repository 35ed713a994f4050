#include "trace/import_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace marmoset {
namespace {

constexpr size_t kMaxWarnings = 50;

void AppendUtf8(std::string& out, uint32_t c) {
  auto byte = [&out](uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f));
  } else {
    byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)),
        byte(0x80 | (c & 0x3f));
  }
}

std::string FromUtf16(std::string_view bytes, bool big_endian) {
  auto unit = [&](size_t i) -> uint32_t {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return big_endian ? first << 8u | second : second << 8u | first;
  };
  std::string text;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    if (c >= 0xd800 && c < 0xdc00 && i + 3 < bytes.size()) {
      const uint32_t low = unit(i + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    AppendUtf8(text, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
  }
  return text;
}

std::vector<Point> PointsOf(const Action& action) {
  if (const auto* swipe = std::get_if<Swipe>(&action)) return {swipe->from, swipe->to};
  if (const auto* drag = std::get_if<Drag>(&action)) return {drag->from, drag->to};
  if (const auto* pinch = std::get_if<Pinch>(&action))
    return {pinch->from, pinch->to, pinch->from2, pinch->to2};
  if (const auto point = TouchedPoint(action)) return {*point};
  return {};
}

}  // namespace

std::string DecodeText(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe")) return FromUtf16(bytes.substr(2), false);
  if (bytes.starts_with("\xfe\xff")) return FromUtf16(bytes.substr(2), true);
  if (bytes.starts_with("\xef\xbb\xbf")) return std::string(bytes.substr(3));
  if (bytes.size() >= 2 && bytes[0] != 0 && bytes[1] == 0) return FromUtf16(bytes, false);
  if (bytes.size() >= 2 && bytes[0] == 0 && bytes[1] != 0) return FromUtf16(bytes, true);
  return std::string(bytes);
}

bool Lines::Next(std::string_view& line) {
  if (rest_.empty()) return false;
  const size_t feed = rest_.find('\n');
  line = rest_.substr(0, feed);
  rest_.remove_prefix(feed == std::string_view::npos ? rest_.size() : feed + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ParseCoordinate(std::string_view text) {
  constexpr double kMost = 1e5;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= -kMost && value <= kMost)) return std::nullopt;  // The negated form also refuses NaN.
  return value;
}

Point PixelAt(double x, double y) {
  return {static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y))};
}

std::string ComponentName(std::string_view package, std::string_view class_name) {
  return fmt::format("{}/{}{}", package, class_name.starts_with('.') ? package : std::string_view(),
                     class_name);
}

void Warnings::Add(std::string warning) {
  if (kept_.size() < kMaxWarnings)
    kept_.push_back(std::move(warning));
  else
    ++left_out_;
}

void Warnings::AddAtLine(size_t line, std::string_view warning) {
  Add(fmt::format("line {}: {}", line, warning));
}

std::vector<std::string> Warnings::Take() {
  if (left_out_ > 0) kept_.push_back(fmt::format("and {} more warnings", left_out_));
  left_out_ = 0;
  return std::exchange(kept_, {});
}

Display GuessDisplay(const std::vector<Step>& steps) {
  static constexpr Display kKnown[] = {
      {480, 854, 240, 38, 0},   {1080, 1920, 480, 72, 0}, {1080, 2400, 420, 63, 0},
      {1440, 3200, 560, 84, 0}, {2560, 2560, 320, 48, 0}, {4096, 4096, 320, 48, 0},
  };
  int right = 0, bottom = 0;
  for (const Step& step : steps)
    for (const Point p : PointsOf(step.action)) {
      right = std::max(right, p.x);
      bottom = std::max(bottom, p.y);
    }
  for (const Display& d : kKnown) {
    // An app may turn the screen in the middle of a trace, so each coordinate may run along the longer side.
    const int longer = std::max(d.width, d.height);
    if (right <= longer && bottom <= longer) return d;
  }
  Display beyond = kKnown[std::size(kKnown) - 1];
  beyond.width = beyond.height = std::max(right, bottom);
  return beyond;
}

}  // namespace marmoset
