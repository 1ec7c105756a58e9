/* Coefficients of noisy moments.
 *
 * The least-squares b of the table solves A b = c. Of the noisy ones c^ - A^ b = sum_k noise_k effect_k(b) has mean 0 and a known
 * covariance V(b), so that with a prior of variances T on b the posterior, if the noise were normal, has the precision A^'V^-1 A^ + T^-1 and the
 * mean (A^'V^-1 A^ + T^-1)^-1 A^'V^-1 c^. V depends on b: a few rounds settle it. A is positive semidefinite, and A^ is moved to the nearest matrix that is.
 * Where the noise is small this is the raw estimate A^^-1 c^; where it is not, b shrinks as far as the noise asks for. */
#include "learn/noisy.h"

#include "base/error.h"
#include "learn/kit.h"
#include "learn/plain.h"
#include "learn/prior.h"
#include "learn/quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8 };

/* Columns from .. from + m - 1 of Z'Z are A. */
typedef struct work {
    size_t from, m;
    double *a, *c;            /* A^ and c^ */
    double *v, *va, *precise; /* V or its inverse, V^-1 A^, the precision */
    double *right, *effect, *b;
} work;

static dpn_status make(work *w, const dpn_fit *fit, dpn_error *why) {
    w->from = fit->options.no_intercept;
    w->m = fit->features + 1 - w->from;
    size_t m = w->m, size = m * m;
    w->a = malloc((4 * size + 3 * m + fit->features + 1) * sizeof *w->a);
    if (!w->a) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    w->v = w->a + size;
    w->va = w->v + size;
    w->precise = w->va + size;
    w->c = w->precise + size;
    w->right = w->c + m;
    w->b = w->right + m;
    w->effect = w->b + m;
    return DPN_OK;
}

static void take(work *w, const dpn_fit *fit, const dpn_noisy_moments *noisy) {
    size_t width = dpn_fit_width(fit);
    for (size_t i = 0; i < w->m; i++) {
        for (size_t j = 0; j < w->m; j++) w->a[i * w->m + j] = noisy->moments[(i + w->from) * width + j + w->from];
        w->c[i] = noisy->moments[(i + w->from) * width + dpn_target_column(fit)];
    }
}

/* V(b) = sum_k variance_k effect_k effect_k'. b has the intercept, whether there is one or not. */
static void spread(work *w, const dpn_fit *fit, const dpn_cells *cells, const dpn_noisy_moments *noisy,
                   const double *b) {
    size_t m = w->m;
    memset(w->v, 0, m * m * sizeof *w->v);
    for (size_t k = 0; k < cells->count; k++) {
        dpn_cells_effect(w->effect, cells, fit, k, b);
        const double *effect = w->effect + w->from;
        for (size_t i = 0; i < m; i++) {
            if (effect[i] == 0) continue;
            for (size_t j = 0; j < m; j++) w->v[i * m + j] += noisy->variance[k] * effect[i] * effect[j];
        }
    }
}

/* w->precise = A V A. */
static dpn_status enclose(work *w, dpn_error *why) {
    dpn_status status = dpn_fit_kit_here.multiply(w->va, w->v, w->a, w->m, why);
    return status ? status : dpn_fit_kit_here.multiply(w->precise, w->a, w->va, w->m, why);
}

/* One round: b of the posterior whose V is that of the b before, and its covariance in w->precise. */
static dpn_status round_once(work *w, const dpn_fit *fit, dpn_error *why) {
    size_t m = w->m;
    dpn_status status = dpn_symmetric_inverse(w->v, w->v, m, 1e-13, why);
    if (!status) status = enclose(w, why);
    if (status) return status;
    for (size_t i = 0; i < m; i++) w->precise[i * m + i] += 1 / dpn_prior_variance(fit, i + w->from);
    status = dpn_symmetric_inverse(w->precise, w->precise, m, 1e-13, why);
    for (size_t i = 0; i < m; i++) {
        w->right[i] = 0;
        for (size_t j = 0; j < m; j++) w->right[i] += w->va[j * m + i] * w->c[j];
    }
    for (size_t i = 0; i < m && !status; i++) {
        w->b[i] = 0;
        for (size_t j = 0; j < m; j++) w->b[i] += w->precise[i * m + j] * w->right[j];
    }
    return status;
}

/* Which coefficients an interval is told of: those whose variance is at most this share of the prior's. Where more is left the prior rules, and the
 * error is as large as the coefficient may be, of which it is no more than a guess. */
#define MOST_LEFT 0.03125

