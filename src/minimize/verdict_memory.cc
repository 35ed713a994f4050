#include "minimize/verdict_memory.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/hash.h"
#include "gui/codec.h"

namespace marmoset {
namespace {

constexpr int kFormat = 1;
// Far above the longest trace anyone records; keeps a damaged file from asking for all memory.
constexpr uint32_t kMaxIndex = 10'000'000;

Json HeaderOf(uint64_t question) { return {{"marmoset_candidates", kFormat}, {"question", Hex64(question)}}; }

std::optional<uint32_t> ParseIndex(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMaxIndex) return std::nullopt;
  return value;
}

}  // namespace

std::string ToRanges(const Kept& kept) {
  std::string text;
  for (size_t i = 0; i < kept.size();) {
    size_t j = i;
    while (j + 1 < kept.size() && kept[j + 1] == kept[j] + 1) ++j;
    if (!text.empty()) text += ',';
    text += std::to_string(kept[i]);
    if (j > i) text += '-' + std::to_string(kept[j]);
    i = j + 1;
  }
  return text;
}

Result<Kept> ParseRanges(std::string_view text) {
  Kept kept;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t dash = part.find('-');
    const auto from = ParseIndex(part.substr(0, dash));
    const auto to = dash == std::string_view::npos ? from : ParseIndex(part.substr(dash + 1));
    if (!from || !to || *to < *from || (!kept.empty() && *from <= kept.back()))
      return Fail(ErrorCode::kBadInput, "'{}': ascending ranges such as 0-3,7 expected", part);
    for (uint32_t i = *from; i <= *to; ++i) kept.push_back(i);
  }
  return kept;
}

Result<VerdictMemory> VerdictMemory::Open(const fs::path& file, uint64_t question) {
  VerdictMemory memory;
  memory.path_ = file;
  std::string kept_text;
  if (fs::exists(file)) {
    MARMOSET_ASSIGN(const std::string text, ReadFile(file));
    size_t line_number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      if (end == std::string::npos) break;  // Cut off while it was written.
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      ++line_number;
      MARMOSET_ASSIGN(const Json json, ParseJson(line));
      if (line_number == 1) {
        if (json != HeaderOf(question))
          return Fail(
              ErrorCode::kBadInput,
              "{}: its replays are of another trace, target or seed: choose another folder with --out, or "
              "delete it",
              file.string());
      } else {
        MARMOSET_ASSIGN(const std::string ranges, StringAt(json, "kept"));
        MARMOSET_ASSIGN(Kept kept, ParseRanges(ranges));
        MARMOSET_ASSIGN(const bool reached, BoolAt(json, "reached"));
        EndsIn ends_in;
        if (json.contains("ends_in")) {
          MARMOSET_ASSIGN(ends_in, StringAt(json, "ends_in"));
        }
        memory.Count(kept, reached, json.value("steps", size_t{0}), ends_in);
      }
      kept_text += line + '\n';
    }
  }
  if (kept_text.empty()) kept_text = HeaderOf(question).dump() + '\n';
  MARMOSET_TRY(WriteFile(file, kept_text));
  memory.file_.reset(std::fopen(file.c_str(), "a"));
  if (!memory.file_) return Fail(ErrorCode::kIo, "{}: {}", file.string(), std::strerror(errno));
  return memory;
}

VerdictMemory::Remembered VerdictMemory::Find(const Kept& kept, const EndsIn& ends_in) const {
  const auto it = remembered_.find({ends_in, kept});
  return it == remembered_.end() ? Remembered() : it->second;
}

void VerdictMemory::Count(const Kept& kept, bool reached, size_t steps, const EndsIn& ends_in) {
  Remembered& known = remembered_[{ends_in, kept}];
  ++(reached ? known.counts.reached : known.counts.missed);
  if (reached) known.most_steps = std::max(known.most_steps, steps);
}

Status VerdictMemory::Add(const Kept& kept, Verdict verdict, size_t steps, const EndsIn& ends_in) {
  if (verdict == Verdict::kUnresolved) return {};
  const bool reached = verdict == Verdict::kReached;
  Count(kept, reached, steps, ends_in);
  Json json = {{"kept", ToRanges(kept)}, {"reached", reached}, {"steps", steps}};
  if (ends_in) json["ends_in"] = *ends_in;
  const std::string line = json.dump() + '\n';
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0)
    return Fail(ErrorCode::kIo, "{}: cannot be written: {}", path_.string(), std::strerror(errno));
  return {};
}

}  // namespace marmoset
