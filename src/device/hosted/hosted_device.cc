#include "device/hosted/hosted_device.h"

#include <openssl/evp.h>

#include <algorithm>
#include <optional>

#include "base/subprocess.h"
#include "device/hosted/sandbox.h"
#include "gui/codec.h"

namespace marmoset {
namespace {

constexpr int kProtocol = 1;

// Real time that a request may take. The JVM's own watchdog answers long before.
constexpr int64_t kStartMs = 120'000;
constexpr int64_t kOpenMs = 120'000;
constexpr int64_t kRequestMs = 120'000;
constexpr int64_t kQuitMs = 500;

// The app's files lie in the same place in every run, since an app may show a path.
constexpr char kDataPlace[] = "/data";

Result<std::string> DecodeBase64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  const int n =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (n < 0) return Fail(ErrorCode::kBadInput, "not base64");
  size_t size = static_cast<size_t>(n);
  // EVP_DecodeBlock counts the padding as content.
  for (size_t i = text.size(); i > 0 && text[i - 1] == '=' && size > 0; --i) --size;
  bytes.resize(size);
  return bytes;
}

Status AddHappening(const Json& h, Outcome& outcome) {
  if (!h.is_object()) return Fail(ErrorCode::kBadInput, "an object expected");
  MARMOSET_ASSIGN(const std::string kind, StringAt(h, "kind"));
  if (kind == "log") {
    LogLine line;
    MARMOSET_ASSIGN(const std::string level, StringAt(h, "level", "I"));
    if (!level.empty()) line.level = level[0];
    MARMOSET_ASSIGN(line.tag, StringAt(h, "tag"));
    MARMOSET_ASSIGN(line.message, StringAt(h, "message"));
    outcome.log.push_back(std::move(line));
  } else if (kind == "toast") {
    MARMOSET_ASSIGN(std::string text, StringAt(h, "text"));
    outcome.toasts.push_back(std::move(text));
  } else if (kind == "crash") {
    Crash crash;
    MARMOSET_ASSIGN(crash.thread, StringAt(h, "thread"));
    MARMOSET_ASSIGN(crash.stack, StringAt(h, "stack"));
    MARMOSET_ASSIGN(const std::string cause, StringAt(h, "cause", "java"));
    if (cause == "anr") crash.cause = CrashCause::kAnr;
    // The first is what ended the app; others fell in its wake.
    if (!outcome.crash) outcome.crash = std::move(crash);
  } else if (kind == "host_gap") {
    HostGap gap;
    MARMOSET_ASSIGN(gap.where, StringAt(h, "where"));
    MARMOSET_ASSIGN(gap.stack, StringAt(h, "stack"));
    if (!outcome.host_gap) outcome.host_gap = std::move(gap);
  } else if (kind == "exit") {
    outcome.exited = true;
  } else if (kind == "left_app") {
    MARMOSET_ASSIGN(std::string intent, StringAt(h, "intent"));
    outcome.left_app.push_back(std::move(intent));
  } else if (kind == "finished") {
    outcome.finished = true;
  } else if (kind == "activity") {
    MARMOSET_ASSIGN(std::string name, StringAt(h, "name"));
    outcome.activities.push_back(std::move(name));
  }
  return {};
}

Result<Outcome> OutcomeFrom(const Json& ok) {
  Outcome outcome;
  MARMOSET_ASSIGN(outcome.now_ms, IntegerAt(ok, "now_ms"));
  const auto it = ok.find("happened");
  if (it == ok.end()) return outcome;
  if (!it->is_array()) return Fail(ErrorCode::kBadInput, "'happened': a list expected");
  for (const Json& h : *it) MARMOSET_TRY(AddHappening(h, outcome));
  return outcome;
}

}  // namespace

// One JVM process.
struct HostedDevice::Jvm {
  Subprocess process;
  std::optional<TemporaryFolder> data;  // Where there is no sandbox that has one.
  int64_t next_id = 1;

