/* Sums and integrals by extrapolation, piece by piece: exact for polynomials, what is left over, halving where a function bends, and how often it is asked. */
#include "privacy/profile/smooth-sum.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct {
    int power, asked;
    double bend, low, high;
} told;

static double at_power(const void *context, double x) {
    const double *scale = context;
    told.asked++;
    told.low = fmin(told.low, x);
    told.high = fmax(told.high, x);
    return pow(x / *scale, told.power);
}

static double bent(const void *context, double x) {
    (void)context;
    told.asked++;
    return fabs(x - told.bend);
}

static dpn_summand summand_of(double (*f)(const void *, double), const double *scale, bool whole) {
    told.asked = 0, told.low = INFINITY, told.high = -INFINITY;
    return (dpn_summand){f, scale, whole};
}

static long double power_sum(double low, double high, double scale) {
    long double sum = 0;
    for (double x = low; x < high; x++) sum += powl((long double)x / scale, told.power);
    return sum;
}

/* Five extrapolations in m^2 leave nothing of a polynomial of degree 11, whether to m = 0 or to m = 1. */
static void polynomials_are_exact(void **state) {
    (void)state;
    for (told.power = 0; told.power <= 11; told.power++)
        for (double step = 3; step < 200; step *= 3) {
            double low = 7, high = low + 32 * step, difference;
            dpn_summand whole = summand_of(at_power, &high, true);
            double got = romberg(&whole, low, step, &difference);
            long double truth = power_sum(low, high, high);
            assert_true(told.asked == 33 && told.low == low && told.high == high);
            if (!(fabsl(got - truth) <= 1e-13L * truth))
                fail_msg("sum of x^%d: %.17g, not %.17Lg", told.power, got, truth);
            dpn_summand line = summand_of(at_power, &high, false);
            got = romberg(&line, low, step, &difference);
            truth = (high - low * powl((long double)low / high, told.power)) / (told.power + 1);
            assert_true(fabsl(got - truth) <= 1e-14L * truth);
            if (told.power < 9) assert_true(difference <= 1e-13 * got); /* the order before is exact as well */
        }
    double row[] = {1, 2, 3, 4, 5, 6}, difference; /* by hand: Neville's scheme at m = 0 is that of Romberg */
    double table[LEVELS + 1];
    for (int i = 0; i <= LEVELS; i++) table[i] = row[i];
    for (int order = 1; order <= LEVELS; order++)
        for (int i = LEVELS; i >= order; i--)
            table[i] = (pow(4, order) * table[i] - table[i - 1]) / (pow(4, order) - 1);
    double got = extrapolate(row, 0.25, 0, &difference);
    assert_true(fabs(got - table[LEVELS]) < 1e-14);
    double flat[] = {1, 1, 1, 1, 1, 1.5};
    extrapolate(flat, 1, 0, &difference); /* 1.5 and 1: what the last order combines are 1.5 (4/3)(16/15)... and 1 */
    double near_end = 1;
    for (int order = 1; order < LEVELS; order++) near_end *= pow(4, order) / (pow(4, order) - 1);
    assert_true(fabs(difference - 0.5 * near_end) < 1e-14);
}

/* Short stretches one by one; long ones in 33 points, and what does not fill the cells one by one. */
static void stretches_of_whole_numbers(void **state) {
    (void)state;
    told.power = 3;
    double scale = 1000;
    for (double count = 0; count < 1000; count += count < 70 ? 1 : 37) {
        dpn_summand whole = summand_of(at_power, &scale, true);
        dpn_smooth_total total = {0.5, 1e-20, 100};
        dpn_smooth_add(&total, &whole, 5, 5 + count, 1e-12);
        long double truth = power_sum(5, 5 + count, scale);
        assert_true(fabsl(total.sum - 0.5 - truth) <= 1e-13L * (0.5 + truth));
        int wanted = count <= 64 ? (int)count : 33 + (int)fmod(count, 32);
        assert_true(told.asked == wanted && total.budget == (count <= 64 ? 100 : 99));
        if (count <= 64) assert_true(total.error == 1e-20);
        if (count > 64) assert_true(total.error >= 1e-20 && total.error <= 1e-13 * (double)truth + 1e-20);
    }
    dpn_summand line = summand_of(at_power, &scale, false);
    dpn_smooth_total total = {0, 0, 100};
    dpn_smooth_add(&total, &line, 3, 3, 1); /* nothing */
    dpn_smooth_add(&total, &line, 3, 2, 1);
    assert_true(total.sum == 0 && total.budget == 100 && told.asked == 0);
}

/* A bend is looked for by halving until what it may cost is within the goal; the errors add, and ten times them, which is what callers take, cover what
 * is wrong. */
static void bends_are_halved(void **state) {
    (void)state;
    draw_source source = {451};
    for (int trial = 0; trial < 100; trial++) {
        told.bend = draw_uniform(&source, 0.01, 0.99);
        double goal = draw_log_uniform(&source, 1e-12, 1e-3),
               exact = 0.5 * (told.bend * told.bend + (1 - told.bend) * (1 - told.bend));
        dpn_summand line = summand_of(bent, NULL, false);
        dpn_smooth_total total = {0, 0, 1000};
        dpn_smooth_add(&total, &line, 0, 1, goal);
        double wrong = fabs(total.sum - exact);
        assert_true(10 * total.error >= wrong - 1e-15 && total.error <= 40 * goal + 1e-13);
        /* Each halving divides what one bend costs by four; both halves are tried. */
        int most = 1 + 2 * (int)ceil(fmax(0, log(1e-2 / goal) / log(4)));
        assert_true(1000 - total.budget <= most + 2 && told.asked == 33 * (1000 - total.budget));
    }
    told.bend = 0.337;
    for (int budget = 1; budget < 12;
         budget++) { /* without budget what was found last is taken, and said to be wrong */
        dpn_summand line = summand_of(bent, NULL, false);
        dpn_smooth_total total = {0, 0, budget};
        dpn_smooth_add(&total, &line, 0, 1, 0);
        double exact = 0.5 * (0.337 * 0.337 + 0.663 * 0.663), wrong = fabs(total.sum - exact);
        assert_true(total.budget <= 0 && 10 * total.error >= wrong && told.asked <= 33 * (2 * budget + 2));
    }
    dpn_summand whole = summand_of(bent, NULL, true); /* sums bend too: at a whole number between */
    told.bend = 70000;
    dpn_smooth_total total = {0, 0, 1000};
    dpn_smooth_add(&total, &whole, 0, 200000, 1e-9 * 1e10);
    long double exact = 0.5L * 70000 * 70001 + 0.5L * 129999 * 130000;
    assert_true(fabsl(total.sum - exact) <= total.error + 1e-12L * exact && total.error <= 1e-8 * (double)exact &&
                total.budget > 900);
    /* A stretch that cannot be halved any more ends, whatever the goal. */
    double least = 1 + 0x1p-50;
    dpn_summand line = summand_of(bent, NULL, false);
    total = (dpn_smooth_total){0, 0, 1000};
    told.bend = 1 + 0x1p-51;
    dpn_smooth_add(&total, &line, 1, least, -1);
    assert_true(total.budget > 0 && told.asked < 33 * 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_exact),
        cmocka_unit_test(stretches_of_whole_numbers),
        cmocka_unit_test(bends_are_halved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
