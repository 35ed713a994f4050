// The configuration that a resource value is for (ResTable_config in the platform's ResourceTypes.h), as the
// qualifiers that resource folders carry.

#pragma once

#include <string>

#include "apk/bytes.h"

namespace marmoset::apk {

// "" for the default configuration, else such as "fr-rCA-sw600dp-land-v21". `config` starts with the size
// field of the structure; fields that an older or shorter one lacks count as "any".
std::string ConfigQualifiers(const Bytes& config);

}  // namespace marmoset::apk
