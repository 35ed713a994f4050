#include "minimize/minimizer.h"

#include "base/hash.h"
#include "minimize/method.h"
#include "minimize/verdict_memory.h"

namespace marmoset {
namespace {

class Minimizer {
 public:
  Minimizer(const MinimizeWorld& world, const Trace& trace, const MinimizeOptions& options,
            VerdictMemory memory, const std::function<void(const MinimizeProgress&)>& on_progress)
      : world_(world),
        trace_(trace),
        options_(options),
        memory_(std::move(memory)),
        on_progress_(on_progress),
        fixed_(FixedSteps(trace)) {
    result_.kept = AllSteps(trace);
    result_.events_before = trace.steps.size();
  }

  Result<Minimization> Run(const Reducer& reducer) {
    MARMOSET_ASSIGN(const bool reached, PreCheck());
    if (!reached) {
      result_.pre_check_failed = true;
      result_.minimal = Select(result_.kept);
      return std::move(result_);
    }
    MARMOSET_TRY(SaveBest());
    Reduce(reducer);
    if (!result_.stopped) Confirm();
    MARMOSET_TRY(SaveBest());
    result_.minimal = Select(result_.kept);
    return std::move(result_);
  }

 private:
  // Replays the whole trace until it reaches the target once, at most pre_checks times.
  Result<bool> PreCheck() {
    for (int i = 0; i < options_.pre_checks; ++i) {
      Report("pre-check");
      MARMOSET_ASSIGN(const Replay replay, ReplayKept(result_.kept));
      const bool reached = replay.verdict == Verdict::kReached;
      if (reached) {
        // What came after the target was reached was not needed for it.
        result_.kept.resize(std::max(replay.steps_done, fixed_));
        if (replay.crash) crash_ = replay.crash;
        return true;
      }
      result_.last = replay;
    }
    return false;
  }

  // The reducer's result is 1-minimal at best: no single step can go. Ways into a place and back out of it
  // ("open the settings, press BACK") are two or three steps that can only go together, so short runs of
  // steps are tried as well; where one goes, the reducer has another look.
  void Reduce(const Reducer& reducer) {
    do {
      ReduceOnce(reducer);
    } while (!result_.stopped && DropShortRun());
  }

  void ReduceOnce(const Reducer& reducer) {
    const Kept prefix = result_.kept;
    auto steps_of = [&](const Kept& kept_items) {
      Kept steps(prefix.begin(), prefix.begin() + static_cast<ptrdiff_t>(fixed_));
      for (const uint32_t i : kept_items) steps.push_back(prefix[fixed_ + i]);
      return steps;
    };
    const Kept items(prefix.begin() + static_cast<ptrdiff_t>(fixed_), prefix.end());
    ActivityStates states = StatesOf(trace_, items);
    Problem problem;
    problem.size = static_cast<uint32_t>(items.size());
    if (states.usable()) problem.states = std::move(states.around);
    SequentialJudge judge([&](const Question& question, std::stop_token) -> Result<Verdict> {
      // The state after the last step has no name: it is where the target is reached.
      if (!question.reach || *question.reach >= states.names.size()) return Ask(steps_of(question.kept));
      return Ask(steps_of(question.kept), states.names[*question.reach]);
    });
    const OnBest on_best = [&](const Kept& kept_items) { Accept(steps_of(kept_items)); };
    Reduction reduction = reducer.Reduce(problem, judge, on_best, world_.stop);
    result_.kept = steps_of(reduction.kept);
    result_.one_minimal = reduction.one_minimal;
    if (reduction.stopped) result_.stopped = std::move(reduction.stopped);
  }

