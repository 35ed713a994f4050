// The simulated device: plays an app model. For tests and experiments that need an app whose bugs, flakiness
// and minimal steps are known, or thousands of runs a second.
//
// What happens is a function of (model, seeds of Reset, actions). Errors: kDeviceLost once the model says
// that the device is lost, until the next Reset; kInternal for an action after the app's process died, since
// Reset is next.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "device/device.h"
#include "device/simulated/app_model.h"

namespace marmoset {

class SimulatedDevice : public Device {
 public:
  explicit SimulatedDevice(AppModel model);

  // Reads the model from a file.
  static Result<std::unique_ptr<SimulatedDevice>> Open(const fs::path& model);

  const AppModel& model() const { return model_; }

  const DeviceInfo& info() const override { return info_; }
  Status Reset(const ResetOptions& options) override;
  Result<Outcome> Perform(const Action& action) override;
  Result<Screen> Observe() override;
  Result<std::string> Screenshot() override;  // Always kUnsupported.

 private:
  // What is at a point of the front-most window.
  struct Touched {
    size_t widget = 0;
    int64_t row = -1;  // Of a list; -1: not a row.
  };
  // A screen as it is shown, and what its front-most widgets are in the model.
  struct Shown {
    Screen screen;
    std::vector<std::optional<Touched>> origins;
  };
  using FieldKey = std::pair<size_t, size_t>;  // Screen, widget.

  const ModelScreen& Front() const { return model_.screens[stack_.back()]; }
  bool InApp() const { return alive_ && in_front_ && !stack_.empty(); }
  size_t ActivityBelow(size_t position) const;
  Shown Show();
  Window ShowWindow(size_t screen, std::vector<std::optional<Touched>>* origins);
  std::string Filled(const std::string& text) const;
  bool Holds(const std::optional<Expression>& condition, bool otherwise);
  std::optional<Touched> At(Point point);

  void React(const Action& action, Outcome& outcome);
  bool Fire(const Action& action, const std::optional<Touched>& touched, Outcome& outcome);
  bool Fits(const Transition& transition, const Action& action, const std::optional<Touched>& touched) const;
  void Apply(const Transition& transition, Outcome& outcome);
  void TapDefault(const std::optional<Touched>& touched);
  void Type(const TypeText& typed, Outcome& outcome);
  void Launched(const std::string& component, Outcome& outcome);
  void Go(size_t screen, Outcome& outcome);
  void Back(Outcome& outcome);
  void LoseProcess();
  void Die() { alive_ = false; }

  AppModel model_;
  DeviceInfo info_;
  Random random_{0};
  Random infrastructure_{0};  // Apart, so that a model's faults do not change what its app does.
  std::vector<int64_t> values_;
  std::vector<size_t> stack_;  // Screens, front-most last; no screen is in it twice.
  std::map<FieldKey, std::string> typed_;
  std::optional<FieldKey> focused_;
  int rotation_ = 0;
  bool alive_ = true;      // False after a crash, exit or host gap.
  bool in_front_ = false;  // False on the home screen.
  bool lost_ = false;
  int64_t now_ms_ = 0;
};

}  // namespace marmoset
