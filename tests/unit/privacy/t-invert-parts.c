/* The search for the epsilon of a delta, piece by piece: what a look says, where brackets begin, and how far each step goes; on curves that answer just what they are told. */
#include "privacy/compose/invert.h"
#include "privacy/compose/invert.c" /* to see each piece */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* log delta = -rate epsilon, between ends `wide` times log(1 + accuracy) apart and no nearer than `least`; refused beyond `reach`. */
typedef struct curve {
    double rate, start, least, reach, furthest, last_accuracy, finest;
    dpn_status status;
    int looks, fail_at;
    double seen[400];
} curve;

static dpn_status delta_of(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    curve *of = context;
    double value = -of->start - of->rate * epsilon, apart = fmax(of->least, log1p(accuracy > 0 ? accuracy : 1e-5));
    (void)why;
    if (of->looks < 400) of->seen[of->looks] = epsilon;
    of->looks++;
    of->furthest = fmax(of->furthest, epsilon);
    of->last_accuracy = accuracy;
    if (accuracy > 0) of->finest = fmin(of->finest, accuracy);
    if (of->looks == of->fail_at) return of->status;
    if (of->reach > 0 && epsilon > of->reach) return DPN_EACCURACY;
    out->log_lower = value - 0.5 * apart;
    out->log_upper = fmin(0, value + 0.5 * apart);
    out->lower = exp(out->log_lower);
    out->upper = exp(out->log_upper);
    return DPN_OK;
}

static dpn_inversion how(curve *of, double accuracy) {
    return (dpn_inversion){.delta = delta_of, .context = of, .accuracy = accuracy, .end = INFINITY};
}

static void what_a_look_says(void **state) {
    (void)state;
    curve of = {.rate = 1, .least = 0.2};
    dpn_inversion asked = how(&of, 1e-3);
    for (double epsilon = 4; epsilon < 6; epsilon += 0.0499) {
        search s = {.of = &asked,
                    .log_target = -5,
                    .under = -5.01,
                    .above = -4.99,
                    .low = 1,
                    .high = 9,
                    .low_height = 3,
                    .high_height = -3};
        bool between;
        double spread, height = 5 - epsilon;
        assert_int_equal(look(&s, epsilon, 1e-3, &between, &spread), DPN_OK);
        bool above = height - 0.1 > 0.01, below = height + 0.1 <= -0.01;
        assert_true(fabs(spread - 0.2) < 1e-12 && between == !(above || below));
        assert_true(s.low == (above ? epsilon : 1) && s.high == (below ? epsilon : 9));
        assert_true(fabs(s.low_height - (above ? height : 3)) < 1e-12 &&
                    fabs(s.high_height - (below ? height : -3)) < 1e-12);
    }
}

/* Points inside: on the chord where both heights are known, a thousandth from the ends at least, or in the middle. */
static void points_inside(void **state) {
    (void)state;
    search s = {.low = 2, .high = 6, .low_height = 3, .high_height = -1};
    assert_true(fabs(inside(&s, false) - 5) < 1e-12 && inside(&s, true) == 4);
    s.high_height = -1e9;
    assert_true(fabs(inside(&s, false) - 2.004) < 1e-9);
    s.high_height = -1e-9;
    assert_true(fabs(inside(&s, false) - 5.996) < 1e-8);
    s.high_height = -INFINITY;
    assert_true(inside(&s, false) == 4);
    s.high_height = -1;
    s.low_height = INFINITY;
    assert_true(inside(&s, false) == 4);
    /* What is out of reach next to the end is no failure, if the bracket is narrow. */
    s = (search){.low = 1 - 0.99e-6, .high = 1};
    assert_true(settle(&s, DPN_EACCURACY) == DPN_OK && settle(&s, DPN_ENOMEM) == DPN_ENOMEM);
    s.low = 1 - 1.01e-6;
    assert_true(settle(&s, DPN_EACCURACY) == DPN_EACCURACY && settle(&s, DPN_OK) == DPN_OK);
    s = (search){.low = 5 - 4.9e-6, .high = 5};
    assert_true(settle(&s, DPN_EACCURACY) == DPN_OK);
}

