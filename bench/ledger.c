/* Durable charges a second, beside what SQLite itself commits in the same file system: rows of the same size in a table
 * of the same shape, with the same settings, in a program without a ledger. The disk decides both; the ratio is ours.
 * And the time to open a ledger, for each entry.
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

enum { ENTRY = 700 }; /* bytes of text of a charge with 13 orders */
static const double seconds_each = 1.5;

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

/* Commits a second by SQLite alone. */
static double sqlite_rate(const char *path, bool wal) {
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    char text[ENTRY], tag[32] = {0};
    memset(text, 'x', sizeof text);
    long count = 0;
    double start = 0, seconds = 0;
    if (sqlite3_open(path, &db) ||
        sqlite3_exec(db, wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=TRUNCATE", NULL, NULL, NULL) ||
        sqlite3_exec(db,
                     "PRAGMA synchronous=EXTRA; CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT NOT NULL, "
                     "tag BLOB NOT NULL)",
                     NULL, NULL, NULL) ||
        sqlite3_prepare_v2(db, "INSERT INTO entry (text, tag) VALUES (?1, ?2)", -1, &insert, NULL))
        printf("%s\n", sqlite3_errmsg(db));
    for (start = now(); insert && seconds < seconds_each; seconds = now() - start, count++) {
        sqlite3_bind_text(insert, 1, text, sizeof text, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 2, tag, sizeof tag, SQLITE_STATIC);
        sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        if (sqlite3_step(insert) != SQLITE_DONE) break;
        sqlite3_reset(insert);
        if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL)) break;
    }
    sqlite3_finalize(insert);
    sqlite3_close(db);
    remove_all(path);
    return (double)count / seconds;
}

/* Charges a second by the ledger, and then seconds to open it for each entry. */
static double ledger_rate(const char *path, bool wal, double *opening) {
    dpn_ledger *ledger = NULL;
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .wal = wal};
    dpn_error why;
    dpn_decimal epsilon = decimal("1"), delta = decimal("1e-6"), little = decimal("0.0000001"), none = decimal("0");
    dpn_ledger_budget budget = {.name = "people", .relation = DPN_ADD_REMOVE};
    dpn_account account = {.filter = NULL};
    dpn_receipt receipt;
    dpn_filter *filter = NULL;
    dpn_status status = dpn_filter_new_default(&filter, &epsilon, &delta, &why);
    if (!status) budget.plan = dpn_filter_plan_of(filter);
    if (!status) status = dpn_ledger_create(&ledger, path, &options, &why);
    if (!status) status = dpn_ledger_add_budget(NULL, ledger, &budget, &why);
    dpn_filter_free(filter);
    if (!status) status = dpn_ledger_account(&account, ledger, "people", &why);
    long count = 0;
    double start = now(), seconds = 0;
    for (; !status && seconds < seconds_each; seconds = now() - start, count++) {
        dpn_ledger_charge charge = {
            .name = "people", .relation = DPN_ADD_REMOVE, .charge = dpn_charge_pure(account.filter, &little, &none)};
        status = dpn_ledger_spend(&receipt, ledger, &charge, &why);
    }
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    ledger = NULL;
    double begin = now();
    if (!status) status = dpn_ledger_open(&ledger, path, &options, &why);
    *opening = (now() - begin) / (double)(count + 2);
    dpn_ledger_close(ledger);
    if (status) printf("%s\n", why.sentence);
    remove_all(path);
    return (double)count / seconds;
}

static void bench(const char *directory, bool wal, double target) {
    char path[300];
    double opening;
    snprintf(path, sizeof path, "%s/bench.db", directory);
    double alone = sqlite_rate(path, wal), ours = ledger_rate(path, wal, &opening);
    printf("%-18s %12.0f %12.0f %8.2f %8.0f%c %14.1f\n", wal ? "write-ahead log" : "rollback journal", ours, alone,
           ours / alone, target, ours < target ? '*' : ' ', 1e6 * opening);
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
