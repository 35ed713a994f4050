// What all importers need: foreign bytes as UTF-8 lines, checked numbers, collected warnings, and a guess at
// the display.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/action.h"
#include "trace/trace.h"

namespace marmoset {

// The bytes as UTF-8 without byte order mark: Windows shells write redirected output as UTF-16, told by its
// mark or by zeros in the first character. Broken surrogates become U+FFFD; everything else is passed on as
// it is.
std::string DecodeText(std::string_view bytes);

// Takes lines off the front of a text, without their "\n" or "\r\n".
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool Next(std::string_view& line);
  size_t number() const { return number_; }  // Of the line that Next gave last, from 1.

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

// Without white space at both ends.
std::string_view Trimmed(std::string_view text);

// A whole text as a number; empty when it is none or out of range. Coordinates beyond 100,000 pixels and
// what is not finite are out of range.
std::optional<int64_t> ParseInteger(std::string_view text);
std::optional<double> ParseCoordinate(std::string_view text);

// The pixel that holds the point.
Point PixelAt(double x, double y);

// "package/class", with the class in full: of ("a.b", ".C") it is "a.b/a.b.C".
std::string ComponentName(std::string_view package, std::string_view class_name);

// Collects warnings: the first ones as they are, the others as a count, so that a broken file of a million
// lines does not give a million warnings.
class Warnings {
 public:
  void Add(std::string warning);
  void AddAtLine(size_t line, std::string_view warning);
  std::vector<std::string> Take();

 private:
  std::vector<std::string> kept_;
  size_t left_out_ = 0;
};

// The smallest known display that holds all touched points, in either orientation: those of the SimplyDroid
// study's two phones (480 × 854 and 1080 × 1920) first, then common larger ones.
Display GuessDisplay(const std::vector<Step>& steps);

}  // namespace marmoset
