// Lays out and writes the sections of a DEX file. Used by the writer alone.

#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "apk/dex/remap.h"
#include "apk/dex/writer.h"
#include "base/error.h"

namespace marmoset::dex {

class Emitter {
 public:
  Emitter(const Writer& writer, const Writer::Edit& edit) : w_(writer), base_(writer.base_), edit_(edit) {}
  Result<std::string> Run();

 private:
  // Where an item of the base has gone, by its old offset.
  using Moved = std::unordered_map<uint32_t, uint32_t>;

  struct MapItem {
    uint16_t type;
    uint32_t count;
    uint32_t offset;
  };

  // A method of the output, in order of class_defs.
  struct MethodOut {
    uint32_t method;  // New index.
    uint32_t access;
    uint32_t code_off;  // From the start of the code section; kNoIndex for none.
  };
  struct ClassOut {
    std::vector<std::pair<uint32_t, uint32_t>> static_fields, instance_fields;  // New index, access.
    std::vector<MethodOut> direct_methods, virtual_methods;
    bool has_data = false;
  };

  Status SortPools();
  Status ReserveIds();
  void WriteStrings();
  Status WriteTypeLists();
  Status WriteEncodedArrays();
  Status WriteAnnotations();
  Status WriteCode();
  Result<uint32_t> WriteMethodCode(const Code* changed, const CodeView* view);
  uint32_t WriteDebugInfo(const DebugInfo& debug);
  Result<uint32_t> CopyDebug(uint32_t offset);
  Status PatchUnits(const CodeView& view, std::vector<uint16_t>* units, bool* needs_jumbo) const;
  void RemapCode(Code* code) const;
  void PutTries(const std::vector<TryRange>& tries);
  void WriteClassData();
  Status WriteHiddenApi();
  void WriteIds();
  void WriteMapAndHeader();

  // Items of the base that overlap are written once for each, which a hostile file could do without end.
  bool Overgrown() const;
  uint32_t Begin(uint32_t alignment);
  void End(uint16_t type, uint32_t count, uint32_t offset);
  uint32_t Here() const { return static_cast<uint32_t>(out_.size()); }
  void Align(uint32_t alignment, std::string* out) const;
  void Set32(uint32_t offset, uint32_t value);

  const Writer& w_;
  const DexFile* base_;
  const Writer::Edit& edit_;
  Remap remap_;
  bool identity_ = false;
  std::vector<uint32_t> string_order_, type_order_, proto_order_, field_order_, method_order_;
  std::string out_;
  std::vector<MapItem> map_;
  uint32_t ids_at_[kIdSections] = {};
  uint32_t call_sites_at_ = 0;
  uint32_t method_handles_at_ = 0;
  uint32_t data_at_ = 0;
  std::vector<uint32_t> string_offsets_;
  std::map<std::vector<uint16_t>, uint32_t> type_lists_;  // By new types.
  Moved arrays_, annotation_directories_, debug_infos_;
  WorkLimit* limit_ = nullptr;  // Null without a base.
  std::string code_;
  uint32_t code_count_ = 0;
  uint32_t debug_count_ = 0;
  std::vector<ClassOut> classes_;
  std::vector<uint32_t> class_data_offsets_;
};

}  // namespace marmoset::dex
