// A judge finds the first candidate of a queue that reaches its target.
//
// Reducers do not call the oracle themselves. They describe what they would ask next if everything so far
// missed, as a queue, and the judge decides how to find out: one after the other (SequentialJudge), several
// at once on several devices (ParallelJudge), or many replays of each under a schedule (schedule/). So every
// reducer is parallel without knowing it, and its result does not depend on the number of devices.

#pragma once

#include "reduce/oracle.h"

namespace marmoset {

// The candidates in the order of asking, made when called; nothing at the end. Each is proposed on the
// assumption that all before it missed. A judge may call it ahead of the answers, from one thread at a time,
// and never after First() returned.
using Queue = std::function<std::optional<Question>()>;

// What became of a queue.
struct Found {
  std::optional<size_t> reached;  // Place in the queue, from 0, of the accepted candidate …
  Kept kept;                      // … and the candidate itself.
  // The verdict of every candidate that was decided, by place; kUnresolved also where nothing was learned.
  std::vector<Verdict> verdicts;
  uint64_t calls = 0;            // Oracle calls whose answers counted.
  uint64_t wasted = 0;           // Further calls, made in advance, that turned out not to be needed.
  std::optional<Error> stopped;  // Set when the search ended before the queue was decided.
};

class Judge {
 public:
  virtual ~Judge() = default;

  // Draws from `queue` until a candidate reaches or the queue ends.
  virtual Found First(const Queue& queue, std::stop_token stop) = 0;

  // Whether questions with `reach` are understood. If not, they must not be asked.
  virtual bool KnowsLocalTargets() const = 0;
};

// One candidate at a time, on the calling thread.
class SequentialJudge : public Judge {
 public:
  explicit SequentialJudge(Oracle oracle);
  explicit SequentialJudge(TargetOracle oracle) : oracle_(std::move(oracle)), local_(true) {}

  Found First(const Queue& queue, std::stop_token stop) override;
  bool KnowsLocalTargets() const override { return local_; }

 private:
  TargetOracle oracle_;
  bool local_;
};

// A plain oracle as one for questions. REQUIRES: no question has a local target.
TargetOracle WithoutLocalTargets(Oracle oracle);

}  // namespace marmoset
