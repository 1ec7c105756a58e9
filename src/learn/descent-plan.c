/* Descent, what is public of it: clips, units, the noise. */
#include "learn/adaptive.h"
#include "learn/derivatives.h"
#include "learn/descent.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* A column has at least a millionth of the mean square that it could have; beginning farther away than this is a slip. */
#define LEAST_SMOOTHNESS 1e-6
#define MOST_START 1e6

/* ---- Clips and units ---- */

/* The mean square of a column, before anybody looks: that of uniform values, and of levels that are as frequent. */
static double guess_square(const dpn_fit *fit, size_t column) {
    if (column == 0) return 1;
    const dpn_variable *of = &fit->variable[column - 1];
    return of->is_level ? 1 / (double)fit->query->declaration.by[of->grouping].levels : 1.0 / 3;
}

static double smoothness_of(const dpn_fit *fit, size_t i, size_t column) {
    if (fit->options.smoothness) return fit->options.smoothness[i];
    return dpn_descent_curvature(fit) * guess_square(fit, column);
}

/* C_i = C sqrt(M_i/sum of M_j). */
static void choose_clips(dpn_descent *of, dpn_fit *fit) {
    double sum = 0, length = fit->options.clip;
    for (size_t i = 0; i < of->coordinates; i++) sum += of->coordinate[i].smoothness;
    if (length == 0) length = sqrt((double)of->coordinates) * (fit->options.kind == DPN_FIT_LINEAR ? 0.5 : 1);
    fit->settled.clip = length;
    for (size_t i = 0; i < of->coordinates; i++)
        of->coordinate[i].clip = length * sqrt(of->coordinate[i].smoothness / sum);
}

/* Noise of variance V on the derivative by b_i moves b_i by V/M_i^2, and predictions by V/M_i. */
static double weight_of(const dpn_descent_coordinate *of) {
    return 1 / of->smoothness;
}

/* The units: one for all where each coordinate gets a law of its own, or all shall have the same noise. By zCDP Gaussian noise of
 * variance V_i costs the sum of C_i^2/2V_i, and the weighted sum of V_i is least at V_i in proportion to C_i/sqrt(weight); the
 * paper has V_i ~ C_i^2. */
static double unit_of(const dpn_descent_coordinate *of, const dpn_fit *fit) {
    if (fit->options.identical) return 1;
    if (fit->options.accounting == DPN_FIT_PAPER) return of->clip;
    return fit->options.accounting == DPN_FIT_ZCDP ? sqrt(of->clip / sqrt(weight_of(of))) : 1;
}

/* The largest bound becomes 1. What is bought besides has their mean square as its own: with one law for all, its share of the
 * budget is the same whatever the units are, and units in the proportions of the optimum lose to none. */
static void choose_units(dpn_descent *of, const dpn_fit *fit) {
    double most = 0, squares = 0;
    for (size_t i = 0; i < of->coordinates; i++) {
        dpn_descent_coordinate *at = &of->coordinate[i];
        at->unit = unit_of(at, fit);
        most = fmax(most, at->clip / at->unit);
    }
    for (size_t i = 0; i < of->coordinates; i++) {
        dpn_descent_coordinate *at = &of->coordinate[i];
        at->unit *= most;
        at->clip_steps = (int32_t)fmin(fmax(ldexp(at->clip / at->unit, DPN_DERIVATIVE_LOG), 1), DPN_DERIVATIVE_UNIT);
        double bound = ldexp(at->clip_steps, -DPN_DERIVATIVE_LOG);
        at->clip = bound * at->unit;
        squares += bound * bound / (double)of->coordinates;
    }
    of->one = (int32_t)fmax(ldexp(sqrt(squares), DPN_DERIVATIVE_LOG), 1);
}

/* ---- The noise ---- */

