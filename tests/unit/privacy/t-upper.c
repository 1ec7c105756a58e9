/* Rounding to the safe side: what is rounded up is not below the exact value, what is rounded down not above it, also where a
 * double is exact, at its neighbours, and where numbers underflow or overflow. */
#include "privacy/convert/upper.h"

#include "case.h"
#include "privacy/filter/sum.h"
#include "privacy/interval.h"
#include "privacy/loss/spherical.h"
#include "privacy/renyi/curve.h"
#include "privacy/sampling/replaced.h"
#include "privacy/sampling/sampled.h"
#include "reference/real.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The margin is 64 ulps: of a value that is 2^-47 off in the wrong direction the bound still holds, and it gives away no more than
 * twice the margin. */
static void margins_cover_what_they_promise(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 10000; i++) {
        double x = draw_log_uniform(&source, 1e-290, 1e290), size = x * draw_log_uniform(&source, 1, 1e6);
        assert_true(dpn_upper(x) > x * (1 + 0x1p-47) && dpn_upper(x) < x * (1 + 0x1p-45));
        assert_true(dpn_lower(x) < x * (1 - 0x1p-47) && dpn_lower(x) > x * (1 - 0x1p-45));
        assert_true(dpn_above(x, size) > x + 0x1p-47 * size && dpn_below(x, size) < x - 0x1p-47 * size);
        assert_true(dpn_above(-x, size) > 0x1p-47 * size - x && dpn_below(-x, size) < -x - 0x1p-47 * size);
    }
    /* Nothing that was lost to underflow is taken for nothing, and no bound from below is more than nothing then. */
    assert_true(dpn_upper(0) == DBL_MIN && dpn_lower(0) == 0 && dpn_lower(DBL_MIN) == 0);
    assert_true(dpn_above(0, 0) > 0 && dpn_below(0, 0) < 0);
    assert_true(dpn_above(1, 0) == nextafter(1, 2) && dpn_below(1, 0) == nextafter(1, 0));
    assert_true(dpn_upper(INFINITY) == INFINITY && dpn_lower(INFINITY) == INFINITY);
    assert_true(dpn_upper(DBL_MAX) == INFINITY && dpn_above(DBL_MAX, DBL_MAX) == INFINITY);
}

