/* Moments first, then the residuals of that fit: what is left to explain is small, and so is the noise on it.
 *
 * A part of epsilon buys noisy moments and their b_0. A little of it buys how large the residuals r = y - b_0.z are: a histogram of
 * their sizes on a public scale, of which a row moves one count by 1. That gives a clip C which nearly all residuals are below. The rest buys
 * g = sum of z clip(r, C)/C, each entry of which a row moves by at most 1. With the noisy A of the first step the Newton step is
 * b = b_0 + C A^-1 g/pi, pi being the share of residuals below C: noise on g counts C times, and that on A only as far as b is from b_0.
 * Where C is no smaller than 1 the step is worth little, and the first fit, which had less epsilon, is nearly all there is. */
#include "learn/cells.h"
#include "learn/noisy.h"
#include "learn/quadratic.h"

#include "base/error.h"
#include "learn/algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shares of epsilon; a part of 2^-40 is left for what their sum is rounded by. */
#define MOMENTS 0.4
#define SIZES 0.1
#define STEP (0.5 - 0x1p-40)

/* Sizes of residuals: 2^(1 - k/2) for k = 0 .. BINS - 1 are the upper ends of the bins, the last of which begins at 0. |r| is at most 1 + |b_0|_1. */
enum { BINS = 25 };

/* How many of the residuals the clip is to leave as they are. */
#define KEPT 0.97

/* The noise on A times the error of b_0, which is noise too, has longer tails than a normal law of its variance. */
#define TAILS 2

typedef struct state {
    dpn_cells cells;
    size_t moments, sizes, step;
} state;

static void free_state(void *context) {
    state *of = context;
    dpn_cells_free(&of->cells);
    free(of);
}

/* ---- Planning ---- */

static dpn_status announce_sizes(state *of, dpn_fit *fit, dpn_error *why) {
    dpn_sensitivity set = {.relation = fit->relation};
    dpn_release_options options = dpn_release_options_init();
    dpn_status status = dpn_sensitivity_histogram(&set, BINS, 1, fit->relation, why);
    options.epsilon = SIZES * fit->epsilon;
    options.set = &set;
    options.whole = true;
    return status ? status : dpn_fit_announce(&of->sizes, fit, "sizes of residuals", 1, &options, why);
}

static size_t first_column(const dpn_fit *fit) {
    return fit->options.no_intercept;
}

static dpn_status announce_step(state *of, dpn_fit *fit, dpn_error *why) {
    size_t m = fit->features + 1 - first_column(fit);
    double *bound = malloc(m * sizeof *bound);
    int *exponent = malloc(m * sizeof *exponent);
    dpn_status status = bound && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t i = 0; i < m && !status; i++) {
        bound[i] = fit->relation == DPN_REPLACE ? 2 : 1;
        exponent[i] = -2 * DPN_UNIT_LOG;
    }
    if (!status) {
        dpn_sensitivity set = {.dimension = m, .bound = bound, .relation = fit->relation};
        dpn_release_options options = dpn_release_options_init();
        options.epsilon = STEP * fit->epsilon;
        options.set = &set;
        options.whole = true;
        options.grid_exponents = exponent;
        options.exclude = DPN_EXCLUDE_INTEGER | DPN_EXCLUDE_SLOW;
        status = dpn_fit_announce(&of->step, fit, "residuals times features", 1, &options, why);
    }
    free(bound);
    free(exponent);
    return status;
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (!status && (fit->options.l1 > 0 || fit->options.l2 > 0 || fit->options.raw || fit->ball))
        status = dpn_fail(why, DPN_EUNSUPPORTED, "two steps know neither penalties nor balls nor raw estimates");
    if (!status)
        status = dpn_noisy_announce(&of->moments, fit, &of->cells, "moments", MOMENTS * fit->epsilon, 0, NULL, why);
    if (!status) status = announce_sizes(of, fit, why);
    return status ? status : announce_step(of, fit, why);
}

/* ---- Residuals ---- */

