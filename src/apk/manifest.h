// What an app says about itself: AndroidManifest.xml as values.
//
// Names of classes are complete (".Main" becomes "a.b.Main"), references to strings and booleans are resolved
// in the default configuration where a resource table is given, defaults are those of Android's documentation
// (developer.android.com, "App manifest overview").

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apk/binary_xml.h"
#include "apk/resource_table.h"
#include "base/error.h"

namespace marmoset::apk {

struct IntentData {
  std::string scheme, host, port, path, path_prefix, path_pattern, mime_type;
};

struct IntentFilter {
  int priority = 0;
  std::vector<std::string> actions;
  std::vector<std::string> categories;
  std::vector<IntentData> data;
};

struct MetaData {
  std::string name;
  std::string value;     // Literal.
  std::string resource;  // "@xml/…".
};

// What activities, services, receivers and providers have in common.
struct Component {
  std::string name;
  std::string label;
  std::string permission;
  std::string process;
  bool enabled = true;
  bool exported = false;  // As stated, else whether it has an intent filter.
  std::vector<IntentFilter> filters;
  std::vector<MetaData> meta_data;
};

struct Activity : Component {
  std::string alias_target;  // For an <activity-alias>, the activity that it stands for.
  std::string launch_mode = "standard";
  std::string screen_orientation = "unspecified";
  std::string config_changes;   // "orientation|keyboardHidden"; empty for none.
  std::string soft_input_mode;  // "stateHidden|adjustResize"; empty for none.
  std::string theme;            // "@style/…"; empty for the application's.
  std::string task_affinity;    // Empty for the package's.
  std::string parent_activity;
  bool launcher = false;  // It has a filter with MAIN and LAUNCHER.
};

struct Provider : Component {
  std::vector<std::string> authorities;
};

struct UsedPermission {
  std::string name;
  int max_sdk = 0;  // 0 for no limit.
};

struct DefinedPermission {
  std::string name;
  std::string protection = "normal";
};

struct Feature {
  std::string name;
  bool required = true;
};

struct Instrumentation {
  std::string name;
  std::string target_package;
};

struct Manifest {
  std::string package;
  uint64_t version_code = 0;
  std::string version_name;
  std::string split;   // The name of the split that this APK is; empty for a base or whole APK.
  int min_sdk = 1;     // 10000 for a code name, which is how Android counts a preview.
  int target_sdk = 1;  // As stated, else min_sdk.
  int max_sdk = 0;     // 0 for no limit.

  std::string application_class;  // Empty for android.app.Application.
  std::string application_label;
  std::string application_theme;
  std::string application_permission;  // Of components that name none themselves.
  std::string component_factory;
  bool debuggable = false;
  bool has_code = true;
  bool test_only = false;

  std::vector<Activity> activities;  // Aliases among them, in order.
  std::vector<Component> services;
  std::vector<Component> receivers;
  std::vector<Provider> providers;
  std::vector<UsedPermission> permissions;
  std::vector<DefinedPermission> defined_permissions;
  std::vector<Feature> features;
  std::vector<std::string> libraries;  // <uses-library>.
  std::vector<MetaData> meta_data;     // Of the application.
  std::vector<Instrumentation> instrumentations;

  // The activity that a tap on the app's icon starts: the first enabled one with `launcher`; null when none.
  const Activity* Launcher() const;
};

// kBadInput when the document is no manifest or names no package. `resources` may be null.
Result<Manifest> ReadManifest(const XmlDocument& document, const ResourceTable* resources);

// Keys are the names of the fields above; empty strings and lists are left out of components.
nlohmann::ordered_json ToJson(const Manifest& manifest);

}  // namespace marmoset::apk
