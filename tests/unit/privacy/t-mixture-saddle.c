/* The saddle point of the contour sum, for transforms with a formula: it is the least point that a golden section finds, in few looks, and what fails far out is
 * not looked at again. */
#include "privacy/sampling/mixture-saddle.h"

static dpn_status known_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why);

#define dpn_mixture_tilt known_tilt
#include "privacy/sampling/mixture-saddle.c"
#undef dpn_mixture_tilt

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* K(x) = mean x + variance x^2/2 + jumps (e^(size x) - 1); beyond `limit` it takes too many points. */
static struct {
    double mean, variance, jumps, size, limit;
    int calls, fail_at;
} known;

static long double height(long double x, double epsilon) {
    return known.mean * x + 0.5L * known.variance * x * x +
           (known.jumps > 0 ? known.jumps * expm1l(known.size * x) : 0) - x * epsilon - logl(fabsl(x * (1 + x)));
}

static dpn_status known_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why) {
    assert_true(goal == DPN_MIXTURE_ROUGH && !all);
    if (known.calls++ == known.fail_at) return DPN_ENOMEM;
    if (theta > known.limit) return dpn_fail(why, DPN_EACCURACY, "too many points");
    double grown = known.jumps > 0 ? known.jumps * exp(known.size * theta) : 0;
    if (!(grown < 1e300)) return dpn_fail(why, DPN_EACCURACY, "too many points");
    *out = (dpn_mixture_cumulants){
        dpn_two(known.mean * theta + 0.5 * known.variance * theta * theta + grown - known.jumps), 1e-9,
        known.mean + known.variance * theta + known.size * grown, known.variance + known.size * known.size * grown};
    return DPN_OK;
}

static long double least_point(double epsilon, bool middle) {
    long double low = middle ? -1 : 0, high = middle ? 0 : 1;
    while (!middle && height(2 * high, epsilon) < height(high, epsilon)) high *= 2;
    if (!middle) high *= 2;
    for (int i = 0; i < 200; i++) {
        long double a = low + 0.381966011250105L * (high - low), b = high - 0.381966011250105L * (high - low);
        if (height(a, epsilon) < height(b, epsilon))
            high = b;
        else
            low = a;
    }
    return 0.5L * (low + high);
}

static void the_least_point_is_found(void **state) {
    (void)state;
    draw_source source = {91};
    int looks = 0, most = 0, asked = 0;
    for (int trial = 0; trial < 600; trial++) {
        known.mean = draw_uniform(&source, -1, 1) * draw_log_uniform(&source, 1e-3, 3);
        known.variance = draw_log_uniform(&source, 1e-6, 10);
        known.jumps = trial % 2 ? draw_log_uniform(&source, 1e-12, 1e-2) : 0;
        known.size = draw_log_uniform(&source, 0.1, 10);
        known.limit = INFINITY;
        known.calls = 0;
        known.fail_at = -1;
        bool middle = trial % 3 == 0;
        double deviation = sqrt(known.variance), epsilon = known.mean + deviation * draw_uniform(&source, -3, 12);
        double start = trial % 3 == 2 ? draw_log_uniform(&source, 1e-2, 1e2) : 0;
        dpn_mixture_line line = {0};
        dpn_error why = {0};
        if (dpn_mixture_saddle(&line, NULL, middle, epsilon, start, &why))
            fail_msg("mean %g, variance %g, jumps %g by %g, epsilon %g: %s", known.mean, known.variance, known.jumps,
                     known.size, epsilon, why.sentence);
        long double least = least_point(epsilon, middle), x = line.theta;
        assert_true(line.middle == middle && (middle ? x > -1 && x < 0 : x > 0));
        /* To a tenth of its width, in which the height changes by a half: no more than 0.005 above the least one, or nearly so. */
        if (!(height(x, epsilon) - height(least, epsilon) < 0.01L))
            fail_msg("theta %Lg, not %Lg: %Lg above", x, least, height(x, epsilon) - height(least, epsilon));
        long double grown = known.jumps > 0 ? known.jumps * expl(known.size * x) : 0,
                    curvature =
                        known.variance + known.size * known.size * grown + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
        assert_true(fabsl(line.width * sqrtl(curvature) - 1) < 1e-12L);
        /* What it tells: the unit, the Gaussian estimate, Chernoff's bound. */
        long double unit = (long double)line.k.value.hi + line.k.value.lo - (long double)line.theta * epsilon;
        assert_true(fabsl(dpn_mixture_log_unit(&line, epsilon) - unit) < 1e-12L * (1 + fabsl(unit)));
        long double guess = logl(line.width / sqrtl(2 * (long double)DPN_PI) / fabsl(x * (1 + x)));
        assert_true(fabsl(dpn_mixture_log_estimate(&line, epsilon) - unit - guess) < 1e-11L * (1 + fabsl(unit)));
        long double factor = middle ? 0 : -x * logl((1 + x) / x) - logl(1 + x), bound = unit + factor + 1e-9L;
        double got = dpn_mixture_log_most(&line, epsilon);
        long double margin = DBL_EPSILON * (1 + fabsl(unit)),
                    rounding = DBL_EPSILON * (4 + fabsl(unit) + fabsl(factor));
        assert_true(got >= bound + 4 * margin - 2 * rounding && got <= bound + 4 * margin + 2 * rounding &&
                    got >= bound);
        int calls = known.calls;
        known.calls = 0; /* from there on it is found at once */
        dpn_mixture_line again = {0};
        assert_int_equal(dpn_mixture_saddle(&again, NULL, middle, epsilon, line.theta, &why), DPN_OK);
        if (!middle) assert_true(known.calls == 1 && again.theta == line.theta);
        known.calls = calls;
        looks += known.calls;
        most = known.calls > most ? known.calls : most;
        asked++;
    }
    if (!(looks < 4.3 * asked && most <= 33)) fail_msg("%d looks for %d lines, %d for one", looks, asked, most);
}