  // Sends one request and gives the `ok` of its answer. A host gap comes back as an Outcome-shaped object, so
  // that callers see it like any other happening.
  Result<Json> Ask(Json request, int64_t timeout_ms, std::stop_token stop) {
    const int64_t id = next_id++;
    Json line;
    line["id"] = id;
    line.update(request);
    MARMOSET_TRY(process.WriteLine(line.dump(-1, ' ', false, Json::error_handler_t::replace)));
    MARMOSET_ASSIGN(const std::string text, process.ReadLine(timeout_ms, stop));
    MARMOSET_ASSIGN(Json answer, ParseJson(text));
    if (!answer.is_object() || answer.value("id", int64_t{-1}) != id)
      return Fail(ErrorCode::kDeviceLost, "the JVM broke the protocol: {}", text.substr(0, 200));
    if (const auto ok = answer.find("ok"); ok != answer.end()) return std::move(*ok);
    const Json error = answer.value("error", Json::object());
    MARMOSET_ASSIGN(const std::string code, StringAt(error, "code"));
    MARMOSET_ASSIGN(const std::string message, StringAt(error, "message"));
    if (code == "host_gap") {
      MARMOSET_ASSIGN(const std::string stack, StringAt(error, "stack"));
      return Json{{"happened", Json::array({{{"kind", "host_gap"}, {"where", message}, {"stack", stack}}})}};
    }
    return Fail(code == "bad_request" ? ErrorCode::kInternal : ErrorCode::kDeviceLost, "{}", message);
  }
};

HostedDevice::HostedDevice(HostedInstallation installation, ConvertedApp app, HostedProfile profile,
                           fs::path log, std::stop_token stop)
    : installation_(std::move(installation)),
      app_(std::move(app)),
      profile_(std::move(profile)),
      log_(std::move(log)),
      stop_(std::move(stop)) {
  info_.name = "hosted";
  info_.sdk = profile_.sdk;
  info_.display = profile_.display;
  info_.deterministic = true;
}

HostedDevice::~HostedDevice() { DropJvm(); }

Result<std::unique_ptr<HostedDevice>> HostedDevice::Start(HostedInstallation installation, ConvertedApp app,
                                                          HostedProfile profile, fs::path log,
                                                          std::stop_token stop) {
  std::unique_ptr<HostedDevice> device(new HostedDevice(std::move(installation), std::move(app),
                                                        std::move(profile), std::move(log), std::move(stop)));
  MARMOSET_TRY(device->StartJvm());
  return device;
}

Status HostedDevice::StartJvm() {
  std::optional<TemporaryFolder> folder;
  if (installation_.bubblewrap.empty()) {
    MARMOSET_ASSIGN(folder, TemporaryFolder::Make());
  }
  const fs::path data = folder ? folder->path() : fs::path(kDataPlace);
  const SandboxPlan plan{{installation_.folder, app_.apk, app_.jar, app_.manifest}, data, false};
  std::vector<std::string> arguments = {"@" + (installation_.folder / "jvm-flags").string()};
  // The JVM unpacks 200 MB and is killed in the end; only within bubblewrap does /tmp go with it.
  if (folder) arguments.push_back("-Djava.io.tmpdir=" + data.string());
  const fs::path archive = installation_.folder / "sdk" / (std::to_string(profile_.sdk) + ".jsa");
  if (fs::exists(archive)) arguments.push_back("-XX:SharedArchiveFile=" + archive.string());
  for (const char* word : {"marmoset.hosted.Main", "--sdk"}) arguments.emplace_back(word);
  arguments.push_back(std::to_string(profile_.sdk));
  Command command = SandboxedJava(installation_, plan, std::move(arguments));
  command.standard_error = log_;
  MARMOSET_ASSIGN(Subprocess process, Subprocess::Start(command));
  auto jvm = std::make_unique<Jvm>(Jvm{std::move(process), std::move(folder)});

  Result<std::string> greeting = jvm->process.ReadLine(kStartMs, stop_);
  if (!greeting)
    return Fail(std::move(greeting.error())
                    .Within("hosted device: the JVM did not start (its output: " + log_.string() + ")"));
  MARMOSET_ASSIGN(const Json ready, ParseJson(*greeting));
  const Json details = ready.value("ready", Json::object());
  if (details.value("protocol", 0) != kProtocol)
    return Fail(ErrorCode::kMissingTool,
                "hosted device: the Java part speaks protocol {}, this program {}: run hosted/setup again",
                details.value("protocol", 0), kProtocol);

  Json open;
  open["do"] = "open";
  open["apk"] = app_.apk.string();
  open["jar"] = app_.jar.string();
  open["manifest"] = app_.manifest.string();
  open["data"] = data.string();
  open["profile"] = Json::parse(ToText(profile_));
  Result<Json> opened = jvm->Ask(std::move(open), kOpenMs, stop_);
  if (!opened) {
    // What only the JVM can check: whether it knows the time zone.
    if (opened.error().message().starts_with("profile: "))
      return Fail(ErrorCode::kBadInput, "device profile '{}': {}", profile_.name,
                  opened.error().message().substr(std::string_view("profile: ").size()));
    return Fail(std::move(opened.error()).Within("hosted device: the app cannot be opened"));
  }
  jvm_ = std::move(jvm);
  return {};
}

