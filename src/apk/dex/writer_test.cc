#include "apk/dex/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/dex/dump.h"
#include "apk/dex/listing.h"
#include "apk/dex/method_facts.h"
#include "apk/dex/probes.h"
#include "apk/dex/remap.h"
#include "apk/testing/data.h"
#include "apk/testing/small_dex.h"

namespace marmoset::dex {
namespace {

using apk::testing::BuildSmallDex;
using apk::testing::TestOp;
using ::testing::HasSubstr;

DexFile Open(std::string bytes) {
  Result<DexFile> dex = DexFile::Open(apk::Blob::Own(std::move(bytes)), "test.dex");
  EXPECT_TRUE(dex) << dex.error().message();
  return *dex;
}

CodeView ViewOf(const DexFile& dex, uint32_t class_def = 0) {
  return dex.ReadCode(dex.ReadClassData(dex.Class(class_def)).value().direct_methods.at(0).code_off).value();
}

Code CodeOf(const DexFile& dex, uint32_t class_def = 0) {
  Result<Code> code = ParseCode(dex, ViewOf(dex, class_def));
  EXPECT_TRUE(code) << code.error().message();
  return *code;
}

std::string ListingOf(const DexFile& dex) {
  DexSet set;
  set.files.push_back(dex);
  const Result<std::string> text = Dump(set, "app.Main", nullptr);
  return text ? *text : text.error().message();
}

TEST(DexWriter, WhatItWritesCanBeRead) {
  const DexFile dex = Open(BuildSmallDex());
  EXPECT_TRUE(dex.ChecksumMatches());
  EXPECT_TRUE(dex.SignatureMatches());
  const std::string text = ListingOf(dex);
  EXPECT_THAT(text, HasSubstr("public static int run(int)"));
  EXPECT_THAT(text, HasSubstr("const-string v0, \"hello\""));
  EXPECT_THAT(text, HasSubstr("invoke-virtual {v0}, Ljava/lang/String;->trim()Ljava/lang/String;"));
  EXPECT_THAT(text, HasSubstr("packed-switch v2, {10 → :0, 11 → :2}"));
  EXPECT_THAT(text, HasSubstr("fill-array-data v1, 2 × 4 bytes {1, 2}"));
  EXPECT_THAT(text, HasSubstr("catch Ljava/lang/Exception; :1, catch all :1"));
  EXPECT_THAT(text, HasSubstr("line 140"));
}

TEST(DexWriter, CopyingChangesNothing) {
  const std::string bytes = BuildSmallDex();
  const DexFile dex = Open(bytes);
  EXPECT_EQ(Writer(&dex).Write().value(), bytes);
  // Also through the form that can be changed.
  const auto same = [&](const MethodMember&, const CodeView& view) -> std::optional<Code> {
    return ParseCode(dex, view).value();
  };
  EXPECT_EQ(Writer(&dex).Write(same).value(), bytes);
}

TEST(DexWriter, AdditionsShiftIndicesAndNothingElse) {
  const DexFile dex = Open(BuildSmallDex());
  Writer writer(&dex);
  ASSERT_TRUE(writer.String("\x01"));
  ASSERT_TRUE(writer.Method("La/A;", "a", "(J[I)La/B;"));
  EXPECT_EQ(writer.String("hello").value(), writer.String("hello").value());
  const DexFile changed = Open(writer.Write().value());
  EXPECT_GT(changed.count(kStringIds), dex.count(kStringIds));
  EXPECT_EQ(changed.count(kMethodIds), dex.count(kMethodIds) + 1);
  std::string before = ListingOf(dex);
  std::string after = ListingOf(changed);
  EXPECT_EQ(before, after);
}

TEST(DexWriter, PromotesStringsBeyondSixteenBits) {
  const DexFile dex = Open(BuildSmallDex());
  Writer writer(&dex);
  for (int i = 0; i < 66000; ++i) ASSERT_TRUE(writer.String("a" + std::to_string(i)));
  const DexFile changed = Open(writer.Write().value());
  EXPECT_THAT(ListingOf(changed), HasSubstr("const-string/jumbo v0, \"hello\""));
}

TEST(DexWriter, SaysWhenATableIsFull) {
  Writer writer(nullptr);
  Result<uint32_t> type = writer.Type("La;");
  for (int i = 0; i < 65536 && type; ++i) type = writer.Type("Lb" + std::to_string(i) + ";");
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().code(), ErrorCode::kUnsupported);
  EXPECT_FALSE(writer.Proto("nonsense"));
  EXPECT_FALSE(writer.Proto("(La)V"));
}

TEST(DexCode, WidensBranchesThatGrow) {
  for (const uint32_t padding : {100u, 200u, 40000u}) {
    const DexFile dex = Open(BuildSmallDex({.padding = padding}));
    const Code code = CodeOf(dex);
    // An if that cannot reach has become two instructions.
    EXPECT_EQ(code.instructions.size(), 11 + padding + (padding == 40000 ? 1 : 0));
    const std::string text = ListingOf(dex);
    EXPECT_THAT(text, HasSubstr(padding == 100 ? "goto :" : padding == 200 ? "goto/16 :" : "goto/32 :"));
    if (padding == 40000) {
      EXPECT_THAT(text, HasSubstr("if-nez"));
    }
  }
}

TEST(DexCode, InsertionsMoveTargetsRangesAndLines) {
  const DexFile dex = Open(BuildSmallDex());
  Code code = CodeOf(dex);
  const std::vector<CodeInstruction> nop = {TestOp(kNop)};
  Insert({{0, nop, false, true}, {3, nop, true, true}, {9, nop, false, false}}, &code);
  EXPECT_EQ(code.instructions.size(), 14u);
  // The range 2 … 6 is split around what was put before 3.
  ASSERT_EQ(code.tries.size(), 3u);
  EXPECT_EQ(code.tries[0].start, 1u);
  EXPECT_EQ(code.tries[1].start, 3u);
  EXPECT_EQ(code.tries[1].end, 4u);
  EXPECT_EQ(code.tries[2].start, 5u);
  EXPECT_EQ(code.tries[2].end, 8u);
  EXPECT_EQ(code.tries[2].handlers[0].target, 10u);
  // The switch's first case led to 3 and now to the inserted code; the second, to 9, passes it by.
  EXPECT_EQ(code.payloads[0].targets, (std::vector<uint32_t>{4, 12}));
  EXPECT_EQ(code.debug->events[0].address, 0u);
  EXPECT_EQ(code.debug->events[1].address, 5u);
  EXPECT_TRUE(EncodeCode(code));
}

TEST(DexCode, TheLargestNumbersAreNoDistances) {
  const DexFile dex = Open(BuildSmallDex({.extra_registers = 2}));
  constexpr uint8_t kConstWide = 0x18;
  for (const int64_t literal : {INT64_MAX, INT64_MIN}) {
    Writer writer(&dex);
    const std::string bytes = writer
                                  .Write([&](const MethodMember&, const CodeView& view) {
                                    Code code = ParseCode(dex, view).value();
                                    Insert({{3, {TestOp(kConstWide, {0}, literal)}, false, true}}, &code);
                                    return std::optional(code);
                                  })
                                  .value();
    EXPECT_THAT(ListingOf(Open(bytes)), HasSubstr("const-wide v0, " + std::to_string(literal)));
  }
}

// The small file with `count` more entries in its class, all for the method that it has.
std::string ManyMethodsOneCode(uint32_t count, uint32_t padding) {
  std::string bytes = BuildSmallDex({.padding = padding});
  const DexFile dex = Open(bytes);
  const MethodMember method = dex.ReadClassData(dex.Class(0)).value().direct_methods.at(0);
  const uint32_t data_at = static_cast<uint32_t>(bytes.size());
  for (const uint32_t n : {0u, 0u, count, 0u}) PutUleb(n, &bytes);
  for (uint32_t i = 0; i < count; ++i) {
    for (const uint32_t n : {i == 0 ? method.method : 0u, method.access, method.code_off}) PutUleb(n, &bytes);
  }
  const auto set = [&bytes](uint32_t at, uint32_t value) {
    bytes.replace(at, 4, reinterpret_cast<const char*>(&value), 4);
  };
  const uint32_t size = static_cast<uint32_t>(bytes.size());
  set(kHeaderFileSize, size);
  const uint32_t class_def = dex.data().U32(kHeaderStringIds + 8 * kClassDefs + 4);
  set(class_def + 24, data_at);
  return bytes;
}

TEST(DexFile, SharedCodeIsNotReadWithoutEnd) {
  const DexFile dex = Open(ManyMethodsOneCode(20000, 5000));
  DexSet set;
  set.files.push_back(dex);
  const AppFacts facts = CollectFacts(set, nullptr).value();
  ASSERT_EQ(facts.methods.size(), 20000u);
  EXPECT_EQ(facts.methods.front().problem, "");
  EXPECT_THAT(facts.methods.back().problem, HasSubstr("share more code"));
  const Result<InstrumentedDex> probed = Instrument(set, {});
  ASSERT_FALSE(probed);
  EXPECT_THAT(probed.error().message(), HasSubstr("share more code"));
}

TEST(DexFile, SharedMembersAreNotReadWithoutEnd) {
  // Eight classes with the same 10000 members, in a file that has 30 KB.
  std::string bytes = ManyMethodsOneCode(10000, 0);
  const DexFile dex = Open(bytes);
  const auto set = [&bytes](uint32_t at, uint32_t value) {
    bytes.replace(at, 4, reinterpret_cast<const char*>(&value), 4);
  };
  const uint32_t class_def = dex.data().U32(kHeaderStringIds + 8 * kClassDefs + 4);
  const uint32_t copies = static_cast<uint32_t>(bytes.size());
  for (int i = 0; i < 8; ++i) bytes += std::string(bytes, class_def, 32);
  set(kHeaderFileSize, static_cast<uint32_t>(bytes.size()));
  set(kHeaderStringIds + 8 * kClassDefs, 8);
  set(kHeaderStringIds + 8 * kClassDefs + 4, copies);
  const Result<DexFile> opened = DexFile::Open(apk::Blob::Own(bytes), "x");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("members so far"));
}

