#include "apk/xml_text.h"

#include <map>
#include <optional>
#include <set>

#include "apk/android_attributes.h"

namespace marmoset::apk {
namespace {

constexpr size_t kMaxText = size_t{64} << 20;

// Escapes for an attribute value in double quotes, which serves text as well.
void AppendEscaped(std::string_view text, std::string* out) {
  for (const char c : text) {
    switch (c) {
      case '&':
        *out += "&amp;";
        break;
      case '<':
        *out += "&lt;";
        break;
      case '>':
        *out += "&gt;";
        break;
      case '"':
        *out += "&quot;";
        break;
      case '\n':
        *out += "&#10;";
        break;
      case '\t':
        *out += "&#9;";
        break;
      case '\r':
        *out += "&#13;";
        break;
      default:
        if (static_cast<uint8_t>(c) < 0x20)
          *out += "\xef\xbf\xbd";
        else
          *out += c;
    }
  }
}

// A name that XML accepts: what it would not accept becomes '_'.
std::string Name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c < 0;
    const bool later = (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (out.empty() && later) out += '_';
    out += letter || later ? c : '_';
  }
  return out.empty() ? "_" : out;
}

class Writer {
 public:
  Writer(const XmlDocument& document, const XmlTextOptions& options)
      : document_(document), options_(options) {
    CollectPrefixes();
  }

  Result<std::string> Run() {
    out_ = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
    const std::vector<XmlElement>& elements = document_.elements();
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < elements.size(); ++i) {
      // Document order and depth alone say what ends before this element.
      while (open.size() > elements[i].depth) CloseLast(&open);
      Start(elements[i], i == 0);
      if (elements[i].first_child == 0)
        out_ += elements[i].text.empty() ? " />\n" : End(elements[i]);
      else
        out_ += ">\n";
      open.push_back(i);
      if (out_.size() > kMaxText) return Fail(ErrorCode::kBadInput, "as text it is larger than 64 MiB");
    }
    while (!open.empty()) CloseLast(&open);
    return std::move(out_);
  }

 private:
  // One prefix for each namespace of the document, all declared at the root. Those that are used without
  // being declared (some shrinkers strip declarations) get one too.
  void CollectPrefixes() {
    prefixes_[kAndroidNamespace] = "android";
    taken_.insert("android");
    for (const XmlElement& element : document_.elements()) {
      for (const XmlNamespace& space : element.namespaces) AddPrefix(space.uri, Name(space.prefix));
      AddPrefix(element.namespace_uri, "ns");
      for (const XmlAttribute& attribute : element.attributes) AddPrefix(attribute.namespace_uri, "ns");
    }
  }

  void AddPrefix(std::string_view uri, const std::string& wanted) {
    if (uri.empty() || prefixes_.contains(uri)) return;
    std::string prefix = wanted;
    for (int i = 1; !taken_.insert(prefix).second; ++i) prefix = fmt::format("{}{}", wanted, i);
    prefixes_[uri] = prefix;
  }

  std::string Qualified(std::string_view uri, std::string_view name) const {
    const auto it = prefixes_.find(uri);
    return it == prefixes_.end() ? Name(name) : it->second + ":" + Name(name);
  }

  void Start(const XmlElement& element, bool is_root) {
    out_.append(4 * size_t{element.depth}, ' ');
    out_ += '<';
    out_ += Qualified(element.namespace_uri, element.name);
    const std::string separator = "\n" + std::string(4 * (size_t{element.depth} + 1), ' ');
    const bool many = is_root || element.attributes.size() > 2;
    if (is_root) {
      for (const auto& [uri, prefix] : prefixes_) {
        out_ += fmt::format("{}xmlns:{}=\"", separator, prefix);
        AppendEscaped(uri, &out_);
        out_ += '"';
      }
    }
    std::set<std::string> seen;  // XML forbids to repeat an attribute; Android takes the first.
    for (const XmlAttribute& attribute : element.attributes) {
      const std::string name = Qualified(attribute.namespace_uri, attribute.name);
      if (!seen.insert(name).second) continue;
      out_ += many ? separator : " ";
      out_ += name;
      out_ += "=\"";
      AppendEscaped(AttributeText(attribute, options_), &out_);
      out_ += '"';
      if (out_.size() > kMaxText) return;
    }
  }

  std::string End(const XmlElement& element) const {
    std::string text = ">";
    AppendEscaped(element.text, &text);
    return text + "</" + Qualified(element.namespace_uri, element.name) + ">\n";
  }

  void CloseLast(std::vector<uint32_t>* open) {
    const XmlElement& element = document_.elements()[open->back()];
    open->pop_back();
    if (element.first_child == 0) return;
    out_.append(4 * size_t{element.depth}, ' ');
    out_ += "</" + Qualified(element.namespace_uri, element.name) + ">\n";
  }

  const XmlDocument& document_;
  const XmlTextOptions& options_;
  std::map<std::string_view, std::string> prefixes_;
  std::set<std::string> taken_;
  std::string out_;
};

}  // namespace

std::string AttributeText(const XmlAttribute& attribute, const XmlTextOptions& options) {
  const ResValue& value = attribute.value;
  if (value.type == ResType::kString) return std::string(attribute.raw);
  if (value.IsReference()) {
    if (options.resources == nullptr) return LiteralText(value);
    if (options.resolve_literals) {
      const std::optional<ResValue> resolved = options.resources->Resolve(value);
      if (resolved && resolved->type == ResType::kString) {
        const std::string_view text = options.resources->Text(*resolved);
        if (text.substr(0, 4) != "res/") return std::string(text);
      } else if (resolved && !resolved->IsReference() && !resolved->IsAttribute()) {
        return LiteralText(*resolved);
      }
    }
    return options.resources->ReferenceText(value.data);
  }
  if (value.IsAttribute())
    return options.resources == nullptr ? LiteralText(value)
                                        : options.resources->ReferenceText(value.data, '?');
  if (value.IsInteger() && attribute.namespace_uri == kAndroidNamespace) {
    std::string name = AttributeValueName(attribute.name, value.data);
    if (!name.empty()) return name;
  }
  return LiteralText(value);
}

Result<std::string> XmlToText(const XmlDocument& document, const XmlTextOptions& options) {
  return Writer(document, options).Run();
}

}  // namespace marmoset::apk
