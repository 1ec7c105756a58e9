/* The sum of all losses of a composition. */
#include "privacy/compose/saddle.h"

#include "base/error.h"
#include "privacy/loss/loss.h"

#include <float.h>
#include <stdlib.h>

static bool is_zero(const dpn_loss *loss) {
    if (loss->kind == &dpn_loss_kind_law) return loss->sensitivity == 0;
    return loss->kind == &dpn_loss_kind_pure && loss->epsilon == 0;
}

void dpn_sum_free(dpn_sum *sum) {
    for (size_t i = 0; i < sum->terms; i++) dpn_tilt_rule_free(&sum->term[i].rule);
    free(sum->term);
    *sum = (dpn_sum){0};
}

dpn_status dpn_sum_make(dpn_sum *out, const dpn_part *part, size_t parts, bool reversed, dpn_error *why) {
    dpn_sum sum = {.reversed = reversed, .term = calloc(parts ? parts : 1, sizeof *sum.term)};
    dpn_status status = sum.term ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for %zu losses", parts);
    dpn_twofold gaussian = {0, 0}, log_finite = {0, 0};
    for (size_t i = 0; i < parts && !status; i++) {
        if (part[i].times == 0 || is_zero(&part[i].loss)) continue;
        dpn_term *term = &sum.term[sum.terms];
        term->loss = &part[i].loss;
        term->times = (double)part[i].times;
        sum.times += term->times;
        if (sum.times > 0x1p53) status = dpn_fail(why, DPN_EACCURACY, "the composition has more than 2^53 losses");
        if (!status) status = dpn_shape_make(&term->shape, term->loss, reversed, why);
        if (status) break;
        log_finite = dpn_two_add(log_finite, dpn_two_product(term->times, log1p(-fmax(0, term->shape.infinite))));
        sum.log_surplus += term->times * log1p(fmax(0, -term->shape.infinite));
        if (term->shape.gaussian != 0)
            gaussian = dpn_two_add(gaussian, dpn_two(term->times * (term->shape.gaussian * term->shape.gaussian)));
        else
            sum.terms++;
    }
    sum.gaussian = dpn_two_value(gaussian);
    sum.log_finite = dpn_two_value(log_finite);
    if (status)
        dpn_sum_free(&sum);
    else
        *out = sum;
    return status;
}

dpn_status dpn_sum_tilt(dpn_sum *sum, double theta, double omega, double goal, dpn_error *why) {
    if (sum->goal > 0 && sum->goal <= goal && sum->theta == theta && sum->omega >= omega) return DPN_OK;
    dpn_twofold half_square = dpn_two_times(dpn_two_product(theta, 0.5 * (1 + theta)), sum->gaussian);
    dpn_cumulants total = {.value = dpn_two_add(half_square, dpn_two(sum->log_finite)),
                           .mean = (theta + 0.5) * sum->gaussian,
                           .variance = sum->gaussian,
                           .error = 4 * DBL_EPSILON * (fabs(half_square.hi) + fabs(sum->log_finite))};
    sum->goal = 0;
    for (size_t i = 0; i < sum->terms; i++) {
        dpn_term *term = &sum->term[i];
        dpn_status status = dpn_tilt_rule_make(&term->rule, &term->shape, term->loss, sum->reversed, theta,
                                               term->closed ? 0 : omega, goal / sum->times, why);
        if (status) return status;
        total.value = dpn_two_add(total.value, dpn_two_product(term->times, term->rule.cumulant));
        total.mean += term->times * term->rule.mean;
        total.variance += term->times * term->rule.variance;
        total.error += term->times * term->rule.error;
    }
    sum->cumulants = total;
    sum->theta = theta;
    sum->omega = omega;
    sum->goal = goal;
    return DPN_OK;
}

/* Where to start: as if K were quadratic, and 1/x + 1/(1 + x) about 3/2x. */
static double first_guess(const dpn_cumulants *at_zero, double epsilon) {
    double gap = epsilon - at_zero->mean, root = sqrt(gap * gap + 6 * at_zero->variance);
    return gap > 0 ? (gap + root) / (2 * at_zero->variance) : 3 / (root - gap);
}

dpn_status dpn_sum_saddle(double *theta, dpn_sum *sum, dpn_line line, double epsilon, double log_enough, double goal,
                          dpn_error *why) {
    bool right = line == DPN_LINE_RIGHT;
    double low = right ? 0 : -1, high = right ? INFINITY : 0, x = -0.5;
    if (right) {
        dpn_status status = dpn_sum_tilt(sum, 0, 0, goal, why);
        if (status) return status;
        x = first_guess(&sum->cumulants, epsilon);
    }
    for (int i = 0; i < 60; i++) {
        dpn_status status = dpn_sum_tilt(sum, x, 0, goal, why);
        if (status) return status;
        *theta = x;
        double slope = sum->cumulants.mean - epsilon - 1 / x - 1 / (1 + x);
        double curvature = sum->cumulants.variance + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
        if (fabs(slope) <= 0.1 * sqrt(curvature)) break;
        if (right && isnan(slope) && low > 0) { /* the losses that are left lie on the largest one */
            *theta = low;
            return dpn_sum_tilt(sum, low, 0, goal, why);
        }
        if (right && dpn_two_value(sum->cumulants.value) - x * epsilon < log_enough) break;
        if (slope < 0)
            low = x;
        else
            high = x;
        double next = x - slope / curvature;
        if (right) next = fmin(fmax(next, x / 16), 16 * x);
        if (!(next > low && next < high)) next = isinf(high) ? 2 * x : 0.5 * (low + high);
        x = next;
    }
    return DPN_OK;
}
