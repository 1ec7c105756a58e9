/* Every ledger that may know some data, not only the one that pays: the one that is said, the usual one of $DPNOISE_LEDGER, those of this directory
 * and beside the data. Whoever may choose a ledger could otherwise choose one that knows nothing. */
#include "release/release.h"

#include "kit/fail.h"
#include "kit/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 5 };

typedef struct places {
    const char *path[PLACES];
    size_t count;
    char beside[2][RELEASE_PATH_SIZE];
} places;

static void add(places *all, const char *path) {
    if (!path || !path[0] || access(path, F_OK) != 0) return;
    for (size_t i = 0; i < all->count; i++)
        if (guard_same(all->path[i], path)) return;
    all->path[all->count++] = path;
}

static dpn_status find_places(places *all, const struct arguments *arguments, const char *file,
                              const dpn_table_identity *identity, dpn_error *why) {
    const char *const near[2] = {file, identity->path};
    add(all, arguments_value(arguments, "--ledger"));
    add(all, getenv("DPNOISE_LEDGER"));
    add(all, "dpnoise-ledger.db");
    for (size_t i = 0; i < 2; i++) {
        if (!near[i]) continue;
        if (!release_ledger_beside(all->beside[i], near[i]))
            return refuse(why, DPN_EPARSE, "the name of the data is too long");
        add(all, all->beside[i]);
    }
    return DPN_OK;
}

/* --ledger-key is that of the ledger that is said; the others have theirs beside them. */
static dpn_status ask(dpn_place_owner *out, const char *path, const struct arguments *arguments,
                      const dpn_table_identity *identity, dpn_error *why) {
    struct budget budget = {.arguments = arguments};
    dpn_error reason;
    dpn_status status = budget_places(&budget, why);
    if (status) return status;
    if (!guard_same(path, budget.path)) {
        budget.path = path;
        if (snprintf(budget.key, sizeof budget.key, "%s.key", path) >= (int)sizeof budget.key)
            return refuse(why, DPN_EPARSE, "the name of the ledger '%.60s...' is too long", path);
    }
    budget.options.with_existing_key = false;
    status = budget_open(&budget, &reason);
    if (!status) status = dpn_place_find_owner(out, budget.ledger, identity, &reason);
    dpn_ledger_close(budget.ledger);
    if (status)
        return refuse(why, status, "whether the data are private is not known, for the ledger '%.80s' fails: %.200s",
                      path, reason.sentence);
    return DPN_OK;
}

dpn_status release_find_owner(dpn_place_owner *out, const struct arguments *arguments, const char *file,
                              const dpn_table_identity *identity, dpn_error *why) {
    places all = {.count = 0};
    dpn_place_owner owner = {0};
    *out = owner;
    if (identity->origin == DPN_TABLE_STREAM && !identity->here) return DPN_OK;
    dpn_status status = find_places(&all, arguments, file, identity, why);
    for (size_t i = 0; i < all.count && !status && !out->registered; i++) {
        status = ask(&owner, all.path[i], arguments, identity, why);
        if (!status && owner.name[0]) *out = owner;
    }
    return status;
}
