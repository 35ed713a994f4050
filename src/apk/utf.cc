#include "apk/utf.h"

namespace marmoset::apk {
namespace {

constexpr uint32_t kReplacement = 0xfffd;

bool IsHigh(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLow(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }
uint32_t Combine(uint32_t high, uint32_t low) { return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00); }

// Decodes the sequence at `*at` and moves past it. A malformed one counts as one byte.
uint32_t Decode(std::string_view text, size_t* at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u;
  };
  const auto tail = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const size_t i = *at;
  const uint32_t first = byte(i);
  if (first < 0x80) {
    *at += 1;
    return first;
  }
  if ((first & 0xe0) == 0xc0 && tail(i + 1)) {
    *at += 2;
    return (first & 0x1f) << 6 | (byte(i + 1) & 0x3f);
  }
  if ((first & 0xf0) == 0xe0 && tail(i + 1) && tail(i + 2)) {
    *at += 3;
    return (first & 0x0f) << 12 | (byte(i + 1) & 0x3f) << 6 | (byte(i + 2) & 0x3f);
  }
  if ((first & 0xf8) == 0xf0 && tail(i + 1) && tail(i + 2) && tail(i + 3)) {
    *at += 4;
    return (first & 0x07) << 18 | (byte(i + 1) & 0x3f) << 12 | (byte(i + 2) & 0x3f) << 6 |
           (byte(i + 3) & 0x3f);
  }
  *at += 1;
  return kReplacement;
}

void AppendThree(uint32_t unit, std::string* out) {
  out->push_back(static_cast<char>(0xe0 | unit >> 12));
  out->push_back(static_cast<char>(0x80 | (unit >> 6 & 0x3f)));
  out->push_back(static_cast<char>(0x80 | (unit & 0x3f)));
}

}  // namespace

void AppendUtf8(uint32_t c, std::string* out) {
  if ((c >= 0xd800 && c < 0xe000) || c > 0x10ffff) c = kReplacement;
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xc0 | c >> 6));
    out->push_back(static_cast<char>(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    AppendThree(c, out);
  } else {
    out->push_back(static_cast<char>(0xf0 | c >> 18));
    out->push_back(static_cast<char>(0x80 | (c >> 12 & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
    out->push_back(static_cast<char>(0x80 | (c & 0x3f)));
  }
}

std::string Utf16ToUtf8(const Bytes& bytes, size_t offset, size_t units) {
  std::string out;
  out.reserve(units);
  for (size_t i = 0; i < units; ++i) {
    uint32_t c = bytes.U16(offset + 2 * i);
    if (IsHigh(c) && i + 1 < units && IsLow(bytes.U16(offset + 2 * i + 2))) {
      c = Combine(c, bytes.U16(offset + 2 * i + 2));
      ++i;
    }
    AppendUtf8(c, &out);
  }
  return out;
}

std::string ModifiedToUtf8(std::string_view text) {
  if (IsPlainAscii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    uint32_t c = Decode(text, &at);
    if (IsHigh(c)) {
      size_t next = at;
      const uint32_t low = Decode(text, &next);
      if (IsLow(low)) {
        c = Combine(c, low);
        at = next;
      }
    }
    AppendUtf8(c, &out);
  }
  return out;
}

std::string Utf8ToModified(std::string_view text) {
  if (IsPlainAscii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    const uint32_t c = Decode(text, &at);
    if (c == 0) {
      out += "\xc0\x80";
    } else if (c >= 0x10000 && c <= 0x10ffff) {
      AppendThree(0xd800 + ((c - 0x10000) >> 10), &out);
      AppendThree(0xdc00 + ((c - 0x10000) & 0x3ff), &out);
    } else {
      out += text.substr(from, at - from);
    }
  }
  return out;
}

bool IsPlainAscii(std::string_view text) {
  for (const char c : text) {
    if (c <= 0) return false;
  }
  return true;
}

}  // namespace marmoset::apk
