/* Adaptive perturbation of sufficient statistics (Wang 2018, Algorithm 2): noisy sums of products, and a ridge that is as large as the noise on them asks for,
 * less what the smallest eigenvalue of A already gives, of which a noisy number is bought too. All of it is one vector with Gaussian noise, of which the exact
 * profile is known, where the paper has three parts with a third of epsilon and delta each. docs/proofs/learn/fit.md, F13 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/adaptive.h"
#include "learn/cells.h"
#include "learn/method.h"
#include "learn/quadratic.h"
#include "learn/reach.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the eigenvalue has of the square of the length that a row moves all by, and what floating-point arithmetic may add to its move. */
#define SHARE 0.1
#define ROUNDING 1e-3

/* The ridge is enough with the probability 1 - RISK. */
#define RISK 0.05

typedef struct state {
    dpn_cells cells;
    size_t release;
    double unit; /* the eigenvalue is released in this unit */
} state;

static void free_state(void *context) {
    state *of = context;
    dpn_cells_free(&of->cells);
    free(of);
}

static size_t first_column(const dpn_fit *fit) {
    return fit->options.no_intercept;
}

/* ---- Planning ---- */

/* The l2 norm of what a row moves the cells by. */
static double cells_length(const dpn_fit *fit, const dpn_cells *cells) {
    double square = 0, reach = dpn_cells_reach(cells, fit).square;
    for (size_t k = 0; k < cells->count; k++) square += cells->bound[k] * cells->bound[k];
    return nextafter(sqrt(fmin(square, reach)), INFINITY);
}

static double round_up(double x) {
    return ldexp(ceil(ldexp(x, 2 * DPN_UNIT_LOG)), -2 * DPN_UNIT_LOG);
}

