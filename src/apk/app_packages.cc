#include "apk/app_packages.h"

#include <algorithm>
#include <set>

namespace marmoset::apk {

std::vector<std::string> AppPackages(const Manifest& manifest) {
  static constexpr std::string_view kLibraries[] = {
      "androidx.",     "android.",      "com.google.", "com.android.",  "kotlin.",
      "kotlinx.",      "com.facebook.", "okhttp3.",    "org.chromium.", "io.flutter.",
      "com.squareup.", "org.apache.",   "leakcanary."};
  std::set<std::string> packages = {manifest.package};
  // "com.foo.app.debug": builds append to the package, but not to the names of classes.
  if (std::count(manifest.package.begin(), manifest.package.end(), '.') >= 3)
    packages.insert(manifest.package.substr(0, manifest.package.rfind('.')));
  const auto add = [&](const std::string& name) {
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0) return;
    for (const std::string_view library : kLibraries) {
      if (name.substr(0, library.size()) == library) return;
    }
    packages.insert(name.substr(0, dot));
  };
  add(manifest.application_class);
  for (const Activity& one : manifest.activities) add(one.alias_target.empty() ? one.name : one.alias_target);
  for (const Component& one : manifest.services) add(one.name);
  for (const Component& one : manifest.receivers) add(one.name);
  for (const Provider& one : manifest.providers) add(one.name);
  return {packages.begin(), packages.end()};
}

bool InPackages(std::string_view type, const std::vector<std::string>& packages) {
  for (const std::string& package : packages) {
    if (type.size() < package.size() + 2 || type.front() != 'L') continue;
    bool same = true;
    for (size_t i = 0; i < package.size() && same; ++i)
      same = type[i + 1] == (package[i] == '.' ? '/' : package[i]);
    const char next = type[package.size() + 1];
    if (same && (next == '/' || next == ';' || next == '$')) return true;
  }
  return false;
}

}  // namespace marmoset::apk