/* Errors are counted in the data's scale, whatever the units are. */
static void fill(double *bound, double *weight, int *exponent, const dpn_fit *fit, const dpn_descent *of) {
    const double share = 1.0 / 16; /* of the weight of a derivative: N and M_i need not be known as well */
    const int e = of->exponent;
    double both = fit->relation == DPN_REPLACE ? 2 : 1, mean = 0;
    for (size_t i = 0; i < of->coordinates; i++) {
        const dpn_descent_coordinate *at = &of->coordinate[i];
        double unit = ldexp(at->unit, -DPN_DERIVATIVE_LOG - e);
        mean += weight_of(at) * at->clip * at->clip / (double)of->coordinates;
        for (size_t pass = 0; pass < of->passes; pass++) {
            bound[dpn_descent_derivative_at(of, pass, i)] = both * ldexp(at->clip_steps, e);
            weight[dpn_descent_derivative_at(of, pass, i)] = weight_of(at) * unit * unit;
        }
    }
    double one = ldexp(of->one, e);
    bound[0] = of->buys_rows ? one : 0;
    for (size_t j = 0; j < of->squares; j++) bound[dpn_descent_squares_at(j)] = both * one;
    for (size_t k = 0; k <= of->squares; k++) weight[k] = share * mean / (one * one);
    for (size_t k = 0; k < dpn_descent_numbers(of); k++) exponent[k] = e;
}

