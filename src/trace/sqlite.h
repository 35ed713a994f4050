// SQLite with our errors and lifetimes: a database and its statements as objects, failures as values that
// name the file and what to do.
//
// One thread at a time. A Statement must not outlive its Database.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace marmoset {

class Statement {
 public:
  // Parameters count from 1. The bytes are copied.
  Statement& Bind(int parameter, int64_t value);
  Statement& BindText(int parameter, std::string_view value);
  Statement& BindBlob(int parameter, std::string_view value);
  Statement& BindNull(int parameter);

  // Goes to the next row: false at the end, after which the statement may be bound and run again.
  Result<bool> Next();

  // Runs a statement that gives no rows (rows are skipped) and makes it ready for the next run.
  Status Run();

  // Ends a run before its last row.
  void Reset();

  // Columns of the current row, from 0. A value of another type is converted as SQLite does; NULL is 0 or "".
  int64_t Integer(int column) const;
  std::string Text(int column) const;
  std::string Blob(int column) const;
  bool IsNull(int column) const;

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const class Database* database, sqlite3_stmt* statement);
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

class Database {
 public:
  enum class Mode { kExisting, kCreate };

  // kNotFound when there is no file (kExisting); kBadInput when it is no database; kIo otherwise.
  static Result<std::unique_ptr<Database>> Open(const fs::path& path, Mode mode);

  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs one or several statements without parameters.
  Status Execute(const char* sql);

  Result<Statement> Prepare(std::string_view sql);

  // The first column of the only row of a query.
  Result<int64_t> Integer(std::string_view sql);
  Result<std::string> Text(std::string_view sql);

  // The last failure as an Error: the file, SQLite's words, and the remedy for a full disk, a damaged file, a
  // file that another process holds.
  Error LastError() const;

  const fs::path& path() const { return path_; }

 private:
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

// BEGIN on construction through Begin(), ROLLBACK at the end of its life unless Commit() succeeded.
class Transaction {
 public:
  static Result<Transaction> Begin(Database& database);
  Status Commit();
  ~Transaction();
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace marmoset
