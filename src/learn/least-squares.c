/* Least squares of moments. */
#include "learn/plain.h"

#include "base/error.h"
#include "learn/quadratic.h"

#include <math.h>
#include <stdlib.h>

dpn_status dpn_plain_moments(double *out, const dpn_fit *fit, dpn_error *why) {
    size_t cells = dpn_fit_width(fit) * dpn_fit_width(fit);
    int64_t *steps = malloc(cells * sizeof *steps);
    if (!steps) return dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    dpn_status status = dpn_rows_moments(steps, &fit->rows, why);
    for (size_t i = 0; i < cells && !status; i++) out[i] = ldexp((double)steps[i], -2 * DPN_UNIT_LOG);
    free(steps);
    return status;
}

dpn_status dpn_least_squares(double *b, const double *moments, const dpn_fit *fit, dpn_error *why) {
    size_t width = dpn_fit_width(fit), from = fit->options.no_intercept, m = fit->features + 1 - from;
    double *a = malloc(m * m * sizeof *a), *c = malloc(m * sizeof *c), rows = fmax(moments[0], 1);
    dpn_status status = a && c ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t i = 0; i < m && !status; i++) {
        for (size_t j = 0; j < m; j++) a[i * m + j] = moments[(i + from) * width + j + from] / rows;
        c[i] = moments[(i + from) * width + dpn_target_column(fit)] / rows;
    }
    b[0] = 0;
    if (!status) status = dpn_quadratic_minimise(b + from, a, c, m, !from, fit->options.l1, fit->options.l2, why);
    free(a);
    free(c);
    return status;
}
