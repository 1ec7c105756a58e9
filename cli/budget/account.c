/* How an account stands, for people and as JSON. */
#include "budget/budget.h"

#include "kit/fact.h"
#include "kit/plain.h"
#include "words/decimal.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 10, BAR = 40 };

/* total - left, which is never negative. */
static dpn_decimal difference(const dpn_decimal *total, const dpn_decimal *left) {
    dpn_decimal out = {{0}};
    if (dpn_decimal_subtract(&out, total, left, NULL)) out = *total;
    return out;
}

/* k periods of an amount; what is beyond all decimals is shown as one period, which the count beside it tells. */
static dpn_decimal times(const dpn_decimal *amount, uint64_t periods) {
    dpn_decimal sum = *amount;
    for (uint64_t i = 1; i < periods; i++)
        if (dpn_decimal_add(&sum, &sum, amount, NULL)) return *amount;
    return sum;
}

char *spent_print(char text[SPENT_SIZE], const dpn_filter *filter, const dpn_spent *spent, const dpn_decimal *pure) {
    char number[DPN_NUMBER_SIZE];
    if (spent->order == dpn_filter_plan_of(filter).orders && isfinite(spent->epsilon))
        return dpn_decimal_print(text, pure);
    snprintf(text, SPENT_SIZE, "%s", decimal_print_up(number, spent->epsilon, DIGITS));
    return text;
}

char *pure_left_print(char text[PURE_LEFT_SIZE], const dpn_filter *filter, bool brief) {
    char epsilon[DPN_DECIMAL_TEXT_SIZE];
    dpn_decimal largest = dpn_filter_largest_pure(filter), sum = dpn_filter_remaining(filter).epsilon;
    bool many = dpn_decimal_is_zero(&largest) || dpn_decimal_compare(&largest, &sum) == 0;
    dpn_decimal_print(epsilon, &largest);
    if (brief && strlen(epsilon) > 12) decimal_print_down(epsilon, dpn_decimal_lower(&largest), 6);
    snprintf(text, PURE_LEFT_SIZE, "epsilon %s by %s", epsilon, many ? "pure charges" : "one pure charge");
    return text;
}

void account_json(struct json *json, const dpn_account *account) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    const dpn_filter *filter = account->filter;
    dpn_filter_plan plan = dpn_filter_plan_of(filter);
    dpn_spent spent = dpn_filter_spent(filter);
    dpn_remaining left = dpn_filter_remaining(filter);
    dpn_decimal pure = difference(&plan.epsilon, &left.epsilon), largest = dpn_filter_largest_pure(filter);
    json_string(json, "name", account->name);
    if (account->of[0])
        json_string(json, "of", account->of);
    else
        json_value(json, "of", "null");
    json_string(json, "relation", dpn_relation_name(account->relation));
    json_string(json, "unit", dpn_unit_name(account->unit));
    json_open_object(json, "total");
    json_string(json, "epsilon", dpn_decimal_print(text, &plan.epsilon));
    json_string(json, "delta", dpn_decimal_print(text, &plan.delta));
    json_string(json, "delta_renyi", dpn_decimal_print(text, &plan.delta_renyi));
    json_string(json, "delta_first", dpn_decimal_print(text, &plan.delta_first));
    json_close_object(json);
    json_count(json, "periods", account->periods);
    json_open_object(json, "all_periods");
    dpn_decimal all = times(&plan.epsilon, account->periods);
    json_string(json, "epsilon", dpn_decimal_print(text, &all));
    all = times(&plan.delta, account->periods);
    json_string(json, "delta", dpn_decimal_print(text, &all));
    json_close_object(json);
    json_open_object(json, "spent");
    json_string(json, "epsilon", spent_print(text, filter, &spent, &pure));
    json_string(json, "delta", dpn_decimal_print(text, &spent.delta));
    json_string(json, "delta_aside", dpn_decimal_print(text, &spent.aside));
    if (spent.order < plan.orders)
        json_number(json, "order", plan.order[spent.order]);
    else
        json_value(json, "order", "null");
    json_close_object(json);
    json_open_object(json, "remaining");
    json_string(json, "epsilon", dpn_decimal_print(text, &largest));
    json_string(json, "delta", dpn_decimal_print(text, &left.delta));
    json_number(json, "rho", left.rho);
    json_close_object(json);
    json_count(json, "charges", spent.charges);
}

