#include "reduce/sweep.h"

namespace marmoset {

void SweepItems(Session& session) {
  size_t cursor = session.best().size();  // The item tried next is the one before it.
  while (!session.best().empty() && !session.stopped()) {
    const Kept base = session.best();
    size_t tried = 0;
    const auto place = [&](size_t i) { return (cursor + base.size() - 1 - i) % base.size(); };
    const std::optional<size_t> reached = session.First([&]() -> std::optional<Question> {
      if (tried == base.size()) return std::nullopt;
      Kept without = base;
      without.erase(without.begin() + static_cast<ptrdiff_t>(place(tried++)));
      return Question{std::move(without), std::nullopt, 0};
    });
    if (!reached) return;
    cursor = place(*reached);
  }
}

}  // namespace marmoset
