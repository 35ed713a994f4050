// The one question that every reducer asks: "is the target still reached when only these items are kept?"
//
// Items are numbered 0 … n-1; what they are (events of a trace, traces of a suite) only the caller knows.
// Everything in reduce/ is pure: no Android, no clock, no input or output; ParallelJudge alone starts
// threads.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace marmoset {

// The answer of one oracle call. kUnresolved: the device or the infrastructure failed, so nothing was
// learned; it is neither a success nor a failure of the candidate.
enum class Verdict { kReached, kMissed, kUnresolved };

std::string_view VerdictName(Verdict verdict);

// A candidate: the kept items, ascending, without repetition.
using Kept = std::vector<uint32_t>;

// Judges a candidate. An error (not a verdict) ends the reduction: the device is lost for good, or the user
// stopped. The stop token asks a running judgement to give up (ErrorCode::kCancelled).
using Oracle = std::function<Result<Verdict>(const Kept& kept, std::stop_token stop)>;

// A candidate together with what it has to reach. Only LHDD asks for anything but the target itself.
struct Question {
  Kept kept;
  // Set: the state (a label of Problem::states) that the app must be in after the last kept item. Not set:
  // the target of the whole reduction.
  std::optional<uint32_t> reach;
  // Candidates of one group are equally welcome: a judge that replays several of them many times may take the
  // one that it confirms first. Between groups, and for every other judge, the order of the queue decides.
  uint32_t group = 0;
};

// An oracle that knows local targets too.
using TargetOracle = std::function<Result<Verdict>(const Question& question, std::stop_token stop)>;

}  // namespace marmoset
