// Any bytes: read as a device profile; what is accepted is written and read again, and must be the same.

#include <cstdlib>

#include "device/hosted/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const Result<HostedProfile> profile =
      ParseProfile(std::string_view(reinterpret_cast<const char*>(data), size), "fuzzed");
  if (!profile) return 0;
  const std::string text = ToText(*profile);
  const Result<HostedProfile> again = ParseProfile(text, "other");
  if (!again || ToText(*again) != text) std::abort();
  return 0;
}
