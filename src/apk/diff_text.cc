// The diff as a report, as JSON, and as two columns.

#include <algorithm>
#include <optional>

#include "apk/dex/listing.h"
#include "apk/diff.h"
#include "apk/utf.h"

namespace marmoset::apk {
namespace {

// Beyond this many lines of a method the quadratic alignment would take long; the columns are then not
// aligned.
constexpr size_t kMaxAligned = 4000;

std::string Name(const MethodChange& m) { return m.class_name + "." + m.name + m.descriptor; }

void Methods(std::string_view title, char sign, const std::vector<MethodChange>& list, size_t limit,
             std::string* out) {
  if (list.empty()) return;
  const auto app = std::count_if(list.begin(), list.end(), [](const MethodChange& m) { return m.app; });
  *out += fmt::format("\n{} ({}, {} of them in the app's own packages)\n", title, list.size(), app);
  size_t shown = 0;
  // The app's own first: they are what a tester asks for.
  for (const bool own : {true, false}) {
    for (const MethodChange& m : list) {
      if (m.app != own) continue;
      if (limit != 0 && shown++ == limit) {
        *out += fmt::format("  … {} more\n", list.size() - limit);
        return;
      }
      *out += fmt::format("  {} {}", sign, Name(m));
      if (!m.old_name.empty())
        *out += fmt::format("  {} from {}.{}", m.reason, m.old_class_name, m.old_name);
      else if (!m.reason.empty())
        *out += fmt::format("  {} ({} → {} instructions)", m.reason, m.old_instructions, m.new_instructions);
      if (!m.noise.empty()) *out += fmt::format("  [compiler: {}]", m.noise);
      *out += '\n';
    }
  }
}

void Things(std::string_view title, const std::vector<NamedChange>& list, size_t limit, std::string* out) {
  if (list.empty()) return;
  *out += fmt::format("\n{} ({})\n", title, list.size());
  size_t shown = 0;
  for (const NamedChange& one : list) {
    if (limit != 0 && shown++ == limit) {
      *out += fmt::format("  … {} more\n", list.size() - limit);
      return;
    }
    const char sign = one.how == "added" ? '+' : one.how == "removed" ? '-' : '~';
    *out +=
        fmt::format("  {} {} {}{}{}\n", sign, one.what, one.name, one.detail.empty() ? "" : "  ", one.detail);
  }
}

nlohmann::ordered_json MethodsJson(const std::vector<MethodChange>& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const MethodChange& m : list) {
    nlohmann::ordered_json one = {
        {"class", m.class_name}, {"name", m.name}, {"descriptor", m.descriptor}, {"app", m.app}};
    if (!m.old_name.empty()) {
      one["old_class"] = m.old_class_name;
      one["old_name"] = m.old_name;
    }
    if (!m.reason.empty()) one["reason"] = m.reason;
    if (!m.noise.empty()) one["noise"] = m.noise;
    if (m.synthetic) one["synthetic"] = true;
    one["old_instructions"] = m.old_instructions;
    one["new_instructions"] = m.new_instructions;
    json.push_back(std::move(one));
  }
  return json;
}

nlohmann::ordered_json ThingsJson(const std::vector<NamedChange>& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const NamedChange& one : list) {
    json.push_back({{"what", one.what}, {"name", one.name}, {"how", one.how}});
    if (!one.detail.empty()) json.back()["detail"] = one.detail;
  }
  return json;
}

// Lines without the addresses, which shift after the first change.
Result<std::vector<std::string>> MethodLines(const Apk& apk, std::string_view what) {
  MARMOSET_ASSIGN(const dex::DexSet set, dex::DexSet::Open(apk));
  MARMOSET_ASSIGN(const std::string text, dex::Dump(set, what, apk.resources()));
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line.compare(first, 2, "# ") == 0 ||
        line.compare(first, 5, "line ") == 0)
      continue;
    // "    001f   goto :2": four digits and three spaces go.
    const bool code = first == 4 && line.size() > 11 && line.compare(8, 3, "   ") == 0;
    lines.push_back(code ? line.substr(11) : line.substr(first));
  }
  return lines;
}

// The longest common subsequence, as pairs of indices.
std::vector<std::pair<size_t, size_t>> Common(const std::vector<std::string>& a,
                                              const std::vector<std::string>& b) {
  std::vector<std::pair<size_t, size_t>> pairs;
  if (a.size() > kMaxAligned || b.size() > kMaxAligned) return pairs;
  const size_t row = b.size() + 1;
  std::vector<uint16_t> best((a.size() + 1) * row);
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      best[i * row + j] = a[i] == b[j] ? static_cast<uint16_t>(best[(i + 1) * row + j + 1] + 1)
                                       : std::max(best[(i + 1) * row + j], best[i * row + j + 1]);
    }
  }
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
    } else if (best[(i + 1) * row + j] >= best[i * row + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

// Cut or filled to `width` columns; a code point counts as one.
std::string Fit(const std::string& text, size_t width) {
  std::string out;
  size_t columns = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts = (text[i] & 0xc0) != 0x80;
    if (starts && columns == width) break;
    columns += starts;
    out += text[i];
  }
  return out.append(width - columns, ' ');
}

}  // namespace

