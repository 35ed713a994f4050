#include "apk/dex/debug_info.h"

#include "apk/dex/cursor.h"

namespace marmoset::dex {

Result<DebugInfo> ReadDebugInfo(const DexFile& dex, uint32_t offset) {
  const auto fail = [&](const char* what, uint64_t at) {
    return Fail(ErrorCode::kBadInput, "{}: debug information at {:#x}: {} before {:#x}", dex.name(), offset,
                what, at);
  };
  Cursor cursor(dex.data(), offset);
  DebugInfo info;
  info.first_line = cursor.Uleb();
  const uint32_t parameters = cursor.Uleb();
  if (cursor.failed() || parameters > cursor.left()) return fail("parameter names do not fit", cursor.at());
  const auto is_string = [&](uint32_t index) { return index == kNoIndex || index < dex.count(kStringIds); };
  const auto is_type = [&](uint32_t index) { return index == kNoIndex || index < dex.count(kTypeIds); };
  for (uint32_t i = 0; i < parameters; ++i) {
    info.parameter_names.push_back(cursor.UlebMinusOne());
    if (!is_string(info.parameter_names.back())) return fail("a name lies outside the strings", cursor.at());
  }
  DebugEvent now;
  now.line = info.first_line;
  for (;;) {
    const uint8_t opcode = cursor.U8();
    if (cursor.failed()) return fail("it has no end", cursor.at());
    if (opcode == kDebugEnd) return info;
    DebugEvent event;
    event.address = now.address;
    switch (opcode) {
      case kDebugAdvancePc:
        now.address += cursor.Uleb();
        continue;
      case kDebugAdvanceLine:
        now.line += static_cast<uint32_t>(cursor.Sleb());
        continue;
      case kDebugStartLocal:
      case kDebugStartLocalExtended:
        event.kind = DebugKind::kStartLocal;
        event.reg = cursor.Uleb();
        event.name = cursor.UlebMinusOne();
        event.type = cursor.UlebMinusOne();
        if (opcode == kDebugStartLocalExtended) event.signature = cursor.UlebMinusOne();
        break;
      case kDebugEndLocal:
      case kDebugRestartLocal:
        event.kind = opcode == kDebugEndLocal ? DebugKind::kEndLocal : DebugKind::kRestartLocal;
        event.reg = cursor.Uleb();
        break;
      case kDebugPrologueEnd:
        event.kind = DebugKind::kPrologueEnd;
        break;
      case kDebugEpilogueBegin:
        event.kind = DebugKind::kEpilogueBegin;
        break;
      case kDebugSetFile:
        event.kind = DebugKind::kSetFile;
        event.name = cursor.UlebMinusOne();
        break;
      default: {
        const int adjusted = opcode - kDebugFirstSpecial;
        now.line += static_cast<uint32_t>(kDebugLineBase + adjusted % kDebugLineRange);
        now.address += static_cast<uint32_t>(adjusted / kDebugLineRange);
        event.address = now.address;
        event.line = now.line;
      }
    }
    if (!is_string(event.name) || !is_string(event.signature) || !is_type(event.type))
      return fail("an index lies outside its table", cursor.at());
    info.events.push_back(event);
  }
}

}  // namespace marmoset::dex
