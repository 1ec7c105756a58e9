/* Noise whose density falls with the l2 norm, against its definition: the integral over the length r of the noise and the angle between
 * it and the move, which shares nothing with the coordinates that the library uses. */
#include "case.h"

#include "privacy/loss/l2-noise.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* ---- the integral by its definition ---- */

enum { PANELS = 24, POINTS = 8 };
static const double node[POINTS] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
                                    0.1834346424956498,  0.5255324099163290,  0.7966664774136267,  0.9602898564975363};
static const double weight[POINTS] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                      0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

typedef double function(double t, const void *context);

static double integral(function *f, const void *context, double from, double to, int panels) {
    double sum = 0, h = 0.5 * (to - from) / panels;
    for (int i = 0; i < panels; i++)
        for (int k = 0; k < POINTS; k++) sum += h * weight[k] * f(from + h * (2 * i + 1 + node[k]), context);
    return sum;
}

typedef struct subject {
    double rate, m, epsilon, r, theta;
} subject;

/* The loss is rate (|x + v| - |x|), cos(angle) between x and v. */
static double loss_of(const subject *s, double angle) {
    double c = cos(0.5 * angle), r = s->r;
    return s->rate * (sqrt((r - 1) * (r - 1) + 4 * r * c * c) - r);
}

static double on_sphere(const subject *s, double angle) {
    return pow(sin(angle), s->m - 2);
}

static double excess(double angle, const void *context) {
    double above = loss_of(context, angle) - ((const subject *)context)->epsilon;
    return above > 0 ? on_sphere(context, angle) * -expm1(-above) : 0;
}

static double growth(double angle, const void *context) {
    const subject *s = context;
    return on_sphere(s, angle) * exp(s->theta * loss_of(s, angle));
}

static double plain(double angle, const void *context) {
    return on_sphere(context, angle);
}

static double radius_weight(const subject *s, double r) {
    return exp((s->m - 1) * log(r * s->rate / s->m) - s->rate * r + s->m);
}

static double all_radii(double r, const void *context) {
    return radius_weight(context, r);
}

/* Up to the angle at which the loss is epsilon. */
static double over_excess(double r, const void *context) {
    subject s = *(const subject *)context;
    double t = s.epsilon / s.rate, cosine = (t * t + 2 * r * t - 1) / (2 * r);
    s.r = r;
    if (cosine >= 1) return 0;
    return radius_weight(&s, r) * integral(excess, &s, 0, cosine <= -1 ? PI : acos(cosine), PANELS);
}

static double over_growth(double r, const void *context) {
    subject s = *(const subject *)context;
    s.r = r;
    return radius_weight(&s, r) * integral(growth, &s, 0, PI, PANELS);
}

/* Split where the loss, as a function of the angle, first or last reaches epsilon: there the inner integral has a corner. And at the
 * length of the move, whose other end is a corner of the density: in few dimensions that limits the integral's accuracy. */
static double accuracy_of(double m) {
    return m < 4 ? 1e-4 : m < 8 ? 1e-6 : 2e-9;
}

static double mean(const subject *s, function *over, double tail) {
    double spread = 14 * sqrt(s->m) + 60 + tail, low = fmax(0, s->m - spread) / s->rate,
           high = (s->m + spread) / s->rate;
    double t = s->epsilon / s->rate, corner[] = {low, 0.5 * (1 - t), 1, high}, sum = 0;
    for (int i = 0; i < 3; i++)
        if (fmax(corner[i], low) < fmin(corner[i + 1], high))
            sum += integral(over, s, fmax(corner[i], low), fmin(corner[i + 1], high), 4 * PANELS);
    return sum / integral(all_radii, s, low, high, 4 * PANELS) / integral(plain, s, 0, PI, PANELS);
}

/* ---- the profile ---- */

static void check_delta(double m, double rate, double epsilon) {
    subject s = {.rate = rate, .m = m, .epsilon = epsilon};
    double expected = mean(&s, over_excess, 0);
    dpn_loss loss;
    dpn_delta delta;
    assert_int_equal(dpn_loss_l2(&loss, rate, (size_t)m, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&delta, NULL, &(dpn_part){loss, 1}, 1, epsilon, NULL, NULL), DPN_OK);
    double doubt = accuracy_of(m);
    case_ends(delta);
    if (!(delta.lower <= expected * (1 + doubt) && delta.upper >= expected * (1 - doubt)))
        fail_msg("m = %g, rate = %g, epsilon = %g: [%.15g, %.15g], not %.15g", m, rate, epsilon, delta.lower,
                 delta.upper, expected);
    assert_true(delta.upper <= delta.lower * (1 + 1e-9));
}

