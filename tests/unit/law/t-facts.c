/* The facts of every family, each held against its definition: psi itself, densities of the laws in the limits. */
#include "law/facts.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* A law of every family or more, and what it should be found to be. */
static const struct row {
    const char *text;
    int pieces; /* their number, 0 if psi has none */
    double gaussian, laplace, slope;
} rows[] = {
    {"gaussian(sigma=1.7)", 1, 1.7, 0, INFINITY},
    {"gaussian(sigma=1e-150)", 1, 1e-150, 0, INFINITY},
    {"gaussian(sigma=1e150)", 1, 1e150, 0, INFINITY},
    {"laplace(scale=0.3)", 1, 0, 0.3, 1 / 0.3},
    {"flipped-huber(alpha=3,gamma=1.1)", 2, 0, 0, INFINITY},
    {"flipped-huber(alpha=0,gamma=1.1)", 1, 1.1, 0, INFINITY},
    {"osgt(m=3,sigma=6.3)", 1, 0, 0, INFINITY},
    {"osgt(m=0,sigma=6.3)", 1, 6.3, 0, INFINITY},
    {"huber(alpha=1.3,gamma=0.7)", 2, 0, 0, 1.3 / 0.49},
    {"staircase(epsilon=1.5,sensitivity=0.7,gamma=0.4)", 0, 0, 0, INFINITY},
    {"staircase(epsilon=1.5,sensitivity=0.7,gamma=0)", 0, 0, 0, INFINITY},
    {"staircase(epsilon=1.5,sensitivity=0.7,gamma=1)", 0, 0, 0, INFINITY},
    {"truncated-laplace(scale=2,bound=9)", 1, 0, 0, 0.5},
    {"subbotin(p=1,scale=1.5)", 1, 0, 1.5, 1 / 1.5},
    {"subbotin(p=1.5,scale=1.5)", 0, 0, 0, INFINITY},
    {"subbotin(p=2,scale=1.5)", 1, 1.5, 0, INFINITY},
    {"subbotin(p=10,scale=1.5)", 0, 0, 0, INFINITY},
    {"logistic(scale=2.5)", 0, 0, 0, 0.4},
    {"discrete-gaussian(sigma=3)", 1, 3, 0, INFINITY},
    {"discrete-laplace(scale=5)", 1, 0, 5, 0.2},
    {"discrete-flipped-huber(alpha=3,gamma=1.1)", 2, 0, 0, INFINITY},
    {"discrete-osgt(m=3,sigma=6)", 1, 0, 0, INFINITY},
    {"truncated-geometric(epsilon=0.1,n=18,theta=0.75)", 0, 0, 0, INFINITY},
};
enum { ROWS = sizeof rows / sizeof *rows };

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) != DPN_OK) fail_msg("%s", why.sentence);
    return law;
}

static void every_family_has_a_row(void **state) {
    (void)state;
    for (size_t f = 0; dpn_family_name(f); f++) {
        bool found = false;
        for (size_t i = 0; i < ROWS; i++) found |= strcmp(law_of(rows[i].text).family->name, dpn_family_name(f)) == 0;
        if (!found) fail_msg("%s has no row", dpn_family_name(f));
    }
}

/* The width of a law, at least a step on the integers. */
static double width(const dpn_law *law) {
    return fmax(dpn_law_mean_abs(law), law->family->integer);
}

/* Points of all sizes in the support; on the integers whole ones. */
static double point(const dpn_law *law, int i) {
    double t = width(law) * ldexp(1 + 0.37 * (i % 3), i - 8);
    if (t > dpn_law_support(law)) t = dpn_law_support(law) / (1 + i);
    return law->family->integer ? ceil(t) : t;
}
enum { POINTS = 16 };

static bool close(double a, double b, double error) {
    return a == b || fabs(a - b) <= error * fabs(b);
}

