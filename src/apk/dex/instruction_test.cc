#include "apk/dex/instruction.h"

#include <gtest/gtest.h>

namespace marmoset::dex {
namespace {

Instruction Of(std::initializer_list<uint16_t> units, uint32_t* size = nullptr) {
  const std::string_view bytes(reinterpret_cast<const char*>(units.begin()), 2 * units.size());
  Instruction instruction;
  const uint32_t length = Decode(Units(bytes), 0, &instruction);
  if (size != nullptr) *size = length;
  return instruction;
}

TEST(Instruction, DecodesEveryKindOfOperand) {
  EXPECT_EQ(Of({0xf112}).literal, -1);  // const/4 v1, -1
  EXPECT_EQ(Of({0xf112}).registers[0], 1);
  EXPECT_EQ(Of({0x0015, 0x7f01}).literal, 0x7f010000);
  EXPECT_EQ(Of({0x0019, 0x8000}).literal, INT64_MIN);
  EXPECT_EQ(Of({0xfe28}).literal, -2);
  EXPECT_EQ(Of({0x002a, 0xfffe, 0xffff}).literal, -2);
  EXPECT_EQ(Of({0x0018, 1, 2, 3, 0x8000}).literal, static_cast<int64_t>(0x8000000300020001));
  const Instruction invoke = Of({0x206e, 0x0007, 0x0021});
  EXPECT_EQ(invoke.count, 2);
  EXPECT_EQ(invoke.index, 7u);
  EXPECT_EQ(invoke.registers[0], 1);
  EXPECT_EQ(invoke.registers[1], 2);
  const Instruction range = Of({0x0374, 0x0007, 0x0010});
  EXPECT_TRUE(range.IsRange());
  EXPECT_EQ(range.count, 3);
  EXPECT_EQ(range.registers[0], 16);
  EXPECT_EQ(Of({0x10fa, 5, 0, 9}).proto, 9u);
}

TEST(Instruction, RefusesWhatIsCutOffOrUnassigned) {
  uint32_t size = 1;
  Of({0x0014, 1}, &size);
  EXPECT_EQ(size, 0u);
  Of({0x0073, 1, 2}, &size);
  EXPECT_EQ(size, 0u);
  Of({0x606e, 1, 2}, &size);  // Six arguments.
  EXPECT_EQ(size, 0u);
}

TEST(Instruction, MeasuresPayloads) {
  const uint16_t packed[] = {0x0100, 2, 0, 0, 1, 0, 2, 0};
  const Units units(std::string_view(reinterpret_cast<const char*>(packed), sizeof packed));
  EXPECT_EQ(PayloadUnits(units, 0), 8u);
  EXPECT_EQ(PayloadUnits(Units(units.bytes().substr(2)), 0), 0u);
  const uint16_t array[] = {0x0300, 1, 3, 0, 0x0201, 0x0003};
  EXPECT_EQ(PayloadUnits(Units(std::string_view(reinterpret_cast<const char*>(array), sizeof array)), 0), 6u);
}

}  // namespace
}  // namespace marmoset::dex
