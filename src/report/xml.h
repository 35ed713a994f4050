// Text inside HTML and SVG.

#pragma once

#include <string>
#include <string_view>

namespace marmoset {

// With &, <, > and " as entities.
std::string XmlEscaped(std::string_view text);

}  // namespace marmoset
