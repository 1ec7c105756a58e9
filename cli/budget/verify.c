/* dpnoise budget verify, export and import: the chain. */
#include "budget/budget.h"

#include "kit/fail.h"
#include "kit/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The heads of --head, to be freed. */
static dpn_status read_heads(dpn_head **out, size_t *count, const struct arguments *arguments, dpn_error *why) {
    *count = 0;
    *out = calloc(arguments->givens + 1, sizeof **out);
    if (!*out) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        dpn_error reason;
        if (strcmp(arguments->given[i].option->name, "--head") != 0) continue;
        status = dpn_head_parse(*out + *count, arguments->given[i].value, &reason);
        if (status) status = refuse(why, status, "--head: %s", reason.sentence);
        ++*count;
    }
    return status;
}

static dpn_status verify(struct budget *budget, const dpn_head *head, size_t heads, dpn_error *why) {
    char text[DPN_HEAD_TEXT_SIZE];
    dpn_head last;
    dpn_status status = dpn_ledger_verify(&last, budget->ledger, head, heads, why);
    if (status) return status;
    dpn_head_print(text, &last);
    if (budget->json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ledger", budget->path);
        json_bool(&object, "verified", true);
        json_count(&object, "entries", last.number);
        json_count(&object, "heads", heads);
        json_string(&object, "head", text);
        json_end(&object);
        return DPN_OK;
    }
    printf("%llu entries, every tag and every charge verified", (unsigned long long)last.number);
    if (heads) printf(", %zu head%s found", heads, heads == 1 ? "" : "s");
    printf("\n  head       %s\n", text);
    return DPN_OK;
}

dpn_status budget_verify(struct budget *budget, dpn_error *why) {
    dpn_head *head = NULL;
    size_t heads;
    dpn_status status = read_heads(&head, &heads, budget->arguments, why);
    if (!status) status = budget_open(budget, why);
    if (!status) status = verify(budget, head, heads, why);
    free(head);
    return status;
}

dpn_status budget_export(struct budget *budget, dpn_error *why) {
    char *text = NULL;
    size_t length;
    if (budget->json) return refuse(why, DPN_EPARSE, "export prints lines of JSON; history --json prints one object");
    dpn_status status = budget_open(budget, why);
    if (!status) status = dpn_ledger_export(&text, &length, budget->ledger, why);
    if (!status) fwrite(text, 1, length, stdout);
    free(text);
    return status;
}

dpn_status budget_import(struct budget *budget, dpn_error *why) {
    char *text = NULL;
    size_t length, heads;
    dpn_head *head = NULL;
    if (budget->arguments->operands < 2)
        return refuse(why, DPN_EPARSE, "FILE is missing: dpnoise budget import FILE, as budget export printed it");
    dpn_status status = read_heads(&head, &heads, budget->arguments, why);
    if (!status) status = file_read(&text, &length, budget->arguments->operand[1], SIZE_MAX, "", why);
    if (!status) status = dpn_ledger_import(&budget->ledger, budget->path, &budget->options, text, length, why);
    if (!status) status = verify(budget, head, heads, why);
    free(text);
    free(head);
    return status;
}
