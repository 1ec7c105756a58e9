/* Opening and making ledgers. */
#define _DEFAULT_SOURCE /* getentropy */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/options.h"
#include "ledger/key.h"
#include "ledger/process.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of the key's file, to be freed. */
static char *key_name(const char *path, const dpn_ledger_options *options) {
    bool given = options && options->key;
    const char *base = given ? options->key : path, *suffix = given ? "" : ".key";
    size_t size = strlen(base) + strlen(suffix) + 1;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%s%s", base, suffix);
    return name;
}

static dpn_status open_chain(dpn_chain **out, const char *path, const dpn_ledger_options *options, bool make,
                             dpn_error *why) {
    unsigned char key[DPN_KEY_SIZE];
    char *name = key_name(path, options);
    if (!name) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = make ? dpn_key_make(name, why) : DPN_OK;
    if (!status) status = dpn_key_read(key, name, why);
    free(name);
    if (!status) status = dpn_chain_new(out, key, sizeof key, why);
    OPENSSL_cleanse(key, sizeof key);
    return status;
}

dpn_status dpn_ledger_prepare(dpn_ledger **out, const char *path, const dpn_ledger_options *options, bool make,
                              bool with_key, dpn_error *why) {
    dpn_error own;
    dpn_ledger *ledger = calloc(1, sizeof *ledger);
    if (!ledger) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = dpn_process_enter(&own);
    if (!status) ledger->process = (long)getpid();
    if (!status) status = dpn_store_check_file(path, make, &own);
    if (!status && with_key && make) status = open_chain(&ledger->chain, path, options, false, &own);
    if (!status) status = dpn_store_open(&ledger->store, path, make, options, &own);
    if (!status && with_key && !make) status = open_chain(&ledger->chain, path, options, false, &own);
    if (status) {
        dpn_ledger_close(ledger);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *out = ledger;
    return DPN_OK;
}

/* ---- A new one ---- */

static dpn_status refuse_orphan(const char *name, dpn_error *why) {
    return dpn_fail(
        why, DPN_EIO,
        "the key '%.60s' is there but its ledger is not: put the ledger back, or ask for a new one with that "
        "key (dpnoise budget init --new-ledger)",
        name);
}

/* Keys are made only while the file is locked, so that whoever sees a key and then no file sees what was left of a ledger. */
static dpn_status check_orphan(const char *path, const char *name, const dpn_ledger_options *options, dpn_error *why) {
    struct stat key, file;
    if (options->with_existing_key || lstat(name, &key) != 0 || stat(path, &file) == 0) return DPN_OK;
    return refuse_orphan(name, why);
}

/* The key of a ledger that is empty, in a transaction that locks it; `empty` or not, the chain is opened. A key is made only
 * for a ledger without entries: those of another key would be worthless. */
static dpn_status settle_key(dpn_ledger *ledger, const char *path, const char *name, const dpn_ledger_options *options,
                             bool empty, dpn_error *why) {
    struct stat key;
    if (empty && !options->with_existing_key && lstat(name, &key) == 0) return refuse_orphan(name, why);
    return open_chain(&ledger->chain, path, options, empty, why);
}

static dpn_status begin_ledger(dpn_ledger *ledger, dpn_error *why) {
    unsigned char identity[(DPN_IDENTITY_SIZE - 1) / 2];
    dpn_record record = {.entry.kind = DPN_ENTRY_LEDGER};
    if (getentropy(identity, sizeof identity) != 0)
        return dpn_fail(why, DPN_EENTROPY, "the kernel gives no random bits for the ledger");
    for (size_t i = 0; i < sizeof identity; i++) snprintf(record.identity + 2 * i, 3, "%02x", identity[i]);
    dpn_status status = dpn_store_make_schema(&ledger->store, why);
    if (status) {
        dpn_store_abandon(&ledger->store);
        return status;
    }
    return dpn_ledger_append(NULL, ledger, &record, NULL, why);
}

static dpn_status make_if_empty(dpn_ledger *ledger, const char *path, const char *name,
                                const dpn_ledger_options *options, dpn_error *why) {
    bool empty = false;
    dpn_status status = dpn_store_run(&ledger->store, DPN_SQL_BEGIN_NOW, why);
    if (!status) status = dpn_store_empty(&empty, &ledger->store, why);
    if (!status) status = settle_key(ledger, path, name, options, empty, why);
    if (!status && empty) return begin_ledger(ledger, why);
    dpn_store_abandon(&ledger->store);
    return status;
}

static dpn_status check_and_read(dpn_ledger *ledger, dpn_error *why) {
    dpn_status status = dpn_store_run(&ledger->store, DPN_SQL_BEGIN, why);
    if (!status) status = dpn_store_check_schema(&ledger->store, why);
    if (!status) status = dpn_ledger_catch_up(ledger, why);
    dpn_store_abandon(&ledger->store);
    return status;
}

static dpn_status open_ledger(dpn_ledger **out, const char *path, const dpn_ledger_options *given, bool make,
                              dpn_error *why) {
    dpn_ledger *ledger;
    dpn_error own;
    dpn_ledger_options options;
    dpn_status status = dpn_options_take(&options, sizeof options, given, why);
    if (status) return status;
    char *name = key_name(path, &options);
    if (!name) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (make) status = check_orphan(path, name, &options, why);
    if (!status) status = dpn_ledger_prepare(&ledger, path, &options, make, !make, why);
    if (status) {
        free(name);
        return status;
    }
    if (make) status = make_if_empty(ledger, path, name, &options, &own);
    free(name);
    if (!status) status = check_and_read(ledger, &own);
    if (status) {
        dpn_ledger_close(ledger);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *out = ledger;
    return DPN_OK;
}

dpn_status dpn_ledger_open(dpn_ledger **out, const char *path, const dpn_ledger_options *options, dpn_error *why) {
    return open_ledger(out, path, options, false, why);
}

dpn_status dpn_ledger_create(dpn_ledger **out, const char *path, const dpn_ledger_options *options, dpn_error *why) {
    return open_ledger(out, path, options, true, why);
}

void dpn_ledger_close(dpn_ledger *ledger) {
    if (!ledger) return;
    /* In the child of a fork SQLite must not be called: closing there would end the parent's log. */
    if (ledger->process == (long)getpid()) {
        dpn_store_close(&ledger->store);
        dpn_process_leave();
    }
    dpn_chain_free(ledger->chain);
    dpn_book_free(&ledger->book);
    free(ledger);
}

char *dpn_ledger_directory(const dpn_ledger *ledger) {
    const char *path = sqlite3_db_filename(ledger->store.db, NULL); /* the whole path */
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
}
