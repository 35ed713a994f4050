#include "minimize/minimizer.h"

#include <algorithm>

#include "base/hash.h"
#include "minimize/verdict_memory.h"
#include "reduce/parallel_judge.h"
#include "schedule/interval.h"
#include "schedule/prior.h"

namespace marmoset {
namespace {

constexpr FixedRule kPreCheckOfMany = {20, 1};
constexpr FixedRule kPreCheckPublished = {20, 15};
constexpr uint32_t kAlikeReplays = 2;   // Replays that should be alike are looked at so often …
constexpr uint32_t kSampleReplays = 5;  // … and others so often, before they count as all of one mind.
constexpr double kRateConfidence = 0.68;
constexpr double kConfirmedRate = 0.9;  // Of a result that single replays led to: ND3MIN's 18 of 20.

bool Once(const Judgement& judgement) { return std::holds_alternative<JudgeOnce>(judgement); }

class Minimizer {
 public:
  Minimizer(const MinimizeWorld& world, const Trace& trace, const MinimizeOptions& options,
            VerdictMemory memory, const std::function<void(const MinimizeProgress&)>& on_progress)
      : world_(world),
        trace_(trace),
        options_(options),
        on_progress_(on_progress),
        fixed_(FixedSteps(trace)),
        farm_(world.devices, trace, options.target, std::move(memory),
              {options.states, options.vary, [this] { Report(); }}),
        names_before_(ActivitiesBefore(trace, AllSteps(trace))) {
    if (options.states == StateFunction::kShape) names_before_.assign(trace.steps.size(), "");
    result_.kept = AllSteps(trace);
    result_.events_before = trace.steps.size();
  }

  Result<Minimization> Run() {
    const Status done = Work();
    if (!done && !best_known_) return Fail(Error(done.error()));
    if (!done) result_.stopped = done.error();
    MARMOSET_TRY(SaveBest());
    result_.minimal = Select(result_.kept);
    result_.replays = farm_.replays();
    result_.replayed_events = farm_.replayed_events();
    result_.remembered = farm_.remembered();
    result_.lost = farm_.lost();
    return std::move(result_);
  }

 private:
  Status Work() {
    MARMOSET_TRY(PreCheck());
    if (result_.pre_check_failed) return {};
    MARMOSET_TRY(SaveBest());
    MARMOSET_ASSIGN(result_.method, ChooseMethod(options_.method, StatesOf(NamesOf(Items()))));
    const bool may_think_again = std::holds_alternative<JudgeAuto>(options_.judgement);
    result_.judgement = may_think_again ? JudgementByPreCheck() : options_.judgement;
    const Kept whole = result_.kept;
    MARMOSET_TRY(ReduceAndConfirm());
    const Counts confirmed = result_.confirmed;
    if (!may_think_again || !Once(result_.judgement) || confirmed.runs() == 0 ||
        confirmed.reached >= kConfirmedRate * confirmed.runs())
      return {};
    // Few replays of the whole trace told too little about how often it reaches.
    thorough_ = true;
    result_.kept = whole;
    MARMOSET_TRY(PreCheck());
    if (result_.pre_check_failed) return {};
    result_.judgement = SequentialFor(RateOfWhole());
    return ReduceAndConfirm();
  }

  Status ReduceAndConfirm() {
    touched_.clear();
    MARMOSET_TRY(Reduce());
    return Confirm();
  }

  // --- Pre-check ---

  FixedRule PreCheckRule() const {
    if (options_.pre_check) return *options_.pre_check;
    if (Once(options_.judgement)) return {1, 1};
    return std::holds_alternative<JudgeAuto>(options_.judgement) ? kPreCheckOfMany : kPreCheckPublished;
  }

  // Replays that are alike tell nothing new when they are done again.
  bool Alike() const {
    return world_.devices[0].device->info().deterministic && options_.vary == Vary::kNothing;
  }