static dpn_status announce(dpn_descent *of, dpn_fit *fit, double *bound, double *weight, int *exponent,
                           dpn_error *why) {
    bool exact = fit->options.accounting == DPN_FIT_EXACT;
    fill(bound, weight, exponent, fit, of);
    dpn_sensitivity set = {.dimension = dpn_descent_numbers(of), .bound = bound, .relation = fit->relation};
    dpn_calibration_options calibration = dpn_calibration_options_init();
    dpn_release_options options = dpn_release_options_init();
    calibration.weight = weight;
    calibration.identical = !exact || fit->options.identical;
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

static dpn_status announce_all(dpn_descent *of, dpn_fit *fit, dpn_error *why) {
    size_t all = dpn_descent_numbers(of);
    double *bound = calloc(all, sizeof *bound), *weight = calloc(all, sizeof *weight);
    int *exponent = calloc(all, sizeof *exponent);
    dpn_status status = bound && weight && exponent ? announce(of, fit, bound, weight, exponent, why)
                                                    : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    free(bound);
    free(weight);
    free(exponent);
    return status;
}

/* ---- The plan ---- */

/* For L passes over m coefficients the variances of pure noise on a derivative are as (m L)^2, and with
 * a delta as m L; predictions have the noise of m coefficients, and what the passes leave to do is as 1/L: the sum is least at L in proportion to
 * N epsilon/m^1.5 if half of the passes are averaged and pure, to N epsilon/m with a delta if they are not. The factors are measured (docs/regression-methods.md). */
double dpn_descent_rows_a_pass(const dpn_fit *fit) {
    double m = (double)(fit->features + 1 - fit->options.no_intercept);
    return (fit->delta == 0 ? 4 * m * sqrt(m) : 3 * m) / fit->epsilon;
}

/* So many that an uneasy problem gets somewhere, and no more: noise grows with them. Where it is known how many rows there are, their number says how much noise
 * can be borne. Steps of all coefficients together are shorter by their number, and there are more of them. */
static size_t choose_passes(const dpn_fit *fit, const dpn_descent *of) {
    bool pure = fit->delta == 0;
    if (fit->options.passes > 0) return (size_t)fit->options.passes;
    size_t usual = pure ? 4 : 10;
    if (of->together) return usual + 2 * of->coordinates;
    if (fit->options.rows == 0) return usual;
    double borne = nearbyint(fit->options.rows / dpn_descent_rows_a_pass(fit));
    return (size_t)fmin(fmax(borne, dpn_descent_least_passes(fit)), DPN_DESCENT_MOST_PASSES);
}

static dpn_status check(const dpn_fit *fit, size_t count, dpn_error *why) {
    const uint64_t most = 100000; /* numbers that are released */
    const dpn_fit_options *options = &fit->options;
    if (options->passes > most / count)
        return dpn_fail(why, DPN_EDOMAIN, "passes times coefficients must be at most %llu", (unsigned long long)most);
    if (options->start && options->starts != count)
        return dpn_fail(why, DPN_EDOMAIN, "start must have a number for each of the %zu coefficients%s; there %s %zu",
                        count, options->no_intercept ? "" : ", the constant first", options->starts == 1 ? "is" : "are",
                        options->starts);
    if (options->smoothness && options->smoothnesses != count)
        return dpn_fail(why, DPN_EDOMAIN,
                        "smoothness must have a number for each of the %zu coefficients%s; there %s %zu", count,
                        options->no_intercept ? "" : ", the constant first", options->smoothnesses == 1 ? "is" : "are",
                        options->smoothnesses);
    for (size_t i = 0; options->smoothness && i < count; i++)
        if (!(options->smoothness[i] >= LEAST_SMOOTHNESS && options->smoothness[i] <= dpn_descent_curvature(fit)))
            return dpn_fail(why, DPN_EDOMAIN, "smoothness must lie between 0.000001 and %g, as columns lie in [-1, 1]",
                            dpn_descent_curvature(fit));
    return DPN_OK;
}

/* From the data's units to the scaled one: the inverse of what model.c does. */
static dpn_status place_start(dpn_descent *of, const dpn_fit *fit, dpn_error *why) {
    const dpn_variable *target = &fit->variable[fit->features];
    const double *given = fit->options.start;
    bool linear = fit->options.kind == DPN_FIT_LINEAR, intercept = !fit->options.no_intercept;
    if (!given) return DPN_OK;
    double height = linear ? target->half : 1, constant = intercept ? given[0] - (linear ? target->centre : 0) : 0;
    for (size_t j = 0; j < fit->features; j++) {
        of->start[j + 1] = given[j + intercept] * fit->variable[j].half / height;
        constant += given[j + intercept] * fit->variable[j].centre;
    }
    if (intercept) of->start[0] = constant / height;
    for (size_t j = 0; j <= fit->features; j++)
        if (!(fabs(of->start[j]) <= MOST_START))
            return dpn_fail(why, DPN_EDOMAIN,
                            "start must lie within +-1000000 in the unit in which all columns lie in [-1, 1], and %s "
                            "is %.3g there",
                            j == 0 ? "the constant" : "a coefficient", of->start[j]);
    return DPN_OK;
}

void dpn_descent_free(void *state) {
    dpn_descent *of = state;
    free(of->start);
    free(of);
}

static bool is_on_integers(const char *family) {
    const double parameter[] = {1, 1, 1};
    dpn_law law;
    for (size_t count = 1; count <= 3; count++)
        if (!dpn_law_make(&law, family, parameter, count, NULL)) return dpn_law_is_integer(&law);
    return false;
}

dpn_status dpn_descent_plan(void **out, dpn_fit *fit, bool together, dpn_error *why) {
    size_t from = fit->options.no_intercept, count = fit->features + 1 - from;
    dpn_status status = check(fit, count, why);
    if (status) return status;
    dpn_descent *of = calloc(1, sizeof *of + count * sizeof *of->coordinate);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    of->start = calloc(fit->features + 1, sizeof *of->start);
    if (!of->start) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    of->coordinates = count;
    of->together = together;
    of->passes = choose_passes(fit, of);
    fit->settled.passes = of->passes;
    if (fit->options.step == 0) fit->settled.step = 1;
    /* Who declares N may err, and mean squares would err with it; who declares these too is taken at his word. */
    of->buys_rows = !(fit->options.rows > 0 && fit->options.smoothness) && !dpn_count_is_public(fit->query);
    of->squares = fit->options.smoothness ? 0 : fit->features;
    /* Noise on the integers is in steps of 1. */
    of->exponent = fit->noise && is_on_integers(fit->noise) ? 0 : -DPN_DERIVATIVE_LOG;
    for (size_t i = 0; i < count; i++)
        of->coordinate[i] = (dpn_descent_coordinate){.column = from + i, .smoothness = smoothness_of(fit, i, from + i)};
    status = place_start(of, fit, why);
    if (status) return status;
    choose_clips(of, fit);
    choose_units(of, fit);
    return announce_all(of, fit, why);
}