static void pieces_are_psi(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        dpn_law law = law_of(rows[i].text);
        dpn_pieces pieces;
        bool has = dpn_law_pieces(&pieces, &law);
        if (has != (rows[i].pieces > 0)) fail_msg("%s", rows[i].text);
        if (!has) continue;
        assert_int_equal(pieces.count, rows[i].pieces);
        assert_true(pieces.piece[0].from == 0);
        for (int j = 0; j < POINTS + (int)pieces.count; j++) {
            double t = j < POINTS ? point(&law, j) : pieces.piece[j - POINTS].from;
            double psi = dpn_law_psi(&law, t), other = dpn_two_value(dpn_pieces_psi(&pieces, dpn_two(t)));
            if (!close(other, psi, 1e-15)) fail_msg("%s: psi(%g) is %.17g, not %.17g", rows[i].text, t, psi, other);
        }
        for (size_t k = 1; k < pieces.count; k++) {
            double before = pieces.piece[k - 1].slope +
                            pieces.piece[k - 1].curvature * (pieces.piece[k].from - pieces.piece[k - 1].from);
            assert_true(pieces.piece[k].from > pieces.piece[k - 1].from);
            assert_true(pieces.piece[k].slope >= before); /* convex */
        }
    }
}

/* A psi of three pieces, with a kink, that no family has: in 300 bits, piece by piece from the left. */
static void psi_of_pieces_is_exact(void **state) {
    (void)state;
    const dpn_pieces pieces = {{0.7, 1.3}, 3, {{0, 0.1, 0}, {0.4, 0.25, 3}, {1.7, 11, 0.5}}};
    mpfr_t sum, length, term;
    mpfr_inits2(300, sum, length, term, (mpfr_ptr)0);
    for (double x = 0; x < 40; x = x * 1.13 + 0.01) {
        size_t last = x >= 1.7 ? 2 : x >= 0.4 ? 1 : 0;
        mpfr_set_zero(sum, 1);
        for (size_t k = 0; k <= last; k++) {
            mpfr_set_d(length, k < last ? pieces.piece[k + 1].from : x, MPFR_RNDN);
            mpfr_sub_d(length, length, pieces.piece[k].from, MPFR_RNDN);
            mpfr_mul_d(term, length, pieces.piece[k].slope, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
            mpfr_sqr(term, length, MPFR_RNDN);
            mpfr_mul_d(term, term, 0.5 * pieces.piece[k].curvature, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
        }
        mpfr_div_d(sum, sum, pieces.unit[0], MPFR_RNDN);
        mpfr_div_d(sum, sum, pieces.unit[1], MPFR_RNDN);
        assert_int_equal(dpn_pieces_find(&pieces, dpn_two(x)), last);
        dpn_twofold psi = dpn_pieces_psi(&pieces, dpn_two(x));
        mpfr_sub_d(term, sum, psi.hi, MPFR_RNDN);
        mpfr_sub_d(term, term, psi.lo, MPFR_RNDN);
        assert_true(fabs(mpfr_get_d(term, MPFR_RNDN)) <= 0x1p-98 * mpfr_get_d(sum, MPFR_RNDN));
    }
    mpfr_clears(sum, length, term, (mpfr_ptr)0);
}

static void stairs_are_psi(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        dpn_law law = law_of(rows[i].text);
        dpn_stairs stairs;
        bool has = dpn_law_stairs(&stairs, &law);
        assert_true(has == law.family->not_log_concave);
        if (!has) continue;
        double part = stairs.part == 0 ? 1 : stairs.part;
        for (double x = 0.013; x < 5; x += 0.0371) {
            double level = 0;
            for (double k = 0; (k + part) * stairs.period <= x; k++) level++;
            assert_true(dpn_law_psi(&law, x) == level * stairs.height);
        }
    }
}

/* The quotient of differences of a convex psi never exceeds the supremum of its slope, and far out comes as close as
 * one likes; where it is unbounded it exceeds every number. */
static void slope_is_the_supremum(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        dpn_law law = law_of(rows[i].text);
        dpn_slope slope = dpn_law_slope(&law);
        double value = slope.top / slope.unit[0] / slope.unit[1], end = dpn_law_support(&law);
        if (!close(value, rows[i].slope, 1e-15)) fail_msg("%s: %g", rows[i].text, value);
        if (law.family->not_log_concave) continue;
        double unit = width(&law), far = isinf(end) ? 1e9 * unit : 0.5 * end;
        if (law.family->integer) far = ceil(far);
        double rise = dpn_law_psi(&law, 2 * far) - dpn_law_psi(&law, far);
        if (isinf(value))
            assert_true(isfinite(end) || rise * unit / far > 1e3); /* or none is known */
        else
            assert_true(close(rise / far, value, 1e-8));
        for (int j = 0; j < POINTS && !isinf(value); j++) {
            double t = point(&law, j), step = law.family->integer ? 1 : 1e-3 * t;
            if (t + step > end) continue;
            assert_true(dpn_law_psi(&law, t + step) - dpn_law_psi(&law, t) <= value * step * (1 + 1e-12));
        }
    }
}

