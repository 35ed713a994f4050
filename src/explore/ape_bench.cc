// What the strategy `ape` takes of its own, on a generated app of 24,000 screens in 2,000 activities, until
// 20,000 states have been visited. Claims: a step takes far below 1 ms, however many states there are, and a
// state some kilobytes: docs/papers.md has the figures. (All of the screens would take far more steps: the
// last are seen by chance.)
//
//     ape_bench [STATES [SCREENS]]         default 20000 24000
//
// The app: screens are a tree with jumps. Each has buttons of its own to four screens below it, one to a
// screen anywhere, one that does nothing, and labels; every fifth has a list of five rows besides, which the
// model refines. BACK leads to where one came from.

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "explore/ape.h"
#include "gui/selector.h"
#include "gui/testing.h"

namespace marmoset {
namespace {

constexpr size_t kScreensOfActivity = 12;
constexpr size_t kBelow = 4;

class GeneratedApp {
 public:
  explicit GeneratedApp(size_t screens) : screens_(screens) {}

  void Launch() { path_ = {0}; }

  Screen Observe() const {
    const size_t at = path_.back();
    std::vector<Widget> widgets;
    const auto add = [&](const char* class_name, const std::string& id, const std::string& text,
                         bool clickable) {
      widgets.push_back(RowWidget(static_cast<int>(widgets.size()), class_name, "p:id/" + id, text));
      widgets.back().clickable = clickable;
    };
    for (size_t i = 0; i < kBelow + 2; ++i)
      add("android.widget.Button", fmt::format("s{}_{}", at, i), fmt::format("Button {}", i), true);
    for (size_t i = 0; i < 4; ++i) add("android.widget.TextView", "label", fmt::format("Label {}", i), false);
    for (size_t i = 0; i < 5 && at % 5 == 4; ++i)
      add("android.widget.TextView", "row", fmt::format("Row {}", i), true);
    return ScreenOf(fmt::format("com.example.A{}", at / kScreensOfActivity), std::move(widgets));
  }

  void Perform(const Decision& decision) {
    const size_t at = path_.back();
    if (const auto* key = std::get_if<PressKey>(&decision.action)) {
      if (key->key == "BACK" && path_.size() > 1) path_.pop_back();
      return;
    }
    if (!decision.widget || !std::holds_alternative<Tap>(decision.action)) return;
    const auto button = static_cast<size_t>(decision.widget->widget - 1);
    if (button < kBelow)
      Go(at * kBelow + 1 + button);
    else if (button == kBelow)
      Go(at * 7919 + 13);
    else if (button >= kBelow + 2)
      Go(at + button);  // A row.
  }

 private:
  void Go(size_t to) {
    path_.push_back(to % screens_);
    if (path_.size() > 30) path_.erase(path_.begin() + 1);
  }

  const size_t screens_;
  std::vector<size_t> path_ = {0};
};

// Milliseconds of the steps between two lines of the table.
void Print(size_t states, int64_t steps, std::vector<double> ms, double bytes) {
  double sum = 0;
  for (const double one : ms) sum += one;
  std::sort(ms.begin(), ms.end());
  const auto at = [&](double share) {
    return ms[static_cast<size_t>(share * static_cast<double>(ms.size() - 1))];
  };
  std::printf("%8zu %9lld %10.3f %10.3f %10.3f %10.3f %10.3f %12.0f\n", states, static_cast<long long>(steps),
              sum / static_cast<double>(ms.size()), at(0.5), at(0.95), at(0.99), ms.back(),
              bytes / static_cast<double>(states));
  std::fflush(stdout);
}

int Main(size_t wanted, size_t screens) {
  const auto heap = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double heap_before = heap();
  const auto ape = MakeApeWith({}, {});
  GeneratedApp app(screens);
  Random random(1);
  std::set<size_t> seen;
  std::vector<double> ms;
  size_t next_line = wanted / 20;
  Screen screen;
  // Of the processor: other work of the machine does not count.
  const auto timed = [&](auto work) {
    const auto now_ms = [] {
      timespec now{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    };
    const double start_ms = now_ms();
    work();
    return now_ms() - start_ms;
  };
  const auto launch = [&] {
    app.Launch();
    screen = app.Observe();
    Step step;
    step.action = Launch{};
    ape->Remember(step, screen, true, 0);
  };
  std::printf("%8s %9s %10s %10s %10s %10s %10s %12s\n", "states", "steps", "mean ms", "median", "95 %",
              "99 %", "max", "bytes/state");
  launch();
  for (int64_t steps = 0; seen.size() < wanted; ++steps) {
    if (steps > 100 * static_cast<int64_t>(wanted)) {
      std::printf("gave up: only %zu screens were seen\n", seen.size());
      return 1;
    }
    Decision decision;
    const double choosing = timed([&] { decision = ape->Choose(screen, random); });
    if (decision.restart) {
      launch();
      continue;
    }
    Step step;
    step.action = decision.action;
    step.activity = screen.activity;
    step.screen = ContentHash(screen);
    if (decision.widget)
      step.selector = SelectorOf(screen, *decision.widget, At(screen, *decision.widget).bounds.center());
    app.Perform(decision);
    screen = app.Observe();
    step.activity_after = screen.activity;
    step.screen_after = ContentHash(screen);
    ms.push_back(choosing + timed([&] { ape->Remember(step, screen, true, 0); }));
    seen.insert(step.screen_after);
    if (seen.size() == next_line) {
      Print(seen.size(), steps + 1, ms, heap() - heap_before);
      ms.clear();
      next_line = next_line >= wanted ? wanted : std::min(wanted, next_line * 2);
    }
  }
  return 0;
}

}  // namespace
}  // namespace marmoset

int main(int argc, char** argv) {
  const auto number = [&](int i, uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  return marmoset::Main(number(1, 20'000), number(2, 24'000));
}
