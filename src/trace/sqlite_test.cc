#include "trace/sqlite.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

class SqliteTest : public testing::Test {
 protected:
  SqliteTest() : folder_(TemporaryFolder::Make().value()), path_(folder_.path() / "a.sqlite") {}
  std::unique_ptr<Database> Open() { return Database::Open(path_, Database::Mode::kCreate).value(); }
  TemporaryFolder folder_;
  fs::path path_;
};

TEST_F(SqliteTest, ValuesSurvive) {
  auto database = Open();
  ASSERT_TRUE(database->Execute("CREATE TABLE t (i INTEGER, s TEXT, b BLOB, n TEXT)"));
  auto insert = database->Prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4)").value();
  const std::string zeros("a\0b", 3);
  ASSERT_TRUE(insert.Bind(1, -1).BindText(2, "").BindBlob(3, zeros).BindNull(4).Run());
  auto select = database->Prepare("SELECT i, s, b, n FROM t").value();
  ASSERT_TRUE(select.Next().value());
  EXPECT_EQ(select.Integer(0), -1);
  EXPECT_FALSE(select.IsNull(1));
  EXPECT_EQ(select.Text(1), "");
  EXPECT_EQ(select.Blob(2), zeros);
  EXPECT_TRUE(select.IsNull(3));
  EXPECT_EQ(select.Text(3), "");
  EXPECT_FALSE(select.Next().value());
  EXPECT_EQ(database->Integer("SELECT count(*) FROM t").value(), 1);
}

TEST_F(SqliteTest, ErrorsNameTheFile) {
  auto database = Open();
  const auto wrong = database->Prepare("SELECT * FROM nothing");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find(path_.string()), std::string::npos);
  EXPECT_EQ(Database::Open(folder_.path() / "none", Database::Mode::kExisting).error().code(),
            ErrorCode::kNotFound);
  EXPECT_EQ(Database::Open(folder_.path() / "no" / "folder", Database::Mode::kCreate).error().code(),
            ErrorCode::kIo);
}

TEST_F(SqliteTest, ATransactionThatIsNotCommittedLeavesNothing) {
  auto database = Open();
  ASSERT_TRUE(database->Execute("CREATE TABLE t (i INTEGER)"));
  {
    auto transaction = Transaction::Begin(*database).value();
    ASSERT_TRUE(database->Execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(database->Integer("SELECT count(*) FROM t").value(), 0);
  auto transaction = Transaction::Begin(*database).value();
  ASSERT_TRUE(database->Execute("INSERT INTO t VALUES (1)"));
  ASSERT_TRUE(transaction.Commit());
  EXPECT_EQ(database->Integer("SELECT count(*) FROM t").value(), 1);
}

}  // namespace
}  // namespace marmoset
