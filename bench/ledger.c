/* Durable charges a second, beside what SQLite itself commits in the same file system: rows of the same size in a table
 * of the same shape, as durable, without a ledger. The two take turns, one commit each, since what else the disk and the processor
 * do changes from moment to moment: the disk decides both, the ratio is ours. Rates are those of the median, which waits of others
 * for the disk do not move. And the time to open a ledger, for each entry.
 *
 * usage: bench-ledger [DIRECTORY]   (the current directory)
 *
 * Prints tables; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, mkdtemp */
#include <dpnoise/ledger.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ENTRY = 560 }; /* bytes of text of a charge with 13 orders */
static const double seconds_in_all = 4;
enum { MOST_TURNS = 100000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpn_decimal decimal(const char *text) {
    dpn_decimal out = {{0}};
    if (dpn_decimal_parse(&out, text, NULL)) printf("%s is no decimal\n", text);
    return out;
}

static void remove_all(const char *base) {
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm", ".key"};
    for (size_t i = 0; i < 5; i++) {
        char name[400];
        snprintf(name, sizeof name, "%s%s", base, suffixes[i]);
        unlink(name);
    }
}

/* How long each turn took. */
typedef struct turns {
    size_t count;
    double seconds[MOST_TURNS];
} turns;

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double rate_of(turns *of) {
    qsort(of->seconds, of->count, sizeof *of->seconds, ascending);
    return of->count ? 1 / of->seconds[of->count / 2] : 0;
}

/* ---- SQLite alone ---- */

typedef struct alone {
    sqlite3 *db;
    sqlite3_stmt *insert;
    turns done;
} alone;

static void alone_open(alone *out, const char *path, bool wal) {
    *out = (alone){0};
    if (sqlite3_open(path, &out->db) ||
        sqlite3_exec(out->db, wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=TRUNCATE", NULL, NULL, NULL) ||
        sqlite3_exec(out->db,
                     "PRAGMA synchronous=EXTRA; CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT NOT NULL, "
                     "tag BLOB NOT NULL)",
                     NULL, NULL, NULL) ||
        sqlite3_prepare_v2(out->db, "INSERT INTO entry (text, tag) VALUES (?1, ?2)", -1, &out->insert, NULL))
        printf("%s\n", sqlite3_errmsg(out->db));
}

static void alone_turn(alone *a) {
    char text[ENTRY], tag[32] = {0};
    memset(text, 'x', sizeof text);
    double start = now();
    sqlite3_bind_text(a->insert, 1, text, sizeof text, SQLITE_STATIC);
    sqlite3_bind_blob(a->insert, 2, tag, sizeof tag, SQLITE_STATIC);
    sqlite3_exec(a->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (sqlite3_step(a->insert) != SQLITE_DONE) printf("%s\n", sqlite3_errmsg(a->db));
    sqlite3_reset(a->insert);
    if (sqlite3_exec(a->db, "COMMIT", NULL, NULL, NULL)) printf("%s\n", sqlite3_errmsg(a->db));
    a->done.seconds[a->done.count++] = now() - start;
}

static void alone_close(alone *a, const char *path) {
    sqlite3_finalize(a->insert);
    sqlite3_close(a->db);
    remove_all(path);
}

/* ---- The ledger ---- */

typedef struct ours {
    dpn_ledger *ledger;
    dpn_account account;
    dpn_status status;
    turns done;
} ours;

static void ours_open(ours *out, const char *path, const dpn_ledger_options *options) {
    *out = (ours){.ledger = NULL};
    dpn_error why;
    dpn_decimal epsilon = decimal("1"), delta = decimal("1e-6");
    dpn_ledger_budget budget = {.name = "people", .relation = DPN_ADD_REMOVE};
    dpn_filter *filter = NULL;
    dpn_status status = dpn_filter_new_default(&filter, &epsilon, &delta, &why);
    if (!status) budget.plan = dpn_filter_plan_of(filter);
    if (!status) status = dpn_ledger_create(&out->ledger, path, options, &why);
    if (!status) status = dpn_ledger_add_budget(NULL, out->ledger, &budget, &why);
    dpn_filter_free(filter);
    if (!status) status = dpn_ledger_account(&out->account, out->ledger, "people", &why);
    if (status) printf("%s\n", why.sentence);
    out->status = status;
}

static void ours_turn(ours *o) {
    dpn_decimal little = decimal("0.0000001"), none = decimal("0");
    dpn_receipt receipt;
    dpn_error why;
    if (o->status) return;
    double start = now();
    dpn_ledger_charge charge = {
        .name = "people", .relation = DPN_ADD_REMOVE, .charge = dpn_charge_pure(o->account.filter, &little, &none)};
    o->status = dpn_ledger_spend(&receipt, o->ledger, &charge, &why);
    if (o->status) printf("%s\n", why.sentence);
    o->done.seconds[o->done.count++] = now() - start;
}

/* Returns the seconds to open it again, for each entry. */
static double ours_close(ours *o, const char *path, const dpn_ledger_options *options) {
    dpn_error why;
    dpn_account_free(&o->account);
    dpn_ledger_close(o->ledger);
    o->ledger = NULL;
    double begin = now();
    if (!o->status && dpn_ledger_open(&o->ledger, path, options, &why)) printf("%s\n", why.sentence);
    double opening = (now() - begin) / (double)(o->done.count + 2);
    dpn_ledger_close(o->ledger);
    remove_all(path);
    return opening;
}

/* ---- Both ---- */

static void bench(const char *directory, bool wal, double target) {
    char path[300], other[300];
    static alone a;
    static ours o;
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .wal = wal};
    snprintf(path, sizeof path, "%s/bench.db", directory);
    snprintf(other, sizeof other, "%s/alone.db", directory);
    alone_open(&a, other, wal);
    ours_open(&o, path, &options);
    double start = now();
    for (int i = 0; i < MOST_TURNS && now() - start < seconds_in_all; i++) {
        alone_turn(&a);
        ours_turn(&o);
    }
    alone_close(&a, other);
    double opening = ours_close(&o, path, &options), charges = rate_of(&o.done), commits = rate_of(&a.done);
    printf("%-18s %12.0f %12.0f %8.2f %8.0f%c %14.1f\n", wal ? "write-ahead log" : "rollback journal", charges, commits,
           charges / commits, target, charges < target ? '*' : ' ', 1e6 * opening);
}

int main(int argc, char **argv) {
    char directory[200];
    snprintf(directory, sizeof directory, "%s/bench-ledger-XXXXXX", argc > 1 ? argv[1] : ".");
    if (!mkdtemp(directory)) {
        printf("no directory\n");
        return 0;
    }
    printf("%-18s %12s %12s %8s %9s %14s\n", "journal", "charges/s", "SQLite alone", "ratio", "target",
           "open, us/entry");
    bench(directory, false, 500);
    bench(directory, true, 3000);
    rmdir(directory);
    return 0;
}
