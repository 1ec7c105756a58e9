/* The loss of l2 noise: how near each bound comes to what it bounds, and what the intervals leave for rounding. */
#include "privacy/loss/l2-noise.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool near(double x, double y, double relative) {
    return fabs(x - y) <= relative * fmax(fabs(x), fabs(y));
}

/* ---- K_(v+1)/K_v in long double, by sums of exp(-z (cosh t - 1)) cosh(v t) twice as fine and twice as long ---- */

static long double true_ratio(double twice, double z) {
    long double low = 0, high = 0, v = 0.5L * twice, peak = asinhl(v / z),
                step = fminl(0.02L, 0.1L / sqrtl(z * coshl(peak)));
    long double top = v * peak - z * (coshl(peak) - 1);
    for (long double t = 0.5L * step; t < peak + 40 / sqrtl(z) + 60; t += step) {
        long double here = v * t - z * (coshl(t) - 1) - top, weight = expl(here) * (1 + expl(-2 * v * t));
        low += weight;
        high += expl(here + t) + expl(here - t - 2 * v * t);
        if (t > peak && weight < 1e-26L && expl(here + t) < 1e-26L) break;
    }
    return high / low;
}

static void ratios_are_right(void **state) {
    (void)state;
    draw_source source = {171};
    for (int trial = 0; trial < 250; trial++) {
        double twice = trial % 3 ? floor(draw_log_uniform(&source, 1, trial % 5 ? 60 : 1e4)) : trial % 2,
               z = draw_log_uniform(&source, 1e-2, 1e4);
        double got = dpn_bessel_ratio(twice, z), truth = (double)true_ratio(twice, z);
        if (!near(got, truth, 1e-14)) fail_msg("K(%g + 1)/K at %g: %.17g, not %.17g", 0.5 * twice, z, got, truth);
    }
    assert_true(dpn_bessel_ratio(1, 2) == 1.5 &&
                near(dpn_bessel_ratio(3, 2), 3.5 / 3 + 1, 1e-15)); /* K_3/2 and K_5/2 */
}

static void what_is_integrated(void **state) {
    (void)state;
    const dpn_loss loss = {.kind = &dpn_loss_kind_l2, .epsilon = 3, .count = 7};
    integrand f = integrand_of(&loss, TILTED, 1.25, 0.75);
    assert_true(f.rate == 3 && f.power == 5 && f.factor == TILTED && f.end == 1.25 && f.theta == 0.75);
    assert_true(near(f.excess, 2 * 6 / 3.0 * (double)true_ratio(5, 1.5), 1e-13));
}

static integrand some_integrand(draw_source *source, int trial) {
    integrand f = {
        .rate = draw_log_uniform(source, 0.05, 30), .power = trial % 6, .excess = draw_log_uniform(source, 0.1, 50)};
    f.factor = (factors)(trial % 5);
    f.theta = f.factor == TILTED ? draw_log_uniform(source, 0.1, 5) : 0;
    f.end = f.factor == PLAIN                           ? DPN_PI
            : f.factor == TILTED || f.factor == FORWARD ? 0.5 * DPN_PI
                                                        : draw_uniform(source, 0.3, 1.5);
    return f;
}

/* ---- regions ---- */

static void regions_are_tight(void **state) {
    (void)state;
    draw_source source = {172};
    for (int trial = 0; trial < 300; trial++) {
        double from = draw_uniform(&source, -4, 5), to = from + draw_log_uniform(&source, 0.01, 4),
               high = trial % 4 ? draw_uniform(&source, 0, 2) : 0;
        region r = region_of(from, to, high), seen = {0, INFINITY, -INFINITY, cosh(high)};
        for (int i = 0; i <= 3000; i++)
            for (int k = 0; k < 2; k++) {
                double complex x = from + (to - from) * i / 3000 + I * (k * high);
                seen.sine_square = fmax(seen.sine_square, pow(cabs(csin(x)), 2));
                seen.least = fmin(seen.least, creal(ccos(x)));
                seen.most = fmax(seen.most, creal(ccos(x)));
            }
        const double slack = 1e-5 * cosh(high) * cosh(high);
        if (!(fabs(r.sine_square - seen.sine_square) < slack && fabs(r.least - seen.least) < slack &&
              fabs(r.most - seen.most) < slack && near(r.modulus, seen.modulus, 1e-14)))
            fail_msg("[%g, %g] x %g: %g, %g to %g, not %g, %g to %g", from, to, high, r.sine_square, r.least, r.most,
                     seen.sine_square, seen.least, seen.most);
    }
}

