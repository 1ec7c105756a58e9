/* The search for epsilon on a line: what each part of it finds, where delta has a formula, and what it says if nothing is found. */
#include "privacy/sampling/mixture-inverse.h"

#include "privacy/interval.h"
#include "privacy/sampling/mixture-saddle.h"

static dpn_status known_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why);
static dpn_delta known_delta(const dpn_attempt *a, double epsilon);
static dpn_status known_cut(dpn_attempt *a, dpn_error *why);
static dpn_status known_saddle(dpn_mixture_line *line, dpn_mixtures *all, bool middle, double epsilon, double start,
                               dpn_error *why);
static dpn_status known_small(dpn_attempt *a, double epsilon, dpn_error *why);
static dpn_status known_line(dpn_attempt *a, double epsilon, double log_target, dpn_error *why);

#define dpn_mixture_tilt known_tilt
#define dpn_attempt_delta known_delta
#define dpn_attempt_cut known_cut
#define dpn_mixture_saddle known_saddle
#define dpn_attempt_bound_small known_small
#define dpn_attempt_line known_line
#include "privacy/sampling/mixture-inverse.c"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* log delta = top - rate epsilon - bend epsilon^2, known to +- half up to `reach`; of the lower end nothing is known if `above_alone`. Each line makes
 * the next one's half smaller. */
static struct {
    double top, rate, bend, half, better, last, least_part;
    bool above_alone;
    int deltas, cuts, saddles, smalls, lines, tilts;
    dpn_status cut_status, saddle_status, small_status, line_status, tilt_status;
    double mean, variance, limit; /* of the cumulants */
    double last_target, last_start, last_above, last_lost;
} known;

static double log_known(double epsilon) {
    return known.top - known.rate * epsilon - known.bend * epsilon * epsilon;
}