/* Recognised laws have the density of the law they are recognised as; for every other law psi at t, 2t and 3t is not in
 * the proportions 1:4:9 or 1:2:3 somewhere. */
static void members_are_recognised(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        dpn_law law = law_of(rows[i].text);
        double sigma = dpn_psi_gaussian(&law), scale = dpn_psi_laplace(&law);
        if (sigma != rows[i].gaussian || scale != rows[i].laplace) fail_msg("%s: %g %g", rows[i].text, sigma, scale);
        assert_true(dpn_law_gaussian(&law) == (law.family->integer ? 0 : sigma));
        assert_true(dpn_law_is_gaussian(&law) == (dpn_law_gaussian(&law) > 0));
        assert_true(dpn_law_laplace(&law) == (law.family->integer ? 0 : scale));
        bool square = true, straight = true;
        for (int j = 0; j < POINTS; j++) {
            double t = point(&law, j), one = dpn_law_psi(&law, t), two = dpn_law_psi(&law, 2 * t);
            double end = dpn_law_psi(&law, 40 * t);
            square = square && close(two, 4 * one, 1e-9) && close(end, 1600 * one, 1e-9);
            straight = straight && close(two, 2 * one, 1e-9) && close(end, 40 * one, 1e-9);
            if (sigma > 0) assert_true(close(one, 0.5 * (t / sigma) * (t / sigma), 1e-14));
            if (scale > 0) assert_true(close(one, t / scale, 1e-14));
        }
        if (square != (sigma > 0) || straight != (scale > 0)) fail_msg("%s: %d %d", rows[i].text, square, straight);
    }
}

/* psi(j) = j psi(1) up to the end of the straight part, and not beyond. */
static void straight_part_is_straight(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double straight;
    } law[] = {{"truncated-geometric(epsilon=0.1,n=18,theta=0.75)", 17},
               {"truncated-geometric(epsilon=0.1,n=18,theta=1)", 18},
               {"truncated-geometric(epsilon=2,n=1,theta=0.5)", 1},
               {"discrete-gaussian(sigma=3)", 1},
               {"discrete-osgt(m=3,sigma=6)", 1}};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        dpn_law at = law_of(law[i].text);
        assert_true(dpn_law_straight(&at) == law[i].straight);
        for (double k = 0; k <= law[i].straight; k++)
            assert_true(close(dpn_law_psi(&at, k), k * dpn_law_psi(&at, 1), 1e-15));
        double next = law[i].straight + 1;
        assert_false(close(dpn_law_psi(&at, next), next * dpn_law_psi(&at, 1), 1e-9));
    }
}

static void continuous_twins_have_the_same_psi(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        dpn_law law = law_of(rows[i].text), twin;
        const struct dpn_family *family = law.family->continuous;
        bool own = law.family->straight != NULL; /* not the psi of a law on the reals */
        assert_true((family != NULL) == (law.family->integer && !own));
        if (!family) continue;
        assert_false(family->integer);
        assert_int_equal(dpn_family_arity(family), dpn_family_arity(law.family));
        for (size_t j = 0; j < dpn_family_arity(family); j++)
            assert_string_equal(family->parameter[j], law.family->parameter[j]);
        assert_int_equal(dpn_family_make(&twin, family, law.parameter, NULL), DPN_OK);
        for (double k = 0; k < 40; k++) assert_true(close(dpn_law_psi(&law, k), dpn_law_psi(&twin, k), 1e-14));
    }
}

/* ---- shapes ---- */

/* The largest difference of the two distribution functions, each in units of its own mean absolute value. */
static double distance(const dpn_law *a, const dpn_law *b) {
    double most = 0, unit_a = dpn_law_mean_abs(a), unit_b = dpn_law_mean_abs(b);
    for (double u = 0.05; u < 8; u += 0.05)
        most = fmax(most, fabs(dpn_law_sf(a, u * unit_a) - dpn_law_sf(b, u * unit_b)));
    return most;
}

