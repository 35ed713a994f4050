// Any bytes: parsed as an action, a selector and a screen; what is accepted must survive a round trip.

#include "base/check.h"
#include "gui/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const auto json = ParseJson({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  if (const auto action = ActionFromJson(*json)) MARMOSET_CHECK(ActionFromJson(ToJson(*action)) == *action);
  if (const auto selector = SelectorFromJson(*json))
    MARMOSET_CHECK(SelectorFromJson(ToJson(*selector)) == *selector);
  if (const auto screen = ScreenFromJson(*json)) MARMOSET_CHECK(ScreenFromJson(ToJson(*screen)) == *screen);
  return 0;
}
