/* delta of sampled steps along one line, with one choice of windows. */
#include "privacy/sampling/mixture-attempt.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/sampling/mixture-saddle.h"

dpn_status dpn_attempt_cut(dpn_attempt *a, dpn_error *why) {
    dpn_mixture_set_windows(a->all, &a->how);
    if (a->how.above > 0 && !dpn_mixture_jump_make(&a->jump, a->all))
        return dpn_fail(why, DPN_EACCURACY, "losses beyond the window are too rare to be counted");
    return DPN_OK;
}

/* What the line and the jump say, without what is left out. */
static void sum_ends(double *lower, double *upper, const dpn_attempt *a, double epsilon) {
    if (a->bounded) {
        *lower = -INFINITY;
        *upper = dpn_mixture_log_most(&a->line, epsilon);
    } else
        dpn_mixture_line_delta(lower, upper, &a->line, epsilon);
    if (!(a->how.above > 0)) return;
    double least, most;
    dpn_mixture_jump_delta(&least, &most, &a->jump, a->all, epsilon);
    *lower = dpn_log_add(*lower, least) - 2 * DBL_EPSILON;
    *upper = dpn_log_add(*upper, most);
}

dpn_delta dpn_attempt_delta(const dpn_attempt *a, double epsilon) {
    double lower, upper;
    sum_ends(&lower, &upper, a, epsilon);
    if (a->how.small > 0) upper = dpn_log_add(upper, a->log_small - a->small_theta * epsilon);
    if (a->how.cut && !(a->how.above > 0)) upper = dpn_log_add(upper, a->how.log_lost + 1e-9);
    return dpn_delta_between(lower, fmin(0, upper + 4 * DBL_EPSILON));
}

bool dpn_attempt_accurate(const dpn_delta *delta, double accuracy) {
    return delta->log_upper - delta->log_lower <= log1p(accuracy);
}

dpn_status dpn_attempt_line(dpn_attempt *a, double epsilon, double log_target, dpn_error *why) {
    double log_answer = a->line.middle ? 0 : dpn_mixture_log_estimate(&a->line, epsilon);
    a->bounded = false;
    if (a->how.above > 0) {
        double least, most;
        dpn_mixture_jump_delta(&least, &most, &a->jump, a->all, epsilon);
        a->bounded = dpn_mixture_log_most(&a->line, epsilon) < least + log(0.1 * a->accuracy);
        if (a->bounded) return DPN_OK;
        log_answer = dpn_log_add(log_answer, least);
    }
    if (log_target < log_answer) log_answer = log_target - 1;
    a->line.tolerance = a->accuracy * exp(fmin(700, log_answer - dpn_mixture_log_unit(&a->line, epsilon)));
    double before = INFINITY;
    for (int i = 0; i < 3; i++) {
        dpn_status status = dpn_mixture_line_make(&a->line, a->all, epsilon, a->work, why);
        if (status) return status;
        double lower, upper;
        sum_ends(&lower, &upper, a, epsilon);
        if (upper - lower <= 0.8 * log1p(a->accuracy)) return DPN_OK;
        if (upper < log_target - 1 || lower > log_target + 1) return DPN_OK;
        if (upper - lower > 0.5 * before) break; /* rounding, which no tolerance mends */
        before = upper - lower;
        double answer = a->line.middle ? 0 : exp(fmin(lower, upper) - dpn_mixture_log_unit(&a->line, epsilon));
        a->line.tolerance =
            answer > 0 ? fmin(0.3 * a->accuracy * answer, 0.1 * a->line.tolerance) : 1e-4 * a->line.tolerance;
        if (a->line.tolerance < 1e-15) break;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

dpn_status dpn_attempt_bound_small(dpn_attempt *a, double epsilon, dpn_error *why) {
    dpn_mixture_line line = {0};
    dpn_mixture_keep_small(a->all);
    dpn_status status = dpn_mixture_saddle(&line, a->all, false, epsilon, 0, why);
    if (!status) {
        a->small_theta = line.theta;
        a->log_small = dpn_mixture_log_most(&line, epsilon) + line.theta * epsilon;
    }
    dpn_mixture_set_windows(a->all, &a->how);
    return status;
}

dpn_status dpn_attempt_forward(dpn_attempt *a, double epsilon, dpn_error *why) {
    dpn_status status = dpn_attempt_cut(a, why);
    if (!status && a->how.small > 0) status = dpn_attempt_bound_small(a, epsilon, why);
    if (!status) status = dpn_mixture_saddle(&a->line, a->all, false, epsilon, 0, why);
    return status ? status : dpn_attempt_line(a, epsilon, NAN, why);
}

void dpn_attempt_end(dpn_attempt *a) {
    dpn_mixture_line_free(&a->line);
    dpn_mixture_set_windows(a->all, &(dpn_mixture_cutting){0});
}
