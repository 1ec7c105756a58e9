/* The line of the contour sum that passes through the saddle point. */
#include "privacy/sampling/mixture-saddle.h"

#include "base/error.h"
#include "privacy/interval.h"

dpn_status dpn_mixture_saddle(dpn_mixture_line *line, dpn_mixtures *all, bool middle, double epsilon, double start,
                              dpn_error *why) {
    double low = middle ? -1 : 0, high = middle ? 0 : INFINITY, x = middle ? -0.5 : start;
    dpn_mixture_cumulants k;
    if (!middle && !(start > 0)) {
        dpn_status status = dpn_mixture_tilt(&k, all, 0, DPN_MIXTURE_ROUGH, why);
        if (status) return status;
        double gap = epsilon - k.mean, root = sqrt(gap * gap + 6 * k.variance);
        x = gap > 0 ? (gap + root) / (2 * k.variance) : 3 / (root - gap);
    }
    for (int i = 0; i < 80; i++) {
        dpn_status status = dpn_mixture_tilt(&k, all, x, DPN_MIXTURE_ROUGH, why);
        if (status && (middle || x < 1e-3)) return status;
        double slope = INFINITY, curvature = 1; /* too far */
        if (!status) {
            slope = k.mean - epsilon - 1 / x - 1 / (1 + x);
            curvature = k.variance + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
            if (fabs(slope) <= 0.1 * sqrt(curvature)) {
                dpn_mixture_line_set(line, &k, middle, x);
                return DPN_OK;
            }
        }
        *(slope < 0 ? &low : &high) = x;
        double next = status ? 0.25 * x : x - slope / curvature, target = k.mean - slope;
        if (!status && !middle && slope > 0) /* the mean grows exponentially where large losses take over */
            next = fmin(next, x - log(k.mean / target) * k.mean / k.variance);
        if (!middle) next = fmin(fmax(next, x / 16), 4 * x);
        if (!(next > low && next < high)) next = isinf(high) ? 2 * x : 0.5 * (low + high);
        if (isfinite(high) && high - low <= 1e-6 * fabs(high)) break;
        x = next;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour has no saddle point");
}

double dpn_mixture_log_unit(const dpn_mixture_line *line, double epsilon) {
    return dpn_two_value(dpn_two_subtract(line->k.value, dpn_two_product(line->theta, epsilon)));
}

double dpn_mixture_log_estimate(const dpn_mixture_line *line, double epsilon) {
    return dpn_mixture_log_unit(line, epsilon) + log(line->estimate);
}

double dpn_mixture_log_most(const dpn_mixture_line *line, double epsilon) {
    double unit = dpn_mixture_log_unit(line, epsilon);
    return unit + log(dpn_mixture_chernoff_factor(line->middle, line->theta)) + line->k.error +
           4 * DBL_EPSILON * (1 + fabs(unit));
}
