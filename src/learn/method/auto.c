/* The method that public facts speak for; the model says which it was. */
#include "learn/method.h"

#include "base/error.h"

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
static bool are_few(const dpn_fit *fit) {
    double k = (double)fit->features, numbers = (k + 1) * (k + 4) / 2;
    return fit->options.rows > 0 && fit->options.rows * fit->epsilon < enough * numbers;
}

static const char *choice(const dpn_fit *fit) {
    const dpn_fit_options *options = &fit->options;
    if (options->kind == DPN_FIT_LOGISTIC) return logistic_choice(fit);
    if (options->kind == DPN_FIT_QUANTILE) return "kng";
    if (options->ball) return "functional";
    if (options->raw || options->noise) return "moments";
    if (are_few(fit)) return "cd";
    if (options->l1 > 0 || options->l2 > 0) return "moments";
    if (fit->delta == 0) return "two-step";
    /* Who allows a delta has often few rows, on which first steps fail (docs/regression-methods.md). */
    return fit->features <= FEW ? "functional" : "moments";
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
    fit->method = that_takes_all(fit, dpn_fit_method_find(choice(fit)));
    dpn_status status = dpn_fit_check_settings(fit, why);
    return status ? status : fit->method->plan(state, fit, why);
}

const struct dpn_fit_method dpn_fit_auto = {
    .name = "auto",
    .about = "two-step, or with a delta functional, or moments where there are many features, penalties or a family of "
             "noise; cd where few rows are declared; logistic "
             "fits by objective, or by cd where there are penalties, a family of noise or passes; quantiles by kng",
    .linear = true,
    .logistic = true,
    .quantile = true,
    .uses = DPN_USES_ALL,
    .plan = plan,
};
