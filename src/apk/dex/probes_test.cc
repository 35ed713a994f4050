#include "apk/dex/probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/instrument.h"
#include "apk/testing/small_dex.h"

namespace marmoset::dex {
namespace {

using apk::testing::BuildSmallDex;
using ::testing::HasSubstr;

DexSet SetOf(const std::vector<std::string>& files) {
  DexSet set;
  for (const std::string& file : files)
    set.files.push_back(DexFile::Open(apk::Blob::Own(file), "x.dex").value());
  return set;
}

TEST(Probes, MarkMethods) {
  const InstrumentedDex dex = Instrument(SetOf({BuildSmallDex()}), {}).value();
  ASSERT_EQ(dex.probes.size(), 1u);
  EXPECT_EQ(dex.probes[0].class_name, "app.Main");
  EXPECT_EQ(dex.probes[0].method, "run");
  EXPECT_EQ(dex.probes[0].line, 100u);
  EXPECT_TRUE(dex.probes[0].entry);
  ASSERT_EQ(dex.files.size(), 2u);
  const DexSet set = SetOf(dex.files);
  const std::string text = Dump(set, "app.Main.run", nullptr).value();
  EXPECT_THAT(text, HasSubstr("4 registers, 1 in, 1 out"));
  EXPECT_THAT(text, HasSubstr("move/16 v2, v3"));
  EXPECT_THAT(text, HasSubstr("const/16 v3, 0"));
  EXPECT_THAT(text, HasSubstr("invoke-static/range {v3 .. v3}, Lmarmoset/Probe;->hit(I)V"));
  EXPECT_THAT(Dump(set, "marmoset.Probe", nullptr).value(), HasSubstr("aput-boolean v1, v0, v2"));
}

TEST(Probes, MarkBlocksOutsideOfTryRanges) {
  const InstrumentedDex dex = Instrument(SetOf({BuildSmallDex()}), {.blocks = true, .packages = {}}).value();
  // The entry; after the switch, which is a case too; after the if; the handler; the end.
  ASSERT_EQ(dex.probes.size(), 5u);
  const DexSet set = SetOf(dex.files);
  const DexFile& file = set.files[0];
  const MethodMember method = file.ReadClassData(file.Class(0)).value().direct_methods.at(0);
  const CodeView code = file.ReadCode(method.code_off).value();
  ASSERT_TRUE(file.CheckCode(code));
  const std::vector<TryRange> tries = file.ReadTries(code).value();
  for (const TryRange& range : tries) {
    for (uint32_t at = range.start; at < range.end;) {
      Instruction instruction;
      at += Decode(code.units, at, &instruction);
      EXPECT_NE(instruction.opcode, kInvokeStaticRange);
    }
  }
  // move-exception stays first in its handler.
  for (const TryRange& range : tries) {
    Instruction first;
    Decode(code.units, range.handlers.at(0).target, &first);
    EXPECT_EQ(first.opcode, kMoveException);
  }
}

TEST(Probes, SkipWhatTheyCannotMark) {
  const InstrumentedDex dex = Instrument(SetOf({BuildSmallDex({.extra_registers = 253})}), {}).value();
  EXPECT_TRUE(dex.probes.empty());
  ASSERT_EQ(dex.skipped.size(), 1u);
  EXPECT_THAT(dex.skipped[0].reason, HasSubstr("256 registers leave none"));
}

TEST(Probes, KeepToThePackagesWanted) {
  EXPECT_EQ(Instrument(SetOf({BuildSmallDex()}), {.blocks = false, .packages = {"app"}})->probes.size(), 1u);
  EXPECT_EQ(Instrument(SetOf({BuildSmallDex()}), {.blocks = false, .packages = {"ap"}})->probes.size(), 0u);
}

TEST(Probes, InAnApk) {
  const apk::Apk before =
      apk::Apk::Parse(apk::Blob::Own(apk::testing::BuildApkWith(BuildSmallDex())), "a.apk").value();
  const apk::SigningKey key = apk::SigningKey::Generate().value();
  const apk::InstrumentedApk out = apk::InstrumentApk(before, {}, key).value();
  const apk::Apk after = apk::Apk::Parse(apk::Blob::Own(out.file), "b.apk").value();
  EXPECT_EQ(after.DexFiles().size(), 2u);
  EXPECT_EQ(after.zip().Find("lib/x86/liba.so")->data_offset % 16384, 0u);
  EXPECT_THAT(ProbeTable(out.dex).dump(), HasSubstr("\"descriptor\":\"(I)I\""));
}

}  // namespace
}  // namespace marmoset::dex
