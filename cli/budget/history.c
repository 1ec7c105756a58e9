/* dpnoise budget history: the entries, one after the other. */
#include "budget/budget.h"

#include "input/training.h"
#include "kit/fail.h"
#include "kit/plain.h"

#include <stdio.h>
#include <string.h>

static void csv_text(const char *text) {
    putchar('"');
    print_csv_inside(stdout, text);
    fputs("\",", stdout);
}

/* JSON, whose texts have no control characters: the last field of a line. */
static void csv_plan(const char *plan, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        if (plan[i] == '"') putchar('"');
        putchar(plan[i]);
    }
    fputs("\"\r\n", stdout);
}

static const char *epsilon_of(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_entry *entry) {
    return entry->kind == DPN_ENTRY_CHARGE && entry->charge.pure ? dpn_decimal_print(text, &entry->charge.epsilon) : "";
}

static const char *delta_of(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_entry *entry) {
    return entry->kind == DPN_ENTRY_CHARGE ? dpn_decimal_print(text, &entry->charge.delta) : "";
}

static void print_csv(const dpn_entry *entry) {
    char head[DPN_HEAD_TEXT_SIZE], text[DPN_DECIMAL_TEXT_SIZE];
    bool counted = entry->kind == DPN_ENTRY_BUDGET || entry->kind == DPN_ENTRY_QUOTA || entry->kind == DPN_ENTRY_CHARGE;
    printf("%llu,", (unsigned long long)entry->head.number);
    csv_text(dpn_head_print(head, &entry->head));
    csv_text(dpn_entry_kind_name(entry->kind));
    csv_text(entry->time);
    csv_text(entry->user);
    csv_text(entry->name);
    csv_text(entry->of);
    csv_text(counted ? dpn_relation_name(entry->relation) : "");
    csv_text(counted ? dpn_unit_name(entry->unit) : "");
    csv_text(epsilon_of(text, entry));
    csv_text(delta_of(text, entry));
    csv_text(entry->converted ? "add-remove" : "");
    csv_text(entry->specification);
    csv_text(entry->note);
    csv_plan(entry->plan, entry->plan ? entry->plan_length : 0);
}

static void print_training(const dpn_entry *entry) {
    dpn_training_plan plan;
    char text[TRAINING_SIZE];
    if (!entry->plan || dpn_training_plan_read(&plan, entry->plan, entry->plan_length, NULL)) return;
    printf(" of %s", training_print(text, &plan));
    dpn_training_plan_free(&plan);
}

static void print_text(const dpn_entry *entry) {
    char head[DPN_HEAD_TEXT_SIZE], text[DPN_DECIMAL_TEXT_SIZE];
    printf("%-24s %s  %-6s ", dpn_head_print(head, &entry->head), entry->time, dpn_entry_kind_name(entry->kind));
    print_plain(stdout, entry->name);
    if (entry->kind == DPN_ENTRY_ALIAS || entry->kind == DPN_ENTRY_QUOTA) {
        printf(" of ");
        print_plain(stdout, entry->of);
    }
    if (entry->kind == DPN_ENTRY_CHARGE) {
        if (entry->charge.pure) printf("  epsilon %s", epsilon_of(text, entry));
        if (!entry->charge.pure) printf("  divergences");
        print_training(entry);
        if (!dpn_decimal_is_zero(&entry->charge.delta)) printf("  delta %s", delta_of(text, entry));
        if (entry->converted) printf("  (asked for add-remove)");
        if (entry->with) printf("  (with entry %llu)", (unsigned long long)entry->with);
        if (entry->reuse) printf("  (the answer of entry %llu)", (unsigned long long)entry->reuse);
    }
    if (entry->kind == DPN_ENTRY_REGISTRATION) printf("  version %llu", (unsigned long long)entry->version);
    if (entry->note[0]) {
        printf("  ");
        print_plain(stdout, entry->note);
    }
    if (entry->user[0]) {
        printf("  by ");
        print_plain(stdout, entry->user);
    }
    putchar('\n');
}

static void print_json(struct json *json, const dpn_entry *entry) {
    char head[DPN_HEAD_TEXT_SIZE];
    json_open_object(json, NULL);
    json_count(json, "number", entry->head.number);
    json_string(json, "head", dpn_head_print(head, &entry->head));
    json_value(json, "entry", entry->text);
    json_close_object(json);
}

dpn_status budget_history(struct budget *budget, dpn_error *why) {
    dpn_account account = {.filter = NULL};
    dpn_head last;
    struct json object;
    bool one = budget->arguments->operands > 1, as_csv = arguments_have(budget->arguments, "--csv");
    const char *report = arguments_value(budget->arguments, "--report");
    if (as_csv && budget->json) return refuse(why, DPN_EPARSE, "--csv and --json exclude each other");
    dpn_status status = budget_open(budget, why);
    if (!status && one) status = dpn_ledger_account(&account, budget->ledger, budget->arguments->operand[1], why);
    dpn_account_free(&account); /* its name is all that is wanted */
    if (!status) status = dpn_ledger_count(NULL, &last, budget->ledger, why);
    if (!status && report)
        status = budget_write_report(budget, report, one ? budget->arguments->operand[1] : NULL, &last, why);
    if (status) return status;
    if (as_csv)
        fputs(
            "number,head,kind,time,user,name,of,relation,unit,epsilon,delta,converted_from,specification,note,plan\r\n",
            stdout);
    if (budget->json) {
        object = json_begin(stdout);
        json_string(&object, "ledger", budget->path);
        json_open_array(&object, "entries");
    }
    for (uint64_t number = 1; !status && number <= last.number; number++) {
        dpn_entry entry;
        status = dpn_ledger_entry(&entry, budget->ledger, number, why);
        if (status) break;
        bool wanted = !one || strcmp(entry.name, account.name) == 0 || strcmp(entry.of, account.name) == 0;
        if (wanted && budget->json) print_json(&object, &entry);
        if (wanted && as_csv) print_csv(&entry);
        if (wanted && !budget->json && !as_csv) print_text(&entry);
        dpn_entry_free(&entry);
    }
    if (budget->json) {
        json_close_array(&object);
        json_end(&object);
    }
    return status;
}
