// Which of an app's classes are its own, and which came with a library.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apk/manifest.h"

namespace marmoset::apk {

// Packages whose classes are the app's own: the manifest's, and those of its components unless a library
// brought them along.
std::vector<std::string> AppPackages(const Manifest& manifest);

// Whether a class (as a descriptor) lies in one of the packages ("com.foo").
bool InPackages(std::string_view type, const std::vector<std::string>& packages);

}  // namespace marmoset::apk