/* Scales are so large that even near a narrow limit laws on the integers look like densities. */
static dpn_law tuned(const struct dpn_family *family, double shape) {
    dpn_law law;
    dpn_error why;
    if (dpn_family_tune(&law, family, shape, 1e7, 1e4, &why)) fail_msg("%s: %s", family->name, why.sentence);
    return law;
}

static void shapes_go_to_their_limits(void **state) {
    (void)state;
    for (size_t f = 0; dpn_families[f]; f++) {
        const struct dpn_family *family = dpn_families[f];
        const dpn_shape_fact *shape = family->shape;
        if (!shape) {
            assert_int_equal(dpn_family_arity(family), 1);
            continue;
        }
        double unit = shape->ratio || family->shape->step == 0 ? 1 : 1e7; /* a shape in the unit of the scale */
        assert_true(shape->least < shape->most && shape->scan > 1);
        assert_true(shape->step == 0 || fmod(shape->least, shape->step) == 0);
        if (shape->below) {
            dpn_law limit = tuned(shape->below, 0), near = tuned(family, shape->lowest + 1e-6 * unit);
            assert_true(distance(&near, &limit) < 1e-5);
            if (shape->below_is_member) {
                dpn_law member = tuned(family, shape->lowest);
                assert_true(distance(&member, &limit) < 1e-14);
                assert_true(dpn_psi_gaussian(&member) > 0 || dpn_psi_laplace(&member) > 0);
            } else {
                double parameter[DPN_LAW_PARAMETERS] = {0, 1};
                assert_non_null(family->refuse(parameter));
            }
        }
        if (shape->above) {
            dpn_law limit = tuned(shape->above, 0), near = tuned(family, 2e3 * unit),
                    nearer = tuned(family, 1e4 * unit);
            if (!(distance(&near, &limit) < 1e-3)) fail_msg("%s: %g", family->name, distance(&near, &limit));
            assert_true(distance(&nearer, &limit) <= fmax(distance(&near, &limit), 1e-3));
        }
    }
}

/* Twice the scale is twice as wide a law, or on the integers nearly so. */
static void scales_are_scales(void **state) {
    (void)state;
    for (size_t f = 0; dpn_families[f]; f++) {
        const struct dpn_family *family = dpn_families[f];
        double shape = family->shape ? sqrt(family->shape->least * family->shape->most) : 0;
        dpn_law one, two;
        assert_int_equal(dpn_family_tune(&one, family, shape, 1e3, 2, NULL), DPN_OK);
        assert_int_equal(dpn_family_tune(&two, family, shape, 2e3, 2, NULL), DPN_OK);
        double ratio = dpn_law_mean_abs(&two) / dpn_law_mean_abs(&one);
        bool exact = !family->integer && !family->stairs;
        if (!close(ratio, 2, exact ? 1e-13 : 0.2)) fail_msg("%s: %g", family->name, ratio);
    }
}

static void parameters_are_refused(void **state) {
    (void)state;
    dpn_law law = {0};
    dpn_error why;
    assert_int_equal(dpn_family_tune(&law, &dpn_osgt, 1, -1, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_family_make(&law, &dpn_gaussian, (const double[]){NAN}, &why), DPN_EDOMAIN);
    struct dpn_family shapeless = dpn_osgt;
    shapeless.shape = NULL;
    assert_int_equal(dpn_family_tune(&law, &shapeless, 1, 1, 1, &why), DPN_EUNSUPPORTED);
    assert_null(law.family);
    assert_null(dpn_family_find("gauss"));
    assert_null(dpn_family_find(""));
    assert_ptr_equal(dpn_family_find("discrete-osgt"), &dpn_discrete_osgt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_a_row),    cmocka_unit_test(pieces_are_psi),
        cmocka_unit_test(psi_of_pieces_is_exact),    cmocka_unit_test(stairs_are_psi),
        cmocka_unit_test(slope_is_the_supremum),     cmocka_unit_test(members_are_recognised),
        cmocka_unit_test(straight_part_is_straight), cmocka_unit_test(continuous_twins_have_the_same_psi),
        cmocka_unit_test(shapes_go_to_their_limits), cmocka_unit_test(scales_are_scales),
        cmocka_unit_test(parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