/* The margin itself, 2^-46 of the size and no other: within one in a thousand, where rounding does not hide it. */
static void margins_are_of_their_size(void **state) {
    (void)state;
    draw_source source = {11};
    r_precision(300);
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double x = draw_log_uniform(&source, 1e-280, 1e290), size = x * draw_log_uniform(&source, 1e3, 1e6);
        const struct {
            double got, from, size; /* negative: downwards */
        } row[] = {
            {dpn_upper(x), x, x}, {dpn_lower(x), x, -x}, {dpn_above(x, size), x, size}, {dpn_below(x, size), x, -size}};
        for (int k = 0; k < 4; k++) {
            double moved = r_double(r_sub(r_num(row[k].got), r_num(row[k].from))) / row[k].size / 0x1p-46;
            if (!(fabs(moved - 1) <= (k < 2 ? 0.02 : 0.001))) fail_msg("%.17g moved by %g of its margin", x, moved);
        }
        /* the ends of delta: 4 units outwards, more than the two that exp may err */
        double log_x = -draw_log_uniform(&source, 1e-3, 700);
        dpn_delta delta = dpn_delta_between(log_x, log_x);
        real exact = r_exp(r_num(log_x));
        double below = r_double(r_sub(exact, r_num(delta.lower))) / (r_double(exact) * DBL_EPSILON);
        double above = r_double(r_sub(r_num(delta.upper), exact)) / (r_double(exact) * DBL_EPSILON);
        if (!(below > 2.5 && below < 5.5 && (delta.upper == 1 || (above > 2.5 && above < 5.5))))
            fail_msg("log delta %.17g: %g and %g units", log_x, below, above);
        /* a value with an error: so much, and 2 units of 1 + |log| for the logarithm */
        double value = draw_log_uniform(&source, 1e-250, 0.9), error = draw_log_uniform(&source, 1e-16, 1e-13);
        delta = dpn_delta_near(value, error);
        double room = (error + 2 * DBL_EPSILON * (1 + fabs(log(value)))),
               slack = 1.05 * DBL_EPSILON * (1 + fabs(log(value)));
        real log_value = r_log(r_num(value));
        above = r_double(r_sub(r_num(delta.log_upper), log_value)),
        below = r_double(r_sub(log_value, r_num(delta.log_lower)));
        if (delta.log_upper < 0) assert_true(fabs(above - room) <= slack);
        assert_true(fabs(below - room) <= slack);
        /* log(1 - 1/a), next to 1 and far from it */
        double a = 1 + draw_log_uniform(&source, 1e-12, 1e12);
        exact = r_sub(r_log(r_plus(r_num(a), -1)), r_log(r_num(a)));
        assert_true(fabs(r_double(r_sub(r_num(dpn_log_less_over(a)), exact))) <=
                    4 * DBL_EPSILON * fabs(r_double(exact)));
        /* log(e^a + e^b) */
        double b = -draw_log_uniform(&source, 1e-3, 700), c = b + draw_uniform(&source, -40, 40);
        exact = r_log(r_add(r_exp(r_num(b)), r_exp(r_num(c))));
        assert_true(fabs(r_double(r_sub(r_num(dpn_log_add(b, c)), exact))) <=
                    2 * DBL_EPSILON * (1 + fabs(b) + fabs(c)));
        assert_true(dpn_log_add(b, -INFINITY) == b && dpn_log_add(-INFINITY, c) == c);
        r_release(mark);
    }
    dpn_delta none = dpn_delta_near(0, 1e-10), less = dpn_delta_near(-1, 0);
    assert_true(none.upper == 0 && none.lower == 0 && none.log_upper == -INFINITY && none.log_lower == -INFINITY &&
                less.upper == 0);
    assert_true(dpn_log_add(-INFINITY, -INFINITY) == -INFINITY);
    assert_true(dpn_lower(DBL_MIN * (1 + 0x1p-44)) > DBL_MIN && dpn_lower(DBL_MIN * (1 + 0x1p-47)) == 0);
}

/* A running sum of charges of all sizes: not below the exact sum, above it by 2^-100 of it a step at most; its value is the least
 * double not below it. */
static void sums_are_not_below(void **state) {
    (void)state;
    draw_source source = {2};
    r_precision(400);
    for (int round = 0; round < 50; round++) {
        size_t mark = r_mark();
        dpn_twofold sum = {0, 0};
        real exact = r_num(0);
        for (int i = 1; i <= 100; i++) {
            double x = draw_chance(&source, 0.2) ? ldexp(1, (int)draw_uniform(&source, -300, 3))
                                                 : draw_log_uniform(&source, 1e-18, 10);
            sum = dpn_sum_upper(sum, x);
            exact = r_add(exact, r_num(x));
            real got = r_add(r_num(sum.hi), r_num(sum.lo));
            assert_false(r_less(got, exact));
            assert_true(r_double(r_sub(got, exact)) <= i * 0x1p-100 * sum.hi);
            double value = dpn_sum_value(sum);
            assert_false(r_less(r_num(value), got));
            assert_true(r_less(r_num(nextafter(value, 0)), got));
        }
        r_release(mark);
    }
    assert_true(dpn_sum_value(dpn_sum_upper(dpn_two(1), 0)) == 1);
    assert_true(dpn_sum_value(dpn_sum_upper(dpn_two(1), DBL_TRUE_MIN)) == nextafter(1, 2));
}

