#include "cli/app_inputs.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace marmoset::cli {
namespace {

constexpr size_t kMaxActions = 3;  // Of one filter.
constexpr size_t kMaxData = 4;     // Likewise.

constexpr size_t kMaxTexts = 300;
constexpr size_t kMaxTextLength = 32;  // Bytes.

constexpr std::string_view kMain = "android.intent.action.MAIN";

// Data of schemes whose URIs have no host.
struct OpaqueScheme {
  std::string_view scheme;
  std::string_view uri;
};
constexpr OpaqueScheme kOpaque[] = {
    {"mailto", "mailto:user@example.com"},
    {"tel", "tel:5550100"},
    {"sms", "sms:5550100"},
    {"smsto", "smsto:5550100"},
    {"mms", "mms:5550100"},
    {"mmsto", "mmsto:5550100"},
    {"geo", "geo:52.5,13.4"},
    {"file", "file:///sdcard/Download/file.txt"},
};

std::string PathFor(const apk::IntentData& data) {
  if (!data.path.empty()) return data.path;
  if (!data.path_prefix.empty()) return data.path_prefix;
  return TextFor(data.path_pattern);
}

std::string HostFor(std::string_view host, std::string_view scheme) {
  if (host.empty() || host == "*") return scheme == "content" ? "com.example.files" : "www.example.com";
  if (host[0] == '*') return "www" + std::string(host.substr(1));
  return std::string(host);
}

// In a filter, every scheme goes with every host and every path, wherever in its <data> elements they stand.
std::vector<std::string> UrisFor(const apk::IntentFilter& filter) {
  std::vector<std::string> schemes, paths;
  std::vector<std::pair<std::string, std::string>> hosts;  // With ports.
  for (const apk::IntentData& d : filter.data) {
    if (!d.scheme.empty()) schemes.push_back(d.scheme);
    if (!d.host.empty()) hosts.emplace_back(d.host, d.port);
    if (const std::string path = PathFor(d); !path.empty()) paths.push_back(path);
  }
  std::vector<std::string> uris;
  for (size_t i = 0; i < std::max(schemes.size(), std::max(hosts.size(), paths.size())); ++i) {
    if (schemes.empty()) break;  // Without a scheme, hosts and paths say nothing.
    const std::string& scheme = schemes[i % schemes.size()];
    const auto opaque = std::find_if(std::begin(kOpaque), std::end(kOpaque),
                                     [&](const OpaqueScheme& o) { return o.scheme == scheme; });
    if (opaque != std::end(kOpaque) && hosts.empty() && paths.empty()) {
      uris.emplace_back(opaque->uri);
      continue;
    }
    const auto& [host, port] =
        hosts.empty() ? std::pair<std::string, std::string>() : hosts[i % hosts.size()];
    std::string path = paths.empty() ? "/item/1" : paths[i % paths.size()];
    if (path[0] != '/') path = "/" + path;
    const std::string authority = scheme == "file" ? "" : HostFor(host, scheme);
    uris.push_back(scheme + "://" + authority + (port.empty() ? "" : ":" + port) + path);
  }
  return uris;
}

std::string TypeFor(std::string_view pattern) {
  const size_t slash = pattern.find('/');
  if (slash == std::string_view::npos || pattern.substr(slash) != "/*") return std::string(pattern);
  const std::string_view kind = pattern.substr(0, slash);
  if (kind == "image") return "image/png";
  if (kind == "audio") return "audio/mpeg";
  if (kind == "video") return "video/mp4";
  if (kind == "text" || kind == "*") return "text/plain";
  if (kind == "application") return "application/octet-stream";
  return std::string(kind) + "/x";
}

// What senders of these actions always put in.
void AddExtras(SendIntent& intent) {
  const std::string_view action = intent.action;
  if (action == "android.intent.action.SEND" || action == "android.intent.action.SENDTO")
    intent.extras["android.intent.extra.TEXT"] = "hello";
  if (action == "android.intent.action.SEARCH" || action == "android.intent.action.WEB_SEARCH")
    intent.extras["query"] = "hello";
}

std::vector<SendIntent> IntentsFor(const apk::IntentFilter& filter, const std::string& component) {
  std::vector<std::string> types;
  for (const apk::IntentData& d : filter.data)
    if (!d.mime_type.empty()) types.push_back(TypeFor(d.mime_type));
  const std::vector<std::string> uris = UrisFor(filter);
  std::vector<SendIntent> intents;
  for (size_t a = 0; a < std::min(filter.actions.size(), kMaxActions); ++a) {
    if (filter.actions[a] == kMain) continue;  // Nothing but the component alone, again.
    const size_t count = std::clamp<size_t>(std::max(types.size(), uris.size()), 1, kMaxData);
    for (size_t i = 0; i < count; ++i) {
      SendIntent intent;
      intent.component = component;
      intent.action = filter.actions[a];
      intent.categories = filter.categories;
      if (!types.empty()) intent.type = types[i % types.size()];
      if (!uris.empty()) intent.data = uris[i % uris.size()];
      AddExtras(intent);
      intents.push_back(std::move(intent));
    }
  }
  return intents;
}

}  // namespace

std::vector<std::string> TextsOf(const apk::ResourceTable& resources) {
  std::vector<std::string> texts;
  std::set<std::string, std::less<>> known;
  const auto add = [&](const apk::ResValue& value) {
    const std::string_view text = resources.Text(value);
    if (text.empty() || text.size() > kMaxTextLength || texts.size() >= kMaxTexts) return;
    if (text.find_first_of("%<>{}\n") != std::string_view::npos) return;
    if (known.emplace(text).second) texts.emplace_back(text);
  };
  resources.ForEach([&](const apk::ResourceEntry& entry) {
    if (!resources.configs()[entry.config].empty()) return;
    const auto name = resources.Name(entry.id);
    if (!name) return;
    for (const std::string_view library : {"abc_", "mtrl_", "material_", "common_google_", "bottomsheet_"})
      if (name->name.starts_with(library)) return;
    if (name->type == "string" && !entry.is_bag) add(entry.value);
    if (name->type == "array")
      for (const apk::BagItem& item : resources.Bag(entry)) add(item.value);
  });
  return texts;
}

std::string TextFor(std::string_view glob) {
  std::string text;
  for (size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] == '*') continue;  // One of what stands before it is enough.
    if (glob[i] == '\\' && i + 1 < glob.size())
      text += glob[++i];
    else
      text += glob[i] == '.' ? 'a' : glob[i];
  }
  return text;
}

std::vector<OutsideIntent> IntentsFor(const apk::Manifest& manifest) {
  std::vector<OutsideIntent> intents;
  if (!manifest.application_permission.empty()) return intents;
  for (const apk::Activity& a : manifest.activities) {
    if (!a.exported || !a.enabled || !a.permission.empty()) continue;
    const std::string component = manifest.package + "/" + a.name;
    const std::string& opens = a.alias_target.empty() ? a.name : a.alias_target;
    if (!a.launcher) {
      SendIntent by_name;
      by_name.action = kMain;
      by_name.component = component;
      intents.push_back({by_name, opens});
    }
    for (const apk::IntentFilter& filter : a.filters)
      for (SendIntent& intent : IntentsFor(filter, component)) intents.push_back({std::move(intent), opens});
  }
  return intents;
}

}  // namespace marmoset::cli
