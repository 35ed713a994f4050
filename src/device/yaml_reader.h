// What the readers of our YAML files have in common: values by key, with an error that names the line and
// what is expected there. A key that a file may not have is an error, since a mistyped one must not be
// ignored.

#pragma once

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gui/display.h"

namespace marmoset {

// "line 3: not YAML: …", in our words.
std::string NotYaml(const YAML::Exception& e);

// What `read` makes of the root of a text, or kBadInput. `what` names the kind of file ("an app model").
template <class Read>
auto ReadYaml(std::string_view text, size_t max_bytes, std::string_view what, Read read)
    -> decltype(read(YAML::Node())) {
  if (text.size() > max_bytes) return Fail(ErrorCode::kBadInput, "{} of more than {} bytes", what, max_bytes);
  std::string wrong;
  try {
    return read(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& e) {
    wrong = NotYaml(e);
  }
  return Fail(ErrorCode::kBadInput, "{}", wrong);
}

class YamlReader {
 public:
  using Node = YAML::Node;

  // Aliases let a short file stand for a huge one, hence the limit on what is read of it.
  explicit YamlReader(size_t max_values) : max_values_(max_values) {}

 protected:
  template <class... Args>
  static tl::unexpected<Error> Wrong(const Node& at, fmt::format_string<Args...> format, Args&&... args) {
    return Fail(
        Error(ErrorCode::kBadInput, fmt::format(format, std::forward<Args>(args)...)).Within(Place(at)));
  }
  static std::string Place(const Node& at) { return fmt::format("line {}", at.Mark().line + 1); }

  // That so many more values may be read.
  Status Count(const Node& at, size_t values = 1);

  // That the node is a map with no other keys than these.
  Status CheckMap(const Node& node, std::string_view what, std::initializer_list<std::string_view> keys);

  // The value of a key; `fallback` when it is absent.
  Result<std::string> Text(const Node& map, const char* key, std::string fallback = {});
  Result<bool> Flag(const Node& map, const char* key, bool fallback);
  Result<int64_t> Number(const Node& map, const char* key, int64_t fallback, int64_t least, int64_t most);
  Result<double> Probability(const Node& map, const char* key, double fallback);
  Result<std::vector<Node>> Items(const Node& map, const char* key);
  Result<std::vector<std::string>> Texts(const Node& map, const char* key);
  // `display` where the node is absent, else with the values that it has.
  Result<Display> ReadDisplay(const Node& node, Display display);

 private:
  size_t max_values_;
  size_t values_ = 0;
};

}  // namespace marmoset
