// Any bytes: the part before the first zero is read as script.log, the rest as execute.log.

#include <algorithm>

#include "base/check.h"
#include "trace/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(bytes.find('\0'), bytes.size());
  const auto imported =
      ParseSimplyDroid(bytes.substr(0, cut), bytes.substr(std::min(cut + 1, bytes.size())), std::nullopt);
  if (!imported) return 0;
  const Result<Trace> again = ParseTrace(ToText(imported->trace));
  MARMOSET_CHECK(again.has_value() && again->steps.size() == imported->trace.steps.size());
  return 0;
}
