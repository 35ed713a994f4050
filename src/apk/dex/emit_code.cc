// Code and debug information.
//
// A method that nobody changed keeps its units; when indices have shifted they are put right in place. Only
// if a string no longer fits its 16-bit operand is the method taken apart and put together again.

#include <algorithm>
#include <map>

#include "apk/dex/emitter.h"
#include "apk/zip_writer.h"

namespace marmoset::dex {
namespace {

using apk::PutU16;
using apk::PutU32;

}  // namespace

Status Emitter::WriteCode() {
  const uint32_t start = Begin(1);
  const uint32_t base_classes = w_.BaseCount(kClassDefs);
  classes_.resize(base_classes + w_.classes_.size());
  std::optional<WorkLimit> limit;
  if (base_ != nullptr) limit_ = &limit.emplace(*base_);
  for (uint32_t i = 0; i < base_classes; ++i) {
    const ClassDef def = base_->Class(i);
    MARMOSET_ASSIGN(const ClassData data, base_->ReadClassData(def));
    ClassOut& one = classes_[i];
    one.has_data = def.class_data_off != 0;
    for (auto [from, to] : {std::pair(&data.static_fields, &one.static_fields),
                            std::pair(&data.instance_fields, &one.instance_fields)}) {
      for (const FieldMember& field : *from) to->emplace_back(remap_.fields[field.field], field.access);
    }
    for (auto [from, to] : {std::pair(&data.direct_methods, &one.direct_methods),
                            std::pair(&data.virtual_methods, &one.virtual_methods)}) {
      for (const MethodMember& method : *from) {
        MethodOut written{remap_.methods[method.method], method.access, kNoIndex};
        if (method.code_off != 0) {
          MARMOSET_ASSIGN(const CodeView view, base_->ReadCode(method.code_off));
          std::optional<Code> code = edit_ ? edit_(method, view) : std::nullopt;
          Result<uint32_t> at = WriteMethodCode(code ? &*code : nullptr, &view);
          if (!at) return Fail(std::move(at.error()).Within(base_->MethodText(method.method)));
          written.code_off = *at;
        }
        to->push_back(written);
      }
    }
  }
  for (size_t i = 0; i < w_.classes_.size(); ++i) {
    const NewClass& added = w_.classes_[i];
    ClassOut& one = classes_[base_classes + i];
    one.has_data = true;
    for (const NewField& field : added.static_fields)
      one.static_fields.emplace_back(remap_.fields[field.field], field.access);
    for (auto [from, to] : {std::pair(&added.direct_methods, &one.direct_methods),
                            std::pair(&added.virtual_methods, &one.virtual_methods)}) {
      for (const NewMethod& method : *from) {
        MethodOut written{remap_.methods[method.method], method.access, kNoIndex};
        if (method.code) {
          MARMOSET_ASSIGN(written.code_off, WriteMethodCode(&*method.code, nullptr));
        }
        to->push_back(written);
      }
    }
  }
  End(kMapDebugInfo, debug_count_, start);
  return {};
}

// Puts the indices of an unchanged method right. Sets `needs_jumbo` when one does not fit.
Status Emitter::PatchUnits(const CodeView& view, std::vector<uint16_t>* units, bool* needs_jumbo) const {
  if (const Result<uint32_t> checked = base_->CheckCode(view); !checked) return Fail(checked.error());
  const Units& in = view.units;
  for (uint32_t at = 0; at < in.size();) {
    if (IsPayload(in[at])) {
      at += static_cast<uint32_t>(PayloadUnits(in, at));
      continue;
    }
    Instruction instruction;
    const uint32_t size = Decode(in, at, &instruction);
    const OpcodeInfo& info = instruction.info();
    if (info.index != IndexKind::kNone) {
      const uint32_t index = remap_.Of(info.index, instruction.index);
      (*units)[at + 1] = static_cast<uint16_t>(index);
      if (info.format == Format::k31c)
        (*units)[at + 2] = static_cast<uint16_t>(index >> 16);
      else if (index > 0xffff)
        *needs_jumbo = true;
      if (info.index == IndexKind::kMethodAndProto)
        (*units)[at + 3] = static_cast<uint16_t>(remap_.protos[instruction.proto]);
    }
    at += size;
  }
  return {};
}

void Emitter::RemapCode(Code* code) const {
  for (CodeInstruction& one : code->instructions) {
    const IndexKind kind = one.op.info().index;
    if (kind == IndexKind::kNone) continue;
    one.op.index = remap_.Of(kind, one.op.index);
    if (kind == IndexKind::kMethodAndProto) one.op.proto = remap_.protos[one.op.proto];
  }
}

Result<uint32_t> Emitter::WriteMethodCode(const Code* changed, const CodeView* view) {
  std::vector<uint16_t> units;
  std::vector<TryRange> tries;
  uint32_t debug_off = 0;
  uint16_t registers = 0, ins = 0, outs = 0;
  std::optional<Code> own;
  if (changed == nullptr) {
    units.resize(view->units.size());
    for (size_t i = 0; i < units.size(); ++i) units[i] = view->units[i];
    MARMOSET_ASSIGN(tries, base_->ReadTries(*view));
    MARMOSET_TRY(limit_->Spend(HandlerCount(tries)));
    bool needs_jumbo = false;
    if (!identity_) MARMOSET_TRY(PatchUnits(*view, &units, &needs_jumbo));
    if (needs_jumbo) {
      MARMOSET_ASSIGN(own, ParseCode(*base_, *view));
    } else {
      registers = view->registers;
      ins = view->ins;
      outs = view->outs;
      if (view->debug_info_off != 0) {
        MARMOSET_ASSIGN(debug_off, CopyDebug(view->debug_info_off));
      }
    }
  } else {
    own = *changed;
  }
  if (own) {
    RemapCode(&*own);
    MARMOSET_ASSIGN(EncodedCode encoded, EncodeCode(*own));
    registers = own->registers;
    ins = own->ins;
    outs = own->outs;
    units = std::move(encoded.units);
    tries = std::move(encoded.tries);
    if (encoded.debug) debug_off = WriteDebugInfo(*encoded.debug);
  }
  if (tries.size() > 0xffff) return Fail(ErrorCode::kUnsupported, "more than 65535 try ranges");
  if (Overgrown())
    return Fail(ErrorCode::kUnsupported, "the methods so far share more code than the file could hold");
  Align(4, &code_);
  const uint32_t at = static_cast<uint32_t>(code_.size());
  ++code_count_;
  PutU16(registers, &code_);
  PutU16(ins, &code_);
  PutU16(outs, &code_);
  PutU16(static_cast<uint16_t>(tries.size()), &code_);
  PutU32(debug_off, &code_);
  PutU32(static_cast<uint32_t>(units.size()), &code_);
  code_.append(reinterpret_cast<const char*>(units.data()), 2 * units.size());
  if (!tries.empty()) {
    if (units.size() % 2 != 0) PutU16(0, &code_);
    const size_t before = code_.size();
    PutTries(tries);
    if (code_.size() - before > 8 * tries.size() + 0xffff)
      return Fail(ErrorCode::kUnsupported, "its lists of handlers are longer than 65535 bytes");
  }
  return at;
}

void Emitter::PutTries(const std::vector<TryRange>& tries) {
  // Equal lists of handlers are written once; offsets count from the list of lists.
  std::map<std::vector<std::pair<uint32_t, uint32_t>>, uint32_t> seen;
  std::vector<const TryRange*> lists;
  std::vector<uint32_t> list_of;
  for (const TryRange& range : tries) {
    std::vector<std::pair<uint32_t, uint32_t>> key;
    for (const CatchHandler& handler : range.handlers) key.emplace_back(handler.type, handler.target);
    const auto [it, is_new] = seen.emplace(std::move(key), static_cast<uint32_t>(lists.size()));
    if (is_new) lists.push_back(&range);
    list_of.push_back(it->second);
  }
  std::string text;
  std::vector<uint32_t> offsets;
  PutUleb(static_cast<uint32_t>(lists.size()), &text);
  for (const TryRange* range : lists) {
    offsets.push_back(static_cast<uint32_t>(text.size()));
    const bool catch_all = !range->handlers.empty() && range->handlers.back().type == kNoIndex;
    const int32_t typed = static_cast<int32_t>(range->handlers.size()) - (catch_all ? 1 : 0);
    PutSleb(catch_all ? -typed : typed, &text);
    for (const CatchHandler& handler : range->handlers) {
      if (handler.type != kNoIndex) PutUleb(remap_.types[handler.type], &text);
      PutUleb(handler.target, &text);
    }
  }
  for (size_t i = 0; i < tries.size(); ++i) {
    PutU32(tries[i].start, &code_);
    PutU16(static_cast<uint16_t>(tries[i].end - tries[i].start), &code_);
    PutU16(static_cast<uint16_t>(offsets[list_of[i]]), &code_);
  }
  code_ += text;
}

Result<uint32_t> Emitter::CopyDebug(uint32_t offset) {
  const auto [it, is_new] = debug_infos_.emplace(offset, Here());
  if (!is_new) return it->second;
  ++debug_count_;
  Cursor in(base_->data(), offset);
  CopyDebugInfo(remap_, &in, &out_);
  if (in.failed())
    return Fail(ErrorCode::kBadInput, "{}: debug information at {:#x} is malformed", base_->name(), offset);
  return it->second;
}

uint32_t Emitter::WriteDebugInfo(const DebugInfo& debug) {
  const uint32_t at = Here();
  ++debug_count_;
  const auto put_string = [this](uint32_t index) { PutUleb(remap_.String(index) + 1, &out_); };
  PutUleb(debug.first_line, &out_);
  PutUleb(static_cast<uint32_t>(debug.parameter_names.size()), &out_);
  for (const uint32_t name : debug.parameter_names) put_string(name);
  uint32_t address = 0;
  uint32_t line = debug.first_line;
  const auto op = [this](uint8_t opcode) { out_.push_back(static_cast<char>(opcode)); };
  for (const DebugEvent& event : debug.events) {
    uint32_t advance = event.address - address;
    address = event.address;
    if (event.kind == DebugKind::kLine) {
      int64_t delta = int64_t{event.line} - int64_t{line};
      line = event.line;
      if (delta < kDebugLineBase || delta >= kDebugLineBase + kDebugLineRange) {
        op(kDebugAdvanceLine);
        PutSleb(static_cast<int32_t>(delta), &out_);
        delta = 0;
      }
      const auto special = [&](uint32_t by) {
        return kDebugFirstSpecial + static_cast<int64_t>(by) * kDebugLineRange + (delta - kDebugLineBase);
      };
      if (advance > 255 || special(advance) > 255) {
        op(kDebugAdvancePc);
        PutUleb(advance, &out_);
        advance = 0;
      }
      op(static_cast<uint8_t>(special(advance)));
      continue;
    }
    if (advance > 0) {
      op(kDebugAdvancePc);
      PutUleb(advance, &out_);
    }
    switch (event.kind) {
      case DebugKind::kLine:
        break;
      case DebugKind::kStartLocal:
        op(event.signature == kNoIndex ? kDebugStartLocal : kDebugStartLocalExtended);
        PutUleb(event.reg, &out_);
        put_string(event.name);
        PutUleb(remap_.Type(event.type) + 1, &out_);
        if (event.signature != kNoIndex) put_string(event.signature);
        break;
      case DebugKind::kEndLocal:
      case DebugKind::kRestartLocal:
        op(event.kind == DebugKind::kEndLocal ? kDebugEndLocal : kDebugRestartLocal);
        PutUleb(event.reg, &out_);
        break;
      case DebugKind::kPrologueEnd:
        op(kDebugPrologueEnd);
        break;
      case DebugKind::kEpilogueBegin:
        op(kDebugEpilogueBegin);
        break;
      case DebugKind::kSetFile:
        op(kDebugSetFile);
        put_string(event.name);
        break;
    }
  }
  op(kDebugEnd);
  return at;
}

}  // namespace marmoset::dex
