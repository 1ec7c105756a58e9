/* dpnoise budget show: how the data sets stand, and what one more release of each past kind would cost. */
#include "budget/budget.h"

#include "input/plan-file.h"
#include "input/training.h"
#include "kit/fail.h"
#include "kit/plain.h"

#include <dpnoise/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 8 };

/* A kind: charges that cost the same. */
struct kind {
    dpn_charge charge;
    uint64_t times;
    char label[BLOCK_SIZE + 40];
};

struct kinds {
    struct kind kind[KINDS]; /* in the order of their first charge */
    size_t count;
    uint64_t more; /* charges of further kinds */
};

static bool same_charge(const dpn_charge *a, const dpn_charge *b, size_t orders) {
    return a->pure == b->pure && dpn_decimal_compare(&a->epsilon, &b->epsilon) == 0 &&
           dpn_decimal_compare(&a->delta, &b->delta) == 0 &&
           memcmp(a->divergence, b->divergence, orders * sizeof *a->divergence) == 0;
}

static void label(char *out, size_t size, const dpn_entry *entry) {
    char epsilon[DPN_DECIMAL_TEXT_SIZE], delta[DPN_DECIMAL_TEXT_SIZE], noise[BLOCK_SIZE];
    dpn_plan plan;
    if (entry->plan && !dpn_plan_read(&plan, entry->plan, entry->plan_length, NULL)) {
        snprintf(out, size, "%s%s", block_print_noise(noise, &plan.block[0]), plan.blocks > 1 ? ", ..." : "");
        dpn_plan_free(&plan);
        return;
    }
    dpn_training_plan training;
    char words[TRAINING_SIZE];
    if (entry->plan && !dpn_training_plan_read(&training, entry->plan, entry->plan_length, NULL)) {
        snprintf(out, size, "%s", training_print(words, &training));
        dpn_training_plan_free(&training);
        return;
    }
    dpn_decimal_print(delta, &entry->charge.delta);
    if (entry->charge.pure)
        snprintf(out, size, "epsilon %.40s, delta %.40s", dpn_decimal_print(epsilon, &entry->charge.epsilon), delta);
    else
        snprintf(out, size, "divergences, delta %.40s", delta);
}

static dpn_status find_kinds(struct kinds *out, struct budget *budget, const dpn_account *account, dpn_error *why) {
    dpn_head last;
    *out = (struct kinds){0};
    dpn_status status = dpn_ledger_count(NULL, &last, budget->ledger, why);
    for (uint64_t number = 1; !status && number <= last.number; number++) {
        dpn_entry entry;
        status = dpn_ledger_entry(&entry, budget->ledger, number, why);
        if (status) break;
        if (entry.kind == DPN_ENTRY_CHARGE && strcmp(entry.of, account->name) == 0) {
            size_t k = 0;
            while (k < out->count && !same_charge(&out->kind[k].charge, &entry.charge, entry.orders)) k++;
            if (k == KINDS) out->more++;
            if (k < KINDS && k == out->count) {
                out->kind[k].charge = entry.charge;
                label(out->kind[k].label, sizeof out->kind[k].label, &entry);
                out->count++;
            }
            if (k < KINDS) out->kind[k].times++;
        }
        dpn_entry_free(&entry);
    }
    return status;
}

/* The spending after one more. The exact sum where only the pure rule counts. */
static void after_print(char text[SPENT_SIZE], const dpn_account *account, const dpn_charge *charge,
                        const dpn_cost *cost) {
    dpn_remaining left = dpn_filter_remaining(account->filter);
    dpn_filter_plan plan = dpn_filter_plan_of(account->filter);
    dpn_decimal pure = {{0}};
    if (!dpn_decimal_subtract(&pure, &plan.epsilon, &left.epsilon, NULL) &&
        dpn_decimal_add(&pure, &pure, &charge->epsilon, NULL))
        pure = plan.epsilon;
    spent_print(text, account->filter, &cost->after, &pure);
}

/* ---- Telling ---- */

static dpn_status print_kinds(const struct kinds *kinds, const dpn_account *account, dpn_error *why) {
    char text[SPENT_SIZE];
    dpn_status status = DPN_OK;
    if (kinds->count) printf("  %-44s %6s  one more makes it\n", "past kinds", "times");
    for (size_t i = 0; i < kinds->count && !status; i++) {
        dpn_cost cost;
        status = dpn_filter_preview(&cost, account->filter, &kinds->kind[i].charge, why);
        if (status) break;
        after_print(text, account, &kinds->kind[i].charge, &cost);
        printf("  %-44.44s %6llu  %s%s\n", kinds->kind[i].label, (unsigned long long)kinds->kind[i].times,
               cost.fits ? "epsilon " : "does not fit: epsilon ", text);
    }
    if (kinds->more) printf("  and %llu charges of further kinds\n", (unsigned long long)kinds->more);
    return status;
}

