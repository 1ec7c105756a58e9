/* Shuffled reports, piece by piece: binomial laws, tails and what each may err by, against multiple precision, interval arithmetic and plain sums. No
 * delta is within a hundred units of rounding of its bound, so that only these tell whether a term of an error is missing. */
#include "privacy/sampling/shuffle.c" /* to see each piece */

#include "reference/draw.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- a second way to each ---- */

enum { BITS = 200 };

/* log of n! */
static void log_factorial(mpfr_t out, double n) {
    mpfr_set_d(out, n, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_lngamma(out, out, MPFR_RNDN);
}

/* log n! - log(sqrt(2 pi n) (n/e)^n) */
static long double stirling_remainder(double n) {
    mpfr_t sum, x, y;
    mpfr_inits2(BITS, sum, x, y, (mpfr_ptr)0);
    log_factorial(sum, n);
    mpfr_set_d(x, n, MPFR_RNDN);
    mpfr_log(y, x, MPFR_RNDN);
    mpfr_sub_ui(y, y, 1, MPFR_RNDN);
    mpfr_mul(y, y, x, MPFR_RNDN);
    mpfr_sub(sum, sum, y, MPFR_RNDN);
    mpfr_const_pi(y, MPFR_RNDN);
    mpfr_mul(y, y, x, MPFR_RNDN);
    mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
    mpfr_log(y, y, MPFR_RNDN);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    mpfr_sub(sum, sum, y, MPFR_RNDN);
    long double result = mpfr_get_ld(sum, MPFR_RNDN);
    mpfr_clears(sum, x, y, (mpfr_ptr)0);
    return result;
}

/* x log(x/y) + y - x */
static long double divergence(double x, long double y) {
    mpfr_t a, b, sum;
    mpfr_inits2(BITS, a, b, sum, (mpfr_ptr)0);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_ld(b, y, MPFR_RNDN);
    mpfr_sub(sum, b, a, MPFR_RNDN);
    if (x > 0) {
        mpfr_div(b, a, b, MPFR_RNDN);
        mpfr_log(b, b, MPFR_RNDN);
        mpfr_fma(sum, a, b, sum, MPFR_RNDN);
    }
    long double result = mpfr_get_ld(sum, MPFR_RNDN);
    mpfr_clears(a, b, sum, (mpfr_ptr)0);
    return result;
}

/* log P(k heads of m), each with probability p */
static long double log_binomial(double k, double m, long double p) {
    mpfr_t sum, part, share;
    mpfr_inits2(BITS, sum, part, share, (mpfr_ptr)0);
    log_factorial(sum, m);
    log_factorial(part, k);
    mpfr_sub(sum, sum, part, MPFR_RNDN);
    log_factorial(part, m - k);
    mpfr_sub(sum, sum, part, MPFR_RNDN);
    mpfr_set_ld(share, p, MPFR_RNDN);
    mpfr_log(part, share, MPFR_RNDN);
    mpfr_mul_d(part, part, k, MPFR_RNDN);
    mpfr_add(sum, sum, part, MPFR_RNDN);
    mpfr_neg(share, share, MPFR_RNDN);
    mpfr_log1p(part, share, MPFR_RNDN);
    mpfr_mul_d(part, part, m - k, MPFR_RNDN);
    mpfr_add(sum, sum, part, MPFR_RNDN);
    long double result = mpfr_get_ld(sum, MPFR_RNDN);
    mpfr_clears(sum, part, share, (mpfr_ptr)0);
    return result;
}

/* Coins of which p and 1 - p are as far from the double numbers as they may be: four units of rounding, in one direction or the other. */
static coins coins_of(double m, long double p, int direction) {
    double moved = 1 + direction * 4 * ROUND;
    return (coins){m, (double)p * moved, (double)(1 - p) * (direction % 2 ? moved : 2 - moved)};
}

static long double odds(const coins *c) {
    return (long double)c->p / c->r;
}

/* ---- one number of heads ---- */

static void remainders_and_divergences(void **state) {
    (void)state;
    for (double n = 1; n < 0x1p31; n += n < 40 ? 1 : floor(n / 7)) {
        long double truth = stirling_remainder(n);
        if (!(fabsl(stirling_error(n) - truth) <= 300 * ROUND))
            fail_msg("%g: %.17g, not %.17Lg", n, stirling_error(n), truth);
    }
    draw_source source = {21};
    for (int trial = 0; trial < 600; trial++) {
        double y = draw_log_uniform(&source, 0.3, 1e9), x = floor(y * (1 + draw_log_uniform(&source, 1e-6, 1)));
        if (trial % 3 == 0) x = floor(y * draw_uniform(&source, 0, 1));
        if (trial % 3 == 1) x = floor(y * (1 - draw_log_uniform(&source, 1e-6, 0.3)));
        double error = 0, value = deviance(x, y, &error);
        long double truth = divergence(x, y);
        for (int moved = -1; moved <= 1; moved++) { /* y is known to six units */
            long double other = divergence(x, y * (1 + moved * 6.0L * ROUND));
            if (!(fabsl(value - other) <= error))
                fail_msg("%g, %g: %.17g +- %g, not %.17Lg", x, y, value, error, other);
        }
        bool near = fabs(x - y) < 0.1 * (x + y);
        double terms = x > 0 ? fabs(x * log(x / y)) + x + y : 0; /* what the closed form cancels */
        long double owed = near ? 128 * ROUND * truth : 4 * ROUND * terms, moving = 6 * ROUND * fabs(x - y);
        assert_true(error >= (owed + moving) * (1 - 1e-9L) && error <= 1.2L * owed + 2.2L * moving);
    }
    double error = 0.5, none = deviance(0, 3, &error); /* errors add up */
    assert_true(none == 3 && error > 0.5 && error < 0.5 + 40 * ROUND);
    assert_true(deviance(3, 3, &error) == 0 && error < 0.5 + 41 * ROUND);
    error = 0.5;
    assert_true(deviance(3, 30, &error) > 0 && error > 0.5 + 100 * ROUND); /* 4 units of 40, 6 of 27 */
    for (double share = 0.01; share < 1; share += 0.01) {
        double log_share = log_of(share, 1 - share);
        assert_true(fabs(log_share - log(share)) < 1e-15 * (1 + fabs(log_share)));
    }
    assert_true(log_of(1, 1e-30) == -1e-30 && log_of(1e-30, 1) == log(1e-30)); /* by the part that is known better */
}

static void one_number_of_heads(void **state) {
    (void)state;
    draw_source source = {22};
    for (int trial = 0; trial < 800; trial++) {
        double m = floor(draw_log_uniform(&source, 1, trial % 4 ? 1e4 : 0x1p31));
        long double p = draw_uniform(&source, 0, 1);
        if (trial % 3 == 0) p = draw_log_uniform(&source, 1e-7, 0.5);
        coins c = coins_of(m, p, trial % 3 - 1);
        double k = floor(m * draw_uniform(&source, 0, 1.000001));
        if (trial % 2) k = floor(m * (double)p + 3 * sqrt(m) * draw_uniform(&source, -1, 1));
        if (trial % 7 == 0) k = trial % 2 ? 0 : m;
        k = fmin(m, fmax(0, k));
        bounds got = log_heads(k, &c);
        long double truth = log_binomial(k, m, p);
        if (!(got.lower <= truth && truth <= got.upper))
            fail_msg("%g of %g, %Lg: [%.17g, %.17g], not %.17Lg", k, m, p, got.lower, got.upper, truth);
        /* What section 3 of the proof charges: three remainders, two divergences, the sum. */
        long double mean = m * p, charge = 0, least = 0;
        if (k == 0 || k == m) {
            long double other = k == 0 ? p / (1 - p) : (1 - p) / p;
            least = 4 * ROUND * fabsl(truth); /* both are off by four units: of log(1 - p) that is m times that of p */
            charge = 1.1L * (4 * ROUND * fabsl(truth) + 8 * ROUND * m * other);
        } else {
            double value[2] = {k, m - k};
            long double place[2] = {mean, m - mean};
            least = 900 * ROUND + 12 * ROUND * fabsl(k - mean);
            charge = 1100 * ROUND + 9 * ROUND * fabsl(truth) + 26 * ROUND * fabsl(k - mean);
            for (int i = 0; i < 2; i++) {
                bool near = fabsl(value[i] - place[i]) < 0.1L * (value[i] + place[i]) * (1 + 1e-9L);
                if (near)
                    charge += 130 * ROUND * divergence(value[i], place[i]);
                else
                    charge += 4.4L * ROUND * (fabsl(value[i] * logl(value[i] / place[i])) + value[i] + place[i]);
            }
        }
        long double half = 0.5L * ((long double)got.upper - got.lower), rounding = 2 * ROUND * fabsl(truth);
        if (!(half >= least - rounding && half <= charge + rounding))
            fail_msg("%g of %g, %Lg: half width %Lg, not %Lg to %Lg", k, m, p, half, least, charge);
    }
    coins c = {5, 0.25, 0.75};
    assert_true(log_heads(-1, &c).upper == -INFINITY && log_heads(6, &c).upper == -INFINITY);
    assert_true(log_heads(-1, &c).lower == -INFINITY && log_heads(6, &c).lower == -INFINITY);
}

/* ---- tails ---- */

/* The continued fraction with its coefficients off by so many units, 16 or none, and each sum by an eighth of that: from its end, in intervals. */
static void fraction_between(long double *low, long double *high, double j, const coins *c, int last, int units) {
    long double a = j, b = (long double)c->m - j + 1, x = c->p, least = 1, most = 1;
    for (int k = last; k > 0; k--) {
        long double i = k / 2, d = 0;
        if (k % 2)
            d = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        else
            d = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        long double more = d * (1 + units * ROUND), less = d * (1 - units * ROUND);
        long double lower = d > 0 ? less / most : more / least, upper = d > 0 ? more / least : less / most;
        least = 1 + lower - units / 8 * ROUND * (1 + fabsl(lower));
        most = 1 + upper + units / 8 * ROUND * (1 + fabsl(upper));
    }
    *low = 1 / most;
    *high = 1 / least;
}

static void fractions_hold_their_intervals(void **state) {
    (void)state;
    draw_source source = {23};
    for (int trial = 0; trial < 400; trial++) {
        double m = floor(draw_log_uniform(&source, 100, 1e9)), p = draw_uniform(&source, 0.001, 0.6);
        double j = floor(fmin(m * 0.95, m * p + sqrt(m) * draw_uniform(&source, 0.1, 12)) + 1);
        coins c = {m, p, 1 - p};
        int last = 1 + (int)draw_uniform(&source, 0, trial % 2 ? 60 : 6);
        bounds got = fraction(j, &c, last);
        long double low, high, exact;
        fraction_between(&exact, &exact, j, &c, last, 0);
        fraction_between(&low, &high, j, &c, last, 16);
        long double width = high - low;
        if (!(got.lower <= exact && got.upper >= exact))
            fail_msg("%g of %g, %d: [%.17g, %.17g], not %.17Lg", j, m, last, got.lower, got.upper, exact);
        assert_true(got.upper - got.lower >= 0.99L * width &&
                    got.upper - got.lower <= 1.05L * width + 12 * ROUND * high);
    }
    for (double j = 3; j < 30; j++) { /* 1 + d1 is 0 but for rounding: nothing is known */
        coins c = {40, (j + 1) / 41, 1 - (j + 1) / 41};
        bounds lost = fraction(j, &c, 1);
        assert_true(lost.lower == 0 && lost.upper == INFINITY);
        c.p *= 1 - 1e-12;
        assert_true(isfinite(fraction(j, &c, 1).upper));
    }
}

/* P(at least j)/P(j - 1), the ratios being those of the doubles, and how many terms count for more than 1e-13. */
static long double tail_over(double j, const coins *c, double *terms) {
    long double sum = 0, term = 1;
    *terms = 0;
    for (double i = j; i <= c->m; i++) {
        long double ratio = (c->m - i + 1) / (long double)i * odds(c);
        term *= ratio;
        sum += term;
        if (ratio < 1 && term * ratio / (1 - ratio) < 1e-13L * sum * (1 + 1e-9L)) {
            if (*terms == 0) *terms = i - j + 1;
            if (term < 1e-25L * sum) break;
        }
    }
    if (*terms == 0) *terms = c->m - j + 1;
    return sum;
}

static void tails_hold_their_sums(void **state) {
    (void)state;
    draw_source source = {24};
    size_t by_fraction = 0;
    for (int trial = 0; trial < 300; trial++) {
        double m = floor(draw_log_uniform(&source, 1, trial % 2 ? 3e6 : 2000)),
               p = draw_log_uniform(&source, 1e-3, 0.7);
        double j = floor(m * p + sqrt(m) * draw_uniform(&source, 0, 8)) + 1, terms;
        if (j > m + 1) continue;
        coins c = {m, p, 1 - p};
        long double truth = tail_over(j, &c, &terms);
        bounds sum = tail_sum(j, &c), ratio = tail_ratio(j, &c);
        if (!(sum.lower <= truth && truth <= sum.upper))
            fail_msg("%g of %g, %g: [%.17g, %.17g], not %.17Lg", j, m, p, sum.lower, sum.upper, truth);
        if (!(ratio.lower <= truth && truth <= ratio.upper))
            fail_msg("%g of %g, %g: [%.17g, %.17g], not %.17Lg", j, m, p, ratio.lower, ratio.upper, truth);
        long double error = 16 * ROUND * (terms + 1); /* 16 units a term, on both sides */
        assert_true(sum.upper - truth >= (error - 4e-13L) * truth && truth - sum.lower >= (error - 4e-13L) * truth);
        assert_true(sum.upper - truth >= 0.9L * error * truth || terms > 1e-13L / (4 * ROUND) || terms < 100);
        assert_true(sum.upper - sum.lower <= (2.1L * error + 1.01e-13L) * truth + 1e-300L);
        assert_true(ratio.upper - ratio.lower <= fmaxl(2.1L * error + 1.01e-13L, 1.1e-11L) * truth + 1e-300L);
        bool served = ratio.lower != sum.lower || ratio.upper != sum.upper, small = m * p < 4096;
        if (small || j + 4200 > m) assert_true(!served);
        by_fraction += served;
    }
    assert_true(by_fraction > 15);
    coins c = {10, 0.3, 0.7}; /* nobody is left */
    bounds none = tail_sum(11, &c);
    assert_true(none.lower == 0 && none.upper == 0);
    double terms;
    coins many = {2e9, 0.4, 0.6}; /* next to the mean the fraction takes 8192 terms, and is not near enough for 1e-11 */
    double j = floor(2e9 * 0.4) + 4;
    long double truth = tail_over(j, &many, &terms);
    bounds next = tail_ratio(j, &many);
    assert_true(next.lower <= truth && truth <= next.upper && next.upper - next.lower <= 2e-6L * truth);
}

/* ---- two numbers of heads ---- */

/* The sum over numbers of heads of what one law has more than x times the other. */
static long double apart(double m, long double p, long double local, long double epsilon) {
    long double w = 1 / (1 + expl(-local)), rest = 1 / (1 + expl(local)), x = expl(epsilon);
    long double sum = 0, one = 0, none = powl(1 - p, m);
    for (double k = 0; k <= m + 1; k++) {
        sum += fmaxl(0, w * one + rest * none - x * (rest * one + w * none));
        one = none;
        none *= (m - k) * p / ((k + 1) * (1 - p));
    }
    return sum;
}

static void numbers_of_heads_are_apart(void **state) {
    (void)state;
    draw_source source = {25};
    for (int trial = 0; trial < 400; trial++) {
        double m = trial < 40 ? trial / 4 : floor(draw_log_uniform(&source, 3, 3000));
        long double p = draw_uniform(&source, 0.02, 0.98);
        double local = draw_log_uniform(&source, 0.01, 8),
               epsilon = trial % 5 ? local * draw_uniform(&source, 0, 1) : 0;
        coins c = coins_of(m, p, 0);
        if (m * (double)p > 3000) continue;
        bounds got = log_apart(&c, local, epsilon);
        long double truth = apart(m, p, local, epsilon);
        if (truth < 1e-300L) continue;
        if (!(got.lower <= logl(truth) + 1e-17L && got.upper >= logl(truth) - 1e-17L))
            fail_msg("%g, %Lg, local %g, epsilon %g: [%.17g, %.17g], not %.17Lg", m, p, local, epsilon, got.lower,
                     got.upper, logl(truth));
        long double w = 1 / (1 + expl(-(long double)local)), most = w * -expm1l(epsilon - (long double)local);
        /* Relative to what is subtracted from; heads are known to 2000 units or so, and what they are many of. */
        long double slack = (2e-12L + 60 * ROUND * m) * most / truth * expl(log_heads(floor(m * (double)p), &c).upper);
        if (!(expl(got.upper - logl(truth)) - 1 <= slack + 4e-13L * (1 + m / 100)))
            fail_msg("%g, %Lg, local %g, epsilon %g: %Lg above, slack %Lg", m, p, local, epsilon,
                     expl(got.upper - logl(truth)) - 1, slack);
    }
    coins nobody = {0, 0.5, 0.5}; /* the coin alone: w - x (1 - w) */
    for (double local = 0.1; local < 30; local *= 1.7)
        for (double part = 0; part < 0.99; part += 0.2) {
            long double w = 1 / (1 + expl(-(long double)local)), truth = w - expl(part * local) / (1 + expl(local));
            bounds got = log_apart(&nobody, local, part * local);
            if (!(got.lower <= logl(truth) && got.upper >= logl(truth) && got.upper - got.lower < 1e-13))
                fail_msg("local %g, part %g: [%.17g, %.17g], not %.17Lg", local, part, got.lower, got.upper,
                         logl(truth));
        }
}

/* ---- stretches of clones ---- */

static void masses_of_stretches(void **state) {
    (void)state;
    draw_source source = {26};
    for (int trial = 0; trial < 400; trial++) {
        double m = floor(draw_log_uniform(&source, 2, 1e5));
        long double p = draw_uniform(&source, 0.01, 0.99);
        coins c = coins_of(m, p, trial % 3 - 1);
        double c0 = floor(fmax(0, fmin(m, m * (double)p + 4 * sqrt(m) * draw_uniform(&source, -1, 1))));
        double c1 = fmin(m, c0 + floor(draw_log_uniform(&source, 1, 60)) - (trial % 4 == 0));
        if (trial % 4 == 0) c1 = c0;
        double got = log_mass(c0, c1, &c);
        long double first = log_binomial(c0, m, p), term = 1, true_term = 1, sum = 0, true_sum = 0;
        for (double k = c0; k <= c1; k++) {
            sum += term;
            true_sum += true_term;
            term *= (m - c0) * p / ((c0 + 1) * (1 - p));
            true_term *= (m - k) * p / ((k + 1) * (1 - p));
        }
        assert_true(got >= first + logl(true_sum));
        long double known = log_heads(c0, &c).upper - first, series = first + logl(sum);
        if (!(got >= series - 1e-15L && got <= series + known + (100 + 4 * fabs(got)) * ROUND + (c1 - c0) * 40 * ROUND))
            fail_msg("%g to %g of %g, %Lg: %.17g, not %.17Lg, known %Lg", c0, c1, m, p, got, series, known);
    }
    coins even = {9, 0.5, 0.5}; /* from 4 to 5 heads of 9 the ratio is 1 */
    long double truth = logl(126.0L / 512 * 2);
    assert_true(log_mass(4, 5, &even) >= truth && log_mass(4, 5, &even) < truth + 1e-12L);
    /* Chernoff's bounds of the tails. */
    for (double m = 10; m < 300; m *= 3)
        for (double p = 0.05; p < 0.9; p += 0.2) {
            coins c = {m, p, 1 - p};
            long double mass[300], tail = 0, mean = (long double)m * p;
            for (int i = 0; i <= m; i++) mass[i] = expl(log_binomial(i, m, p));
            for (int k = 0; k < floor(m * p); k++) {
                long double far = 0, a = k,
                            exponent = (k > 0 ? a * logl(a / mean) : 0) + (m - a) * logl((m - a) / (m - mean));
                tail += mass[k];
                for (int i = (int)ceil(2 * m * p) - k; i <= m; i++) far += mass[i];
                double got = log_at_most(k, &c);
                assert_true(got >= logl(tail) && got >= -exponent && got <= -exponent + 1e-13L * (m + exponent));
                double away = m * p - k, below = log_beyond(m * p, away, false), above = log_beyond(m * p, away, true);
                assert_true(below >= logl(tail) &&
                            below >= -exponent); /* weaker than Chernoff's, which it follows from */
                if (far > 0) assert_true(above >= logl(far));
                assert_true(above > below);
            }
        }
    /* exp(-t^2/(2 mean)) below and exp(-t^2/(2 (mean + t/3))) above. */
    assert_true(fabs(log_beyond(50, 6, false) + 0.36) < 1e-15 && fabs(log_beyond(50, 6, true) + 18.0 / 52) < 1e-15);
}

/* ---- all clones ---- */

/* log of the mean over clones, each number by itself, of what log_apart says. */
static double log_of_clones(double reports, double local, double epsilon, double *most) {
    long double p = 2 / (expl(local) + 1);
    coins others = coins_of(reports - 1, p, 0), clones = {0, 0.5, 0.5};
    double sum = -INFINITY;
    *most = -INFINITY;
    for (double c = 0; c < reports; c++) {
        clones.m = c;
        double term = log_heads(c, &others).upper + log_apart(&clones, local, epsilon).upper;
        *most = fmax(*most, term);
        sum = dpn_log_add(sum, term);
    }
    return sum;
}

static void all_clones(void **state) {
    (void)state;
    static const double setting[][3] = {{1, 2, 0.5},      {2, 1, 0.2},    {30, 2, 1},        {900, 1, 0.2},
                                        {900, 3, 2.5},    {3000, 1, 0.1}, {3000, 0.5, 0.25}, {5000, 4, 1},
                                        {20000, 1, 0.03}, {1500, 6, 5}};
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
        double reports = setting[i][0], local = setting[i][1], epsilon = setting[i][2], most;
        double truth = log_of_clones(reports, local, epsilon, &most), got = log_upper_at(reports, local, epsilon);
        double q = 2 / (exp(local) + 1), deviation = sqrt((reports - 1) * q * (1 - q));
        /* A stretch is 1/32 of a deviation at most: delta changes by e^(slope/32) from end to end. */
        double slack = deviation < 64 ? 1e-9 : 0.01 * fmax(1, -truth);
        if (!(got >= truth - 1e-10 && got <= truth + slack))
            fail_msg("%g reports, local %g, epsilon %g: %.12g, not %.12g", reports, local, epsilon, got, truth);
    }
}