/* At one place each term of a factor has its own size. */
static void bounds_of_small_regions_are_values(void **state) {
    (void)state;
    draw_source source = {173};
    for (int trial = 0; trial < 800; trial++) {
        integrand f = some_integrand(&source, trial);
        double x = draw_uniform(&source, 0.05, 1.5), L = f.rate * cos(x), last = f.rate * cos(f.end), size = 1e-9,
               factor = 1;
        region r = region_of(x - size, x + size, trial % 2 ? size : 0);
        if (f.factor == EXCESS) factor = 1 + exp(last - L);
        if (f.factor == TILTED)
            factor = (exp(f.theta * (L - f.rate)) + exp(-f.theta * f.rate)) * (1 + exp(-(1 + f.theta) * L));
        if (f.factor == BEYOND) factor = exp(last - L);
        if (f.factor == FORWARD) factor = (trial % 2 ? 1 : 1) * (1 + exp(-L)); /* |cos| is at most cosh of the height */
        double sine = sin(x), half = sin(0.5 * x),
               truth = -f.rate * half * half + f.power * log(sine) + log(f.excess + sine * sine) + log(factor);
        double got = log_bound(&f, &r);
        if (!(fabs(got - truth) <= 1e-6 * (1 + fabs(truth))))
            fail_msg("factor %d: %.12g, not %.12g", (int)f.factor, got, truth);
    }
}

static void errors_are_those_of_the_theorem(void **state) {
    (void)state;
    static const double rho[] = {2, 3, 5, 9, 17, 33};
    draw_source source = {174};
    size_t high_ones = 0;
    for (int trial = 0; trial < 300; trial++) {
        integrand f = some_integrand(&source, trial);
        double a = draw_uniform(&source, 0, 0.7) * f.end,
               b = a + draw_log_uniform(&source, 0.01, trial % 7 ? 0.9 : 9) * f.end, out[2],
               least[2] = {INFINITY, INFINITY};
        rule_errors(out, &f, a, b);
        for (int i = 0; i < 6; i++) {
            double middle = 0.5 * (a + b), wide = 0.25 * (b - a) * (rho[i] + 1 / rho[i]),
                   high = 0.25 * (b - a) * (rho[i] - 1 / rho[i]);
            if (high > 30) { /* cosh would grow out of hand */
                high_ones++;
                break;
            }
            region r = region_of(middle - wide, middle + wide, high);
            for (int k = 0; k < 2; k++)
                least[k] = fmin(least[k], log(32.0 / 15 * (b - a) / (1 - pow(rho[i], -2))) + log_bound(&f, &r) -
                                              (k ? 64 : 32) * log(rho[i]));
        }
        for (int k = 0; k < 2; k++)
            if (!(fabs(out[k] - least[k]) <= 1e-9 * (1 + fabs(least[k]))))
                fail_msg("%.12g, the theorem has %.12g", out[k], least[k]);
    }
    assert_true(high_ones > 5);
}

/* ---- points ---- */

static void tops_are_near_the_largest(void **state) {
    (void)state;
    draw_source source = {175};
    for (int trial = 0; trial < 100; trial++) {
        integrand f = some_integrand(&source, trial);
        double top = log_top(&f), seen = -INFINITY;
        for (int i = 1; i < 4000; i++) seen = fmax(seen, log_at(&f, f.end * i / 4000));
        if (!(top <= seen + 1e-2 && top >= seen - 1e-4))
            fail_msg("factor %d: %.9g, seen %.9g", (int)f.factor, top, seen);
    }
    integrand f = {.rate = 1, .power = 2, .excess = 1, .factor = PLAIN, .end = DPN_PI};
    assert_true(log_at(&f, 0) == -INFINITY && log_at(&f, -1) == -INFINITY && log_at(&f, 4) == -INFINITY);
}

