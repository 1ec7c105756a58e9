/* Compositions of Gaussian and of Laplace noise in many bits. */
#include "slow.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#define NEAREST MPFR_RNDN

enum { GAUSSIAN_BITS = 600, LAPLACE_BITS = 1200 };

static slow_delta around(mpfr_t delta, double error) {
    if (mpfr_sgn(delta) <= 0) return (slow_delta){-INFINITY, -INFINITY};
    mpfr_log(delta, delta, NEAREST);
    double log_delta = mpfr_get_d(delta, NEAREST);
    error += 4e-16 * fabs(log_delta);
    return (slow_delta){log_delta - error, log_delta + error};
}

/* Q(x) = erfc(x/sqrt 2)/2. */
static void upper_tail(mpfr_t out, mpfr_t x, mpfr_t root_half) {
    mpfr_mul(out, x, root_half, NEAREST);
    mpfr_erfc(out, out, NEAREST);
    mpfr_div_2ui(out, out, 1, NEAREST);
}

/* Q(epsilon/mu - mu/2) - e^epsilon Q(epsilon/mu + mu/2) with mu^2 the sum of times (sensitivity/sigma)^2. */
slow_delta slow_gaussian(const dpn_part *part, size_t parts, double epsilon) {
    mpfr_t mu, x, y, root_half;
    mpfr_inits2(GAUSSIAN_BITS, mu, x, y, root_half, (mpfr_ptr)0);
    mpfr_set_zero(mu, 1);
    for (size_t i = 0; i < parts; i++) {
        mpfr_set_d(x, part[i].loss.sensitivity, NEAREST);
        mpfr_div_d(x, x, dpn_law_parameter(&part[i].loss.law, "sigma"), NEAREST);
        mpfr_sqr(x, x, NEAREST);
        mpfr_mul_ui(x, x, (unsigned long)part[i].times, NEAREST);
        mpfr_add(mu, mu, x, NEAREST);
    }
    mpfr_sqrt(mu, mu, NEAREST);
    mpfr_set_d(root_half, 0.5, NEAREST);
    mpfr_sqrt(root_half, root_half, NEAREST);
    mpfr_set_d(x, epsilon, NEAREST);
    mpfr_div(x, x, mu, NEAREST);
    mpfr_div_2ui(mu, mu, 1, NEAREST);
    mpfr_add(y, x, mu, NEAREST);
    mpfr_sub(x, x, mu, NEAREST);
    upper_tail(x, x, root_half);
    upper_tail(y, y, root_half);
    mpfr_set_d(mu, epsilon, NEAREST);
    mpfr_exp(mu, mu, NEAREST);
    mpfr_mul(y, y, mu, NEAREST);
    mpfr_sub(x, x, y, NEAREST);
    slow_delta delta = around(x, 1e-16);
    mpfr_clears(mu, x, y, root_half, (mpfr_ptr)0);
    return delta;
}

/* ---- Laplace ---- */

/* The masses of one loss: at +a, at -a, at infinity; the density c e^(x/2) between. t is scratch. */
typedef struct laplace {
    mpfr_t a, plus, minus, infinite, c, t, u, v, w;
} laplace;

static void open_laplace(laplace *l, const dpn_law *law, double shift) {
    double scale = dpn_law_parameter(law, "scale"), bound = dpn_law_parameter(law, "bound");
    mpfr_inits2(LAPLACE_BITS, l->a, l->plus, l->minus, l->infinite, l->c, l->t, l->u, l->v, l->w, (mpfr_ptr)0);
    mpfr_set_d(l->a, shift, NEAREST);
    mpfr_div_d(l->a, l->a, scale, NEAREST);
    mpfr_set_zero(l->u, 1); /* e^-b */
    if (!isnan(bound)) {
        mpfr_set_d(l->u, -bound, NEAREST);
        mpfr_div_d(l->u, l->u, scale, NEAREST);
        mpfr_exp(l->u, l->u, NEAREST);
    }
    mpfr_ui_sub(l->v, 1, l->u, NEAREST);
    mpfr_mul_2ui(l->v, l->v, 1, NEAREST); /* 2 (1 - e^-b), by which all is divided */
    mpfr_exp(l->w, l->a, NEAREST);
    mpfr_mul(l->t, l->u, l->w, NEAREST); /* e^(a - b) */
    mpfr_ui_sub(l->plus, 1, l->t, NEAREST);
    mpfr_sub(l->infinite, l->t, l->u, NEAREST);
    mpfr_ui_div(l->minus, 1, l->w, NEAREST);
    mpfr_sub(l->minus, l->minus, l->u, NEAREST);
    mpfr_div_2ui(l->c, l->a, 1, NEAREST);
    mpfr_neg(l->c, l->c, NEAREST);
    mpfr_exp(l->c, l->c, NEAREST);
    mpfr_div_2ui(l->c, l->c, 1, NEAREST);
    mpfr_div(l->plus, l->plus, l->v, NEAREST);
    mpfr_div(l->minus, l->minus, l->v, NEAREST);
    mpfr_div(l->infinite, l->infinite, l->v, NEAREST);
    mpfr_div(l->c, l->c, l->v, NEAREST);
}

/* An antiderivative of e^(sign v/2) v^(k-1)/(k-1)!, by Horner's rule:
 * e^(sign v/2) times the sum over q < k of v^q/q! (-1)^(k-1-q) (2 sign)^(k-q). */