/* That a bound from above is not below the exact value, and a bound from below not above it, and neither by more than some ulps off. */
static void is_above(double got, real exact, double ulps) {
    if (r_less(r_num(got), exact)) fail_msg("%.17g is below %.17g", got, r_double(exact));
    if (!(got - r_double(exact) <= ulps * DBL_EPSILON * fabs(got) + DBL_MIN))
        fail_msg("%.17g, not %.17g", got, r_double(exact));
}

static void is_below(double got, real exact, double ulps) {
    is_above(-got, r_neg(exact), ulps);
}

/* The ends of delta are not within what their logarithms say. */
static void ends_of_delta_lie_outside(void **state) {
    (void)state;
    draw_source source = {3};
    r_precision(200);
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double low = -draw_log_uniform(&source, 1e-16, 700), high = low * draw_uniform(&source, 0, 1);
        dpn_delta got = dpn_delta_between(low, high);
        assert_true(got.log_lower == low && got.log_upper == high && got.upper <= 1);
        is_below(got.lower, r_exp(r_num(low)), 16);
        if (got.upper < 1) is_above(got.upper, r_exp(r_num(high)), 16);
        double value = draw_log_uniform(&source, 1e-290, 1), error = draw_log_uniform(&source, 1e-15, 1e-3);
        got = dpn_delta_near(value, error);
        real most = r_times(r_exp(r_num(error)), value), least = r_times(r_exp(r_num(-error)), value);
        is_below(got.lower, least, 16 * (1 + fabs(log(value))));
        if (got.upper < 1) is_above(got.upper, most, 16 * (1 + fabs(log(value))));
        assert_false(r_less(r_log(least), r_num(got.log_lower)));
        if (got.log_upper < 0) assert_false(r_less(r_num(got.log_upper), r_log(most)));
        r_release(mark);
    }
    dpn_delta tiny = dpn_delta_between(-800, -750), none = dpn_delta_between(-INFINITY, -INFINITY),
              all = dpn_delta_between(0.5, 0.75);
    assert_true(tiny.lower == 0 && tiny.upper > 0 && tiny.upper < DBL_MIN && tiny.log_upper == -750);
    assert_true(none.upper == 0 && none.log_upper == -INFINITY);
    assert_true(all.upper == 1 && all.lower <= 1 && all.lower > 1 - 16 * DBL_EPSILON && all.log_lower == 0 &&
                all.log_upper == 0);
}

/* Sums and multiples of divergences: the doubles around the exact ones, which they are themselves where they can be. */
static void divergences_add_outwards(void **state) {
    (void)state;
    draw_source source = {4};
    r_precision(400);
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        dpn_divergence a = {draw_log_uniform(&source, 1e-12, 10), 0}, b = {draw_log_uniform(&source, 1e-12, 10), 0};
        a.upper = a.lower * 1.5;
        b.upper = b.lower * 1.25;
        double times = floor(draw_log_uniform(&source, 1, i % 4 ? 1e6 : 1e18));
        dpn_divergence sum = dpn_divergence_add(a, b), product = dpn_divergence_times(a, times);
        is_below(sum.lower, r_plus(r_num(a.lower), b.lower), 1);
        is_above(sum.upper, r_plus(r_num(a.upper), b.upper), 1);
        is_below(product.lower, r_times(r_num(a.lower), times), times > 0x1p53 ? 8 : 1);
        is_above(product.upper, r_times(r_num(a.upper), times), times > 0x1p53 ? 8 : 1);
        r_release(mark);
    }
    dpn_divergence half = {0.5, 0.75}, whole = dpn_divergence_times(half, 3);
    assert_true(whole.lower == 1.5 && whole.upper == 2.25);
    whole = dpn_divergence_add(half, half);
    assert_true(whole.lower == 1 && whole.upper == 1.5);
}

/* Lines above the curves that have a closed form: xi = m d/sigma^2 and rho = d^2/2 sigma^2 of OSGT noise, epsilon tanh(epsilon/2) of any pure one, and
 * alpha + order beta/2 of spherical noise. */
