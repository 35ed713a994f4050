#include "minimize/device_farm.h"

#include <deque>
#include <thread>

#include "base/check.h"
#include "base/hash.h"

namespace marmoset {
namespace {

// Numbers from here on are of replays that are not remembered.
constexpr uint64_t kOfTheirOwn = uint64_t{1} << 32;

}  // namespace

DeviceFarm::DeviceFarm(std::vector<FarmDevice> devices, const Trace& trace, const Target& target,
                       VerdictMemory memory, Options options)
    : devices_(std::move(devices)),
      trace_(trace),
      target_(target),
      options_(std::move(options)),
      memory_(std::move(memory)),
      lost_(devices_.size()),
      unresolved_in_a_row_(devices_.size()) {
  MARMOSET_CHECK(!devices_.empty());
}

VerdictMemory::Remembered DeviceFarm::Known(const Candidate& candidate) const {
  const std::lock_guard lock(mutex_);
  return memory_.Find(candidate.steps, candidate.ends_in);
}

std::vector<TargetOracle> DeviceFarm::Oracles() {
  std::vector<TargetOracle> oracles;
  for (const size_t device : Alive())
    oracles.emplace_back([this, device](const Question& question, std::stop_token stop) -> Result<Verdict> {
      const Candidate candidate = candidate_of_(question);
      const Counts known = Known(candidate).counts;
      if (known.runs() > 0) {
        const std::lock_guard lock(mutex_);
        ++remembered_;
        return known.reached > 0 ? Verdict::kReached : Verdict::kMissed;
      }
      if (stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
      MARMOSET_ASSIGN(const marmoset::Replay replay,
                      ReplayOn(device, {candidate, NextNumber(candidate), true, nullptr}, stop));
      return replay.verdict;
    });
  return oracles;
}

uint32_t DeviceFarm::width() const { return static_cast<uint32_t>(Alive().size()); }

Result<std::vector<Verdict>> DeviceFarm::Replay(const std::vector<const Question*>& questions,
                                                std::stop_token stop) {
  std::vector<Job> jobs;
  for (const Question* question : questions) {
    Candidate candidate = candidate_of_(*question);
    const uint64_t number = NextNumber(candidate);
    jobs.push_back({std::move(candidate), number, true, nullptr});
  }
  MARMOSET_ASSIGN(const std::vector<marmoset::Replay> replays, ReplayAll(jobs, std::move(stop)));
  std::vector<Verdict> verdicts;
  for (const marmoset::Replay& replay : replays) verdicts.push_back(replay.verdict);
  return verdicts;
}

Result<std::vector<Replay>> DeviceFarm::Repeat(const Candidate& candidate, uint32_t runs, bool remembered,
                                               const Watch& watch, std::stop_token stop) {
  std::vector<Job> jobs;
  for (uint32_t i = 0; i < runs; ++i)
    jobs.push_back(
        {candidate, remembered ? NextNumber(candidate) : kOfTheirOwn + own_++, remembered, &watch});
  return ReplayAll(jobs, std::move(stop));
}

void DeviceFarm::RenewAll() {
  for (const size_t device : Alive())
    if (devices_[device].renew) devices_[device].renew();
}

// Whichever device is free takes the next job; a device that is given up hands its job back.
Result<std::vector<Replay>> DeviceFarm::ReplayAll(const std::vector<Job>& jobs, std::stop_token stop) {
  std::vector<marmoset::Replay> replays(jobs.size());
  std::mutex mutex;  // Guards what follows, and replays.
  std::deque<size_t> waiting;
  for (size_t i = 0; i < jobs.size(); ++i) waiting.push_back(i);
  std::optional<Error> failed;
  const auto work = [&](size_t device) {
    while (true) {
      size_t job = 0;
      {
        const std::lock_guard lock(mutex);
        if (waiting.empty() || failed) return;
        job = waiting.front();
        waiting.pop_front();
      }
      Result<marmoset::Replay> replay = ReplayOn(device, jobs[job], stop);
      const std::lock_guard lock(mutex);
      if (replay) {
        replays[job] = std::move(*replay);
        continue;
      }
      if (replay.error().code() == ErrorCode::kDeviceLost)
        waiting.push_front(job);
      else if (!failed)
        failed = std::move(replay).error();
      return;
    }
  };
  while (!waiting.empty() && !failed) {
    const std::vector<size_t> alive = Alive();
    if (alive.empty()) return Fail(ErrorCode::kDeviceLost, "no device is left: {}", lost_.back());
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min(alive.size(), jobs.size()); ++i) threads.emplace_back(work, alive[i]);
    work(alive[0]);
  }
  if (failed) return Fail(std::move(*failed));
  return replays;
}

Result<Replay> DeviceFarm::ReplayOn(size_t device, const Job& job, std::stop_token stop) {
  ReplayOptions options = SeedsOf(job);
  if (job.candidate.ends_in)
    options.reached_at_end = [&](const Screen& screen) {
      return StateName(options_.states, screen) == *job.candidate.ends_in;
    };
  if (job.watch && *job.watch)
    options.on_step = [&](const Step* step, const Action& action, const Screen& screen) -> Status {
      (*job.watch)(step, action, screen);
      return {};
    };
  for (int failures = 0;;) {
    MARMOSET_ASSIGN(marmoset::Replay replay, ReplaySteps(*devices_[device].device, trace_,
                                                         job.candidate.steps, target_, options, stop));
    const std::lock_guard lock(mutex_);
    ++replays_;
    replayed_events_ += replay.steps_done;
    if (options_.on_replay) options_.on_replay();
    if (!replay.device_failed) {
      unresolved_in_a_row_[device] = 0;
    } else if (++failures < kFailuresInARow) {
      continue;
    } else if (!replay.began || ++unresolved_in_a_row_[device] >= kUnresolvedInARow) {
      lost_[device] = replay.reason;
      return Fail(ErrorCode::kDeviceLost, "{}", replay.reason);
    }
    if (job.remembered) {
      MARMOSET_TRY(
          memory_.Add(job.candidate.steps, replay.verdict, replay.steps_done, job.candidate.ends_in));
    }
    return replay;
  }
}

ReplayOptions DeviceFarm::SeedsOf(const Job& job) const {
  ReplayOptions seeds;
  seeds.seed = trace_.seed;
  if (options_.vary == Vary::kNothing) return seeds;
  const Candidate& c = job.candidate;
  const uint64_t varied =
      Hash64(ToRanges(c.steps) + '>' + c.ends_in.value_or("target"), trace_.seed + job.number);
  (options_.vary == Vary::kSeed ? seeds.seed : seeds.schedule_seed) = varied;
  return seeds;
}

uint64_t DeviceFarm::NextNumber(const Candidate& candidate) {
  const std::lock_guard lock(mutex_);
  const auto [it, added] = numbers_.try_emplace({candidate.ends_in, candidate.steps});
  if (added) it->second = memory_.Find(candidate.steps, candidate.ends_in).counts.runs();
  return it->second++;
}

std::vector<size_t> DeviceFarm::Alive() const {
  const std::lock_guard lock(mutex_);
  std::vector<size_t> alive;
  for (size_t i = 0; i < devices_.size(); ++i)
    if (lost_[i].empty()) alive.push_back(i);
  return alive;
}

}  // namespace marmoset
