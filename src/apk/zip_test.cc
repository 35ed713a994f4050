#include "apk/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/zip_writer.h"
#include "base/file.h"

namespace marmoset::apk {
namespace {

using ::testing::HasSubstr;

std::string TwoEntries() {
  ZipWriter writer;
  writer.AddDeflated("a.txt", std::string(5000, 'a'));
  writer.AddStored("b.bin", "stored", 4096);
  return writer.Finish().value().Join();
}

std::string MessageOf(std::string bytes) {
  const Result<Zip> zip = Zip::Parse(Blob::Own(std::move(bytes)), "x.apk");
  if (!zip) return zip.error().message();
  for (const ZipEntry& entry : zip->entries()) {
    if (const Result<Blob> blob = zip->Read(entry); !blob) return blob.error().message();
  }
  return "";
}

TEST(Zip, ReadsWhatTheWriterWrote) {
  const Result<Zip> zip = Zip::Parse(Blob::Own(TwoEntries()), "x.apk");
  ASSERT_TRUE(zip) << zip.error().message();
  ASSERT_EQ(zip->entries().size(), 2u);
  EXPECT_EQ(zip->Read("a.txt").value().view(), std::string(5000, 'a'));
  EXPECT_EQ(zip->Read("b.bin").value().view(), "stored");
  EXPECT_EQ(zip->Find("a.txt")->method, kDeflated);
  EXPECT_EQ(zip->Find("b.bin")->data_offset % 4096, 0u);
  EXPECT_EQ(zip->Find("c"), nullptr);
  EXPECT_EQ(zip->Read("c").error().code(), ErrorCode::kNotFound);
}

TEST(Zip, StoredEntriesAreNotCopied) {
  const Blob bytes = Blob::Own(TwoEntries());
  const Result<Zip> zip = Zip::Parse(bytes, "x.apk");
  const std::string_view content = zip->Read("b.bin").value().view();
  EXPECT_TRUE(content.data() > bytes.view().data() &&
              content.data() < bytes.view().data() + bytes.view().size());
}

TEST(Zip, CopiesRawEntries) {
  const Zip from = Zip::Parse(Blob::Own(TwoEntries()), "x.apk").value();
  ZipWriter writer;
  for (const ZipEntry& entry : from.entries()) writer.AddRaw(from, entry, 4);
  const Zip copy = Zip::Parse(Blob::Own(writer.Finish().value().Join()), "y.apk").value();
  EXPECT_EQ(copy.Read("a.txt").value().view(), std::string(5000, 'a'));
  EXPECT_EQ(copy.Find("b.bin")->data_offset % 4, 0u);
}

TEST(Zip, FindsTheSigningBlock) {
  ZipWriter writer;
  writer.AddStored("a", "b");
  std::string block;
  PutU64(24 + 4, &block);
  block += "pair";
  PutU64(24 + 4, &block);
  block += "APK Sig Block 42";
  const Zip zip = Zip::Parse(Blob::Own(writer.Finish().value().Join(block)), "x").value();
  EXPECT_EQ(zip.signing_block(), block);
  EXPECT_EQ(zip.Read("a").value().view(), "b");
}

TEST(Zip, SaysWhatIsWrong) {
  EXPECT_THAT(MessageOf(""), HasSubstr("x.apk: not an APK"));
  EXPECT_THAT(MessageOf("<html>not found</html>"), HasSubstr("no zip archive"));
  const std::string good = TwoEntries();
  EXPECT_THAT(MessageOf(good.substr(0, good.size() - 30)), HasSubstr("truncated"));
  std::string encrypted = good;
  encrypted[good.find("PK\x01\x02") + 8] = 1;
  EXPECT_THAT(MessageOf(encrypted), HasSubstr("a.txt (data at offset 0x23): encrypted"));
  std::string damaged = good;
  damaged[40] ^= 0x55;
  EXPECT_THAT(MessageOf(damaged), HasSubstr("x.apk: a.txt (data at offset 0x23): "));
  std::string renamed = good;
  renamed[30] = 'z';
  EXPECT_THAT(MessageOf(renamed), HasSubstr("another name"));
  std::string method = good;
  method[good.find("PK\x01\x02") + 10] = 12;
  EXPECT_THAT(MessageOf(method), HasSubstr("compression method 12"));
  ZipWriter twice;
  twice.AddStored("a", "1");
  twice.AddStored("a", "2");
  EXPECT_THAT(MessageOf(twice.Finish().value().Join()), HasSubstr("two entries of this name"));
}

TEST(Zip, EveryTruncationIsAnError) {
  const std::string good = TwoEntries();
  for (size_t size = 0; size < good.size(); ++size) EXPECT_NE(MessageOf(good.substr(0, size)), "") << size;
}

TEST(Zip, AForgedSizeCostsNothing) {
  // The directory promises 200 MB for the first entry; reading ends when the data does.
  std::string bytes = TwoEntries();
  const uint32_t size = 200'000'000;
  bytes.replace(bytes.find("PK\x01\x02") + 24, 4, reinterpret_cast<const char*>(&size), 4);
  EXPECT_THAT(MessageOf(bytes), HasSubstr("inflates to 5000 bytes, not 200000000"));
}

TEST(Zip, AnswersForFilesThatCannotBeRead) {
  EXPECT_EQ(Zip::Open("/nonexistent.apk").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Zip::Open("/").error().code(), ErrorCode::kBadInput);
}

// One stored entry whose sizes and offset are in zip64 fields, with zip64 end records.
TEST(Zip, ReadsZip64) {
  ZipWriter writer;
  writer.AddStored("name", "zip64");
  const ZipParts parts = writer.Finish().value();
  std::string directory = parts.directory;
  directory.replace(20, 8, std::string(8, '\xff'));
  directory.replace(42, 4, std::string(4, '\xff'));
  directory[30] = 28;  // The size of the extra field.
  PutU16(1, &directory);
  PutU16(24, &directory);
  PutU64(5, &directory);
  PutU64(5, &directory);
  PutU64(0, &directory);
  std::string bytes = parts.entries + directory;
  const uint64_t end64 = bytes.size();
  PutU32(0x06064b50, &bytes);
  PutU64(44, &bytes);
  bytes.append(12, '\0');
  PutU64(1, &bytes);
  PutU64(1, &bytes);
  PutU64(directory.size(), &bytes);
  PutU64(parts.entries.size(), &bytes);
  PutU32(0x07064b50, &bytes);
  PutU32(0, &bytes);
  PutU64(end64, &bytes);
  PutU32(1, &bytes);
  PutU32(0x06054b50, &bytes);
  PutU32(0, &bytes);
  bytes.append(12, '\xff');
  PutU16(0, &bytes);
  const Result<Zip> zip = Zip::Parse(Blob::Own(bytes), "x");
  ASSERT_TRUE(zip) << zip.error().message();
  EXPECT_EQ(zip->Read("name").value().view(), "zip64");
}

}  // namespace
}  // namespace marmoset::apk
