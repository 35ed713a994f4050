#include "trace/sqlite.h"

#include <sqlite3.h>

#include "base/check.h"

namespace marmoset {
namespace {

// How long a statement waits for another process that writes.
constexpr int kBusyMs = 5000;

Error ErrorOf(const fs::path& path, sqlite3* handle) {
  auto error = [&](ErrorCode code, std::string_view remedy) {
    const std::string_view words = handle == nullptr ? "out of memory" : sqlite3_errmsg(handle);
    std::string message = fmt::format("{}: {}", path.string(), words);
    if (!remedy.empty()) message += fmt::format(": {}", remedy);
    return Error(code, std::move(message));
  };
  switch (handle == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(handle)) {
    case SQLITE_FULL:
    // What SQLite says for a used-up quota, a limit on file sizes or a broken disk.
    case SQLITE_IOERR_WRITE:
    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_SHMSIZE:
      return error(ErrorCode::kIo, "free some space on the disk; what was committed before is kept");
    default:
      break;
  }
  switch (handle == nullptr ? SQLITE_NOMEM : sqlite3_errcode(handle)) {
    case SQLITE_NOTADB:
      return error(ErrorCode::kBadInput, "choose another file or folder");
    case SQLITE_CORRUPT:
      return error(ErrorCode::kBadInput,
                   "the file is damaged: restore a copy, or try `sqlite3 FILE .recover` on a copy of it");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(ErrorCode::kIo, "another process is using it: wait for it to end");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return error(ErrorCode::kIo, "the file and its folder must be writable: change their permissions");
    default:
      return error(ErrorCode::kIo, "");
  }
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Database* database, sqlite3_stmt* statement)
    : database_(database), statement_(statement) {}

// Binding fails only for a wrong number, a running statement or lack of memory: our own faults.

Statement& Statement::Bind(int parameter, int64_t value) {
  MARMOSET_CHECK(sqlite3_bind_int64(statement_.get(), parameter, value) == SQLITE_OK);
  return *this;
}

Statement& Statement::BindText(int parameter, std::string_view value) {
  MARMOSET_CHECK(sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(),
                                     SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK);
  return *this;
}

Statement& Statement::BindBlob(int parameter, std::string_view value) {
  MARMOSET_CHECK(sqlite3_bind_blob64(statement_.get(), parameter, value.data(), value.size(),
                                     SQLITE_TRANSIENT) == SQLITE_OK);
  return *this;
}

Statement& Statement::BindNull(int parameter) {
  MARMOSET_CHECK(sqlite3_bind_null(statement_.get(), parameter) == SQLITE_OK);
  return *this;
}

Result<bool> Statement::Next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  // The error is read before the reset, which may fail anew.
  if (code != SQLITE_DONE) {
    Error error = database_->LastError();
    Reset();
    return Fail(std::move(error));
  }
  Reset();
  return false;
}

Status Statement::Run() {
  for (;;) {
    MARMOSET_ASSIGN(const bool more, Next());
    if (!more) return {};
  }
}

void Statement::Reset() { sqlite3_reset(statement_.get()); }

int64_t Statement::Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return text == nullptr ? std::string() : std::string(text, static_cast<size_t>(size));
}

std::string Statement::Blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<size_t>(size));
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Closer::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<std::unique_ptr<Database>> Database::Open(const fs::path& path, Mode mode) {
  std::error_code error;
  if (mode == Mode::kExisting && !fs::is_regular_file(path, error))
    return Fail(ErrorCode::kNotFound, "{}: no such file", path.string());
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  std::unique_ptr<Database> database(new Database(path));
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  database->handle_.reset(handle);  // Must be closed even when opening failed.
  if (code != SQLITE_OK) return Fail(database->LastError());
  sqlite3_busy_timeout(handle, kBusyMs);
  return database;
}

Status Database::Execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return Fail(LastError());
  return {};
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK)
    return Fail(LastError());
  return Statement(this, statement);
}

Result<int64_t> Database::Integer(std::string_view sql) {
  MARMOSET_ASSIGN(Statement statement, Prepare(sql));
  MARMOSET_ASSIGN(const bool row, statement.Next());
  return row ? statement.Integer(0) : 0;
}

Result<std::string> Database::Text(std::string_view sql) {
  MARMOSET_ASSIGN(Statement statement, Prepare(sql));
  MARMOSET_ASSIGN(const bool row, statement.Next());
  return row ? statement.Text(0) : std::string();
}

Error Database::LastError() const { return ErrorOf(path_, handle_.get()); }

Result<Transaction> Transaction::Begin(Database& database) {
  MARMOSET_TRY(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Status Transaction::Commit() {
  MARMOSET_TRY(database_->Execute("COMMIT"));
  database_ = nullptr;
  return {};
}

Transaction::~Transaction() {
  // Some failures have already rolled back, so that an error here says nothing new.
  if (database_ != nullptr) (void)database_->Execute("ROLLBACK");
}

}  // namespace marmoset
