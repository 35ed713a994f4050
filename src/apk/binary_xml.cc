// Reading compiled XML.
//
// The file is a chunk that holds chunks: strings, ids of attribute names, then what a SAX parser would call:
//
//     pool["android", "http://…", "manifest", "package", …]   ids[0x01010003, …]
//     start-namespace android   start manifest (package="a.b")   start application … end … end end-namespace
//
// The builder keeps the indices of the open elements on a stack of its own, so that depth costs no C++ stack,
// and links each new element to its parent and its elder sibling.
//
// Two habits of real files are accepted: chunks of unknown type are stepped over, as Android does; elements
// left open at the end are closed. Total size is bounded by the file: an element costs its chunk's 36 bytes
// at least, an attribute 20.

#include "apk/binary_xml.h"

#include "apk/android_attributes.h"

namespace marmoset::apk {
namespace {

constexpr uint32_t kMaxDepth = 1000;
constexpr uint64_t kAttributeSize = 20;
constexpr uint64_t kNodeHeader = 16;

}  // namespace

class XmlDocument::Builder {
 public:
  Status Run(std::string_view text) {
    const Bytes bytes(text);
    if (text.substr(0, 5) == "<?xml" || text.substr(0, 9) == "<manifest")
      return Fail(ErrorCode::kBadInput, "this is XML as text, not compiled; build the APK with aapt2");
    MARMOSET_ASSIGN(const Chunk file, ReadChunk(bytes, 0));
    // Some packers write another type here; Android checks only that the chunk is one.
    uint64_t at = file.header_size;
    while (at + 8 <= file.bytes.size()) {
      MARMOSET_ASSIGN(const Chunk chunk, ReadChunk(file.bytes, at));
      if (Status status = Take(chunk); !status)
        return Fail(std::move(status.error()).Within(fmt::format("offset {:#x}", at)));
      at += chunk.size;
    }
    if (elements_.empty()) return Fail(ErrorCode::kBadInput, "compiled XML without an element");
    return {};
  }

  XmlDocument Finish() {
    XmlDocument document;
    document.pool_ = std::move(pool_);
    document.elements_ = std::move(elements_);
    return document;
  }

 private:
  struct Open {
    uint32_t index;
    uint32_t last_child;
  };

  Status Take(const Chunk& chunk) {
    if (chunk.type == kChunkStringPool) {
      if (pool_ != nullptr) return {};  // A second pool is never consulted.
      MARMOSET_ASSIGN(StringPool pool, StringPool::Parse(chunk));
      pool_ = std::make_shared<const StringPool>(std::move(pool));
      return {};
    }
    if (chunk.type == kChunkXmlResourceMap) {
      ids_.clear();
      for (uint64_t at = chunk.header_size; at + 4 <= chunk.size; at += 4)
        ids_.push_back(chunk.bytes.U32(at));
      return {};
    }
    if (chunk.type < kChunkXmlStartNamespace || chunk.type > kChunkXmlText) return {};
    if (pool_ == nullptr) return Fail(ErrorCode::kBadInput, "an element before the string pool");
    if (chunk.header_size < kNodeHeader) return Fail(ErrorCode::kBadInput, "a node's header is cut off");
    const Bytes body = chunk.bytes.Part(chunk.header_size);
    switch (chunk.type) {
      case kChunkXmlStartNamespace:
        pending_.push_back({pool_->Get(body.U32(0)), pool_->Get(body.U32(4))});
        return {};
      case kChunkXmlStartElement:
        return Start(body, chunk.bytes.U32(8));
      case kChunkXmlEndElement:
        if (open_.empty()) return Fail(ErrorCode::kBadInput, "an element ends that never began");
        open_.pop_back();
        return {};
      case kChunkXmlText:
        if (!open_.empty()) elements_[open_.back().index].text = pool_->Get(body.U32(0));
        return {};
      default:
        return {};
    }
  }

