/* The SQLite file. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep, mkstemp */
#include "ledger/store.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { APPLICATION = 0x64706e4c, VERSION = 1, DEFAULT_WAIT = 10000 };

static const char *const schema[][2] = {
    {"entry", "CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT NOT NULL, tag BLOB NOT NULL)"},
    /* Rows are only ever added at the end, in both tables and without an index: see slack.c. */
    {"result", "CREATE TABLE result (place INTEGER PRIMARY KEY, number INTEGER NOT NULL, specification TEXT NOT NULL, "
               "text TEXT NOT NULL, tag BLOB NOT NULL)"},
};
enum { OBJECTS = sizeof schema / sizeof *schema };

/* ---- Trouble ---- */

dpn_status dpn_store_fail(const dpn_store *store, int code, dpn_error *why) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: /* the log was begun anew again and again while we wanted to read it */
        if (store->gave_up)
            return dpn_fail(why, DPN_ECANCELLED,
                            "the ledger was busy, and the wait was cancelled; nothing was recorded");
        return dpn_fail(why, DPN_EIO,
                        "the ledger is busy: other processes kept it for %u ms; nothing was recorded, try again",
                        store->wait);
    case SQLITE_READONLY:
        return dpn_fail(why, DPN_EIO, "the ledger cannot be written: it, or its directory, is read-only");
    case SQLITE_FULL:
        return dpn_fail(why, DPN_EIO, "the ledger cannot be written: the disk is full");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return dpn_fail(why, DPN_EIO, "the file is damaged or no ledger (%s)", sqlite3_errstr(code));
    case SQLITE_CANTOPEN:
        return dpn_fail(why, DPN_EIO, "the ledger cannot be opened");
    default:
        return dpn_fail(why, DPN_EIO, "the ledger cannot be read or written (%s)", sqlite3_errstr(code));
    }
}

/* ---- Waiting ---- */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return INT64_C(1000000000) * t.tv_sec + t.tv_nsec;
}

/* Each statement has the whole wait: what was verified before it may have taken longer than that. */
static void start_clock(dpn_store *store) {
    store->deadline = now() + INT64_C(1000000) * store->wait;
    store->gave_up = false;
}

/* SQLite calls this while the file is locked. Short waits of varying length are fair enough to many processes. */
static int wait_a_little(void *context, int count) {
    dpn_store *store = context;
    if (store->cancelled && store->cancelled(store->context)) store->gave_up = true;
    if (store->gave_up || now() >= store->deadline) return 0;
    store->jitter = store->jitter * 1664525u + 1013904223u;
    long most = 200000L * (count < 20 ? count + 1 : 20);
    struct timespec pause = {0, most / 2 + (long)(store->jitter >> 8) % most};
    nanosleep(&pause, NULL);
    return 1;
}

/* ---- Statements ---- */

static const char *const texts[] = {
    [DPN_SQL_BEGIN] = "BEGIN",
    [DPN_SQL_BEGIN_NOW] = "BEGIN IMMEDIATE",
    [DPN_SQL_COMMIT] = "COMMIT",
    [DPN_SQL_ROLLBACK] = "ROLLBACK",
    [DPN_SQL_INSERT] = "INSERT INTO entry (number, text, tag) VALUES (?1, ?2, ?3)",
    [DPN_SQL_SELECT] = "SELECT number, text, tag FROM entry WHERE number > ?1 ORDER BY number",
    [DPN_SQL_SELECT_ON] =
        "SELECT number, CASE WHEN number > ?1 THEN text END, tag FROM entry WHERE number >= ?1 ORDER BY number",
    [DPN_SQL_SELECT_TAG] = "SELECT tag FROM entry WHERE number = ?1",
    [DPN_SQL_KEEP_RESULT] = "INSERT INTO result (number, specification, text, tag) VALUES (?1, ?2, ?3, ?4)",
    [DPN_SQL_NEXT_RESULT] =
        "SELECT place, number, text, tag, specification FROM result WHERE place > ?1 ORDER BY place LIMIT 1",
    [DPN_SQL_FIND_RESULT] =
        "SELECT place, number, text, tag, specification FROM result WHERE specification = ?1 ORDER BY number DESC",
    [DPN_SQL_HAS_RESULT] = "SELECT 1 FROM result WHERE number = ?1",
    [DPN_SQL_TWICE] = "SELECT number FROM result GROUP BY number HAVING count(*) > 1 LIMIT 1",
};

