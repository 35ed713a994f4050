#include "device/hosted/installation.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

TEST(Installation, NamesTheCommandForAFrameworkThatIsAbsent) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  HostedInstallation installation;
  installation.folder = folder.path();
  fs::create_directory(folder.path() / "sdk");
  for (const char* level : {"34", "28"}) ASSERT_TRUE(WriteFile(folder.path() / "sdk" / level, "made of"));
  EXPECT_TRUE(CheckFramework(installation, 34));
  EXPECT_TRUE(CheckFramework(installation, 28));
  const Status absent = CheckFramework(installation, 31);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::kMissingTool);
  EXPECT_EQ(absent.error().message(),
            "hosted device: the framework of SDK 31 is not installed; there are: 28, 34: run hosted/setup " +
                folder.path().string() + " 31 in Marmoset's source (fetches 80 to 200 MB, once)");
}

}  // namespace
}  // namespace marmoset