/* Where only few clones count stretches grow with the distance from the mean, to 1/64 of it: delta is then taken at the first of at most so
 * many, and their mass is at most that of all below. */
static void few_clones_count(void **state) {
    (void)state;
    static const double setting[][3] = {{6e6, 0.7, 0.6}, {2e7, 1.5, 1.45}, {1e7, 3, 2.99}};
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
        double reports = setting[i][0], local = setting[i][1], epsilon = setting[i][2];
        double q = 2 / (exp(local) + 1), mean = (reports - 1) * q, piece = sqrt(mean * (1 - q)) / PIECES;
        coins others = coins_of(reports - 1, 2 / (expl(local) + 1), 0), clones = {0, 0.5, 0.5};
        double least = -INFINITY, most = -INFINITY, width = 0;
        for (double c = 0; c < mean; c = c + 1 + floor(c / 300)) {
            clones.m = c;
            double apart_here = log_apart(&clones, local, epsilon).upper;
            width = fmax(piece, (mean - c) / 62) + 1;
            least = fmax(least, log_heads(c, &others).lower + apart_here);
            most = fmax(most, apart_here + log_at_most(fmin(floor(mean), c + width * 1.2 + c / 250), &others));
        }
        double got = log_upper_at(reports, local, epsilon);
        if (!(got >= least && got <= most + log(MOST_PIECES + 600)))
            fail_msg("%g reports, local %g, epsilon %g: %.12g, not %.12g to %.12g", reports, local, epsilon, got, least,
                     most);
    }
}

