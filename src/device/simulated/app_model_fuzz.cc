// Any bytes: read as an app model; what is accepted is played for a while with actions made of the same
// bytes.

#include "base/hash.h"
#include "device/simulated/simulated_device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Result<AppModel> model = ParseAppModel(bytes);
  if (!model) return 0;
  SimulatedDevice device(std::move(*model));
  Random random(Hash64(bytes));
  (void)device.Reset({random.Next()});
  (void)device.Perform(Launch{});
  for (int i = 0; i < 30; ++i) {
    const auto screen = device.Observe();
    if (!screen) break;
    const Point at{static_cast<int>(random.Below(1100)), static_cast<int>(random.Below(2000))};
    const Action actions[] = {Tap{at},  LongTap{at},      DoubleTap{at},      Swipe{at, {at.x, at.y + 9}},
                              Tap{at},  TypeText{"12"},   PressKey{"BACK"},   Rotate{i % 4},
                              Launch{}, PressKey{"HOME"}, Wait{1'000'000'000}};
    const auto outcome = device.Perform(actions[random.Below(std::size(actions))]);
    if (!outcome || outcome->process_died()) (void)device.Reset({random.Next()});
  }
  return 0;
}
