#include "apk/dex/encoded_value.h"

#include <bit>

#include "apk/utf.h"
#include "base/hash.h"

namespace marmoset::dex {
namespace {

constexpr size_t kMaxShown = 200;
constexpr size_t kMaxText =
    1 << 20;  // Of an array or annotation; values may refer to one long name again and again.

// `size` little-endian bytes, not extended.
uint64_t ReadLittle(Cursor* cursor, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; ++i) value |= uint64_t{cursor->U8()} << (8 * i);
  return value;
}

int64_t SignExtend(uint64_t value, int size) {
  const int shift = 64 - 8 * size;
  return static_cast<int64_t>(value << shift) >> shift;
}

std::string ReadAnnotationText(const DexFile& dex, Cursor* cursor, int depth) {
  const uint32_t type = cursor->Uleb();
  const uint32_t size = cursor->Uleb();
  if (cursor->failed() || type >= dex.count(kTypeIds) || size > cursor->left()) {
    cursor->Fail();
    return "";
  }
  std::string text = "@" + std::string(dex.Type(type)) + "(";
  for (uint32_t i = 0; i < size && !cursor->failed(); ++i) {
    const uint32_t name = cursor->Uleb();
    if (cursor->failed() || name >= dex.count(kStringIds)) {
      cursor->Fail();
      return "";
    }
    if (i > 0) text += ", ";
    text += dex.String(name).substr(0, kMaxShown) + "=" + ReadValueText(dex, cursor, depth + 1);
    if (text.size() > kMaxText) cursor->Fail();
  }
  return text + ")";
}

}  // namespace

std::string Quoted(std::string_view raw) {
  const bool cut = raw.size() > kMaxShown;
  std::string text = "\"";
  for (const char c : apk::ModifiedToUtf8(raw.substr(0, kMaxShown))) {
    switch (c) {
      case '"':
        text += "\\\"";
        break;
      case '\\':
        text += "\\\\";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\r':
        text += "\\r";
        break;
      case '\t':
        text += "\\t";
        break;
      default:
        if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f)
          text += fmt::format("\\u{:04x}", static_cast<uint8_t>(c));
        else
          text += c;
    }
  }
  if (cut) text += fmt::format("… {} bytes, hash {}", raw.size(), Hex64(Hash64(raw)));
  return text + "\"";
}

std::string ReadValueText(const DexFile& dex, Cursor* cursor, int depth) {
  if (depth > kMaxValueDepth) cursor->Fail();
  const uint8_t head = cursor->U8();
  if (cursor->failed()) return "";
  const int argument = head >> 5;
  const uint8_t type = head & 0x1f;
  const int size = argument + 1;
  const auto index = [&](uint32_t count) -> uint32_t {
    const uint64_t value = ReadLittle(cursor, size);
    if (size > 4 || value >= count) cursor->Fail();
    return static_cast<uint32_t>(value);
  };
  switch (type) {
    case kValueByte:
    case kValueShort:
    case kValueInt:
    case kValueLong:
      return fmt::format("{}", SignExtend(ReadLittle(cursor, size), size));
    case kValueChar:
      return fmt::format("'\\u{:04x}'", ReadLittle(cursor, size));
    case kValueFloat:  // Stored without its trailing zero bytes.
      return fmt::format("{}f", std::bit_cast<float>(static_cast<uint32_t>(
                                    ReadLittle(cursor, size) << (8 * (4 - std::min(size, 4))))));
    case kValueDouble:
      return fmt::format("{}", std::bit_cast<double>(ReadLittle(cursor, size) << (8 * (8 - size))));
    case kValueString: {
      const uint32_t i = index(dex.count(kStringIds));
      return cursor->failed() ? "" : Quoted(dex.RawString(i));
    }
    case kValueType: {
      const uint32_t i = index(dex.count(kTypeIds));
      return cursor->failed() ? "" : std::string(dex.Type(i));
    }
    case kValueField:
    case kValueEnum: {
      const uint32_t i = index(dex.count(kFieldIds));
      return cursor->failed() ? "" : dex.FieldText(i);
    }
    case kValueMethod: {
      const uint32_t i = index(dex.count(kMethodIds));
      return cursor->failed() ? "" : dex.MethodText(i);
    }
    case kValueMethodType: {
      const uint32_t i = index(dex.count(kProtoIds));
      return cursor->failed() ? "" : dex.ProtoText(i);
    }
    case kValueMethodHandle: {
      const uint32_t i = index(dex.method_handle_count());
      if (cursor->failed()) return "";
      const auto [kind, member] = dex.MethodHandle(i);
      return fmt::format("handle {} {}", kind, kind < 4 ? dex.FieldText(member) : dex.MethodText(member));
    }
    case kValueArray: {
      const uint32_t count = cursor->Uleb();
      if (count > cursor->left()) cursor->Fail();
      std::string text = "{";
      for (uint32_t i = 0; i < count && !cursor->failed(); ++i) {
        if (i > 0) text += ", ";
        text += ReadValueText(dex, cursor, depth + 1);
        if (text.size() > kMaxText) cursor->Fail();
      }
      return text + "}";
    }
    case kValueAnnotation:
      return ReadAnnotationText(dex, cursor, depth);
    case kValueNull:
      return "null";
    case kValueBoolean:
      return argument != 0 ? "true" : "false";
    default:
      cursor->Fail();
      return "";
  }
}

Result<std::vector<std::string>> ReadStaticValues(const DexFile& dex, const ClassDef& class_def) {
  std::vector<std::string> values;
  if (class_def.static_values_off == 0) return values;
  Cursor cursor(dex.data(), class_def.static_values_off);
  const uint32_t count = cursor.Uleb();
  if (count > cursor.left()) cursor.Fail();
  const uint64_t limit = 16 * uint64_t{dex.bytes().size()} + kMaxText;
  uint64_t total = 0;
  for (uint32_t i = 0; i < count && !cursor.failed(); ++i) {
    values.push_back(ReadValueText(dex, &cursor));
    total += values.back().size() + sizeof(std::string);
    if (total > limit) cursor.Fail();
  }
  if (cursor.failed())
    return Fail(ErrorCode::kBadInput, "{}: static values at {:#x} are malformed", dex.name(),
                class_def.static_values_off);
  return values;
}

}  // namespace marmoset::dex
