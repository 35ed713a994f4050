// Compiled XML written out as a source file would have it.

#pragma once

#include <string>

#include "apk/binary_xml.h"
#include "apk/resource_table.h"
#include "base/error.h"

namespace marmoset::apk {

struct XmlTextOptions {
  // For the names of ids; null leaves them as numbers.
  const ResourceTable* resources = nullptr;
  // Follow references to simple values: "@string/app_name" becomes the name itself. For readers that have no
  // resources. References to files, styles and whatever else is no literal stay.
  bool resolve_literals = false;
};

// The value of an attribute as text, with enum and flag names for the attributes of a manifest.
std::string AttributeText(const XmlAttribute& attribute, const XmlTextOptions& options);

// The whole document, indented by four spaces, UTF-8, with an XML declaration. Always well-formed: names that
// XML does not allow are repaired, characters that it does not allow become U+FFFD. kBadInput when it would
// be more than 64 MiB, which takes a hostile file.
Result<std::string> XmlToText(const XmlDocument& document, const XmlTextOptions& options);

}  // namespace marmoset::apk
