// The text encodings that occur in an APK, turned into proper UTF-8.
//
// Class files and DEX hold "modified UTF-8" (NUL as C0 80, a supplementary character as two encoded
// surrogates); resources hold UTF-16 or UTF-8, in which old tools left encoded surrogates too. What cannot be
// decoded becomes U+FFFD, so that every result is valid UTF-8 and may go into JSON and XML.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apk/bytes.h"

namespace marmoset::apk {

// Appends one code point; a lone surrogate or a value above U+10FFFF becomes U+FFFD.
void AppendUtf8(uint32_t code_point, std::string* out);

// `units` 16-bit units from `offset` on. REQUIRES: they lie inside `bytes`.
std::string Utf16ToUtf8(const Bytes& bytes, size_t offset, size_t units);

// UTF-8 in which surrogates may be encoded one by one and NUL as C0 80.
std::string ModifiedToUtf8(std::string_view text);

// The other way: what a DEX file stores. REQUIRES: valid UTF-8 (anything else is passed on as it is).
std::string Utf8ToModified(std::string_view text);

// True when all bytes are 0x01 … 0x7f, in which case all the encodings agree.
bool IsPlainAscii(std::string_view text);

}  // namespace marmoset::apk
