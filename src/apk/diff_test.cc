#include "apk/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/app_packages.h"
#include "apk/diff_methods.h"
#include "apk/testing/small_dex.h"

namespace marmoset::apk {
namespace {

using testing::BuildApkWith;
using testing::BuildSmallDex;
using ::testing::HasSubstr;

Apk Build(const testing::SmallDexOptions& options) {
  return Apk::Parse(Blob::Own(BuildApkWith(BuildSmallDex(options))), "x.apk").value();
}

ApkDiff Diff(const testing::SmallDexOptions& before, const testing::SmallDexOptions& after,
             DiffLevel level = DiffLevel::kCode) {
  DiffOptions options;
  options.level = level;
  return DiffApks(Build(before), Build(after), options).value();
}

TEST(Diff, AnAppIsLikeItself) {
  for (const DiffLevel level : {DiffLevel::kExact, DiffLevel::kCode, DiffLevel::kOpcode})
    EXPECT_TRUE(Diff({}, {}, level).Same());
}

TEST(Diff, LevelsSeeWhatTheyShould) {
  // A string: code, not opcodes.
  const ApkDiff text = Diff({}, {.text = "bye"});
  ASSERT_EQ(text.changed.size(), 1u);
  EXPECT_EQ(text.changed[0].reason, "references");
  EXPECT_TRUE(text.changed[0].app);
  EXPECT_TRUE(Diff({}, {.text = "bye"}, DiffLevel::kOpcode).Same());
  EXPECT_EQ(Diff({}, {.constant = 70000}).changed.at(0).reason, "constants");
  // Registers: exact only.
  EXPECT_TRUE(Diff({}, {.extra_registers = 1}).Same());
  EXPECT_EQ(Diff({}, {.extra_registers = 1}, DiffLevel::kExact).changed.at(0).reason, "registers");
  // A branch that needs a wider form: by opcodes alone a change.
  EXPECT_TRUE(Diff({.padding = 100}, {.padding = 200}).Same());
  EXPECT_EQ(Diff({.padding = 100}, {.padding = 200}, DiffLevel::kOpcode).changed.size(), 1u);
}

TEST(Diff, TellsMovedAndRenamedFromNew) {
  const ApkDiff renamed = Diff({}, {.method = "go"});
  ASSERT_EQ(renamed.moved.size(), 1u);
  EXPECT_TRUE(renamed.added.empty() && renamed.removed.empty());
  EXPECT_EQ(renamed.moved[0].reason, "renamed");
  EXPECT_EQ(renamed.moved[0].old_name, "run");
  const ApkDiff moved = Diff({}, {.type = "Lapp/Other;"});
  ASSERT_EQ(moved.moved.size(), 1u);
  EXPECT_EQ(moved.moved[0].reason, "moved");
  const ApkDiff both = Diff({}, {.text = "bye", .method = "go"});
  EXPECT_EQ(both.added.size(), 1u);
  EXPECT_EQ(both.removed.size(), 1u);
}

TEST(Diff, WritesTextAndJson) {
  const ApkDiff diff = Diff({}, {.text = "bye"});
  EXPECT_THAT(DiffText(diff, 0), HasSubstr("~ app.Main.run(I)I  references (11 → 11 instructions)"));
  const auto json = ToJson(diff);
  EXPECT_EQ(json["changed"][0]["class"], "app.Main");
  EXPECT_EQ(json["changed"][0]["descriptor"], "(I)I");
  EXPECT_EQ(json["summary"]["changed"], 1);
}

TEST(Diff, ShowsBothVersionsOfAMethod) {
  const std::string text = SideBySide(Build({}), Build({.text = "bye"}), "app.Main.run", 100).value();
  EXPECT_THAT(text, HasSubstr("const-string v0, \"hello\""));
  EXPECT_THAT(text, HasSubstr("| const-string v0, \"bye\""));
  EXPECT_EQ(SideBySide(Build({}), Build({}), "app.Main.none", 100).error().code(), ErrorCode::kNotFound);
}

TEST(Diff, KnowsTheNumbersOfCompilers) {
  EXPECT_EQ(dex::Unnumbered("La/B$$ExternalSyntheticLambda12;"), "La/B$$ExternalSyntheticLambda#;");
  EXPECT_EQ(dex::Unnumbered("lambda$run$3"), "lambda$run$#");
  EXPECT_EQ(dex::Unnumbered("La/B$1;"), "La/B$#;");
  EXPECT_EQ(dex::Unnumbered("Base64"), "Base64");
  EXPECT_EQ(GeneratedClass("La/R$id;"), "resource ids");
  EXPECT_EQ(GeneratedClass("La/BuildConfig;"), "build stamp");
  EXPECT_EQ(GeneratedClass("La/Robot;"), "");
  EXPECT_TRUE(InPackages("Lcom/foo/Bar;", {"com.foo"}));
  EXPECT_FALSE(InPackages("Lcom/food/Bar;", {"com.foo"}));
}

}  // namespace
}  // namespace marmoset::apk
