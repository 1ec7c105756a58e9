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
    dpn_status status =
        dpn_registration_find(&release->registration, &known, NULL, budget->ledger, release->source, why);
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

/* Whether the name that was given, or made of the file's, means that data set. */
static bool is_named(const struct release *release, const char *owner, bool *known) {
    dpn_account account;
    *known = !dpn_ledger_account(&account, release->budget.ledger, release->dataset, NULL);
    bool same = *known && strcmp(account.of[0] ? account.of : account.name, owner) == 0;
    if (*known) dpn_account_free(&account);
    return same;
}

static dpn_status refuse_owned(const dpn_place_owner *owner, dpn_error *why) {
    if (owner->registered)
        return refuse(why, DPN_EDOMAIN,
                      "these data are registered as '%.60s': ask for them by that name, dpnoise release %.60s",
                      owner->name, owner->name);
    return refuse(why, DPN_EDOMAIN,
                  "these data have the budget of '%.60s', and one is all they get: give --dataset %.60s", owner->name,
                  owner->name);
}

/* Data that have a budget have that one. By the name of their file they are that data set; by a link, or with their schema, they
 * are asked for by its name. */
dpn_status release_recognise(struct release *release, dpn_error *why) {
    dpn_place_owner owner;
    bool known;
    const dpn_table_identity *identity = &release->identity;
    if (!release->budget.ledger || release->by_name || (identity->origin == DPN_TABLE_STREAM && !identity->here))
        return DPN_OK;
    dpn_status status = dpn_place_find_owner(&owner, release->budget.ledger, identity, why);
    if (status || !owner.name[0] || is_named(release, owner.name, &known)) return status;
    if (!known && identity->path && !arguments_have(release->arguments, "--dataset") &&
        strcmp(last_part(identity->path), release_source_name(release)) == 0 && !identity->linked) {
        memcpy(release->dataset, owner.name, sizeof owner.name);
        return DPN_OK;
    }
    return refuse_owned(&owner, why);
}

dpn_status release_check_input_data(const struct release *release, dpn_error *why) {
    dpn_place_owner owner;
    dpn_table_identity identity;
    bool known;
    if (release->registration.source.kind != DPN_PLACE_DECLARED) return DPN_OK;
    dpn_status status = dpn_table_identify_path(&identity, "-", why);
    if (status) return status;
    status = dpn_place_find_owner(&owner, release->budget.ledger, &identity, why);
    dpn_table_identity_free(&identity);
    if (status || !owner.name[0] || is_named(release, owner.name, &known)) return status;
    return refuse_owned(&owner, why);
}

dpn_status release_refuse_registered(struct release *release, const char *what, dpn_error *why) {
    dpn_place_owner owner = {0};
    dpn_status status = release_identify(release, why);
    bool file = !release_source_is_server(release) && !release_source_is_stream(release);
    if (!status)
        status = release_find_owner(&owner, release->arguments, file ? release_file(release) : NULL, &release->identity,
                                    why);
    if (status || !owner.registered) return status;
    return refuse(why, DPN_EDOMAIN,
                  "these data are registered as '%.60s', and %s has no guarantee: fit them by that name with one",
                  owner.name, what);
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
