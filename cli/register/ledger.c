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

/* ---- Writing it down ---- */

dpn_status register_record(struct registering *registering, bool again, bool new_version, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    dpn_register_options options = dpn_register_options_init();
    struct budget_terms terms;
    dpn_head head;
    options.user = registering->user;
    options.note = arguments_value(arguments, "--note");
    options.identity = registering->data || registering->identity.here ? &registering->identity : NULL;
    options.again = again;
    options.new_version = new_version;
    if (registering->known && (arguments_have(arguments, "--epsilon") || arguments_have(arguments, "--delta")))
        return refuse(why, DPN_EDOMAIN, "'%.60s' has a budget already: --epsilon and --delta cannot change it",
                      registering->name);
    dpn_status status = registering->known ? DPN_OK : budget_terms_read(&terms, arguments, why);
    if (!status && !registering->known) options.plan = &terms.plan;
    if (!status)
        status = dpn_register(&head, registering->budget.ledger, registering->name, &registering->registration,
                              &options, why);
    if (status) return status;
    dpn_account_free(&registering->account);
    status = dpn_ledger_account(&registering->account, registering->budget.ledger, registering->name, why);
    if (!status) registering->version = registering->account.version;
    return status;
}

dpn_status register_make_ledger(struct registering *registering, dpn_error *why) {
    struct budget *budget = &registering->budget;
    struct budget_terms terms;
    dpn_status status = registering->known ? DPN_OK : budget_terms_read(&terms, registering->arguments, why);
    if (status || budget->ledger) return status;
    return dpn_ledger_create(&budget->ledger, budget->path, &budget->options, why);
}