  // True: a run of two or three steps was not needed.
  bool DropShortRun() {
    for (const size_t length : {size_t{2}, size_t{3}}) {
      for (size_t from = fixed_; from + length <= result_.kept.size(); ++from) {
        Kept candidate = result_.kept;
        candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(from),
                        candidate.begin() + static_cast<ptrdiff_t>(from + length));
        const Result<Verdict> verdict = Ask(candidate);
        if (!verdict) {
          result_.stopped = verdict.error();
          return false;
        }
        if (*verdict != Verdict::kReached) continue;
        Accept(std::move(candidate));
        return true;
      }
    }
    return false;
  }

  // `ends_in` is set for a local target.
  Result<Verdict> Ask(const Kept& steps, const VerdictMemory::EndsIn& ends_in = {}) {
    if (const auto known = memory_.Find(steps, ends_in)) {
      ++result_.remembered;
      return *known;
    }
    if (world_.stop.stop_requested()) return Fail(ErrorCode::kCancelled, "stopped");
    Report("reduce");
    MARMOSET_ASSIGN(const Replay replay, ReplayKept(steps, ends_in));
    MARMOSET_TRY(memory_.Add(steps, replay.verdict, ends_in));
    return replay.verdict;
  }

  void Accept(Kept steps) {
    result_.kept = std::move(steps);
    if (Status saved = SaveBest(); !saved) result_.stopped = std::move(saved.error());
  }

  void Confirm() {
    if (world_.renew) world_.renew();
    for (int i = 0; i < options_.confirmations; ++i) {
      Report("confirm");
      Result<Replay> replay = ReplayKept(result_.kept);
      if (!replay) {
        result_.stopped = std::move(replay.error());
        return;
      }
      if (replay->verdict == Verdict::kUnresolved) {
        ++result_.unresolved;
      } else {
        ++result_.runs;
        if (replay->verdict == Verdict::kReached) ++result_.reached;
        if (replay->crash && replay->verdict == Verdict::kReached) crash_ = replay->crash;
      }
      result_.last = std::move(*replay);
    }
    Report("confirm");
  }

  Result<Replay> ReplayKept(const Kept& kept, const VerdictMemory::EndsIn& ends_in = {}) {
    ReplayOptions replay_options;
    replay_options.seed = trace_.seed;
    if (ends_in)
      replay_options.reached_at_end = [&](const Screen& screen) { return screen.activity == *ends_in; };
    Result<Replay> replay =
        ReplaySteps(world_.device, trace_, kept, options_.target, replay_options, world_.stop);
    ++result_.replays;
    if (replay) result_.replayed_events += replay->steps_done;
    return replay;
  }

  Trace Select(const Kept& kept) const {
    Trace selected = trace_;
    selected.steps.clear();
    for (const uint32_t i : kept) selected.steps.push_back(trace_.steps[i]);
    if (crash_) selected.crash = crash_;
    return selected;
  }

  Status SaveBest() { return WriteTrace(options_.out / "minimal.trace.jsonl", Select(result_.kept)); }

  void Report(std::string_view phase) {
    if (!on_progress_) return;
    on_progress_({phase, result_.events_before, result_.kept.size(), result_.replays, result_.replayed_events,
                  result_.reached, result_.runs});
  }

  const MinimizeWorld& world_;
  const Trace& trace_;
  const MinimizeOptions& options_;
  VerdictMemory memory_;
  const std::function<void(const MinimizeProgress&)>& on_progress_;
  const size_t fixed_;  // Steps at the front that are always kept.
  std::optional<CrashSignature> crash_;
  Minimization result_;
};

}  // namespace

Result<Minimization> Minimize(const MinimizeWorld& world, const Trace& trace, const Reducer& reducer,
                              const MinimizeOptions& options,
                              const std::function<void(const MinimizeProgress&)>& on_progress) {
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "the trace has no steps");
  const uint64_t question = Hash64(ToText(trace), Hash64(ToText(options.target)));
  MARMOSET_ASSIGN(VerdictMemory memory, VerdictMemory::Open(options.out / "candidates.jsonl", question));
  return Minimizer(world, trace, options, std::move(memory), on_progress).Run(reducer);
}

}  // namespace marmoset
