/* References for profiles. */
#include "truth.h"

#include "reference/quadrature.h"

#include <math.h>
#include <string.h>

real truth_loss(const ref_law *law, real d, real t) {
    return r_sub(ref_psi(law, r_add(t, d)), ref_psi(law, t));
}

/* Whether the loss at t is above epsilon, by more than the rounding of psi; NaN (both densities vanish) counts as
 * above on the right. */
static bool above(const ref_law *law, real d, real epsilon, real t) {
    size_t mark = r_mark();
    real loss = truth_loss(law, d, t), excess = r_sub(loss, epsilon);
    bool result = mpfr_nan_p(loss) ? r_sign(t) > 0 : r_sign(excess) > 0;
    if (result && mpfr_number_p(loss))
        result = r_exponent(excess) > r_exponent(ref_psi(law, r_add(t, d))) + 32 - (long)r_bits();
    r_release(mark);
    return result;
}

/* A point between the last one where the loss is at most epsilon and the first one where it is above, in units of the
 * least step of the bisection; +inf if the loss is never above, -inf if it always is. The error of delta is of the
 * order of the square of that step. */
static real threshold(const ref_law *law, real d, real epsilon) {
    real half = r_over(d, 2), unit = r_exp(law->constant[REF_LOG_MASS]);
    real low = r_neg(half), high = low, step = unit;
    bool up = !above(law, d, epsilon, low);
    for (int i = 0;; i++) {
        if (i == 400) return r_num(up ? INFINITY : -INFINITY);
        real next = up ? r_add(high, step) : r_sub(low, step);
        if (up) {
            low = high;
            high = next;
            if (above(law, d, epsilon, high)) break;
        } else {
            high = low;
            low = next;
            if (!above(law, d, epsilon, low)) break;
        }
        step = r_times(step, 2);
    }
    long bits =
        90 + (long)fmin(2000, 1.5 * fabs(r_double(epsilon))); /* a jump of the density makes the error of first order */
    for (int i = 0; i < 3000; i++) {
        real gap = r_sub(high, low), middle = r_add(low, r_over(gap, 2));
        if (r_exponent(gap) < r_exponent(unit) - bits && r_exponent(gap) < r_exponent(d) - bits) break;
        if (above(law, d, epsilon, middle))
            high = middle;
        else
            low = middle;
    }
    return r_over(r_add(low, high), 2);
}

