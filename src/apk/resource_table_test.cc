#include "apk/resource_table.h"

#include <gtest/gtest.h>

#include "apk/res_config.h"
#include "apk/testing/builders.h"
#include "apk/zip_writer.h"

namespace marmoset::apk {
namespace {

using testing::TypeLayout;

std::string Table(TypeLayout layout) {
  return testing::BuildResourceTable(
      {{"string",
        {{"title", {ResType::kString, 0}, "Hello"}, {"alias", {ResType::kReference, 0x7f010000}, ""}}},
       {"id", {{"button", {ResType::kBoolean, 0}, ""}}},
       {"bool", {{"loop", {ResType::kReference, 0x7f030000}, ""}}}},
      layout);
}

TEST(ResourceTable, ReadsEveryLayout) {
  for (const TypeLayout layout :
       {TypeLayout::kDense, TypeLayout::kSparse, TypeLayout::kOffset16, TypeLayout::kCompact}) {
    const Result<ResourceTable> table = ResourceTable::Parse(Blob::Own(Table(layout)));
    ASSERT_TRUE(table) << table.error().message();
    EXPECT_EQ(table->ReferenceText(0x7f010000), "@string/title");
    EXPECT_EQ(table->ReferenceText(0x7f020000), "@id/button");
    EXPECT_EQ(table->ReferenceText(0x7f020001), "@0x7f020001");
    EXPECT_EQ(table->ReferenceText(0x01010001, '?'), "?0x01010001");
    EXPECT_EQ(table->Find("string", "alias"), 0x7f010001u);
    EXPECT_EQ(table->Find("string", "none"), 0u);
    const auto value = table->Resolve({ResType::kReference, 0x7f010001});
    ASSERT_TRUE(value);
    EXPECT_EQ(table->Text(*value), "Hello");
    EXPECT_FALSE(table->Resolve({ResType::kReference, 0x7f990001}));
  }
}

TEST(ResourceTable, ReferencesMayTurnInCircles) {
  const ResourceTable table = ResourceTable::Parse(Blob::Own(Table(TypeLayout::kDense))).value();
  const auto value = table.Resolve({ResType::kReference, 0x7f030000});
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->IsReference());
}

TEST(ResourceTable, EveryTruncationIsAnErrorAndEveryByteMayBeWrong) {
  const std::string good = Table(TypeLayout::kDense);
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(ResourceTable::Parse(Blob::Own(good.substr(0, size))));
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bytes = good;
      bytes[i] = value;
      const Result<ResourceTable> table = ResourceTable::Parse(Blob::Own(std::move(bytes)));
      if (!table) continue;
      table->ForEach([&](const ResourceEntry& entry) {
        (void)table->ReferenceText(entry.id);
        (void)table->Bag(entry);
      });
    }
  }
}

TEST(ResConfig, WritesQualifiers) {
  std::string config;
  PutU32(64, &config);
  config.append(60, '\0');
  EXPECT_EQ(ConfigQualifiers(Bytes(config)), "");
  config[8] = 'f';
  config[9] = 'r';
  config[10] = 'C';
  config[11] = 'A';
  config[12] = 2;  // land
  config[14] = static_cast<char>(240);
  config[24] = 21;
  config[29] = 0x20;  // night
  config[30] = 88;
  config[31] = 2;  // sw600dp
  EXPECT_EQ(ConfigQualifiers(Bytes(config)), "fr-rCA-sw600dp-land-night-hdpi-v21");
  // "fil", packed.
  config[8] = static_cast<char>(0xad);
  config[9] = 0x05;
  config[10] = 0;
  EXPECT_EQ(ConfigQualifiers(Bytes(config)).substr(0, 4), "fil-");
  // An old, short structure: what is behind its end does not count.
  config[0] = 28;
  EXPECT_EQ(ConfigQualifiers(Bytes(config)), "fil-land-hdpi-v21");
}

}  // namespace
}  // namespace marmoset::apk
