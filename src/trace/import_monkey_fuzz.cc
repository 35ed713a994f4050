// Any bytes: read as a Monkey script or log; the trace must survive a round trip through its file.

#include "base/check.h"
#include "trace/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const auto imported = ParseMonkey({reinterpret_cast<const char*>(data), size}, std::nullopt);
  if (!imported) return 0;
  const Result<Trace> again = ParseTrace(ToText(imported->trace));
  MARMOSET_CHECK(again.has_value() && again->steps.size() == imported->trace.steps.size());
  return 0;
}
