/* The SQLite file: opened so that a commit is durable, its schema exactly ours, waits bounded. */
#ifndef DPN_LEDGER_STORE_H
#define DPN_LEDGER_STORE_H

#include <dpnoise/ledger.h>
#include <sqlite3.h>

typedef struct dpn_store {
    sqlite3 *db;
    sqlite3_stmt *statement[13]; /* by enum dpn_sql, prepared when first used */
    unsigned wait;               /* milliseconds */
    int64_t deadline;            /* nanoseconds of the monotonic clock */
    unsigned jitter;
    bool (*cancelled)(void *context); /* of dpn_ledger_options */
    void *context;
    bool gave_up; /* the last wait was ended by it */
} dpn_store;

enum dpn_sql {
    DPN_SQL_BEGIN,     /* for reading */
    DPN_SQL_BEGIN_NOW, /* for writing: takes the lock at once */
    DPN_SQL_COMMIT,
    DPN_SQL_ROLLBACK,
    DPN_SQL_INSERT,      /* number, text, tag */
    DPN_SQL_SELECT,      /* after this number: number, text, tag */
    DPN_SQL_SELECT_ON,   /* this number, without its text, and those after it: number, text, tag */
    DPN_SQL_SELECT_TAG,  /* of this number: tag */
    DPN_SQL_KEEP_RESULT, /* number, specification, text, tag */
    DPN_SQL_FIND_RESULT, /* of this specification, the latest first: place, number, text, tag, specification */
    DPN_SQL_NEXT_RESULT, /* after this place: the same */
    DPN_SQL_HAS_RESULT,  /* of this number: a row if there is one */
    DPN_SQL_TWICE,       /* the number of an entry that has two results */
};

/* That a file of that name may be a ledger, or may be made, as far as can be told without opening it.
 * Errors   DPN_EIO. */
dpn_status dpn_store_check_file(const char *path, bool make, dpn_error *why);

/* Open the file. `make` says whether a file that is missing is made. store->db is set (or NULL) also after an error:
 * call dpn_store_close.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_store_open(dpn_store *store, const char *path, bool make, const dpn_ledger_options *options,
                          dpn_error *why);
void dpn_store_close(dpn_store *store);

/* Whether there is a schema at all; make it, within a transaction; check it, within one.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_store_empty(bool *empty, dpn_store *store, dpn_error *why);
dpn_status dpn_store_make_schema(dpn_store *store, dpn_error *why);
dpn_status dpn_store_check_schema(dpn_store *store, dpn_error *why);

/* Whether commits with this journal and this level of synchronous are durable when they return. */
bool dpn_store_durable(const char *journal, int synchronous);

/* A statement, ready to bind; NULL if there is no memory or the file is broken, with the reason. */
sqlite3_stmt *dpn_store_statement(dpn_store *store, enum dpn_sql sql, dpn_error *why);

/* Run one that gives no rows and has no parameters.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_store_run(dpn_store *store, enum dpn_sql sql, dpn_error *why);

/* End a transaction without effect; the handle is out of it afterwards. */
void dpn_store_abandon(dpn_store *store);

/* A number that changes, as seen by this handle, with every commit to the file, its own or another's; 0: not known. Within a transaction
 * that has read something, or took the lock, it tells whether the file is what it was when the number was asked for before. */
uint32_t dpn_store_version(dpn_store *store);

/* Whether the file of that name is another one by now. */
bool dpn_store_moved(dpn_store *store);

/* Tell what a result code of SQLite means. Returns DPN_EIO or DPN_ENOMEM. */
dpn_status dpn_store_fail(const dpn_store *store, int code, dpn_error *why);

/* Whether the room between entries is empty (slack.c), within a transaction.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_store_slack(dpn_store *store, dpn_error *why);

/* PRAGMA integrity_check.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_store_integrity(dpn_store *store, dpn_error *why);

#endif
