// How a candidate is judged: by one replay, by a fixed number of them, or by as many as it takes to be sure.
//
// Values. Sources: ND3MIN (schedule/policy.h) for k of n, schedule/acceptance.h for the sequential test.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"
#include "schedule/acceptance.h"
#include "schedule/mdp.h"
#include "schedule/policy.h"

namespace marmoset {

struct JudgeAuto {
};  // Once where the pre-check was all of one mind, else by a test made for the measured rate.
struct JudgeOnce {};  // One replay decides.
using Judgement = std::variant<JudgeAuto, JudgeOnce, FixedRule, SequentialOptions>;

// "auto", "once", "18/20", "sequential". kBadInput otherwise.
Result<Judgement> ParseJudgement(std::string_view text);

// "K/N", or "N" for 1/N. kBadInput unless 1 <= K <= N <= 1000; `flag` is named in the error.
Result<FixedRule> ParseRule(std::string_view flag, std::string_view text);

// A test that accepts what reaches about as often as the whole trace does, which was seen to do so at `rate`.
// For a rate of 0.95 and more it has the error rates of the default options.
SequentialOptions SequentialFor(double rate);

// For people: "18 of 20 replays", "a sequential test (…)".
std::string Describe(const Judgement& judgement);

enum class PolicyName { kNaive, kRoundRobin, kHeuristic, kMdp };

// "naive", "round-robin", "heuristic", "mdp". kBadInput otherwise.
Result<PolicyName> ParsePolicy(std::string_view text);

// `mdp` is needed for kMdp alone, and must be of the same rule.
std::unique_ptr<Policy> MakePolicy(PolicyName name, const Acceptance& rule, double likely,
                                   std::shared_ptr<const Mdp> mdp);

}  // namespace marmoset
