#include "device/device.h"

#include <iterator>
#include <utility>

namespace marmoset {
namespace {

template <typename T>
void AddAll(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void Outcome::Append(Outcome later) {
  if (!process_died()) {
    crash = std::move(later.crash);
    host_gap = std::move(later.host_gap);
    exited = later.exited;
  }
  finished = finished || later.finished;
  AddAll(left_app, std::move(later.left_app));
  AddAll(activities, std::move(later.activities));
  AddAll(toasts, std::move(later.toasts));
  AddAll(log, std::move(later.log));
}

const std::vector<AppMethod>& Device::methods() const {
  static const std::vector<AppMethod> none;
  return none;
}

Result<std::vector<uint32_t>> Device::TakeEntered() {
  return Fail(ErrorCode::kUnsupported, "{}: this device does not count methods", info().name);
}

}  // namespace marmoset