TEST(DexFile, LongNamesAreNotSpelledWithoutEnd) {
  // A hundred methods that take 250 parameters each, of a type with a name of 20000 letters.
  Writer writer(nullptr);
  const std::string type = "L" + std::string(20000, 'x') + ";";
  std::string parameters;
  for (int i = 0; i < 250; ++i) parameters += type;
  for (int i = 0; i < 100; ++i)
    (void)writer.Method("La;", fmt::format("m{}", i), "(" + parameters + ")V").value();
  const Result<DexFile> opened = DexFile::Open(apk::Blob::Own(writer.Write().value()), "x");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("names, spelled out"));
}

TEST(DexFile, SharedPayloadsAreNotReadWithoutEnd) {
  // An array of 1000 numbers, in code of about 2300 units.
  for (const int users : {2, 100}) {
    const DexFile dex = Open(BuildSmallDex());
    Code code = CodeOf(dex);
    code.payloads[1].data = std::string(4000, 'x');
    for (int i = 0; i < users; ++i)
      Insert({{5, {TestOp(kFillArrayData, {1}, 0, 0, 1)}, false, false}}, &code);
    const std::string bytes =
        Writer(&dex).Write([&](const MethodMember&, const CodeView&) { return std::optional(code); }).value();
    const DexFile shared = Open(bytes);
    const Result<uint32_t> checked = shared.CheckCode(ViewOf(shared));
    EXPECT_EQ(checked.has_value(), users == 2);
    if (!checked) {
      EXPECT_THAT(checked.error().message(), HasSubstr("shared by too many"));
    }
  }
}

