#include "reference/lattice.h"

#include "reference/special.h"

#include <math.h>
#include <stdlib.h>

enum { TERMS = 500, BERNOULLI = 400, GUARD = 64 };

static double index_where_lost(real square, real slope) {
    double nats = log(2) * (double)(r_bits() + 48), v = r_double(square), c = r_double(slope);
    /* The root of j^2/2v + c j = nats; a slightly negative c moves it by less than one. */
    return c > 0 ? 2 * nats / (c + sqrt(c * c + 2 * nats / v)) : sqrt(2 * nats * v) + 1;
}

/* The terms follow from each other by two products: the ratio of neighbours shrinks by exp(-1/square). */
real r_lattice_direct(int n, real square, real slope) {
    size_t mark = r_mark();
    double last = ceil(index_where_lost(square, slope)) + 2;
    mpfr_t term, ratio, sum, part;
    mpfr_inits2(r_bits() + GUARD, term, ratio, sum, part, (mpfr_ptr)0);
    mpfr_prec_t before = r_precision(r_bits() + GUARD);
    real shrink = r_exp(r_div(r_num(-1), square));
    mpfr_set(term, r_exp(r_neg(r_add(r_div(r_num(0.5), square), slope))), MPFR_RNDN);
    mpfr_mul(ratio, term, shrink, MPFR_RNDN);
    mpfr_set_zero(sum, 1);
    for (unsigned long j = 1; (double)j <= last; j++) {
        mpfr_set(part, term, MPFR_RNDN);
        for (int i = 0; i < n; i++) mpfr_mul_ui(part, part, j, MPFR_RNDN);
        mpfr_add(sum, sum, part, MPFR_RNDN);
        mpfr_mul(term, term, ratio, MPFR_RNDN);
        mpfr_mul(ratio, ratio, shrink, MPFR_RNDN);
    }
    r_precision(before);
    real result = r_keep(mark, sum);
    mpfr_clears(term, ratio, sum, part, (mpfr_ptr)0);
    return result;
}

/* B_2i/2i = (-1)^(i+1) 2 (2i-1)! zeta(2i)/(2 pi)^2i. */
static real bernoulli_over_index(unsigned long i) {
    size_t mark = r_mark();
    mpfr_t zeta;
    mpfr_init2(zeta, r_bits());
    mpfr_zeta_ui(zeta, 2 * i, MPFR_RNDN);
    real factorial = r_gamma(r_num((double)(2 * i)));
    real size = r_div(r_mul(factorial, zeta), r_pow(r_times(r_pi(), 2), r_num((double)(2 * i))));
    mpfr_clear(zeta);
    return r_keep(mark, r_times(size, i % 2 ? 2 : -2));
}

/* They are needed again and again: kept at the largest precision asked for. */
static real cached_bernoulli(size_t i) {
    static mpfr_t kept[BERNOULLI];
    static mpfr_prec_t bits[BERNOULLI];
    if (bits[i] < r_bits()) {
        size_t mark = r_mark();
        if (bits[i] == 0) mpfr_init2(kept[i], r_bits());
        bits[i] = r_bits();
        mpfr_set_prec(kept[i], r_bits());
        mpfr_set(kept[i], bernoulli_over_index(i), MPFR_RNDN);
        r_release(mark);
    }
    return kept[i];
}

/* The remainder after the derivatives of order below 2J is at most 2 zeta(2J) (2 pi)^-2J times the integral over x > 0
 * of |g^(2J)|, g = x^n exp(-x^2/2v - cx). Cauchy's estimate on circles of radius r bounds the derivative by
 * (2J)! r^-2J (x+r)^n exp(-x^2/2v - cx + xr/v + |c| r + r^2/2v), whose integral is at most
 * (2J)! r^-2J exp(r^2/v + |c| r) sqrt(2 pi v) (sqrt v + 2r)^n for c >= 0. The small negative c that are allowed add less
 * than |c| r + 1 to the exponent. Returns log2 of the bound for the best r. */
static double remainder_bits(int n, double v, double c, double J) {
    double r = 4 * J / (fabs(c) + sqrt(c * c + 16 * J / v));
    double nats = log(3) + lgamma(2 * J + 1) - 2 * J * log(2 * acos(-1) * r) + r * r / v;
    nats += c >= 0 ? c * r : 1 - 2 * c * r;
    return (nats + 0.5 * log(2 * acos(-1) * v) + n * log(sqrt(v) + 2 * r)) / log(2);
}

static size_t order(int n, real square, real slope) {
    double v = r_double(square), c = r_double(slope);
    /* The sum itself is about the (n+1)-th power of its width, more than 1. */
    for (size_t J = 2; J < BERNOULLI; J += 1 + J / 8) {
        if (remainder_bits(n, v, c, (double)J) < -(double)r_bits()) return J;
    }
    return 0;
}

