/* dpnoise budget: the ledger from the shell. */
#define _POSIX_C_SOURCE 200809L /* getpwuid_r */
#include "budget/budget.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/nearest.h"

#include <float.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What the verbs share ---- */

dpn_status budget_open(struct budget *budget, dpn_error *why) {
    return dpn_ledger_open(&budget->ledger, budget->path, &budget->options, why);
}

dpn_status budget_name(const char **out, const struct budget *budget, dpn_error *why) {
    if (budget->arguments->operands < 2)
        return refuse(why, DPN_EPARSE, "the name of the data set is missing: dpnoise budget %.20s NAME",
                      budget->arguments->operand[0]);
    *out = budget->arguments->operand[1];
    return DPN_OK;
}

dpn_status budget_amount(dpn_decimal *out, const struct arguments *arguments, const char *name, bool may_be_zero,
                         dpn_error *why) {
    dpn_decimal amount;
    dpn_error reason;
    const char *text = arguments_value(arguments, name);
    if (!text) return DPN_OK;
    dpn_status status = dpn_decimal_parse(&amount, text, &reason);
    if (status) return refuse(why, status, "%s: %s", name, reason.sentence);
    bool zero = dpn_decimal_is_zero(&amount);
    if (zero && !may_be_zero) return refuse(why, DPN_EDOMAIN, "%s must be more than 0", name);
    if (!zero && dpn_decimal_lower(&amount) < DBL_MIN)
        return refuse(why, DPN_EDOMAIN, "%s is below the smallest normal double, about 2.2e-308", name);
    *out = amount;
    return DPN_OK;
}

void budget_user(char out[DPN_LEDGER_NAME_SIZE]) {
    struct passwd entry, *found = NULL;
    char room[4096];
    uid_t user = geteuid();
    if (getpwuid_r(user, &entry, room, sizeof room, &found) == 0 && found && strlen(found->pw_name) > 0 &&
        strlen(found->pw_name) < DPN_LEDGER_NAME_SIZE)
        memcpy(out, found->pw_name, strlen(found->pw_name) + 1);
    else
        snprintf(out, DPN_LEDGER_NAME_SIZE, "uid %lu", (unsigned long)user);
}

/* ---- The verbs ---- */

static const struct verb {
    const char *name;
    dpn_status (*run)(struct budget *budget, dpn_error *why);
    size_t operands;     /* at most, besides the verb */
    const char *options; /* those it takes besides --ledger, --ledger-key, --wait and --json */
} verbs[] = {
    {"init", budget_init, 1,
     " --epsilon --delta --relation --unit --alias --alias-of --delta-renyi --orders --weights --wal --new-ledger "
     "--of --yes-delta "},
    {"renew", budget_renew, 1, " --note "},
    {"show", budget_show, 1, " "},
    {"history", budget_history, 1, " --csv --report "},
    {"verify", budget_verify, 0, " --head "},
    {"charge", budget_charge, 1,
     " --epsilon --delta --relation --unit --plan --times --law --sensitivity --sample-rate --steps --dry-run --note "},
    {"export", budget_export, 0, " "},
    {"import", budget_import, 1, " --head --wal "},
    {NULL, NULL, 0, NULL},
};

static dpn_status find_verb(const struct verb **out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands == 0)
        return refuse(
            why, DPN_EPARSE,
            "the verb is missing: dpnoise budget init, show, renew, history, verify, charge, export or import");
    const char *word = arguments->operand[0];
    struct nearest search = nearest_to(word, strlen(word));
    for (const struct verb *verb = verbs; verb->name; verb++) {
        nearest_try(&search, verb->name);
        if (strcmp(verb->name, word) != 0) continue;
        *out = verb;
        return DPN_OK;
    }
    if (search.name) return refuse(why, DPN_EPARSE, "there is no verb '%.40s'; did you mean %s?", word, search.name);
    return refuse(why, DPN_EPARSE, "there is no verb '%.40s'; dpnoise budget --help lists them", word);
}

static dpn_status check_options(const struct verb *verb, const struct arguments *arguments, dpn_error *why) {
    static const char shared[] = " --ledger --ledger-key --wait --json ";
    for (size_t i = 0; i < arguments->givens; i++) {
        char word[40];
        const char *name = arguments->given[i].option->name;
        snprintf(word, sizeof word, " %s ", name);
        if (!strstr(shared, word) && !strstr(verb->options, word))
            return refuse(why, DPN_EPARSE, "%s does not belong to budget %s", name, verb->name);
    }
    if (arguments->operands > verb->operands + 1)
        return refuse(why, DPN_EPARSE, "budget %s takes nothing after %s, but there is '%.40s'", verb->name,
                      verb->operands ? "one operand" : "it", arguments->operand[verb->operands + 1]);
    return DPN_OK;
}