sqlite3_stmt *dpn_store_statement(dpn_store *store, enum dpn_sql sql, dpn_error *why) {
    sqlite3_stmt **statement = &store->statement[sql];
    start_clock(store);
    if (*statement) {
        sqlite3_reset(*statement);
        return *statement;
    }
    int code = sqlite3_prepare_v3(store->db, texts[sql], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    if (code) dpn_store_fail(store, code, why);
    return *statement;
}

dpn_status dpn_store_run(dpn_store *store, enum dpn_sql sql, dpn_error *why) {
    sqlite3_stmt *statement = dpn_store_statement(store, sql, why);
    if (!statement) return why ? why->status : DPN_EIO;
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? DPN_OK : dpn_store_fail(store, code, why);
}

/* A statement that is in the way of the end of a transaction is reset first. ROLLBACK was prepared on opening, so that
 * it needs no memory now; what it returns does not matter, because SQLite has then rolled back on its own or will when
 * it can. */
void dpn_store_abandon(dpn_store *store) {
    for (size_t i = 0; i < sizeof store->statement / sizeof *store->statement; i++)
        if (store->statement[i]) sqlite3_reset(store->statement[i]);
    sqlite3_stmt *rollback = store->statement[DPN_SQL_ROLLBACK];
    if (!rollback || sqlite3_get_autocommit(store->db)) return;
    sqlite3_step(rollback);
    sqlite3_reset(rollback);
}

uint32_t dpn_store_version(dpn_store *store) {
    uint32_t version = 0;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK ? version : 0;
}

bool dpn_store_moved(dpn_store *store) {
    int moved = 0;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

/* ---- Settings ---- */

static dpn_status ask_once(char *out, size_t size, dpn_store *store, const char *sql, dpn_error *why) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (!code) code = sqlite3_step(statement);
    dpn_status status = DPN_OK;
    out[0] = '\0';
    if (code == SQLITE_ROW) {
        const unsigned char *text = sqlite3_column_text(statement, 0);
        if (text) snprintf(out, size, "%s", (const char *)text);
    } else if (code != SQLITE_DONE) {
        status = dpn_store_fail(store, code, why);
    }
    sqlite3_finalize(statement);
    return status;
}

/* The first value that a statement gives, as text. */
static dpn_status ask(char *out, size_t size, dpn_store *store, const char *sql, dpn_error *why) {
    start_clock(store);
    return ask_once(out, size, store, sql, why);
}

/* Two processes that change the journal of one file at once would wait for each other, so SQLite tells one of them
 * "busy" without asking wait_a_little: ask again, until our own time is over. */
static dpn_status ask_again(char *out, size_t size, dpn_store *store, const char *sql, dpn_error *why) {
    start_clock(store);
    for (int count = 0;; count++) {
        dpn_status status = ask_once(out, size, store, sql, why);
        if (!status || (sqlite3_errcode(store->db) & 0xff) != SQLITE_BUSY || !wait_a_little(store, count))
            return status;
    }
}

static dpn_status do_all(dpn_store *store, const char *sql, dpn_error *why) {
    start_clock(store);
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code ? dpn_store_fail(store, code, why) : DPN_OK;
}

/* With a rollback journal FULL is not enough: in the mode "delete" the directory is not synchronised after the journal
 * is gone, and a journal that comes back after a power cut takes the charge with it. */
bool dpn_store_durable(const char *journal, int synchronous) {
    if (strcmp(journal, "wal") == 0) return synchronous == 2 || synchronous == 3;
    if (strcmp(journal, "delete") == 0 || strcmp(journal, "truncate") == 0 || strcmp(journal, "persist") == 0)
        return synchronous == 3;
    return false; /* memory, off */
}

static dpn_status set_journal(dpn_store *store, bool wal, dpn_error *why) {
    char journal[16], level[16];
    dpn_status status = ask_again(journal, sizeof journal, store, "PRAGMA journal_mode", why);
    bool is_wal = strcmp(journal, "wal") == 0;
    if (!status && wal && !is_wal) status = ask_again(journal, sizeof journal, store, "PRAGMA journal_mode=WAL", why);
    /* Truncating the journal costs one synchronisation less than removing it. */
    if (!status && !wal && !is_wal)
        status = ask_again(journal, sizeof journal, store, "PRAGMA journal_mode=TRUNCATE", why);
    if (!status) status = ask(level, sizeof level, store, "PRAGMA synchronous", why);
    if (status) return status;
    if (!dpn_store_durable(journal, level[0] - '0') || level[1])
        return dpn_fail(why, DPN_EIO, "SQLite would not make charges durable (journal %s, synchronous %s)", journal,
                        level);
    return DPN_OK;
}

static dpn_status settle(dpn_store *store, dpn_error *why) {
    static const int switches[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        sqlite3_db_config(store->db, switches[i][0], switches[i][1], NULL);
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, 1 << 26); /* the longest result, and the rest of its row */
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
    return do_all(store,
                  "PRAGMA synchronous=EXTRA; PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON; "
                  "PRAGMA locking_mode=NORMAL; PRAGMA mmap_size=0; PRAGMA secure_delete=ON; PRAGMA cell_size_check=ON; "
                  "PRAGMA temp_store=MEMORY; "
                  "PRAGMA trusted_schema=OFF",
                  why);
}

/* ---- Opening ---- */

/* SQLite gives a meaning to "", ":memory:" and "file:..."; a name that starts with ./ or / has none. */
static char *plain_name(const char *path) {
    const char *prefix = path[0] == '/' ? "" : "./";
    size_t size = strlen(prefix) + strlen(path) + 1;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%s%s", prefix, path);
    return name;
}

dpn_status dpn_store_check_file(const char *path, bool make, dpn_error *why) {
    struct stat stat_of;
    if (path[0] == '\0') return dpn_fail(why, DPN_EIO, "the name of the ledger is empty");
    if (stat(path, &stat_of) != 0)
        return make ? DPN_OK
                    : dpn_fail(why, DPN_EIO, "there is no ledger '%.80s'; dpnoise budget init makes one", path);
    if (!S_ISREG(stat_of.st_mode)) return dpn_fail(why, DPN_EIO, "'%.80s' is not a file", path);
    if (stat_of.st_nlink > 1) /* the journal lies beside one name only, and recovery by the other would miss it */
        return dpn_fail(why, DPN_EIO, "the ledger '%.80s' has a second name (a hard link); remove one", path);
    return DPN_OK;
}

static char *put_encoded(char *out, const char *text) {
    for (const char *at = text; *at; at++) out += sprintf(out, "%%%02x", (unsigned)(unsigned char)*at);
    return out;
}

/* A new ledger is for its owner alone: what was asked and answered stands in it. SQLite would open it to all whom the umask leaves in, unless it is
 * shown a file whose mode it is to take; its journals take the mode of the ledger. Had the file been made here, closing it could give up locks that
 * another thread has by then. */
static int open_new(dpn_store *store, const char *name, int flags) {
    static const char suffix[] = ".XXXXXX", form[] = "file:?modeof=";
    size_t length = strlen(name);
    char *draft = malloc(length + sizeof suffix), *uri = malloc(sizeof form + 3 * (2 * length + sizeof suffix));
    int code = SQLITE_NOMEM, file = -1;
    if (draft && uri) {
        memcpy(draft, name, length);
        memcpy(draft + length, suffix, sizeof suffix);
        file = mkstemp(draft); /* mode 0600, less what the umask takes */
        code = file < 0 ? SQLITE_CANTOPEN : SQLITE_OK;
    }
    if (file >= 0) {
        close(file);
        strcpy(put_encoded(stpcpy(uri, "file:"), name), "?modeof=");
        *put_encoded(uri + strlen(uri), draft) = '\0';
        code = sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL);
        unlink(draft);
    }
    free(draft);
    free(uri);
    return code;
}

