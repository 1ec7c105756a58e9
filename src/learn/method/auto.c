/* The method that public facts speak for; the model says which it was. */
#include "learn/counted.h"
#include "learn/descent.h"

#include "base/error.h"

#include <math.h>

/* Up to here joint pure noise on the moments is less than Gaussian noise at usual deltas. */
enum { FEW = 8 };

/* Noise in the objective costs logistic fits less than noise on derivatives, also where a delta is allowed, which it does not use
 * (docs/regression-methods.md). It refuses many features, and an epsilon at which nothing can be learnt. */
static const char *logistic_choice(const dpn_fit *fit) {
    const dpn_fit_options *options = &fit->options;
    bool penalised = options->l1 > 0 || options->l2 > 0, asked = options->noise || options->passes || options->raw;
    bool can = fit->epsilon >= 1e-4 && fit->features < 100;
    return can && !penalised && !asked ? "objective" : "cd";
}

/* How many rows there are for each number that noisy moments have, times epsilon. Where they are fewer than this, descent, which releases as many
 * numbers a pass as there are coefficients, beats moments, with a delta and without (docs/regression-methods.md). */
static const double enough = 500;
static double rows_for_moments(const dpn_fit *fit) {
    double k = (double)fit->features, numbers = (k + 1) * (k + 4) / 2;
    return enough * numbers / fit->epsilon;
}

/* Of linear fits where rows are many. Who allows a delta has often few rows, on which first steps fail (docs/regression-methods.md). */
static const char *choice_for_many(const dpn_fit *fit) {
    const dpn_fit_options *options = &fit->options;
    if (options->l1 > 0 || options->l2 > 0) return "moments";
    if (fit->delta == 0) return "two-step";
    return fit->features <= FEW ? "functional" : "moments";
}

static const char *choice(const dpn_fit *fit) {
    const dpn_fit_options *options = &fit->options;
    if (options->kind == DPN_FIT_LOGISTIC) return logistic_choice(fit);
    if (options->kind == DPN_FIT_QUANTILE) return "kng";
    if (options->ball) return "functional";
    if (options->raw || options->noise) return "moments";
    bool few = options->rows > 0 && options->rows < rows_for_moments(fit);
    return few ? "cd" : choice_for_many(fit);
}

/* Linear fits of which nobody says how many rows there are, nor anything that decides in another way: the number decides, as above, but is public or bought. */
static bool is_open(const dpn_fit *fit) {
    static const struct dpn_fit_method penalised = {.uses = DPN_USES_PENALTIES};
    return fit->options.kind == DPN_FIT_LINEAR && fit->options.rows == 0 && dpn_fit_takes_all(fit, &penalised);
}

/* Few passes, more passes, moments. Each number of passes serves where it is the nearest, in proportion, to what the rows bear: it is off by a factor of at most 1.42 there, which costs little
 * (docs/regression-methods.md), and every further number makes the list of releases longer. */
static dpn_status plan_open(void **state, dpn_fit *fit, dpn_error *why) {
    static const uint64_t passes[] = {1, 2, 4, 7, 11, 16, 24, DPN_DESCENT_MOST_PASSES};
    dpn_way way[DPN_WAYS_MOST];
    size_t ways = 0;
    double whole = fit->epsilon;
    fit->epsilon = dpn_counted_left(fit);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if ((double)passes[i] < dpn_descent_least_passes(fit)) continue;
        double from = ways > 0 ? sqrt((double)(passes[i - 1] * passes[i])) * dpn_descent_rows_a_pass(fit) : 0;
        way[ways++] = (dpn_way){dpn_fit_method_find("cd"), passes[i], from};
    }
    way[ways++] = (dpn_way){dpn_fit_method_find(choice_for_many(fit)), 0, rows_for_moments(fit)};
    fit->epsilon = whole;
    return dpn_counted_plan(state, fit, way, ways, why);
}

/* Whoever says something that the usual choice has no use for wants a method that has: the first of these. If there is none the choice stands, and the plan is refused. */
static const struct dpn_fit_method *that_takes_all(const dpn_fit *fit, const struct dpn_fit_method *usual) {
    static const char *const others[] = {"cd", "objective", "functional", "moments", "sgd", "kng", "aggregate"};
    for (size_t i = 0; i < sizeof others / sizeof *others && !dpn_fit_takes_all(fit, usual); i++) {
        const struct dpn_fit_method *other = dpn_fit_method_find(others[i]);
        bool serves = fit->options.kind == DPN_FIT_LINEAR     ? other->linear
                      : fit->options.kind == DPN_FIT_LOGISTIC ? other->logistic
                                                              : other->quantile;
        bool can = serves && (!other->needs_delta || fit->delta > 0);
        if (can && dpn_fit_takes_all(fit, other)) return other;
    }
    return usual;
}

static dpn_status plan(void **state, dpn_fit *fit, dpn_error *why) {
    if (is_open(fit)) return plan_open(state, fit, why);
    fit->method = that_takes_all(fit, dpn_fit_method_find(choice(fit)));
    dpn_status status = dpn_fit_check_settings(fit, why);
    return status ? status : fit->method->plan(state, fit, why);
}

const struct dpn_fit_method dpn_fit_auto = {
    .name = "auto",
    .about = "linear fits by cd where rows are few, else by two-step, with a delta by functional, or by moments where "
             "there are many features, penalties or a family of noise; the number of rows is declared, public or "
             "bought; logistic "
             "fits by objective, or by cd where there are penalties, a family of noise or passes; quantiles by kng",
    .linear = true,
    .logistic = true,
    .quantile = true,
    .uses = DPN_USES_ALL,
    .plan = plan,
    .run = dpn_counted_run,
    .free = dpn_counted_free,
};