TEST(DexCode, BranchesIntoPaddingAreRefused) {
  // With one nop more the code has an odd length, and a nop pads it before the payloads.
  std::string bytes = BuildSmallDex({.padding = 1});
  const DexFile dex = Open(bytes);
  const CodeView view = ViewOf(dex);
  ASSERT_EQ(view.units[18] & 0xff, kGoto);
  ASSERT_EQ(view.units[23], kNop);
  ASSERT_TRUE(IsPayload(view.units[24]));
  const size_t start = static_cast<size_t>(view.units.bytes().data() - dex.bytes().data());
  bytes[start + 2 * 18 + 1] = 23 - 18;
  const DexFile hostile = Open(bytes);
  const Result<Code> code = ParseCode(hostile, ViewOf(hostile));
  ASSERT_FALSE(code);
  EXPECT_THAT(code.error().message(), HasSubstr("padding"));
}

TEST(DexWriter, RangesMayEndInsideAnInstruction) {
  std::string bytes = BuildSmallDex();
  const CodeView view = ViewOf(Open(bytes));
  const std::vector<TryRange> tries = Open(bytes).ReadTries(view).value();
  const size_t items = view.offset + 16 + 2 * view.units.size();
  bytes[items + 8 + 4] = static_cast<char>(bytes[items + 8 + 4] + 1);
  const DexFile inside = Open(bytes);
  ASSERT_EQ(inside.ReadTries(ViewOf(inside)).value()[1].end, tries[1].end + 1);
  const std::string written =
      Writer(&inside)
          .Write([&](const MethodMember&, const CodeView& v) { return ParseCode(inside, v).value(); })
          .value();
  const auto flow = [](const DexFile& dex) {
    DexSet set;
    set.files.push_back(dex);
    return CollectFacts(set, nullptr)->methods.at(0).hashes.flow;
  };
  EXPECT_EQ(flow(Open(written)), flow(inside));
  EXPECT_NE(flow(inside), flow(Open(BuildSmallDex())));
}