/* y - b.z of row r of a block. */
static double residual(const dpn_fit *fit, const double *b, size_t block, size_t r) {
    double sum = dpn_rows_column(&fit->rows, block, dpn_target_column(fit))[r];
    for (size_t i = 0; i <= fit->features; i++) sum -= b[i] * dpn_rows_column(&fit->rows, block, i)[r];
    return ldexp(sum, -DPN_UNIT_LOG);
}

static double upper_end(size_t bin) {
    return exp2(1 - 0.5 * (double)bin);
}

/* The bin with upper_end(bin + 1) < |r| <= upper_end(bin); what is larger is in the first, what is smaller in the last one. A
 * row is in one bin, whatever the comparisons round. */
static size_t bin_of(double size) {
    size_t bin = 0;
    while (bin + 1 < BINS && size <= upper_end(bin + 1)) bin++;
    return bin;
}

/* The clip, and the share of residuals that are below it. */
static dpn_status find_clip(double *clip, double *share, dpn_fit *fit, const state *of, const double *b, dpn_rng *rng,
                            dpn_error *why) {
    int64_t count[BINS] = {0};
    for (size_t block = 0; block < dpn_rows_blocks(&fit->rows); block++)
        for (size_t r = 0; r < dpn_rows_in(&fit->rows, block); r++) count[bin_of(fabs(residual(fit, b, block, r)))]++;
    dpn_status status = dpn_fit_draw(count, fit, of->sizes, rng, count, why);
    if (status) return status;
    double all = 0, beyond = 0;
    for (size_t bin = 0; bin < BINS; bin++) all += (double)count[bin];
    size_t bin = 0;
    while (bin + 1 < BINS && beyond + (double)count[bin] <= (1 - KEPT) * all) beyond += (double)count[bin++];
    *clip = upper_end(bin);
    *share = fmin(fmax(1 - beyond / fmax(all, 1), KEPT), 1);
    return DPN_OK;
}

/* z clip(r, C)/C in whole steps, summed in integers. Whatever the division rounds, the size is at most DPN_UNIT. */
static void sum_step(int64_t *out, const dpn_fit *fit, const double *b, double clip) {
    size_t from = first_column(fit), m = fit->features + 1 - from;
    memset(out, 0, m * sizeof *out);
    for (size_t block = 0; block < dpn_rows_blocks(&fit->rows); block++)
        for (size_t r = 0; r < dpn_rows_in(&fit->rows, block); r++) {
            double ratio = fmin(fmax(residual(fit, b, block, r) / clip, -1), 1);
            int64_t steps = (int64_t)rint(ldexp(ratio, DPN_UNIT_LOG));
            for (size_t i = 0; i < m; i++) out[i] += steps * dpn_rows_column(&fit->rows, block, i + from)[r];
        }
}

/* ---- The step ---- */

/* h = C g/pi is A (b - b_0) with noise of covariance V: that on g, and that on A times b - b_0, whose size the first fit's covariance P tells; and with a part
 * 1 - KEPT of itself, by which a clip may change it in either direction where residuals have another law than the normal one. The
 * posterior of both, as if all were normal: b = b_0 + P A (A P A + V)^-1 h, with the covariance P - P A (A P A + V)^-1 A P. */
typedef struct work {
    size_t from, m;
    double *a, *p, *ap, *s, *k, *h;
} work;

/* The mean variance of the noise on an entry of A. */
static double entry_variance(const dpn_cells *cells, const dpn_noisy_moments *noisy, size_t target) {
    double sum = 0, count = 0;
    for (size_t k = 1; k < cells->count; k++) {
        if (cells->cell[k].j == target) continue;
        sum += noisy->variance[k];
        count++;
    }
    return count > 0 ? sum / count : 0;
}

static void take(work *w, const dpn_fit *fit, const dpn_noisy_moments *noisy, const dpn_fit_estimate *first) {
    size_t width = dpn_fit_width(fit), all = fit->features + 1;
    for (size_t i = 0; i < w->m; i++)
        for (size_t j = 0; j < w->m; j++) {
            w->a[i * w->m + j] = noisy->moments[(i + w->from) * width + j + w->from];
            w->p[i * w->m + j] = first->covariance[(i + w->from) * all + j + w->from];
        }
}