static void it_is_the_integral(void **state) {
    (void)state;
    draw_source source = {7};
    const double dimension[] = {2, 3, 4, 5, 8, 13, 20, 40};
    for (int i = 0; i < case_count(24); i++) {
        double m = dimension[i % 8], rate = draw_log_uniform(&source, 0.2, 2) * (m > 6 ? sqrt(m) / 2 : 1);
        check_delta(m, rate, rate * draw_uniform(&source, 0.02, m > 6 ? 0.6 : 0.9));
    }
}

static void edges(void **state) {
    (void)state;
    dpn_loss loss;
    dpn_delta delta;
    dpn_part part;
    assert_int_equal(dpn_loss_l2(&loss, 1.5, 6, NULL), DPN_OK);
    part = (dpn_part){loss, 1};
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, 1.5, NULL, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, nextafter(1.5, 0), NULL, NULL), DPN_OK);
    assert_true(delta.upper > 0 && delta.upper < 1e-40);
    dpn_delta positive;
    assert_int_equal(dpn_compose_delta(&positive, NULL, &part, 1, 0.4, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, -0.4, NULL, NULL), DPN_OK);
    double expected = -expm1(-0.4) + exp(-0.4) * positive.upper;
    assert_true(fabs(delta.upper - expected) < 1e-12);
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, -3, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.upper + expm1(-3)) < 1e-14);
    assert_int_equal(dpn_loss_l2(&loss, -1, 6, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_l2(&loss, NAN, 6, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_l2(&loss, 1, 0, NULL), DPN_EDOMAIN);
    /* No loss exceeds the rate, however small it is, and none is below its negative. */
    for (double rate = 0.25; rate < 4; rate *= 2) {
        const double beyond[] = {rate, nextafter(rate, 9), 1.01 * rate, 3 * rate};
        assert_int_equal(dpn_loss_l2(&loss, rate, 6, NULL), DPN_OK);
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
            part = (dpn_part){loss, 1};
            assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, beyond[i], NULL, NULL), DPN_OK);
            assert_true(delta.lower == 0 && delta.upper == 0);
            assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, -beyond[i], NULL, NULL), DPN_OK);
            assert_true(fabs(delta.upper + expm1(-beyond[i])) < 1e-14 && delta.lower <= delta.upper);
        }
    }
    /* One dimension is Laplace noise. */
    dpn_delta one;
    assert_int_equal(dpn_loss_l2(&loss, 1, 1, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&one, NULL, &(dpn_part){loss, 1}, 1, 0.5, NULL, NULL), DPN_OK);
    assert_true(fabs(one.upper + expm1(-0.25)) < 1e-14);
}

/* ---- the quotient of Bessel functions: int (rho^2 - 1)^(v + 1/2) e^(-z rho) over int (rho^2 - 1)^(v - 1/2) e^(-z rho), rho > 1, is
 * (2v + 1)/z times it; with rho = cosh t. ---- */

typedef struct power {
    double v, z;
} power;

static double sinh_power(double t, const void *context) {
    const power *p = context;
    double half = sinh(0.5 * t);
    return exp(2 * p->v * log(sinh(t)) - 2 * p->z * half * half);
}

static void it_is_a_quotient_of_bessel_functions(void **state) {
    (void)state;
    draw_source source = {3};
    double worst = 0;
    for (int i = 0; i < case_count(40); i++) {
        double twice = i % 5 ? floor(draw_log_uniform(&source, 1, 400)) - 1 : 0,
               z = draw_log_uniform(&source, 0.05, 200);
        power below = {0.5 * twice, z}, above = {0.5 * twice + 1, z};
        double peak = asinh(twice / z), end = peak + 12 / sqrt(z * cosh(peak)) + log1p(60 / z);
        double expected =
            integral(sinh_power, &above, 0, end, 400) / integral(sinh_power, &below, 0, end, 400) * z / (twice + 1);
        worst = fmax(worst, fabs(dpn_bessel_ratio(twice, z) / expected - 1));
    }
    print_message("# largest relative error %.1e\n", worst);
    assert_true(worst < 1e-12);
    assert_true(fabs(dpn_bessel_ratio(1, 0.7) - (1 + 1 / 0.7)) < 1e-15);
    /* K_1(2)/K_0(2), Abramowitz and Stegun, table 9.8. */
    assert_true(fabs(dpn_bessel_ratio(0, 2) - 0.1398658818165224 / 0.1138938727495334) < 1e-14);
}

