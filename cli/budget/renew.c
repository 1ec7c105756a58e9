/* dpnoise budget renew: a new period of a budget, a decision of the curator that is recorded. */
#include "budget/budget.h"

#include "kit/fail.h"

#include <stdio.h>

dpn_status budget_renew(struct budget *budget, dpn_error *why) {
    char user[DPN_LEDGER_NAME_SIZE], text[DPN_HEAD_TEXT_SIZE];
    const char *name, *note = arguments_value(budget->arguments, "--note");
    dpn_account account;
    dpn_head head;
    budget_user(user);
    dpn_status status = budget_name(&name, budget, why);
    if (!status && (!note || !note[0]))
        status = refuse(why, DPN_EPARSE, "--note is missing: why the budget is renewed");
    if (!status) status = budget_open(budget, why);
    if (!status) status = dpn_ledger_renew(&head, budget->ledger, name, user, note, why);
    if (!status) status = dpn_ledger_account(&account, budget->ledger, name, why);
    if (status) return status;
    dpn_head_print(text, &head);
    if (budget->json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ledger", budget->path);
        account_json(&object, &account);
        json_string(&object, "head", text);
        json_end(&object);
    } else {
        account_print(stdout, &account);
        printf("  head       %s\n", text);
    }
    dpn_account_free(&account);
    return DPN_OK;
}