dpn_status budget_places(struct budget *budget, dpn_error *why) {
    const char *path = arguments_value(budget->arguments, "--ledger"), *usual = getenv("DPNOISE_LEDGER");
    if (!path && usual && usual[0]) path = usual;
    budget->said = path != NULL;
    const char *key = arguments_value(budget->arguments, "--ledger-key");
    uint64_t wait = 10000;
    if (path || !budget->path) budget->path = path ? path : "dpnoise-ledger.db";
    if (!budget->path[0]) return refuse(why, DPN_EPARSE, "--ledger is empty");
    if (key && !key[0]) return refuse(why, DPN_EPARSE, "--ledger-key is empty");
    int length = snprintf(budget->key, sizeof budget->key, "%s%s", key ? key : budget->path, key ? "" : ".key");
    if (length < 0 || (size_t)length >= sizeof budget->key)
        return refuse(why, DPN_EPARSE, "--ledger or --ledger-key is too long");
    dpn_status status = arguments_count(&wait, budget->arguments, "--wait", why);
    if (!status && wait > 86400000) status = refuse(why, DPN_EDOMAIN, "--wait is at most a day, 86400000");
    budget->options.size = sizeof budget->options;
    budget->options.key = budget->key;
    budget->options.wait = (unsigned)wait;
    budget->options.wal = arguments_have(budget->arguments, "--wal");
    budget->options.with_existing_key =
        arguments_have(budget->arguments, "--new-ledger") || arguments_have(budget->arguments, "--new-budget");
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct budget budget = {.arguments = arguments, .json = arguments_have(arguments, "--json")};
    const struct verb *verb = NULL;
    dpn_status status = find_verb(&verb, arguments, why);
    if (!status) status = check_options(verb, arguments, why);
    if (!status) status = budget_places(&budget, why);
    if (!status) status = verb->run(&budget, why);
    dpn_ledger_close(budget.ledger);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--ledger", "FILE", false, "the ledger ($DPNOISE_LEDGER, or dpnoise-ledger.db in this directory)"},
    {"--ledger-key", "FILE", false, "its key (the name of the ledger followed by .key); better kept elsewhere"},
    {"--wait", "MS", false, "for how many milliseconds to wait for other processes (10000)"},
    {"--epsilon", "E", false, "init: the total; charge: what is spent, a decimal that is counted exactly"},
    {"--delta", "D", false, "likewise (0)"},
    {"--yes-delta", NULL, false, "init: a delta above 0.001 is meant"},
    {"--relation", "R", false, "neighbouring tables differ by add-remove (default of init) or replace ..."},
    {"--unit", "U", false, "... of one row (default of init) or person; charge: of the data set"},
    {"--alias", "NAME", true, "init: another name for the same people"},
    {"--alias-of", "NAME", false, "init: the name is another one for this data set, in place of --epsilon"},
    {"--delta-renyi", "D", false,
     "init: the part of delta that pays for Renyi sums (half of it); 0: charges just add up"},
    {"--orders", "A,B", false, "init: the orders of the Renyi sums (13 around the best for Gaussian noise)"},
    {"--weights", "V,W", false, "init: their weights, which sum to at most 1"},
    {"--wal", NULL, false, "init, import: keep a write-ahead log, which is faster"},
    {"--of", "NAME", false,
     "init: a quota of this data set, charged together with it; --delta is then that of the data set"},
    {"--new-ledger", NULL, false, "init: make a new ledger although a key is there, whose ledger is gone"},
    {"--plan", "FILE", false, "charge: for noise from the plan in FILE, as calibrate --json prints it"},
    {"--times", "N", false, "charge: the plan is released N times"},
    {"--law", "LAW", true, "charge: for a training run with this noise; the next three follow it, once for each phase"},
    {"--sensitivity", "S", true, "... how far one row in the sample moves the answer (a vector: its l2 distance)"},
    {"--sample-rate", "Q", true, "... the probability that a row is in the secret sample of a step"},
    {"--steps", "N", true, "... how many steps"},
    {"--dry-run", NULL, false, "charge: whether it fits and what would be spent; nothing is charged"},
    {"--note", "TEXT", false, "charge, renew: words for the record; renew needs them"},
    {"--head", "HEAD", true, "verify, import: a head that was printed before must be in the chain"},
    {"--csv", NULL, false, "history: print comma-separated values"},
    {"--report", "FILE", false, "history: also write a page in HTML"},
    {NULL, NULL, false, NULL},
};

const struct command budget_command = {
    .name = "budget",
    .summary = "a privacy budget on disk: charge, show, verify",
    .synopsis = "init NAME --epsilon E [--delta D] [--alias NAME]... [--wal]\n"
                "       dpnoise budget init NAME --of DATASET --epsilon E\n"
                "       dpnoise budget renew NAME --note WHY\n"
                "       dpnoise budget charge NAME [--epsilon E [--delta D]] [--plan FILE] [--note TEXT]\n"
                "       dpnoise budget charge NAME --law LAW --sensitivity S --sample-rate Q --steps N [--dry-run]\n"
                "       dpnoise budget show [NAME]\n"
                "       dpnoise budget history [NAME] [--csv | --json] [--report FILE]\n"
                "       dpnoise budget verify [--head HEAD]...\n"
                "       dpnoise budget export >FILE\n"
                "       dpnoise budget import FILE --ledger NEW",
    .description =
        "A ledger holds, for each data set, a total epsilon and delta, and every charge against it. Charge before you\n"
        "read: a charge is on the disk before the command ends with 0, and the code 1 says that it does not fit. The\n"
        "head that is printed (a number and 16 digits) later shows whether somebody changed the past: keep it.\n",
    .example = "  dpnoise budget init people --epsilon 1 --delta 1e-6 --ledger people.db\n"
               "  dpnoise budget charge people --epsilon 0.1 --note 'mean age' --ledger people.db\n"
               "  dpnoise budget show people --ledger people.db\n"
               "  dpnoise budget verify --ledger people.db\n",
    .options = options,
    .run = run,
};