static void lower_ends(void **state) {
    (void)state;
    for (double reports = 1; reports < 800; reports = ceil(reports * 2.3))
        for (double local = 0.2; local < 5; local *= 2)
            for (double part = 0; part < 0.95; part += 0.3) {
                long double g = expl(-(long double)local);
                long double truth = logl(apart(reports - 1, g / (1 + g), local, part * local));
                double got = log_lower_at(reports, local, part * local);
                if (!(got <= truth + 1e-17L && (got >= truth - 1e-9L || truth < -60)))
                    fail_msg("%g reports, local %g, epsilon %g: %.17g, not %.17Lg", reports, local, part * local, got,
                             truth);
            }
}

/* ---- what is refused, and edges ---- */

static void refusals_and_edges(void **state) {
    (void)state;
    dpn_delta delta = {7, 7, 7, 7};
    dpn_epsilon epsilon = {7, 7};
    dpn_error why;
    const char *few = "there must be at least 1 report and at most 2^31",
               *far = "the local epsilon must lie between 0 and 100";
    struct {
        uint64_t reports;
        double local;
        const char *sentence;
    } wrong[] = {{0, 1, few}, {((uint64_t)1 << 31) + 1, 1, few}, {5, -1e-9, far}, {5, 100.001, far}, {5, NAN, far}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(dpn_shuffle_delta(&delta, wrong[i].reports, wrong[i].local, 0.1, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, wrong[i].sentence);
        assert_int_equal(dpn_shuffle_epsilon(&epsilon, wrong[i].reports, wrong[i].local, 0.1, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, wrong[i].sentence);
    }
    static const double bad[] = {-1e-300, NAN, 1.0000001};
    for (int i = 0; i < 3; i++) {
        if (i < 2) {
            assert_int_equal(dpn_shuffle_delta(&delta, 5, 1, bad[i], &why), DPN_EDOMAIN);
            assert_string_equal(why.sentence, "epsilon must not be negative");
        }
        assert_int_equal(dpn_shuffle_epsilon(&epsilon, 5, 1, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "delta must lie in [0, 1]");
    }
    assert_true(delta.lower == 7 && delta.upper == 7 && epsilon.lower == 7 && epsilon.upper == 7);
    assert_int_equal(dpn_shuffle_delta(&delta, 1, 100, 99, NULL), DPN_OK);
    assert_true(delta.lower > 0.6 && delta.upper < 1); /* 1 - e^-1 */
    assert_int_equal(dpn_shuffle_delta(&delta, 5, 0, 0, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    assert_int_equal(dpn_shuffle_delta(&delta, 5, 1, 1, NULL), DPN_OK);
    assert_true(delta.upper == 0 && delta.log_upper == -INFINITY);
    assert_int_equal(dpn_shuffle_delta(&delta, 5, 1, INFINITY, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    for (double goal = 0; goal <= 1; goal += 0.25) { /* the ends are where the ends of delta are the goal, to 1e-9 */
        assert_int_equal(dpn_shuffle_epsilon(&epsilon, 50, 3, goal, NULL), DPN_OK);
        if (goal == 1) assert_true(epsilon.lower == 0 && epsilon.upper == 0);
        if (goal == 0) assert_true(epsilon.upper == 3 && epsilon.lower > 2.9);
    }
    for (double goal = 1e-12; goal < 0.1; goal *= 31) {
        assert_int_equal(dpn_shuffle_epsilon(&epsilon, 50, 3, goal, NULL), DPN_OK);
        assert_true(log_end(50, 3, epsilon.upper, true) <= log(goal) &&
                    log_end(50, 3, epsilon.lower, false) >= log(goal));
        assert_true(log_end(50, 3, epsilon.upper * (1 - 2e-9), true) > log(goal));
        assert_true(log_end(50, 3, epsilon.lower * (1 + 2e-9), false) < log(goal));
    }
}

/* Both ends are within 1e-9 of their places, however small these are. */
static void small_epsilons(void **state) {
    (void)state;
    for (double local = 1e-7; local < 1; local *= 10) {
        dpn_epsilon epsilon;
        double goal = 0.1 * local;
        assert_int_equal(dpn_shuffle_epsilon(&epsilon, 2, local, goal, NULL), DPN_OK);
        assert_true(epsilon.lower > 0 && epsilon.upper < local);
        assert_true(log_end(2, local, epsilon.upper * (1 - 2e-9), true) > log(goal));
        assert_true(log_end(2, local, epsilon.lower * (1 + 2e-9), false) < log(goal));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remainders_and_divergences),
        cmocka_unit_test(one_number_of_heads),
        cmocka_unit_test(fractions_hold_their_intervals),
        cmocka_unit_test(tails_hold_their_sums),
        cmocka_unit_test(numbers_of_heads_are_apart),
        cmocka_unit_test(masses_of_stretches),
        cmocka_unit_test(all_clones),
        cmocka_unit_test(few_clones_count),
        cmocka_unit_test(lower_ends),
        cmocka_unit_test(small_epsilons),
        cmocka_unit_test(refusals_and_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
