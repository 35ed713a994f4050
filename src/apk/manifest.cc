#include "apk/manifest.h"

#include <charconv>
#include <optional>

#include "apk/xml_text.h"

namespace marmoset::apk {
namespace {

constexpr int kPreviewSdk = 10000;
constexpr std::string_view kMain = "android.intent.action.MAIN";
constexpr std::string_view kLauncher = "android.intent.category.LAUNCHER";

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  const int base = text.substr(0, 2) == "0x" ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool Contains(const std::vector<std::string>& list, std::string_view wanted) {
  for (const std::string& item : list) {
    if (item == wanted) return true;
  }
  return false;
}

class Reader {
 public:
  Reader(const XmlDocument& document, const ResourceTable* resources)
      : document_(document), text_{resources, true}, names_{resources, false}, resources_(resources) {}

  Result<Manifest> Run() {
    const XmlElement& root = document_.root();
    if (root.name != "manifest")
      return Fail(ErrorCode::kBadInput, "the root element is <{}>, not <manifest>", Printable(root.name));
    if (const XmlAttribute* package = root.Plain("package")) m_.package = AttributeText(*package, text_);
    if (m_.package.empty()) return Fail(ErrorCode::kBadInput, "the <manifest> names no package");
    if (const XmlAttribute* split = root.Plain("split")) m_.split = AttributeText(*split, text_);
    m_.version_code = static_cast<uint32_t>(Integer(root, "versionCode", 0)) |
                      static_cast<uint64_t>(Integer(root, "versionCodeMajor", 0)) << 32;
    m_.version_name = Text(root, "versionName");
    for (const XmlElement* child : document_.Children(root)) TakeTop(*child);
    if (m_.target_sdk < m_.min_sdk) m_.target_sdk = m_.min_sdk;
    return std::move(m_);
  }

 private:
  void TakeTop(const XmlElement& element) {
    if (element.name == "uses-sdk") {
      m_.min_sdk = Sdk(element, "minSdkVersion", 1);
      m_.target_sdk = Sdk(element, "targetSdkVersion", m_.min_sdk);
      m_.max_sdk = Sdk(element, "maxSdkVersion", 0);
    } else if (element.name == "uses-permission" || element.name == "uses-permission-sdk-23") {
      m_.permissions.push_back({Text(element, "name"), Sdk(element, "maxSdkVersion", 0)});
    } else if (element.name == "permission") {
      const std::string level = Text(element, "protectionLevel");
      m_.defined_permissions.push_back({Text(element, "name"), level.empty() ? "normal" : level});
    } else if (element.name == "uses-feature") {
      if (std::string name = Text(element, "name"); !name.empty())
        m_.features.push_back({std::move(name), Boolean(element, "required", true)});
    } else if (element.name == "instrumentation") {
      m_.instrumentations.push_back({ClassName(Text(element, "name")), Text(element, "targetPackage")});
    } else if (element.name == "application") {
      TakeApplication(element);
    }
  }

  void TakeApplication(const XmlElement& application) {
    m_.application_class = ClassName(Text(application, "name"));
    m_.application_label = Text(application, "label");
    m_.application_theme = NamedText(application, "theme");
    m_.application_permission = Text(application, "permission");
    m_.component_factory = ClassName(Text(application, "appComponentFactory"));
    m_.debuggable = Boolean(application, "debuggable", false);
    m_.has_code = Boolean(application, "hasCode", true);
    m_.test_only = Boolean(application, "testOnly", false);
    for (const XmlElement* child : document_.Children(application)) {
      if (child->name == "activity" || child->name == "activity-alias") {
        m_.activities.push_back(ReadActivity(*child));
      } else if (child->name == "service") {
        m_.services.push_back(ReadComponent(*child));
      } else if (child->name == "receiver") {
        m_.receivers.push_back(ReadComponent(*child));
      } else if (child->name == "provider") {
        Provider provider;
        static_cast<Component&>(provider) = ReadComponent(*child);
        provider.authorities = Split(Text(*child, "authorities"), ';');
        // Before Android 4.2 a provider was open unless it said otherwise.
        if (child->Android("exported") == nullptr) provider.exported = m_.target_sdk < 17;
        m_.providers.push_back(std::move(provider));
      } else if (child->name == "uses-library") {
        m_.libraries.push_back(Text(*child, "name"));
      } else if (child->name == "meta-data") {
        m_.meta_data.push_back(ReadMetaData(*child));
      }
    }
  }

