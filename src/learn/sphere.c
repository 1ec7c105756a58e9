/* Points of a ball of l2. */
#include "learn/sphere.h"

/* ---- Lengths ---- */

static dpn_twofold square_root(dpn_twofold of) {
    double root = sqrt(of.hi);
    dpn_twofold left = dpn_two_subtract(of, dpn_two_product(root, root));
    return dpn_two_sum(root, dpn_two_value(left) / (2 * root));
}

static dpn_twofold length_of(const dpn_twofold *x, size_t m) {
    dpn_twofold squares = dpn_two(0);
    for (size_t j = 0; j < m; j++) squares = dpn_two_add(squares, dpn_two_multiply(x[j], x[j]));
    return squares.hi > 0 ? square_root(squares) : dpn_two(0);
}

static dpn_twofold divide(double a, dpn_twofold b) {
    double near = a / b.hi;
    dpn_twofold left = dpn_two_subtract(dpn_two(a), dpn_two_times(b, near));
    return dpn_two_sum(near, dpn_two_value(left) / b.hi);
}

/* ---- Points ---- */

/* The nearest whole number of steps, half a step away at most, but for 2^-100 of the number. */
static dpn_int128 nearest(dpn_twofold x) {
    double high = ldexp(x.hi, DPN_POINT_LOG), whole = nearbyint(high),
           rest = (high - whole) + ldexp(x.lo, DPN_POINT_LOG);
    return (dpn_int128)whole + (dpn_int128)nearbyint(rest);
}

bool dpn_sphere_place(dpn_int128 *out, const dpn_twofold *x, size_t m, double radius, bool forced) {
    dpn_twofold length = length_of(x, m);
    double inside = dpn_two_value(dpn_two_subtract(dpn_two(radius), length));
    bool on = length.hi > 0 && (forced || inside <= ldexp(sqrt((double)m), -DPN_POINT_LOG));
    dpn_twofold share = on ? divide(radius, length) : dpn_two(1);
    for (size_t j = 0; j < m; j++) out[j] = nearest(on ? dpn_two_multiply(x[j], share) : x[j]);
    return on;
}

/* ---- Multipliers ---- */

/* Where b is 0 a multiplier does nothing. The second round makes up for what the first was rounded by. */
dpn_twofold dpn_sphere_pull(const dpn_twofold *g, const dpn_int128 *b, size_t m) {
    dpn_twofold pull = dpn_two(0);
    for (int round = 0; round < 2; round++) {
        double along = 0, squares = 0;
        for (size_t j = 0; j < m; j++) {
            dpn_twofold at = dpn_point_twofold(b[j]), left = dpn_two_add(g[j], dpn_two_multiply(pull, at));
            along += dpn_two_value(left) * at.hi;
            squares += at.hi * at.hi;
        }
        if (!(squares > 0)) return dpn_two(0);
        pull = dpn_two_add(pull, dpn_two(-along / squares));
        if (!(pull.hi > 0)) return dpn_two(0);
    }
    return pull;
}