static void antiderivative(mpfr_t out, laplace *l, mpfr_t v, unsigned k, int sign) {
    mpfr_set_ui(out, 0, NEAREST);
    for (unsigned q = k; q-- > 0;) {
        /* out = out v/(q + 1) + coefficient */
        mpfr_mul(out, out, v, NEAREST);
        mpfr_div_ui(out, out, q + 1, NEAREST);
        mpfr_set_ui_2exp(l->t, 1, (mpfr_exp_t)(k - q), NEAREST);
        bool negative = ((k - 1 - q) % 2 == 1) != (sign < 0 && (k - q) % 2 == 1);
        if (negative)
            mpfr_sub(out, out, l->t, NEAREST);
        else
            mpfr_add(out, out, l->t, NEAREST);
    }
    mpfr_div_2ui(l->t, v, 1, NEAREST);
    if (sign < 0) mpfr_neg(l->t, l->t, NEAREST);
    mpfr_exp(l->t, l->t, NEAREST);
    mpfr_mul(out, out, l->t, NEAREST);
}

/* The integral over s > e of (1 - e^(e - s)) e^(s/2) U_k(s), U_k the k-fold convolution of the interval [-a, a]: the sum
 * over m of (-1)^m binomial(k, m) (s - x_m)_+^(k-1)/(k-1)!, x_m = (2m - k) a. For k = 0 the sum is the point 0. */
static void between(mpfr_t out, laplace *l, unsigned k, mpfr_t e) {
    mpfr_t x, from, to, left, right, sum, choose;
    mpfr_inits2(LAPLACE_BITS, x, from, to, left, right, sum, choose, (mpfr_ptr)0);
    mpfr_set_zero(out, 1);
    if (k == 0 && mpfr_sgn(e) < 0) {
        mpfr_expm1(out, e, NEAREST);
        mpfr_neg(out, out, NEAREST);
    }
    mpfr_set_ui(choose, 1, NEAREST);
    for (unsigned m = 0; m < k; m++) {
        mpfr_mul_si(x, l->a, 2 * (long)m - (long)k, NEAREST);
        mpfr_sub(from, e, x, NEAREST); /* v = s - x_m runs from here to 2 (k - m) a */
        if (mpfr_sgn(from) < 0) mpfr_set_zero(from, 1);
        mpfr_mul_ui(to, l->a, 2 * (k - m), NEAREST);
        if (mpfr_cmp(from, to) < 0) {
            mpfr_set_zero(sum, 1);
            for (int sign = 1; sign >= -1; sign -= 2) { /* e^(s/2), then - e^(e - s/2) */
                antiderivative(right, l, to, k, sign);
                antiderivative(left, l, from, k, sign);
                mpfr_sub(right, right, left, NEAREST);
                mpfr_div_2ui(l->t, x, 1, NEAREST);
                if (sign < 0) mpfr_sub(l->t, e, l->t, NEAREST);
                mpfr_exp(l->t, l->t, NEAREST);
                mpfr_mul(right, right, l->t, NEAREST);
                if (sign > 0)
                    mpfr_add(sum, sum, right, NEAREST);
                else
                    mpfr_sub(sum, sum, right, NEAREST);
            }
            mpfr_mul(sum, sum, choose, NEAREST);
            mpfr_add(out, out, sum, NEAREST);
        }
        mpfr_mul_ui(choose, choose, k - m, NEAREST);
        mpfr_div_ui(choose, choose, m + 1, NEAREST);
        mpfr_neg(choose, choose, NEAREST);
    }
    mpfr_clears(x, from, to, left, right, sum, choose, (mpfr_ptr)0);
}

static void power(mpfr_t out, mpfr_t base, unsigned exponent) {
    mpfr_pow_ui(out, base, exponent, NEAREST);
}

slow_delta slow_laplace(const dpn_part *part, double epsilon) {
    unsigned n = (unsigned)part->times;
    laplace l;
    mpfr_t total, e, term, factor;
    mpfr_inits2(LAPLACE_BITS, total, e, term, factor, (mpfr_ptr)0);
    open_laplace(&l, &part->loss.law, part->loss.sensitivity);
    mpfr_ui_sub(total, 1, l.infinite, NEAREST);
    power(total, total, n);
    mpfr_ui_sub(total, 1, total, NEAREST);
    for (unsigned k = 0; k <= n; k++)
        for (unsigned i = 0; i + k <= n; i++) {
            unsigned j = n - k - i; /* k between, i at +a, j at -a */
            mpfr_mul_si(e, l.a, (long)j - (long)i, NEAREST);
            mpfr_add_d(e, e, epsilon, NEAREST);
            between(term, &l, k, e);
            power(factor, l.plus, i);
            mpfr_mul(term, term, factor, NEAREST);
            power(factor, l.minus, j);
            mpfr_mul(term, term, factor, NEAREST);
            power(factor, l.c, k);
            mpfr_mul(term, term, factor, NEAREST);
            mpz_t ways;
            mpz_init(ways);
            mpz_bin_uiui(ways, n, k);
            mpfr_mul_z(term, term, ways, NEAREST);
            mpz_bin_uiui(ways, n - k, i);
            mpfr_mul_z(term, term, ways, NEAREST);
            mpz_clear(ways);
            mpfr_add(total, total, term, NEAREST);
        }
    slow_delta delta = around(total, 1e-16);
    mpfr_clears(total, e, term, factor, l.a, l.plus, l.minus, l.infinite, l.c, l.t, l.u, l.v, l.w, (mpfr_ptr)0);
    return delta;
}