  // How many replays the pre-check still needs, by what was seen.
  uint32_t PreChecksLeft(Counts seen, const FixedRule& rule) const {
    const uint32_t left = seen.runs() < rule.runs ? rule.runs - seen.runs() : 0;
    if (!std::holds_alternative<JudgeAuto>(options_.judgement)) {
      const bool decided = seen.reached >= rule.needed || seen.missed > rule.allowed_misses();
      return decided ? 0 : left;
    }
    const bool of_one_mind = seen.missed == 0 || (seen.reached == 0 && Alike());
    const uint32_t sample =
        std::min(rule.runs, std::max(rule.needed, Alike() ? kAlikeReplays : kSampleReplays));
    if (!of_one_mind || thorough_) return left;
    return seen.runs() < sample ? sample - seen.runs() : 0;
  }

  Status PreCheck() {
    phase_ = "pre-check";
    const FixedRule rule = PreCheckRule();
    Counts& seen = result_.pre_check;
    auto [known, last_step] = farm_.Known(Candidate{result_.kept, {}});
    bool watched = options_.states != StateFunction::kShape;
    if (watched) seen = known;
    uint32_t unresolved = 0;
    while (const uint32_t left = PreChecksLeft(seen, rule)) {
      if (unresolved >= (Alike() ? kAlikeReplays : rule.runs)) break;
      std::vector<std::string> names;
      DeviceFarm::Watch watch;
      if (!watched)
        watch = [&](const Step*, const Action&, const Screen& screen) {
          names.push_back(StateName(options_.states, screen));
        };
      // One at a time while its screens are watched, or while the first is to tell how it stands.
      const uint32_t runs = watch || seen.runs() == 0 ? 1 : std::min(left, farm_.width());
      MARMOSET_ASSIGN(const std::vector<Replay> replays,
                      farm_.Repeat({result_.kept, {}}, runs, true, watch, world_.stop));
      for (const Replay& replay : replays) {
        unresolved += Count(replay, seen);
        if (replay.verdict != Verdict::kReached) continue;
        last_step = std::max(last_step, replay.steps_done);
        if (watched) continue;
        names.resize(trace_.steps.size());
        names_before_ = std::move(names);
        watched = true;
      }
    }
    result_.pre_check_failed = seen.reached < rule.needed;
    if (result_.pre_check_failed) best_known_ = true;
    if (result_.pre_check_failed || last_step == 0) return {};
    // What came after the target was reached was not needed for it.
    result_.kept.resize(std::max(last_step, fixed_));
    best_known_ = true;
    return {};
  }

  Judgement JudgementByPreCheck() const {
    if (result_.pre_check.missed == 0) return JudgeOnce();
    return SequentialFor(RateOfWhole());
  }

  // Rather too low: a candidate as good as the whole trace must not fail since the pre-check was lucky.
  double RateOfWhole() const { return WilsonInterval(result_.pre_check, kRateConfidence).low; }

  // --- Reduction ---

  // The reducer's result is 1-minimal at best: no single step can go. Ways into a place and back out of it
  // ("open the settings, press BACK") are two or three steps that can only go together, so short runs of
  // steps are tried as well; where one goes, the reducer has another look.
  Status Reduce() {
    phase_ = "reduce";
    MARMOSET_TRY(MakeRule());
    bool pre_pass = options_.pre_pass;
    do {
      MARMOSET_TRY(ReduceOnce(pre_pass));
      pre_pass = false;
      MARMOSET_TRY(DropShortRun());
    } while (dropped_);
    return {};
  }

  Status MakeRule() {
    rule_.reset();
    if (const auto* fixed = std::get_if<FixedRule>(&result_.judgement)) rule_ = Acceptance(*fixed);
    if (const auto* options = std::get_if<SequentialOptions>(&result_.judgement)) {
      MARMOSET_ASSIGN(rule_, Acceptance::Sequential(*options));
    }
    if (rule_) policy_ = MakePolicy(options_.policy, *rule_, options_.likely, options_.mdp);
    return {};
  }

