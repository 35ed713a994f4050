#include "cli/app_under_test.h"

#include <charconv>
#include <thread>

#include "apk/apk_info.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/log.h"
#include "cli/app_inputs.h"
#include "device/hosted/hosted_device.h"
#include "device/simulated/simulated_device.h"

namespace marmoset::cli {
namespace {

bool IsModel(const fs::path& app) { return app.extension() == ".yaml" || app.extension() == ".yml"; }

Result<AppUnderTest> OpenModel(const fs::path& app) {
  MARMOSET_ASSIGN(std::unique_ptr<SimulatedDevice> device, SimulatedDevice::Open(app));
  AppUnderTest opened;
  opened.header.package = device->model().package;
  opened.header.display = device->info().display;
  MARMOSET_ASSIGN(opened.header.apk_sha256, Sha256OfFile(app.string()));
  opened.header.device = device->info().name;
  opened.device = std::move(device);
  return opened;
}

// The phone that the flags ask for, or that the recording was made on, or the default one.
Result<HostedProfile> ProfileFor(const DeviceFlags& flags, const Trace* recording,
                                 const HostedInstallation& installation) {
  HostedProfile profile;
  if (!flags.profile.empty()) {
    MARMOSET_ASSIGN(profile, FindProfile(flags.profile, installation.folder / "profiles"));
  } else if (recording && !recording->profile.empty()) {
    Result<HostedProfile> recorded = ParseProfile(recording->profile, "recorded");
    if (!recorded) return Fail(std::move(recorded.error()).Within("the trace's 'profile'"));
    profile = std::move(*recorded);
  } else if (recording) {
    profile.display = recording->display;
    const bool elsewhere = recording->device != "hosted";
    profile.stub_neighbours = !elsewhere;
    profile.draw_keyboard = elsewhere;
    if (elsewhere) profile.manners_sdk = recording->sdk;
  }
  if (!flags.display.empty()) {
    MARMOSET_ASSIGN(profile.display, ParseDisplay(flags.display));
  }
  if (flags.sdk != 0) profile.sdk = flags.sdk;
  return profile;
}

Result<AppUnderTest> OpenApk(const fs::path& app, const DeviceFlags& flags, const Trace* recording,
                             const fs::path& log, std::stop_token stop) {
  MARMOSET_ASSIGN(const apk::Apk apk, apk::Apk::Open(app.string()));
  MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(apk));
  if (info.dex_files.empty())
    return Fail(ErrorCode::kBadInput,
                "{}: no classes.dex: an APK without code cannot be run; is it a split or a resource package?",
                app.string());
  if (info.launcher.empty())
    return Fail(
        ErrorCode::kBadInput,
        "{}: no launcher activity in its manifest: nothing to start (activities: `marmoset doctor {}`)",
        app.string(), app.string());
  MARMOSET_ASSIGN(HostedInstallation installation, FindHostedInstallation({!flags.unsafe_no_sandbox}));
  MARMOSET_ASSIGN(const HostedProfile profile, ProfileFor(flags, recording, installation));
  MARMOSET_TRY(CheckFramework(installation, profile.sdk));
  if (info.manifest.min_sdk > profile.sdk)
    return Fail(
        ErrorCode::kBadInput,
        "{}: it cannot be installed on Android of SDK {}: its minSdkVersion is {}; choose another --sdk",
        app.string(), profile.sdk, info.manifest.min_sdk);
  const std::string name = app.filename().string();
  const auto convert = [&](bool probes) {
    return ConvertApp(
        installation, app, probes, [&] { spdlog::info("{}: converting its classes, once", name); }, stop);
  };
  Result<ConvertedApp> result = convert(flags.coverage);
  if (!result && flags.coverage && result.error().code() == ErrorCode::kUnsupported) {
    spdlog::warn("{}: its methods cannot be counted: {}", name, result.error().message());
    result = convert(false);
  }
  MARMOSET_ASSIGN(ConvertedApp converted, std::move(result));
  AppUnderTest opened;
  opened.header.package = info.manifest.package;
  opened.header.version_name = info.manifest.version_name;
  opened.header.version_code = static_cast<int64_t>(info.manifest.version_code);
  opened.header.apk_sha256 = converted.sha256;
  opened.header.display = profile.display;
  // A recording from elsewhere is mapped anew at each replay, unless the flags say on what.
  const bool chosen = !flags.profile.empty() || flags.sdk != 0 || (recording && !flags.display.empty());
  if (chosen || (recording && !recording->profile.empty())) opened.header.profile = ToText(profile);
  for (const apk::Activity& a : info.manifest.activities) opened.activities.push_back(a.name);
  opened.launcher = info.launcher;
  opened.intents = IntentsFor(info.manifest);
  if (apk.resources()) opened.texts = TextsOf(*apk.resources());
  opened.conversion_failures = converted.failed_methods;
  opened.native_libraries = converted.native_libraries;
  MARMOSET_ASSIGN(
      std::unique_ptr<HostedDevice> device,
      HostedDevice::Start(std::move(installation), std::move(converted), profile, log, std::move(stop)));
  opened.header.device = device->info().name;
  opened.renew = [raw = device.get()] { raw->DropJvm(); };
  opened.device = std::move(device);
  return opened;
}

Result<AppUnderTest> Open(const fs::path& app, const DeviceFlags& flags, const Trace* recording,
                          const fs::path& log, std::stop_token stop) {
  return IsModel(app) ? OpenModel(app) : OpenApk(app, flags, recording, log, std::move(stop));
}

fs::path AppIndex() { return CacheFolder() / "index"; }

std::optional<int> ParseNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 20'000)
    return std::nullopt;
  return value;
}

}  // namespace

