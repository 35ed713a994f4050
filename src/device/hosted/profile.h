// The phone that the hosted device is. Profiles are YAML files (docs/formats/device_profile.md): some are
// installed with the hosted device, users write others. A key that is absent has the default of profile
// "phone".

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/display.h"

namespace marmoset {

struct Contact {
  std::string name;
  std::string phone;  // Empty: none.
  std::string email;  // Empty: none.
  friend bool operator==(const Contact&, const Contact&) = default;
};

// SDK levels for which there are frameworks.
constexpr int kFirstSdk = 23, kLastSdk = 35, kDefaultSdk = 34;

struct HostedProfile {
  std::string name = "phone";
  Display display;
  int sdk = kDefaultSdk;  // Whose framework the app runs on; hosted/setup installs others.
  std::string locale = "en-US";
  std::string time_zone = "UTC";
  int64_t epoch_ms = 1'700'000'000'000;  // The wall clock at Reset.

  // Fields of android.os.Build in lower case, by name; absent ones have the default.
  std::map<std::string, std::string> build;
  std::optional<std::vector<std::string>> abis, sensors;
  std::optional<std::vector<Contact>> contacts;  // What the contacts app knows.
  // Those that answer an app's intents, by the names of the format.
  std::optional<std::vector<std::string>> other_apps;
  // Whether they show a stub screen, or answer "canceled" at once. Recordings of coordinates from elsewhere
  // expect no stub screen.
  bool stub_neighbours = true;
  // Recordings of coordinates from elsewhere also tap on the keys of the soft keyboard.
  bool draw_keyboard = false;
  // The Android whose look and manners the device has where they matter to a recording (an SDK level; 0:
  // those of `sdk`). Below 21: the theme of Android 4, on whose places of widgets a recording taps, and a
  // link that no app opens is a crash.
  int manners_sdk = 0;

  friend bool operator==(const HostedProfile&, const HostedProfile&) = default;
};

// A profile's file, or the text that ToText made of one. kBadInput with the line and what is wrong there.
Result<HostedProfile> ParseProfile(std::string_view text, std::string name);

// One line of JSON, which is YAML too: for the header of a trace. ParseProfile of it gives the same profile.
std::string ToText(const HostedProfile& profile);

// By the name of an installed profile (in `folder`), or by a path. kNotFound names those that there are.
Result<HostedProfile> FindProfile(const std::string& name_or_path, const fs::path& folder);

}  // namespace marmoset
