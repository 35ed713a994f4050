// Two hashes: XXH3 for content within a run (screens, cache keys), SHA-256 for files that people name (APKs).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace marmoset {

// XXH3, 64 bits. Stable over platforms; it may be stored.
uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);

// 16 lower-case hexadecimal digits.
std::string Hex64(uint64_t value);

// SHA-256 in lower-case hexadecimal.
std::string Sha256(std::string_view bytes);
Result<std::string> Sha256OfFile(const std::string& path);

}  // namespace marmoset
