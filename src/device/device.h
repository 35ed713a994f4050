// A device: the one interface through which anything touches an app.
//
// There are three kinds: hosted (an unmodified APK on a JVM, device/hosted/), simulated (an app model from a
// file, device/simulated/) and, later, adb. On hosted and simulated devices a run is a function of (app,
// seeds, actions).
//
// One thread at a time. A flaky app is data (what Perform returns); a lost device is an Error (kDeviceLost,
// kTimeout), after which only destruction is allowed, unless Reset succeeds.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "gui/action.h"
#include "gui/crash.h"
#include "gui/display.h"
#include "gui/method.h"
#include "gui/screen.h"

namespace marmoset {

struct DeviceInfo {
  std::string name;  // "hosted", "simulated", later a serial.
  int sdk = 0;       // Android API level.
  Display display;
  bool deterministic = false;  // The same seed and actions give the same screens.
};

// What a run on a deterministic device is a function of, beside the app and the actions.
struct ResetOptions {
  uint64_t seed = 0;  // Everything random that the app sees follows from it.
  // Which order the app's threads run in: one of many, chosen by both seeds together. A crash that depends on
  // that order is a miss under one schedule seed and a certain hit under another.
  uint64_t schedule_seed = 0;
};

struct LogLine {
  char level = 'I';  // V D I W E F
  std::string tag;
  std::string message;
};

// The host could not do what a phone would have done: nothing that the app is to blame for.
struct HostGap {
  std::string where;  // Class and method of the host that failed; equal for equal gaps.
  std::string stack;
};

// What happened while an action was performed.
struct Outcome {
  std::optional<Crash> crash;           // The app's process is dead; Reset is next.
  std::optional<HostGap> host_gap;      // Likewise.
  bool exited = false;                  // The app ended its own process. Likewise.
  bool finished = false;                // The app's last activity is gone: the home screen is in front.
  std::vector<std::string> left_app;    // Intents that went to other apps.
  std::vector<std::string> activities;  // Activities started, in order.
  std::vector<std::string> toasts;
  std::vector<LogLine> log;
  int64_t now_ms = 0;  // The device's time since Reset.

  bool process_died() const { return crash || host_gap || exited; }

  // Adds what has happened afterwards. Of two deaths the first counts; the clock stays.
  void Append(Outcome later);
};

class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  // A clean start: the app's process is new and its data are empty; nothing is launched. Devices that are
  // not deterministic ignore the seeds.
  virtual Status Reset(const ResetOptions& options) = 0;

  // The actions from here on belong to the step of this time (Step::at_ms). A device that orders the app's
  // threads by seed chooses the order by it, so that a step keeps its order when others are left out.
  virtual void BeginStep(int64_t /*at_ms*/) {}

  // Performs one action and returns when the app is quiet.
  virtual Result<Outcome> Perform(const Action& action) = 0;

  virtual Result<Screen> Observe() = 0;

  // What has happened since Perform returned, once: the app's own code runs while its screen is read, and may
  // crash or hang in it. It belongs to the step before.
  virtual Outcome TakeLate() { return {}; }

  // A PNG of the whole display; kUnsupported where there is none.
  virtual Result<std::string> Screenshot() = 0;

  // Coverage, which a device may lack. Its unit is the method, entered or not; a method's number is its place
  // in this list, which stays the same for the device's life. Empty: this device does not count them.
  virtual const std::vector<AppMethod>& methods() const;

  // The numbers of the methods entered since the last call, ascending, each once between two clean starts:
  // Reset forgets, and the caller keeps the union. Also works after the app's process died, before Reset.
  // kUnsupported where methods() is empty.
  virtual Result<std::vector<uint32_t>> TakeEntered();
};

// Forwards everything, so that a device that is flaky, slow, recorded or broken overrides one function.
class DeviceWrapper : public Device {
 public:
  explicit DeviceWrapper(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
  const DeviceInfo& info() const override { return inner_->info(); }
  Status Reset(const ResetOptions& options) override { return inner_->Reset(options); }
  void BeginStep(int64_t at_ms) override { inner_->BeginStep(at_ms); }
  Result<Outcome> Perform(const Action& action) override { return inner_->Perform(action); }
  Result<Screen> Observe() override { return inner_->Observe(); }
  Outcome TakeLate() override { return inner_->TakeLate(); }
  Result<std::string> Screenshot() override { return inner_->Screenshot(); }
  const std::vector<AppMethod>& methods() const override { return inner_->methods(); }
  Result<std::vector<uint32_t>> TakeEntered() override { return inner_->TakeEntered(); }

 protected:
  Device& inner() { return *inner_; }

 private:
  std::unique_ptr<Device> inner_;
};

}  // namespace marmoset
