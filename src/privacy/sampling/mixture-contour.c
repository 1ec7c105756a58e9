/* delta(epsilon) of many steps with Gaussian noise on Poisson samples, and its inverse: which windows serve. */
#include "privacy/sampling/mixture-contour.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/sampling/mixture-guess.h"
#include "privacy/sampling/mixture-inverse.h"
#include "privacy/sampling/mixture-saddle.h"

#include <stdlib.h>

/* Work that is done before less accuracy and other windows are tried. */
#define WORK_QUICK 1.5e7

/* Shares of epsilon below which losses are small. */
static const double small_share[] = {0.5, 0.25, 0.12, 0.06, 0.03, 0.015};
enum { SHARES = sizeof small_share / sizeof *small_share };

/* Nothing lies beyond the largest loss of absent against present, -log(1 - q) in each step. */
static double largest_absent(const dpn_mixtures *all) {
    double largest = 0;
    for (size_t i = 0; i < all->terms; i++) largest -= all->term[i].times * log1p(-all->term[i].mixture.rate);
    return largest * (1 + 8 * DBL_EPSILON * (double)(all->terms + 1));
}

static bool beyond_largest(const dpn_mixtures *all, double epsilon) {
    return all->terms == 0 || (all->absent && epsilon >= largest_absent(all));
}

