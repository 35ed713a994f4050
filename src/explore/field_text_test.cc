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

TEST(FieldText, WhatIsMadeForAKindFitsIt) {
  Random random(1);
  for (const FieldKind kind : {FieldKind::kNumber, FieldKind::kMail, FieldKind::kPhone, FieldKind::kDate,
                               FieldKind::kTime, FieldKind::kUrl, FieldKind::kName, FieldKind::kPassword})
    for (int i = 0; i < 100; ++i) {
      const std::string text = FittingText(kind, random);
      EXPECT_TRUE(Fits(kind, text)) << text;
    }
}

TEST(FieldText, WhatWasSeenFitsOrNot) {
  EXPECT_TRUE(Fits(FieldKind::kNumber, "12,50"));
  EXPECT_FALSE(Fits(FieldKind::kNumber, "12 apples"));
  EXPECT_TRUE(Fits(FieldKind::kName, "Rent for May"));
  EXPECT_FALSE(Fits(FieldKind::kName, "https://a.example"));
  EXPECT_TRUE(Fits(FieldKind::kDate, "27.11.2026"));
  EXPECT_FALSE(Fits(FieldKind::kDate, "2026"));
  EXPECT_TRUE(Fits(FieldKind::kTime, "9:30 AM"));
  EXPECT_FALSE(Fits(FieldKind::kTime, "Time: now"));
  EXPECT_TRUE(Fits(FieldKind::kMail, "a@b.example"));
  EXPECT_FALSE(Fits(FieldKind::kMail, "meet @ noon"));
}

}  // namespace
}  // namespace marmoset
