// Methods compared: what each reducer asks of recorded and of generated traces.
//
// Recorded traces are judged by their activities (method.h). Generated ones have a known set of needed events
// among n, in a cluster or scattered, the last always among them; with all of them a replay reaches with
// probability p, else never. A candidate is accepted when one of as many replays reaches as make a miss of a
// good candidate rarer than 1 in 1 000: one replay for p = 1, 66 for p = 0.1.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "reduce/registry.h"
#include "trace/trace.h"

namespace marmoset {

struct Family {
  uint32_t events = 0;
  uint32_t needed = 1;
  bool clustered = false;
  double p = 1;
};

// Up to `max_events` events, 1 to 20 needed, p = 0.1, 0.5 and 1.
std::vector<Family> Families(uint32_t max_events);

struct Comparison {
  std::string trace;
  std::string_view method;
  Family family;  // For a recorded trace its number of events alone is meant.
  uint64_t replays = 0;
  uint64_t replayed_events = 0;
  size_t length = 0;
  bool one_minimal = false;
};

// Every method on one recorded trace. Errors as MinimizeOffline.
Result<std::vector<Comparison>> CompareOn(const std::string& name, const Trace& trace);

// Every method that needs no states on one generated trace; one-by-one only up to 1 000 events, since it
// replays in the square of them. Equal seeds give equal results.
std::vector<Comparison> CompareOn(const Family& family, uint64_t seed);

// REQUIRES for both: not empty.
double Median(std::vector<uint64_t> values);
double Mean(std::span<const uint64_t> values);

}  // namespace marmoset
