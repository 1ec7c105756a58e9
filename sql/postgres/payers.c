/* Who pays for a question. */
#include "postgres/payers.h"

#include "postgres/ledger.h"

#include <mb/pg_wchar.h>
#include <miscadmin.h>

#include <stdio.h>
#include <string.h>

/* DATASET/ROLE, if there is such a quota of this data set. */
static bool find_quota(char out[DPN_LEDGER_NAME_SIZE], dpn_ledger *ledger, const char *cap, const char *role) {
    char name[DPN_LEDGER_NAME_SIZE + NAMEDATALEN + 1];
    dpn_account account;
    dpn_error why;
    int length = snprintf(name, sizeof name, "%s/%s", cap, role);
    if (length >= DPN_LEDGER_NAME_SIZE) return false; /* no quota has a name as long */
    dpn_status status = dpn_ledger_account(&account, ledger, name, &why);
    if (status == DPN_EDOMAIN) return false;
    if (status) ledger_raise(&why);
    bool found = strcmp(account.of, cap) == 0;
    dpn_account_free(&account);
    if (found) strlcpy(out, name, DPN_LEDGER_NAME_SIZE);
    return found;
}

static bool has_quotas(dpn_ledger *ledger, const char *cap) {
    size_t budgets;
    dpn_head head;
    dpn_error why;
    bool found = false;
    dpn_status status = dpn_ledger_count(&budgets, &head, ledger, &why);
    for (size_t i = 0; i < budgets && !status && !found; i++) {
        dpn_account account;
        status = dpn_ledger_account_at(&account, ledger, i, &why);
        if (status) break;
        found = strcmp(account.of, cap) == 0;
        dpn_account_free(&account);
    }
    if (status) ledger_raise(&why);
    return found;
}

/* How many bytes of a name are taken where two stand together: whole letters, or the ledger refuses it. */
static int begin_of(const char *name) {
    return pg_mbcliplen(name, (int)strlen(name), 45);
}

Payers payers_find(dpn_ledger *ledger, const char *dataset) {
    Payers payers = {0};
    dpn_account account;
    dpn_error why;
    const char *user = GetUserNameFromId(GetSessionUserId(), false), *role = GetUserNameFromId(GetOuterUserId(), false);
    dpn_status status = dpn_ledger_account(&account, ledger, dataset, &why);
    if (status) ledger_raise(&why);
    char cap[DPN_LEDGER_NAME_SIZE];
    bool quota = account.of[0] != '\0';
    strlcpy(cap, account.name, sizeof cap);
    dpn_account_free(&account);
    if (quota) /* it might be another's */
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("ask for the data set itself: who pays is known from the session")));
    bool paid = find_quota(payers.name, ledger, cap, user);
    bool also = GetOuterUserId() != GetSessionUserId() && find_quota(payers.also, ledger, cap, role);
    if (!paid && (also || has_quotas(ledger, cap)))
        ereport(ERROR,
                (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("role \"%s\" has no quota of this data set", user)));
    if (!paid) strlcpy(payers.name, cap, sizeof payers.name);
    if (GetOuterUserId() == GetSessionUserId())
        snprintf(payers.analyst, sizeof payers.analyst, "%s", user);
    else
        snprintf(payers.analyst, sizeof payers.analyst, "%.*s as %.*s", begin_of(user), user, begin_of(role), role);
    return payers;
}
