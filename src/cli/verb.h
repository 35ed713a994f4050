// What all verbs of the command line have in common: the shared flags, the result, and the exit codes.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/codec.h"

namespace marmoset::cli {

// docs/architecture.md and the man page list these; scripts rely on them.
enum ExitCode {
  kClean = 0,
  kFindings = 1,  // A crash, a replay that reached its target only sometimes, a difference.
  kUsage = 2,     // Bad flags, files or configuration.
  kNothingToRun = 3,
  kNotReproduced = 4,    // The target was not reached.
  kInfrastructure = 10,  // The device or something it needs is lost or missing.
  kCancelled = 19,
  kInternalError = 20,
};

ExitCode ExitCodeFor(const Error& error);

struct Shared {
  std::stop_source stop;
  bool json = false;
  bool exit_zero = false;
  int verbosity = 0;
};

struct VerbResult {
  ExitCode exit_code = kClean;
  Json json = Json::object();  // Printed with --json.
  std::string text;            // Printed without, ends with a line feed.
};

using VerbBody = std::function<Result<VerbResult>()>;

// Adds a verb to the program: its flags, help and examples. `run` is called with the body when the verb was
// chosen.
using RunVerb = std::function<void(VerbBody)>;
struct VerbEntry {
  void (*add)(CLI::App& root, Shared& shared, const RunVerb& run);
};

// All verbs, in the order in which help lists them.
const std::vector<VerbEntry>& Verbs();

// Adds a verb with a description and examples (one a line).
CLI::App* AddVerb(CLI::App& root, const std::string& name, const std::string& description,
                  const std::string& examples);

// Progress on standard error: on a terminal one line, drawn again at most ten times a second and erased at
// the end of its life; elsewhere a new line every half minute.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void Show(const std::string& text);

 private:
  void Erase();
  const bool enabled_;
  int64_t shown_at_ms_ = 0;
  bool shown_ = false;
};

// "[#####-----]", for progress lines.
std::string Bar(double fraction);

// The folder for a verb's results: `chosen`, or the first of marmoset-out/NAME, NAME-2, … that does not
// exist. Made if absent.
Result<fs::path> OutputFolder(const std::string& chosen, const std::string& name);

}  // namespace marmoset::cli
