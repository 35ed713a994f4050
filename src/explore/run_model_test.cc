#include "explore/run_model.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "device/simulated/simulated_device.h"
#include "explore/explorer.h"

namespace marmoset {
namespace {

// Every step of a run is in the model: what a state's transitions say happened as often as the steps did.
TEST(RunModel, HoldsEveryStepOfTheRun) {
  for (const char* strategy : {"random", "ape", "monkey"}) {
    TemporaryFolder folder = std::move(*TemporaryFolder::Make());
    auto device = std::move(*SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / "tip.yaml"));
    RunRecord record = std::move(*RunRecord::Create(folder.path() / "run"));
    auto chosen = std::move(*MakeStrategy(strategy, {}));
    Trace header;
    header.package = device->model().package;
    ManualClock clock;
    ExploreOptions options;
    options.events = 300;
    ASSERT_TRUE(Explore({*device, record, clock, {}}, header, options, *chosen, {}));
    const auto run = ModelOfRun(record, header.package);
    ASSERT_TRUE(run) << run.error().message();
    const Model& model = (*run)->model;
    int64_t hits = 0, visits = 0;
    for (const Edge& edge : model.edges()) hits += edge.hits;
    for (const State& state : model.states()) visits += state.visits;
    EXPECT_EQ(visits, *record.StepCount()) << strategy;
    if (strategy != std::string("monkey")) {
      EXPECT_GT(hits, 150) << strategy;
    }
    for (const auto& [tree, hash] : (*run)->screens) EXPECT_TRUE(*record.ScreenByHash(hash));
    EXPECT_EQ(ModelOfRun(record, header.package).value()->model.states().size(), model.states().size());
  }
}

TEST(RunModel, AnEmptyRunHasNoStates) {
  TemporaryFolder folder = std::move(*TemporaryFolder::Make());
  const RunRecord record = std::move(*RunRecord::Create(folder.path() / "run"));
  EXPECT_TRUE(ModelOfRun(record, "a.b").value()->model.states().empty());
}

}  // namespace
}  // namespace marmoset
