#include "trace/run_record.h"

#include <zstd.h>

#include <utility>

#include "base/hash.h"
#include "gui/codec.h"
#include "trace/sqlite.h"

namespace marmoset {
namespace {

// "MRMS" in SQLite's header: tells our databases from others.
constexpr int64_t kApplicationId = 0x4d524d53;

// More than any screen; a damaged size must not ask for all memory.
constexpr uint64_t kMaxScreenBytes = 256u << 20;

constexpr int kCompression = 3;

// docs/formats/run_record.md explains each table.
constexpr char kSchema[] = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE screens (hash INTEGER PRIMARY KEY, size INTEGER NOT NULL, json_zstd BLOB NOT NULL);
CREATE TABLE crashes (
  id INTEGER PRIMARY KEY, exception TEXT NOT NULL, frame TEXT NOT NULL, cause TEXT NOT NULL, thread TEXT NOT NULL,
  stack TEXT NOT NULL, first_step INTEGER NOT NULL, count INTEGER NOT NULL, trace_file TEXT NOT NULL DEFAULT '',
  screenshot_file TEXT NOT NULL DEFAULT '', UNIQUE (exception, frame));
CREATE TABLE host_gaps (
  id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, stack TEXT NOT NULL, first_step INTEGER NOT NULL,
  count INTEGER NOT NULL);
CREATE TABLE steps (
  number INTEGER PRIMARY KEY, episode INTEGER NOT NULL, action TEXT NOT NULL, selector TEXT, activity TEXT NOT NULL,
  activity_after TEXT NOT NULL, screen INTEGER NOT NULL, screen_after INTEGER NOT NULL, at_ms INTEGER NOT NULL,
  crash INTEGER REFERENCES crashes (id), host_gap INTEGER REFERENCES host_gaps (id));
CREATE INDEX steps_by_episode ON steps (episode, number);
CREATE TABLE activities (name TEXT PRIMARY KEY, first_step INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE resume (id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL);
)sql";

// Since format 2.
constexpr char kCoverageSchema[] = R"sql(
CREATE TABLE methods (
  class TEXT NOT NULL, method TEXT NOT NULL, descriptor TEXT NOT NULL, line INTEGER NOT NULL, own INTEGER NOT NULL,
  first_step INTEGER NOT NULL, first_event INTEGER NOT NULL, PRIMARY KEY (class, method, descriptor)) WITHOUT ROWID;
)sql";

constexpr char kStepColumns[] =
    "SELECT action, selector, activity, activity_after, screen, screen_after, at_ms, episode, number FROM "
    "steps ";

constexpr char kCrashColumns[] =
    "SELECT id, exception, frame, cause, thread, stack, first_step, count, trace_file, screenshot_file FROM "
    "crashes ";

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// SQLite's integers are signed; the bits are kept.
int64_t Signed(uint64_t hash) { return static_cast<int64_t>(hash); }
uint64_t Unsigned(int64_t hash) { return static_cast<uint64_t>(hash); }

Result<Step> StepOf(const Statement& row) {
  auto within = [&row](Error error) {
    return Fail(std::move(error).Within(fmt::format("run record: step {}", row.Integer(8))));
  };
  Step step;
  const Result<Json> action_json = ParseJson(row.Text(0));
  if (!action_json) return within(action_json.error());
  Result<Action> action = ActionFromJson(*action_json);
  if (!action) return within(action.error());
  step.action = std::move(*action);
  if (!row.IsNull(1)) {
    const Result<Json> selector_json = ParseJson(row.Text(1));
    if (!selector_json) return within(selector_json.error());
    Result<Selector> selector = SelectorFromJson(*selector_json);
    if (!selector) return within(selector.error());
    step.selector = std::move(*selector);
  }
  step.activity = row.Text(2);
  step.activity_after = row.Text(3);
  step.screen = Unsigned(row.Integer(4));
  step.screen_after = Unsigned(row.Integer(5));
  step.at_ms = row.Integer(6);
  return step;
}

CrashCause CauseNamed(std::string_view name) {
  for (const CrashCause cause : {CrashCause::kAnr, CrashCause::kNative})
    if (name == CrashCauseName(cause)) return cause;
  return CrashCause::kJava;
}

CrashEntry CrashOf(const Statement& row) {
  CrashEntry entry;
  entry.id = row.Integer(0);
  entry.signature = {row.Text(1), row.Text(2)};
  entry.crash = {CauseNamed(row.Text(3)), row.Text(4), row.Text(5)};
  entry.first_step = row.Integer(6);
  entry.count = row.Integer(7);
  entry.trace_file = row.Text(8);
  entry.screenshot_file = row.Text(9);
  return entry;
}

fs::path DatabasePath(const fs::path& folder) { return folder / "run.sqlite"; }

// A process that dies may leave its last transactions in the log file beside the database; SQLite takes them
// from there at the next opening. Losing the power (not the process) may lose the last few of them.
Status SetUp(Database& database) {
  MARMOSET_TRY(database.Execute("PRAGMA journal_mode=WAL"));
  return database.Execute("PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF");
}

Status UpdateFromFormat1(Database& database) {
  MARMOSET_ASSIGN(Transaction transaction, Transaction::Begin(database));
  MARMOSET_TRY(database.Execute(kCoverageSchema));
  MARMOSET_TRY(database.Execute("PRAGMA user_version=2"));
  return transaction.Commit();
}

}  // namespace