static real whole_threshold(const ref_law *law, real d, real epsilon) {
    real low = r_neg(r_floor(r_over(d, 2))), high, step = r_num(1);
    bool up = !above(law, d, epsilon, low);
    high = low;
    for (int i = 0;; i++) {
        if (i == 200) return r_num(up ? INFINITY : -INFINITY);
        if (up) {
            low = high;
            high = r_add(high, step);
            if (above(law, d, epsilon, high)) break;
        } else {
            high = low;
            low = r_sub(low, step);
            if (!above(law, d, epsilon, low)) break;
        }
        step = r_times(step, 2);
    }
    while (r_less(r_num(1), r_sub(high, low))) {
        real middle = r_floor(r_over(r_add(low, high), 2));
        if (above(law, d, epsilon, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

real truth_delta(const ref_law *law, real d, real epsilon) {
    size_t mark = r_mark();
    real t1 = law->family->integer ? whole_threshold(law, d, epsilon) : threshold(law, d, epsilon);
    real p = ref_sf(law, t1), q = ref_sf(law, r_add(t1, d));
    return r_keep(mark, r_sub(p, r_mul(r_exp(epsilon), q)));
}

struct pair {
    const ref_law *law;
    real d, factor;
};

/* max(0, g(t) - e^epsilon g(t+d)). */
static real part(const void *context, real t) {
    const struct pair *pair = context;
    real value = r_sub(ref_pdf(pair->law, t), r_mul(pair->factor, ref_pdf(pair->law, r_add(t, pair->d))));
    return r_sign(value) > 0 ? value : r_num(0);
}

static real sum_of_parts(const struct pair *pair, double low, double high) {
    size_t mark = r_mark();
    real sum = r_num(0);
    for (double t = low; t <= high; t++) sum = r_keep(mark, r_add(sum, part(pair, r_num(t))));
    return sum;
}

static void sort(real *point, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && r_less(point[j], point[j - 1]); j--) {
            real swap = point[j];
            point[j] = point[j - 1];
            point[j - 1] = swap;
        }
}

real truth_delta_brute_force(const ref_law *law, real d, real epsilon, real bend) {
    size_t mark = r_mark();
    struct pair pair = {law, d, r_exp(epsilon)};
    real unit = r_exp(law->constant[REF_LOG_MASS]), end = r_times(unit, 4), support = ref_support(law);
    while (r_less(ref_psi(law, r_floor(end)), r_num(600))) end = r_times(end, 1.5);
    if (r_less(support, end)) end = support;
    if (law->family->integer) {
        double last = ceil(r_double(r_add(end, d)));
        return r_keep(mark, sum_of_parts(&pair, -last, last));
    }

    /* All points where the integrand bends, jumps or vanishes; then piece by piece. */
    real root = threshold(law, d, epsilon), zero = r_num(0);
    real point[] = {zero,
                    bend,
                    r_neg(bend),
                    r_neg(d),
                    r_sub(bend, d),
                    r_neg(r_add(bend, d)),
                    r_neg(end),
                    r_sub(end, d),
                    r_neg(r_add(end, d)),
                    mpfr_inf_p(root) ? end : root,
                    end,
                    r_over(end, 16),
                    r_over(end, 4)};
    int count = sizeof point / sizeof *point;
    sort(point, count);
    real sum = zero;
    for (int i = 1; i < count; i++) {
        if (!r_less(point[i - 1], point[i])) continue;
        real middle = part(&pair, r_over(r_add(point[i - 1], point[i]), 2));
        if (r_sign(middle) > 0) sum = r_add(sum, r_integrate(part, &pair, point[i - 1], point[i], 60));
    }
    return r_keep(mark, sum);
}

/* The level of t >= 0: the number of steps (k + gamma) D0 <= t. */
static real level(real t, real width, real gamma) {
    return r_plus(r_floor(r_sub(r_div(t, width), gamma)), 1);
}

/* The steps from left to right: ..., -(1 + gamma) D0, -gamma D0 (at -1), gamma D0 (at 0), (1 + gamma) D0, ... */
static real step_at(int index, real width, real gamma) {
    return index < 0 ? r_neg(r_mul(r_plus(gamma, -index - 1), width)) : r_mul(r_plus(gamma, index), width);
}

/* The densities are constant between the steps of the one and of the other; the value is taken in the middle. */
real truth_staircase(const double *parameter, real d, real epsilon) {
    size_t mark = r_mark();
    real rate = r_num(parameter[0]), width = r_num(parameter[1]), gamma = r_num(parameter[2]), q = r_exp(r_neg(rate));
    real height = r_div(r_sub(r_num(1), q), r_mul(r_times(width, 2), r_add(gamma, r_mul(q, r_sub(r_num(1), gamma)))));
    int steps = 2 + (int)(200 / parameter[0]) + (int)ceil(r_double(r_div(d, width)));
    real total = r_num(0), before = NULL;
    int left = -steps, right = -steps; /* the next step of g(t) and of g(t + d) */
    for (;;) {
        real a = step_at(left, width, gamma), b = r_sub(step_at(right, width, gamma), d);
        bool first = r_less(a, b);
        real next = first ? a : b;
        if (before) {
            real middle = r_over(r_add(before, next), 2);
            real here = level(r_abs(middle), width, gamma), there = level(r_abs(r_add(middle, d)), width, gamma);
            real excess = r_sub(r_mul(rate, r_sub(there, here)), epsilon); /* loss - epsilon */
            if (r_sign(excess) > 0) {
                real gain = r_mul(r_exp(r_neg(r_mul(rate, here))), r_neg(r_expm1(r_neg(excess))));
                total = r_add(total, r_mul(r_mul(height, gain), r_sub(next, before)));
            }
        }
        before = next;
        if (first)
            left++;
        else
            right++;
        if (left >= steps || right >= steps) break;
    }
    return r_keep(mark, total);
}
