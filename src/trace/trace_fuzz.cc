// Any bytes: parsed as a trace; what is accepted must survive a round trip.

#include "base/check.h"
#include "trace/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const Result<Trace> trace = ParseTrace({reinterpret_cast<const char*>(data), size});
  if (!trace) return 0;
  const Result<Trace> again = ParseTrace(ToText(*trace));
  MARMOSET_CHECK(again.has_value() && *again == *trace);
  return 0;
}