  Activity ReadActivity(const XmlElement& element) {
    Activity activity;
    static_cast<Component&>(activity) = ReadComponent(element);
    if (element.name == "activity-alias") activity.alias_target = ClassName(Text(element, "targetActivity"));
    if (std::string mode = Text(element, "launchMode"); !mode.empty()) activity.launch_mode = std::move(mode);
    if (std::string way = Text(element, "screenOrientation"); !way.empty())
      activity.screen_orientation = std::move(way);
    activity.config_changes = Text(element, "configChanges");
    activity.soft_input_mode = Text(element, "windowSoftInputMode");
    activity.theme = NamedText(element, "theme");
    activity.task_affinity = Text(element, "taskAffinity");
    activity.parent_activity = ClassName(Text(element, "parentActivityName"));
    for (const IntentFilter& filter : activity.filters)
      activity.launcher |= Contains(filter.actions, kMain) && Contains(filter.categories, kLauncher);
    return activity;
  }

  Component ReadComponent(const XmlElement& element) {
    Component component;
    component.name = ClassName(Text(element, "name"));
    component.label = Text(element, "label");
    component.permission = Text(element, "permission");
    component.process = Text(element, "process");
    component.enabled = Boolean(element, "enabled", true);
    for (const XmlElement* child : document_.Children(element)) {
      if (child->name == "intent-filter") component.filters.push_back(ReadFilter(*child));
      if (child->name == "meta-data") component.meta_data.push_back(ReadMetaData(*child));
    }
    component.exported = Boolean(element, "exported", !component.filters.empty());
    return component;
  }

  IntentFilter ReadFilter(const XmlElement& element) {
    IntentFilter filter;
    filter.priority = static_cast<int>(Integer(element, "priority", 0));
    for (const XmlElement* child : document_.Children(element)) {
      if (child->name == "action") filter.actions.push_back(Text(*child, "name"));
      if (child->name == "category") filter.categories.push_back(Text(*child, "name"));
      if (child->name == "data") {
        filter.data.push_back({Text(*child, "scheme"), Text(*child, "host"), Text(*child, "port"),
                               Text(*child, "path"), Text(*child, "pathPrefix"), Text(*child, "pathPattern"),
                               Text(*child, "mimeType")});
      }
    }
    return filter;
  }

  MetaData ReadMetaData(const XmlElement& element) {
    return {Text(element, "name"), Text(element, "value"), NamedText(element, "resource")};
  }

  std::string Text(const XmlElement& element, std::string_view name) const {
    const XmlAttribute* attribute = element.Android(name);
    return attribute == nullptr ? std::string() : AttributeText(*attribute, text_);
  }

  // With references kept: "@style/Theme".
  std::string NamedText(const XmlElement& element, std::string_view name) const {
    const XmlAttribute* attribute = element.Android(name);
    return attribute == nullptr ? std::string() : AttributeText(*attribute, names_);
  }

  int64_t Integer(const XmlElement& element, std::string_view name, int64_t otherwise) const {
    const XmlAttribute* attribute = element.Android(name);
    if (attribute == nullptr) return otherwise;
    std::optional<ResValue> value = attribute->value;
    if (value->IsReference() && resources_ != nullptr) value = resources_->Resolve(*value);
    if (value && value->IsInteger()) return static_cast<int32_t>(value->data);
    return ParseInteger(AttributeText(*attribute, text_)).value_or(otherwise);
  }

  bool Boolean(const XmlElement& element, std::string_view name, bool otherwise) const {
    const XmlAttribute* attribute = element.Android(name);
    if (attribute != nullptr && attribute->value.type == ResType::kString) return attribute->raw == "true";
    return Integer(element, name, otherwise ? 1 : 0) != 0;
  }

  int Sdk(const XmlElement& element, std::string_view name, int otherwise) const {
    const XmlAttribute* attribute = element.Android(name);
    if (attribute == nullptr) return otherwise;
    return static_cast<int>(Integer(element, name, kPreviewSdk));
  }

  std::string ClassName(std::string name) const {
    if (name.empty()) return name;
    if (name[0] == '.') return m_.package + name;
    return name.find('.') == std::string::npos ? m_.package + "." + name : name;
  }

  static std::vector<std::string> Split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
      const size_t end = std::min(text.find(separator), text.size());
      if (end > 0) parts.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
  }

