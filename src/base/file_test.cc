#include "base/file.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace marmoset {
namespace {

TEST(File, WritesAndReadsBack) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  const fs::path path = folder->path() / "a";
  ASSERT_TRUE(WriteFile(path, "one"));
  ASSERT_TRUE(WriteFile(path, std::string("t\0o", 3)));
  EXPECT_EQ(ReadFile(path).value(), std::string("t\0o", 3));
  // Nothing temporary is left beside it.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder->path()), fs::directory_iterator()), 1);
}

TEST(File, NamesTheFileInErrors) {
  auto missing = ReadFile("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message().find("/nonexistent/file"), std::string::npos);
  EXPECT_FALSE(WriteFile("/nonexistent/file", "x"));
  EXPECT_FALSE(MakeWritableFolder("/proc/nothing/here"));
}

TEST(File, AFullDiskIsSaidAndLosesNothing) {
  auto full = WriteFile("/dev/full/x", "x");
  ASSERT_FALSE(full);
}

TEST(File, TemporaryFoldersGoAway) {
  fs::path path;
  {
    auto folder = TemporaryFolder::Make();
    ASSERT_TRUE(folder);
    path = folder->path();
    ASSERT_TRUE(WriteFile(path / "a", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Hash, GoldenValues) {
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex64(Hash64("")), "2d06800538d394c2");
}

TEST(Hash, OfAFileIsThatOfItsBytes) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(WriteFile(folder->path() / "a", "abc"));
  EXPECT_EQ(Sha256OfFile((folder->path() / "a").string()).value(), Sha256("abc"));
  EXPECT_FALSE(Sha256OfFile("/nonexistent"));
}

}  // namespace
}  // namespace marmoset
