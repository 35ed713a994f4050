// Android's compiled XML (the manifest, layouts, menus), read into a tree.
//
// The format is that of ResXMLTree in the platform's ResourceTypes.h: a string pool, a map from attribute
// names to resource ids, and a stream of start and end chunks.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apk/res_value.h"
#include "apk/string_pool.h"
#include "base/error.h"

namespace marmoset::apk {

constexpr std::string_view kAndroidNamespace = "http://schemas.android.com/apk/res/android";

// Views point into the document's pool.
struct XmlAttribute {
  std::string_view namespace_uri;  // Empty for none.
  std::string_view name;
  uint32_t resource_id =
      0;  // Of the attribute itself; 0 when it has none. Shrinkers may drop the name, not this.
  std::string_view raw;  // What the source said, if it was kept.
  ResValue value;

  // The text of a string value, else empty.
  std::string_view text() const { return value.type == ResType::kString ? raw : std::string_view(); }
};

struct XmlNamespace {
  std::string_view prefix;
  std::string_view uri;
};

// One element. Elements lie in one array in document order; the links are indices into it, 0 for "none" (the
// root is nobody's child or sibling).
struct XmlElement {
  std::string_view namespace_uri;
  std::string_view name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlNamespace> namespaces;  // Declared at this element.
  std::string_view text;                 // The last text directly inside.
  uint32_t line = 0;
  uint32_t depth = 0;  // 0 for the root.
  uint32_t parent = 0;
  uint32_t first_child = 0;
  uint32_t next_sibling = 0;

  // By name in the Android namespace or by the attribute's resource id, which alone counts where both are
  // known.
  const XmlAttribute* Android(std::string_view attribute_name) const;
  // By name, without a namespace.
  const XmlAttribute* Plain(std::string_view attribute_name) const;
};

// Immutable; threads may share it. It does not refer to the bytes it was read from.
class XmlDocument {
 public:
  // kBadInput with the offset: not compiled XML, damaged, nested deeper than 1000 elements. Plain-text XML is
  // said to be that.
  static Result<XmlDocument> Parse(std::string_view bytes);

  // At least one: the root comes first.
  const std::vector<XmlElement>& elements() const { return elements_; }
  const XmlElement& root() const { return elements_[0]; }

  // The direct children of `element` in order.
  std::vector<const XmlElement*> Children(const XmlElement& element) const;
  std::vector<const XmlElement*> Children(const XmlElement& element, std::string_view name) const;

 private:
  class Builder;
  std::shared_ptr<const StringPool> pool_;
  std::vector<XmlElement> elements_;
};

}  // namespace marmoset::apk
