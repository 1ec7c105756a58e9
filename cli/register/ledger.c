/* What the ledger has of a data set, and what `dpnoise register` writes there. */
#include "register/register.h"

#include "kit/fail.h"

#include <stdlib.h>
#include <string.h>

/* What the ledger has under this name. An alias or a quota is no data set of its own. */
dpn_status register_look_up(struct registering *registering, dpn_error *why) {
    dpn_error reason;
    dpn_ledger *ledger = registering->budget.ledger;
    dpn_status status = dpn_ledger_account(&registering->account, ledger, registering->name, &reason);
    registering->known = !status;
    if (status == DPN_EDOMAIN) return DPN_OK;
    if (status) {
        *why = reason;
        return status;
    }
    if (registering->account.of[0] || strcmp(registering->account.name, registering->name) != 0)
        return refuse(why, DPN_EDOMAIN, "'%.60s' is a name or a quota of '%.60s': that is what can be registered",
                      registering->name,
                      registering->account.of[0] ? registering->account.of : registering->account.name);
    registering->registered = registering->account.version > 0;
    registering->version = registering->account.version;
    return DPN_OK;
}

dpn_status register_load(struct registering *registering, dpn_error *why) {
    bool known = false;
    dpn_status status = budget_open(&registering->budget, why);
    if (!status) status = register_look_up(registering, why);
    if (status) return status;
    if (!registering->registered)
        return refuse(why, DPN_EDOMAIN, "'%.60s' is not registered in '%.80s'", registering->name,
                      registering->budget.path);
    return dpn_registration_find(&registering->registration, &known, &registering->version, registering->budget.ledger,
                                 registering->name, why);
}

/* ---- Which data have a budget ---- */

dpn_status register_refuse_again(const struct registering *registering, dpn_error *why) {
    return refuse(why, DPN_EDOMAIN, "'%.60s' is registered already: see --amend, --moved and --new-version",
                  registering->name);
}

static dpn_status refuse_owned(const struct registering *registering, const char *owner, bool registered,
                               dpn_error *why) {
    return refuse(why, DPN_EDOMAIN,
                  "these data %s '%.50s': %sanother name for them is dpnoise budget init %.30s --alias-of %.50s",
                  registered ? "are registered as" : "have the budget of", owner,
                  registered ? "" : "register them by that name; ", registering->name, owner);
}

dpn_status register_check_alias(const struct registering *registering, dpn_error *why) {
    dpn_place_owner owner;
    if (registering->identity.origin == DPN_TABLE_STREAM && !registering->identity.here) return DPN_OK;
    dpn_status status = dpn_place_find_owner(&owner, registering->budget.ledger, &registering->identity, why);
    if (status || !owner.name[0] || strcmp(owner.name, registering->name) == 0) return status;
    return refuse_owned(registering, owner.name, owner.registered, why);
}

/* Persons were told apart by a column when the budget was charged before, or when the data were registered. */
static dpn_status check_column(const struct registering *registering, const char *before, dpn_error *why) {
    const char *person = registering->registration.person, *note = arguments_value(registering->arguments, "--note");
    bool same = before && person ? strcmp(before, person) == 0 : before == person;
    if (same || (note && note[0])) return DPN_OK;
    return refuse(
        why, DPN_EDOMAIN,
        "--person-id: the budget of '%.60s' is about persons told apart by '%.60s'; if '%.60s' tells the same "
        "people apart, say why with --note",
        registering->name, before ? before : "", person ? person : "");
}

/* What the ledger has at the moment of the commit: another process may have come first. */
static dpn_status admit(void *context, const dpn_known_source *known, dpn_error *why) {
    const struct registering *registering = context;
    const dpn_place *source = &registering->registration.source;
    dpn_registration other;
    bool own = strcmp(known->name, registering->name) == 0;
    if (own && known->version > 0 && !registering->registered) return register_refuse_again(registering, why);
    dpn_status status = dpn_registration_read(&other, known->text, known->length, why);
    if (status) return status;
    bool same = dpn_place_is(&other.source, &registering->identity);
    bool declared =
        own && registering->data && source->kind == DPN_PLACE_DECLARED && other.source.kind == DPN_PLACE_DECLARED;
    if (same && !own) status = refuse_owned(registering, known->name, known->version > 0, why);
    if ((same && own) || declared) status = check_column(registering, other.person, why);
    dpn_registration_free(&other);
    return status;
}

/* ---- Writing it down ---- */

/* Who is protected was fixed with the budget. */
static dpn_status check_account(const struct registering *registering, dpn_error *why) {
    const dpn_account *account = &registering->account;
    dpn_unit unit = registering->registration.person ? DPN_PERSON : DPN_ROW;
    if (arguments_have(registering->arguments, "--epsilon") || arguments_have(registering->arguments, "--delta"))
        return refuse(why, DPN_EDOMAIN, "'%.60s' has a budget already: --epsilon and --delta cannot change it",
                      registering->name);
    if (account->unit != unit)
        return refuse(why, DPN_EDOMAIN, "the budget of '%.60s' protects a %s: %s", registering->name,
                      dpn_unit_name(account->unit),
                      unit == DPN_ROW ? "give --person-id, the column that tells persons apart"
                                      : "--person-id would protect another unit");
    if (account->relation != registering->registration.relation)
        return refuse(why, DPN_EDOMAIN, "the budget of '%.60s' is for %s: give --relation %s", registering->name,
                      dpn_relation_name(account->relation), dpn_relation_name(account->relation));
    return DPN_OK;
}

dpn_status register_record(struct registering *registering, uint64_t version, dpn_error *why) {
    const dpn_registration *registration = &registering->registration;
    struct budget_terms terms;
    dpn_ledger_budget made = {.name = registering->name,
                              .user = registering->user,
                              .relation = registration->relation,
                              .unit = registration->person ? DPN_PERSON : DPN_ROW};
    dpn_ledger_registration entry = {.name = registering->name,
                                     .user = registering->user,
                                     .note = arguments_value(registering->arguments, "--note"),
                                     .version = version,
                                     .admit = admit,
                                     .context = registering};
    char *text = NULL;
    dpn_head head;
    dpn_status status =
        registering->known ? check_account(registering, why) : budget_terms_read(&terms, registering->arguments, why);
    if (!status) status = dpn_registration_write(&text, NULL, registration, why);
    if (status) return status;
    if (!registering->known) made.plan = terms.plan;
    entry.text = text;
    status = dpn_ledger_register(&head, registering->budget.ledger, registering->known ? NULL : &made, &entry, why);
    free(text);
    if (status) return status;
    dpn_account_free(&registering->account);
    registering->version = version;
    return dpn_ledger_account(&registering->account, registering->budget.ledger, registering->name, why);
}

dpn_status register_make_ledger(struct registering *registering, dpn_error *why) {
    struct budget *budget = &registering->budget;
    struct budget_terms terms;
    dpn_status status = registering->known ? DPN_OK : budget_terms_read(&terms, registering->arguments, why);
    if (status || budget->ledger) return status;
    return dpn_ledger_create(&budget->ledger, budget->path, &budget->options, why);
}
