// The table of a solved process: look-up, and the bytes that it is stored as.
//
// The bytes: "MDP1"; then as variable-length numbers (7 bits a byte, lowest first) devices, runs, needed,
// candidates; the expected steps for 1 … n candidates as 8-byte floating point, lowest byte first; the number
// of entries; and for each entry the difference of its state from the one before, and its schedule.

#include <algorithm>
#include <bit>

#include "schedule/mdp.h"

namespace marmoset {
namespace {

constexpr std::string_view kMagic = "MDP1";
constexpr size_t kMaxInState = 6;

void Put(uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  size_t offset() const { return offset_; }

  Result<uint64_t> Number(uint64_t most) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (offset_ == bytes_.size()) return Bad("cut off");
      const auto byte = static_cast<unsigned char>(bytes_[offset_++]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) {
        if (value > most) return Bad("number too large");
        return value;
      }
    }
    return Bad("number too long");
  }

  Result<double> Float() {
    if (bytes_.size() - offset_ < 8) return Bad("cut off");
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 8; ++i)
      bits |= uint64_t{static_cast<unsigned char>(bytes_[offset_++])} << (8 * i);
    return std::bit_cast<double>(bits);
  }

  tl::unexpected<Error> Bad(std::string_view what) const {
    return Fail(ErrorCode::kBadInput, "policy table: offset {}: {}", offset_, what);
  }

 private:
  std::string_view bytes_;
  size_t offset_ = kMagic.size();
};

// Whether these are a state under the rule and a schedule for it, so that a damaged table cannot mislead a
// policy into replays that the rule does not allow.
bool Possible(FixedRule rule, uint32_t devices, uint64_t state, uint64_t schedule) {
  const uint32_t misses = rule.allowed_misses() + 1;
  uint64_t lowest = 1, left = 0, replays = 0;
  for (; state != 0; state >>= 8, schedule >>= 8) {
    const uint64_t candidate = state & 0xff, mine = schedule & 0xff;
    if (candidate < lowest || candidate > uint64_t{rule.needed} * misses) return false;
    const uint64_t may = rule.runs - (candidate - 1) / misses - (candidate - 1) % misses;
    if (mine > may) return false;
    lowest = candidate;
    left += may;
    replays += mine;
  }
  return schedule == 0 && replays == std::min<uint64_t>(left, devices);
}

}  // namespace

std::optional<Schedule> Mdp::Best(std::span<const Counts> candidates, uint32_t devices) const {
  if (devices != devices_) return std::nullopt;
  const uint32_t misses = rule_.allowed_misses() + 1;
  std::vector<std::pair<uint8_t, size_t>> in;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].missed >= misses) continue;
    if (candidates[i].reached >= rule_.needed || in.size() == kMaxInState) return std::nullopt;
    in.emplace_back(static_cast<uint8_t>(candidates[i].reached * misses + candidates[i].missed), i);
  }
  std::sort(in.begin(), in.end());
  uint64_t state = 0;
  for (size_t i = 0; i < in.size(); ++i) state |= (uint64_t{in[i].first} + 1) << (8 * i);
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), state,
                                      [](const Entry& entry, uint64_t key) { return entry.state < key; });
  if (found == entries_.end() || found->state != state) return std::nullopt;
  Schedule schedule(candidates.size());
  for (size_t i = 0; i < in.size(); ++i) schedule[in[i].second] = found->schedule >> (8 * i) & 0xff;
  return schedule;
}

std::string Mdp::Save() const {
  std::string bytes(kMagic);
  for (const uint64_t value : {devices_, rule_.runs, rule_.needed, candidates()}) Put(value, &bytes);
  for (uint32_t n = 1; n <= candidates(); ++n) {
    const auto bits = std::bit_cast<uint64_t>(expected_[n]);
    for (uint32_t i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i)));
  }
  Put(entries_.size(), &bytes);
  uint64_t previous = 0;
  for (const Entry& entry : entries_) {
    Put(entry.state - previous, &bytes);
    Put(entry.schedule, &bytes);
    previous = entry.state;
  }
  return bytes;
}

Result<Mdp> Mdp::Load(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return Fail(ErrorCode::kBadInput, "policy table: offset 0: not a policy table");
  Reader reader(bytes);
  Mdp mdp;
  MARMOSET_ASSIGN(const uint64_t devices, reader.Number(255));
  MARMOSET_ASSIGN(const uint64_t runs, reader.Number(63));
  MARMOSET_ASSIGN(const uint64_t needed, reader.Number(runs));
  MARMOSET_ASSIGN(const uint64_t candidates, reader.Number(kMaxInState));
  if (devices == 0 || needed == 0 || candidates == 0 || needed * (runs - needed + 1) > 255)
    return reader.Bad("impossible parameters");
  mdp.devices_ = static_cast<uint32_t>(devices);
  mdp.rule_ = {static_cast<uint32_t>(runs), static_cast<uint32_t>(needed)};
  mdp.expected_.push_back(0);
  for (uint64_t n = 1; n <= candidates; ++n) {
    MARMOSET_ASSIGN(const double expected, reader.Float());
    mdp.expected_.push_back(expected);
  }
  MARMOSET_ASSIGN(const uint64_t entries, reader.Number(bytes.size()));
  uint64_t state = 0;
  for (uint64_t i = 0; i < entries; ++i) {
    MARMOSET_ASSIGN(const uint64_t step, reader.Number(UINT64_MAX >> 8));
    MARMOSET_ASSIGN(const uint64_t schedule, reader.Number(UINT64_MAX));
    if (step == 0 || step > (UINT64_MAX >> 16) - state) return reader.Bad("states out of order");
    state += step;
    if (!Possible(mdp.rule_, mdp.devices_, state, schedule))
      return reader.Bad("an impossible state or schedule");
    mdp.entries_.push_back({state, schedule});
  }
  if (reader.offset() != bytes.size()) return reader.Bad("trailing bytes");
  mdp.statistics_.stored = mdp.entries_.size();
  return mdp;
}

}  // namespace marmoset