/* Noise on the products of a column counts in every coefficient as much as that of the column is large: where noise leaves that of a number open, none has an
 * interval. The indicator of a level fills its bounds, however few rows have it: its coefficient is of the target's size, and no other suffers. */
static void put_untold(dpn_fit_estimate *out, const dpn_fit *fit) {
    size_t width = fit->features + 1;
    bool all = false;
    for (size_t i = fit->options.no_intercept; i < width && out->null; i++) {
        bool open = !(out->covariance[i * width + i] <= MOST_LEFT * dpn_prior_variance(fit, i));
        if (open) out->null[i * width + i] = 1;
        all |= open && (i == 0 || !fit->variable[i - 1].is_level);
    }
    for (size_t i = 0; i < width && all; i++) out->null[i * width + i] = 1;
}

static void put_covariance(dpn_fit_estimate *out, const work *w, const dpn_fit *fit, const double *covariance) {
    size_t width = fit->features + 1;
    for (size_t i = 0; i < w->m; i++)
        for (size_t j = 0; j < w->m; j++)
            out->covariance[(i + w->from) * width + j + w->from] = covariance[i * w->m + j];
    out->interval = "noise";
    put_untold(out, fit);
}

static dpn_status posterior(dpn_fit_estimate *out, work *w, const dpn_fit *fit, const dpn_cells *cells,
                            const dpn_noisy_moments *noisy, dpn_error *why) {
    dpn_status status = dpn_symmetric_raise(w->a, NULL, w->a, w->m, 0, why);
    for (int i = 0; i < ROUNDS && !status; i++) {
        spread(w, fit, cells, noisy, out->b);
        status = round_once(w, fit, why);
        if (!status) memcpy(out->b + w->from, w->b, w->m * sizeof *w->b);
    }
    if (!status) put_covariance(out, w, fit, w->precise);
    return status;
}

/* pinv(A^) c^, and to first order its error: A^^-1 V(b) A^^-1. */
static dpn_status raw(dpn_fit_estimate *out, work *w, const dpn_fit *fit, const dpn_cells *cells,
                      const dpn_noisy_moments *noisy, dpn_error *why) {
    size_t m = w->m;
    dpn_status status = dpn_symmetric_inverse(w->a, w->a, m, 1e-12, why);
    for (size_t i = 0; i < m && !status; i++)
        for (size_t j = 0; j < m; j++) out->b[i + w->from] += w->a[i * m + j] * w->c[j];
    if (status) return status;
    spread(w, fit, cells, noisy, out->b);
    status = enclose(w, why);
    if (!status) put_covariance(out, w, fit, w->precise);
    return status;
}

/* With penalties (b - b^)'A^(b - b^)/2 is minimised, b^ what is estimated without them and A^ the nearest matrix that is possible. The noisy c^ itself may lie
 * outside the range of A^, where nothing bounds b; so, no penalty of b is above that of b^. Its error is not told. A descent that comes to no
 * end has come near enough for noisy moments. */
static dpn_status penalised(dpn_fit_estimate *out, work *w, const dpn_fit *fit, const dpn_noisy_moments *noisy,
                            dpn_error *why) {
    double rows = fmax(noisy->moments[0], 1), *b = out->b + w->from;
    take(w, fit, noisy);
    dpn_status status = dpn_symmetric_raise(w->a, NULL, w->a, w->m, 0, why);
    if (status) return status;
    for (size_t i = 0; i < w->m * w->m; i++) w->a[i] /= rows;
    for (size_t i = 0; i < w->m; i++) {
        w->c[i] = 0;
        for (size_t j = 0; j < w->m; j++) w->c[i] += w->a[i * w->m + j] * b[j];
    }
    out->interval = "";
    status = dpn_quadratic_minimise(b, w->a, w->c, w->m, !w->from, fit->options.l1, fit->options.l2, why);
    return status == DPN_EACCURACY ? DPN_OK : status;
}

dpn_status dpn_noisy_estimate(dpn_fit_estimate *out, const dpn_fit *fit, const dpn_cells *cells,
                              const dpn_noisy_moments *noisy, dpn_error *why) {
    work w;
    dpn_status status = make(&w, fit, why);
    if (status) return status;
    take(&w, fit, noisy);
    status = fit->options.raw ? raw(out, &w, fit, cells, noisy, why) : posterior(out, &w, fit, cells, noisy, why);
    if (!status && (fit->options.l1 > 0 || fit->options.l2 > 0)) status = penalised(out, &w, fit, noisy, why);
    free(w.a);
    return status;
}
