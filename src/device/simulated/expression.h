// The arithmetic of app models: "people - 1", "items >= 3 && row == 0", "random(4)".
//
// Whole numbers only; a comparison is 1 or 0, and anything but 0 counts as true. From weakest to strongest:
// `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* %`, then `!`, `-` and `random(n)` (a number from 0 to n-1).
// Results are kept within ±1,000,000,000; `% 0` is 0. Both sides of `&&` and `||` are always evaluated.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace marmoset {

class Expression {
 public:
  // Names in the expression are indices into `names`. kBadInput says what is wrong and where.
  static Result<Expression> Parse(std::string_view text, std::span<const std::string> names);

  // True when two evaluations with the same values may differ.
  bool UsesRandom() const;

  // REQUIRES: values has an entry for each of the names.
  int64_t Evaluate(std::span<const int64_t> values, Random& random) const;

 private:
  enum class Op {
    kNumber,
    kName,
    kOr,
    kAnd,
    kEqual,
    kUnequal,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kPlus,
    kMinus,
    kTimes,
    kModulo,
    kNot,
    kNegate,
    kRandom,
    kOpen,  // While parsing only.
  };
  struct Item {
    Op op = Op::kNumber;
    int64_t value = 0;  // The number, or the index of the name.
  };
  class Parser;
  static int Strength(Op op);
  static int64_t Apply(Op op, int64_t left, int64_t right);

  std::vector<Item> items_;  // Operands before their operator.
};

}  // namespace marmoset
