/* Objective perturbation: Awan and Slavkovic 2021, Algorithm 2, for logistic loss.
 *
 * Minimised is the sum of the losses + rows (l2/2)|b|^2 + (gamma/2)|b|^2 + V.b, with V of K-norm noise for the largest gradient
 * of a row at the share q of epsilon_obj, and gamma = lambda/(exp((1 - q) epsilon_obj) - 1) for the largest eigenvalue lambda of
 * a row's Hessian, which has rank 1. A computer finds the minimum to within eta/gamma; noise for twice that distance is
 * added to what it found, at a hundredth of epsilon. docs/proofs/learn/fit.md, F8. */
#include "learn/method.h"
#include "learn/quadratic.h"

#include "base/dyadic.h"
#include "base/error.h"
#include "base/text/json-write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The length of the gradient at what is returned, at most, all rounding included; and V is rounded to steps of 2^V_EXPONENT. */
#define ETA 1e-5
enum { V_EXPONENT = -34 };

/* Up to here the minimum is found on every table, whatever its rows hold. */
enum { MOST_COEFFICIENTS = 100 };
#define MOST_RIDGE 0x1p40

typedef struct state {
    size_t from, m; /* columns from .. from + m - 1 are fitted */
    size_t noise, output;
    double gamma, ridge; /* ridge: rows times l2 */
    double longest;      /* the most that |z|^2 can be */
} state;

/* ---- The plan ---- */

/* The most that |z|^2 can be: numbers and the constant add 1 each, the levels of a column 1 together. */
static double longest_square(const dpn_fit *fit) {
    double sum = fit->options.no_intercept ? 0 : 1;
    size_t levels = 0;
    for (size_t j = 0; j < fit->features; j++)
        if (!fit->variable[j].is_level)
            sum += 1;
        else
            levels = fit->variable[j].grouping + 1 > levels ? fit->variable[j].grouping + 1 : levels;
    return sum + (double)levels;
}

/* The noise has the variance a^2/q^2 epsilon^-2 in each coordinate, with a = (largest gradient) sqrt((m+1)(m+2)/3), and gamma, about
 * lambda/((1 - q) epsilon), pulls a coefficient of size 1 as hard as noise of that size: the sum of squares is least where
 * the ratio of q and 1 - q is (a/lambda)^(2/3). */
static double choose_q(double gradient, double m, double lambda) {
    double ratio = cbrt(gradient * gradient * (m + 1) * (m + 2) / 3 / (lambda * lambda));
    return ratio / (1 + ratio);
}

static dpn_status announce_noise(state *of, dpn_fit *fit, double gradient, double epsilon, dpn_error *why) {
    double *bound = malloc(of->m * sizeof *bound);
    if (!bound) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t j = 0; j < of->m; j++) bound[j] = gradient;
    dpn_sensitivity set = {.dimension = of->m, .bound = bound, .relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = epsilon;
    options.set = &set;
    options.family = "k-norm";
    options.has_grid = true;
    options.grid_exponent = V_EXPONENT;
    dpn_status status = dpn_fit_announce(&of->noise, fit, "noise in the objective", 1, &options, why);
    free(bound);
    return status;
}