void DeviceFlags::AddTo(CLI::App* verb) {
  verb->add_flag("--unsafe-no-sandbox", unsafe_no_sandbox,
                 "Run the app without bubblewrap: it may then read and change your files");
  verb->add_option(
      "--profile", profile,
      "Phone that the hosted device is: phone (default), pixel-7, mi5-android6, mi1-android4, or a "
      "YAML file");
  verb->add_option("--display", display, "Display of the hosted device, as 1080x1920@420 (pixels, density)");
  verb->add_option("--sdk", sdk,
                   "SDK level of the hosted device's Android: 34 (default), or another that is installed")
      ->check(CLI::Range(kFirstSdk, kLastSdk));
}

Result<Display> ParseDisplay(const std::string& text) {
  const auto wrong = [&] {
    return Fail(ErrorCode::kBadInput,
                "--display '{}': expected WIDTHxHEIGHT@DENSITY, for example 1080x1920@420", text);
  };
  std::vector<int> numbers;
  size_t at = 0;
  for (const char separator : {'x', '@', ',', ','}) {
    const size_t end = std::min(text.find(separator, at), text.size());
    const auto number = ParseNumber(std::string_view(text).substr(at, end - at));
    if (!number) return wrong();
    numbers.push_back(*number);
    at = std::min(end + 1, text.size());
    if (end == text.size()) break;
  }
  if (at < text.size()) {
    const auto number = ParseNumber(std::string_view(text).substr(at));
    if (!number) return wrong();
    numbers.push_back(*number);
  }
  if (numbers.size() < 3 || numbers[0] < 100 || numbers[1] < 100 || numbers[2] < 60) return wrong();
  Display display;
  display.width = numbers[0];
  display.height = numbers[1];
  display.density = numbers[2];
  display.status_bar = numbers.size() > 3 ? numbers[3] : display.density * 24 / 160;
  display.navigation_bar = numbers.size() > 4 ? numbers[4] : 0;
  return display;
}

Result<AppUnderTest> OpenApp(const fs::path& app, const DeviceFlags& flags, const Trace* recording,
                             const fs::path& log, std::stop_token stop) {
  if (!fs::exists(app)) return Fail(ErrorCode::kNotFound, "{}: no such file", app.string());
  Result<AppUnderTest> opened = Open(app, flags, recording, log, std::move(stop));
  if (!opened) return opened;
  MARMOSET_TRY(RememberApp(opened->header.apk_sha256, app));
  return opened;
}

Result<std::vector<AppUnderTest>> OpenApps(const fs::path& app, const DeviceFlags& flags,
                                           const Trace* recording, const fs::path& folder, uint32_t count,
                                           std::stop_token stop) {
  // The first converts the app for all.
  std::vector<Result<AppUnderTest>> opened;
  opened.push_back(OpenApp(app, flags, recording, folder / "device.log", stop));
  if (opened[0]) {
    for (uint32_t i = 1; i < count; ++i) opened.emplace_back(AppUnderTest());
    std::vector<std::jthread> threads;
    for (uint32_t i = 1; i < count; ++i)
      threads.emplace_back([&, i] {
        opened[i] = Open(app, flags, recording, folder / fmt::format("device-{}.log", i + 1), stop);
      });
  }
  std::vector<AppUnderTest> apps;
  for (Result<AppUnderTest>& one : opened) {
    if (!one) return Fail(std::move(one.error()));
    apps.push_back(std::move(*one));
  }
  return apps;
}

Status RememberApp(const std::string& sha256, const fs::path& app) {
  if (sha256.empty()) return {};
  MARMOSET_TRY(MakeWritableFolder(AppIndex()));
  return WriteFile(AppIndex() / sha256, fs::canonical(app).string());
}

Result<fs::path> AppOfTrace(const Trace& trace, const std::string& chosen) {
  if (!chosen.empty()) {
    if (!fs::exists(chosen)) return Fail(ErrorCode::kNotFound, "{}: no such file", chosen);
    if (IsModel(chosen)) return fs::path(chosen);
    MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(chosen));
    if (!trace.package.empty() && info.manifest.package != trace.package)
      return Fail(ErrorCode::kBadInput,
                  "{}: this is {}, but the trace was recorded with {}: name that app with --app", chosen,
                  info.manifest.package, trace.package);
    if (!trace.apk_sha256.empty() && info.sha256 != trace.apk_sha256)
      spdlog::warn("{}: another build of {} than the recorded one", chosen, trace.package);
    return fs::path(chosen);
  }
  if (!trace.apk_sha256.empty()) {
    if (const Result<std::string> path = ReadFile(AppIndex() / trace.apk_sha256)) {
      const Result<std::string> sha256 = Sha256OfFile(*path);
      if (sha256 && *sha256 == trace.apk_sha256) return fs::path(*path);
    }
  }
  return Fail(ErrorCode::kNotFound,
              "the app of this trace ({}) is not known on this machine: name its APK with --app",
              trace.package);
}

}  // namespace marmoset::cli
