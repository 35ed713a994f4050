// Small files that real tools have made (samples/dex), for what apps from our other sources do not have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/dex/cursor.h"
#include "apk/dex/method_facts.h"
#include "apk/dex/probes.h"
#include "apk/dex/writer.h"
#include "base/file.h"

namespace marmoset::dex {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DexSet Read(const std::string& name) {
  DexSet set;
  set.files =
      DexFile::OpenAll(apk::Blob::Own(ReadFile(MARMOSET_SAMPLES "/dex/" + name).value()), name).value();
  return set;
}

// Written with a string before all others, so that every index shifts, and code taken apart.
DexSet Rewritten(const DexSet& set) {
  Writer writer(&set.files.at(0));
  (void)writer.String("\x01").value();
  const std::string bytes = writer
                                .Write([&](const MethodMember&, const CodeView& view) {
                                  return std::optional(ParseCode(set.files[0], view).value());
                                })
                                .value();
  DexSet copy;
  copy.files.push_back(DexFile::Open(apk::Blob::Own(bytes), "written").value());
  return copy;
}

std::string TextWithoutPlace(const DexSet& set, std::string_view type) {
  std::string text = Dump(set, type, nullptr).value();
  const size_t place = text.find("    in ");
  return text.erase(place, text.find('\n', place) - place);
}

TEST(RealDex, CallSitesAndMethodHandles) {
  const DexSet set = Read("calls.dex");
  const DexFile& dex = set.files.at(0);
  EXPECT_EQ(dex.version(), 38);
  EXPECT_TRUE(dex.ChecksumMatches() && dex.SignatureMatches());
  EXPECT_EQ(dex.call_site_count(), 5u);
  const std::string text = TextWithoutPlace(set, "fx.Calls");
  EXPECT_THAT(text,
              AllOf(HasSubstr("invoke-custom {v1}, call site {handle 4 Ljava/lang/invoke/LambdaMetafactory;->"
                              "metafactory("),
                    HasSubstr("\"applyAsInt\", (Lfx/Calls;)Ljava/util/function/IntBinaryOperator;, (II)I, "
                              "handle 5 Lfx/Calls;->more(II)I, (II)I}"),
                    HasSubstr("\"hello \\u0001\\u0001\\u0001\"}"),
                    HasSubstr("Ljava/lang/invoke/MethodHandle;->invokeExact([Ljava/lang/Object;)"
                              "Ljava/lang/Object;, (II)I")));
  const DexSet copy = Rewritten(set);
  EXPECT_EQ(TextWithoutPlace(copy, "fx.Calls"), text);
  EXPECT_EQ(copy.files[0].call_site_count(), 5u);
  const AppFacts before = CollectFacts(set, nullptr).value();
  const AppFacts after = CollectFacts(copy, nullptr).value();
  ASSERT_EQ(before.methods.size(), after.methods.size());
  for (size_t i = 0; i < before.methods.size(); ++i)
    EXPECT_EQ(before.methods[i].hashes.exact, after.methods[i].hashes.exact) << before.methods[i].name;

  const InstrumentedDex probed = Instrument(set, {.blocks = true, .packages = {}}).value();
  EXPECT_TRUE(probed.skipped.empty());
  DexSet with_probes;
  with_probes.files.push_back(DexFile::Open(apk::Blob::Own(probed.files.at(0)), "probed").value());
  EXPECT_THAT(Dump(with_probes, "fx.Calls.bound", nullptr).value(),
              AllOf(HasSubstr("marmoset/Probe;->hit(I)V"), HasSubstr("handle 5 Lfx/Calls;->more(II)I")));
}

std::vector<uint32_t> HiddenApiFlags(const DexFile& dex, size_t members) {
  Cursor cursor(dex.data(), dex.HiddenApiOffset(0));
  std::vector<uint32_t> flags;
  for (size_t i = 0; i < members; ++i) flags.push_back(cursor.Uleb());
  EXPECT_FALSE(cursor.failed());
  return flags;
}

TEST(RealDex, HiddenApiFlags) {
  const DexSet set = Read("hidden.dex");
  ASSERT_TRUE(set.files.at(0).HasHiddenApi());
  // In order: the static field, the instance field, the constructor ("greylist"), the method ("blacklist").
  const std::vector<uint32_t> flags = {0, 0, 1, 2};
  EXPECT_EQ(HiddenApiFlags(set.files[0], 4), flags);
  const DexSet copy = Rewritten(set);
  ASSERT_TRUE(copy.files[0].HasHiddenApi());
  EXPECT_EQ(HiddenApiFlags(copy.files[0], 4), flags);
}

TEST(RealDex, TwoFilesInAContainer) {
  const DexSet set = Read("container.dex");
  ASSERT_EQ(set.files.size(), 2u);
  for (const DexFile& dex : set.files) {
    EXPECT_EQ(dex.version(), 41);
    EXPECT_TRUE(dex.ChecksumMatches() && dex.SignatureMatches());
  }
  // Each has a class, and the strings of both lie behind the second header.
  EXPECT_THAT(Dump(set, "fx.First.twice", nullptr).value(),
              HasSubstr("invoke-static {v1}, Lfx/Second;->more(I)I"));
  EXPECT_THAT(Dump(set, "fx.Second.more", nullptr).value(), HasSubstr("mul-int/lit8"));
  EXPECT_EQ(CountAll(set)->methods, 4u);
  EXPECT_EQ(CollectFacts(set, nullptr)->methods.size(), 4u);
  const Result<std::string> written = Writer(&set.files[1]).Write();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kUnsupported);

  const std::string bytes(set.files[0].bytes());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DexFile::OpenAll(apk::Blob::Own(bytes.substr(0, size)), "cut")) << size;
}

}  // namespace
}  // namespace marmoset::dex