  // Asks a judge that suits the devices and the judgement; questions are of places in `steps`.
  template <class Use>
  void WithJudge(const Kept& steps, const States& states, const Use& use) {
    farm_.set_candidate_of([&](const Question& question) {
      Candidate candidate;
      candidate.steps.assign(result_.kept.begin(), result_.kept.begin() + static_cast<ptrdiff_t>(fixed_));
      for (const uint32_t i : question.kept) candidate.steps.push_back(steps[i]);
      // The state after the last step has no name: it is where the target is reached.
      if (question.reach && *question.reach < states.names.size())
        candidate.ends_in = states.names[*question.reach];
      return candidate;
    });
    if (rule_) {
      ScheduledJudge::Options options;
      options.knows_local_targets = true;
      options.known = [this](const Question& question) { return farm_.Known(question); };
      ScheduledJudge judge(farm_, *policy_, *rule_, options);
      use(judge);
      history_.insert(history_.end(), judge.history().begin(), judge.history().end());
    } else {
      ParallelJudge judge(farm_.Oracles(), true);
      use(judge);
    }
  }

  Status ReduceOnce(bool pre_pass) {
    const Kept items = Items();
    States states = StatesOf(NamesOf(items));
    Problem problem;
    problem.size = static_cast<uint32_t>(items.size());
    if (states.usable()) problem.states = states.around;
    if (pre_pass) problem.pre_pass = ScreensAround(trace_, items);
    Reduction reduction;
    WithJudge(items, states, [&](Judge& judge) {
      const OnBest on_best = [&](const Kept& kept) { Accept(items, kept); };
      reduction = result_.method.method->make()->Reduce(problem, judge, on_best, world_.stop);
    });
    Accept(items, reduction.kept);
    result_.one_minimal = reduction.one_minimal;
    result_.wasted += reduction.wasted_calls;
    if (reduction.stopped) return Fail(std::move(*reduction.stopped));
    return std::move(save_error_);
  }

  // Sets dropped_ if a run of two or three steps was not needed.
  Status DropShortRun() {
    const Kept items = Items();
    const auto n = static_cast<uint32_t>(items.size());
    uint32_t length = 2, from = 0;
    const Queue queue = [&]() -> std::optional<Question> {
      if (from + length > n) ++length, from = 0;
      if (length > 3 || length > n) return std::nullopt;
      Question question;
      for (uint32_t i = 0; i < n; ++i)
        if (i < from || i >= from + length) question.kept.push_back(i);
      ++from;
      return question;
    };
    Found found;
    WithJudge(items, {}, [&](Judge& judge) { found = judge.First(queue, world_.stop); });
    result_.wasted += found.wasted;
    dropped_ = found.reached.has_value();
    if (dropped_) Accept(items, found.kept);
    if (found.stopped) return Fail(std::move(*found.stopped));
    return std::move(save_error_);
  }

  void Accept(const Kept& items, const Kept& kept_items) {
    Kept steps(result_.kept.begin(), result_.kept.begin() + static_cast<ptrdiff_t>(fixed_));
    for (const uint32_t i : kept_items) steps.push_back(items[i]);
    if (steps == result_.kept) return;
    result_.kept = std::move(steps);
    if (Status saved = SaveBest(); !saved) save_error_ = std::move(saved);
  }

  // --- Confirmation ---

  Status Confirm() {
    phase_ = "confirm";
    farm_.RenewAll();
    result_.confirmed = {};
    // The first is watched, so that the result names the widgets that a recording by coordinates did not
    // know.
    std::vector<std::optional<Selector>> touched;
    const DeviceFarm::Watch watch = [&](const Step* step, const Action& action, const Screen& screen) {
      if (!step) return;
      const std::optional<Point> at = TouchedPoint(action);
      touched.push_back(step->selector || !at ? step->selector : SelectorAt(screen, *at));
    };
    for (uint32_t left = options_.confirmations; left > 0;) {
      const bool first = left == options_.confirmations;
      const uint32_t runs = first ? 1 : std::min(left, std::max(1u, farm_.width()));
      MARMOSET_ASSIGN(
          const std::vector<Replay> replays,
          farm_.Repeat({result_.kept, {}}, runs, false, first ? watch : DeviceFarm::Watch(), world_.stop));
      for (const Replay& replay : replays) Count(replay, result_.confirmed);
      if (first && result_.confirmed.reached == 1) touched_ = touched;
      left -= runs;
    }
    if (!rule_) return {};
    const Prior prior = Prior::Published().Learn(history_);
    if (result_.confirmed.runs() > 0)
      result_.reliable = ReliableProbability(prior, result_.confirmed.reached, result_.confirmed.runs());
    if (const auto* fixed = std::get_if<FixedRule>(&result_.judgement))
      result_.minimal_for_sure = MinimalProbability(
          prior, static_cast<uint32_t>(result_.kept.size() - fixed_), fixed->runs, fixed->needed);
    return {};
  }

