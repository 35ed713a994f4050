// The hosted device: an unmodified APK on a Java virtual machine, in virtual time.
//
// One JVM process per device, inside bubblewrap, spoken to over its standard input and output
// (docs/formats/hosted_protocol.md). A JVM that hangs, dies or breaks the protocol is killed, and the next
// Reset starts another, so that one bad replay costs seconds and not the run. Destruction kills the JVM.

#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "base/error.h"
#include "device/device.h"
#include "device/hosted/app.h"
#include "device/hosted/installation.h"
#include "device/hosted/profile.h"

namespace marmoset {

class HostedDevice : public Device {
 public:
  // Starts a JVM, which takes seconds; the app itself is brought up by Reset. `log` receives what the JVM
  // prints on standard error (a file that is appended to).
  static Result<std::unique_ptr<HostedDevice>> Start(HostedInstallation installation, ConvertedApp app,
                                                     HostedProfile profile, fs::path log,
                                                     std::stop_token stop);
  ~HostedDevice() override;

  const DeviceInfo& info() const override;
  Status Reset(const ResetOptions& options) override;
  void BeginStep(int64_t at_ms) override { step_at_ms_ = at_ms; }
  Result<Outcome> Perform(const Action& action) override;
  Result<Screen> Observe() override;
  Outcome TakeLate() override { return std::exchange(late_, {}); }
  Result<std::string> Screenshot() override;
  const std::vector<AppMethod>& methods() const override;
  Result<std::vector<uint32_t>> TakeEntered() override;

  // Ends this JVM; the next Reset starts a fresh one. A final result is confirmed like this.
  void DropJvm();

 private:
  struct Jvm;
  HostedDevice(HostedInstallation installation, ConvertedApp app, HostedProfile profile, fs::path log,
               std::stop_token stop);
  Status StartJvm();

  HostedInstallation installation_;
  ConvertedApp app_;
  HostedProfile profile_;
  fs::path log_;
  std::stop_token stop_;
  DeviceInfo info_;
  std::unique_ptr<Jvm> jvm_;
  int64_t step_at_ms_ = 0;
  Outcome late_;
};

}  // namespace marmoset