static void print_bar(FILE *out, double share) {
    int full = !(share > 0) ? 0 : share >= 1 ? BAR : 1 + (int)(share * (BAR - 1));
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)full);
    bar[BAR] = '\0';
    fprintf(out, "  [%s] %.0f%%\n", bar, fmax(0, ceil(100 * fmin(1, fmax(0, share)) - 1e-6)));
}

/* What of delta is kept for Renyi sums, and how to change that. */
static void print_aside(FILE *out, const dpn_filter_plan *plan, const dpn_spent *spent) {
    char delta[DPN_DECIMAL_TEXT_SIZE];
    if (plan->orders == 0 || dpn_decimal_is_zero(&plan->delta_renyi)) return;
    if (spent->charges > 0 && dpn_decimal_is_zero(&spent->aside))
        fact_print(out, "  set aside  ",
                   "nothing: the first charge was a large part of delta, and charges just add up");
    else
        fact_print(out, "  set aside  ", "delta %s for Renyi sums, as of Gaussian noise (--delta-renyi)",
                   dpn_decimal_print(delta, &plan->delta_renyi));
}

void account_print(FILE *out, const dpn_account *account) {
    char text[PURE_LEFT_SIZE], epsilon[DPN_DECIMAL_TEXT_SIZE], delta[DPN_DECIMAL_TEXT_SIZE], number[DPN_NUMBER_SIZE];
    const dpn_filter *filter = account->filter;
    dpn_filter_plan plan = dpn_filter_plan_of(filter);
    dpn_spent spent = dpn_filter_spent(filter);
    dpn_remaining left = dpn_filter_remaining(filter);
    dpn_decimal pure = difference(&plan.epsilon, &left.epsilon);
    print_plain(out, account->name);
    fprintf(out, ": %s of one %s", dpn_relation_name(account->relation), dpn_unit_name(account->unit));
    if (account->of[0]) fputs(", a quota of ", out);
    if (account->of[0]) print_plain(out, account->of);
    putc('\n', out);
    fprintf(out, "  total      epsilon %s, delta %s\n", dpn_decimal_print(epsilon, &plan.epsilon),
            dpn_decimal_print(delta, &plan.delta));
    if (account->periods > 1) {
        dpn_decimal all = times(&plan.epsilon, account->periods), all_delta = times(&plan.delta, account->periods);
        fprintf(out, "  periods    %llu: together epsilon %s, delta %s\n", (unsigned long long)account->periods,
                dpn_decimal_print(epsilon, &all), dpn_decimal_print(delta, &all_delta));
    }
    fprintf(out, "  spent      epsilon %s, delta %s", spent_print(epsilon, filter, &spent, &pure),
            dpn_decimal_print(delta, &spent.delta));
    fprintf(out, ", %llu charge%s\n", (unsigned long long)spent.charges, spent.charges == 1 ? "" : "s");
    print_aside(out, &plan, &spent);
    dpn_decimal largest = dpn_filter_largest_pure(filter);
    bool some = !dpn_decimal_is_zero(&largest);
    struct fact fact;
    fact_begin(&fact, out, "  remaining  ");
    if (some) fputs(pure_left_print(text, filter, false), fact.text);
    if (some && left.rho > 0) fputs(", or ", fact.text);
    if (left.rho > 0) fprintf(fact.text, "rho %s of Gaussian noise", decimal_print_down(number, left.rho, 6));
    if (!some && !(left.rho > 0)) fputs("epsilon 0", fact.text);
    fprintf(fact.text, "; delta %s", dpn_decimal_print(delta, &left.delta));
    fact_end(&fact);
    print_bar(out, spent.epsilon / dpn_decimal_upper(&plan.epsilon));
}
