// Annotations: directories of sets, sets of items, items of values. Written from the leaves up.

#include "apk/dex/emitter.h"
#include "apk/zip_writer.h"

namespace marmoset::dex {
namespace {

using apk::PutU32;

// The parts of a directory: per list, (member, offset of what it has).
struct Directory {
  uint32_t offset = 0;
  uint32_t class_set = 0;
  std::vector<std::pair<uint32_t, uint32_t>> fields, methods, parameters;
};

constexpr uint32_t kMaxList = 1 << 20;

// A u32 count and that many entries of `stride` bytes; empty when it does not fit.
uint32_t CountAt(const apk::Bytes& bytes, uint32_t offset, uint32_t stride, bool* failed) {
  const uint32_t count = bytes.U32(offset);
  if (bytes.Has(offset, 4 + uint64_t{count} * stride) && count <= kMaxList) return count;
  *failed = true;
  return 0;
}

}  // namespace

Status Emitter::WriteAnnotations() {
  if (base_ == nullptr) return {};
  const apk::Bytes& bytes = base_->data();
  bool failed = false;
  std::vector<Directory> directories;
  std::vector<uint32_t> sets, set_lists, items;
  Moved set_at, list_at, item_at;
  // Each list is kept once, in the order in which it is met; offset 0 means none.
  const auto note = [](uint32_t offset, Moved* seen, std::vector<uint32_t>* order) {
    if (offset != 0 && seen->emplace(offset, 0).second) order->push_back(offset);
  };
  for (uint32_t i = 0; i < base_->count(kClassDefs); ++i) {
    const uint32_t offset = base_->Class(i).annotations_off;
    if (offset == 0 || !annotation_directories_.emplace(offset, 0).second) continue;
    Directory directory;
    directory.offset = offset;
    directory.class_set = bytes.U32(offset);
    const uint32_t fields = bytes.U32(offset + uint64_t{4});
    const uint32_t methods = bytes.U32(offset + uint64_t{8});
    const uint32_t parameters = bytes.U32(offset + uint64_t{12});
    if (!bytes.Has(offset, 16 + 8 * (uint64_t{fields} + methods + parameters))) {
      return Fail(ErrorCode::kBadInput, "{}: annotations at {:#x} end behind the file", base_->name(),
                  offset);
    }
    uint64_t at = offset + uint64_t{16};
    for (auto [list, count] : {std::pair(&directory.fields, fields), std::pair(&directory.methods, methods),
                               std::pair(&directory.parameters, parameters)}) {
      for (uint32_t k = 0; k < count; ++k, at += 8) list->emplace_back(bytes.U32(at), bytes.U32(at + 4));
    }
    note(directory.class_set, &set_at, &sets);
    for (const auto* list : {&directory.fields, &directory.methods}) {
      for (const auto& [member, set] : *list) note(set, &set_at, &sets);
    }
    for (const auto& [member, set_list] : directory.parameters) note(set_list, &list_at, &set_lists);
    directories.push_back(std::move(directory));
  }
  for (const uint32_t offset : set_lists) {
    const uint32_t count = CountAt(bytes, offset, 4, &failed);
    for (uint32_t k = 0; k < count; ++k) note(bytes.U32(offset + 4 + uint64_t{4} * k), &set_at, &sets);
  }
  for (const uint32_t offset : sets) {
    const uint32_t count = CountAt(bytes, offset, 4, &failed);
    for (uint32_t k = 0; k < count; ++k) note(bytes.U32(offset + 4 + uint64_t{4} * k), &item_at, &items);
  }

  const uint32_t items_start = Begin(1);
  for (const uint32_t offset : items) {
    item_at[offset] = Here();
    Cursor in(bytes, offset);
    out_.push_back(static_cast<char>(in.U8()));  // The visibility.
    CopyAnnotation(remap_, &in, &out_);
    failed |= in.failed() || Overgrown();
    if (failed) break;
  }
  End(kMapAnnotation, static_cast<uint32_t>(items.size()), items_start);

  const auto write_lists = [&](uint16_t type, const std::vector<uint32_t>& lists, const Moved& targets,
                               Moved* moved) {
    if (lists.empty()) return;
    const uint32_t start = Begin(4);
    for (const uint32_t offset : lists) {
      failed |= Overgrown();
      if (failed) break;
      (*moved)[offset] = Here();
      const uint32_t count = CountAt(bytes, offset, 4, &failed);
      PutU32(count, &out_);
      for (uint32_t k = 0; k < count; ++k) {
        const auto it = targets.find(bytes.U32(offset + 4 + uint64_t{4} * k));
        PutU32(it == targets.end() ? 0 : it->second, &out_);
      }
    }
    End(type, static_cast<uint32_t>(lists.size()), start);
  };
  write_lists(kMapAnnotationSet, sets, item_at, &set_at);
  write_lists(kMapAnnotationSetRefList, set_lists, set_at, &list_at);

  const uint32_t start = directories.empty() ? Here() : Begin(4);
  const auto put = [&](const std::vector<std::pair<uint32_t, uint32_t>>& list,
                       const std::vector<uint32_t>& members, const Moved& targets) {
    for (const auto& [member, offset] : list) {
      failed |= Overgrown();
      if (failed) break;
      failed |= member >= members.size();
      PutU32(member < members.size() ? members[member] : 0, &out_);
      const auto it = targets.find(offset);
      PutU32(it == targets.end() ? 0 : it->second, &out_);
    }
  };
  for (const Directory& directory : directories) {
    annotation_directories_[directory.offset] = Here();
    const auto class_set = set_at.find(directory.class_set);
    PutU32(class_set == set_at.end() ? 0 : class_set->second, &out_);
    PutU32(static_cast<uint32_t>(directory.fields.size()), &out_);
    PutU32(static_cast<uint32_t>(directory.methods.size()), &out_);
    PutU32(static_cast<uint32_t>(directory.parameters.size()), &out_);
    put(directory.fields, remap_.fields, set_at);
    put(directory.methods, remap_.methods, set_at);
    put(directory.parameters, remap_.methods, list_at);
  }
  End(kMapAnnotationsDirectory, static_cast<uint32_t>(directories.size()), start);
  if (failed) return Fail(ErrorCode::kBadInput, "{}: its annotations are malformed", base_->name());
  return {};
}

}  // namespace marmoset::dex
