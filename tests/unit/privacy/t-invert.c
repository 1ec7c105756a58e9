/* The epsilon of a delta, by a search that sees nothing but certified ends: on curves whose inverse is a formula the interval holds it, and is no
 * wider than the ends of delta make it. */
#include "privacy/compose/invert.h"

#include "privacy/interval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* log delta = -start - rate epsilon - bend epsilon^2, of which the ends leave `below` of their distance below and the rest above. */
typedef struct curve {
    double start, rate, bend, below;
    int looks;
} curve;

static dpn_status delta_of(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    curve *of = context;
    double value = -of->start - epsilon * (of->rate + of->bend * epsilon);
    double apart = log1p(accuracy > 0 ? accuracy : 1e-5);
    (void)why;
    of->looks++;
    *out = dpn_delta_between(value - of->below * apart, fmin(0, value + (1 - of->below) * apart));
    return DPN_OK;
}

/* Where log delta is -l. */
static double inverse(const curve *of, double l) {
    double c = l - of->start;
    return c <= 0 ? 0 : 2 * c / (of->rate + sqrt(of->rate * of->rate + 4 * of->bend * c));
}

static void intervals_are_as_narrow_as_delta(void **state) {
    (void)state;
    static const double rates[] = {0.01, 1, 300}, bends[] = {0, 0.2, 30}, accuracies[] = {1e-9, 1e-5, 1e-2},
                        belows[] = {0, 0.1, 0.5, 1};
    double widest = 0;
    for (size_t i = 0; i < 3 * 3 * 3 * 4 * 3; i++) {
        curve of = {.start = 0.1, .rate = rates[i % 3], .bend = bends[i / 3 % 3], .below = belows[i / 27 % 4]};
        double accuracy = accuracies[i / 9 % 3];
        for (double l = 0.4; l < 600; l *= 3.7) {
            double truth = inverse(&of, l), slope = of.rate + 2 * of.bend * truth;
            /* The end is known, or nothing is, or about where it is. */
            dpn_inversion how = {.delta = delta_of, .context = &of, .accuracy = accuracy, .end = INFINITY};
            if (i / 108 == 1) how.end = 5 * truth;
            if (i / 108 == 2) how.first = 0.8 * truth;
            dpn_epsilon found;
            dpn_error why;
            of.looks = 0;
            assert_int_equal(dpn_invert(&found, &how, exp(-l), &why), DPN_OK);
            /* delta itself is rounded, by up to l units of its logarithm. */
            double slack = 1e-15 * (1 + l) / slope, apart = log1p(accuracy) / slope;
            if (!(found.lower <= truth + slack && truth <= found.upper + slack))
                fail_msg("rate %g, bend %g, l %g: %.17g to %.17g, not %.17g", of.rate, of.bend, l, found.lower,
                         found.upper, truth);
            double width = (found.upper - found.lower) / (apart + 2e-12 * truth);
            widest = fmax(widest, width);
            if (!(width < 3 && of.looks < 60))
                fail_msg("rate %g, bend %g, below %g, l %g: %.17g to %.17g, delta is %g apart, %d looks", of.rate,
                         of.bend, of.below, l, found.lower, found.upper, apart, of.looks);
        }
    }
    print_message("# %.3g times what delta makes it\n", widest);
}

/* Targets that delta meets at 0 already. */
static void nothing_is_needed(void **state) {
    (void)state;
    curve of = {.start = 2, .rate = 1, .below = 0.5};
    dpn_inversion how = {.delta = delta_of, .context = &of, .accuracy = 1e-5, .end = INFINITY};
    dpn_epsilon found = {7, 7};
    assert_int_equal(dpn_invert(&found, &how, exp(-1.9), NULL), DPN_OK);
    assert_true(found.lower == 0 && found.upper == 0);
    assert_int_equal(dpn_invert(&found, &how, exp(-2), NULL), DPN_OK); /* between the ends */
    assert_true(found.lower == 0 && found.upper > 0 && found.upper < 1e-3);
}

/* delta is known exactly: `level` from 1 to 2, more before that and less beyond. */
static dpn_status level_of(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    double level = *(double *)context, value = level - (epsilon < 1 ? epsilon - 1 : fmax(0, epsilon - 2));
    (void)accuracy;
    (void)why;
    *out = (dpn_delta){0, 1, fmin(value, 0), fmin(value, 0)};
    return DPN_OK;
}

/* Where delta is a number between two doubles from 1 to 2, the epsilon of that number is 1, and that of the double below it 2: the interval holds both. */
static void numbers_between_doubles_are_held(void **state) {
    (void)state;
    static const double targets[] = {0x1p-1022, 1e-300, 1e-6, 0.1, 0.5, 0.9, 0.99};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        double next = nextafter(targets[i], 1), share = (next - targets[i]) / targets[i];
        double level = log(targets[i]) + 0.9 * log1p(share);
        dpn_inversion how = {.delta = level_of, .context = &level, .end = INFINITY};
        dpn_epsilon found;
        assert_int_equal(dpn_invert(&found, &how, targets[i], NULL), DPN_OK);
        assert_true(found.lower <= 1 && found.lower > 0.1);
        assert_true(found.upper >= 2 && found.upper < 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_are_as_narrow_as_delta),
                                       cmocka_unit_test(numbers_between_doubles_are_held),
                                       cmocka_unit_test(nothing_is_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
