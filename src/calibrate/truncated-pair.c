#include "calibrate/truncated-pair.h"

#include <math.h>

/* Whether the delta of noise with this end is certified to be small enough; *law is written. */
static bool enough(dpn_law *law, const dpn_problem *p, double rate, double n, double theta) {
    dpn_delta delta;
    const double parameter[] = {rate, n, theta};
    if (dpn_law_make(law, "truncated-geometric", parameter, 3, NULL)) return false;
    return !dpn_profile_delta(&delta, law, p->largest, p->epsilon, NULL) && delta.upper <= p->delta;
}

/* The least whole n with which theta = 1 is enough; 0 if there is none below the limit. */
static double least_end(const dpn_problem *p, double rate) {
    dpn_law law;
    double low = 0, high = 1;
    while (!enough(&law, p, rate, high, 1)) {
        low = high;
        high *= 2;
        if (high > 1e15 || rate * high > 1e6) return 0;
    }
    while (high - low > 1) {
        double middle = floor(low + 0.5 * (high - low));
        *(enough(&law, p, rate, middle, 1) ? &high : &low) = middle;
    }
    return high;
}

/* The largest double whose product with D is at most epsilon. */
static double rate_of(const dpn_problem *p) {
    double rate = p->epsilon / p->largest;
    if (fma(rate, p->largest, -p->epsilon) > 0) rate = nextafter(rate, 0);
    return rate;
}

/* theta = 1 is enough; the others are halved, at last between neighbouring doubles. */
static double least_part(const dpn_problem *p, double rate, double n) {
    dpn_law law;
    double low = 1e-9, high = 1;
    if (enough(&law, p, rate, n, low)) return low;
    for (;;) {
        double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) return high;
        *(enough(&law, p, rate, n, middle) ? &high : &low) = middle;
    }
}

bool dpn_truncated_pair(dpn_law *law, const dpn_problem *p) {
    bool free = p->options.shape_min == 0 && p->options.shape_max == 0;
    if (!(p->delta > 0 && p->epsilon > 0 && p->most <= 1 && p->largest >= 1 && free)) return false;
    if (p->options.condition != DPN_CONDITION_EXACT) return false;
    double rate = rate_of(p), n = least_end(p, rate);
    return n > 0 && enough(law, p, rate, n, least_part(p, rate, n));
}
