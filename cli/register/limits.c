/* Whom `dpnoise register` protects, and how much one question may ask. */
#define _POSIX_C_SOURCE 200809L
#include "register/register.h"

#include "input/sensitivity.h"
#include "input/kept.h"
#include "input/levels.h"
#include "kit/fail.h"
#include "kit/guard.h"

#include <dpnoise/statistics.h>
#include <stdlib.h>
#include <string.h>

/* NA,?,. becomes three words; a blank belongs to its word. */
static dpn_status take_words(dpn_registration *registration, const struct arguments *arguments, dpn_error *why) {
    const char *value = arguments_value(arguments, "--na");
    if (!value) return DPN_OK;
    for (size_t i = 0; i < registration->nas; i++) free(registration->na[i]);
    registration->nas = 0;
    for (bool more = true; more;) {
        size_t length = strcspn(value, ",");
        char **room = realloc(registration->na, (registration->nas + 1) * sizeof *room);
        if (room) registration->na = room;
        char *word = room ? strndup(value, length) : NULL;
        if (!word) return refuse(why, DPN_ENOMEM, "out of memory");
        registration->na[registration->nas++] = word;
        if (length == 0)
            return refuse(why, DPN_EPARSE, "--na: one of the words is empty; an empty field is missing anyway");
        more = value[length] == ',';
        value += length + more;
    }
    return DPN_OK;
}

/* The curator's log is found again from every directory. */
static dpn_status take_log(dpn_registration *registration, const struct arguments *arguments, dpn_error *why) {
    const char *value = arguments_value(arguments, "--log");
    dpn_table_identity identity;
    if (!value) return DPN_OK;
    dpn_status status = dpn_table_identify_path(&identity, value, why);
    if (status) return refuse(why, DPN_EIO, "--log: the directory of '%.80s' is not there", value);
    if (!identity.path) return refuse(why, DPN_EIO, "--log: give the name of a file, not standard input");
    free(registration->log);
    registration->log = identity.path;
    identity.path = NULL;
    dpn_table_identity_free(&identity);
    return DPN_OK;
}

dpn_status register_limits(struct registering *registering, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    dpn_registration *registration = &registering->registration;
    dpn_status status = arguments_take(&registration->person, arguments, "--person-id", why);
    if (!status) status = arguments_take(&registration->missing, arguments, "--missing", why);
    if (!status) status = arguments_take(&registration->least_epsilon, arguments, "--least-epsilon", why);
    if (!status) status = arguments_take(&registration->most_epsilon, arguments, "--most-epsilon", why);
    if (!status) status = arguments_take(&registration->most_delta, arguments, "--most-delta", why);
    if (!status) status = arguments_count(&registration->max_rows, arguments, "--max-rows", why);
    if (!status) status = arguments_count(&registration->max_groups, arguments, "--max-groups", why);
    if (!status) status = arguments_count(&registration->population, arguments, "--population", why);
    if (!status) status = arguments_bytes(&registration->memory, arguments, "--memory", why);
    if (!status && arguments_have(arguments, "--memory") && registration->memory < DPN_TALLY_LEAST_MEMORY)
        status = refuse(why, DPN_EDOMAIN, "--memory is at least 16M");
    if (!status) status = relation_read(&registration->relation, arguments, why);
    if (!status) status = take_words(registration, arguments, why);
    if (!status) status = take_log(registration, arguments, why);
    if (status) return status;
    if (arguments_have(arguments, "--multiline")) registration->multiline = true;
    return DPN_OK;
}

/* Every failure adds a line to the log, so that it must not be the data, the ledger, its key or another file that is kept. */
dpn_status register_check_log(const struct registering *registering, dpn_error *why) {
    const dpn_registration *registration = &registering->registration;
    const struct budget *budget = &registering->budget;
    const char *log = registration->log;
    if (!log) return DPN_OK;
    bool data = registration->source.path && guard_same_database(log, registration->source.path);
    if (data || guard_same_database(log, budget->path) || guard_same(log, budget->key))
        return refuse(why, DPN_EIO, "--log: '%.80s' is %s; give another name", log,
                      data ? "the data" : "the ledger or its key");
    return guard_written("--log", log, why);
}

/* Nor may it be the data of another data set in the ledger, and no more may a list of levels or a registration that is read. */
dpn_status register_check_files(const struct registering *registering, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    dpn_ledger *ledger = registering->budget.ledger;
    if (!ledger) return DPN_OK;
    dpn_status status = kept_check(ledger, "--log", registering->registration.log, KEPT_AS_LOG, why);
    if (!status) status = kept_check(ledger, "--from", arguments_value(arguments, "--from"), KEPT_READ, why);
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        char column[1024];
        if (strcmp(arguments->given[i].option->name, "--category") != 0) continue;
        const char *list = levels_column(column, sizeof column, arguments->given[i].value);
        if (list && list[0] == '@') status = kept_check(ledger, "--category", list + 1, KEPT_READ, why);
    }
    return status;
}

/* What was spent is about persons as they were told apart: another column is a decision, and recorded with its reason. */
dpn_status register_check_person(const struct registering *registering, dpn_error *why) {
    const char *other = arguments_value(registering->arguments, "--person-id"), *note;
    const char *person = registering->registration.person;
    if (!other || !person || strcmp(other, person) == 0) return DPN_OK;
    note = arguments_value(registering->arguments, "--note");
    if (note && note[0]) return DPN_OK;
    return refuse(
        why, DPN_EDOMAIN,
        "--person-id: the budget of '%.60s' is about persons told apart by '%.60s'; if '%.60s' tells the same "
        "people apart, say why with --note",
        registering->name, person, other);
}