static dpn_status announce(state *of, dpn_fit *fit, double *bound, int *exponent, dpn_error *why) {
    size_t count = of->cells.count, m = fit->features + 1 - first_column(fit);
    double length = cells_length(fit, &of->cells), moves = (double)m * (1 + ROUNDING);
    of->unit = length * sqrt(SHARE / (1 - SHARE)) / moves;
    for (size_t k = 0; k <= count; k++) {
        bound[k] = k < count ? of->cells.bound[k] : round_up(of->unit * moves);
        exponent[k] = -2 * DPN_UNIT_LOG;
    }
    dpn_sensitivity set = {.dimension = count + 1, .bound = bound, .relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    set.l2 = sqrt(length * length + bound[count] * bound[count]) * (1 + 1e-15);
    options.epsilon = fit->epsilon;
    options.delta = fit->delta;
    dpn_fit_ask_for(&options, "gaussian");
    options.set = &set;
    options.whole = true;
    options.grid_exponents = exponent;
    return dpn_fit_announce(&of->release, fit, "moments and their least eigenvalue", 1, &options, why);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    if (!(fit->delta > 0)) return dpn_fail(why, DPN_EUNSUPPORTED, "adassp has Gaussian noise, which needs a delta");
    if (fit->options.l1 > 0 || fit->options.l2 > 0 || fit->noise || fit->ball)
        return dpn_fail(why, DPN_EUNSUPPORTED, "adassp has a ridge and noise of its own, and no balls");
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (status) return status;
    double *bound = malloc((of->cells.count + 1) * sizeof *bound);
    int *exponent = malloc((of->cells.count + 1) * sizeof *exponent);
    status = bound && exponent ? announce(of, fit, bound, exponent, why)
                               : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    free(bound);
    free(exponent);
    return status;
}

/* ---- The sums and the eigenvalue ---- */

typedef struct work {
    size_t from, m;
    int64_t *sum; /* Z'Z, and then the cells and the eigenvalue */
    double *moments, *a, *value;
} work;

static void take(work *w, size_t width, const double *moments) {
    for (size_t i = 0; i < w->m; i++)
        for (size_t j = 0; j < w->m; j++) w->a[i * w->m + j] = moments[(i + w->from) * width + j + w->from];
}

/* Z'Z is of at most 2^61 steps: an entry of A is within 2^-53 of itself, and the eigenvalue within some m 2^-53 |A|. */
static dpn_status draw(work *w, dpn_fit *fit, const state *of, dpn_rng *rng, dpn_error *why) {
    size_t width = dpn_fit_width(fit), count = of->cells.count;
    int64_t *cell = w->sum + width * width;
    double smallest = 0;
    dpn_status status = dpn_rows_moments(w->sum, &fit->rows, why);
    for (size_t i = 0; i < width * width && !status; i++) w->moments[i] = ldexp((double)w->sum[i], -2 * DPN_UNIT_LOG);
    if (!status) take(w, width, w->moments);
    if (!status) status = dpn_symmetric_raise(w->a, &smallest, w->a, w->m, 0, why);
    if (!status) {
        dpn_cells_sum(cell, &of->cells, w->sum, width);
        cell[count] = (int64_t)rint(ldexp(of->unit * fmax(smallest, 0), 2 * DPN_UNIT_LOG));
        status = dpn_fit_draw(cell, fit, of->release, rng, cell, why);
    }
    for (size_t k = 0; k <= count && !status; k++)
        w->value[k] = ldexp((double)cell[k], dpn_release_grid_exponent(fit->announced[of->release].release, k));
    if (!status) dpn_cells_restore(w->moments, &of->cells, fit, w->value);
    return status;
}

/* ---- The ridge ---- */

static double ridge(const work *w, const dpn_fit *fit, const state *of) {
    const dpn_plan *plan = dpn_fit_release_at(fit, of->release).plan;
    double sigma = sqrt(plan->variance[of->cells.count]), m = (double)w->m;
    double least = fmax((w->value[of->cells.count] - sqrt(log(6 / fit->delta)) * sigma) / of->unit, 0);
    return fmax(sqrt(m * log(2 * m * m / RISK)) * sigma - least, 0);
}

static dpn_status solve(double *b, work *w, const dpn_fit *fit, double lambda, dpn_error *why) {
    size_t width = dpn_fit_width(fit), target = dpn_target_column(fit);
    take(w, width, w->moments);
    for (size_t i = 0; i < w->m; i++) w->a[i * w->m + i] += lambda;
    dpn_status status = dpn_symmetric_inverse(w->a, w->a, w->m, 1e-12, why);
    for (size_t i = 0; i < w->m && !status; i++)
        for (size_t j = 0; j < w->m; j++)
            b[i + w->from] += w->a[i * w->m + j] * w->moments[(j + w->from) * width + target];
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t size = dpn_fit_width(fit) * dpn_fit_width(fit), cells = of->cells.count + 1;
    work w = {.from = first_column(fit), .m = fit->features + 1 - first_column(fit)};
    w.sum = malloc((size + cells) * sizeof *w.sum);
    w.moments = malloc((2 * size + cells) * sizeof *w.moments);
    dpn_status status = w.sum && w.moments ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    if (!status) {
        w.a = w.moments + size;
        w.value = w.a + size;
        status = draw(&w, fit, of, rng, why);
    }
    if (!status) status = solve(out->b, &w, fit, ridge(&w, fit, of), why);
    if (w.sum) explicit_bzero(w.sum, (size + cells) * sizeof *w.sum);
    if (w.moments) explicit_bzero(w.moments, (2 * size + cells) * sizeof *w.moments);
    free(w.sum);
    free(w.moments);
    return status;
}

const struct dpn_fit_method dpn_fit_adassp = {
    .name = "adassp",
    .about = "noisy moments with Gaussian noise, and a ridge from their noisy least eigenvalue; needs a delta",
    .linear = true,
    .needs_delta = true,
    .plan = plan,
    .run = run,
    .free = free_state,
};
