/* Descent with noisy sums of clipped derivatives. */
#include "learn/descent.h"

#include "learn/adaptive.h"
#include "learn/derivatives.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct coordinate {
    size_t column;     /* of dpn_rows */
    double smoothness; /* a public guess, for clips and weights alone */
    double clip, unit; /* C_i, and what it is measured in */
    int32_t clip_steps;
} coordinate;

typedef struct state {
    size_t release, coordinates, passes;
    bool together; /* all coefficients move at the end of a pass */
    bool buys_rows;
    int32_t one; /* what a row adds to N, in steps */
    coordinate coordinate[];
} state;

/* The release: N, the squares of the features, then pass by pass the derivatives. */
static size_t squares_at(size_t feature) {
    return 1 + feature;
}
static size_t derivative_at(const dpn_fit *fit, const state *of, size_t pass, size_t i) {
    return 1 + fit->features + pass * of->coordinates + i;
}

/* ---- What is public ---- */

/* The mean square of a column, before anybody looks: that of uniform values, and of levels that are as frequent. */
static double guess_square(const dpn_fit *fit, size_t column) {
    if (column == 0) return 1;
    const dpn_variable *of = &fit->variable[column - 1];
    return of->is_level ? 1 / (double)fit->query->declaration.by[of->grouping].levels : 1.0 / 3;
}

static double curvature(const dpn_fit *fit) {
    return fit->options.kind == DPN_FIT_LINEAR ? 1 : 0.25;
}

/* C_i = C sqrt(M_i/sum of M_j). */
static void choose_clips(state *of, const dpn_fit *fit) {
    double sum = 0, length = fit->options.clip;
    for (size_t i = 0; i < of->coordinates; i++) sum += of->coordinate[i].smoothness;
    if (length == 0) length = sqrt((double)of->coordinates) * (fit->options.kind == DPN_FIT_LINEAR ? 0.5 : 1);
    for (size_t i = 0; i < of->coordinates; i++)
        of->coordinate[i].clip = length * sqrt(of->coordinate[i].smoothness / sum);
}

/* Noise of variance V on the derivative by b_i moves b_i by V/M_i^2, and predictions by V/M_i. */
static double weight_of(const coordinate *of) {
    return 1 / of->smoothness;
}

/* The units: one for all where each coordinate gets a law of its own. By zCDP Gaussian noise of variance V_i costs the sum of
 * C_i^2/2V_i, and the weighted sum of V_i is least at V_i in proportion to C_i/sqrt(weight); the paper has V_i ~ C_i^2. */
static double unit_of(const coordinate *of, dpn_fit_accounting accounting) {
    if (accounting == DPN_FIT_PAPER) return of->clip;
    return accounting == DPN_FIT_ZCDP ? sqrt(of->clip / sqrt(weight_of(of))) : 1;
}

/* The largest bound becomes 1. What is bought besides has their mean square as its own: with one law for all, its share of the
 * budget is the same whatever the units are, and units in the proportions of the optimum lose to none. */
static void choose_units(state *of, const dpn_fit *fit) {
    double most = 0, squares = 0;
    for (size_t i = 0; i < of->coordinates; i++) {
        coordinate *at = &of->coordinate[i];
        at->unit = unit_of(at, fit->options.accounting);
        most = fmax(most, at->clip / at->unit);
    }
    for (size_t i = 0; i < of->coordinates; i++) {
        coordinate *at = &of->coordinate[i];
        at->unit *= most;
        at->clip_steps = (int32_t)fmin(fmax(ldexp(at->clip / at->unit, DPN_DERIVATIVE_LOG), 1), DPN_DERIVATIVE_UNIT);
        double bound = ldexp(at->clip_steps, -DPN_DERIVATIVE_LOG);
        at->clip = bound * at->unit;
        squares += bound * bound / (double)of->coordinates;
    }
    of->one = (int32_t)fmax(ldexp(sqrt(squares), DPN_DERIVATIVE_LOG), 1);
}

/* ---- The plan ---- */

/* Errors are counted in the data's scale, whatever the units are. */
static void fill(double *bound, double *weight, int *exponent, const dpn_fit *fit, const state *of) {
    const double share = 1.0 / 16; /* of the weight of a derivative: N and M_i need not be known as well */
    double both = fit->relation == DPN_REPLACE ? 2 : 1, one = ldexp(of->one, -DPN_DERIVATIVE_LOG), mean = 0;
    for (size_t i = 0; i < of->coordinates; i++) {
        const coordinate *at = &of->coordinate[i];
        mean += weight_of(at) * at->clip * at->clip / (double)of->coordinates;
        for (size_t pass = 0; pass < of->passes; pass++) {
            bound[derivative_at(fit, of, pass, i)] = both * ldexp(at->clip_steps, -DPN_DERIVATIVE_LOG);
            weight[derivative_at(fit, of, pass, i)] = weight_of(at) * at->unit * at->unit;
        }
    }
    bound[0] = of->buys_rows ? one : 0;
    for (size_t j = 0; j < fit->features; j++) bound[squares_at(j)] = both * one;
    for (size_t k = 0; k <= fit->features; k++) weight[k] = share * mean / (one * one);
    for (size_t k = 0; k < derivative_at(fit, of, of->passes, 0); k++) exponent[k] = -DPN_DERIVATIVE_LOG;
}

