#include "device/simulated/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/check.h"

namespace marmoset {
namespace {

constexpr int64_t kMost = 1'000'000'000;
constexpr size_t kLongest = 500;  // Characters; nobody writes more by hand.

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

// Dijkstra's shunting yard: operators wait on a stack until a weaker one, a parenthesis or the end comes.
class Expression::Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> names) : text_(text), names_(names) {}

  Result<Expression> Parse() {
    if (text_.size() > kLongest)
      return Fail(ErrorCode::kBadInput, "an expression longer than {} characters", kLongest);
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ == text_.size()) break;
      MARMOSET_TRY(operand_next_ ? Operand() : Operator());
    }
    if (operand_next_) return Wrong("a number or name expected at the end");
    while (!waiting_.empty()) {
      if (waiting_.back() == Op::kOpen) return Wrong("a ')' is missing");
      Settle();
    }
    return std::move(expression_);
  }

 private:
  tl::unexpected<Error> Wrong(std::string_view what) const {
    return Fail(ErrorCode::kBadInput, "expression '{}': {}", text_, what);
  }

  void Settle() {
    expression_.items_.push_back({waiting_.back(), 0});
    waiting_.pop_back();
  }

  Status Operand() {
    const char c = text_[at_];
    if (c == '(' || c == '!' || c == '-') {
      waiting_.push_back(c == '(' ? Op::kOpen : c == '!' ? Op::kNot : Op::kNegate);
      ++at_;
      return {};
    }
    size_t end = at_;
    if (std::isdigit(static_cast<unsigned char>(c))) {
      while (end < text_.size() && IsNamePart(text_[end])) ++end;
      int64_t value = 0;
      const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
      if (error != std::errc() || stop != text_.data() + end || value > kMost)
        return Wrong(fmt::format("'{}' is not a number up to {}", text_.substr(at_, end - at_), kMost));
      expression_.items_.push_back({Op::kNumber, value});
    } else if (IsNameStart(c)) {
      while (end < text_.size() && IsNamePart(text_[end])) ++end;
      const std::string_view name = text_.substr(at_, end - at_);
      if (name == "random") {
        if (end == text_.size() || text_[end] != '(') return Wrong("'random' is written random(n)");
        waiting_.push_back(Op::kRandom);
        at_ = end;
        return {};
      }
      const auto it = std::find(names_.begin(), names_.end(), name);
      if (it == names_.end())
        return Wrong(fmt::format("there is no variable '{}': add it to 'variables'", name));
      expression_.items_.push_back({Op::kName, it - names_.begin()});
    } else {
      return Wrong(fmt::format("a number or name expected, '{}' found", c));
    }
    at_ = end;
    operand_next_ = false;
    return {};
  }

  Status Operator() {
    static constexpr std::pair<std::string_view, Op> kOperators[] = {
        {"||", Op::kOr},        {"&&", Op::kAnd},          {"==", Op::kEqual}, {"!=", Op::kUnequal},
        {"<=", Op::kLessEqual}, {">=", Op::kGreaterEqual}, {"<", Op::kLess},   {">", Op::kGreater},
        {"+", Op::kPlus},       {"-", Op::kMinus},         {"*", Op::kTimes},  {"%", Op::kModulo},
    };
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == ')') {
      while (!waiting_.empty() && waiting_.back() != Op::kOpen) Settle();
      if (waiting_.empty()) return Wrong("a ')' without '('");
      waiting_.pop_back();
      ++at_;
      return {};
    }
    for (const auto& [sign, op] : kOperators) {
      if (!rest.starts_with(sign)) continue;
      while (!waiting_.empty() && waiting_.back() != Op::kOpen && Strength(waiting_.back()) >= Strength(op))
        Settle();
      waiting_.push_back(op);
      at_ += sign.size();
      operand_next_ = true;
      return {};
    }
    return Wrong(fmt::format("an operator expected, '{}' found", rest[0]));
  }

  std::string_view text_;
  std::span<const std::string> names_;
  size_t at_ = 0;
  bool operand_next_ = true;
  std::vector<Op> waiting_;
  Expression expression_;
};

Result<Expression> Expression::Parse(std::string_view text, std::span<const std::string> names) {
  return Parser(text, names).Parse();
}

int Expression::Strength(Op op) {
  switch (op) {
    case Op::kOr:
      return 1;
    case Op::kAnd:
      return 2;
    case Op::kEqual:
    case Op::kUnequal:
      return 3;
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      return 4;
    case Op::kPlus:
    case Op::kMinus:
      return 5;
    case Op::kTimes:
    case Op::kModulo:
      return 6;
    default:
      return 7;
  }
}

int64_t Expression::Apply(Op op, int64_t left, int64_t right) {
  switch (op) {
    case Op::kOr:
      return left != 0 || right != 0;
    case Op::kAnd:
      return left != 0 && right != 0;
    case Op::kEqual:
      return left == right;
    case Op::kUnequal:
      return left != right;
    case Op::kLess:
      return left < right;
    case Op::kLessEqual:
      return left <= right;
    case Op::kGreater:
      return left > right;
    case Op::kGreaterEqual:
      return left >= right;
    case Op::kPlus:
      return left + right;
    case Op::kMinus:
      return left - right;
    case Op::kTimes:
      return left * right;  // At most 10^18: fits.
    case Op::kModulo:
      return right == 0 ? 0 : left % right;
    default:
      return 0;
  }
}

bool Expression::UsesRandom() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.op == Op::kRandom; });
}

int64_t Expression::Evaluate(std::span<const int64_t> values, Random& random) const {
  std::vector<int64_t> stack;
  auto take = [&stack] {
    MARMOSET_CHECK(!stack.empty());
    const int64_t value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Item& item : items_) {
    int64_t result = 0;
    if (item.op == Op::kNumber) {
      result = item.value;
    } else if (item.op == Op::kName) {
      MARMOSET_CHECK(item.value >= 0 && static_cast<size_t>(item.value) < values.size());
      result = values[static_cast<size_t>(item.value)];
    } else if (item.op == Op::kNot) {
      result = take() == 0;
    } else if (item.op == Op::kNegate) {
      result = -take();
    } else if (item.op == Op::kRandom) {
      const int64_t bound = take();
      result = bound <= 0 ? 0 : static_cast<int64_t>(random.Below(static_cast<uint64_t>(bound)));
    } else {
      const int64_t right = take();
      const int64_t left = take();
      result = Apply(item.op, left, right);
    }
    stack.push_back(std::clamp(result, -kMost, kMost));
  }
  return take();
}

}  // namespace marmoset
