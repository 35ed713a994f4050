#include "minimize/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace marmoset {
namespace {

constexpr uint32_t kMostReplays = 1000;
// A candidate that is so much rarer than the whole trace, or has so small a share of its rate, is to be
// rejected.
constexpr double kMuchRarer = 0.25;
constexpr double kSmallShare = 1.0 / 3;
constexpr double kSureRate = 0.95;
constexpr uint32_t kReplayLimits[] = {34, 50, 75, 100, 150, 250, 400};

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

std::optional<uint32_t> Number(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<FixedRule> ParseRule(std::string_view flag, std::string_view text) {
  const size_t slash = text.find('/');
  const bool both = slash != std::string_view::npos;
  const auto needed = both ? Number(text.substr(0, slash)) : 1;
  const auto runs = Number(both ? text.substr(slash + 1) : text);
  if (!needed || !runs || *needed < 1 || *needed > *runs || *runs > kMostReplays)
    return Fail(ErrorCode::kBadInput, "{} {}: expected K/N, for K successes in N replays, such as 18/20",
                flag, text);
  return FixedRule{*runs, *needed};
}

Result<Judgement> ParseJudgement(std::string_view text) {
  if (text == "auto") return JudgeAuto();
  if (text == "once") return JudgeOnce();
  if (text == "sequential") return SequentialOptions();
  if (text.find('/') == std::string_view::npos)
    return Fail(ErrorCode::kBadInput, "--accept {}: expected auto, once, sequential or K/N such as 18/20",
                text);
  MARMOSET_ASSIGN(const FixedRule rule, ParseRule("--accept", text));
  return rule;
}

SequentialOptions SequentialFor(double rate) {
  SequentialOptions options;
  if (rate < kSureRate) {
    options.good = rate;
    options.bad = std::max(rate - kMuchRarer, rate * kSmallShare);
    options.prior = Prior::Equal(options.bad, options.good, (options.good - options.bad) / 4);
  }
  for (const uint32_t limit : kReplayLimits) {
    options.max_runs = limit;
    if (Acceptance::Sequential(options)) break;
  }
  return options;
}

std::string Describe(const Judgement& judgement) {
  return std::visit(
      Overload{[](JudgeAuto) {
                 return std::string(
                     "one replay, or a sequential test where the pre-check is not of one mind");
               },
               [](JudgeOnce) { return std::string("one replay"); },
               [](const FixedRule& rule) { return fmt::format("{} of {} replays", rule.needed, rule.runs); },
               [](const SequentialOptions& o) {
                 return fmt::format(
                     "a sequential test (of what reaches in {:.0f} % or more of the replays {:.3g} % are "
                     "rejected, of what does in {:.0f} % or less {:.3g} % accepted)",
                     o.good * 100, o.beta * 100, o.bad * 100, o.alpha * 100);
               }},
      judgement);
}

Result<PolicyName> ParsePolicy(std::string_view text) {
  if (text == "naive") return PolicyName::kNaive;
  if (text == "round-robin") return PolicyName::kRoundRobin;
  if (text == "heuristic") return PolicyName::kHeuristic;
  if (text == "mdp") return PolicyName::kMdp;
  return Fail(ErrorCode::kBadInput, "--policy {}: expected naive, round-robin, heuristic or mdp", text);
}

std::unique_ptr<Policy> MakePolicy(PolicyName name, const Acceptance& rule, double likely,
                                   std::shared_ptr<const Mdp> mdp) {
  switch (name) {
    case PolicyName::kNaive:
      return std::make_unique<NaivePolicy>(rule);
    case PolicyName::kRoundRobin:
      return std::make_unique<RoundRobinPolicy>(rule);
    case PolicyName::kHeuristic:
      break;
    case PolicyName::kMdp:
      MARMOSET_CHECK(mdp != nullptr);
      return std::make_unique<MdpPolicy>(std::move(mdp), likely);
  }
  return std::make_unique<HeuristicPolicy>(rule, likely);
}

}  // namespace marmoset