TEST(DexWriter, WantsSortedIds) {
  std::string bytes = BuildSmallDex();
  const DexFile dex = Open(bytes);
  // The first two strings change places.
  const uint32_t at = dex.data().U32(kHeaderStringIds + 4);
  std::swap_ranges(bytes.begin() + at, bytes.begin() + at + 4, bytes.begin() + at + 4);
  const DexFile unsorted = Open(bytes);
  const Result<std::string> written = Writer(&unsorted).Write();
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("not sorted"));
}

TEST(DexFile, EveryByteMayBeWrong) {
  const std::string good = BuildSmallDex();
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bytes = good;
      bytes[i] = value;
      const Result<DexFile> dex = DexFile::Open(apk::Blob::Own(std::move(bytes)), "x");
      if (!dex) continue;
      DexSet set;
      set.files.push_back(*dex);
      (void)CollectFacts(set, nullptr);
      (void)Dump(set, "app.Main", nullptr);
      (void)Writer(&*dex).Write();
    }
  }
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(DexFile::Open(apk::Blob::Own(good.substr(0, size)), "x"));
}

TEST(DexWriter, RealAppsSurviveTheRoundTrip) {
  MARMOSET_NEED_REAL_APKS(files);
  for (const std::string& file : files) {
    const apk::Apk app = apk::Apk::Open(file).value();
    const Result<DexSet> set = DexSet::Open(app);
    ASSERT_TRUE(set) << set.error().message();
    DexSet copy;
    for (const DexFile& dex : set->files) {
      Writer writer(&dex);
      ASSERT_TRUE(writer.String("\x01 first of all"));
      const Result<std::string> bytes = writer.Write([&](const MethodMember&, const CodeView& view) {
        Result<Code> code = ParseCode(dex, view);
        EXPECT_TRUE(code) << code.error().message();
        return code ? std::optional(*code) : std::nullopt;
      });
      ASSERT_TRUE(bytes) << bytes.error().message();
      copy.files.push_back(Open(*bytes));
    }
    const AppFacts before = CollectFacts(*set, nullptr).value();
    const AppFacts after = CollectFacts(copy, nullptr).value();
    ASSERT_EQ(before.methods.size(), after.methods.size());
    for (size_t i = 0; i < before.methods.size(); ++i) {
      const MethodFacts& a = before.methods[i];
      const MethodFacts& b = after.methods[i];
      EXPECT_EQ(a.problem, "");
      EXPECT_TRUE(a.type == b.type && a.name == b.name && a.descriptor == b.descriptor &&
                  a.member.access == b.member.access && a.hashes.opcodes == b.hashes.opcodes &&
                  a.hashes.references == b.hashes.references && a.hashes.literals == b.hashes.literals &&
                  a.hashes.flow == b.hashes.flow && a.hashes.registers == b.hashes.registers)
          << a.type << a.name << a.descriptor;
    }
  }
}

}  // namespace
}  // namespace marmoset::dex