static void what_fails_is_not_looked_at_again(void **state) {
    (void)state;
    dpn_mixture_line line = {0};
    dpn_error why;
    known.mean = 0, known.variance = 1e-4, known.jumps = 0, known.fail_at = -1;
    for (double limit = 3; limit < 3000; limit *= 1.7) { /* the first look is too far right */
        known.limit = limit;
        known.calls = 0;
        double at = 0.5 * limit, epsilon = 1e-4 * at - 1 / at - 1 / (1 + at);
        assert_int_equal(dpn_mixture_saddle(&line, NULL, false, epsilon, 5 * limit, &why), DPN_OK);
        assert_true(line.theta <= limit && known.calls < 30 &&
                    height(line.theta, epsilon) - height(least_point(epsilon, false), epsilon) < 0.01L);
    }
    known.limit = 30; /* the least point lies beyond what can be had */
    known.calls = 0;
    assert_int_equal(dpn_mixture_saddle(&line, NULL, false, 1, 0, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the contour has no saddle point");
    assert_true(known.calls < 80);
    known.limit = 1e-4; /* next to 0 nobody looks further */
    assert_int_equal(dpn_mixture_saddle(&line, NULL, false, 1, 9e-4, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "too many points");
    known.calls = 0;
    known.limit = 1e-2; /* further right it goes on, in quarters */
    known.variance = 4e4;
    assert_int_equal(dpn_mixture_saddle(&line, NULL, false, 0.1, 1e2, &why), DPN_OK);
    assert_true(line.theta <= 1e-2 && known.calls < 25);
    known.limit = -2; /* nothing can be had */
    assert_int_equal(dpn_mixture_saddle(&line, NULL, true, 0.1, 0, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "too many points");
    assert_int_equal(dpn_mixture_saddle(&line, NULL, false, 0.1, 0, &why), DPN_EACCURACY);
    known.limit = INFINITY;
    known.variance = 1;
    for (int at = 0; at < 2; at++) {
        known.calls = 0;
        known.fail_at = at;
        dpn_mixture_line same = {.theta = 7};
        dpn_status status = dpn_mixture_saddle(&same, NULL, false, 6, 0, &why);
        assert_true(status == DPN_ENOMEM || at == 1);
    }
    known.fail_at = -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_point_is_found),
        cmocka_unit_test(what_fails_is_not_looked_at_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
