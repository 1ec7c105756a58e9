/* References for Renyi divergences. */
#include "renyi-truth.h"

#include "truth.h"

#include "reference/quadrature.h"

#include <math.h>

typedef struct pair {
    const ref_law *law;
    real d, theta, top;
    bool first_order; /* the Kullback-Leibler divergence */
} pair;

/* theta L - psi: the logarithm of the integrand, up to a constant. */
static real exponent(const pair *p, real t) {
    size_t mark = r_mark();
    return r_keep(mark, r_sub(r_mul(p->theta, truth_loss(p->law, p->d, t)), ref_psi(p->law, t)));
}

static real integrand(const void *context, real t) {
    const pair *p = context;
    size_t mark = r_mark();
    real value = r_exp(r_sub(exponent(p, t), p->top));
    if (p->first_order) value = r_mul(value, truth_loss(p->law, p->d, t));
    return r_keep(mark, value);
}

/* A point where the exponent is largest on [low, high], if it has one hump there; else any point. */
static real hump(const pair *p, real low, real high) {
    size_t mark = r_mark();
    for (int i = 0; i < 80; i++) {
        real third = r_over(r_sub(high, low), 3), a = r_add(low, third), b = r_sub(high, third);
        if (r_less(exponent(p, a), exponent(p, b)))
            low = a;
        else
            high = b;
    }
    return r_keep(mark, r_over(r_add(low, high), 2));
}

static void sort(real *point, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && r_less(point[j], point[j - 1]); j--) {
            real swap = point[j];
            point[j] = point[j - 1];
            point[j - 1] = swap;
        }
}

/* From the last bend on: where both densities, tilted and plain, have fallen by e^-300. */
static real far_end(const pair *p, real start, real unit) {
    real best = exponent(p, start), x = unit;
    for (;; x = r_times(x, 1.5)) {
        real here = exponent(p, r_add(start, x)), least = r_plus(best, -300);
        if (r_less(here, least) && r_less(r_num(300), ref_psi(p->law, r_add(start, x)))) return r_add(start, x);
        if (r_less(best, here)) best = here;
    }
}

static real log_of_total(const pair *p, real total) {
    if (p->first_order) return r_div(total, r_exp(p->law->constant[REF_LOG_MASS]));
    return r_div(r_sub(r_add(r_log(total), p->top), p->law->constant[REF_LOG_MASS]), p->theta);
}

static real on_the_line(pair *p, real bend) {
    real unit = r_exp(p->law->constant[REF_LOG_MASS]), zero = r_num(0), d = p->d;
    real end = far_end(p, bend, unit), start = r_neg(r_add(end, d));
    real point[] = {start, r_neg(r_add(bend, d)), r_neg(d), r_sub(bend, d), r_neg(bend), zero, bend,
                    end,   r_over(r_neg(d), 2)};
    int count = sizeof point / sizeof *point;
    sort(point, count);
    real split[16], total = zero;
    p->top = exponent(p, zero);
    for (int i = 1; i < count; i++) {
        split[i] = hump(p, point[i - 1], point[i]);
        real here = exponent(p, split[i]);
        if (!p->first_order && r_less(p->top, here)) p->top = here;
    }
    for (int i = 1; i < count; i++) {
        size_t mark = r_mark();
        if (r_less(point[i - 1], split[i]))
            total = r_add(total, r_integrate(integrand, p, point[i - 1], split[i], 100));
        if (r_less(split[i], point[i])) total = r_add(total, r_integrate(integrand, p, split[i], point[i], 100));
        total = r_keep(mark, total);
    }
    return log_of_total(p, total);
}

static real on_the_integers(pair *p, real bend, double most) {
    double d = r_double(p->d), last = ceil(r_double(far_end(p, r_floor(bend), r_num(64))));
    if (!(2 * last + d < most)) return NULL;
    for (int pass = 0; pass < 2; pass++) { /* first the largest exponent, then the sum */
        real total = r_num(0);
        for (double k = -last - d; k <= last; k++) {
            size_t mark = r_mark();
            real at = r_num(k);
            if (pass == 1)
                total = r_keep(mark, r_add(total, integrand(p, at)));
            else if (!p->first_order && r_less(p->top, exponent(p, at)))
                p->top = r_keep(mark, exponent(p, at));
            else
                r_release(mark);
        }
        if (pass == 1) return log_of_total(p, total);
    }
    return NULL;
}

/* far_end walks in fractions; on the integers psi of the reference wants whole points. */
real truth_renyi(const ref_law *law, real d, real order, real bend, double most) {
    size_t mark = r_mark();
    real theta = r_plus(order, -1);
    pair p = {law, d, theta, r_num(0), r_sign(theta) == 0};
    real value = law->family->integer ? on_the_integers(&p, bend, most) : on_the_line(&p, bend);
    if (!value) r_release(mark);
    return value ? r_keep(mark, value) : NULL;
}

/* ---- the staircase ---- */

static real level(real t, real width, real gamma) {
    return r_plus(r_floor(r_sub(r_div(t, width), gamma)), 1);
}

static real step_at(int index, real width, real gamma) {
    return index < 0 ? r_neg(r_mul(r_plus(gamma, -index - 1), width)) : r_mul(r_plus(gamma, index), width);
}

real truth_renyi_staircase(const double *parameter, real d, real order) {
    size_t mark = r_mark();
    real rate = r_num(parameter[0]), width = r_num(parameter[1]), gamma = r_num(parameter[2]), q = r_exp(r_neg(rate));
    real height = r_div(r_sub(r_num(1), q), r_mul(r_times(width, 2), r_add(gamma, r_mul(q, r_sub(r_num(1), gamma)))));
    real theta = r_plus(order, -1), total = r_num(0), before = NULL;
    int steps = 2 + (int)(200 / parameter[0]) + (int)ceil(r_double(r_div(d, width))), left = -steps, right = -steps;
    while (left < steps && right < steps) {
        real a = step_at(left, width, gamma), b = r_sub(step_at(right, width, gamma), d);
        bool first = r_less(a, b);
        real next = first ? a : b;
        if (before) {
            real middle = r_over(r_add(before, next), 2);
            real here = level(r_abs(middle), width, gamma), there = level(r_abs(r_add(middle, d)), width, gamma);
            real loss = r_mul(rate, r_sub(there, here));
            real mass = r_mul(r_mul(height, r_sub(next, before)), r_exp(r_neg(r_mul(rate, here))));
            total = r_add(total, r_mul(mass, r_sign(theta) == 0 ? loss : r_exp(r_mul(theta, loss))));
        }
        before = next;
        *(first ? &left : &right) += 1;
    }
    return r_keep(mark, r_sign(theta) == 0 ? total : r_div(r_log(total), theta));
}
