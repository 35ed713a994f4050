// The replays of candidates, kept on disk so that an interrupted minimization asks nothing twice.
//
// candidates.jsonl in the output folder: a header line that names the question (trace, target, seeds), then
// one line per replay, appended as it ends. A cut-off last line is dropped.
//
// One thread at a time.

#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "reduce/oracle.h"
#include "schedule/prior.h"

namespace marmoset {

class VerdictMemory {
 public:
  // Opens or makes the file. `question` must be equal for equal questions; a file about another one is
  // kBadInput with the remedy.
  static Result<VerdictMemory> Open(const fs::path& file, uint64_t question);

  // `ends_in` is set for a local target: the activity that must be in front after the last step.
  using EndsIn = std::optional<std::string>;
  struct Remembered {
    Counts counts;
    size_t most_steps = 0;  // Of the replays that reached.
  };
  Remembered Find(const Kept& kept, const EndsIn& ends_in = {}) const;

  // Remembers and appends a replay that did `steps` steps. Unresolved ones are not remembered: they may be
  // asked again.
  Status Add(const Kept& kept, Verdict verdict, size_t steps, const EndsIn& ends_in = {});

  size_t size() const { return remembered_.size(); }

 private:
  struct CloseFile {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  fs::path path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  void Count(const Kept& kept, bool reached, size_t steps, const EndsIn& ends_in);

  std::map<std::pair<EndsIn, Kept>, Remembered> remembered_;
};

// "0-3,7": ascending indices as ranges, and back (kBadInput).
std::string ToRanges(const Kept& kept);
Result<Kept> ParseRanges(std::string_view text);

}  // namespace marmoset