/* From the first guess up by halves again, from the size of delta at 0 by fours, and no farther than the first that is below. */
static void brackets(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++)
        for (double l = 1; l < 1e5; l *= 30) {
            curve of = {.rate = 2};
            dpn_inversion asked = how(&of, 1e-3);
            if (way == 1) asked.first = 1e-3 * l;
            if (way == 2) asked.end = 7 * l;
            search s = {
                .of = &asked, .coarse = 0.05, .log_target = -l, .under = -l, .above = -l, .low_height = INFINITY};
            assert_int_equal(bracket(&s, 1e-4), DPN_OK);
            double truth = 0.5 * l, factor = way == 0 ? 4 : 1.5;
            if (way == 2) {
                assert_true(s.high == 7 * l && of.looks == 0 && s.high_height == -INFINITY);
                continue;
            }
            assert_true(s.high > truth && s.high <= truth * factor * 1.1 + 0.1 && of.furthest == s.high);
            assert_true(s.low < truth && (s.low >= truth / factor / 1.1 - 0.1 || s.low == 0));
            assert_true(of.looks == (int)ceil(log((s.high / (way ? 1e-3 * l : 1e-4))) / log(factor) + 0.5) ||
                        of.looks < 40);
            for (int i = 1; i < of.looks; i++) assert_true(fabs(of.seen[i] / of.seen[i - 1] - factor) < 1e-12);
        }
    /* A first guess beyond what can be seen gives up for the other way; a failure of another kind ends it all. */
    curve of = {.rate = 2, .reach = 3};
    dpn_inversion asked = how(&of, 1e-3);
    asked.first = 4;
    search s = {.of = &asked, .coarse = 0.05, .log_target = -4, .under = -4, .above = -4, .low_height = INFINITY};
    assert_int_equal(bracket(&s, 1.01), DPN_EACCURACY); /* 1.01, 4.04 */
    assert_true(of.looks == 3);
    s.high = INFINITY;
    assert_int_equal(bracket(&s, 0.6), DPN_OK);
    of = (curve){.rate = 2, .fail_at = 1, .status = DPN_ENOMEM};
    assert_int_equal(bracket(&s, 0.6), DPN_ENOMEM);
    /* No profile falls for ever so slowly. */
    of = (curve){.rate = 0, .start = 0.1};
    dpn_error why;
    s = (search){.of = &asked, .coarse = 0.05, .log_target = -4, .under = -4, .above = -4, .why = &why};
    assert_int_equal(bracket(&s, 1e299), DPN_EACCURACY);
    assert_string_equal(why.sentence, "epsilon is beyond 1e300");
}

/* The accuracy that a width needs: what log delta falls by across three tenths of it. */
static void accuracies_for_a_width(void **state) {
    (void)state;
    curve of = {.rate = 1};
    dpn_inversion asked = how(&of, 0);
    search s = {.of = &asked, .coarse = 0.05, .low = 1, .high = 3, .low_height = 4, .high_height = -2};
    assert_true(enough_for_width(&s) == 0); /* nothing is asked */
    asked.width = 1e-3;
    assert_true(fabs(enough_for_width(&s) - 0.3 * 3 * 1e-3 * 3) < 1e-15);
    s.low = 0.1;
    s.high = 0.5; /* a width of 1e-3 below 1 */
    assert_true(fabs(enough_for_width(&s) - 0.3 * 15 * 1e-3) < 1e-15);
    asked.width = 1;
    assert_true(enough_for_width(&s) == 0.05);
    asked.width = 1e-9;
    assert_true(enough_for_width(&s) == 1e-5);
    s.fine = 1e-7;
    assert_true(enough_for_width(&s) == 1e-7);
    s.fine = 0;
    s.low_height = INFINITY;
    assert_true(enough_for_width(&s) == 0);
    s.low_height = -3;
    assert_true(enough_for_width(&s) == 0);
}

static void guesses(void **state) {
    (void)state;
    /* Of a Gaussian loss N(m^2/2, m^2): delta at 0 is about m/sqrt(2 pi), and epsilon about m^2/2 + m z. */
    for (double m = 1e-3; m < 1; m *= 3)
        for (double delta = 1e-3; delta > 1e-12; delta *= 1e-3) {
            double at_zero = erf(m / sqrt(8)), found = dpn_invert_first(at_zero, delta), z = sqrt(2 * log(1 / delta));
            assert_true(found > 0.75 * m * z && found < 0.85 * m * z + 0.6 * m * m);
            double step = dpn_invert_first(2 * at_zero, delta) - 2 * found, square = 2.5 * at_zero;
            assert_true(fabs(step - square * square) <= 1e-9 * square); /* linear, but for half the square */
        }
}

