#include "device/device.h"

namespace marmoset {

const std::vector<AppMethod>& Device::methods() const {
  static const std::vector<AppMethod> none;
  return none;
}

Result<std::vector<uint32_t>> Device::TakeEntered() {
  return Fail(ErrorCode::kUnsupported, "{}: this device does not count methods", info().name);
}

}  // namespace marmoset
