#include "reduce/parallel_judge.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/check.h"

namespace marmoset {
namespace {

// One call of First(): what its threads share.
class Search {
 public:
  Search(const Queue& queue, size_t devices, std::stop_token stop)
      : queue_(queue), stop_(std::move(stop)), devices_(devices) {}

  // Judges candidates until nothing is left to judge. False if this device was lost.
  bool Work(const TargetOracle& oracle) {
    std::unique_lock lock(mutex_);
    while (Job* job = NextJob(lock)) {
      job->cancel = std::stop_source();
      ++started_;
      Result<Verdict> verdict = Verdict::kUnresolved;
      {
        std::stop_source cancel = job->cancel;
        const Question question = job->question;
        const size_t place = job->place;
        lock.unlock();
        std::stop_callback forward(stop_, [cancel]() mutable { cancel.request_stop(); });
        verdict = oracle(question, cancel.get_token());
        lock.lock();
        job = &jobs_.at(place);
      }
      job->running = false;
      const bool lost = !verdict && verdict.error().code() == ErrorCode::kDeviceLost;
      Record(*job, std::move(verdict));
      changed_.notify_all();
      if (lost) return false;
    }
    return true;
  }

  Found Finish() {
    Found found;
    found.stopped = std::move(error_);
    for (size_t i = 0; i < jobs_.size() && jobs_.at(i).verdict; ++i) {
      found.verdicts.push_back(*jobs_.at(i).verdict);
      if (found.verdicts.back() == Verdict::kReached) {
        found.reached = i;
        found.kept = std::move(jobs_.at(i).question.kept);
        break;
      }
    }
    // What was judged behind a gap does not count, so that the outcome is that of one device.
    found.calls = found.verdicts.size();
    found.wasted = started_ - found.calls;
    if (!found.reached && !found.stopped && stop_.stop_requested())
      found.stopped.emplace(ErrorCode::kCancelled, "stopped");
    return found;
  }

 private:
  struct Job {
    size_t place = 0;
    Question question;
    std::stop_source cancel{std::nostopstate};
    bool running = false;
    std::optional<Verdict> verdict;
  };

  // Waits for something to do; nothing if there will be nothing. REQUIRES: `lock` is held.
  Job* NextJob(std::unique_lock<std::mutex>& lock) {
    while (true) {
      if (stop_.stop_requested() || error_) return nullptr;
      if (!again_.empty()) {
        const size_t place = *again_.begin();
        again_.erase(again_.begin());
        if (place < limit_) return Start(jobs_.at(place));
        continue;
      }
      if (!exhausted_ && jobs_.size() < limit_) {
        std::optional<Question> question = queue_();
        if (question) {
          Job& job = jobs_[jobs_.size()];
          job.place = jobs_.size() - 1;
          job.question = std::move(*question);
          return Start(job);
        }
        exhausted_ = true;
      }
      // A running candidate that matters may yet come back, if its device is lost.
      const bool pending = std::any_of(jobs_.begin(), jobs_.end(),
                                       [&](const auto& j) { return j.second.running && j.first < limit_; });
      if (!pending) return nullptr;
      changed_.wait(lock);
    }
  }

  static Job* Start(Job& job) {
    job.running = true;
    return &job;
  }

  void Record(Job& job, Result<Verdict> verdict) {
    const bool lost = !verdict && verdict.error().code() == ErrorCode::kDeviceLost;
    if (lost) --devices_;
    if (job.place >= limit_) return;  // Cancelled, or late: no longer of interest.
    if (verdict) {
      job.verdict = *verdict;
      if (*verdict != Verdict::kReached) job.question.kept = {};  // Long queues of long candidates add up.
      if (*verdict == Verdict::kReached) {
        limit_ = job.place;
        CancelFrom(limit_ + 1);
      }
      return;
    }
    if (lost && devices_ > 0) {
      again_.insert(job.place);
      return;
    }
    if (!error_) error_ = std::move(verdict).error();
    CancelFrom(0);
  }

  void CancelFrom(size_t place) {
    for (auto& [at, job] : jobs_)
      if (at >= place && job.running) job.cancel.request_stop();
  }

  const Queue& queue_;
  const std::stop_token stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, Job> jobs_;  // By place in the queue. Nodes stay where they are.
  std::set<size_t> again_;      // Places whose device was lost.
  size_t limit_ = SIZE_MAX;     // The first place known to reach: nothing from here on matters.
  size_t devices_;
  uint64_t started_ = 0;
  bool exhausted_ = false;
  std::optional<Error> error_;
};

}  // namespace

ParallelJudge::ParallelJudge(std::vector<TargetOracle> oracles, bool knows_local_targets)
    : oracles_(std::move(oracles)), lost_(oracles_.size(), false), knows_local_targets_(knows_local_targets) {
  MARMOSET_CHECK(!oracles_.empty());
}

size_t ParallelJudge::width() const { return static_cast<size_t>(std::count(lost_.begin(), lost_.end(), 0)); }

Found ParallelJudge::First(const Queue& queue, std::stop_token stop) {
  if (width() == 0) {
    Found found;
    found.stopped.emplace(ErrorCode::kDeviceLost, "no device is left");
    return found;
  }
  Search search(queue, width(), std::move(stop));
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < oracles_.size(); ++i) {
      if (lost_[i]) continue;
      threads.emplace_back([&, i] {
        if (!search.Work(oracles_[i])) lost_[i] = true;
      });
    }
  }
  return search.Finish();
}

}  // namespace marmoset