/* On a tiny panel all terms are the same; 8 units of b are felt through a bound of the slope. */
static void terms_err_by_their_slopes(void **state) {
    (void)state;
    draw_source source = {176};
    double most = 0;
    for (int trial = 0; trial < 500; trial++) {
        integrand f = some_integrand(&source, trial);
        if (trial % 3 == 0) f.power = 400;
        double x = draw_uniform(&source, 0.02, 0.98) * f.end, h = 1e-9 * x;
        integral out = {.log_unit = log_at(&f, x) + draw_uniform(&source, -2, 2), .value = 1e-12, .error = 1e-27};
        integral again = out, far = out;
        add_points(&out, &f, &dpn_gauss_rule[1 + trial % 2], x - h, x + h);
        double term = 2 * h * exp(log_at(&f, x) - out.log_unit);
        assert_true(near(out.value - 1e-12, term, 1e-4));
        /* The part that does not grow with b, and that which does. */
        double step = 1e-5 * fmin(x, f.end - x), slope = fabs(log_at(&f, x + step) - log_at(&f, x - step)) / (2 * step);
        double constant = 0.5 * DBL_EPSILON * (64 + 4 * (fabs(log_at(&f, x)) + fabs(out.log_unit))),
               rest = (out.error - 1e-27) / term - constant;
        double bound = rest / (4 * DBL_EPSILON * x);
        double size =
            f.power / fmin(x, DPN_PI - x) + (2 + f.theta) * f.rate + 2 / (f.end - x); /* as the comment has it */
        if (!(bound >= slope * (1 - 1e-3) && near(bound, size, 1e-2)))
            fail_msg("factor %d: %g, the slope %g, %g", (int)f.factor, bound, slope, size);
        most = fmax(most, bound / (slope + 1));
        add_points(&again, &f, &dpn_gauss_rule[1], x - h,
                   x + h); /* both rules give the same, and add to what was there */
        far.value = 0, far.error = 0;
        add_points(&far, &f, &dpn_gauss_rule[2], x - h, x + h);
        assert_true(near(again.value - 1e-12, far.value, 1e-3) && near(again.error - 1e-27, far.error, 1e-3));
    }
    assert_true(most > 1);
}

/* ---- intervals: what they add to the quotient's own ---- */

static double width(double lower, double upper) {
    return upper - lower;
}