dpn_status dpn_store_open(dpn_store *store, const char *path, bool make, const dpn_ledger_options *options,
                          dpn_error *why) {
    *store = (dpn_store){.wait = options && options->wait ? options->wait : DEFAULT_WAIT,
                         .jitter = (unsigned)getpid(),
                         .cancelled = options ? options->cancelled : NULL,
                         .context = options ? options->context : NULL};
    dpn_status status = dpn_store_check_file(path, make, why);
    char *name = status ? NULL : plain_name(path);
    if (!status && !name) status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (status) return status;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    struct stat stat_of;
    bool anew = make && stat(name, &stat_of) != 0; /* one that is there keeps its mode */
    int code = anew ? open_new(store, name, flags) : sqlite3_open_v2(name, &store->db, flags, NULL);
    free(name);
    if (code) return dpn_store_fail(store, code, why);
    if (!store->db) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    sqlite3_busy_handler(store->db, wait_a_little, store);
    status = settle(store, why);
    if (!status) status = set_journal(store, make && options && options->wal, why);
    if (!status && !dpn_store_statement(store, DPN_SQL_ROLLBACK, why)) status = why->status;
    return status;
}

void dpn_store_close(dpn_store *store) {
    for (size_t i = 0; i < sizeof store->statement / sizeof *store->statement; i++)
        sqlite3_finalize(store->statement[i]);
    sqlite3_close(store->db);
    *store = (dpn_store){0};
}