static dpn_status json_kinds(struct json *json, const struct kinds *kinds, const dpn_account *account, dpn_error *why) {
    char text[SPENT_SIZE];
    dpn_status status = DPN_OK;
    json_open_array(json, "kinds");
    for (size_t i = 0; i < kinds->count && !status; i++) {
        dpn_cost cost;
        status = dpn_filter_preview(&cost, account->filter, &kinds->kind[i].charge, why);
        if (status) break;
        after_print(text, account, &kinds->kind[i].charge, &cost);
        json_open_object(json, NULL);
        json_string(json, "kind", kinds->kind[i].label);
        json_count(json, "times", kinds->kind[i].times);
        json_bool(json, "fits", cost.fits);
        json_string(json, "epsilon_after", text);
        json_close_object(json);
    }
    json_close_array(json);
    return status;
}

static dpn_status show_aliases(struct json *json, struct budget *budget, const dpn_account *account, dpn_error *why) {
    char alias[DPN_LEDGER_NAME_SIZE] = "";
    dpn_status status = DPN_OK;
    if (json) json_open_array(json, "aliases");
    for (bool first = true; !status; first = false) {
        status = dpn_ledger_next_alias(alias, budget->ledger, account->name, first ? NULL : alias, why);
        if (status || !alias[0]) break;
        if (json) {
            json_string(json, NULL, alias);
        } else {
            printf("  %-10s ", first ? "aliases" : "");
            print_plain(stdout, alias);
            putchar('\n');
        }
    }
    if (json) json_close_array(json);
    return status;
}

/* The quotas of a data set, by their names. */
static dpn_status show_quotas(struct json *json, struct budget *budget, const dpn_account *account, dpn_error *why) {
    size_t count = 0, shown = 0;
    dpn_status status = dpn_ledger_count(&count, NULL, budget->ledger, why);
    if (json) json_open_array(json, "quotas");
    for (size_t i = 0; i < count && !status; i++) {
        dpn_account quota;
        status = dpn_ledger_account_at(&quota, budget->ledger, i, why);
        if (status) break;
        bool own = strcmp(quota.of, account->name) == 0;
        if (own && json) json_string(json, NULL, quota.name);
        if (own && !json) {
            printf("  %-10s ", shown++ ? "" : "quotas");
            print_plain(stdout, quota.name);
            dpn_filter_plan plan = dpn_filter_plan_of(quota.filter);
            char epsilon[DPN_DECIMAL_TEXT_SIZE], rest[PURE_LEFT_SIZE];
            printf(": epsilon %s; left: %s\n", dpn_decimal_print(epsilon, &plan.epsilon),
                   pure_left_print(rest, quota.filter, false));
        }
        dpn_account_free(&quota);
    }
    if (json) json_close_array(json);
    return status;
}

static dpn_status show_one(struct json *json, struct budget *budget, const dpn_account *account, dpn_error *why) {
    struct kinds *kinds = malloc(sizeof *kinds);
    if (!kinds) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = find_kinds(kinds, budget, account, why);
    if (!status && json) account_json(json, account);
    if (!status && !json) account_print(stdout, account);
    if (!status) status = show_aliases(json, budget, account, why);
    if (!status) status = show_quotas(json, budget, account, why);
    if (!status) status = json ? json_kinds(json, kinds, account, why) : print_kinds(kinds, account, why);
    free(kinds);
    return status;
}

static dpn_status show_all(struct json *json, struct budget *budget, size_t count, dpn_error *why) {
    dpn_status status = DPN_OK;
    if (json) json_open_array(json, "budgets");
    for (size_t i = 0; i < count && !status; i++) {
        dpn_account account;
        status = dpn_ledger_account_at(&account, budget->ledger, i, why);
        if (status) break;
        if (json) json_open_object(json, NULL);
        status = show_one(json, budget, &account, why);
        dpn_account_free(&account);
        if (json) json_close_object(json);
        if (!json) putchar('\n');
    }
    if (json) json_close_array(json);
    return status;
}

dpn_status budget_show(struct budget *budget, dpn_error *why) {
    dpn_account account = {.filter = NULL};
    dpn_head last;
    size_t count;
    char text[DPN_HEAD_TEXT_SIZE];
    bool one = budget->arguments->operands > 1;
    dpn_status status = budget_open(budget, why);
    if (!status) status = dpn_ledger_count(&count, &last, budget->ledger, why);
    if (!status && one) status = dpn_ledger_account(&account, budget->ledger, budget->arguments->operand[1], why);
    if (status) return status;
    dpn_head_print(text, &last);
    struct json object, *json = NULL;
    if (budget->json) {
        object = json_begin(stdout);
        json = &object;
        json_string(json, "ledger", budget->path);
        json_string(json, "head", text);
    }
    status = one ? show_one(json, budget, &account, why) : show_all(json, budget, count, why);
    dpn_account_free(&account);
    if (json)
        json_end(json);
    else if (!status)
        printf("  head       %s\n", text);
    return status;
}
