// What the platform's public resource list (frameworks/base/core/res/res/values/public-final.xml and
// attrs_manifest.xml) says about the attributes of a manifest: their ids, and the names of their enum and
// flag values.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marmoset::apk {

// The name of a framework attribute (0x0101XXXX) that manifests use; empty for others.
std::string_view AttributeName(uint32_t resource_id);

// The integer value of an enum or flag attribute as a source file writes it: ("launchMode", 1) is
// "singleTop",
// ("configChanges", 0xa0) is "keyboardHidden|orientation". Empty when the attribute has no such names or a
// part of the value has none.
std::string AttributeValueName(std::string_view attribute, uint32_t value);

}  // namespace marmoset::apk
