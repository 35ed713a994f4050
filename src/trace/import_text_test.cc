#include "trace/import_text.h"

#include <gtest/gtest.h>

#include "trace/key_names.h"

namespace marmoset {
namespace {

std::string Utf16(std::u16string_view text, bool big_endian) {
  std::string bytes;
  for (const char16_t c : text) {
    const char high = static_cast<char>(c >> 8), low = static_cast<char>(c & 0xff);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

TEST(ImportText, DecodesWhatShellsWrite) {
  const std::string text = "Tap: ä€😀\n";
  const std::u16string wide = u"Tap: ä€😀\n";
  EXPECT_EQ(DecodeText(text), text);
  EXPECT_EQ(DecodeText("\xef\xbb\xbf" + text), text);
  EXPECT_EQ(DecodeText("\xff\xfe" + Utf16(wide, false)), text);
  EXPECT_EQ(DecodeText("\xfe\xff" + Utf16(wide, true)), text);
  EXPECT_EQ(DecodeText(Utf16(wide, false)), text);
  EXPECT_EQ(DecodeText(Utf16(wide, true)), text);
  EXPECT_EQ(DecodeText("\xff\xfe" + Utf16(u"a\xd800"
                                          u"b",
                                          false)),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(DecodeText("\xff\xfe"
                       "a"),
            "");
  EXPECT_EQ(DecodeText(""), "");
}

TEST(ImportText, LinesEndInTwoWays) {
  Lines lines("a\r\n\nb");
  std::string_view line;
  ASSERT_TRUE(lines.Next(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(lines.Next(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.Next(line));
  EXPECT_EQ(line, "b");
  EXPECT_EQ(lines.number(), 3u);
  EXPECT_FALSE(lines.Next(line));
}

TEST(ImportText, NumbersAreChecked) {
  EXPECT_EQ(ParseInteger("-12"), -12);
  for (const char* bad : {"", "1 ", "0x1", "1.0", "99999999999999999999"})
    EXPECT_FALSE(ParseInteger(bad)) << bad;
  EXPECT_EQ(ParseCoordinate("1.5E-4"), 1.5e-4);
  for (const char* bad : {"", "NaN", "inf", "1e6", "-1e300", "1,5", "12px"})
    EXPECT_FALSE(ParseCoordinate(bad)) << bad;
  EXPECT_EQ(PixelAt(965.99, -0.5), (Point{965, -1}));
}

TEST(ImportText, WarningsAreCountedBeyondTheFirst) {
  Warnings warnings;
  for (size_t i = 1; i <= 1000; ++i) warnings.AddAtLine(i, "odd");
  const auto taken = warnings.Take();
  ASSERT_EQ(taken.size(), 51u);
  EXPECT_EQ(taken[0], "line 1: odd");
  EXPECT_EQ(taken[50], "and 950 more warnings");
}

TEST(ImportText, TheDisplayHoldsAllPoints) {
  auto guess = [](std::vector<Action> actions) {
    std::vector<Step> steps;
    for (Action& a : actions) {
      steps.emplace_back();
      steps.back().action = std::move(a);
    }
    return GuessDisplay(steps);
  };
  EXPECT_EQ(guess({}), (Display{480, 854, 240, 38, 0}));
  EXPECT_EQ(guess({Tap{{479, 853}}}), (Display{480, 854, 240, 38, 0}));
  EXPECT_EQ(guess({Tap{{853, 479}}}), (Display{480, 854, 240, 38, 0}));
  EXPECT_EQ(guess({Tap{{100, 900}}}), (Display{1080, 1920, 480, 72, 0}));
  EXPECT_EQ(guess({Swipe{{1, 1}, {1, 2300}}}).height, 2400);
  EXPECT_EQ(guess({Tap{{9000, 1}}}).width, 9000);
}

TEST(KeyNames, CodesAndNamesAgree) {
  EXPECT_EQ(KeyName(3), "HOME");
  EXPECT_EQ(KeyName(4), "BACK");
  EXPECT_EQ(KeyName(24), "VOLUME_UP");
  EXPECT_EQ(KeyName(25), "VOLUME_DOWN");
  EXPECT_EQ(KeyName(66), "ENTER");
  EXPECT_EQ(KeyName(112), "FORWARD_DEL");
  EXPECT_EQ(KeyName(187), "APP_SWITCH");
  EXPECT_EQ(KeyName(288), "PROFILE_SWITCH");
  EXPECT_EQ(KeyName(289), "");
  EXPECT_EQ(KeyName(-1), "");
  for (int code = 0; code <= 288; ++code) EXPECT_EQ(KeyCode(KeyName(code)), code);
  EXPECT_EQ(KeyCode("KEYCODE_BACK"), 4);
  EXPECT_FALSE(KeyCode("NO_SUCH_KEY"));
}

}  // namespace
}  // namespace marmoset