/* Where delta is known only within a wide interval the ends are where its ends meet the target. */
static void wide_intervals(void **state) {
    (void)state;
    for (double least = 0.05; least < 3; least *= 2.5)
        for (double l = 4; l < 200; l *= 4)
            for (int known = 0; known < 3; known++) {
                curve of = {.rate = 0.7, .start = 0.01, .least = least};
                dpn_inversion asked = how(&of, known == 1 ? 1e-4 : 0);
                if (known == 2) asked.end = 3 * l;
                dpn_epsilon found;
                assert_int_equal(dpn_invert(&found, &asked, exp(-l), NULL), DPN_OK);
                double low = (l - 0.01 - 0.5 * least) / 0.7, high = (l - 0.01 + 0.5 * least) / 0.7, wide = high - low;
                if (!(found.lower <= low + 1e-9 * l && found.upper >= high - 1e-9 * l))
                    fail_msg("%.17g to %.17g, not %.17g to %.17g", found.lower, found.upper, low, high);
                if (!(found.lower >= low - 0.02 * wide - 1e-6 * l && found.upper <= high + 0.02 * wide + 1e-6 * l))
                    fail_msg("%.17g to %.17g is too wide for %.17g to %.17g", found.lower, found.upper, low, high);
                assert_true(of.looks < 90);
            }
}

/* A width instead of an accuracy: what comes is about as narrow, with an accuracy no finer than needed. */
static void widths(void **state) {
    (void)state;
    for (double width = 1e-3; width < 0.2; width *= 5)
        for (double rate = 0.1; rate < 100; rate *= 9)
            for (double l = 2; l < 300; l *= 5) {
                curve of = {.rate = rate, .start = 0.01, .finest = 1};
                dpn_inversion asked = how(&of, 0);
                asked.width = width;
                dpn_epsilon found;
                assert_int_equal(dpn_invert(&found, &asked, exp(-l), NULL), DPN_OK);
                double truth = (l - 0.01) / rate, goal = width * fmax(1, truth),
                       needed = fmin(fmax(0.3 * rate * goal, 1e-5), 0.05);
                assert_true(found.lower <= truth * (1 + 1e-12) && truth <= found.upper * (1 + 1e-12));
                if (needed < 0.05) assert_true(found.upper - found.lower <= 1.5 * goal && of.finest >= 0.3 * needed);
                assert_true(of.looks < 60);
            }
}

static void targets_at_0(void **state) {
    (void)state;
    dpn_error why;
    dpn_epsilon found = {7, 7};
    curve of = {.rate = 1, .start = 2, .finest = 1};
    dpn_inversion asked = how(&of, 1e-6);
    assert_int_equal(dpn_invert(&found, &asked, exp(-1.9), &why), DPN_OK);
    assert_true(found.lower == 0 && found.upper == 0 && of.looks == 1 && of.last_accuracy == 0.05);
    of.looks = 0; /* nearer than the coarse accuracy: a fine look decides */
    assert_int_equal(dpn_invert(&found, &asked, exp(-1.99), &why), DPN_OK);
    assert_true(found.lower == 0 && found.upper == 0 && of.looks == 2 && of.last_accuracy == 1e-6);
    of.looks = 0;
    assert_int_equal(dpn_invert(&found, &asked, exp(-2.01), &why), DPN_OK);
    assert_true(found.lower <= 0.01 && found.upper >= 0.01 && found.upper < 0.0101 && found.lower > 0.0099);
    for (int at = 1; at < 12; at++) { /* whichever look fails, nothing is told */
        of = (curve){.rate = 1, .start = 2, .fail_at = at, .status = DPN_ENOMEM};
        found = (dpn_epsilon){7, 7};
        assert_int_equal(dpn_invert(&found, &asked, exp(-9), &why), DPN_ENOMEM);
        assert_true(found.lower == 7 && found.upper == 7 && of.looks == at);
    }
    /* A coarse request stays as coarse. */
    asked.accuracy = 0.3;
    of = (curve){.rate = 1, .start = 2, .finest = 1};
    assert_int_equal(dpn_invert(&found, &asked, exp(-9), &why), DPN_OK);
    assert_true(of.finest == 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_look_says), cmocka_unit_test(points_inside),
        cmocka_unit_test(brackets),         cmocka_unit_test(accuracies_for_a_width),
        cmocka_unit_test(guesses),          cmocka_unit_test(wide_intervals),
        cmocka_unit_test(widths),           cmocka_unit_test(targets_at_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
