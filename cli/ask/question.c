/* The question of `dpnoise ask`: what it is about, and who pays. */
#define _POSIX_C_SOURCE 200809L
#include "ask/ask.h"

#include "kit/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 };

static dpn_status read_input(char **out, size_t *length, dpn_error *why) {
    char *text = malloc(LONGEST + 1);
    if (!text) return refuse(why, DPN_ENOMEM, "out of memory");
    *length = fread(text, 1, LONGEST + 1, stdin);
    dpn_status status = ferror(stdin)       ? refuse(why, DPN_EIO, "standard input cannot be read")
                        : *length > LONGEST ? refuse(why, DPN_EPARSE, "the question is longer than a mebibyte")
                                            : DPN_OK;
    if (status)
        free(text);
    else
        *out = text;
    return status;
}

/* Names of quotas are no data sets: who asks for another analyst's would spend it. */
static dpn_status find_dataset(struct asking *asking, const char *name, dpn_error *why) {
    dpn_account account;
    dpn_error reason;
    dpn_status status = dpn_ledger_account(&account, asking->budget.ledger, name, &reason);
    bool registered = !status && account.version > 0 && !account.of[0];
    if (registered) memcpy(asking->dataset, account.name, sizeof account.name);
    if (!status) dpn_account_free(&account);
    if (status && status != DPN_EDOMAIN) {
        *why = reason;
        return status;
    }
    return registered ? DPN_OK : refuse(why, DPN_EDOMAIN, "dataset: there is no data set '%.100s'", name);
}

/* DATASET/ANALYST, a quota of that data set. */
static dpn_status find_payer(struct asking *asking, dpn_error *why) {
    dpn_account quota;
    int length = snprintf(asking->payer, sizeof asking->payer, "%s/%s", asking->dataset, asking->analyst);
    bool fits = length > 0 && (size_t)length < sizeof asking->payer, has = false;
    dpn_error reason = {DPN_EDOMAIN, ""};
    dpn_status status = fits ? dpn_ledger_account(&quota, asking->budget.ledger, asking->payer, &reason) : DPN_EDOMAIN;
    if (!status) {
        has = strcmp(quota.of, asking->dataset) == 0;
        dpn_account_free(&quota);
    }
    if (status && status != DPN_EDOMAIN) {
        *why = reason;
        return status;
    }
    if (has) return DPN_OK;
    if (!arguments_have(asking->arguments, "--shared"))
        return refuse(why, DPN_EDOMAIN, "the analyst '%.60s' has no quota of '%.60s'", asking->analyst,
                      asking->dataset);
    memcpy(asking->payer, asking->dataset, sizeof asking->payer);
    return DPN_OK;
}

/* The fit, if one is asked for, and the rest. */
static dpn_status find_fit(struct asking *asking, dpn_error *why) {
    char *rest = NULL;
    dpn_status status = dpn_fit_split(&asking->fit, &rest, &asking->length, asking->declaration, asking->length, why);
    if (status) return status;
    free(asking->declaration);
    asking->declaration = rest;
    return DPN_OK;
}

dpn_status ask_read(struct asking *asking, dpn_error *why) {
    char *text = NULL, name[DPN_LEDGER_NAME_SIZE];
    size_t length = 0;
    dpn_status status = read_input(&text, &length, why);
    if (status) return status;
    status = dpn_question_split(name, &asking->declaration, &asking->length, text, length, why);
    free(text);
    if (!status) status = find_dataset(asking, name, why);
    if (!status) status = find_payer(asking, why);
    return status ? status : find_fit(asking, why);
}
