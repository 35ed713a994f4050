// Several oracles at once: the judge for more than one device.
//
// The problem. Nearly all candidates miss, and each takes seconds to find out.
//
// The idea. Give the next candidate of the queue to whichever device is free, without waiting for the answers
// of those before it. When one reaches, those behind it in the queue are of no more interest and are
// cancelled; those before it are waited for, since the first in the order of the queue wins. So the result,
// and the calls that count, are the same as with one device; only the time differs.
//
//     queue     a b c d e f         2 devices: a, b run; a misses, c starts; c reaches before b is done:
//                                   nothing after c starts; b misses: c is the answer. Had b reached: b.
//
// A device that is lost (kDeviceLost) is not used again; its candidate goes to another one. When all are
// lost, or an oracle fails in another way, the search ends with that error.
//
// The only file of reduce/ that starts threads: one per oracle, during First(). An oracle is called by one
// thread at a time, and so is the queue.

#pragma once

#include <memory>

#include "reduce/judge.h"

namespace marmoset {

class ParallelJudge : public Judge {
 public:
  // One oracle per device. REQUIRES: at least one.
  explicit ParallelJudge(std::vector<TargetOracle> oracles, bool knows_local_targets);

  Found First(const Queue& queue, std::stop_token stop) override;
  bool KnowsLocalTargets() const override { return knows_local_targets_; }

  // Devices not lost so far. Not during First().
  size_t width() const;

 private:
  std::vector<TargetOracle> oracles_;
  std::vector<char> lost_;  // By oracle. Not vector<bool>, whose elements threads would share.
  bool knows_local_targets_;
};

}  // namespace marmoset