static dpn_status update(dpn_fit_estimate *out, work *w, const dpn_fit *fit, double of_a, const double *of_h,
                         dpn_error *why) {
    size_t m = w->m, all = fit->features + 1;
    double trace = 0;
    dpn_status status = dpn_symmetric_raise(w->a, NULL, w->a, m, 0, why);
    if (!status) status = dpn_algebra_multiply(w->ap, w->a, w->p, m, why);
    if (!status) status = dpn_algebra_multiply(w->s, w->ap, w->a, m, why);
    if (status) return status;
    for (size_t i = 0; i < m * m; i++) w->s[i] *= 1 + (1 - KEPT) * (1 - KEPT);
    for (size_t i = 0; i < m; i++) trace += w->p[i * m + i];
    for (size_t i = 0; i < m; i++) w->s[i * m + i] += of_h[i] + TAILS * of_a * trace;
    status = dpn_symmetric_inverse(w->s, w->s, m, 1e-14, why);
    if (!status) status = dpn_algebra_multiply(w->k, w->s, w->ap, m, why); /* S^-1 A P, whose transpose is the gain */
    if (status) return status;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            out->b[i + w->from] += w->k[j * m + i] * w->h[j];
            for (size_t l = 0; l < m; l++)
                out->covariance[(i + w->from) * all + l + w->from] -= w->k[j * m + i] * w->ap[j * m + l];
        }
    return DPN_OK;
}

static dpn_status refine(dpn_fit_estimate *out, work *w, dpn_fit *fit, const state *of, const dpn_noisy_moments *noisy,
                         dpn_rng *rng, dpn_error *why) {
    double clip = 1, share = 1;
    int64_t *sum = calloc(w->m, sizeof *sum);
    double *variance = calloc(w->m, sizeof *variance);
    dpn_status status = sum && variance ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!status) status = find_clip(&clip, &share, fit, of, out->b, rng, why);
    if (!status) sum_step(sum, fit, out->b, clip);
    if (!status) status = dpn_fit_draw(sum, fit, of->step, rng, sum, why);
    /* What the clip takes from a residual beyond it, where tails are as of a normal law: about a fifth of it. */
    double scale = clip / share, clipped = fmax(noisy->value[0], 0) * (1 - share) * clip * clip / 25;
    /* Where more is clipped above than below, all of it goes one way, which the constant sees. */
    if (w->from == 0 && !status) variance[0] = pow(fmax(noisy->value[0], 0) * (1 - share) * clip / 10, 2);
    for (size_t i = 0; i < w->m && !status; i++) {
        w->h[i] = scale * ldexp((double)sum[i], dpn_release_grid_exponent(fit->announced[of->step].release, i));
        variance[i] += scale * scale * dpn_fit_release_at(fit, of->step).plan->variance[i] + clipped;
    }
    if (!status) {
        take(w, fit, noisy, out);
        status = update(out, w, fit, entry_variance(&of->cells, noisy, dpn_target_column(fit)), variance, why);
    }
    free(sum);
    free(variance);
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    work w = {.from = first_column(fit), .m = fit->features + 1 - first_column(fit)};
    size_t size = w.m * w.m;
    dpn_noisy_moments noisy = {0};
    w.a = malloc((5 * size + w.m) * sizeof *w.a);
    dpn_status status = w.a ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!status) status = dpn_noisy_draw(&noisy, fit, &of->cells, of->moments, rng, why);
    if (!status) dpn_noisy_expect(&noisy, fit, &of->cells);
    if (!status) status = dpn_noisy_estimate(out, fit, &of->cells, &noisy, why);
    if (!status) {
        w.p = w.a + size;
        w.ap = w.p + size;
        w.s = w.ap + size;
        w.k = w.s + size;
        w.h = w.k + size;
        status = refine(out, &w, fit, of, &noisy, rng, why);
    }
    dpn_noisy_free(&noisy);
    free(w.a);
    return status;
}

const struct dpn_fit_method dpn_fit_two_step = {
    .name = "two-step",
    .about = "noisy moments first, then the clipped residuals of that fit, which need less noise",
    .linear = true,
    .uses = DPN_USES_NOISE,
    .plan = plan,
    .run = run,
    .free = free_state,
};
