#include "apk/testing/builders.h"

#include <algorithm>

#include "apk/binary_xml.h"
#include "apk/string_pool.h"
#include "apk/zip_writer.h"

namespace marmoset::apk::testing {
namespace {

std::string Chunked(uint16_t type, const std::string& header, const std::string& body) {
  std::string chunk;
  PutU16(type, &chunk);
  PutU16(static_cast<uint16_t>(8 + header.size()), &chunk);
  PutU32(static_cast<uint32_t>(8 + header.size() + body.size()), &chunk);
  return chunk + header + body;
}

class Pool {
 public:
  uint32_t Add(const std::string& text) {
    const auto it = std::find(strings_.begin(), strings_.end(), text);
    if (it != strings_.end()) return static_cast<uint32_t>(it - strings_.begin());
    strings_.push_back(text);
    return static_cast<uint32_t>(strings_.size() - 1);
  }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  std::vector<std::string> strings_;
};

std::string LocalName(const std::string& name) { return name.substr(name.find(':') + 1); }

void AddNames(const TestElement& element, Pool* pool, std::vector<uint32_t>* ids) {
  for (const TestAttribute& attribute : element.attributes) {
    if (attribute.resource_id == 0) continue;
    if (pool->Add(LocalName(attribute.name)) == ids->size()) ids->push_back(attribute.resource_id);
  }
  for (const TestElement& child : element.children) AddNames(child, pool, ids);
}

std::string Node(uint16_t type, const std::string& body) {
  std::string header;
  PutU32(7, &header);  // The line.
  PutU32(StringPool::kNoString, &header);
  return Chunked(type, header, body);
}

std::string ElementChunks(const TestElement& element, Pool* pool) {
  std::string body;
  PutU32(StringPool::kNoString, &body);
  PutU32(pool->Add(element.name), &body);
  PutU16(20, &body);
  PutU16(20, &body);
  PutU16(static_cast<uint16_t>(element.attributes.size()), &body);
  body.append(6, '\0');  // The indices of id, class and style.
  std::string end = body.substr(0, 8);
  for (const TestAttribute& attribute : element.attributes) {
    const bool android = attribute.name.substr(0, 8) == "android:";
    PutU32(android ? pool->Add(std::string(kAndroidNamespace)) : StringPool::kNoString, &body);
    PutU32(pool->Add(LocalName(attribute.name)), &body);
    const bool text = attribute.value.type == ResType::kNull;
    const uint32_t string = text ? pool->Add(attribute.text) : StringPool::kNoString;
    PutU32(string, &body);
    PutU16(8, &body);
    body += '\0';
    body += static_cast<char>(text ? ResType::kString : attribute.value.type);
    PutU32(text ? string : attribute.value.data, &body);
  }
  std::string out = Node(kChunkXmlStartElement, body);
  for (const TestElement& child : element.children) out += ElementChunks(child, pool);
  if (!element.text.empty()) {
    std::string text;
    PutU32(pool->Add(element.text), &text);
    PutU32(8, &text);
    PutU32(0, &text);
    out += Node(kChunkXmlText, text);
  }
  return out + Node(kChunkXmlEndElement, end);
}

}  // namespace

std::string BuildStringPool(const std::vector<std::string>& strings, bool utf8) {
  std::string header;
  PutU32(static_cast<uint32_t>(strings.size()), &header);
  PutU32(0, &header);
  PutU32(utf8 ? 1 << 8 : 0, &header);
  PutU32(static_cast<uint32_t>(28 + 4 * strings.size()), &header);
  PutU32(0, &header);
  std::string offsets;
  std::string data;
  for (const std::string& text : strings) {
    PutU32(static_cast<uint32_t>(data.size()), &offsets);
    if (utf8) {
      data += static_cast<char>(text.size());
      data += static_cast<char>(text.size());
      data += text + '\0';
    } else {
      PutU16(static_cast<uint16_t>(text.size()), &data);
      for (const char c : text) PutU16(static_cast<uint8_t>(c), &data);
      PutU16(0, &data);
    }
  }
  data.resize((data.size() + 3) & ~size_t{3}, '\0');
  return Chunked(kChunkStringPool, header, offsets + data);
}

std::string BuildBinaryXml(const TestElement& root, bool utf8) {
  Pool pool;
  std::vector<uint32_t> ids;
  AddNames(root, &pool, &ids);
  std::string space;
  const uint32_t prefix = pool.Add("android");
  const uint32_t uri = pool.Add(std::string(kAndroidNamespace));
  PutU32(prefix, &space);
  PutU32(uri, &space);
  const std::string nodes =
      Node(kChunkXmlStartNamespace, space) + ElementChunks(root, &pool) + Node(kChunkXmlEndNamespace, space);
  std::string map;
  for (const uint32_t id : ids) PutU32(id, &map);
  return Chunked(kChunkXml, "",
                 BuildStringPool(pool.strings(), utf8) + Chunked(kChunkXmlResourceMap, "", map) + nodes);
}

std::string BuildResourceTable(const std::vector<std::pair<std::string, std::vector<TestResource>>>& types,
                               TypeLayout layout) {
  Pool values;
  Pool keys;
  std::vector<std::string> type_names;
  std::string type_chunks;
  for (const auto& [type, resources] : types) {
    type_names.push_back(type);
    std::string offsets;
    std::string entries;
    for (size_t i = 0; i < resources.size(); ++i) {
      const TestResource& resource = resources[i];
      const uint32_t offset = static_cast<uint32_t>(entries.size());
      if (layout == TypeLayout::kSparse) PutU16(static_cast<uint16_t>(i), &offsets);
      if (layout == TypeLayout::kSparse || layout == TypeLayout::kOffset16)
        PutU16(static_cast<uint16_t>(offset / 4), &offsets);
      else
        PutU32(offset, &offsets);
      const uint32_t key = keys.Add(resource.name);
      const uint32_t data =
          resource.value.type == ResType::kString ? values.Add(resource.text) : resource.value.data;
      if (layout == TypeLayout::kCompact) {
        PutU16(static_cast<uint16_t>(key), &entries);
        PutU16(static_cast<uint16_t>(8 | static_cast<int>(resource.value.type) << 8), &entries);
        PutU32(data, &entries);
        continue;
      }
      PutU16(8, &entries);
      PutU16(0, &entries);
      PutU32(key, &entries);
      PutU16(8, &entries);
      entries += '\0';
      entries += static_cast<char>(resource.value.type);
      PutU32(data, &entries);
    }
    offsets.resize((offsets.size() + 3) & ~size_t{3}, '\xff');
    std::string header;
    header += static_cast<char>(type_names.size());
    header += static_cast<char>(layout == TypeLayout::kSparse ? 1 : layout == TypeLayout::kOffset16 ? 2 : 0);
    PutU16(0, &header);
    PutU32(static_cast<uint32_t>(resources.size()), &header);
    PutU32(static_cast<uint32_t>(8 + 12 + 64 + offsets.size()), &header);
    PutU32(64, &header);  // The configuration: its size, the rest "any".
    header.append(60, '\0');
    type_chunks += Chunked(kChunkType, header, offsets + entries);
  }
  const std::string type_pool = BuildStringPool(type_names, true);
  const std::string key_pool = BuildStringPool(keys.strings(), true);
  std::string header;
  PutU32(0x7f, &header);
  header.append(256, '\0');
  PutU32(288, &header);
  PutU32(0, &header);
  PutU32(static_cast<uint32_t>(288 + type_pool.size()), &header);
  PutU32(0, &header);
  PutU32(0, &header);
  const std::string package = Chunked(kChunkPackage, header, type_pool + key_pool + type_chunks);
  std::string count;
  PutU32(1, &count);
  return Chunked(kChunkTable, count, BuildStringPool(values.strings(), true) + package);
}

TestElement SmallManifest(std::string_view package) {
  const TestElement filter{
      "intent-filter",
      {},
      {{"action", {{"android:name", "android.intent.action.MAIN", {}, 0x01010003}}, {}, ""},
       {"category", {{"android:name", "android.intent.category.LAUNCHER", {}, 0x01010003}}, {}, ""}},
      ""};
  const TestElement activity{"activity",
                             {{"android:name", ".Main", {}, 0x01010003},
                              {"android:launchMode", "", {ResType::kDecimal, 2}, 0x0101001d},
                              {"android:configChanges", "", {ResType::kHex, 0xa0}, 0x0101001f}},
                             {filter},
                             ""};
  return {"manifest",
          {{"android:versionCode", "", {ResType::kDecimal, 42}, 0x0101021b},
           {"android:versionName", "1.0", {}, 0x0101021c},
           {"package", std::string(package), {}, 0}},
          {{"uses-sdk",
            {{"android:minSdkVersion", "", {ResType::kDecimal, 21}, 0x0101020c},
             {"android:targetSdkVersion", "", {ResType::kDecimal, 34}, 0x01010270}},
            {},
            ""},
           {"uses-permission", {{"android:name", "android.permission.INTERNET", {}, 0x01010003}}, {}, ""},
           {"application",
            {{"android:label", "", {ResType::kReference, 0x7f010000}, 0x01010001},
             {"android:name", "App", {}, 0x01010003}},
            {activity},
            ""}},
          ""};
}

std::string BuildSmallApk(std::string_view package) {
  ZipWriter writer;
  writer.AddDeflated("AndroidManifest.xml", BuildBinaryXml(SmallManifest(package)));
  writer.AddStored("classes.dex", "dex\n", 4);
  writer.AddStored("resources.arsc",
                   BuildResourceTable({{"string", {{"app_name", {ResType::kString, 0}, "Small"}}}}), 4);
  writer.AddStored("lib/arm64-v8a/libsmall.so",
                   "\x7f"
                   "ELF");
  return writer.Finish().value().Join();
}

}  // namespace marmoset::apk::testing
