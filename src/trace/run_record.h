// The run record: a folder that holds everything an exploration saw, committed step by step.
//
//   run.sqlite     meta, steps, screens (by content hash, zstd-compressed JSON), crashes, host gaps, methods
//   screenshots/   PNGs, named by the caller
//   crashes/       N.trace.jsonl, named by the caller
//
// Each Append is one transaction, so that a killed process loses at most the step in flight. Layout and
// schema: docs/formats/run_record.md.
//
// One thread at a time, and one process that writes; others may read meanwhile. Every function gives kIo with
// the file and the remedy when the file system refuses (a full disk: what was committed before is kept, and
// the record stays usable), kBadInput where the content is damaged.
//
// An exploration consists of episodes: from one clean start of the app to the next. The steps of one episode
// are a trace by themselves.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/crash.h"
#include "gui/method.h"
#include "gui/screen.h"
#include "trace/trace.h"

namespace marmoset {

// The version of the layout that this program writes; newer ones are refused, with the remedy to update.
inline constexpr int kRunRecordFormat = 2;

// A distinct crash: all with the same signature are one.
struct CrashEntry {
  int64_t id = 0;  // 1, 2, … in the order of first sight.
  CrashSignature signature;
  Crash crash;             // As first seen.
  int64_t first_step = 0;  // Number of the step that led to it first.
  int64_t count = 0;
  std::string trace_file;       // Relative to the folder; empty until it is set.
  std::string screenshot_file;  // Likewise.
};

struct HostGapEntry {
  std::string where;
  std::string stack;  // As first seen.
  int64_t count = 0;
};

// One step as the explorer commits it.
struct StepRecord {
  int64_t episode = 0;  // 1, 2, …
  Step step;
  // What the explorer needs to go on after this step (random state, counters): opaque here. Only the last
  // step's is kept.
  std::string state_after;
  std::optional<Crash> crash;                                   // What it led to.
  std::optional<std::pair<std::string, std::string>> host_gap;  // where, stack
  std::vector<std::string> activities;  // Of the app, seen in front or started during the step.
  int64_t event = 0;                    // How many events there were, this step included.
  std::vector<AppMethod> entered;       // Methods that the run entered for the first time.

  friend bool operator==(const StepRecord&, const StepRecord&) = default;
};

// A method that the run entered.
struct CoveredMethod {
  AppMethod method;
  int64_t first_step = 0;
  int64_t first_event = 0;
};

// Where a run keeps its picture of screens of this one's shape, relative to the folder.
fs::path PictureOf(const Screen& screen);

class RunRecord {
 public:
  // Makes the folder and an empty record in it. kBadInput when there already is one (the remedy: --resume or
  // another folder); kIo when the folder cannot be written.
  static Result<RunRecord> Create(const fs::path& folder);

  // Opens an existing record to read it or go on. kNotFound; kBadInput when it is not one or damaged;
  // kUnsupported when it is from a newer version.
  static Result<RunRecord> Open(const fs::path& folder);

  ~RunRecord();
  RunRecord(RunRecord&&) noexcept;
  RunRecord& operator=(RunRecord&&) noexcept;

  // Removes the record of a run that never began, with what Create made for it, so that it does not stand in
  // the way of the next one. Only destruction is allowed afterwards. Does nothing where a step is recorded.
  void Discard();

  const fs::path& folder() const;

  // Free key-value facts (options, header, versions).
  Status SetMeta(const std::string& key, const std::string& value);
  Result<std::optional<std::string>> Meta(const std::string& key) const;

  // Commits one step with the screen after it (stored once per content hash). Gives its number (1, 2, …) and,
  // when it led to a crash, the entry after counting it (count == 1: a new one).
  struct Appended {
    int64_t number = 0;
    std::optional<CrashEntry> crash;
  };
  Result<Appended> Append(const StepRecord& record, const Screen& after);

  // Sets the files of a crash entry.
  Status SetCrashFiles(int64_t id, const std::string& trace_file, const std::string& screenshot_file);

  Result<int64_t> StepCount() const;
  Result<std::optional<StepRecord>> LastStep() const;             // The step, its episode and state only.
  Result<int64_t> LastEpisode() const;                            // 0: none. Not always the last step's.
  Result<std::vector<Step>> EpisodeSteps(int64_t episode) const;  // In order.
  Result<std::vector<CrashEntry>> Crashes() const;                // By id.
  Result<std::vector<HostGapEntry>> HostGaps() const;
  Result<std::vector<std::string>> Activities() const;  // Distinct names, sorted.
  Result<std::vector<CoveredMethod>> Covered() const;   // By first step, then by name.
  Result<std::optional<Screen>> ScreenByHash(uint64_t hash) const;

 private:
  struct Impl;
  explicit RunRecord(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace marmoset
