/* epsilon(delta): the profile inverted on its certified ends. */
#include "base/error.h"
#include "privacy/profile/profile.h"

#include <float.h>
#include <math.h>

/* The search, which asks the profile and remembers whether an answer lacked accuracy. */
struct search {
    dpn_profile profile;
    double target, log_target;
    bool failed;
};

static dpn_delta interval(struct search *search, double epsilon) {
    dpn_estimate delta = dpn_profile_at(&search->profile, epsilon);
    if (!dpn_estimate_usable(delta)) search->failed = true;
    return dpn_estimate_interval(delta);
}

/* Whether delta(epsilon) <= target for certain, and whether it is above for certain. */
static bool reached(struct search *search, double epsilon) {
    return interval(search, epsilon).upper <= search->target;
}

static bool missed(struct search *search, double epsilon) {
    double rounding = 4 * DBL_EPSILON * fabs(search->log_target);
    return interval(search, epsilon).log_lower > search->log_target + rounding;
}

/* log delta(epsilon) - log target, which decreases: it leads the way, the tests above decide. What cannot be computed
 * lies too deep in the tails, or too close to the largest loss, to be above any target. */
static double height(struct search *search, double epsilon) {
    double log_delta = dpn_estimate_log(dpn_profile_at(&search->profile, epsilon));
    return isnan(log_delta) ? -INFINITY : log_delta - search->log_target;
}

/* A bracket low < high of the root with height(low) > 0 >= height(high), given height(0) > 0; false if there is none
 * below 1e300. low stays 0 if the root is 0 but for rounding. */
static bool bracket(struct search *search, double *low, double *high) {
    *low = 0;
    for (*high = 1; height(search, *high) > 0; *high *= 4) {
        if (search->failed || *high > 1e300) return false;
        *low = *high;
    }
    for (double next = *high / 4; *low == 0 && next > 0 && !search->failed; next /= next > 1e-20 ? 4 : 0x1p32) {
        if (height(search, next) > 0)
            *low = next;
        else
            *high = next;
    }
    return !search->failed;
}

/* The root to a few ulps: every third step halves, the others are the secant's (Illinois). */
static double root(struct search *search, double low, double high) {
    double above = height(search, low), below = height(search, high);
    for (int i = 0; i < 200 && high - low > 4e-16 * high && !search->failed; i++) {
        double middle = low + (high - low) * (above / (above - below));
        if (i % 3 == 2 || !(middle > low && middle < high)) middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) break;
        double value = height(search, middle);
        if (value > 0) {
            low = middle;
            above = value;
            below *= 0.5;
        } else {
            high = middle;
            below = value;
            above *= 0.5;
        }
    }
    return high;
}

/* From start outwards in growing steps to the first epsilon that passes the test, then a few times halfway back. The
 * ends of the line, 0 and +inf, pass without it. */
static double certify(struct search *search, double start, double step, bool (*test)(struct search *, double)) {
    double good = start, bad = start;
    while (!test(search, good)) {
        if (search->failed) return good;
        bad = good;
        good = start + step;
        step *= 2;
        if (good <= 0) return 0;
        if (isinf(good)) return good;
    }
    for (int i = 0; i < 4; i++) {
        double middle = good + 0.5 * (bad - good);
        if (test(search, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* The interval for a target between delta(0) and delta(+inf). */
static dpn_epsilon invert(struct search *search) {
    double low, high, start = 0, step = 1e-20;
    if (height(search, 0) > 0) {
        if (!bracket(search, &low, &high)) return (dpn_epsilon){0, INFINITY};
        start = root(search, low, high);
        step = 4e-16 * start;
    }
    return (dpn_epsilon){certify(search, start, -step, missed), certify(search, start, step, reached)};
}

/* delta = 0 is reached where the loss ends. */
static dpn_epsilon largest_loss(const dpn_profile *profile) {
    dpn_epsilon end;
    dpn_profile_supremum(profile, &end.lower, &end.upper);
    return end;
}

dpn_status dpn_profile_epsilon(dpn_epsilon *out, const dpn_law *law, double sensitivity, double delta, dpn_error *why) {
    dpn_status status = dpn_profile_check(law, sensitivity, why);
    if (status) return status;
    if (!(delta >= 0 && delta <= 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    struct search search = {.target = delta, .log_target = log(delta)};
    dpn_profile_prepare(&search.profile, law, sensitivity);
    dpn_epsilon epsilon;
    if (reached(&search, 0))
        epsilon = (dpn_epsilon){0, 0};
    else if (missed(&search, INFINITY))
        epsilon = (dpn_epsilon){INFINITY, INFINITY};
    else if (delta == 0)
        epsilon = largest_loss(&search.profile);
    else
        epsilon = invert(&search);
    if (search.failed) return dpn_fail(why, DPN_EACCURACY, "epsilon(%g) cannot be computed accurately here", delta);
    *out = epsilon;
    return DPN_OK;
}
