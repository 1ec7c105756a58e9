/* Thresholds of losses on the integers. */
#include "privacy/profile/integer.h"

#include "privacy/profile/loss-at.h"

#define FAR 0x1p53

static bool above(const dpn_profile *profile, double nu, double k) {
    dpn_twofold to = dpn_two_sum(k, profile->sensitivity);
    dpn_twofold loss = dpn_psi_difference(&profile->law, profile->form, dpn_two(k), to);
    double excess = dpn_two_subtract(loss, dpn_two(nu)).hi;
    if (isnan(excess))
        return k > dpn_law_support(&profile->law) - profile->sensitivity; /* beyond both, or between them */
    return excess > 0;
}

/* The loss increases from -sup to sup and is 0 at k = -D/2; of bounded noise it is -inf before and +inf after that. */
double dpn_integer_threshold(const dpn_profile *profile, double nu) {
    double lower, upper, middle = -floor(0.5 * profile->sensitivity), low, high, step = 1;
    double end = dpn_law_support(&profile->law);
    dpn_profile_supremum(profile, &lower, &upper);
    if (nu >= upper) return end - profile->sensitivity + 1; /* where the other noise has ended the loss is infinite */
    if (nu < -upper) return fmin(-end, end - profile->sensitivity + 1);
    if (above(profile, nu, middle)) {
        for (high = middle, low = high - 1; above(profile, nu, low); step *= 2) {
            if (low < -FAR) return -INFINITY;
            high = low;
            low -= step;
        }
    } else {
        for (low = middle, high = low + 1; !above(profile, nu, high); step *= 2) {
            if (high > FAR) return INFINITY;
            low = high;
            high += step;
        }
    }
    for (;;) { /* not above at low, above at high */
        middle = floor(low + 0.5 * (high - low));
        if (!(middle > low && middle < high)) return high;
        if (above(profile, nu, middle))
            high = middle;
        else
            low = middle;
    }
}