static void intervals_leave_room(void **state) {
    (void)state;
    draw_source source = {177};
    for (int trial = 0; trial < 60; trial++) {
        dpn_loss loss;
        dpn_delta delta, mirror;
        double rate = draw_log_uniform(&source, 0.5, 40), m = floor(draw_log_uniform(&source, 2, 3000)),
               share = draw_uniform(&source, 0.05, 0.6), epsilon = rate * share, lower, upper;
        if (m > 100) epsilon = fmin(epsilon, rate * 8 / sqrt(m));
        assert_int_equal(dpn_loss_l2(&loss, rate, (size_t)m, NULL), DPN_OK);
        integrand f = integrand_of(&loss, EXCESS, acos(epsilon / rate), 0);
        assert_int_equal(log_quotient(&lower, &upper, &f, NULL), DPN_OK);
        integral top = integrate(&f), all;
        integrand plain = f;
        plain.factor = PLAIN;
        plain.end = DPN_PI;
        all = integrate(&plain);
        double own = 2 * (top.error / top.value + all.error / all.value + 1e-13),
               slack = 4 * DBL_EPSILON * (fabs(0.5 * (lower + upper)) + fabs(top.log_unit) + fabs(all.log_unit));
        assert_true(fabs(width(lower, upper) - 2 * (own + slack)) < 1e-3 * (own + slack) + 1e-15 * fabs(lower) &&
                    near(0.5 * (lower + upper), log(top.value / all.value) + top.log_unit - all.log_unit, 1e-12));
        assert_int_equal(dpn_loss_kind_l2.delta(&delta, &loss, epsilon, NULL), DPN_OK);
        double end = 8 * DBL_EPSILON * (m + 6 + 4 * rate),
               more = width(delta.log_lower, delta.log_upper) - width(lower, upper);
        assert_true(fabs(more - 2 * end) < 1e-14 + 1e-3 * end + 4e-16 * fabs(lower));
        assert_true(fabs(0.5 * (delta.log_lower + delta.log_upper) - 0.5 * (lower + upper)) < end + 1e-12);
        /* Below 0 by the identity, with 8 ulp of the logarithm. */
        assert_int_equal(dpn_loss_kind_l2.delta(&mirror, &loss, -epsilon, NULL), DPN_OK);
        double low = log(-expm1(-epsilon) + exp(delta.log_lower - epsilon)),
               high = log(-expm1(-epsilon) + exp(delta.log_upper - epsilon));
        assert_true(fabs(mirror.log_lower - (low - 8 * DBL_EPSILON)) < 8e-16 &&
                    fabs(mirror.log_upper - fmin(0, high + 8 * DBL_EPSILON)) < 8e-16);
        /* Tails, on both sides of 0. */
        for (int side = -1; side <= 1; side += 2) {
            double nu = side * epsilon, tail[2];
            f = integrand_of(&loss, BEYOND, acos(nu / rate), 0);
            assert_int_equal(log_quotient(&lower, &upper, &f, NULL), DPN_OK);
            assert_int_equal(dpn_loss_kind_l2.log_tail(&tail[0], &tail[1], &loss, nu), DPN_OK);
            double doubt = 8 * DBL_EPSILON * (m + 6 + 4 * rate + epsilon);
            assert_true(fabs(width(tail[0], tail[1]) - width(lower, upper) - 2 * doubt) <
                        2e-14 + 1e-3 * doubt + 1e-15 * fabs(lower));
            assert_true(fabs(0.5 * (tail[0] + tail[1]) - (0.5 * (lower + upper) - nu)) < doubt + 1e-12);
        }
    }
}

static void moments_leave_room(void **state) {
    (void)state;
    enum { POINTS = 4000 };
    draw_source source = {178};
    for (int trial = 0; trial < 60; trial++) {
        dpn_loss loss;
        double rate = draw_log_uniform(&source, 0.05, 20), m = 2 + trial % 9,
               theta = trial % 4 ? draw_log_uniform(&source, 0.01, 8) : 0, lower, upper, got[2];
        assert_int_equal(dpn_loss_l2(&loss, rate, (size_t)m, NULL), DPN_OK);
        integrand f = integrand_of(&loss, theta == 0 ? FORWARD : TILTED, 0.5 * DPN_PI, theta);
        assert_int_equal(log_quotient(&lower, &upper, &f, NULL), DPN_OK);
        assert_int_equal(dpn_loss_kind_l2.cumulant(&got[0], &got[1], &loss, theta, NULL), DPN_OK);
        long double size = theta == 0 ? logl(rate) : (long double)theta * rate,
                    slack = 4 * DBL_EPSILON * (1 + fabsl(size));
        long double least = lower + size - slack, most = upper + size + slack;
        long double expected[2] = {theta == 0 ? expl(least) : log1pl(expl(least)),
                                   theta == 0 ? expl(most) : log1pl(expl(most))};
        expected[0] *= 1 - 16 * DBL_EPSILON;
        expected[1] *= 1 + 16 * DBL_EPSILON;
        for (int i = 0; i < 2; i++)
            if (!(fabsl(got[i] - expected[i]) <=
                  3 * DBL_EPSILON * (fabsl(expected[i]) + fabsl(most) * (theta == 0 ? expected[i] : 1))))
                fail_msg("theta %g, rate %g: %.17g, not %.17Lg", theta, rate, got[i], expected[i]);
        /* And it is log of the sum of e^(theta L) w over that of w. */
        double sum = 0, all = 0;
        for (int i = 0; i < POINTS; i++) {
            double x = DPN_PI * (i + 0.5) / POINTS, half = sin(0.5 * x), L = rate * cos(x),
                   w = exp(-rate * half * half) * pow(sin(x), m - 2) * (f.excess + sin(x) * sin(x));
            sum += w * (theta == 0 ? L : exp(theta * L));
            all += w;
        }
        double truth = theta == 0 ? sum / all : log(sum / all);
        assert_true(got[0] <= truth + 1e-6 && got[1] >= truth - 1e-6 &&
                    got[1] - got[0] < 1e-11 * (1 + fabs(truth) + theta * rate));
    }
}