static dpn_status announce(state *of, dpn_fit *fit, double *bound, double *weight, int *exponent, dpn_error *why) {
    bool exact = fit->options.accounting == DPN_FIT_EXACT;
    fill(bound, weight, exponent, fit, of);
    dpn_sensitivity set = {
        .dimension = derivative_at(fit, of, of->passes, 0), .bound = bound, .relation = fit->relation};
    dpn_calibration_options calibration = dpn_calibration_options_init();
    dpn_release_options options = dpn_release_options_init();
    calibration.weight = weight;
    calibration.identical = !exact;
    calibration.condition = exact ? DPN_CONDITION_EXACT : DPN_CONDITION_ZCDP;
    options.epsilon = fit->epsilon;
    options.delta = fit->delta;
    options.set = &set;
    options.family = fit->noise;
    if (!exact) dpn_fit_ask_for(&options, "gaussian");
    options.whole = true;
    options.grid_exponents = exponent;
    options.exclude = DPN_EXCLUDE_INTEGER | DPN_EXCLUDE_SLOW;
    options.calibration = &calibration;
    return dpn_fit_announce_adaptive(&of->release, fit, "derivatives", &options, why);
}

/* So many that an uneasy problem gets somewhere, and no more: noise grows with them. Steps of all coefficients together are shorter
 * by their number, and there are more of them. */
static size_t choose_passes(const dpn_fit *fit, const state *of) {
    if (fit->options.passes > 0) return (size_t)fit->options.passes;
    size_t usual = fit->delta > 0 ? 10 : 4;
    return of->together ? usual + 2 * of->coordinates : usual;
}

dpn_status dpn_descent_plan(void **out, dpn_fit *fit, bool together, dpn_error *why) {
    const uint64_t most = 100000; /* numbers that are released */
    size_t from = fit->options.no_intercept, count = fit->features + 1 - from;
    if (fit->options.passes > most / count)
        return dpn_fail(why, DPN_EDOMAIN, "passes times coefficients must be at most %llu", (unsigned long long)most);
    state *of = calloc(1, sizeof *of + count * sizeof *of->coordinate);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    of->coordinates = count;
    of->together = together;
    of->passes = choose_passes(fit, of);
    of->buys_rows = fit->options.rows == 0 && !dpn_count_is_public(fit->query);
    for (size_t i = 0; i < count; i++)
        of->coordinate[i] =
            (coordinate){.column = from + i, .smoothness = curvature(fit) * guess_square(fit, from + i)};
    choose_clips(of, fit);
    choose_units(of, fit);
    size_t all = derivative_at(fit, of, of->passes, 0);
    double *bound = calloc(all, sizeof *bound), *weight = calloc(all, sizeof *weight);
    int *exponent = calloc(all, sizeof *exponent);
    dpn_status status = bound && weight && exponent ? announce(of, fit, bound, weight, exponent, why)
                                                    : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    free(bound);
    free(weight);
    free(exponent);
    return status;
}

/* ---- The run ---- */

typedef struct descent {
    dpn_fit *fit;
    const state *of;
    dpn_derivatives at;
    int64_t *noise; /* of the release, in steps */
    double rows;    /* as far as is known */
    double *smoothness, *b, *next, *mean;
} descent;

/* In steps. */
static double noisy(const descent *d, int64_t sum, size_t k) {
    return (double)(sum + d->noise[k]);
}

/* N and M_i as bought. M_i errs to the side of short steps, by a standard deviation. */
static void look(descent *d) {
    const dpn_fit *fit = d->fit;
    const dpn_plan *plan = dpn_fit_release_at(fit, d->of->release).plan;
    const int32_t one = d->of->one;
    d->rows = fit->options.rows;
    if (d->of->buys_rows) d->rows = noisy(d, (int64_t)fit->rows.count * one, 0) / one;
    if (dpn_count_is_public(fit->query)) d->rows = (double)fit->rows.count;
    d->rows = fmax(d->rows, 1);
    for (size_t i = 0; i < d->of->coordinates; i++) {
        size_t column = d->of->coordinate[i].column;
        double square = 1;
        if (column > 0) {
            size_t k = squares_at(column - 1);
            double steps = noisy(d, dpn_derivatives_squares(fit, column, one), k) +
                           ldexp(sqrt(plan->variance[k]), DPN_DERIVATIVE_LOG);
            square = fmin(fmax(0.5 * (steps / one / d->rows + 1), 1e-3), 1);
        }
        d->smoothness[i] = curvature(fit) * square;
    }
}

