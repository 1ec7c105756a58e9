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
enum { V_EXPONENT = -40 };

typedef struct state {
    size_t from, m; /* columns from .. from + m - 1 are fitted */
    size_t noise, output;
    double gamma, ridge; /* ridge: rows times l2 */
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
    /* |p - y| and |z_j| are at most 1, and p(1 - p) at most 1/4. */
    double gradient = fit->relation == DPN_REPLACE ? 2 : 1, lambda = longest_square(fit) / 4;
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

typedef struct search {
    const dpn_fit *fit;
    const state *of;
    const double *v;
    double *b, *gradient, *hessian, *next, *trial, *c, *row;
    dpn_int128 *sum;
} search;

/* The gradient at b, and the Hessian if it is asked for. The rows' gradients are added as whole numbers of 2^-60: no sum rounds.
 * Returns its length. */
static double differentiate(const search *s, const double *b, bool both) {
    const dpn_rows *rows = &s->fit->rows;
    size_t m = s->of->m;
    for (size_t j = 0; j < m; j++) s->sum[j] = 0;
    if (both) memset(s->hessian, 0, m * m * sizeof *s->hessian);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) {
            double t = 0;
            for (size_t j = 0; j < m; j++) {
                s->row[j] = ldexp(dpn_rows_column(rows, block, s->of->from + j)[r], -DPN_UNIT_LOG);
                t += b[j] * s->row[j];
            }
            double p = 1 / (1 + exp(-t)), e = p - (dpn_rows_column(rows, block, dpn_target_column(s->fit))[r] > 0);
            for (size_t j = 0; j < m; j++) s->sum[j] += (int64_t)(e * s->row[j] * 0x1p60);
            for (size_t i = 0; both && i < m; i++)
                for (size_t j = 0; j < m; j++) s->hessian[i * m + j] += p * (1 - p) * s->row[i] * s->row[j];
        }
    double squares = 0, weight = s->of->gamma + s->of->ridge;
    for (size_t j = 0; j < m; j++) {
        s->gradient[j] = (double)s->sum[j] * 0x1p-60 + weight * b[j] + s->v[j];
        if (both) s->hessian[j * m + j] += weight;
        squares += s->gradient[j] * s->gradient[j];
    }
    return sqrt(squares);
}

/* How far a computed gradient can be from the true one, in length: each row's p has an error of 2^-51 and that of t, a quarter of
 * m |b|_1 2^-53; what is added at the end has a few roundings of its size; V one step. */
static double error_of(const search *s) {
    double rows = (double)s->fit->rows.count, m = (double)s->of->m, size = 0, ends = 0;
    for (size_t j = 0; j < s->of->m; j++) {
        size += fabs(s->b[j]);
        ends = fmax(ends, fabs(s->v[j]));
    }
    double each = rows * (0x1p-51 + m * size * 0x1p-55) + 0x1p-50 * (ends + (s->of->gamma + s->of->ridge) * size) +
                  ldexp(1, V_EXPONENT);
    return 2 * sqrt(m) * each;
}

/* Newton's method; a step is halved until the gradient is shorter, which the direction -H^-1 g makes it for short steps. */
static dpn_status minimise(search *s, dpn_error *why) {
    enum { STEPS = 200 };
    size_t m = s->of->m;
    double length = differentiate(s, s->b, true);
    for (int step = 0; step < STEPS && length + error_of(s) > 0.01 * ETA; step++) {
        for (size_t i = 0; i < m; i++) {
            s->c[i] = -s->gradient[i];
            for (size_t j = 0; j < m; j++) s->c[i] += s->hessian[i * m + j] * s->b[j];
        }
        dpn_status status = dpn_quadratic_minimise(s->next, s->hessian, s->c, m, 0, 0, 0, why);
        if (status) return status;
        double share = 1, reached = INFINITY;
        for (; share > 1e-12 && !(reached < length); share *= 0.5) {
            for (size_t j = 0; j < m; j++) s->trial[j] = s->b[j] + share * (s->next[j] - s->b[j]);
            reached = differentiate(s, s->trial, false);
        }
        if (!(reached < length)) break; /* as near as doubles come */
        memcpy(s->b, s->trial, m * sizeof *s->b);
        length = differentiate(s, s->b, true);
    }
    length = differentiate(s, s->b, true);
    return length + error_of(s) <= ETA ? DPN_OK : dpn_fail(why, DPN_EACCURACY, "the minimum was not found");
}

/* ---- The run ---- */

static dpn_status release(dpn_fit_estimate *out, search *s, int64_t *steps, dpn_fit *fit, dpn_rng *rng,
                          dpn_error *why) {
    size_t m = s->of->m;
    const dpn_release *output = fit->announced[s->of->output].release;
    for (size_t j = 0; j < m; j++) {
        double scaled = ldexp(s->b[j], -dpn_release_grid_exponent(output, j));
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
    double *room = calloc(7 * m + m * m, sizeof *room);
    int64_t *steps = calloc(m, sizeof *steps);
    dpn_int128 *sum = calloc(m, sizeof *sum);
    dpn_status status = room && steps && sum ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) status = dpn_fit_draw(steps, fit, of->noise, rng, steps, why);
    if (!status) {
        double *v = room;
        search s = {.fit = fit,
                    .of = of,
                    .v = v,
                    .b = room + m,
                    .gradient = room + 2 * m,
                    .next = room + 3 * m,
                    .trial = room + 4 * m,
                    .c = room + 5 * m,
                    .row = room + 6 * m,
                    .hessian = room + 7 * m,
                    .sum = sum};
        for (size_t j = 0; j < m; j++)
            v[j] = ldexp((double)steps[j], dpn_release_grid_exponent(fit->announced[of->noise].release, j));
        status = minimise(&s, why);
        if (!status) status = release(out, &s, steps, fit, rng, why);
    }
    free(room);
    free(steps);
    free(sum);
    return status;
}

const struct dpn_fit_method dpn_fit_objective = {
    .name = "objective",
    .about = "the minimum of a loss with noise in it, for logistic fits; pure",
    .logistic = true,
    .plan = plan,
    .run = run,
};