static dpn_status announce_output(state *of, dpn_fit *fit, double epsilon, dpn_error *why) {
    dpn_sensitivity set = {.dimension = of->m, .l2 = 2 * ETA / of->gamma, .relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    options.epsilon = epsilon;
    options.set = &set;
    options.family = "k-norm";
    return dpn_fit_announce(&of->output, fit, "distance to the minimum", 1, &options, why);
}

static dpn_status check(const dpn_fit *fit, dpn_error *why) {
    if (fit->options.l1 > 0) return dpn_fail(why, DPN_EUNSUPPORTED, "objective perturbation has no l1 penalty: use l2");
    if (fit->options.l2 > 0 && fit->options.rows == 0)
        return dpn_fail(why, DPN_EDOMAIN, "a penalty per row needs a declared number of rows: the penalty is public");
    if (!(fit->options.rows * fit->options.l2 <= MOST_RIDGE))
        return dpn_fail(why, DPN_EDOMAIN, "the penalty times the number of rows must be at most 2^40");
    if (fit->features + 1 - fit->options.no_intercept > MOST_COEFFICIENTS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "objective perturbation takes at most %d coefficients",
                        MOST_COEFFICIENTS);
    if (fit->noise || fit->ball)
        return dpn_fail(why, DPN_EUNSUPPORTED, "objective perturbation has K-norm noise of the box");
    return DPN_OK;
}

static dpn_status tell(dpn_fit *fit, const state *of, double lambda, double q, dpn_error *why) {
    dpn_text text = {0};
    dpn_text_put(&text, "{\"gamma\": ");
    dpn_text_number(&text, of->gamma);
    dpn_text_put(&text, ", \"lambda\": ");
    dpn_text_number(&text, lambda);
    dpn_text_put(&text, ", \"q\": ");
    dpn_text_number(&text, q);
    dpn_text_put(&text, "}");
    fit->announced[of->noise].detail = text.at;
    return text.failed ? dpn_fail(why, DPN_ENOMEM, "no memory for the fit") : DPN_OK;
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    dpn_status status = check(fit, why);
    if (status) return status;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    of->from = fit->options.no_intercept;
    of->m = fit->features + 1 - of->from;
    of->ridge = fit->options.rows * fit->options.l2;
    of->longest = longest_square(fit);
    /* |p - y| and |z_j| are at most 1, and p(1 - p) at most 1/4. */
    double gradient = fit->relation == DPN_REPLACE ? 2 : 1, lambda = of->longest / 4;
    double whole = fit->epsilon * (1 - 1e-12), q = choose_q(gradient, (double)of->m, lambda);
    double in_noise = 0.99 * q * whole, in_determinant = 0.99 * (1 - q) * whole;
    of->gamma = fmax(lambda / expm1(in_determinant) * (1 + 1e-12), 0.02 * lambda); /* more is as private */
    status = announce_noise(of, fit, gradient, in_noise, why);
    if (status) return status;
    fit->announced[of->noise].elsewhere = in_determinant;
    status = tell(fit, of, lambda, q, why);
    return status ? status : announce_output(of, fit, 0.01 * whole, why);
}

/* ---- The minimum ---- */

/* Points are whole numbers of 2^-POINT_LOG, so that b.z is computed without rounding, however large b is and whatever cancels. */
enum { POINT_LOG = 64 };

typedef struct search {
    const dpn_fit *fit;
    const state *of;
    const double *v;
    dpn_int128 *b, *trial, *sum;
    double *gradient, *hessian, *step, *row;
} search;

static double coefficient(const dpn_int128 *b, size_t j) {
    return ldexp((double)b[j], -POINT_LOG);
}

/* The gradient at b, and the Hessian if it is asked for. The rows' gradients are added as whole numbers of 2^-60: no sum rounds.
 * Returns its length. */
static double differentiate(const search *s, const dpn_int128 *b, bool both) {
    const dpn_rows *rows = &s->fit->rows;
    size_t m = s->of->m;
    for (size_t j = 0; j < m; j++) s->sum[j] = 0;
    if (both) memset(s->hessian, 0, m * m * sizeof *s->hessian);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) {
            dpn_int128 dot = 0;
            for (size_t j = 0; j < m; j++) {
                int32_t z = dpn_rows_column(rows, block, s->of->from + j)[r];
                s->row[j] = ldexp(z, -DPN_UNIT_LOG);
                dot += b[j] * z;
            }
            double t = ldexp((double)dot, -POINT_LOG - DPN_UNIT_LOG), p = 1 / (1 + exp(-t));
            double e = p - (dpn_rows_column(rows, block, dpn_target_column(s->fit))[r] > 0);
            for (size_t j = 0; j < m; j++) s->sum[j] += (int64_t)(e * s->row[j] * 0x1p60);
            for (size_t i = 0; both && i < m; i++)
                for (size_t j = 0; j < m; j++) s->hessian[i * m + j] += p * (1 - p) * s->row[i] * s->row[j];
        }
    double squares = 0, weight = s->of->gamma + s->of->ridge;
    for (size_t j = 0; j < m; j++) {
        s->gradient[j] = (double)s->sum[j] * 0x1p-60 + weight * coefficient(b, j) + s->v[j];
        if (both) s->hessian[j * m + j] += weight;
        squares += s->gradient[j] * s->gradient[j];
    }
    return sqrt(squares);
}

/* How far the gradient computed at s->b can be from the true one, in length: each row's has an error of 2^-51; what is added at
 * the end has a few roundings of its size; V one step. */