  const XmlDocument& document_;
  const XmlTextOptions text_;
  const XmlTextOptions names_;
  const ResourceTable* resources_;
  Manifest m_;
};

using Json = nlohmann::ordered_json;

void Put(Json* json, const char* key, const std::string& value) {
  if (!value.empty()) (*json)[key] = value;
}

Json FilterToJson(const IntentFilter& filter) {
  Json json = Json::object();
  if (filter.priority != 0) json["priority"] = filter.priority;
  if (!filter.actions.empty()) json["actions"] = filter.actions;
  if (!filter.categories.empty()) json["categories"] = filter.categories;
  for (const IntentData& data : filter.data) {
    Json one = Json::object();
    Put(&one, "scheme", data.scheme);
    Put(&one, "host", data.host);
    Put(&one, "port", data.port);
    Put(&one, "path", data.path);
    Put(&one, "path_prefix", data.path_prefix);
    Put(&one, "path_pattern", data.path_pattern);
    Put(&one, "mime_type", data.mime_type);
    json["data"].push_back(std::move(one));
  }
  return json;
}

Json MetaDataToJson(const std::vector<MetaData>& list) {
  Json json = Json::array();
  for (const MetaData& item : list) {
    Json one = {{"name", item.name}};
    Put(&one, "value", item.value);
    Put(&one, "resource", item.resource);
    json.push_back(std::move(one));
  }
  return json;
}

Json ComponentToJson(const Component& component) {
  Json json = {{"name", component.name}};
  Put(&json, "label", component.label);
  json["exported"] = component.exported;
  json["enabled"] = component.enabled;
  Put(&json, "permission", component.permission);
  Put(&json, "process", component.process);
  for (const IntentFilter& filter : component.filters) json["filters"].push_back(FilterToJson(filter));
  if (!component.meta_data.empty()) json["meta_data"] = MetaDataToJson(component.meta_data);
  return json;
}

Json ActivityToJson(const Activity& activity) {
  Json json = ComponentToJson(activity);
  json["launcher"] = activity.launcher;
  json["launch_mode"] = activity.launch_mode;
  json["screen_orientation"] = activity.screen_orientation;
  Put(&json, "alias_target", activity.alias_target);
  Put(&json, "config_changes", activity.config_changes);
  Put(&json, "soft_input_mode", activity.soft_input_mode);
  Put(&json, "theme", activity.theme);
  Put(&json, "task_affinity", activity.task_affinity);
  Put(&json, "parent_activity", activity.parent_activity);
  return json;
}

}  // namespace

const Activity* Manifest::Launcher() const {
  for (const Activity& activity : activities) {
    if (activity.launcher && activity.enabled) return &activity;
  }
  return nullptr;
}

Result<Manifest> ReadManifest(const XmlDocument& document, const ResourceTable* resources) {
  return Reader(document, resources).Run();
}

nlohmann::ordered_json ToJson(const Manifest& m) {
  Json json = {{"package", m.package},   {"version_code", m.version_code}, {"version_name", m.version_name},
               {"min_sdk", m.min_sdk},   {"target_sdk", m.target_sdk},     {"debuggable", m.debuggable},
               {"has_code", m.has_code}, {"test_only", m.test_only}};
  if (m.max_sdk != 0) json["max_sdk"] = m.max_sdk;
  Put(&json, "split", m.split);
  Put(&json, "application_class", m.application_class);
  Put(&json, "application_label", m.application_label);
  Put(&json, "application_theme", m.application_theme);
  Put(&json, "application_permission", m.application_permission);
  Put(&json, "component_factory", m.component_factory);
  for (const char* key : {"activities", "services", "receivers", "providers", "permissions",
                          "defined_permissions", "features", "libraries", "instrumentations"})
    json[key] = Json::array();
  for (const Activity& activity : m.activities) json["activities"].push_back(ActivityToJson(activity));
  for (const Component& service : m.services) json["services"].push_back(ComponentToJson(service));
  for (const Component& receiver : m.receivers) json["receivers"].push_back(ComponentToJson(receiver));
  for (const Provider& provider : m.providers) {
    Json one = ComponentToJson(provider);
    one["authorities"] = provider.authorities;
    json["providers"].push_back(std::move(one));
  }
  for (const UsedPermission& permission : m.permissions) {
    Json one = {{"name", permission.name}};
    if (permission.max_sdk != 0) one["max_sdk"] = permission.max_sdk;
    json["permissions"].push_back(std::move(one));
  }
  for (const DefinedPermission& permission : m.defined_permissions)
    json["defined_permissions"].push_back({{"name", permission.name}, {"protection", permission.protection}});
  for (const Feature& feature : m.features)
    json["features"].push_back({{"name", feature.name}, {"required", feature.required}});
  json["libraries"] = m.libraries;
  json["meta_data"] = MetaDataToJson(m.meta_data);
  for (const Instrumentation& one : m.instrumentations)
    json["instrumentations"].push_back({{"name", one.name}, {"target_package", one.target_package}});
  return json;
}

}  // namespace marmoset::apk
