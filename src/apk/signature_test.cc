#include "apk/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/testing/builders.h"
#include "apk/testing/data.h"
#include "base/file.h"

namespace marmoset::apk {
namespace {

using ::testing::HasSubstr;

const SigningKey& Key() {
  static const SigningKey key = SigningKey::Generate().value();
  return key;
}

Zip Signed(int min_sdk) {
  const Zip zip = Zip::Parse(Blob::Own(testing::BuildSmallApk("a.b")), "x.apk").value();
  return Zip::Parse(Blob::Own(SignApk(zip, Key(), min_sdk).value()), "y.apk").value();
}

TEST(Signature, WhatIsSignedVerifies) {
  for (const int min_sdk : {14, 21, 28}) {
    const std::vector<Signer> signers = VerifySignatures(Signed(min_sdk));
    ASSERT_EQ(signers.size(), min_sdk < 24 ? 3u : 2u);
    for (const Signer& signer : signers) {
      EXPECT_TRUE(signer.intact) << signer.scheme << signer.problem;
      EXPECT_EQ(signer.subject, "CN=Marmoset Debug");
      EXPECT_EQ(signer.certificate_sha256.size(), 64u);
    }
  }
}

TEST(Signature, SigningAgainReplacesTheOldSignatures) {
  const Zip again = Zip::Parse(Blob::Own(SignApk(Signed(14), Key(), 14).value()), "z.apk").value();
  EXPECT_EQ(VerifySignatures(again).size(), 3u);
}

TEST(Signature, ChangesAreFound) {
  const Zip zip = Signed(21);
  std::string bytes(zip.bytes());
  const uint64_t at = zip.Find("classes.dex")->data_offset;
  bytes[at] ^= 1;
  for (const Signer& signer : VerifySignatures(Zip::Parse(Blob::Own(bytes), "x").value())) {
    EXPECT_FALSE(signer.intact);
    EXPECT_THAT(signer.problem, HasSubstr("changed after it was signed"));
  }
}

TEST(Signature, EveryByteOfTheBlockMayBeWrong) {
  const Zip zip = Signed(28);
  const uint64_t end = zip.central_directory_offset();
  const uint64_t start = end - zip.signing_block().size();
  for (uint64_t at = start; at < end; at += 7) {
    std::string bytes(zip.bytes());
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    const Result<Zip> changed = Zip::Parse(Blob::Own(std::move(bytes)), "x");
    ASSERT_TRUE(changed);
    const std::vector<Signer> signers = VerifySignatures(*changed);
    EXPECT_FALSE(signers.size() == 2 && signers[0].intact && signers[1].intact) << at - start;
  }
}

TEST(SigningKey, IsKept) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = (folder.path() / "debug.pem").string();
  const SigningKey first = SigningKey::LoadOrGenerate(path).value();
  EXPECT_EQ(SigningKey::LoadOrGenerate(path).value().CertificateDer(), first.CertificateDer());
  ASSERT_TRUE(WriteFile(path, "nonsense"));
  EXPECT_THAT(SigningKey::LoadOrGenerate(path).error().message(), HasSubstr("debug.pem"));
}

TEST(Signature, RealAppsAreIntact) {
  MARMOSET_NEED_REAL_APKS(files);
  for (const std::string& file : files) {
    const std::vector<Signer> signers = VerifySignatures(Zip::Open(file).value());
    EXPECT_FALSE(signers.empty()) << file;
    for (const Signer& signer : signers)
      EXPECT_TRUE(signer.intact) << file << signer.scheme << signer.problem;
  }
}

}  // namespace
}  // namespace marmoset::apk