static void what_is_out_of_reach(void **state) {
    (void)state;
    dpn_loss loss;
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why = {0};
    double tail[2] = {7, 7};
    for (double rate = 1e20; rate < 1e301; rate *= 1e20) { /* and none takes for ever */
        assert_int_equal(dpn_loss_l2(&loss, rate, 3, NULL), DPN_OK);
        assert_int_equal(dpn_loss_kind_l2.delta(&delta, &loss, 0.1 * rate, &why), DPN_EACCURACY);
    }
    assert_int_equal(dpn_loss_l2(&loss, 1e300, 3, NULL), DPN_OK);
    assert_int_equal(dpn_loss_kind_l2.delta(&delta, &loss, 1e299, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the loss of l2 noise at epsilon 1e+300 is too large or too small to compute");
    assert_true(delta.lower == 7 && delta.upper == 7);
    double moment[2] = {7, 7};
    assert_int_equal(dpn_loss_kind_l2.cumulant(&moment[0], &moment[1], &loss, 1, &why), DPN_EACCURACY);
    assert_true(moment[0] == 7 && moment[1] == 7);
    assert_int_equal(dpn_loss_l2(&loss, 2, 3, NULL), DPN_OK);
    for (int side = -1; side <= 1; side += 2) {
        assert_int_equal(dpn_loss_kind_l2.log_tail(&tail[0], &tail[1], &loss, 2 * side), DPN_OK);
        assert_true(tail[0] == tail[1] && tail[0] == (side < 0 ? 0 : -INFINITY));
    }
    assert_true(dpn_loss_kind_l2.largest(&loss) == 2);
    const dpn_loss before = loss;
    assert_int_equal(dpn_loss_l2(&loss, INFINITY, 3, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "epsilon of a block must be finite and not negative");
    assert_int_equal(dpn_loss_l2(&loss, 1, 0, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the dimension must be at least 1");
    assert_true(loss.epsilon == before.epsilon && loss.kind == before.kind && loss.count == before.count);
    assert_int_equal(dpn_loss_l2(&loss, 0, 3, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_law && loss.sensitivity == 0);
    assert_int_equal(dpn_loss_l2(&loss, 0.99e-9, 3, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_law && loss.sensitivity == 0.99e-9);
    assert_int_equal(dpn_loss_l2(&loss, 1e-9, 3, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_l2 && loss.epsilon == 1e-9 && loss.count == 3);
    assert_int_equal(dpn_loss_l2(&loss, 1, 2, &why), DPN_OK);
    assert_true(loss.kind == &dpn_loss_kind_l2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_right),
        cmocka_unit_test(what_is_integrated),
        cmocka_unit_test(regions_are_tight),
        cmocka_unit_test(bounds_of_small_regions_are_values),
        cmocka_unit_test(errors_are_those_of_the_theorem),
        cmocka_unit_test(tops_are_near_the_largest),
        cmocka_unit_test(terms_err_by_their_slopes),
        cmocka_unit_test(intervals_leave_room),
        cmocka_unit_test(moments_leave_room),
        cmocka_unit_test(what_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
