/* The handle of a backend. No transaction of PostgreSQL takes part: what is charged stays charged when it is rolled back. */
#include "postgres/ledger.h"

#include <access/parallel.h>
#include <access/xact.h>
#include <access/xlog.h>
#include <mb/pg_wchar.h>
#include <miscadmin.h>
#include <storage/ipc.h>
#include <utils/guc.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *setting; /* dpnoise.ledger */
static dpn_ledger *ledger;
static char opened[PATH_MAX]; /* the path that it was opened by */

void ledger_settings(void) {
    DefineCustomStringVariable(
        "dpnoise.ledger", "The file of the privacy budgets.",
        "An absolute path outside of the data directory, in a directory that only the server may write.", &setting, "",
        PGC_SIGHUP, GUC_SUPERUSER_ONLY, NULL, NULL, NULL);
#if PG_VERSION_NUM >= 150000
    MarkGUCPrefixReserved("dpnoise");
#else
    EmitWarningsOnPlaceholders("dpnoise");
#endif
}

/* ---- Where a charge may be made ---- */

static void check_process(void) {
    if (RecoveryInProgress())
        ereport(ERROR, (errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
                        errmsg("a server in recovery does not answer: its rows may be those of another day")));
    if (IsParallelWorker() || IsInParallelMode())
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_TRANSACTION_STATE), errmsg("questions are not asked in parallel plans")));
    /* Expressions of indexes and the like run in the name of whoever maintains the table: that is not who asks. */
    if (MyBackendType != B_BACKEND || InSecurityRestrictedOperation())
        ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                        errmsg("questions are asked in sessions, not in maintenance or background processes")));
    if (GetDatabaseEncoding() != PG_UTF8)
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("questions are asked in databases in UTF-8")));
}

/* ---- What the file has to be ---- */

static void refuse_place(const char *what) pg_attribute_noreturn();
static void refuse_place(const char *what) {
    ereport(ERROR, (errcode(ERRCODE_CONFIG_FILE_ERROR), errmsg("the setting dpnoise.ledger %s", what)));
}

/* A ledger in the data directory would come back with a backup of it, and with it the budget. One in a directory that others write could be
 * put aside by them. */
static void check_place(const char *path) {
    char directory[PATH_MAX], real[PATH_MAX], data[PATH_MAX];
    struct stat found;
    if (path[0] == '\0') refuse_place("is empty: name the file of the budgets in postgresql.conf");
    if (path[0] != '/' || strlen(path) >= PATH_MAX) refuse_place("is no absolute path");
    strlcpy(directory, path, sizeof directory);
    *strrchr(directory, '/') = '\0';
    if (!realpath(directory[0] ? directory : "/", real) || stat(real, &found) != 0)
        refuse_place("leads to a directory that the server cannot see");
    if (found.st_uid != geteuid() || (found.st_mode & (S_IWGRP | S_IWOTH)))
        refuse_place("leads to a directory that others than the server may write");
    size_t length = realpath(DataDir, data) ? strlen(data) : 0;
    if (length == 0 || (strncmp(real, data, length) == 0 && (real[length] == '/' || real[length] == '\0')))
        refuse_place("lies in the data directory: a backup of that would give budget back");
}

/* ---- The handle ---- */

static void close_ledger(void) {
    dpn_ledger_close(ledger);
    ledger = NULL;
}

static void at_exit(int code, Datum unused) {
    (void)code;
    (void)unused;
    close_ledger();
}

/* Where the file is, and what is wrong with it, is for those who keep the server. */
static void hide_path(const dpn_error *why) pg_attribute_noreturn();
static void hide_path(const dpn_error *why) {
    if (why->status != DPN_EIO) front_raise(why);
    ereport(LOG_SERVER_ONLY, (errmsg("dpnoise: %s", why->sentence), errhidestmt(true)));
    ereport(ERROR, (errcode(ERRCODE_IO_ERROR), errmsg("the ledger cannot be opened: the server's log says why")));
}

dpn_ledger *ledger_open(void) {
    static bool registered;
    dpn_ledger_options options = dpn_ledger_options_init();
    dpn_error why;
    check_process();
    check_place(setting);
    if (ledger && strcmp(opened, setting) == 0) return ledger;
    close_ledger();
    if (!registered) on_proc_exit(at_exit, (Datum)0);
    registered = true;
    options.cancelled = front_cancelled;
    dpn_status status = dpn_ledger_open(&ledger, setting, &options, &why);
    if (status) hide_path(&why);
    strlcpy(opened, setting, sizeof opened);
    return ledger;
}

void ledger_raise(const dpn_error *why) {
    dpn_error copy = *why;
    if (copy.status == DPN_EIO) close_ledger();
    front_raise(&copy);
}
