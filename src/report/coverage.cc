#include "report/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace marmoset {
namespace {

auto Name(const AppMethod& m) { return std::tie(m.class_name, m.name, m.descriptor); }

// Names come from the app: a tab or a line break in one must not make a column or a line.
std::string Cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; },
      '?');
  return text;
}

std::string Row(const std::string& event, const std::string& step, const AppMethod& m) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", event, step, m.own ? "app" : "library",
                     Cell(m.class_name), Cell(m.name), Cell(m.descriptor), m.line);
}

}  // namespace

std::string MethodsText(const std::vector<CoveredMethod>& covered, const std::vector<AppMethod>& all) {
  std::string text = "event\tstep\tpart\tclass\tmethod\tdescriptor\tline\n";
  std::set<decltype(Name(covered.front().method))> entered;
  for (const CoveredMethod& one : covered) {
    entered.insert(Name(one.method));
    text += Row(std::to_string(one.first_event), std::to_string(one.first_step), one.method);
  }
  for (const AppMethod& method : all)
    if (!entered.contains(Name(method))) text += Row("", "", method);
  return text;
}

std::string CurveText(const std::vector<CoveredMethod>& covered) {
  std::string text = "event\tmethods\tapp_methods\n";
  size_t methods = 0;
  size_t own = 0;
  for (size_t i = 0; i < covered.size(); ++i) {
    ++methods;
    if (covered[i].method.own) ++own;
    if (i + 1 < covered.size() && covered[i + 1].first_event == covered[i].first_event) continue;
    text += fmt::format("{}\t{}\t{}\n", covered[i].first_event, methods, own);
  }
  return text;
}

Status WriteCoverage(const fs::path& folder, const std::vector<CoveredMethod>& covered,
                     const std::vector<AppMethod>& all) {
  MARMOSET_TRY(MakeWritableFolder(folder));
  MARMOSET_TRY(WriteFile(folder / "methods.tsv", MethodsText(covered, all)));
  return WriteFile(folder / "curve.tsv", CurveText(covered));
}

}  // namespace marmoset
