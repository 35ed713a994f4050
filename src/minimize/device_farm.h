// The devices of one minimization: replays of candidates on one or several at once, remembered on disk.
//
// A device that fails (hangs, dies, cannot be reset) gets the same replay again. Who is to blame shows after
// kFailuresInARow failures: a device that was reset each time and fell in the middle may have met steps that
// no device survives, so that replay is unresolved; one that could not be reset the last time, or had
// kUnresolvedInARow such replays, is given up, and the others go on with what it had to do. The last one
// given up ends the minimization (kDeviceLost).
//
// The seeds of a replay are the recording's, or vary: then that of the k-th replay of a candidate depends on
// the candidate and on k, and on nothing else. So the result does not depend on the number of devices.
//
// Members may be called by several threads, each with a device of its own.

#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "device/device.h"
#include "minimize/states.h"
#include "minimize/verdict_memory.h"
#include "replay/replayer.h"
#include "replay/target.h"
#include "schedule/scheduled_judge.h"
#include "trace/trace.h"

namespace marmoset {

// Steps of the trace, and where they must lead: to the target, or, as a local target, into a state.
struct Candidate {
  Kept steps;
  VerdictMemory::EndsIn ends_in;
};

// What differs between replays on a deterministic device.
enum class Vary {
  kNothing,
  kSchedule,  // The order of the app's threads.
  kSeed,      // Everything that the app sees by chance, the order of its threads included.
};

struct FarmDevice {
  Device* device;
  std::function<void()> renew;  // Gives the device a fresh start of its own (another JVM); may be empty.
};

class DeviceFarm : public ReplayFarm {
 public:
  static constexpr int kFailuresInARow = 3;
  static constexpr int kUnresolvedInARow = 10;

  struct Options {
    StateFunction states = StateFunction::kActivity;  // What a local target means.
    Vary vary = Vary::kNothing;
    std::function<void()> on_replay;  // After each replay, by the thread that did it, one at a time.
  };

  // REQUIRES: at least one device; all of them, trace and target outlive the farm.
  DeviceFarm(std::vector<FarmDevice> devices, const Trace& trace, const Target& target, VerdictMemory memory,
             Options options);

  // What a reducer's question means. REQUIRES: set before any question is asked.
  using CandidateOf = std::function<Candidate(const Question&)>;
  void set_candidate_of(CandidateOf candidate_of) { candidate_of_ = std::move(candidate_of); }

  // The replays of a candidate that are remembered.
  VerdictMemory::Remembered Known(const Candidate& candidate) const;
  Counts Known(const Question& question) const { return Known(candidate_of_(question)).counts; }

  // One oracle per device, for a judge that believes a single replay; what is remembered is not replayed.
  std::vector<TargetOracle> Oracles();

  // ReplayFarm: several replays at once, for a judge that counts them.
  uint32_t width() const override;
  Result<std::vector<Verdict>> Replay(const std::vector<const Question*>& questions,
                                      std::stop_token stop) override;

  // `runs` replays of one candidate, in any order. Where `remembered` is false they are of their own: not
  // remembered, and with other seeds than those that are. `watch` is called before each step with the
  // action that it became, and at the end without a step.
  using Watch = std::function<void(const Step* step, const Action& action, const Screen& screen)>;
  Result<std::vector<marmoset::Replay>> Repeat(const Candidate& candidate, uint32_t runs, bool remembered,
                                               const Watch& watch, std::stop_token stop);

  void RenewAll();

  uint64_t replays() const { return replays_; }
  uint64_t replayed_events() const { return replayed_events_; }
  uint64_t remembered() const { return remembered_; }

  // Why a device was given up, by device; empty: it was not.
  const std::vector<std::string>& lost() const { return lost_; }

 private:
  struct Job {
    Candidate candidate;
    uint64_t number = 0;  // Of this candidate's replays.
    bool remembered = true;
    const Watch* watch = nullptr;
  };

  Result<std::vector<marmoset::Replay>> ReplayAll(const std::vector<Job>& jobs, std::stop_token stop);
  // kDeviceLost: the device is given up.
  Result<marmoset::Replay> ReplayOn(size_t device, const Job& job, std::stop_token stop);
  ReplayOptions SeedsOf(const Job& job) const;
  uint64_t NextNumber(const Candidate& candidate);
  std::vector<size_t> Alive() const;

  const std::vector<FarmDevice> devices_;
  const Trace& trace_;
  const Target& target_;
  const Options options_;
  CandidateOf candidate_of_;

  uint64_t own_ = 0;  // Replays so far that are not remembered.

  mutable std::mutex mutex_;  // Guards what follows.
  VerdictMemory memory_;
  std::map<std::pair<VerdictMemory::EndsIn, Kept>, uint64_t> numbers_;
  std::vector<std::string> lost_;
  std::vector<int> unresolved_in_a_row_;  // By device, those by its failures.
  uint64_t replays_ = 0;
  uint64_t replayed_events_ = 0;
  uint64_t remembered_ = 0;
};

}  // namespace marmoset
