// The resource table of an app (resources.arsc): what each id 0xPPTTEEEE is called and is.
//
// The format is that of ResTable in the platform's ResourceTypes.h, with its later forms: sparse types,
// 16-bit offsets, compact entries, and package headers without the last field. What concerns overlays and
// staged ids of the framework is stepped over: it changes no app's names or values.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apk/res_value.h"
#include "apk/string_pool.h"
#include "apk/zip.h"
#include "base/error.h"

namespace marmoset::apk {

struct ResourceName {
  std::string_view package;  // Empty when the package has no name.
  std::string_view type;
  std::string_view name;
};

// One member of a style, array, plural or attribute: its key is an attribute or an index in disguise.
struct BagItem {
  uint32_t key;
  ResValue value;
};

// One value of one resource in one configuration.
struct ResourceEntry {
  uint32_t id = 0;
  uint32_t config = 0;  // An index into configs().
  bool is_bag = false;
  uint32_t parent = 0;  // Of a bag: the style it inherits from, 0 for none.
  ResValue value;       // When it is no bag.
};

// Immutable; threads may share it. Keeps the bytes alive that it was read from. Copies share everything.
class ResourceTable {
 public:
  // kBadInput with the offset when it is malformed.
  static Result<ResourceTable> Parse(Blob bytes);

  // Nothing when the id is not in this table.
  std::optional<ResourceName> Name(uint32_t id) const;

  // The id of, say, ("layout", "main"); 0 when there is none.
  uint32_t Find(std::string_view type, std::string_view name) const;

  // All values of a resource, one per configuration, in the order of the file.
  std::vector<ResourceEntry> Values(uint32_t id) const;

  // The value in the default configuration, else the first one, with references followed up to 20 times.
  // Nothing for bags and unknown ids; a reference that leaves the table is the result.
  std::optional<ResValue> Resolve(ResValue value) const;

  // The members of a bag; empty for other entries. A damaged one ends early.
  std::vector<BagItem> Bag(const ResourceEntry& entry) const;

  // Text of a string value, empty for others.
  std::string_view Text(const ResValue& value) const;

  // Every value of every resource, by id and, within it, in the order of the file.
  void ForEach(const std::function<void(const ResourceEntry&)>& visit) const;

  // Qualifiers as in res_config.h, by index.
  const std::vector<std::string>& configs() const;

  // "@string/app_name"; "@0x7f010000" for an unknown id, which includes those of the framework. With `kind`
  // '?' for attributes.
  std::string ReferenceText(uint32_t id, char kind = '@') const;

 private:
  struct Data;
  class Reader;
  std::shared_ptr<const Data> data_;
};

}  // namespace marmoset::apk