  // --- What all phases share ---

  Kept Items() const {
    return Kept(result_.kept.begin() + static_cast<ptrdiff_t>(fixed_), result_.kept.end());
  }

  std::vector<std::string> NamesOf(const Kept& items) const {
    std::vector<std::string> names;
    for (const uint32_t i : items) names.push_back(names_before_[i]);
    return names;
  }

  // Whether it was unresolved, as a number.
  uint32_t Count(const Replay& replay, Counts& counts) {
    if (replay.verdict != Verdict::kReached) result_.reason = replay.reason;
    if (replay.verdict == Verdict::kUnresolved) {
      ++result_.unresolved;
      return 1;
    }
    ++(replay.verdict == Verdict::kReached ? counts.reached : counts.missed);
    if (replay.verdict == Verdict::kReached && replay.crash) crash_ = replay.crash;
    phase_counts_ = counts;
    return 0;
  }

  Trace Select(const Kept& kept) const {
    Trace selected = trace_;
    selected.steps.clear();
    for (const uint32_t i : kept) selected.steps.push_back(trace_.steps[i]);
    for (size_t i = 0; i < selected.steps.size() && touched_.size() == kept.size(); ++i)
      selected.steps[i].selector = touched_[i];
    if (crash_) selected.crash = crash_;
    return selected;
  }

  Status SaveBest() { return WriteTrace(options_.out / "minimal.trace.jsonl", Select(result_.kept)); }

  void Report() {
    if (!on_progress_) return;
    MinimizeProgress progress;
    progress.phase = phase_;
    progress.events = result_.events_before;
    progress.best = result_.kept.size();
    progress.replays = farm_.replays();
    progress.replayed_events = farm_.replayed_events();
    progress.phase_counts = phase_counts_;
    progress.devices = static_cast<uint32_t>(world_.devices.size());
    // Each step of the best has to be tried without, and the result to be confirmed.
    progress.replays_left = options_.confirmations;
    if (phase_ == "confirm")
      progress.replays_left -= std::min<uint64_t>(options_.confirmations, result_.confirmed.runs());
    else
      progress.replays_left += progress.best * (rule_ ? rule_->MissesToReject({}) : 1);
    on_progress_(progress);
  }

  const MinimizeWorld& world_;
  const Trace& trace_;
  const MinimizeOptions& options_;
  const std::function<void(const MinimizeProgress&)>& on_progress_;
  const size_t fixed_;  // Steps at the front that are always kept.
  DeviceFarm farm_;
  std::vector<std::string> names_before_;  // The state before each step of the trace; empty: not known.
  std::string_view phase_;
  Counts phase_counts_;
  std::optional<Acceptance> rule_;  // Not set: one replay decides.
  std::unique_ptr<Policy> policy_;
  std::vector<Counts> history_;  // Of all candidates that were judged by rule_.
  std::optional<CrashSignature> crash_;
  std::vector<std::optional<Selector>> touched_;  // By the steps of the confirmed result; or not known.
  bool best_known_ = false;  // The pre-check came to an end, so that there is something to keep.
  bool dropped_ = false;
  bool thorough_ = false;  // Do all replays of the pre-check, whatever they say.
  Status save_error_;
  Minimization result_;
};

}  // namespace

Result<Minimization> Minimize(const MinimizeWorld& world, const Trace& trace, const MinimizeOptions& options,
                              const std::function<void(const MinimizeProgress&)>& on_progress) {
  if (trace.steps.empty()) return Fail(ErrorCode::kNothingToDo, "the trace has no steps");
  uint64_t question = Hash64(ToText(trace), Hash64(ToText(options.target)));
  if (options.vary != Vary::kNothing)
    question = Hash64("vary", question + static_cast<uint64_t>(options.vary));
  MARMOSET_ASSIGN(VerdictMemory memory, VerdictMemory::Open(options.out / "candidates.jsonl", question));
  return Minimizer(world, trace, options, std::move(memory), on_progress).Run();
}

}  // namespace marmoset
