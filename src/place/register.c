/* What stands between a registration and the ledger: data have one budget, and it is about the same people as before. */
#include "base/error.h"
#include "base/options.h"

#include <dpnoise/place.h>

#include <stdlib.h>
#include <string.h>

struct registering {
    const char *name;
    const dpn_registration *registration;
    const dpn_register_options *options;
};

static dpn_status refuse_again(const char *name, dpn_error *why) {
    return dpn_fail(why, DPN_EDOMAIN,
                    "'%.60s' is registered already: amend that, or say that the data moved or changed", name);
}

static dpn_status refuse_owned(const char *owner, bool registered, dpn_error *why) {
    return dpn_fail(why, DPN_EDOMAIN, "these data %s '%.50s': %sanother name for them is an alias of that",
                    registered ? "are registered as" : "have the budget of", owner,
                    registered ? "" : "register them by that name; ");
}

/* Persons were told apart by a column when the budget was charged before, or when the data were registered. */
static dpn_status check_person(const struct registering *registering, const char *before, dpn_error *why) {
    const char *person = registering->registration->person, *note = registering->options->note;
    bool same = before && person ? strcmp(before, person) == 0 : before == person;
    if (same || (note && note[0])) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN,
                    "the budget of '%.60s' is about persons told apart by '%.60s'; if '%.60s' tells the same people "
                    "apart, say why in a note",
                    registering->name, before ? before : "", person ? person : "");
}

/* What the ledger has at the moment of the commit: another process may have come first. */
static dpn_status admit(void *context, const dpn_known_source *known, dpn_error *why) {
    const struct registering *registering = context;
    const dpn_table_identity *identity = registering->options->identity;
    dpn_registration other;
    bool own = strcmp(known->name, registering->name) == 0;
    if (own && known->version > 0 && !registering->options->again) return refuse_again(registering->name, why);
    dpn_status status = dpn_registration_read(&other, known->text, known->length, why);
    if (status) return status;
    bool same = identity && dpn_place_is(&other.source, identity);
    bool declared = registering->registration->source.kind == DPN_PLACE_DECLARED &&
                    other.source.kind == DPN_PLACE_DECLARED && !registering->options->again;
    bool amended = registering->options->again && known->version > 0;
    if (same && !own) status = refuse_owned(known->name, known->version > 0, why);
    if (own && (same || declared || amended)) status = check_person(registering, other.person, why);
    dpn_registration_free(&other);
    return status;
}

/* Who is protected was fixed with the budget. */
static dpn_status check_account(const struct registering *registering, const dpn_account *account, dpn_error *why) {
    const dpn_registration *registration = registering->registration;
    dpn_unit unit = registration->person ? DPN_PERSON : DPN_ROW;
    if (account->of[0] || strcmp(account->name, registering->name) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "'%.60s' is a name or a quota of '%.60s': that is what can be registered",
                        registering->name, account->of[0] ? account->of : account->name);
    if (account->version > 0 && !registering->options->again) return refuse_again(registering->name, why);
    if (registering->options->plan)
        return dpn_fail(why, DPN_EDOMAIN, "'%.60s' has a budget already, which a registration does not change",
                        registering->name);
    if (account->unit != unit)
        return dpn_fail(why, DPN_EDOMAIN, "the budget of '%.60s' protects a %s: %s", registering->name,
                        dpn_unit_name(account->unit),
                        unit == DPN_ROW ? "name the column that tells persons apart"
                                        : "a column that tells persons apart would protect another unit");
    if (account->relation != registration->relation)
        return dpn_fail(why, DPN_EDOMAIN, "the budget of '%.60s' is for %s, and so must the registration be",
                        registering->name, dpn_relation_name(account->relation));
    return DPN_OK;
}

/* The budget that there is, or the one that is to be made. */
static dpn_status find_account(bool *known, uint64_t *version, dpn_ledger *ledger,
                               const struct registering *registering, dpn_error *why) {
    dpn_account account;
    dpn_error reason;
    dpn_status status = dpn_ledger_account(&account, ledger, registering->name, &reason);
    *known = !status;
    *version = 0;
    if (status && status != DPN_EDOMAIN) return dpn_fail(why, status, "%s", reason.sentence);
    if (!status) {
        *version = account.version;
        status = check_account(registering, &account, why);
        dpn_account_free(&account);
        if (status) return status;
    }
    if (registering->options->again && *version == 0)
        return dpn_fail(why, DPN_EDOMAIN, "'%.60s' is not registered", registering->name);
    if (!*known && !registering->options->plan)
        return dpn_fail(why, DPN_EDOMAIN, "'%.60s' has no budget: how much may be spent in all?", registering->name);
    return DPN_OK;
}

dpn_status dpn_register(dpn_head *head, dpn_ledger *ledger, const char *name, const dpn_registration *registration,
                        const dpn_register_options *options, dpn_error *why) {
    dpn_register_options own;
    struct registering registering = {name, registration, &own};
    uint64_t version;
    char *text = NULL;
    bool known;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = dpn_registration_check(registration, why);
    if (!status) status = find_account(&known, &version, ledger, &registering, why);
    if (!status) status = dpn_registration_write(&text, NULL, registration, why);
    if (status) return status;
    dpn_ledger_budget made = {.name = name,
                              .user = own.user,
                              .relation = registration->relation,
                              .unit = registration->person ? DPN_PERSON : DPN_ROW};
    if (!known) made.plan = *own.plan;
    dpn_ledger_registration entry = {.name = name,
                                     .user = own.user,
                                     .note = own.note,
                                     .text = text,
                                     .version = own.again ? version + own.new_version : 1,
                                     .admit = admit,
                                     .context = &registering};
    status = dpn_ledger_register(head, ledger, known ? NULL : &made, &entry, why);
    free(text);
    return status;
}
