// Wall time for budgets and progress. Decisions that go into a trace never depend on it: those use the
// device's time.

#pragma once

#include <cstdint>

namespace marmoset {

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since an arbitrary start; never goes back.
  virtual int64_t NowMs() = 0;
};

// The machine's monotonic clock. Safe from any thread.
Clock& SystemClock();

// For tests: stands still until moved.
class ManualClock : public Clock {
 public:
  int64_t NowMs() override { return now_ms_; }
  void Advance(int64_t ms) { now_ms_ += ms; }

 private:
  int64_t now_ms_ = 0;
};

}  // namespace marmoset
