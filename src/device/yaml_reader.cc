#include "device/yaml_reader.h"

#include <algorithm>
#include <charconv>

namespace marmoset {

std::string NotYaml(const YAML::Exception& e) {
  // "yaml-cpp: error at line 3, column 5: …" with our wording of the place.
  return e.mark.is_null() ? fmt::format("not YAML: {}", e.msg)
                          : fmt::format("line {}: not YAML: {}", e.mark.line + 1, e.msg);
}

Status YamlReader::Count(const Node& at, size_t values) {
  values_ += values;
  if (values_ > max_values_) return Wrong(at, "too large: more than {} values", max_values_);
  return {};
}

Status YamlReader::CheckMap(const Node& node, std::string_view what,
                            std::initializer_list<std::string_view> keys) {
  if (!node.IsMap()) return Wrong(node, "{}: a map of keys and values expected", what);
  for (const auto& entry : node) {
    MARMOSET_TRY(Count(node));
    if (!entry.first.IsScalar() || std::find(keys.begin(), keys.end(), entry.first.Scalar()) == keys.end())
      return Wrong(entry.first, "{} has no key '{}'; there are: {}", what,
                   entry.first.IsScalar() ? entry.first.Scalar() : "?", fmt::join(keys, ", "));
  }
  return {};
}

Result<std::string> YamlReader::Text(const Node& map, const char* key, std::string fallback) {
  const Node value = map[key];
  if (!value.IsDefined() || value.IsNull()) return fallback;
  if (!value.IsScalar()) return Wrong(value, "'{}': a text expected", key);
  return value.Scalar();
}

Result<bool> YamlReader::Flag(const Node& map, const char* key, bool fallback) {
  const Node value = map[key];
  if (!value.IsDefined()) return fallback;
  if (value.IsScalar() && value.Scalar() == "true") return true;
  if (value.IsScalar() && value.Scalar() == "false") return false;
  return Wrong(value, "'{}': true or false expected", key);
}

Result<int64_t> YamlReader::Number(const Node& map, const char* key, int64_t fallback, int64_t least,
                                   int64_t most) {
  const Node value = map[key];
  if (!value.IsDefined()) return fallback;
  int64_t number = 0;
  const std::string text = value.IsScalar() ? value.Scalar() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    return Wrong(value, "'{}': a whole number from {} to {} expected", key, least, most);
  return number;
}

Result<double> YamlReader::Probability(const Node& map, const char* key, double fallback) {
  const Node value = map[key];
  if (!value.IsDefined()) return fallback;
  double number = 0;
  const std::string text = value.IsScalar() ? value.Scalar() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // The negated form also refuses NaN.
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0 && number <= 1))
    return Wrong(value, "'{}': a probability from 0 to 1 expected", key);
  return number;
}

Result<std::vector<YAML::Node>> YamlReader::Items(const Node& map, const char* key) {
  const Node value = map[key];
  std::vector<Node> items;
  if (!value.IsDefined() || value.IsNull()) return items;
  if (!value.IsSequence()) return Wrong(value, "'{}': a list expected", key);
  MARMOSET_TRY(Count(value, value.size()));
  for (const auto& item : value) items.push_back(item);
  return items;
}

Result<std::vector<std::string>> YamlReader::Texts(const Node& map, const char* key) {
  MARMOSET_ASSIGN(const std::vector<Node> items, Items(map, key));
  std::vector<std::string> texts;
  for (const Node& item : items) {
    if (!item.IsScalar()) return Wrong(item, "'{}': texts expected", key);
    texts.push_back(item.Scalar());
  }
  return texts;
}

Result<Display> YamlReader::ReadDisplay(const Node& node, Display d) {
  if (!node.IsDefined()) return d;
  MARMOSET_TRY(CheckMap(node, "display", {"width", "height", "density", "status_bar", "navigation_bar"}));
  auto number = [&](const char* key, int& value, int least, int most) -> Status {
    MARMOSET_ASSIGN(const int64_t read, Number(node, key, value, least, most));
    value = static_cast<int>(read);
    return {};
  };
  MARMOSET_TRY(number("width", d.width, 100, 10'000));
  MARMOSET_TRY(number("height", d.height, 100, 10'000));
  MARMOSET_TRY(number("density", d.density, 50, 2000));
  MARMOSET_TRY(number("status_bar", d.status_bar, 0, d.height / 4));
  MARMOSET_TRY(number("navigation_bar", d.navigation_bar, 0, d.height / 4));
  return d;
}

}  // namespace marmoset