/* With what is far right left out. How much may be left out depends on the answer. */
static dpn_status forward_cut(dpn_delta *out, dpn_attempt *a, double epsilon, double share, dpn_error *why) {
    double log_delta = dpn_mixture_log_single(a->all, epsilon), before = INFINITY;
    dpn_status status = DPN_OK;
    for (int i = 0; i < 5 && !status && fabs(log_delta - before) > 1; i++) {
        before = log_delta;
        a->how = (dpn_mixture_cutting){true, log_delta + log(0.1 * a->accuracy), 0, 0};
        dpn_mixture_set_windows(a->all, &a->how);
        status = dpn_mixture_saddle(&a->line, a->all, false, epsilon, 0, why);
        if (!status) log_delta = fmax(log_delta, dpn_mixture_log_estimate(&a->line, epsilon) - 3);
    }
    for (int i = 0; i < 3 && !status; i++) {
        a->how = (dpn_mixture_cutting){true, log_delta + log(0.1 * a->accuracy), share * epsilon, 0};
        status = dpn_attempt_forward(a, epsilon, why);
        if (status) break;
        *out = dpn_attempt_delta(a, epsilon);
        if (dpn_attempt_accurate(out, a->accuracy)) return DPN_OK;
        log_delta = fmin(log_delta - 2, out->log_lower);
    }
    return status ? status : dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

/* With losses counted that are above epsilon by themselves. */
static dpn_status forward_jump(dpn_delta *out, dpn_attempt *a, double epsilon, double share, dpn_error *why) {
    double log_delta = dpn_mixture_log_rare(a->all, epsilon);
    double base = epsilon > 0 ? epsilon : dpn_mixture_times_seen(a->all), above = fmax(epsilon, DBL_MIN);
    for (int i = 0; i < 3 && isfinite(log_delta); i++) {
        a->how = (dpn_mixture_cutting){true, log_delta + log(0.1 * a->accuracy), share * base, above};
        dpn_status status = dpn_attempt_forward(a, epsilon, why);
        if (status) return status;
        *out = dpn_attempt_delta(a, epsilon);
        if (dpn_attempt_accurate(out, a->accuracy)) return DPN_OK;
        if (out->log_lower > log_delta - 1) break; /* another window would not help */
        log_delta = fmin(log_delta - 2, out->log_lower);
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

/* The same, with small losses apart or not. */
static dpn_status any_jump(dpn_delta *out, dpn_attempt *a, double epsilon, dpn_error *why) {
    double work = a->work;
    dpn_status status = DPN_EACCURACY;
    if (!dpn_mixture_jump_serves(a->all, epsilon)) return status;
    a->work = fmin(work, WORK_QUICK);
    for (size_t i = 0; i <= SHARES && status == DPN_EACCURACY; i++)
        status = forward_jump(out, a, epsilon, i ? small_share[i - 1] : 0, why);
    a->work = work;
    a->how = (dpn_mixture_cutting){0};
    return status;
}

dpn_status dpn_mixture_delta(dpn_delta *out, dpn_mixtures *all, double epsilon, double accuracy, double log_enough,
                             double work, dpn_error *why) {
    dpn_attempt a = {.all = all, .accuracy = accuracy, .work = work};
    all->spent = 0;
    if (beyond_largest(all, epsilon)) {
        *out = dpn_delta_between(-INFINITY, -INFINITY);
        return DPN_OK;
    }
    dpn_mixture_cumulants k;
    dpn_status status = any_jump(out, &a, epsilon, why);
    dpn_attempt_end(&a);
    if (status != DPN_EACCURACY) return status;
    status = dpn_mixture_tilt(&k, all, 0, DPN_MIXTURE_ROUGH, why);
    if (status) return status;
    bool middle = epsilon < k.mean - 3 * sqrt(k.variance);
    status = dpn_mixture_saddle(&a.line, all, middle, epsilon, 0, why);
    if (!status && !middle && dpn_mixture_log_most(&a.line, epsilon) <= log_enough) {
        *out = dpn_delta_between(-INFINITY, dpn_mixture_log_most(&a.line, epsilon));
        return DPN_OK;
    }
    if (!status) status = dpn_attempt_line(&a, epsilon, NAN, why);
    if (!status) *out = dpn_attempt_delta(&a, epsilon);
    for (size_t i = 0; status == DPN_EACCURACY && !middle && !all->absent && epsilon > 0; i++) {
        if (i > SHARES) break;
        double share = i ? small_share[i - 1] : 0;
        if (i) { /* small losses apart, without a cut */
            a.how = (dpn_mixture_cutting){false, 0, share * epsilon, 0};
            status = dpn_attempt_forward(&a, epsilon, why);
            if (!status) {
                *out = dpn_attempt_delta(&a, epsilon);
                if (!dpn_attempt_accurate(out, accuracy)) status = DPN_EACCURACY;
            }
        }
        if (status == DPN_EACCURACY) status = forward_cut(out, &a, epsilon, share, why);
    }
    dpn_attempt_end(&a);
    return status;
}

/* Whether losses that hardly count would take over near the line that suits delta: whether leaving them out changes the transform there
 * or a little further right. */
static bool cut_helps(dpn_attempt *a, double delta, double log_lost, dpn_error *why) {
    double epsilon;
    dpn_mixture_cumulants cut, plain;
    dpn_mixture_set_windows(a->all, &(dpn_mixture_cutting){true, log_lost, 0, 0});
    if (dpn_attempt_guess(&epsilon, a, log(delta), why)) return false;
    double rho = a->line.theta + 6 * a->line.width;
    if (dpn_mixture_tilt(&cut, a->all, rho, DPN_MIXTURE_ROUGH, why)) return false;
    dpn_mixture_set_windows(a->all, &(dpn_mixture_cutting){0});
    if (dpn_mixture_tilt(&plain, a->all, rho, DPN_MIXTURE_ROUGH, why)) return true;
    return dpn_two_value(dpn_two_subtract(plain.value, cut.value)) > 0.1;
}

/* delta(0), the total variation distance, is at most the sum of those of the steps. */
static bool zero_will_do(const dpn_mixtures *all, double delta) {
    double sum = 0;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        sum += all->term[i].times * m->rate * erf(m->ratio * (1 + m->doubt) / sqrt(8)) * (1 + 16 * DBL_EPSILON);
    }
    return sum * (1 + 4 * DBL_EPSILON * (double)(all->terms + 1)) <= delta;
}

/* What is enough for a width of epsilon, where the accuracy is not easily had. */
static void loosen(dpn_attempt *a, double delta, double accuracy, double width) {
    a->accuracy = fmax(accuracy, fmin(1e-2, 1.5 * width * fmax(1, a->epsilon) * a->rate));
    a->width = a->accuracy > accuracy ? width : 0;
    a->finest = accuracy;
    a->goal = width;
    a->how = (dpn_mixture_cutting){a->how.cut, log(delta) + log(0.1 * a->accuracy), 0, 0};
}

/* From what is known of epsilon by now. */
static dpn_status with_share(dpn_epsilon *out, dpn_attempt *a, double delta, double share, double work,
                             dpn_error *why) {
    if (a->goal > 0) loosen(a, delta, a->finest, a->goal);
    a->how.small = share * a->epsilon;
    a->work = work;
    a->line.work = 0;
    return dpn_attempt_epsilon(out, a, delta, a->epsilon, why);
}

/* Whether the person is in many samples, so that no losses are next to atoms. */
static bool is_often(const dpn_mixtures *all) {
    double most = 0;
    for (size_t i = 0; i < all->terms; i++) most = fmax(most, all->term[i].mixture.rate);
    return most > 0.1;
}

/* Losses that are above epsilon by themselves are counted, the others summed, with small ones apart or not. */
static dpn_status with_jump(dpn_epsilon *out, dpn_attempt *a, double delta, double work, dpn_error *why) {
    double epsilon = a->epsilon, rate = a->rate;
    dpn_status status = DPN_EACCURACY;
    for (size_t i = 0; i <= SHARES && status == DPN_EACCURACY; i++) {
        a->epsilon = epsilon;
        a->rate = rate;
        if (a->goal > 0) loosen(a, delta, a->finest, a->goal);
        a->how = (dpn_mixture_cutting){true, a->how.log_lost, i ? small_share[i - 1] * epsilon : 0, epsilon};
        a->work = fmin(work, WORK_QUICK);
        a->line.work = 0;
        status = dpn_attempt_epsilon(out, a, delta, epsilon, why);
    }
    a->how.above = 0;
    return status;
}

/* With small losses apart or not, whatever takes less work: the fewer losses are small the more nodes it takes, but the less do
 * small losses add up to. */
static dpn_status any_share(dpn_epsilon *out, dpn_attempt *a, double delta, double work, dpn_error *why) {
    if (dpn_mixture_jump_serves(a->all, a->epsilon)) {
        dpn_status jump = with_jump(out, a, delta, work, why);
        if (jump != DPN_EACCURACY) return jump;
    }
    bool rare = dpn_mixture_is_rare(a->all, a->epsilon) && dpn_mixture_times_seen(a->all) < 3e-3;
    dpn_status status = rare ? DPN_EACCURACY : with_share(out, a, delta, 0, WORK_QUICK, why);
    double whole = rare ? INFINITY : a->line.work;
    size_t i = a->all->absent || is_often(a->all) ? SHARES : 0;
    a->line.work = 0;
    for (; i < SHARES && status == DPN_EACCURACY && !(a->line.work > fmin(whole, work)); i++)
        status = with_share(out, a, delta, small_share[i], fmin(whole, work), why);
    if (status == DPN_EACCURACY && rare) status = with_share(out, a, delta, 0, WORK_QUICK, why);
    if (status == DPN_EACCURACY && !rare && whole > WORK_QUICK && whole < 2 * work)
        status = with_share(out, a, delta, 0, work, why);
    for (i = i > 0 ? i - 1 : 0; i < SHARES && status == DPN_EACCURACY && whole < work; i++)
        status = with_share(out, a, delta, small_share[i], work, why);
    return status;
}

dpn_status dpn_mixture_epsilon(dpn_epsilon *out, dpn_mixtures *all, double delta, double accuracy, double width,
                               double work, dpn_error *why) {
    dpn_attempt a = {.all = all, .accuracy = accuracy, .work = work};
    all->spent = 0;
    if (zero_will_do(all, delta)) {
        *out = (dpn_epsilon){0, 0};
        return DPN_OK;
    }
    double log_lost = log(delta) + log(0.1 * accuracy);
    dpn_status status = DPN_EACCURACY;
    bool far = !all->absent && cut_helps(&a, delta, log_lost, why);
    a.how = (dpn_mixture_cutting){far, log_lost, 0, 0};
    dpn_attempt_begin(&a, log(delta));
    if (far && width > 0) {
        loosen(&a, delta, accuracy, width);
        status = any_share(out, &a, delta, work, why);
    }
    if (status == DPN_EACCURACY) {
        a.accuracy = accuracy;
        a.width = 0;
        a.how = (dpn_mixture_cutting){far, log_lost, 0, 0};
        a.work = fmin(work, WORK_QUICK);
        status = dpn_attempt_epsilon(out, &a, delta, 0, why);
    }
    if (status == DPN_EACCURACY) {
        loosen(&a, delta, accuracy, width);
        status = any_share(out, &a, delta, work, why);
    }
    dpn_attempt_end(&a);
    return status;
}

dpn_status dpn_mixture_chernoff(double *log_upper, dpn_mixtures *all, double epsilon, dpn_error *why) {
    dpn_mixture_line line = {0};
    all->spent = 0;
    if (beyond_largest(all, epsilon)) {
        *log_upper = -INFINITY;
        return DPN_OK;
    }
    dpn_mixture_cumulants k;
    dpn_mixture_set_windows(all, &(dpn_mixture_cutting){0});
    dpn_status status = dpn_mixture_tilt(&k, all, 0, DPN_MIXTURE_ROUGH, why);
    if (status) return status;
    bool middle = epsilon < k.mean - 3 * sqrt(k.variance);
    if (!middle) status = dpn_mixture_saddle(&line, all, false, epsilon, 0, why);
    if (!status) *log_upper = middle ? 0 : fmin(0, dpn_mixture_log_most(&line, epsilon));
    return status;
}

/* Ends of log delta that are further apart than this are worth another attempt. */
#define FAR_APART 10

/* The bound with these windows, where it is less. */
static void lessen(double *log_lower, double *log_upper, dpn_attempt *a, double epsilon) {
    dpn_error unused;
    if (dpn_attempt_cut(a, &unused) || dpn_mixture_saddle(&a->line, a->all, false, epsilon, 0, &unused)) return;
    dpn_delta delta = dpn_attempt_delta(a, epsilon);
    *log_lower = fmax(*log_lower, delta.log_lower);
    *log_upper = fmin(*log_upper, delta.log_upper);
}

dpn_status dpn_mixture_bound(double *log_lower, double *log_upper, dpn_mixtures *all, double epsilon, dpn_error *why) {
    dpn_attempt a = {.all = all, .accuracy = 1, .bounded = true};
    *log_lower = -INFINITY;
    dpn_status status = dpn_mixture_chernoff(log_upper, all, epsilon, why);
    if (status == DPN_ENOMEM || all->absent || !(epsilon > 0)) return status;
    if (status) *log_upper = 0;
    double log_delta = dpn_mixture_log_rare(all, epsilon);
    for (double share = 1; share > 1e-4 && isfinite(log_delta) && log_delta > -650; share *= 0.1) {
        all->spent = 0;
        a.how = (dpn_mixture_cutting){true, log_delta + log(share), 0, epsilon};
        lessen(log_lower, log_upper, &a, epsilon);
    }
    all->spent = 0;
    for (double log_lost = -15; log_lost > -800 && *log_upper > *log_lower + FAR_APART; log_lost *= 1.4) {
        a.how = (dpn_mixture_cutting){true, log_lost, 0, 0};
        lessen(log_lower, log_upper, &a, epsilon);
    }
    dpn_attempt_end(&a);
    return *log_upper < 0 ? DPN_OK : status;
}

void dpn_mixtures_free(dpn_mixtures *all) {
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_rule_free(&all->term[i].rule);
        dpn_mixture_decay_free(&all->term[i].decay);
    }
    free(all->term);
    *all = (dpn_mixtures){0};
}