/* Where log delta is this. */
static double place_of(double log_delta) {
    double low = 0, high = 1e6;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        *(log_known(middle) > log_delta ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static dpn_delta known_delta(const dpn_attempt *a, double epsilon) {
    (void)a;
    if (known.deltas++ > 0) known.least_part = fmin(known.least_part, epsilon / known.last);
    known.last = epsilon;
    double value = log_known(epsilon);
    return (dpn_delta){0, 0, known.above_alone ? -INFINITY : value - known.half, value + known.half};
}

static dpn_status known_cut(dpn_attempt *a, dpn_error *why) {
    (void)why;
    known.cuts++;
    known.last_above = a->how.above;
    known.last_lost = a->how.log_lost;
    return known.cut_status;
}

static dpn_status known_saddle(dpn_mixture_line *line, dpn_mixtures *all, bool middle, double epsilon, double start,
                               dpn_error *why) {
    (void)all, (void)why;
    assert_false(middle);
    known.saddles++;
    known.last_start = start;
    line->theta = known.rate + 2 * known.bend * epsilon;
    return known.saddle_status;
}

static dpn_status known_small(dpn_attempt *a, double epsilon, dpn_error *why) {
    (void)a, (void)epsilon, (void)why;
    known.smalls++;
    return known.small_status;
}

static dpn_status known_line(dpn_attempt *a, double epsilon, double log_target, dpn_error *why) {
    (void)a, (void)epsilon, (void)why;
    known.last_target = log_target;
    if (known.lines++ > 0) known.half *= known.better;
    return known.line_status;
}

static dpn_status known_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why) {
    assert_true(goal == DPN_MIXTURE_ROUGH && !all);
    known.tilts++;
    if (known.tilt_status) return known.tilt_status;
    if (theta > known.limit) return dpn_fail(why, DPN_EACCURACY, "too many points");
    *out = (dpn_mixture_cumulants){dpn_two(known.mean * theta + 0.5 * known.variance * theta * theta), 1e-9,
                                   known.mean + known.variance * theta, known.variance};
    return DPN_OK;
}

static void start_anew(void) {
    memset(&known, 0, sizeof known);
    known.rate = known.better = known.least_part = 1;
    known.limit = INFINITY;
}

/* ---- the line that suits delta ---- */

static double estimate_at(double theta, double *epsilon) {
    double curvature = known.variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
    *epsilon = known.mean + known.variance * theta - 1 / theta - 1 / (1 + theta);
    return known.mean * theta + 0.5 * known.variance * theta * theta - theta * *epsilon -
           0.5 * log(2 * DPN_PI * curvature) - log(theta * (1 + theta));
}

static void guesses_suit_delta(void **state) {
    (void)state;
    draw_source source = {95};
    int looks = 0, most = 0;
    for (int trial = 0; trial < 300; trial++) {
        start_anew();
        known.mean = draw_uniform(&source, -1, 2);
        known.variance = draw_log_uniform(&source, 1e-8, 100);
        double log_delta = -draw_log_uniform(&source, 1.5, 300), epsilon, truth, low = 1e-9, high = 1e9;
        dpn_attempt a = {0};
        assert_int_equal(dpn_attempt_guess(&epsilon, &a, log_delta, NULL), DPN_OK);
        double estimate = estimate_at(a.line.theta, &truth);
        assert_true(fabs(truth - epsilon) <= 1e-9 * (1 + fabs(epsilon)) && fabs(estimate - log_delta) < 0.2 + 1e-9);
        for (int i = 0; i < 100; i++) { /* the estimate falls with theta */
            double middle = sqrt(low * high);
            *(estimate_at(middle, &truth) > log_delta ? &low : &high) = middle;
        }
        assert_true(fabs(log(a.line.theta / low)) < 0.3);
        looks += known.tilts;
        most = known.tilts > most ? known.tilts : most;
    }
    if (!(looks <= 1900 && most <= 10)) fail_msg("%d looks, %d at most", looks, most);
    for (double limit = 0.01; limit < 100; limit *= 7) { /* what suits lies beyond what can be had: as far as it goes */
        start_anew();
        known.variance = 0.01;
        known.limit = limit;
        double epsilon, truth;
        dpn_attempt a = {0};
        assert_int_equal(dpn_attempt_guess(&epsilon, &a, -900, NULL), DPN_OK);
        assert_true(a.line.theta <= limit && a.line.theta > limit * (1 - 2e-6) && known.tilts < 62);
        estimate_at(a.line.theta, &truth);
        assert_true(fabs(truth - epsilon) < 1e-9 * (1 + fabs(truth)));
    }
    start_anew();
    dpn_error why;
    double epsilon = 7;
    dpn_attempt a = {0};
    known.tilt_status = DPN_ENOMEM;
    assert_int_equal(dpn_attempt_guess(&epsilon, &a, -9, &why), DPN_ENOMEM);
    known.tilt_status = DPN_EACCURACY;
    assert_int_equal(dpn_attempt_guess(&epsilon, &a, -9, &why), DPN_EACCURACY);
    assert_int_equal(known.tilts, 2);
    known.tilt_status = DPN_OK;
    known.limit = 0; /* at 0 alone */
    known.variance = 1;
    assert_int_equal(dpn_attempt_guess(&epsilon, &a, -9, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "no line of the contour suits delta");
    assert_true(known.tilts < 64 && epsilon == 7);
}

/* ---- sides and ends ---- */

static void sides_are_certain(void **state) {
    (void)state;
    for (double target = -700; target < -0.1; target *= 0.7) {
        double margin = 2 * DBL_EPSILON * -target, far = 4 * margin;
        double above = target + (margin + DBL_EPSILON); /* beyond the logarithm of the next double */
        dpn_delta at[] = {{0, 0, above, target + far},
                          {0, 0, nextafter(above, -800), target + far},
                          {0, 0, target - far, target - margin},
                          {0, 0, target - far, nextafter(target - margin, 0)},
                          {0, 0, target - far, target + far}};
        static const int side[] = {1, 0, -1, 0, 0};
        for (int i = 0; i < 5; i++) assert_int_equal(side_of(&at[i], target), side[i]);
        assert_true(fabs(height_of(&at[4], target)) <= margin && height_of(&at[0], target) > 0 &&
                    height_of(&at[2], target) < 0);
    }
    dpn_delta wide = {0, 0, -9, -5};
    assert_true(height_of(&wide, -4) == -3 && height_of(&wide, -8) == 1);
}

static void ends_are_where_sides_begin(void **state) {
    (void)state;
    draw_source source = {96};
    dpn_attempt a = {0};
    for (int trial = 0; trial < 300; trial++) {
        start_anew();
        known.rate = draw_log_uniform(&source, 0.1, 50);
        known.half = draw_log_uniform(&source, 1e-6, 1e-2);
        double target = -draw_uniform(&source, 3, 30), epsilon = -target / known.rate, end;
        double boundary = known.half / known.rate, step = boundary * draw_log_uniform(&source, 0.01, 10);
        for (int side = -1; side <= 1; side += 2) {
            known.deltas = 0;
            assert_true(certain_end(&end, &a, epsilon, step, side, target));
            double away = side * (epsilon - end);
            /* The first of doubled steps that is certain, and three halvings back. */
            if (!(away >= boundary * (1 - 1e-9) && away <= boundary + fmax(step, boundary) / 8 * 1.0001))
                fail_msg("%g away, boundary %g, step %g", away, boundary, step);
            assert_true(known.deltas <= 4 + (step < boundary ? ceil(log2(boundary / step)) : 0));
        }
        double end_at_0 = 7; /* below 0 nobody looks: 0 is an end */
        assert_true(certain_end(&end_at_0, &a, 0.9 * boundary, boundary, 1, target + 40) && end_at_0 == 0);
    }
    start_anew();
    known.above_alone = true;
    double end = 7;
    assert_false(certain_end(&end, &a, 1e30, 1, 1, -5));
    assert_true(end == 7 && known.deltas == 33);
    assert_true(certain_end(&end, &a, 10, 1, -1, -5));
}

static void lines_meet_the_target(void **state) {
    (void)state;
    draw_source source = {97};
    for (int trial = 0; trial < 400; trial++) {
        start_anew();
        known.rate = draw_log_uniform(&source, 0.2, 50);
        known.bend = trial % 2 ? 0 : known.rate * draw_log_uniform(&source, 1e-3, 1);
        known.half = 1e-9;
        double target = -draw_uniform(&source, 3, 60), place = place_of(target),
               slope = known.rate + 2 * known.bend * place;
        dpn_attempt a = {.accuracy = draw_log_uniform(&source, 1e-7, 1e-1)};
        bool jump = trial % 3 == 0;
        a.line.theta = slope * draw_uniform(&source, 0.3, 3);
        if (jump) a.how.above = 1, a.rate = slope * draw_log_uniform(&source, 0.5, 3), a.line.theta = 1e-9;
        double epsilon = place * draw_uniform(&source, 0.6, 1.6), rate;
        double start = epsilon;
        meet(&a, target, &epsilon, &rate);
        if (!(fabs(log_known(epsilon) - target) <= 0.02 * a.accuracy * 1.000001 ||
              fabs(epsilon - place) < 3e-15 * place))
            fail_msg("%g, not %g: %g above", epsilon, place, log_known(epsilon) - target);
        assert_true(known.deltas <= 12);
        if (fabs(start - place) > 1e-3 * place) assert_true(rate > 0.3 * slope && rate < 3 * slope);
        if (known.bend == 0 && known.deltas > 1) assert_true(fabs(rate / slope - 1) < 1e-3);
    }
    start_anew(); /* a secant that is no rate is not believed: but for jumps, whose line says little */
    known.rate = 100;
    dpn_attempt a = {.accuracy = 1e-3};
    a.line.theta = 1;
    double epsilon = 0.1, rate;
    meet(&a, -20, &epsilon, &rate);
    assert_true(rate == 1);
    a.how.above = 1;
    a.rate = 1;
    epsilon = 0.19;
    meet(&a, -20, &epsilon, &rate);
    assert_true(fabs(rate - 100) < 1e-6 && fabs(epsilon - 0.2) < 1e-5);
    a.rate = 0; /* none yet: theta is one */
    a.line.theta = 100;
    epsilon = 0.2;
    meet(&a, -20, &epsilon, &rate);
    assert_true(rate == 100 && epsilon == 0.2);
    start_anew(); /* not below half, nor below 0 */
    a = (dpn_attempt){.accuracy = 1e-3};
    a.line.theta = 1;
    known.top = -30;
    epsilon = 3;
    meet(&a, -20, &epsilon, &rate);
    assert_true(epsilon >= 0 && epsilon <= 3 * ldexp(1, -25) && known.least_part == 0.5);
    start_anew(); /* without a lower end it stops at the first that is above */
    known.above_alone = true;
    known.half = 0.25;
    epsilon = 1;
    meet(&a, -20, &epsilon, &rate);
    assert_true(epsilon == 1 && known.deltas == 1);
    epsilon = 30;
    meet(&a, -20, &epsilon, &rate);
    assert_true(epsilon >= 20 && epsilon <= 20.26);
}

static void intervals_are_settled(void **state) {
    (void)state;
    draw_source source = {98};
    size_t settled = 0, refused = 0;
    for (int trial = 0; trial < 300; trial++) {
        start_anew();
        known.rate = draw_log_uniform(&source, 0.5, 30);
        double target = -draw_uniform(&source, 3, 60), place = -target / known.rate,
               accuracy = draw_log_uniform(&source, 1e-7, 1e-2);
        known.half = accuracy * draw_log_uniform(&source, 0.02, 20);
        dpn_attempt a = {.accuracy = accuracy, .finest = accuracy * draw_log_uniform(&source, 1e-3, 1)};
        if (trial % 2) a.width = accuracy / known.rate / fmax(1, place) * draw_log_uniform(&source, 0.3, 30);
        a.line.theta = known.rate;
        double epsilon = place * draw_uniform(&source, 0.9, 1.1);
        dpn_epsilon out = {-1, -1};
        double widest = 2.5 * accuracy / known.rate;
        if (a.width > 0) widest = fmin(widest, a.width * fmax(1, place));
        if (settle(&out, &a, target, &epsilon)) {
            settled++;
            assert_true(log_known(out.lower) - known.half >= target && log_known(out.upper) + known.half <= target);
            assert_true(out.upper - out.lower <= widest * (1 + 1e-6) + 2e-12 * place);
            assert_true(a.accuracy == accuracy);
        } else {
            refused++;
            double least = 2 * known.half / known.rate; /* no interval is narrower */
            assert_true(2.4 * least > widest && out.lower == -1);
            if (a.width == 0) assert_true(a.accuracy == accuracy);
            if (a.accuracy < accuracy && a.accuracy > a.finest) { /* what the width needs, and a little more */
                double narrower = a.width * fmax(1, place) / (2.25 * known.half / known.rate);
                assert_true(a.accuracy < narrower * accuracy && a.accuracy > 0.5 * narrower * accuracy);
            }
            assert_true(a.accuracy >= a.finest && a.accuracy <= accuracy);
            if (a.width > 0 && a.width * place < 0.3 * least && a.finest < 1e-2 * accuracy)
                assert_true(a.accuracy < accuracy);
        }
        assert_true(a.epsilon == epsilon && fabs(a.rate / known.rate - 1) < 1e-3);
    }
    assert_true(settled > 60 && refused > 60);
    start_anew(); /* perhaps it is 0: then both ends are */
    known.half = 1e-6;
    known.top = -5.1;
    dpn_attempt a = {.accuracy = 1e-3};
    a.line.theta = 1;
    double epsilon = 1e-5;
    dpn_epsilon out;
    assert_true(settle(&out, &a, -5, &epsilon) && out.lower == 0 && out.upper == 0);
    known.top = -5 + 1e-7;
    epsilon = 1e-7;
    assert_true(settle(&out, &a, -5, &epsilon) && out.lower == 0 && out.upper > 1e-6 && out.upper < 1e-2);
}

/* ---- all of it ---- */

static void epsilon_is_found(void **state) {
    (void)state;
    dpn_error why;
    for (int trial = 0; trial < 60; trial++) {
        start_anew();
        known.rate = 1 + trial % 7;
        known.bend = 0.3 * (trial % 3);
        known.half = 1e-9;
        double delta = pow(10, -1 - trial % 9), place = place_of(log(delta));
        dpn_attempt a = {.accuracy = 1e-6};
        dpn_epsilon out;
        assert_int_equal(dpn_attempt_epsilon(&out, &a, delta, 0.8 * place, &why), DPN_OK);
        assert_true(out.lower <= place && out.upper >= place && out.upper - out.lower <= 2.5e-6 / known.rate);
        assert_true(known.cuts == 1 && known.saddles == 1 && known.lines == 1 && known.smalls == 0 && known.tilts == 0);
        assert_true(known.last_target == log(delta) && known.last_start == 0);
    }
    start_anew(); /* from a guess: no saddle is looked for */
    known.half = 1e-9;
    known.mean = 1;
    known.variance = 1;
    dpn_attempt a = {.accuracy = 1e-6};
    dpn_epsilon out = {7, 7};
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 0, &why), DPN_OK);
    assert_true(known.saddles == 0 && known.tilts > 0 && fabs(out.upper - log(1e3)) < 1e-5);
    start_anew(); /* the first line is not good enough; the second begins where the first ended */
    known.half = 1e-4;
    known.better = 1e-3;
    a = (dpn_attempt){.accuracy = 1e-6};
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 5, &why), DPN_OK);
    assert_true(known.lines == 2 && known.saddles == 2 && known.last_start == known.rate && known.cuts == 1);
    start_anew(); /* with a jump it is cut again, at the new epsilon */
    known.half = 1e-4;
    known.better = 1e-3;
    a = (dpn_attempt){.accuracy = 1e-6, .rate = 1, .how = {.cut = true, .above = 5, .log_lost = -3}};
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 5, &why), DPN_OK);
    assert_true(known.cuts == 2 && fabs(known.last_above - log(1e3)) < 1e-3 &&
                fabs(known.last_lost - log(1e-10)) < 1e-12);
    start_anew(); /* at the same place, to a finer accuracy */
    known.half = 1e-4;
    known.better = 1e-4;
    a = (dpn_attempt){.accuracy = 1e-2, .finest = 1e-7, .width = 1e-6};
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, log(1e3), &why), DPN_OK);
    assert_true(known.lines == 2 && a.accuracy < 1e-3 && out.upper - out.lower <= 1e-6 * log(1e3) * 1.01);
    for (int jump = 0; jump < 2; jump++) { /* nothing becomes better: once more would be the same */
        start_anew();
        known.half = 1e-4;
        a = (dpn_attempt){.accuracy = 1e-6};
        if (jump) a.how.above = 1;
        out = (dpn_epsilon){7, 7};
        assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 6, &why), DPN_EACCURACY);
        assert_string_equal(why.sentence, "the contour sum does not find epsilon");
        assert_true(known.lines == 2 && out.lower == 7);
    }
    start_anew(); /* small losses that add up to too much end it, at once */
    a = (dpn_attempt){.accuracy = 1e-6, .how = {.small = 0.1}, .log_small = -10, .small_theta = 1};
    assert_true(!small_is_too_much(&a, 10, -6) && small_is_too_much(&a, 10, -6.2));
    assert_true(small_is_too_much(&a, 9, -5.1) == false && small_is_too_much(&a, 9, -5.3) == true);
    a.how.small = 0;
    assert_true(!small_is_too_much(&a, 0, -50));
    a.how.small = 0.1;
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 1, &why), DPN_EACCURACY);
    assert_true(known.lines == 0 && known.smalls == 1);
    a.log_small = -40;
    known.half = 1e-9;
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 6, &why), DPN_OK);
    assert_true(known.smalls == 2);
    start_anew(); /* delta(0) is below the target */
    known.half = 1e-9;
    known.mean = -9;
    known.variance = 1e-4;
    known.top = -8;
    a = (dpn_attempt){.accuracy = 1e-6};
    assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, 0, &why), DPN_OK);
    assert_true(out.lower == 0 && out.upper == 0 && known.saddles == 1 && known.deltas == 1);
    dpn_status *const fails[] = {&known.cut_status, &known.saddle_status, &known.small_status, &known.line_status,
                                 &known.tilt_status};
    for (int i = 0; i < 5; i++)
        for (int memory = 0; memory < 2; memory++) { /* what fails is told, and nothing written */
            start_anew();
            known.variance = 1;
            dpn_status wanted = memory ? DPN_ENOMEM : DPN_EACCURACY;
            *fails[i] = wanted;
            a = (dpn_attempt){.accuracy = 1e-6, .log_small = -1e9, .how = {.small = 0.1}};
            out = (dpn_epsilon){7, 7};
            assert_int_equal(dpn_attempt_epsilon(&out, &a, 1e-3, i == 4 ? 0 : 5, &why), wanted);
            assert_true(out.lower == 7 && known.lines == (i == 3) && known.deltas == 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_suit_delta),         cmocka_unit_test(sides_are_certain),
        cmocka_unit_test(ends_are_where_sides_begin), cmocka_unit_test(lines_meet_the_target),
        cmocka_unit_test(intervals_are_settled),      cmocka_unit_test(epsilon_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