/* ---- The schema ---- */

dpn_status dpn_store_empty(bool *empty, dpn_store *store, dpn_error *why) {
    char first[8];
    dpn_status status = ask(first, sizeof first, store, "SELECT 1 FROM sqlite_schema LIMIT 1", why);
    if (!status) *empty = first[0] == '\0';
    return status;
}

dpn_status dpn_store_make_schema(dpn_store *store, dpn_error *why) {
    char version[96];
    snprintf(version, sizeof version, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION, VERSION);
    dpn_status status = do_all(store, version, why);
    for (size_t i = 0; i < OBJECTS && !status; i++) status = do_all(store, schema[i][1], why);
    return status;
}

static bool is_text(sqlite3_stmt *row, int column, const char *wanted) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text && strcmp(text, wanted) == 0;
}

/* A trigger or view that somebody added could undo what is written: nothing but our tables may be there. */
static dpn_status check_objects(dpn_store *store, dpn_error *why) {
    static const char question[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid";
    sqlite3_stmt *row = NULL;
    start_clock(store);
    int code = sqlite3_prepare_v2(store->db, question, -1, &row, NULL);
    if (code) return dpn_store_fail(store, code, why);
    size_t seen = 0;
    bool ours = true;
    while (ours && (code = sqlite3_step(row)) == SQLITE_ROW) {
        ours = seen < OBJECTS && is_text(row, 0, "table") && is_text(row, 1, schema[seen][0]) &&
               is_text(row, 2, schema[seen][0]) && is_text(row, 3, schema[seen][1]);
        seen++;
    }
    sqlite3_finalize(row);
    if (ours && code != SQLITE_DONE) return dpn_store_fail(store, code, why);
    if (!ours || seen != OBJECTS)
        return dpn_fail(why, DPN_EIO, "the file is not a ledger: its tables are not a ledger's");
    return DPN_OK;
}

dpn_status dpn_store_check_schema(dpn_store *store, dpn_error *why) {
    char application[16], version[16];
    dpn_status status = ask(application, sizeof application, store, "PRAGMA application_id", why);
    if (!status) status = ask(version, sizeof version, store, "PRAGMA user_version", why);
    if (status) return status;
    if (atol(application) != APPLICATION) return dpn_fail(why, DPN_EIO, "the file is not a ledger of dpnoise");
    if (atol(version) != VERSION)
        return dpn_fail(why, DPN_EIO, "the ledger has version %.12s, this program knows version %d", version, VERSION);
    return check_objects(store, why);
}

dpn_status dpn_store_integrity(dpn_store *store, dpn_error *why) {
    char verdict[120];
    dpn_status status = ask(verdict, sizeof verdict, store, "PRAGMA integrity_check(1)", why);
    if (!status && strcmp(verdict, "ok") != 0) status = dpn_fail(why, DPN_EIO, "the file is damaged: %s", verdict);
    return status;
}
