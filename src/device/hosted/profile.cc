#include "device/hosted/profile.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>

#include "device/yaml_reader.h"
#include "gui/codec.h"

namespace marmoset {
namespace {

constexpr size_t kMaxBytes = 64 << 10;
constexpr size_t kMaxValues = 1000;

// Names of android.hardware.Sensor's types, without TYPE_.
constexpr std::string_view kSensors[] = {"accelerometer",
                                         "magnetic_field",
                                         "gyroscope",
                                         "light",
                                         "pressure",
                                         "proximity",
                                         "gravity",
                                         "rotation_vector",
                                         "step_detector",
                                         "step_counter",
                                         "heart_rate",
                                         "relative_humidity",
                                         "ambient_temperature",
                                         "linear_acceleration"};

constexpr std::string_view kOtherApps[] = {"contacts", "browser", "camera",   "gallery", "files",
                                           "dialer",   "mail",    "messages", "share",   "settings",
                                           "calendar", "music",   "speech"};

// "2023-11-14T22:13:20Z" in milliseconds since 1970.
std::optional<int64_t> ParseInstant(const std::string& text) {
  std::istringstream in(text);
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  char signs[6] = {};
  in >> year >> signs[0] >> month >> signs[1] >> day >> signs[2] >> hour >> signs[3] >> minute >> signs[4] >>
      second >> signs[5];
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!in || in.peek() != std::istringstream::traits_type::eof() || std::string_view(signs, 6) != "--T::Z" ||
      !date.ok() || year < 1970 || year > 2200 || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return (std::chrono::seconds(days).count() + hour * 3600 + minute * 60 + second) * 1000;
}

std::string InstantText(int64_t epoch_ms) {
  const std::chrono::sys_seconds instant{std::chrono::seconds(epoch_ms / 1000)};
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(instant - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

class Reader : public YamlReader {
 public:
  Reader() : YamlReader(kMaxValues) {}

  Result<HostedProfile> Read(const Node& root, std::string name) {
    HostedProfile p;
    MARMOSET_TRY(CheckMap(root, "a device profile",
                          {"name", "display", "sdk", "locale", "time_zone", "wall_clock", "build", "abis",
                           "sensors", "contacts", "other_apps", "leaving", "keyboard", "manners_sdk"}));
    MARMOSET_ASSIGN(p.name, Text(root, "name", std::move(name)));
    MARMOSET_ASSIGN(p.display, ReadDisplay(root["display"], p.display));
    MARMOSET_ASSIGN(const int64_t sdk, Number(root, "sdk", p.sdk, kFirstSdk, kLastSdk));
    p.sdk = static_cast<int>(sdk);
    MARMOSET_ASSIGN(p.locale, Text(root, "locale", p.locale));
    MARMOSET_ASSIGN(p.time_zone, Text(root, "time_zone", p.time_zone));
    MARMOSET_ASSIGN(const std::string clock, Text(root, "wall_clock", InstantText(p.epoch_ms)));
    const std::optional<int64_t> epoch_ms = ParseInstant(clock);
    if (!epoch_ms)
      return Wrong(root["wall_clock"], "'wall_clock': an instant such as 2023-11-14T22:13:20Z expected");
    p.epoch_ms = *epoch_ms;
    MARMOSET_TRY(ReadBuild(root["build"], p));
    if (root["abis"].IsDefined()) {
      MARMOSET_ASSIGN(p.abis, Texts(root, "abis"));
      if (p.abis->empty()) return Wrong(root["abis"], "'abis': at least one expected");
    }
    MARMOSET_ASSIGN(p.sensors, KnownNames(root, "sensors", kSensors));
    MARMOSET_TRY(ReadContacts(root, p));
    MARMOSET_ASSIGN(p.other_apps, KnownNames(root, "other_apps", kOtherApps));
    MARMOSET_ASSIGN(p.stub_neighbours, OneOfTwo(root, "leaving", "stub", "canceled"));
    MARMOSET_ASSIGN(const bool hidden, OneOfTwo(root, "keyboard", "hidden", "drawn"));
    p.draw_keyboard = !hidden;
    MARMOSET_ASSIGN(const int64_t manners, Number(root, "manners_sdk", 0, 0, 99));
    p.manners_sdk = static_cast<int>(manners);
    return p;
  }

 private:
  Status ReadBuild(const Node& build, HostedProfile& p) {
    if (!build.IsDefined()) return {};
    MARMOSET_TRY(CheckMap(
        build, "'build'",
        {"manufacturer", "brand", "model", "device", "product", "board", "hardware", "fingerprint"}));
    for (const auto& entry : build) {
      const std::string key = entry.first.Scalar();
      MARMOSET_ASSIGN(p.build[key], Text(build, key.c_str()));
    }
    return {};
  }

  Status ReadContacts(const Node& root, HostedProfile& p) {
    if (!root["contacts"].IsDefined()) return {};
    p.contacts.emplace();
    MARMOSET_ASSIGN(const std::vector<Node> items, Items(root, "contacts"));
    for (const Node& item : items) {
      MARMOSET_TRY(CheckMap(item, "a contact", {"name", "phone", "email"}));
      Contact contact;
      MARMOSET_ASSIGN(contact.name, Text(item, "name"));
      if (contact.name.empty()) return Wrong(item, "a contact needs a 'name'");
      MARMOSET_ASSIGN(contact.phone, Text(item, "phone"));
      MARMOSET_ASSIGN(contact.email, Text(item, "email"));
      p.contacts->push_back(std::move(contact));
    }
    return {};
  }

  template <class List>
  Result<std::optional<std::vector<std::string>>> KnownNames(const Node& root, const char* key,
                                                             const List& known) {
    const Node list = root[key];
    if (!list.IsDefined()) return std::nullopt;
    MARMOSET_ASSIGN(std::vector<std::string> names, Texts(root, key));
    for (size_t i = 0; i < names.size(); ++i)
      if (std::find(std::begin(known), std::end(known), names[i]) == std::end(known))
        return Wrong(list[i], "'{}': '{}' is not known; there are: {}", key, names[i],
                     fmt::join(std::begin(known), std::end(known), ", "));
    return names;
  }

  // Whether the value is the first of two words, which is also the default.
  Result<bool> OneOfTwo(const Node& root, const char* key, const char* first, const char* second) {
    MARMOSET_ASSIGN(const std::string word, Text(root, key, first));
    if (word != first && word != second)
      return Wrong(root[key], "'{}': {} or {} expected", key, first, second);
    return word == first;
  }
};

}  // namespace

Result<HostedProfile> ParseProfile(std::string_view text, std::string name) {
  return ReadYaml(text, kMaxBytes, "a device profile",
                  [&](const YAML::Node& root) { return Reader().Read(root, std::move(name)); });
}

std::string ToText(const HostedProfile& p) {
  Json json;
  json["name"] = p.name;
  json["display"] = {{"width", p.display.width},
                     {"height", p.display.height},
                     {"density", p.display.density},
                     {"status_bar", p.display.status_bar},
                     {"navigation_bar", p.display.navigation_bar}};
  json["sdk"] = p.sdk;
  json["locale"] = p.locale;
  json["time_zone"] = p.time_zone;
  json["wall_clock"] = InstantText(p.epoch_ms);
  if (!p.build.empty()) json["build"] = p.build;
  if (p.abis) json["abis"] = *p.abis;
  if (p.sensors) json["sensors"] = *p.sensors;
  if (p.contacts) {
    json["contacts"] = Json::array();
    for (const Contact& c : *p.contacts)
      json["contacts"].push_back({{"name", c.name}, {"phone", c.phone}, {"email", c.email}});
  }
  if (p.other_apps) json["other_apps"] = *p.other_apps;
  json["leaving"] = p.stub_neighbours ? "stub" : "canceled";
  json["keyboard"] = p.draw_keyboard ? "drawn" : "hidden";
  json["manners_sdk"] = p.manners_sdk;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<HostedProfile> FindProfile(const std::string& name_or_path, const fs::path& folder) {
  fs::path file = folder / (name_or_path + ".yaml");
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".yaml") ||
                       name_or_path.ends_with(".yml");
  if (is_path) file = name_or_path;
  if (!fs::exists(file)) {
    if (is_path) return Fail(ErrorCode::kNotFound, "{}: no such file", file.string());
    std::set<std::string> names;
    std::error_code unreadable;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable))
      if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
    return Fail(ErrorCode::kNotFound,
                "--profile '{}': there is no such device profile; there are: {}; or name a YAML file",
                name_or_path, fmt::join(names, ", "));
  }
  MARMOSET_ASSIGN(const std::string text, ReadFile(file));
  Result<HostedProfile> profile = ParseProfile(text, file.stem().string());
  if (!profile) return Fail(std::move(profile.error()).Within(file.string()));
  return profile;
}

}  // namespace marmoset
