// Small inputs for tests, made by hand: compiled XML and resource tables, written by the simplest code that
// can.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apk/res_value.h"

namespace marmoset::apk::testing {

// A string pool chunk.
std::string BuildStringPool(const std::vector<std::string>& strings, bool utf8);

struct TestAttribute {
  std::string name;  // "android:exported" or "package".
  std::string text;  // For a string value, when `value` is kNull.
  ResValue value{};  // Otherwise.
  uint32_t resource_id = 0;
};

struct TestElement {
  std::string name;
  std::vector<TestAttribute> attributes;
  std::vector<TestElement> children;
  std::string text;
};

// A compiled XML document. Attributes with a resource id come first in the pool, as the format wants.
std::string BuildBinaryXml(const TestElement& root, bool utf8 = false);

// How the values of a type are laid out in the table.
enum class TypeLayout { kDense, kSparse, kOffset16, kCompact };

struct TestResource {
  std::string name;
  ResValue value{};  // Of type kString: data is ignored and `text` is used.
  std::string text;
};

// A resource table with one package 0x7f, whose types are the keys of `types` in order, in the default
// configuration.
std::string BuildResourceTable(const std::vector<std::pair<std::string, std::vector<TestResource>>>& types,
                               TypeLayout layout = TypeLayout::kDense);

// An APK with a manifest for `package`, an activity .Main that is the launcher, and a classes.dex of 4 bytes.
std::string BuildSmallApk(std::string_view package);
TestElement SmallManifest(std::string_view package);

}  // namespace marmoset::apk::testing