static void lines_are_not_below(void **state) {
    (void)state;
    draw_source source = {5};
    r_precision(200);
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double m = draw_log_uniform(&source, 1e-3, 10), sigma = draw_log_uniform(&source, 0.1, 100);
        double d = draw_log_uniform(&source, 1e-6, 10), epsilon = draw_log_uniform(&source, 1e-6, 50);
        const double parameter[] = {m, sigma};
        dpn_law law;
        dpn_part part = {.times = 1};
        dpn_zcdp line;
        if (dpn_law_make(&law, "osgt", parameter, 2, NULL) || dpn_loss_law(&part.loss, &law, d, NULL) ||
            dpn_zcdp_compose(&line, &part, 1, NULL))
            fail_msg("no line");
        real variance = r_square(r_num(sigma));
        is_above(line.xi, r_div(r_times(r_num(m), d), variance), 24);
        is_above(line.rho, r_over(r_div(r_square(r_num(d)), variance), 2), 24);
        real e = r_exp(r_num(epsilon)), tanh_half = r_div(r_plus(e, -1), r_plus(e, 1));
        is_above(dpn_zcdp_pure(epsilon).rho, r_times(tanh_half, epsilon), 24);
        dpn_loss loss = {.kind = &dpn_loss_kind_spherical, .epsilon = i % 3 ? epsilon : 0, .sensitivity = d};
        double order = draw_log_uniform(&source, 1, 1e9);
        is_above(loss.kind->divergence_upper(&loss, order), r_plus(r_over(r_times(r_num(d), order), 2), loss.epsilon),
                 8);
        r_release(mark);
    }
}

/* log(1 + (x-1)/q) between its ends, also where it cancels, and log(1 - q + q e^loss) away from 0. */
static void arguments_of_samples_are_held(void **state) {
    (void)state;
    draw_source source = {6};
    r_precision(300);
    for (int i = 0; i < 4000; i++) {
        size_t mark = r_mark();
        double q = i % 5 ? draw_log_uniform(&source, 1e-9, 1) : 1 - draw_log_uniform(&source, 1e-12, 0.5), low, high;
        double nu = i % 4 == 0   ? log1p(-q * (1 - draw_log_uniform(&source, 1e-13, 1)))
                    : i % 4 == 1 ? -draw_log_uniform(&source, 1e-12, 1) * q
                                 : draw_log_uniform(&source, 1e-12, 700);
        dpn_sampled_argument(&low, &high, q, nu);
        real inside = r_plus(r_over(r_expm1(r_num(nu)), q), 1);
        if (r_sign(inside) <= 0) {
            assert_true(low == -INFINITY);
        } else {
            real exact = r_log(inside);
            double room = 1 + fabs(r_double(exact)) + (r_double(inside) < 1 ? 2 / r_double(inside) : 0);
            if (r_less(exact, r_num(low)) || r_less(r_num(high), exact))
                fail_msg("rate %.17g, %.17g: %.17g not in [%.17g, %.17g]", q, nu, r_double(exact), low, high);
            if (low > -INFINITY && !(high - low <= 64 * DBL_EPSILON * (room + nu - log(q))))
                fail_msg("rate %.17g, %.17g: [%.17g, %.17g] is wide", q, nu, low, high);
        }
        double loss = (i % 2 ? 1 : -1) * draw_log_uniform(&source, 1e-9, 600), away = dpn_sampled_loss_away(q, loss);
        real mixed = r_log1p(r_times(r_expm1(r_num(loss)), q));
        assert_true(loss > 0 ? r_less(mixed, r_num(away)) : r_less(r_num(away), mixed));
        assert_true(fabs(away - r_double(mixed)) <= 1e-12 * (fabs(away) + (q > 0.5 ? 1 : 0)));
        r_release(mark);
    }
}

/* H(y) of a pure loss E, 1 <= y <= e^E: (e^E - y)/(e^E + 1). */
static real response(double epsilon, real y) {
    real most = r_exp(r_num(epsilon));
    return r_div(r_sub(most, y), r_plus(most, 1));
}

