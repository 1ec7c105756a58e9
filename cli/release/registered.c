/* DATA that is the name of a registered data set, and paths that mean registered data. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "input/log.h"
#include "input/source.h"
#include "kit/fail.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A name ---- */

static dpn_status take_registered(struct release *release, struct budget *budget, dpn_error *why) {
    static const char *const others[] = {"--table", "--dataset", "--new-budget"};
    const dpn_place *place = &release->registration.source;
    bool known = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (arguments_have(release->arguments, others[i]))
            return refuse(why, DPN_EPARSE, "%s does not belong to '%.60s', which is the name of registered data",
                          others[i], release->source);
    dpn_status status = source_registration(&release->registration, &known, NULL, budget->ledger, release->source, why);
    if (status) return status;
    release->by_name = true;
    memcpy(release->dataset, release->source, strlen(release->source) + 1);
    release->source = place->path ? place->path : place->kind == DPN_PLACE_POSTGRESQL ? place->connect : "-";
    if (!release->source) release->source = "postgresql://";
    return DPN_OK;
}

/* The ledger of --ledger, $DPNOISE_LEDGER or this directory. One that cannot be opened matters only if DATA is no file. */
dpn_status release_find_registered(struct release *release, dpn_error *why) {
    struct budget budget = {.arguments = release->arguments};
    dpn_account account;
    dpn_error reason;
    if (release_source_is_server(release) || release_source_is_stream(release) ||
        strlen(release->source) >= DPN_LEDGER_NAME_SIZE)
        return DPN_OK;
    dpn_status status = budget_places(&budget, why);
    if (status || access(budget.path, F_OK) != 0) return status;
    bool file = access(release_file(release), F_OK) == 0;
    status = budget_open(&budget, &reason);
    if (status && file) return DPN_OK;
    if (status) {
        *why = reason;
        return status;
    }
    bool found = !dpn_ledger_account(&account, budget.ledger, release->source, NULL);
    bool registered = found && account.version > 0;
    if (found) dpn_account_free(&account);
    if (registered) status = take_registered(release, &budget, why);
    if (registered && !status) {
        release->budget = budget; /* whose options point to its own key */
        release->budget.options.key = release->budget.key;
        return DPN_OK;
    }
    dpn_ledger_close(budget.ledger);
    if (status || file || !found) return status;
    return refuse(why, DPN_EIO,
                  "'%.60s' has a budget in '%.80s' and is not registered: name its data, or dpnoise register it",
                  release->source, budget.path);
}

/* ---- A path ---- */

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Registered data by the name of their file are that data set; by a link, or with their schema, they are asked for by name. */
dpn_status release_recognise(struct release *release, dpn_error *why) {
    char other[DPN_LEDGER_NAME_SIZE];
    dpn_account account;
    const dpn_table_identity *identity = &release->identity;
    if (!release->budget.ledger || release->by_name || identity->origin == DPN_TABLE_STREAM) return DPN_OK;
    dpn_status status = source_find(other, release->budget.ledger, identity, why);
    if (status || !other[0]) return status;
    bool named = !dpn_ledger_account(&account, release->budget.ledger, release->dataset, NULL);
    bool same = named && strcmp(account.of[0] ? account.of : account.name, other) == 0;
    if (named) dpn_account_free(&account);
    if (same) return DPN_OK;
    if (!named && identity->path && !arguments_have(release->arguments, "--dataset") &&
        strcmp(last_part(identity->path), release_source_name(release)) == 0 && !identity->linked) {
        memcpy(release->dataset, other, sizeof other);
        return DPN_OK;
    }
    return refuse(why, DPN_EDOMAIN,
                  "these data are registered as '%.60s': ask for them by that name, dpnoise release %.60s", other,
                  other);
}

/* ---- The curator's log ---- */

void release_log_failure(const struct release *release) {
    const dpn_registration *registration = dpn_question_registration(release->question);
    dpn_error why;
    int log = -1;
    if (!registration || log_open(&log, registration->log, &why)) return;
    log_write(log, dpn_question_look(release->question).head.number, release->user,
              dpn_question_reason(release->question));
    if (log >= 0) close(log);
}