const DeviceInfo& HostedDevice::info() const { return info_; }

Status HostedDevice::Reset(const ResetOptions& options) {
  step_at_ms_ = 0;
  late_ = {};
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!jvm_) MARMOSET_TRY(StartJvm());
    Json reset = {{"do", "reset"},
                  {"seed", std::to_string(options.seed)},
                  {"schedule_seed", std::to_string(options.schedule_seed)}};
    Result<Json> done = jvm_->Ask(std::move(reset), kRequestMs, stop_);
    if (done) return {};
    if (done.error().code() == ErrorCode::kCancelled) return Fail(std::move(done.error()));
    // A JVM that cannot reset is replaced, once: a second failure is not its own.
    jvm_.reset();
    if (attempt == 1) return Fail(std::move(done.error()).Within("hosted device: reset"));
  }
  return {};
}

Result<Outcome> HostedDevice::Perform(const Action& action) {
  if (!jvm_) return Fail(ErrorCode::kDeviceLost, "hosted device: no JVM; reset first");
  Json perform = {{"do", "perform"}, {"action", ToJson(action)}, {"at_ms", step_at_ms_}};
  Result<Json> done = jvm_->Ask(std::move(perform), kRequestMs, stop_);
  if (!done) {
    if (done.error().code() != ErrorCode::kInternal) jvm_.reset();
    return Fail(std::move(done.error()).Within("hosted device: " + Describe(action)));
  }
  return OutcomeFrom(*done);
}

Result<Screen> HostedDevice::Observe() {
  if (!jvm_) return Fail(ErrorCode::kDeviceLost, "hosted device: no JVM; reset first");
  Result<Json> done = jvm_->Ask({{"do", "observe"}}, kRequestMs, stop_);
  if (!done) {
    jvm_.reset();
    return Fail(std::move(done.error()).Within("hosted device: observe"));
  }
  MARMOSET_ASSIGN(Outcome late, OutcomeFrom(*done));
  late_.Append(std::move(late));
  return ScreenFromJson(done->value("screen", Json::object()));
}

Result<std::string> HostedDevice::Screenshot() {
  if (!jvm_) return Fail(ErrorCode::kDeviceLost, "hosted device: no JVM; reset first");
  MARMOSET_ASSIGN(const Json done, jvm_->Ask({{"do", "screenshot"}}, kRequestMs, stop_));
  MARMOSET_ASSIGN(const std::string png, StringAt(done, "png"));
  return DecodeBase64(png);
}

const std::vector<AppMethod>& HostedDevice::methods() const { return app_.probed_methods; }

Result<std::vector<uint32_t>> HostedDevice::TakeEntered() {
  if (app_.probed_methods.empty()) return Device::TakeEntered();
  if (!jvm_) return Fail(ErrorCode::kDeviceLost, "hosted device: no JVM; reset first");
  Result<Json> done = jvm_->Ask({{"do", "coverage"}}, kRequestMs, stop_);
  if (!done) {
    jvm_.reset();
    return Fail(std::move(done.error()).Within("hosted device: coverage"));
  }
  const Json hits = done->value("hits", Json::array());
  std::vector<uint32_t> entered;
  for (const Json& id : hits) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= app_.probed_methods.size())
      return Fail(ErrorCode::kInternal, "hosted device: there is no probe {}", id.dump());
    entered.push_back(id.get<uint32_t>());
  }
  return entered;
}

void HostedDevice::DropJvm() {
  if (!jvm_) return;
  jvm_->process.CloseInput();  // A healthy JVM ends by itself and cleans up after itself.
  jvm_->process.Wait(kQuitMs);
  jvm_.reset();
}

}  // namespace marmoset