static void holds(const dpn_loss_view *view, double nu, real delta, double doubt, const char *what) {
    double low, high;
    if (view->source->log_delta(&low, &high, view, nu, NULL)) fail_msg("%s", what);
    real exact = r_log(delta);
    if (r_less(exact, r_num(low)) || r_less(r_num(high), exact))
        fail_msg("%s at %.17g: %.17g not in [%.17g, %.17g]", what, nu, r_double(exact), low, high);
    if (!(high - low <= doubt * (1 + fabs(low)))) fail_msg("%s at %.17g: [%.17g, %.17g] is wide", what, nu, low, high);
}

/* The profiles of samples at rates down to 1e-200, where a unit of rounding of the logarithm is many units of delta: log delta lies between its ends.
 * With x = e^nu and a = 1 + (x-1)/q they are q H(a) of a person present, ((1 - (1-q) x) e^E - q x)/(e^E + 1) of one absent, and q (b K + (1-b) H),
 * b = x/a, of one replaced. */
static void profiles_of_samples_are_held(void **state) {
    (void)state;
    draw_source source = {7};
    r_precision(1600);
    for (int i = 0; i < 1000; i++) {
        size_t mark = r_mark();
        double q = draw_log_uniform(&source, 1e-200, 0.5), large = draw_uniform(&source, 1, 3);
        double small = large * draw_uniform(&source, 0.4, 0.9), share = draw_uniform(&source, 0.02, 0.3);
        dpn_part part[2] = {{.times = 1}, {.times = 1}};
        dpn_base base[2];
        for (int k = 0; k < 2; k++)
            if (dpn_loss_pure(&part[k].loss, k ? large : small, NULL) || dpn_base_open(&base[k], &part[k], 1, NULL))
                fail_msg("no base");
        double nu = log1p(q * share * expm1(small));
        real x = r_exp(r_num(nu)), a = r_plus(r_over(r_plus(x, -1), q), 1), b = r_div(x, a);
        real h = response(small, a), k = response(large, a), most = r_exp(r_num(small));
        dpn_sampled sampled = {&base[0], q};
        dpn_loss_view present = dpn_sampled_present(&sampled), absent = dpn_sampled_absent(&sampled);
        holds(&present, nu, r_times(h, q), 1e-13, "present");
        double lower = log1p(-q * share * expm1(-small)); /* losses are less in this direction */
        real y = r_exp(r_num(lower)), rest = r_sub(r_num(1), r_sub(y, r_times(y, q)));
        real gone = r_div(r_sub(r_mul(rest, most), r_times(y, q)), r_plus(most, 1));
        if (q > 1e-9) holds(&absent, lower, gone, 1e-12 / q, "absent"); /* 1 - x cancels */
        dpn_replaced batch = {&base[0], &base[0], q, NULL, 0, 0, 0}, other = {&base[1], &base[0], q, NULL, 0, 0, 0};
        dpn_loss_view fixed = dpn_replaced_view(&batch), poisson = dpn_replaced_view(&other);
        holds(&fixed, nu, r_times(h, q), 1e-13, "a batch");
        holds(&poisson, nu, r_times(r_add(r_mul(b, k), r_mul(r_sub(r_num(1), b), h)), q), 1e-13, "replaced");
        for (int l = 0; l < 2; l++) dpn_base_close(&base[l]);
        r_release(mark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(margins_cover_what_they_promise),
                                       cmocka_unit_test(margins_are_of_their_size),
                                       cmocka_unit_test(sums_are_not_below),
                                       cmocka_unit_test(ends_of_delta_lie_outside),
                                       cmocka_unit_test(divergences_add_outwards),
                                       cmocka_unit_test(lines_are_not_below),
                                       cmocka_unit_test(arguments_of_samples_are_held),
                                       cmocka_unit_test(profiles_of_samples_are_held)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
