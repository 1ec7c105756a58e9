/* The fit without noise, as everybody else makes it: to compare with, never to publish. */
#include "learn/plain.h"

#include "base/error.h"
#include "learn/quadratic.h"

#include <math.h>
#include <stdlib.h>

/* The covariance of least squares is s^2 (Z'Z)^-1 with s^2 the mean square of n - m residuals. */
static dpn_status spread(dpn_fit_estimate *out, const double *moments, const dpn_fit *fit, dpn_error *why) {
    size_t width = dpn_fit_width(fit), m = fit->features + 1, y = dpn_target_column(fit),
           from = fit->options.no_intercept;
    double rows = moments[0], residual = moments[y * width + y], free_rows = rows - (double)(m - from);
    for (size_t i = from; i < m; i++) {
        residual -= 2 * out->b[i] * moments[i * width + y];
        for (size_t j = from; j < m; j++) residual += out->b[i] * out->b[j] * moments[i * width + j];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            out->covariance[i * m + j] =
                i < from || j < from ? 0 : moments[i * width + j] * free_rows / fmax(residual, 0);
    if (!(free_rows > 0 && residual > 0)) return DPN_OK;
    out->interval = "sampling";
    return dpn_symmetric_inverse(out->covariance, out->covariance, m, 1e-12, why);
}

static dpn_status run_linear(dpn_fit_estimate *out, dpn_fit *fit, dpn_error *why) {
    size_t width = dpn_fit_width(fit);
    double *moments = malloc(width * width * sizeof *moments);
    if (!moments) return dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    dpn_status status = dpn_plain_moments(moments, fit, why);
    if (!status) status = dpn_least_squares(out->b, moments, fit, why);
    bool penalised = fit->options.l1 > 0 || fit->options.l2 > 0;
    if (!status && !penalised) status = spread(out, moments, fit, why);
    free(moments);
    return status;
}

/* The covariance of a maximum-likelihood fit is the inverse of n times the Hessian. */
static dpn_status run_logistic(dpn_fit_estimate *out, dpn_fit *fit, dpn_error *why) {
    size_t m = fit->features + 1;
    dpn_status status = dpn_plain_logistic(out->b, out->covariance, fit, why);
    bool penalised = fit->options.l1 > 0 || fit->options.l2 > 0;
    if (status || penalised || fit->rows.count == 0) return status;
    for (size_t i = 0; i < m * m; i++) out->covariance[i] *= (double)fit->rows.count;
    out->interval = "sampling";
    return dpn_symmetric_inverse(out->covariance, out->covariance, m, 1e-12, why);
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why) {
    (void)state;
    (void)rng;
    return fit->options.kind == DPN_FIT_LINEAR ? run_linear(out, fit, why) : run_logistic(out, fit, why);
}

const struct dpn_fit_method dpn_fit_non_private = {
    .name = "non-private",
    .about = "no noise at all and no guarantee, with standard errors: to compare with, never to publish",
    .linear = true,
    .logistic = true,
    .is_not_private = true,
    .uses = DPN_USES_PENALTIES,
    .run = run,
};
