#include "explore/ape.h"

#include <gtest/gtest.h>

#include <set>

#include "device/simulated/simulated_device.h"
#include "explore/explorer.h"

namespace marmoset {
namespace {

struct Explored {
  ExploreEnd end = ExploreEnd::kEvents;
  size_t crashes = 0;
  size_t activities = 0;
  std::vector<Step> steps;
};

// Explores a model into `folder`, which may hold an interrupted run.
Explored RunOn(const std::string& model, const fs::path& folder, uint64_t seed, int64_t events,
               int64_t stop_after = 0) {
  auto device = SimulatedDevice::Open(fs::path(MARMOSET_SAMPLES) / "models" / (model + ".yaml"));
  EXPECT_TRUE(device);
  auto record = fs::exists(folder / "run.sqlite") ? RunRecord::Open(folder) : RunRecord::Create(folder);
  EXPECT_TRUE(record);
  auto strategy = MakeStrategy("ape", {});
  EXPECT_TRUE(strategy);
  Trace header;
  header.package = (*device)->model().package;
  ManualClock clock;
  std::stop_source stop;
  ExploreOptions options;
  options.seed = seed;
  options.events = events;
  const auto result = Explore({**device, *record, clock, stop.get_token()}, header, options, **strategy,
                              [&](const ExploreProgress& p) {
                                if (stop_after > 0 && p.events >= stop_after) stop.request_stop();
                              });
  EXPECT_TRUE(result) << result.error().message();
  Explored run;
  run.end = result->end;
  run.crashes = record->Crashes()->size();
  run.activities = record->Activities()->size();
  for (int64_t episode = 1;; ++episode) {
    const std::vector<Step> steps = record->EpisodeSteps(episode).value();
    if (steps.empty()) break;
    run.steps.insert(run.steps.end(), steps.begin(), steps.end());
  }
  return run;
}

class ApeTest : public testing::Test {
 protected:
  fs::path Folder(const std::string& name) { return folder_.path() / name; }
  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make());
};

TEST_F(ApeTest, SeesTheWholeModelFromEverySeed) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Explored run = RunOn("tip", Folder(std::to_string(seed)), seed, 1000);
    EXPECT_EQ(run.activities, 4u) << seed;
    EXPECT_GE(run.crashes, 1u) << seed;
  }
}

TEST_F(ApeTest, TheSameSeedGivesTheSameRunAndAnotherAnother) {
  for (const char* model : {"tip", "upload"}) {
    const Explored one = RunOn(model, Folder(std::string("one") + model), 9, 400);
    EXPECT_EQ(RunOn(model, Folder(std::string("two") + model), 9, 400).steps, one.steps);
    EXPECT_NE(RunOn(model, Folder(std::string("other") + model), 10, 400).steps, one.steps);
  }
}

TEST_F(ApeTest, AnInterruptedRunGoesOnAsIfNothingHadHappened) {
  const Explored whole = RunOn("tip", Folder("whole"), 4, 300);
  for (const int64_t at : {1, 7, 50, 123, 250, 299}) {
    const fs::path folder = Folder(std::to_string(at));
    EXPECT_EQ(RunOn("tip", folder, 4, 300, at).end, ExploreEnd::kStopped);
    EXPECT_EQ(RunOn("tip", folder, 4, 300).steps, whole.steps) << "stopped after " << at;
  }
}

TEST_F(ApeTest, StartsAnewAfterAtMost300Steps) {
  const Explored run = RunOn("upload", Folder("a"), 2, 1500);
  int64_t since = 0, starts = 0;
  for (const Step& step : run.steps) {
    if (std::holds_alternative<Launch>(step.action)) {
      since = 0;
      ++starts;
    }
    EXPECT_LE(++since, 301);
  }
  EXPECT_GE(starts, 5);
}

}  // namespace
}  // namespace marmoset
