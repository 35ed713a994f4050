#include "apk/dex/remap.h"

#include "apk/dex/encoded_value.h"

namespace marmoset::dex {
namespace {

// An unsigned index in as few bytes as it takes, with the size in the head.
void PutIndex(uint8_t type, uint32_t value, std::string* out) {
  int size = 1;
  while (size < 4 && value >> (8 * size) != 0) ++size;
  out->push_back(static_cast<char>((size - 1) << 5 | type));
  for (int i = 0; i < size; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

// Looks an index up; outside the table the input is at fault.
uint32_t Checked(const std::vector<uint32_t>& table, uint32_t index, Cursor* in) {
  if (index < table.size()) return table[index];
  in->Fail();
  return 0;
}

}  // namespace

void PutUleb(uint32_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(0x80 | (value & 0x7f)));
  out->push_back(static_cast<char>(value));
}

void PutSleb(int32_t value, std::string* out) {
  for (;;) {
    const uint8_t byte = value & 0x7f;
    value >>= 7;
    if ((value == 0 && (byte & 0x40) == 0) || (value == -1 && (byte & 0x40) != 0)) {
      out->push_back(static_cast<char>(byte));
      return;
    }
    out->push_back(static_cast<char>(0x80 | byte));
  }
}

uint32_t Remap::Of(IndexKind kind, uint32_t index) const {
  switch (kind) {
    case IndexKind::kString:
      return strings[index];
    case IndexKind::kType:
      return types[index];
    case IndexKind::kField:
      return fields[index];
    case IndexKind::kMethod:
    case IndexKind::kMethodAndProto:
      return methods[index];
    case IndexKind::kProto:
      return protos[index];
    case IndexKind::kNone:
    case IndexKind::kCallSite:  // These two tables are neither sorted nor extended.
    case IndexKind::kMethodHandle:
      break;
  }
  return index;
}

void CopyValue(const Remap& remap, Cursor* in, std::string* out, int depth) {
  if (depth > kMaxValueDepth) in->Fail();
  const uint8_t head = in->U8();
  if (in->failed()) return;
  const uint8_t type = head & 0x1f;
  const int size = (head >> 5) + 1;
  const auto index = [&] {
    uint32_t value = 0;
    for (int i = 0; i < size; ++i) value |= i < 4 ? uint32_t{in->U8()} << (8 * i) : 0;
    if (size > 4) in->Fail();
    return value;
  };
  switch (type) {
    case kValueString:
      return PutIndex(type, Checked(remap.strings, index(), in), out);
    case kValueType:
      return PutIndex(type, Checked(remap.types, index(), in), out);
    case kValueField:
    case kValueEnum:
      return PutIndex(type, Checked(remap.fields, index(), in), out);
    case kValueMethod:
      return PutIndex(type, Checked(remap.methods, index(), in), out);
    case kValueMethodType:
      return PutIndex(type, Checked(remap.protos, index(), in), out);
    case kValueArray:
      out->push_back(static_cast<char>(head));
      return CopyArray(remap, in, out, depth + 1);
    case kValueAnnotation:
      out->push_back(static_cast<char>(head));
      return CopyAnnotation(remap, in, out, depth + 1);
    case kValueNull:
    case kValueBoolean:
      out->push_back(static_cast<char>(head));
      return;
    case kValueByte:
    case kValueShort:
    case kValueChar:
    case kValueInt:
    case kValueLong:
    case kValueFloat:
    case kValueDouble:
    case kValueMethodHandle:
      out->push_back(static_cast<char>(head));
      for (int i = 0; i < size; ++i) out->push_back(static_cast<char>(in->U8()));
      return;
    default:
      in->Fail();
  }
}

void CopyArray(const Remap& remap, Cursor* in, std::string* out, int depth) {
  const uint32_t count = in->Uleb();
  if (count > in->left()) in->Fail();
  PutUleb(count, out);
  for (uint32_t i = 0; i < count && !in->failed(); ++i) CopyValue(remap, in, out, depth);
}

void CopyAnnotation(const Remap& remap, Cursor* in, std::string* out, int depth) {
  PutUleb(Checked(remap.types, in->Uleb(), in), out);
  const uint32_t count = in->Uleb();
  if (count > in->left()) in->Fail();
  PutUleb(count, out);
  for (uint32_t i = 0; i < count && !in->failed(); ++i) {
    PutUleb(Checked(remap.strings, in->Uleb(), in), out);
    CopyValue(remap, in, out, depth);
  }
}

void CopyDebugInfo(const Remap& remap, Cursor* in, std::string* out) {
  const auto copy_index = [&](const std::vector<uint32_t>& table) {
    const uint32_t index = in->UlebMinusOne();
    PutUleb(index == kNoIndex ? 0 : Checked(table, index, in) + 1, out);
  };
  PutUleb(in->Uleb(), out);
  const uint32_t parameters = in->Uleb();
  if (parameters > in->left()) in->Fail();
  PutUleb(parameters, out);
  for (uint32_t i = 0; i < parameters && !in->failed(); ++i) copy_index(remap.strings);
  while (!in->failed()) {
    const uint8_t opcode = in->U8();
    out->push_back(static_cast<char>(opcode));
    switch (opcode) {
      case kDebugEnd:
        return;
      case kDebugAdvancePc:
      case kDebugEndLocal:
      case kDebugRestartLocal:
        PutUleb(in->Uleb(), out);
        break;
      case kDebugAdvanceLine:
        PutSleb(in->Sleb(), out);
        break;
      case kDebugStartLocal:
      case kDebugStartLocalExtended:
        PutUleb(in->Uleb(), out);
        copy_index(remap.strings);
        copy_index(remap.types);
        if (opcode == kDebugStartLocalExtended) copy_index(remap.strings);
        break;
      case kDebugSetFile:
        copy_index(remap.strings);
        break;
      default:
        break;
    }
  }
}

}  // namespace marmoset::dex
