#include "device/simulated/expression.h"

#include <gtest/gtest.h>

#include <set>

namespace marmoset {
namespace {

const std::vector<std::string> kNames = {"a", "b_1"};

int64_t Value(std::string_view text) {
  const auto expression = Expression::Parse(text, kNames);
  EXPECT_TRUE(expression) << expression.error().message();
  Random random(1);
  return expression->Evaluate(std::vector<int64_t>{7, -2}, random);
}

TEST(Expression, FollowsTheUsualOrder) {
  EXPECT_EQ(Value("1 + 2 * 3"), 7);
  EXPECT_EQ(Value("(1 + 2) * 3"), 9);
  EXPECT_EQ(Value("10 - 4 - 3"), 3);
  EXPECT_EQ(Value("-a + - -b_1"), -9);
  EXPECT_EQ(Value("a % 4"), 3);
  EXPECT_EQ(Value("a % 0"), 0);
  EXPECT_EQ(Value("a > 3 && b_1 == -2"), 1);
  EXPECT_EQ(Value("a < 3 || b_1 != -2 && 1"), 0);
  EXPECT_EQ(Value("!a == 0"), 1);  // (!a) == 0
  EXPECT_EQ(Value("!(a == 0)"), 1);
  EXPECT_EQ(Value("a>=7"), 1);
  EXPECT_EQ(Value("a<=6"), 0);
  EXPECT_EQ(Value(" 5 "), 5);
}

TEST(Expression, StaysWithinItsRange) {
  EXPECT_EQ(Value("1000000000 * 1000000000"), 1'000'000'000);
  EXPECT_EQ(Value("-1000000000 - 1000000000"), -1'000'000'000);
}

TEST(Expression, RandomNumbersAreBelowTheirBound) {
  const auto expression = Expression::Parse("random(a - 4) * 10", kNames).value();
  EXPECT_TRUE(expression.UsesRandom());
  EXPECT_FALSE(Expression::Parse("a", kNames)->UsesRandom());
  Random random(1);
  std::set<int64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(expression.Evaluate(std::vector<int64_t>{7, 0}, random));
  EXPECT_EQ(seen, (std::set<int64_t>{0, 10, 20}));
  EXPECT_EQ(Value("random(0)"), 0);
  EXPECT_EQ(Value("random(b_1)"), 0);
}

TEST(Expression, ErrorsSayWhatIsWrong) {
  auto message = [](std::string_view text) {
    const auto expression = Expression::Parse(text, kNames);
    return expression ? "parsed" : expression.error().message();
  };
  for (const auto& [text, part] :
       std::vector<std::pair<std::string, std::string>>{{"", "expected at the end"},
                                                        {"a +", "expected at the end"},
                                                        {"()", "a number or name expected, ')' found"},
                                                        {"(a", "a ')' is missing"},
                                                        {"a)", "a ')' without '('"},
                                                        {"a b_1", "an operator expected"},
                                                        {"a = 1", "an operator expected"},
                                                        {"nope", "there is no variable 'nope'"},
                                                        {"12x", "'12x' is not a number"},
                                                        {"9999999999", "is not a number up to"},
                                                        {"random + 1", "random(n)"},
                                                        {"a ; 1", "an operator expected, ';' found"},
                                                        {"\xff", "a number or name expected"},
                                                        {std::string(501, '1'), "longer than 500"}})
    EXPECT_NE(message(text).find(part), std::string::npos) << text << ": " << message(text);
}

// Nesting is held on the heap: as deep as the length allows costs nothing.
TEST(Expression, DeepNestingIsNoProblem) {
  EXPECT_EQ(Value(std::string(249, '(') + "1" + std::string(249, ')')), 1);
  EXPECT_EQ(Value(std::string(498, '-') + "1"), 1);
}

}  // namespace
}  // namespace marmoset