static double error_of(const search *s) {
    double rows = (double)s->fit->rows.count, m = (double)s->of->m, ends = 0;
    for (size_t j = 0; j < s->of->m; j++)
        ends = fmax(ends, fabs(s->v[j]) + (s->of->gamma + s->of->ridge) * fabs(coefficient(s->b, j)));
    return 2 * sqrt(m) * (rows * 0x1p-51 + 0x1p-50 * ends + ldexp(1, V_EXPONENT));
}

static void place(const search *s, double share) {
    for (size_t j = 0; j < s->of->m; j++) s->trial[j] = s->b[j] + (dpn_int128)ldexp(share * s->step[j], POINT_LOG);
}

/* A share of Newton's step that is sure to lower the objective: one over 1 + the most that the step moves the log odds of a row. */
static double careful_share(const search *s) {
    double squares = 0;
    for (size_t j = 0; j < s->of->m; j++) squares += s->step[j] * s->step[j];
    return 1 / (1 + sqrt(s->of->longest * squares));
}

/* Large shares where they make the gradient shorter than it ever was, by a tenth, which cannot happen often; else the careful one. */
static void choose_trial(const search *s, double shortest) {
    double careful = careful_share(s);
    for (double share = 1; share > careful && share >= 0.125; share *= 0.5) {
        place(s, share);
        if (differentiate(s, s->trial, false) <= 0.9 * shortest) return;
    }
    place(s, careful);
}

/* Newton's method until the minimum is certified. That ends on every table (docs/proofs/learn/fit.md, F8): what rows hold neither makes it fail
 * nor changes how near the minimum it gets. */
static dpn_status minimise(const search *s, dpn_error *why) {
    size_t m = s->of->m;
    double length = differentiate(s, s->b, true), shortest = length;
    while (!(length + error_of(s) <= ETA)) {
        for (size_t j = 0; j < m; j++) s->gradient[j] = -s->gradient[j];
        dpn_status status = dpn_quadratic_minimise(s->step, s->hessian, s->gradient, m, 0, 0, 0, why);
        if (status) return status;
        choose_trial(s, shortest);
        memcpy(s->b, s->trial, m * sizeof *s->b);
        length = differentiate(s, s->b, true);
        shortest = fmin(shortest, length);
    }
    return DPN_OK;
}

/* ---- The run ---- */

static dpn_status release(dpn_fit_estimate *out, const search *s, int64_t *steps, dpn_fit *fit, dpn_rng *rng,
                          dpn_error *why) {
    size_t m = s->of->m;
    const dpn_release *output = fit->announced[s->of->output].release;
    for (size_t j = 0; j < m; j++) {
        double scaled = ldexp(coefficient(s->b, j), -dpn_release_grid_exponent(output, j));
        steps[j] = (int64_t)llround(fmin(fmax(scaled, -0x1p61), 0x1p61));
    }
    dpn_status status = dpn_fit_draw(steps, fit, s->of->output, rng, steps, why);
    for (size_t j = 0; j < m && !status; j++)
        out->b[s->of->from + j] = ldexp((double)steps[j], dpn_release_grid_exponent(output, j));
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t m = of->m;
    double *room = calloc(4 * m + m * m, sizeof *room);
    int64_t *steps = calloc(m, sizeof *steps);
    dpn_int128 *points = calloc(3 * m, sizeof *points);
    dpn_status status = room && steps && points ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) status = dpn_fit_draw(steps, fit, of->noise, rng, steps, why);
    if (!status) {
        double *v = room;
        search s = {.fit = fit,
                    .of = of,
                    .v = v,
                    .b = points,
                    .trial = points + m,
                    .sum = points + 2 * m,
                    .gradient = room + m,
                    .step = room + 2 * m,
                    .row = room + 3 * m,
                    .hessian = room + 4 * m};
        for (size_t j = 0; j < m; j++)
            v[j] = ldexp((double)steps[j], dpn_release_grid_exponent(fit->announced[of->noise].release, j));
        status = minimise(&s, why);
        if (!status) status = release(out, &s, steps, fit, rng, why);
    }
    free(room);
    free(steps);
    free(points);
    return status;
}

const struct dpn_fit_method dpn_fit_objective = {
    .name = "objective",
    .about = "the minimum of a loss with noise in it, for logistic fits; pure",
    .logistic = true,
    .plan = plan,
    .run = run,
};