std::string DiffText(const ApkDiff& diff, size_t limit) {
  const auto head = [](char sign, const ApkInfo& info, uint64_t methods) {
    return fmt::format("{} {}  {} {} ({}), {} methods, {} bytes\n", sign, info.path, info.manifest.package,
                       info.manifest.version_name, info.manifest.version_code, methods, info.size);
  };
  std::string out = head('-', diff.old_info, diff.old_methods) + head('+', diff.new_info, diff.new_methods);
  if (diff.old_compilers != diff.new_compilers && !diff.old_compilers.empty() && !diff.new_compilers.empty())
    out += fmt::format("! another compiler: {} → {}; many changes may be its doing\n", diff.old_compilers[0],
                       diff.new_compilers[0]);
  for (const std::string& problem : diff.problems) out += "! " + problem + "\n";
  if (diff.Same()) return out + "nothing changed\n";
  Methods("changed methods", '~', diff.changed, limit, &out);
  Methods("added methods", '+', diff.added, limit, &out);
  Methods("removed methods", '-', diff.removed, limit, &out);
  Methods("moved or renamed methods", '>', diff.moved, limit, &out);
  Things("classes", diff.classes, limit, &out);
  Things("manifest", diff.manifest, limit, &out);
  Things("resources", diff.resources, limit, &out);
  Things("files", diff.files, limit, &out);
  return out;
}

nlohmann::ordered_json ToJson(const ApkDiff& diff) {
  const auto app = [](const ApkInfo& info, uint64_t methods, const std::vector<std::string>& compilers) {
    return nlohmann::ordered_json{{"path", info.path},
                                  {"sha256", info.sha256},
                                  {"package", info.manifest.package},
                                  {"version_code", info.manifest.version_code},
                                  {"version_name", info.manifest.version_name},
                                  {"methods", methods},
                                  {"compilers", compilers}};
  };
  return {{"old", app(diff.old_info, diff.old_methods, diff.old_compilers)},
          {"new", app(diff.new_info, diff.new_methods, diff.new_compilers)},
          {"summary",
           {{"changed", diff.changed.size()},
            {"added", diff.added.size()},
            {"removed", diff.removed.size()},
            {"moved", diff.moved.size()}}},
          {"changed", MethodsJson(diff.changed)},
          {"added", MethodsJson(diff.added)},
          {"removed", MethodsJson(diff.removed)},
          {"moved", MethodsJson(diff.moved)},
          {"classes", ThingsJson(diff.classes)},
          {"manifest", ThingsJson(diff.manifest)},
          {"resources", ThingsJson(diff.resources)},
          {"files", ThingsJson(diff.files)},
          {"problems", diff.problems}};
}

Result<std::string> SideBySide(const Apk& old_apk, const Apk& new_apk, std::string_view what, size_t width) {
  Result<std::vector<std::string>> before = MethodLines(old_apk, what);
  Result<std::vector<std::string>> after = MethodLines(new_apk, what);
  if (!before && !after) return Fail(after.error());
  for (const auto* one : {&before, &after}) {
    if (!*one && one->error().code() != ErrorCode::kNotFound) return Fail(one->error());
  }
  const std::vector<std::string> a = before ? *before : std::vector<std::string>();
  const std::vector<std::string> b = after ? *after : std::vector<std::string>();
  std::vector<std::pair<size_t, size_t>> common = Common(a, b);
  common.emplace_back(a.size(), b.size());
  const size_t column = std::max<size_t>(width, 23) / 2 - 1;
  std::string out;
  size_t i = 0;
  size_t j = 0;
  const auto row = [&](const std::string& left, char sign, const std::string& right) {
    std::string line = Fit(left, column) + sign + " " + Fit(right, column);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  for (const auto& [next_i, next_j] : common) {
    for (; i < next_i || j < next_j; ++i, ++j) {
      if (i < next_i && j < next_j) {
        row(a[i], '|', b[j]);
      } else if (i < next_i) {
        row(a[i], '<', "");
        --j;
      } else {
        row("", '>', b[j]);
        --i;
      }
    }
    if (i < a.size() && j < b.size()) row(a[i++], ' ', b[j++]);
  }
  return out;
}

}  // namespace marmoset::apk