/* ---- divergences ---- */

static void divergences(void **state) {
    (void)state;
    const double m[] = {2, 3, 8, 20}, rate[] = {0.5, 2, 3, 1.3}, order[] = {1, 1.5, 2, 4, 12};
    for (int i = 0; i < 4; i++) {
        dpn_loss loss;
        dpn_divergence got[5];
        assert_int_equal(dpn_loss_l2(&loss, rate[i], (size_t)m[i], NULL), DPN_OK);
        assert_int_equal(dpn_renyi_compose(got, &(dpn_part){loss, 1}, 1, order, 5, NULL), DPN_OK);
        for (int k = 1; k < 5; k++) {
            subject s = {.rate = rate[i], .m = m[i], .epsilon = 0, .theta = order[k] - 1};
            double expected = log(mean(&s, over_growth, 4 * order[k] * rate[i])) / s.theta;
            double doubt = accuracy_of(m[i]) + 1e-8;
            if (!(got[k].lower <= expected * (1 + doubt) && got[k].upper >= expected * (1 - doubt)))
                fail_msg("m = %g, order %g: [%.12g, %.12g], not %.12g", m[i], order[k], got[k].lower, got[k].upper,
                         expected);
            assert_true(got[k].upper <= got[k].lower * (1 + 1e-8));
        }
        assert_true(got[0].lower > 0 && got[0].upper < got[1].lower);
        double near = 1 + 1e-6; /* the divergence of order 1 is the limit */
        dpn_divergence limit;
        assert_int_equal(dpn_renyi_compose(&limit, &(dpn_part){loss, 1}, 1, &near, 1, NULL), DPN_OK);
        assert_true(fabs(limit.upper / got[0].upper - 1) < 1e-5);
        dpn_zcdp zcdp;
        assert_int_equal(dpn_zcdp_compose(&zcdp, &(dpn_part){loss, 1}, 1, NULL), DPN_OK);
        for (int k = 0; k < 5; k++) assert_true(zcdp.rho * order[k] >= got[k].lower);
        assert_true(zcdp.rho <= rate[i] * rate[i] / 2 * 1.02);
    }
}

/* ---- compositions: between the lists of the same loss rounded up and rounded down ---- */

static void compositions(void **state) {
    (void)state;
    enum { CELLS = 2000 };
    double rate = 2, value[2][CELLS], mass[CELLS], total = 0;
    dpn_loss exact, list[2];
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_loss_l2(&exact, rate, 10, NULL), DPN_OK);
    for (int i = 0; i < CELLS;
         i++) { /* the mass of a cell by Q(L > nu) = -d delta/d e^nu, and by numbers of the definition */
        double low = rate * (2.0 * i / CELLS - 1), high = rate * (2.0 * (i + 1) / CELLS - 1);
        value[0][i] = low;
        value[1][i] = high;
        mass[i] = 0;
        for (int k = 0; k < POINTS; k++) {
            double t = (0.5 * (low + high) + 0.5 * (high - low) * node[k]) / rate;
            double sine2 = 1 - t * t, ratio = 2 * 9 / rate * dpn_bessel_ratio(8, 0.5 * rate);
            mass[i] += weight[k] * exp(0.5 * rate * t) * pow(sine2, 3.5) * (ratio + sine2);
        }
        total += mass[i];
    }
    for (int i = 0; i < CELLS; i++) mass[i] /= total;
    /* Rounded down, the masses times e^-value exceed 1 by more than is allowed: what is beyond is moved to the least value. */
    assert_int_equal(dpn_loss_explicit(&list[1], value[1], mass, CELLS, NULL), DPN_OK);
    for (double epsilon = 0.5; epsilon < 4; epsilon += 1.2) {
        dpn_delta got, above;
        assert_int_equal(dpn_compose_delta(&got, workspace, &(dpn_part){exact, 4}, 1, epsilon, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&above, workspace, &(dpn_part){list[1], 4}, 1, epsilon, NULL, NULL), DPN_OK);
        if (!(got.lower <= above.upper && got.upper >= above.lower * 0.95))
            fail_msg("epsilon %g: [%.12g, %.12g] and %.12g", epsilon, got.lower, got.upper, above.upper);
        assert_true(got.upper <= got.lower * (1 + 1e-4));
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_integral),
        cmocka_unit_test(edges),
        cmocka_unit_test(it_is_a_quotient_of_bessel_functions),
        cmocka_unit_test(divergences),
        cmocka_unit_test(compositions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