/* The integrals over x > 0 of x^n exp(-x^2/2v - cx): with w = sqrt v, u = c w and M = Mills' ratio w M(u), then
 * v (1 - u M(u)) and w^3 ((1 + u^2) M(u) - u). */
static real integral(int n, real square, real slope) {
    real w = r_sqrt(square), u = r_mul(slope, w), mills = r_mills(u);
    if (n == 0) return r_mul(w, mills);
    if (n == 1) return r_mul(square, r_sub(r_num(1), r_mul(u, mills)));
    return r_mul(r_mul(square, w), r_sub(r_mul(r_plus(r_square(u), 1), mills), u));
}

/* With c_j the Taylor coefficients of exp(-x^2/2v - cx), the derivative of order 2i-1 of x^n times it is
 * (2i-1)! c_(2i-1-n) at zero. */
real r_lattice_euler_maclaurin(int n, real square, real slope) {
    size_t mark = r_mark();
    size_t J = order(n, square, slope);
    if (J == 0) return r_num(NAN);
    /* The integrals cancel up to u^4, and u = slope sqrt(square) is below square where this way is taken. */
    long spread = r_exponent(square) > 0 ? r_exponent(square) : 0;
    mpfr_prec_t before = r_precision(r_bits() + GUARD + 4 * spread);
    real sum = integral(n, square, slope);
    if (n == 0) sum = r_plus(sum, -0.5); /* half of the term at 0, less that term */
    real previous = r_num(0), coefficient = r_num(1);
    for (int j = 0; j + n < (int)(2 * J); j++) {
        int i = (j + n + 1) / 2; /* 2i - 1 = j + n */
        if ((j + n) % 2 == 1) sum = r_sub(sum, r_mul(cached_bernoulli((size_t)i), coefficient));
        real next = r_neg(r_over(r_add(r_mul(slope, coefficient), r_div(previous, square)), j + 1));
        previous = coefficient;
        coefficient = next;
    }
    r_precision(before);
    return r_keep(mark, sum);
}

real r_lattice(int n, real square, real slope) {
    if (index_where_lost(square, slope) < TERMS || order(n, square, slope) == 0) {
        return r_lattice_direct(n, square, slope);
    }
    return r_lattice_euler_maclaurin(n, square, slope);
}

/* All terms less those beyond last, where the sum starts anew at j = last. */
real r_lattice_until(real last, real square, real slope) {
    if (r_sign(last) <= 0) return r_num(0);
    size_t mark = r_mark();
    real drop = r_exp(r_neg(r_mul(last, r_add(r_div(r_over(last, 2), square), slope))));
    real beyond = r_mul(drop, r_lattice(0, square, r_add(slope, r_div(last, square))));
    return r_keep(mark, r_sub(r_lattice(0, square, slope), beyond));
}

/* From the greatest term, at K = -shift or at first, downwards to first and upwards. */
real r_log_lattice_from(real first, real square, real shift) {
    size_t mark = r_mark();
    real K = r_round(r_neg(shift));
    if (r_less(K, first)) K = first;
    real slope = r_div(r_add(K, shift), square);
    real exponent = r_neg(r_div(r_mul(K, r_add(r_over(K, 2), shift)), square));
    real down = r_lattice_until(r_sub(K, first), square, r_neg(slope));
    real sum = r_plus(r_add(r_lattice(0, square, slope), down), 1);
    return r_keep(mark, r_add(exponent, r_log(sum)));
}

real r_geometric_from_zero(real count, real slope) {
    return r_div(r_expm1(r_neg(r_mul(count, slope))), r_expm1(r_neg(slope)));
}

real r_geometric(int n, real last, real slope) {
    real x = r_exp(r_neg(slope)), rest = r_neg(r_expm1(r_neg(slope))), end = r_exp(r_neg(r_mul(last, slope)));
    if (n == 0) return r_mul(x, r_geometric_from_zero(last, slope));
    /* x d/dx of the sum of order n-1, written out; N = last. */
    real more = r_plus(last, 1), polynomial;
    if (n == 1) {
        polynomial = r_sub(r_num(1), r_mul(end, r_sub(more, r_mul(last, x))));
        return r_div(r_mul(x, polynomial), r_square(rest));
    }
    real middle = r_plus(r_times(r_mul(last, more), 2), -1);
    real inside = r_sub(r_square(more), r_mul(x, r_sub(middle, r_mul(r_square(last), x))));
    polynomial = r_sub(r_plus(x, 1), r_mul(end, inside));
    return r_div(r_mul(x, polynomial), r_mul(r_square(rest), rest));
}