/* prox of step (l1 |b| + l2 b^2/2). */
static double prox(const dpn_fit *fit, size_t column, double b, double step) {
    if (column == 0) return b;
    double left = fmax(fabs(b) - step * fit->options.l1, 0);
    return copysign(left / (1 + step * fit->options.l2), b);
}

/* tau_i = tau/M_i; M_i of all coefficients together is at most m times as large in any direction. */
static double step_of(const descent *d, size_t i) {
    double step = d->fit->options.step > 0 ? d->fit->options.step : 1;
    return step / d->smoothness[i] / (d->of->together ? (double)d->of->coordinates : 1);
}

/* The next value of coefficient i, from the noisy sum of its derivatives. */
static double stepped(const descent *d, size_t pass, size_t i) {
    const double farthest = 1024; /* no coefficient is larger: sums stay finite whatever the noise does */
    const coordinate *at = &d->of->coordinate[i];
    double tau = step_of(d, i);
    int64_t sum = dpn_derivatives_sum(&d->at, at->column, at->unit, at->clip_steps);
    double steps = noisy(d, sum, derivative_at(d->fit, d->of, pass, i));
    double slope = ldexp(steps, -DPN_DERIVATIVE_LOG) * at->unit / d->rows;
    double next = prox(d->fit, at->column, d->b[at->column] - tau * slope, tau);
    return fmin(fmax(next, -farthest), farthest);
}

static void move(descent *d, size_t i, double next) {
    size_t column = d->of->coordinate[i].column;
    dpn_derivatives_move(&d->at, column, next - d->b[column]);
    d->b[column] = next;
}

static void go_over(descent *d, size_t pass) {
    for (size_t i = 0; i < d->of->coordinates; i++) {
        d->next[i] = stepped(d, pass, i);
        if (!d->of->together) move(d, i, d->next[i]);
    }
    for (size_t i = 0; d->of->together && i < d->of->coordinates; i++) move(d, i, d->next[i]);
}

/* The coefficients after the last pass, as in the paper; or the mean of the second half of the passes, which has less noise. */
static void descend(descent *d) {
    size_t passes = d->of->passes, first = d->fit->options.raw ? passes - 1 : passes / 2;
    for (size_t pass = 0; pass < passes; pass++) {
        go_over(d, pass);
        for (size_t j = 0; pass >= first && j <= d->fit->features; j++)
            d->mean[j] += d->b[j] / (double)(passes - first);
    }
}

/* Per coefficient, in the scaled unit: lambda_i of the mean, M_i, C_i, tau_i. */
static dpn_status tell(const descent *d, dpn_error *why) {
    dpn_text text = {0};
    double both = d->fit->relation == DPN_REPLACE ? 2 : 1;
    dpn_text_put(&text, "{\"passes\": ");
    dpn_text_number(&text, (double)d->of->passes);
    dpn_text_put(&text, ", \"rows\": ");
    dpn_text_number(&text, d->rows);
    dpn_text_put(&text, ", \"coordinates\": [");
    for (size_t i = 0; i < d->of->coordinates; i++) {
        const coordinate *at = &d->of->coordinate[i];
        const double value[] = {both * at->clip / d->rows, d->smoothness[i], at->clip, step_of(d, i), at->unit};
        static const char *const name[] = {"sensitivity", "smoothness", "clip", "step", "unit"};
        dpn_text_put(&text, i > 0 ? ", {" : "{");
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            dpn_text_put(&text, k > 0 ? ", \"" : "\"");
            dpn_text_put(&text, name[k]);
            dpn_text_put(&text, "\": ");
            dpn_text_number(&text, value[k]);
        }
        dpn_text_put(&text, "}");
    }
    dpn_text_put(&text, "]}");
    if (text.failed) {
        free(text.at);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    d->fit->announced[d->of->release].detail = text.at;
    return DPN_OK;
}

/* The noise is drawn before a row is looked at, on zeros; sums of rows are added to it one by one. */
static dpn_status run_with(descent *d, dpn_rng *rng, dpn_error *why) {
    dpn_status status = dpn_fit_draw(d->noise, d->fit, d->of->release, rng, d->noise, why);
    if (!status) status = dpn_derivatives_begin(&d->at, d->fit, why);
    if (status) return status;
    look(d);
    descend(d);
    dpn_derivatives_end(&d->at);
    return tell(d, why);
}

dpn_status dpn_descent_run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    descent d = {.fit = fit, .of = of, .mean = out->b};
    d.noise = calloc(derivative_at(fit, of, of->passes, 0), sizeof *d.noise);
    d.smoothness = calloc(of->coordinates, sizeof *d.smoothness);
    d.b = calloc(fit->features + 1, sizeof *d.b);
    d.next = calloc(of->coordinates, sizeof *d.next);
    dpn_status status = d.noise && d.smoothness && d.b && d.next
                            ? run_with(&d, rng, why)
                            : dpn_fail(why, DPN_ENOMEM, "no memory for the descent");
    free(d.noise);
    free(d.smoothness);
    free(d.b);
    free(d.next);
    return status;
}
