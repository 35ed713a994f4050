// Methods compared: what each reducer asks of recorded and of generated traces.
//
// Recorded traces are judged by their activities (method.h), or replayed. Generated ones have a known set of
// needed events among n, in a cluster or scattered, the last always among them; with all of them a replay
// reaches with probability p, else never. Nested ones are a walk through screens, each event being sent on
// one, and what opened the screens of the needed events is needed as well; they have a hierarchy. A candidate
// is accepted when one of as many replays reaches as make a miss of a good candidate rarer than 1 in 1 000:
// one replay for p = 1, 66 for p = 0.1.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "minimize/minimizer.h"
#include "reduce/registry.h"
#include "trace/trace.h"

namespace marmoset {

enum class Place { kClustered, kScattered, kNested };
std::string_view PlaceName(Place place);

struct Family {
  uint32_t events = 0;
  uint32_t needed = 1;
  Place place = Place::kScattered;
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
  double seconds = 0;  // Of a replayed trace.
};

// Every method on one recorded trace. Errors as MinimizeOffline.
Result<std::vector<Comparison>> CompareOn(const std::string& name, const Trace& trace);

// Every method on one generated trace; those that need states on nested ones only, one-by-one only up to 1
// 000 events, since it replays in the square of them. Equal seeds give equal results.
std::vector<Comparison> CompareOn(const Family& family, uint64_t seed);

// One method on a trace that is replayed on real or simulated devices, from the beginning. Nothing: the
// target was not reached in the first replay. kDeviceLost, kCancelled: the minimization did not come to its
// end.
Result<std::optional<Comparison>> CompareLive(const std::string& name, const MinimizeWorld& world,
                                              const Trace& trace, const Target& target,
                                              const ReducerInfo& method);

}  // namespace marmoset
