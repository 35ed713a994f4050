#include "apk/diff.h"

#include <algorithm>
#include <map>
#include <set>

#include "apk/app_packages.h"
#include "apk/dex/listing.h"
#include "apk/diff_methods.h"
#include "apk/utf.h"
#include "apk/xml_text.h"
#include "base/hash.h"

namespace marmoset::apk {
namespace {

using Named = std::map<std::string, std::string>;

// Compares two maps from names to whatever stands for a content.
void Compare(std::string_view what, const Named& before, const Named& after, bool show,
             std::vector<NamedChange>* out) {
  for (const auto& [name, value] : after) {
    const auto it = before.find(name);
    if (it == before.end())
      out->push_back({std::string(what), name, "added", show ? value : ""});
    else if (it->second != value)
      out->push_back({std::string(what), name, "changed", show ? it->second + " → " + value : ""});
  }
  for (const auto& [name, value] : before) {
    if (!after.contains(name)) out->push_back({std::string(what), name, "removed", show ? value : ""});
  }
}

void DiffClasses(const dex::AppFacts& before, const dex::AppFacts& after, const DiffOptions& options,
                 ApkDiff* diff) {
  std::map<std::string_view, const dex::ClassFacts*> by_type;
  for (const dex::ClassFacts& one : before.classes) by_type[one.type] = &one;
  const auto add = [&](std::string_view type, const char* how, std::string detail) {
    if (options.app_only && !InPackages(type, options.app_packages)) return;
    if (!options.noise && GeneratedClass(type) == "resource ids") return;
    diff->classes.push_back({"class", ModifiedToUtf8(dex::JavaName(type)), how, std::move(detail)});
  };
  for (const dex::ClassFacts& one : after.classes) {
    const auto it = by_type.find(one.type);
    if (it == by_type.end()) {
      add(one.type, "added", "");
      continue;
    }
    const dex::ClassFacts& old = *it->second;
    std::string detail;
    if (old.declaration != one.declaration) detail = "declaration";
    if (old.fields != one.fields) detail += detail.empty() ? "fields" : ", fields";
    if (old.fields == one.fields && old.values != one.values)
      detail += detail.empty() ? "values" : ", values";
    if (!detail.empty()) add(one.type, "changed", std::move(detail));
    by_type.erase(it);
  }
  for (const auto& [type, one] : by_type) add(type, "removed", "");
}

// A resource's values by "type/name (configuration)". Ids do not occur: a renumbered resource is the same.
Named ResourceValues(const Apk& apk) {
  Named values;
  const ResourceTable* table = apk.resources();
  if (table == nullptr) return values;
  const XmlTextOptions names{table, false};
  const auto text = [&](const ResValue& value) {
    XmlAttribute attribute;
    attribute.value = value;
    attribute.raw = table->Text(value);
    return AttributeText(attribute, names);
  };
  table->ForEach([&](const ResourceEntry& entry) {
    const std::string& config = table->configs()[entry.config];
    std::string name = table->ReferenceText(entry.id).substr(1) + (config.empty() ? "" : " (" + config + ")");
    std::string& value = values[std::move(name)];
    if (entry.is_bag) {
      // In order of name, since the file's order is that of ids.
      std::vector<std::string> items;
      for (const BagItem& item : table->Bag(entry))
        items.push_back(table->ReferenceText(item.key) + "=" + text(item.value));
      std::sort(items.begin(), items.end());
      value = table->ReferenceText(entry.parent);
      for (const std::string& item : items) value += ";" + item;
      if (value.size() > 100) value = fmt::format("{} items, {}", items.size(), Hex64(Hash64(value)));
      return;
    }
    value = text(entry.value);
    const ZipEntry* file = entry.value.type == ResType::kString ? apk.zip().Find(value) : nullptr;
    if (file == nullptr) {
      if (value.size() > 100)
        value = fmt::format("{}…, {}", ModifiedToUtf8(value.substr(0, 60)), Hex64(Hash64(value)));
      return;
    }
    // Compiled XML is compared as text: its ids are renumbered with the rest.
    value = fmt::format("file {:08x}", file->crc32);
    if (file->name.size() > 4 && file->name.substr(file->name.size() - 4) == ".xml") {
      const Result<Blob> content = apk.zip().Read(*file);
      const Result<XmlDocument> document =
          content ? XmlDocument::Parse(content->view()) : Fail(content.error());
      if (!document) return;
      if (const Result<std::string> xml = XmlToText(*document, names)) value = "xml " + Hex64(Hash64(*xml));
    }
  });
  return values;
}

Named Files(const Apk& apk) {
  Named files;
  for (const ZipEntry& entry : apk.zip().entries()) {
    const std::string_view name = entry.name;
    const bool elsewhere = name.substr(0, 4) == "res/" || name == "resources.arsc" ||
                           name == "AndroidManifest.xml" || name.substr(0, 9) == "META-INF/" ||
                           name.find(".dex") != std::string_view::npos;
    if (!elsewhere) files[Printable(name)] = fmt::format("{} bytes, {:08x}", entry.size, entry.crc32);
  }
  return files;
}

void DiffManifests(const Manifest& before, const Manifest& after, std::vector<NamedChange>* out) {
  const nlohmann::ordered_json a = ToJson(before);
  const nlohmann::ordered_json b = ToJson(after);
  const auto dump = [](const nlohmann::ordered_json& json) {
    return json.is_string() ? json.get<std::string>()
                            : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  };
  Named scalars_a, scalars_b;
  for (const auto& [json, scalars] : {std::pair(&a, &scalars_a), std::pair(&b, &scalars_b)}) {
    for (const auto& [key, value] : json->items()) {
      if (!value.is_array()) (*scalars)[key] = dump(value);
    }
  }
  Compare("manifest", scalars_a, scalars_b, true, out);
  static constexpr std::pair<const char*, const char*> kLists[] = {
      {"activities", "activity"},    {"services", "service"},
      {"receivers", "receiver"},     {"providers", "provider"},
      {"permissions", "permission"}, {"defined_permissions", "defined permission"},
      {"features", "feature"},       {"libraries", "library"},
      {"meta_data", "meta-data"},    {"instrumentations", "instrumentation"}};
  for (const auto& [list, what] : kLists) {
    Named items_a, items_b;
    for (const auto& [json, items] : {std::pair(&a, &items_a), std::pair(&b, &items_b)}) {
      for (const auto& item : (*json)[list])
        (*items)[item.is_string() ? item.get<std::string>() : item["name"].get<std::string>()] = dump(item);
    }
    Compare(what, items_a, items_b, false, out);
  }
}

}  // namespace

Result<DiffLevel> ParseDiffLevel(std::string_view text) {
  if (text == "exact") return DiffLevel::kExact;
  if (text == "code") return DiffLevel::kCode;
  if (text == "opcode") return DiffLevel::kOpcode;
  return Fail(ErrorCode::kBadInput, "no level \"{}\"; there are exact, code and opcode", text);
}

bool ApkDiff::Same() const {
  return changed.empty() && added.empty() && removed.empty() && moved.empty() && classes.empty() &&
         resources.empty() && manifest.empty() && files.empty();
}

Result<ApkDiff> DiffApks(const Apk& old_apk, const Apk& new_apk, const DiffOptions& options) {
  ApkDiff diff;
  MARMOSET_ASSIGN(diff.old_info, ReadApkInfo(old_apk));
  MARMOSET_ASSIGN(diff.new_info, ReadApkInfo(new_apk));
  DiffOptions own = options;
  if (own.app_packages.empty()) own.app_packages = AppPackages(diff.new_info.manifest);
  MARMOSET_ASSIGN(const dex::DexSet old_set, dex::DexSet::Open(old_apk));
  MARMOSET_ASSIGN(const dex::DexSet new_set, dex::DexSet::Open(new_apk));
  MARMOSET_ASSIGN(const dex::AppFacts old_facts, dex::CollectFacts(old_set, old_apk.resources()));
  MARMOSET_ASSIGN(const dex::AppFacts new_facts, dex::CollectFacts(new_set, new_apk.resources()));
  diff.old_compilers = old_facts.compilers;
  diff.new_compilers = new_facts.compilers;
  diff.old_methods = old_facts.methods.size();
  diff.new_methods = new_facts.methods.size();
  DiffMethods(old_facts, new_facts, own, &diff);
  DiffClasses(old_facts, new_facts, own, &diff);
  Compare("resource", ResourceValues(old_apk), ResourceValues(new_apk), true, &diff.resources);
  DiffManifests(diff.old_info.manifest, diff.new_info.manifest, &diff.manifest);
  Compare("file", Files(old_apk), Files(new_apk), true, &diff.files);
  return diff;
}

}  // namespace marmoset::apk
