// SimplyDroid's published traces on the activity graph: every method's replays, replayed events and lengths,
// next to what is published and to what was measured before. Needs the traces: MARMOSET_TEST_DATA is a folder
// that holds simplydroid/APP/NUMBER/execute.log.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/statistics.h"
#include "reduce/activity_graph.h"
#include "reduce/ddmin.h"
#include "reduce/registry.h"

namespace marmoset {
namespace {

namespace fs = std::filesystem;

struct Trace {
  std::string name;  // As in "Dalvik/1".
  std::vector<StateChange> states;
};

// The activities around each event but the first, which starts the app. A line is
// `index;class;package;activity; code`; every event ends with a throttle line. The state before an event is
// that of the last line before it, the state after it that of the throttle line; the last event crashes.
std::optional<Trace> ReadTrace(const fs::path& folder) {
  std::ifstream in(folder / "execute.log");
  std::map<std::string, uint32_t> ids;
  const auto id = [&](const std::string& activity) {
    return ids.try_emplace(activity, static_cast<uint32_t>(ids.size())).first->second;
  };
  std::vector<uint32_t> before;
  std::string last;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::stringstream split(line);
    for (std::string field; std::getline(split, field, ';');) fields.push_back(field);
    if (line.starts_with("//") || fields.size() < 4) continue;
    if (fields[1] == "MonkeyThrottleEvent") {
      before.push_back(id(last));
    } else {
      last = fields[3];
    }
  }
  if (before.size() < 2) return std::nullopt;
  before.erase(before.begin());
  Trace trace;
  trace.name = folder.parent_path().filename().string() + "/" + folder.filename().string();
  trace.states = ActivityGraph::FromStatesBefore(before);
  return trace;
}

std::vector<Trace> ReadTraces(const fs::path& root) {
  std::vector<Trace> traces;
  for (const fs::directory_entry& app : fs::directory_iterator(root)) {
    if (!app.is_directory()) continue;
    for (const fs::directory_entry& folder : fs::directory_iterator(app.path()))
      if (std::optional<Trace> trace = ReadTrace(folder.path())) traces.push_back(*std::move(trace));
  }
  std::sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) { return a.name < b.name; });
  return traces;
}

// dd of published_lengths_1-46.csv by trace: paper_no,repo_dir,original_events,dd,hdd,bhdd,lhdd,lhdd_nopre.
std::map<std::string, uint64_t> PublishedLengths(const fs::path& root) {
  std::map<std::string, uint64_t> lengths;
  std::ifstream in(root / "published_lengths_1-46.csv");
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::stringstream split(line);
    for (std::string field; std::getline(split, field, ',');) fields.push_back(field);
    if (fields.size() >= 4 && !fields[3].empty() && std::isdigit(static_cast<unsigned char>(fields[3][0])))
      lengths[fields[1]] = std::strtoull(fields[3].c_str(), nullptr, 10);
  }
  return lengths;
}

TEST(Corpus, EveryMethodOnEveryTrace) {
  const char* data = std::getenv("MARMOSET_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "set MARMOSET_TEST_DATA to the folder that holds simplydroid/";
  const fs::path root = fs::path(data) / "simplydroid";
  const std::vector<Trace> traces = ReadTraces(root);
  ASSERT_GE(traces.size(), 60u);

  struct Row {
    std::vector<double> replays, events, lengths;
  };
  const auto run = [&](const Reducer& reducer, bool pre_pass, bool sweep) {
    Row row;
    for (const Trace& trace : traces) {
      Problem problem;
      problem.size = static_cast<uint32_t>(trace.states.size());
      problem.states = trace.states;
      if (pre_pass) problem.pre_pass = problem.states;
      problem.final_sweep = sweep;
      const ActivityGraph graph(trace.states);
      SequentialJudge judge(graph.AsOracle());
      const Reduction r = reducer.Reduce(problem, judge, {}, {});
      EXPECT_EQ(graph.Ask({r.kept, std::nullopt, 0}), Verdict::kReached) << trace.name;
      EXPECT_TRUE(!sweep || r.one_minimal) << trace.name;
      row.replays.push_back(static_cast<double>(r.oracle_calls));
      row.events.push_back(static_cast<double>(graph.replayed_events()));
      row.lengths.push_back(
          static_cast<double>(r.kept.size() + 1));  // The start of the app counts, as in the paper.
    }
    return row;
  };
  const auto print = [](std::string_view name, const Row& row) {
    printf("%-22s %7.1f %7.1f %5.0f %9.0f %5.1f %4.0f\n", std::string(name).c_str(), Median(row.replays),
           Mean(row.replays), *std::max_element(row.replays.begin(), row.replays.end()), Mean(row.events),
           Median(row.lengths), *std::max_element(row.lengths.begin(), row.lengths.end()));
  };
  printf("%zu traces             replays: median, mean, max; mean events; length: median, max\n",
         traces.size());
  std::map<std::string, Row> rows;
  for (const bool sweep : {false, true}) {
    for (const ReducerInfo& info : AllReducers()) {
      const std::string name = std::string(info.name) + (sweep ? " + sweep" : "");
      rows[name] = run(*info.make(), false, sweep);
      print(name, rows[name]);
    }
  }
  rows["ddmin published parts"] = run(Ddmin({.published_parts = true}), false, false);
  print("ddmin published parts", rows["ddmin published parts"]);
  rows["pre-pass + lhdd"] = run(*FindReducer("lhdd")->make(), true, true);
  print("pre-pass + lhdd", rows["pre-pass + lhdd"]);
  rows["pre-pass + probdd"] = run(*FindReducer("probdd")->make(), true, true);
  print("pre-pass + probdd", rows["pre-pass + probdd"]);

  const std::map<std::string, uint64_t> published = PublishedLengths(root);
  size_t same = 0, known = 0;
  for (size_t i = 0; i < traces.size(); ++i) {
    const auto found = published.find(traces[i].name);
    if (found == published.end()) continue;
    ++known;
    const auto length = static_cast<double>(found->second);
    same += rows["ddmin"].lengths[i] == length;
    // The oracle sees activities only, so what it finds is never longer than what the app needs.
    EXPECT_LE(rows["ddmin"].lengths[i], length + 1) << traces[i].name;
  }
  printf("DD length as published in %zu of %zu traces\n", same, known);

  // The paper's order, in medians; and what ours add.
  EXPECT_LT(Median(rows["hdd"].replays), Median(rows["ddmin"].replays));
  EXPECT_LT(Median(rows["bhdd"].replays), Median(rows["hdd"].replays));
  EXPECT_LT(Median(rows["lhdd"].replays), Median(rows["bhdd"].replays));
  EXPECT_LT(Mean(rows["lhdd"].events), Mean(rows["bhdd"].events) / 5);
  EXPECT_LT(Median(rows["probdd"].replays), Median(rows["ddmin"].replays));
  size_t lhdd_faster = 0;
  for (size_t i = 0; i < traces.size(); ++i) lhdd_faster += rows["lhdd"].events[i] < rows["ddmin"].events[i];
  printf("LHDD replays fewer events than DD in %zu of %zu traces\n", lhdd_faster, traces.size());
  EXPECT_GE(lhdd_faster * 100, traces.size() * 93);
}

}  // namespace
}  // namespace marmoset
