#include "explore/field_text.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

std::optional<FieldKind> KindOf(const std::string& id, const std::string& hint = "") {
  Widget field;
  field.resource_id = id.empty() ? "" : "a.b:id/" + id;
  field.hint = hint;
  return FieldKindOf(field);
}

TEST(FieldText, WordsTellTheKind) {
  EXPECT_EQ(KindOf("amount"), FieldKind::kNumber);
  EXPECT_EQ(KindOf("pricePerUnit"), FieldKind::kNumber);
  EXPECT_EQ(KindOf("", "Your e-mail"), FieldKind::kMail);
  EXPECT_EQ(KindOf("phone_number"), FieldKind::kPhone);
  EXPECT_EQ(KindOf("mail_count"), FieldKind::kNumber);
  EXPECT_EQ(KindOf("", "Date of birth"), FieldKind::kDate);
  EXPECT_EQ(KindOf("edit_text"), std::nullopt);
  EXPECT_EQ(KindOf("candidate"), std::nullopt);  // "date" is no word of it.
  EXPECT_EQ(KindOf("", ""), std::nullopt);
  Widget secret;
  secret.password = true;
  EXPECT_EQ(FieldKindOf(secret), FieldKind::kPassword);
}

TEST(FieldText, TextsHaveTheForm) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(FittingText(FieldKind::kDate, random).size(), 10u);
    EXPECT_EQ(FittingText(FieldKind::kTime, random)[2], ':');
    EXPECT_NE(FittingText(FieldKind::kMail, random).find("@example.com"), std::string::npos);
    EXPECT_FALSE(FittingText(FieldKind::kNumber, random).empty());
  }
}

}  // namespace
}  // namespace marmoset
