#include "reduce/session.h"

#include "base/check.h"
#include "base/hash.h"

namespace marmoset {

Session::Session(uint32_t n, Judge& judge, OnBest on_best, std::stop_token stop)
    : judge_(judge), on_best_(std::move(on_best)), stop_(std::move(stop)), best_(n) {
  for (uint32_t i = 0; i < n; ++i) best_[i] = i;
}

Session::Key Session::KeyOf(const Kept& kept, std::optional<uint32_t> reach) {
  const std::string_view bytes(reinterpret_cast<const char*>(kept.data()), kept.size() * sizeof(uint32_t));
  const uint64_t seed = reach ? uint64_t{*reach} + 1 : 0;
  return {Hash64(bytes, seed), Hash64(bytes, ~seed)};
}

bool Session::Missed(const Kept& kept) const { return missed_.contains(KeyOf(kept, std::nullopt)); }

std::optional<size_t> Session::First(const Queue& queue) {
  if (stopped_) return std::nullopt;
  struct Asked {
    size_t place;
    Key key;
    bool whole_target;
  };
  std::vector<Asked> asked;
  KeySet in_queue;
  size_t drawn = 0;
  // Within a queue a repeated candidate is passed over even before its answer is known: it is proposed on the
  // assumption that all before it missed, so that it would too.
  Found found = judge_.First(
      [&]() -> std::optional<Question> {
        while (std::optional<Question> question = queue()) {
          const size_t place = drawn++;
          MARMOSET_CHECK(question->reach || question->kept.size() < best_.size());
          const Key key = KeyOf(question->kept, question->reach);
          if (missed_.contains(key) || !in_queue.insert(key).second) continue;
          asked.push_back({place, key, !question->reach});
          return question;
        }
        return std::nullopt;
      },
      stop_);

  calls_ += found.calls;
  wasted_ += found.wasted;
  stopped_ = std::move(found.stopped);
  for (size_t i = 0; i < found.verdicts.size(); ++i)
    if (found.verdicts[i] == Verdict::kMissed) missed_.insert(asked[i].key);
  if (!found.reached) return std::nullopt;
  const Asked& accepted = asked[*found.reached];
  if (accepted.whole_target) {
    best_ = std::move(found.kept);
    if (on_best_) on_best_(best_);
  }
  return accepted.place;
}

bool Session::Try(Kept kept) {
  bool drawn = false;
  return First([&]() -> std::optional<Question> {
           if (drawn) return std::nullopt;
           drawn = true;
           return Question{std::move(kept), std::nullopt, 0};
         })
      .has_value();
}

Reduction Session::Finish() && {
  Reduction result;
  result.one_minimal = !stopped_;
  Kept without;
  for (size_t i = 0; i < best_.size() && result.one_minimal; ++i) {
    without = best_;
    without.erase(without.begin() + static_cast<ptrdiff_t>(i));
    result.one_minimal = Missed(without);
  }
  result.kept = std::move(best_);
  result.oracle_calls = calls_;
  result.wasted_calls = wasted_;
  result.stopped = std::move(stopped_);
  return result;
}

}  // namespace marmoset