  Status Start(const Bytes& body, uint32_t line) {
    if (!body.Has(0, 20)) return Fail(ErrorCode::kBadInput, "an element is cut off");
    if (open_.empty() && !elements_.empty()) return Fail(ErrorCode::kBadInput, "a second root element");
    if (open_.size() >= kMaxDepth)
      return Fail(ErrorCode::kBadInput, "elements are nested deeper than {}", kMaxDepth);
    const uint32_t index = static_cast<uint32_t>(elements_.size());
    XmlElement element;
    element.namespace_uri = pool_->Get(body.U32(0));
    element.name = pool_->Get(body.U32(4));
    element.line = line;
    element.depth = static_cast<uint32_t>(open_.size());
    element.namespaces = std::move(pending_);
    pending_.clear();
    const uint64_t start = body.U16(8);
    const uint64_t stride = body.U16(10);
    const uint64_t count = body.U16(12);
    if (count > 0 && (stride < kAttributeSize || !body.Has(start, stride * count)))
      return Fail(ErrorCode::kBadInput, "{} attributes of {} bytes do not fit", count, stride);
    element.attributes.reserve(count);
    for (uint64_t i = 0; i < count; ++i)
      element.attributes.push_back(ReadAttribute(body, start + i * stride));
    if (!open_.empty()) {
      Open& parent = open_.back();
      element.parent = parent.index;
      if (parent.last_child == 0)
        elements_[parent.index].first_child = index;
      else
        elements_[parent.last_child].next_sibling = index;
      parent.last_child = index;
    }
    elements_.push_back(std::move(element));
    open_.push_back({index, 0});
    return {};
  }

  XmlAttribute ReadAttribute(const Bytes& body, uint64_t at) const {
    XmlAttribute attribute;
    const uint32_t name = body.U32(at + 4);
    attribute.namespace_uri = pool_->Get(body.U32(at));
    attribute.name = pool_->Get(name);
    if (name < ids_.size()) attribute.resource_id = ids_[name];
    if (const std::string_view known = AttributeName(attribute.resource_id); !known.empty()) {
      attribute.name = known;  // The id is what Android goes by.
      attribute.namespace_uri = kAndroidNamespace;
    }
    attribute.raw = pool_->Get(body.U32(at + 8));
    attribute.value = {static_cast<ResType>(body.U8(at + 15)), body.U32(at + 16)};
    if (attribute.value.type == ResType::kString) attribute.raw = pool_->Get(attribute.value.data);
    return attribute;
  }

  std::shared_ptr<const StringPool> pool_;
  std::vector<uint32_t> ids_;
  std::vector<XmlElement> elements_;
  std::vector<XmlNamespace> pending_;
  std::vector<Open> open_;
};

Result<XmlDocument> XmlDocument::Parse(std::string_view bytes) {
  Builder builder;
  MARMOSET_TRY(builder.Run(bytes));
  return builder.Finish();
}

const XmlAttribute* XmlElement::Android(std::string_view attribute_name) const {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == attribute_name && attribute.namespace_uri == kAndroidNamespace) return &attribute;
  }
  return nullptr;
}

const XmlAttribute* XmlElement::Plain(std::string_view attribute_name) const {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == attribute_name && attribute.namespace_uri.empty()) return &attribute;
  }
  return nullptr;
}

std::vector<const XmlElement*> XmlDocument::Children(const XmlElement& element) const {
  std::vector<const XmlElement*> children;
  for (uint32_t i = element.first_child; i != 0; i = elements_[i].next_sibling)
    children.push_back(&elements_[i]);
  return children;
}

std::vector<const XmlElement*> XmlDocument::Children(const XmlElement& element, std::string_view name) const {
  std::vector<const XmlElement*> children = Children(element);
  std::erase_if(children, [&](const XmlElement* child) { return child->name != name; });
  return children;
}

}  // namespace marmoset::apk