struct RunRecord::Impl {
  fs::path folder;
  std::unique_ptr<Database> database;

  // Used at every step, hence kept.
  struct Statements {
    Statement has_screen, add_screen, count_crash, add_crash, crash_by_signature, count_gap, add_gap,
        add_step, add_activity, add_method, set_state;
  };
  std::optional<Statements> statements;
  int64_t steps = 0;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compressor{ZSTD_createCCtx(), ZSTD_freeCCtx};

  Status Prepare();
  Status AddScreen(uint64_t hash, const Screen& screen);
  Result<CrashEntry> AddCrash(const Crash& crash, int64_t step);
  Result<int64_t> AddGap(const std::string& where, const std::string& stack, int64_t step);
};

Status RunRecord::Impl::Prepare() {
  MARMOSET_ASSIGN(Statement has_screen, database->Prepare("SELECT 1 FROM screens WHERE hash = ?1"));
  MARMOSET_ASSIGN(Statement add_screen,
                  database->Prepare("INSERT INTO screens (hash, size, json_zstd) VALUES (?1, ?2, ?3)"));
  MARMOSET_ASSIGN(Statement count_crash,
                  database->Prepare("UPDATE crashes SET count = count + 1 "
                                    "WHERE exception = ?1 AND frame = ?2 RETURNING id"));
  MARMOSET_ASSIGN(
      Statement add_crash,
      database->Prepare("INSERT INTO crashes (exception, frame, cause, thread, stack, first_step, count) "
                        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)"));
  MARMOSET_ASSIGN(Statement crash_by_signature,
                  database->Prepare(std::string(kCrashColumns) + "WHERE exception = ?1 AND frame = ?2"));
  MARMOSET_ASSIGN(Statement count_gap, database->Prepare("UPDATE host_gaps SET count = count + 1 "
                                                         "WHERE place = ?1 RETURNING id"));
  MARMOSET_ASSIGN(Statement add_gap,
                  database->Prepare("INSERT INTO host_gaps (place, stack, first_step, count) "
                                    "VALUES (?1, ?2, ?3, 1) RETURNING id"));
  MARMOSET_ASSIGN(
      Statement add_step,
      database->Prepare(
          "INSERT INTO steps (number, episode, action, selector, activity, activity_after, screen, "
          "screen_after, at_ms, crash, host_gap) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"));
  MARMOSET_ASSIGN(Statement add_activity, database->Prepare("INSERT INTO activities (name, first_step) "
                                                            "VALUES (?1, ?2) ON CONFLICT DO NOTHING"));
  MARMOSET_ASSIGN(Statement add_method,
                  database->Prepare("INSERT INTO methods VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
                                    "ON CONFLICT DO NOTHING"));
  MARMOSET_ASSIGN(Statement set_state,
                  database->Prepare("INSERT INTO resume (id, state) VALUES (1, ?1) "
                                    "ON CONFLICT (id) DO UPDATE SET state = excluded.state"));
  statements = Statements{std::move(has_screen), std::move(add_screen),         std::move(count_crash),
                          std::move(add_crash),  std::move(crash_by_signature), std::move(count_gap),
                          std::move(add_gap),    std::move(add_step),           std::move(add_activity),
                          std::move(add_method), std::move(set_state)};
  MARMOSET_ASSIGN(steps, database->Integer("SELECT ifnull(max(number), 0) FROM steps"));
  return {};
}

Status RunRecord::Impl::AddScreen(uint64_t hash, const Screen& screen) {
  MARMOSET_ASSIGN(const bool known, statements->has_screen.Bind(1, Signed(hash)).Next());
  statements->has_screen.Reset();
  if (known) return {};
  const std::string json = Dump(ToJson(screen));
  std::string packed(ZSTD_compressBound(json.size()), '\0');
  const size_t size = ZSTD_compressCCtx(compressor.get(), packed.data(), packed.size(), json.data(),
                                        json.size(), kCompression);
  if (ZSTD_isError(size)) return Fail(ErrorCode::kInternal, "zstd: {}", ZSTD_getErrorName(size));
  packed.resize(size);
  return statements->add_screen.Bind(1, Signed(hash))
      .Bind(2, static_cast<int64_t>(json.size()))
      .BindBlob(3, packed)
      .Run();
}

Result<CrashEntry> RunRecord::Impl::AddCrash(const Crash& crash, int64_t step) {
  const CrashSignature signature = SignatureOf(crash);
  MARMOSET_ASSIGN(
      const bool known,
      statements->count_crash.BindText(1, signature.exception).BindText(2, signature.frame).Next());
  statements->count_crash.Reset();
  if (!known)
    MARMOSET_TRY(statements->add_crash.BindText(1, signature.exception)
                     .BindText(2, signature.frame)
                     .BindText(3, CrashCauseName(crash.cause))
                     .BindText(4, crash.thread)
                     .BindText(5, crash.stack)
                     .Bind(6, step)
                     .Run());
  Statement& find = statements->crash_by_signature;
  MARMOSET_ASSIGN(const bool found,
                  find.BindText(1, signature.exception).BindText(2, signature.frame).Next());
  if (!found) return Fail(ErrorCode::kInternal, "{}: a crash was not stored", database->path().string());
  CrashEntry entry = CrashOf(find);
  find.Reset();
  return entry;
}

Result<int64_t> RunRecord::Impl::AddGap(const std::string& where, const std::string& stack, int64_t step) {
  Statement& count = statements->count_gap;
  MARMOSET_ASSIGN(const bool known, count.BindText(1, where).Next());
  const int64_t known_id = known ? count.Integer(0) : 0;
  count.Reset();
  if (known) return known_id;
  Statement& add = statements->add_gap;
  MARMOSET_ASSIGN(const bool added, add.BindText(1, where).BindText(2, stack).Bind(3, step).Next());
  const int64_t id = added ? add.Integer(0) : 0;
  add.Reset();
  return id;
}

RunRecord::RunRecord(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunRecord::~RunRecord() = default;
RunRecord::RunRecord(RunRecord&&) noexcept = default;
RunRecord& RunRecord::operator=(RunRecord&&) noexcept = default;

void RunRecord::Discard() {
  const Result<int64_t> steps = impl_->database->Integer("SELECT count(*) FROM steps");
  if (!steps || *steps > 0) return;
  const fs::path folder = impl_->folder;
  impl_.reset();
  std::error_code ignored;
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove(DatabasePath(folder).string() + ending, ignored);
  for (const char* name : {"crashes", "screenshots"}) fs::remove(folder / name, ignored);  // Empty ones.
}

const fs::path& RunRecord::folder() const { return impl_->folder; }

Result<RunRecord> RunRecord::Create(const fs::path& folder) {
  MARMOSET_TRY(MakeWritableFolder(folder));
  MARMOSET_TRY(MakeWritableFolder(folder / "crashes"));
  MARMOSET_TRY(MakeWritableFolder(folder / "screenshots"));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  MARMOSET_ASSIGN(impl->database, Database::Open(DatabasePath(folder), Database::Mode::kCreate));
  Database& database = *impl->database;
  // A database without any table is what a process leaves that was killed right here: it may be used.
  MARMOSET_ASSIGN(const int64_t tables, database.Integer("SELECT count(*) FROM sqlite_schema"));
  if (tables > 0)
    return Fail(
        ErrorCode::kBadInput,
        "{}: there is a run record already: go on with it by --resume, or choose another folder with --out",
        folder.string());
  MARMOSET_TRY(SetUp(database));
  MARMOSET_ASSIGN(Transaction transaction, Transaction::Begin(database));
  MARMOSET_TRY(database.Execute(kSchema));
  MARMOSET_TRY(database.Execute(kCoverageSchema));
  MARMOSET_TRY(database.Execute(
      fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kRunRecordFormat)
          .c_str()));
  MARMOSET_TRY(transaction.Commit());
  MARMOSET_TRY(impl->Prepare());
  return RunRecord(std::move(impl));
}

Result<RunRecord> RunRecord::Open(const fs::path& folder) {
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  auto opened = Database::Open(DatabasePath(folder), Database::Mode::kExisting);
  if (!opened && opened.error().code() == ErrorCode::kNotFound)
    return Fail(ErrorCode::kNotFound, "{}: no run record in this folder (run.sqlite is missing)",
                folder.string());
  MARMOSET_ASSIGN(impl->database, std::move(opened));
  Database& database = *impl->database;
  MARMOSET_ASSIGN(const int64_t application, database.Integer("PRAGMA application_id"));
  if (application != kApplicationId)
    return Fail(ErrorCode::kBadInput, "{}: not a run record of Marmoset: choose another folder",
                database.path().string());
  MARMOSET_ASSIGN(const int64_t format, database.Integer("PRAGMA user_version"));
  if (format > kRunRecordFormat)
    return Fail(ErrorCode::kUnsupported,
                "{}: the record has format {}, this version of marmoset reads up to {}: update marmoset",
                database.path().string(), format, kRunRecordFormat);
  MARMOSET_ASSIGN(const std::string verdict, database.Text("PRAGMA quick_check(1)"));
  if (verdict != "ok")
    return Fail(
        ErrorCode::kBadInput,
        "{}: the file is damaged ({}): restore a copy, or try `sqlite3 FILE .recover` on a copy of it",
        database.path().string(), verdict);
  MARMOSET_TRY(SetUp(database));
  if (format == 1) MARMOSET_TRY(UpdateFromFormat1(database));
  MARMOSET_TRY(impl->Prepare());
  return RunRecord(std::move(impl));
}

Status RunRecord::SetMeta(const std::string& key, const std::string& value) {
  MARMOSET_ASSIGN(Statement set,
                  impl_->database->Prepare("INSERT INTO meta (key, value) VALUES (?1, ?2) "
                                           "ON CONFLICT (key) DO UPDATE SET value = excluded.value"));
  return set.BindText(1, key).BindText(2, value).Run();
}

Result<std::optional<std::string>> RunRecord::Meta(const std::string& key) const {
  MARMOSET_ASSIGN(Statement get, impl_->database->Prepare("SELECT value FROM meta WHERE key = ?1"));
  MARMOSET_ASSIGN(const bool found, get.BindText(1, key).Next());
  return found ? std::optional(get.Text(0)) : std::nullopt;
}

Result<RunRecord::Appended> RunRecord::Append(const StepRecord& record, const Screen& after) {
  Impl& impl = *impl_;
  Appended appended;
  appended.number = impl.steps + 1;
  MARMOSET_ASSIGN(Transaction transaction, Transaction::Begin(*impl.database));
  MARMOSET_TRY(impl.AddScreen(ContentHash(after), after));
  if (record.crash) {
    MARMOSET_ASSIGN(appended.crash, impl.AddCrash(*record.crash, appended.number));
  }
  int64_t gap = 0;
  if (record.host_gap) {
    MARMOSET_ASSIGN(gap, impl.AddGap(record.host_gap->first, record.host_gap->second, appended.number));
  }
  const Step& step = record.step;
  Statement& add = impl.statements->add_step;
  add.Bind(1, appended.number).Bind(2, record.episode).BindText(3, Dump(ToJson(step.action)));
  if (step.selector)
    add.BindText(4, Dump(ToJson(*step.selector)));
  else
    add.BindNull(4);
  add.BindText(5, step.activity).BindText(6, step.activity_after);
  add.Bind(7, Signed(step.screen)).Bind(8, Signed(step.screen_after)).Bind(9, step.at_ms);
  if (appended.crash)
    add.Bind(10, appended.crash->id);
  else
    add.BindNull(10);
  if (record.host_gap)
    add.Bind(11, gap);
  else
    add.BindNull(11);
  if (Status added = add.Run(); !added) {
    // The number is ours unless somebody else appends to the same record.
    MARMOSET_ASSIGN(const int64_t steps, impl.database->Integer("SELECT ifnull(max(number), 0) FROM steps"));
    if (steps >= appended.number)
      return Fail(ErrorCode::kIo,
                  "{}: another process has appended to this record meanwhile: let only one use it at a time",
                  impl.database->path().string());
    return Fail(std::move(added.error()));
  }
  for (const std::string& name : record.activities)
    MARMOSET_TRY(impl.statements->add_activity.BindText(1, name).Bind(2, appended.number).Run());
  for (const AppMethod& m : record.entered) {
    Statement& method = impl.statements->add_method;
    method.BindText(1, m.class_name).BindText(2, m.name).BindText(3, m.descriptor).Bind(4, m.line);
    MARMOSET_TRY(method.Bind(5, m.own).Bind(6, appended.number).Bind(7, record.event).Run());
  }
  MARMOSET_TRY(impl.statements->set_state.BindBlob(1, record.state_after).Run());
  MARMOSET_TRY(transaction.Commit());
  impl.steps = appended.number;
  return appended;
}

Status RunRecord::SetCrashFiles(int64_t id, const std::string& trace_file,
                                const std::string& screenshot_file) {
  MARMOSET_ASSIGN(
      Statement set,
      impl_->database->Prepare("UPDATE crashes SET trace_file = ?2, screenshot_file = ?3 WHERE id = ?1"));
  return set.Bind(1, id).BindText(2, trace_file).BindText(3, screenshot_file).Run();
}

Result<int64_t> RunRecord::StepCount() const {
  return impl_->database->Integer("SELECT count(*) FROM steps");
}

Result<std::optional<StepRecord>> RunRecord::LastStep() const {
  MARMOSET_ASSIGN(Statement get,
                  impl_->database->Prepare(std::string(kStepColumns) + "ORDER BY number DESC LIMIT 1"));
  MARMOSET_ASSIGN(const bool found, get.Next());
  if (!found) return std::nullopt;
  StepRecord record;
  MARMOSET_ASSIGN(record.step, StepOf(get));
  record.episode = get.Integer(7);
  MARMOSET_ASSIGN(Statement state, impl_->database->Prepare("SELECT state FROM resume"));
  MARMOSET_ASSIGN(const bool has_state, state.Next());
  if (has_state) record.state_after = state.Blob(0);
  return record;
}

Result<int64_t> RunRecord::LastEpisode() const {
  return impl_->database->Integer("SELECT coalesce(max(episode), 0) FROM steps");
}

Result<std::vector<Step>> RunRecord::EpisodeSteps(int64_t episode) const {
  MARMOSET_ASSIGN(Statement get,
                  impl_->database->Prepare(std::string(kStepColumns) + "WHERE episode = ?1 ORDER BY number"));
  get.Bind(1, episode);
  std::vector<Step> steps;
  for (;;) {
    MARMOSET_ASSIGN(const bool more, get.Next());
    if (!more) return steps;
    MARMOSET_ASSIGN(Step step, StepOf(get));
    steps.push_back(std::move(step));
  }
}

Result<std::vector<CrashEntry>> RunRecord::Crashes() const {
  MARMOSET_ASSIGN(Statement get, impl_->database->Prepare(std::string(kCrashColumns) + "ORDER BY id"));
  std::vector<CrashEntry> entries;
  for (;;) {
    MARMOSET_ASSIGN(const bool more, get.Next());
    if (!more) return entries;
    entries.push_back(CrashOf(get));
  }
}

Result<std::vector<HostGapEntry>> RunRecord::HostGaps() const {
  MARMOSET_ASSIGN(Statement get,
                  impl_->database->Prepare("SELECT place, stack, count FROM host_gaps ORDER BY id"));
  std::vector<HostGapEntry> entries;
  for (;;) {
    MARMOSET_ASSIGN(const bool more, get.Next());
    if (!more) return entries;
    entries.push_back({get.Text(0), get.Text(1), get.Integer(2)});
  }
}

fs::path PictureOf(const Screen& screen) {
  return fs::path("screenshots") / ("shape-" + Hex64(ShapeHash(screen)) + ".png");
}

Result<std::vector<std::string>> RunRecord::Activities() const {
  MARMOSET_ASSIGN(Statement get, impl_->database->Prepare("SELECT name FROM activities ORDER BY name"));
  std::vector<std::string> names;
  for (;;) {
    MARMOSET_ASSIGN(const bool more, get.Next());
    if (!more) return names;
    names.push_back(get.Text(0));
  }
}

Result<std::vector<CoveredMethod>> RunRecord::Covered() const {
  MARMOSET_ASSIGN(Statement get,
                  impl_->database->Prepare(
                      "SELECT class, method, descriptor, line, own, first_step, first_event FROM methods "
                      "ORDER BY first_step, class, method, descriptor"));
  std::vector<CoveredMethod> covered;
  for (;;) {
    MARMOSET_ASSIGN(const bool more, get.Next());
    if (!more) return covered;
    covered.push_back(
        {{get.Text(0), get.Text(1), get.Text(2), static_cast<int>(get.Integer(3)), get.Integer(4) != 0},
         get.Integer(5),
         get.Integer(6)});
  }
}

Result<std::optional<Screen>> RunRecord::ScreenByHash(uint64_t hash) const {
  MARMOSET_ASSIGN(Statement get,
                  impl_->database->Prepare("SELECT size, json_zstd FROM screens WHERE hash = ?1"));
  MARMOSET_ASSIGN(const bool found, get.Bind(1, Signed(hash)).Next());
  if (!found) return std::nullopt;
  auto damaged = [&](std::string_view why) {
    return Fail(ErrorCode::kBadInput, "{}: screen {:016x} is damaged: {}", impl_->database->path().string(),
                hash, why);
  };
  const uint64_t size = Unsigned(get.Integer(0));
  if (size > kMaxScreenBytes) return damaged("its size is out of range");
  const std::string packed = get.Blob(1);
  std::string text(size, '\0');
  const size_t unpacked = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(unpacked)) return damaged(ZSTD_getErrorName(unpacked));
  if (unpacked != size) return damaged("it is shorter than recorded");
  const Result<Json> json = ParseJson(text);
  if (!json) return damaged(json.error().message());
  Result<Screen> screen = ScreenFromJson(*json);
  if (!screen) return damaged(screen.error().message());
  return std::move(*screen);
}

}  // namespace marmoset
