/* The search over an l2 ball, piece by piece: knots where they are asked for, the best multiplier against a grid, what it proves against the theorem, and what
 * moves reach. Gaussian noise has D(d) = order d^2/2 sigma^2, so that all is known. */
#include "privacy/renyi/ball.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_law gaussian, whole, laplace;

static int read_laws(void **state) {
    (void)state;
    gaussian = case_law("gaussian(sigma=1)");
    whole = case_law("discrete-gaussian(sigma=2)");
    laplace = case_law("laplace(scale=1)");
    return 0;
}

static void near(double got, double wanted, double relative, const char *what) {
    if (!(fabs(got - wanted) <= relative * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

static dpn_norms norms_of(double n, double linf, double l2) {
    return (dpn_norms){.changed = n, .linf = linf, .l1 = INFINITY, .l2 = l2};
}

/* ---- knots ---- */

static void knots_are_kept_in_order(void **state) {
    (void)state;
    draw_source source = {381};
    dpn_norms norms = norms_of(10, 1, 1);
    for (int integer = 0; integer < 2; integer++) {
        search s = {.law = integer ? &whole : &gaussian, .norms = &norms, .order = 2, .integer = integer, .knots = 1};
        for (int i = 0; i < 200; i++) {
            double at = draw_uniform(&source, 0.01, 60);
            size_t before = s.knots;
            assert_int_equal(add_knot(&s, at, NULL), DPN_OK);
            double place = integer ? fmax(1, round(at)) : at;
            size_t there = 0;
            for (size_t k = 0; k < s.knots; k++) there += s.knot[k].at == place;
            assert_true(there == 1 || (s.knots == MOST_KNOTS && there == 0));
            assert_true(s.knots - before <= 1 && s.knots <= MOST_KNOTS);
            for (size_t k = 0; k + 1 < s.knots; k++) assert_true(s.knot[k].at < s.knot[k + 1].at);
        }
        assert_true(integer ? s.knots <= 61 : s.knots == MOST_KNOTS);
        assert_true(s.knot[0].at == 0 && s.knot[0].divergence == 0);
        for (size_t k = 1; k < s.knots; k++) {
            double at = s.knot[k].at;
            if (!integer) near(s.knot[k].divergence, at * at, 1e-12, "divergence of a knot");
            if (!integer) assert_true(s.knot[k].divergence >= at * at * (1 - 1e-16));
        }
        size_t before = s.knots; /* one that is there */
        assert_int_equal(add_knot(&s, s.knot[5].at, NULL), DPN_OK);
        assert_true(s.knots == before);
    }
    search first = {.law = &whole, .norms = &norms, .order = 2, .integer = true, .knots = 1};
    assert_int_equal(add_knot(&first, 0.2, NULL), DPN_OK); /* at least 1 */
    assert_true(first.knots == 2 && first.knot[1].at == 1);
}

/* The first knots lie at parts of the equal share, at the most, and between; the last is the most that one coordinate moves. */
static void first_knots_span_the_moves(void **state) {
    (void)state;
    for (double n = 1; n < 1e4; n *= 7)
        for (double most = 0.01; most <= 1; most *= 10) {
            dpn_norms norms = norms_of(n, most, 1);
            search s = {.law = &gaussian, .norms = &norms, .order = 2};
            assert_int_equal(first_knots(&s, most, NULL), DPN_OK);
            double even = fmin(most, 1 / sqrt(n));
            assert_true(s.knot[0].at == 0 && s.knot[s.knots - 1].at == most && s.knots <= 7);
            const double wanted[] = {1e-3 * even, 0.1 * even, 0.5 * even, even, sqrt(even * most)};
            for (int i = 0; i < 5; i++) {
                bool there = false;
                for (size_t k = 0; k < s.knots; k++)
                    there = there || fabs(s.knot[k].at - wanted[i]) <= 1e-12 * wanted[i];
                assert_true(there);
            }
        }
    dpn_norms norms = norms_of(9, 5, 12);
    search s = {.law = &whole, .norms = &norms, .order = 2, .integer = true};
    assert_int_equal(first_knots(&s, 5, NULL), DPN_OK);
    assert_true(s.knot[1].at == 1 && s.knot[s.knots - 1].at == 5);
}

/* ---- the multiplier ---- */

/* A search with the divergence d^p at given places. */
static search made(const dpn_norms *norms, double p, const double *at, size_t count) {
    search s = {.law = &gaussian, .norms = norms, .order = 2, .knots = count + 1};
    for (size_t i = 0; i < count; i++) s.knot[i + 1] = (knot){at[i], pow(at[i], p)};
    return s;
}

static double chord_at(const search *s, double d) {
    for (size_t i = 0; i + 1 < s->knots; i++)
        if (d <= s->knot[i + 1].at) {
            const knot *a = &s->knot[i], *b = &s->knot[i + 1];
            return a->divergence + (b->divergence - a->divergence) * (d - a->at) / (b->at - a->at);
        }
    return NAN;
}

static void peaks_of_chords(void **state) {
    (void)state;
    draw_source source = {382};
    dpn_norms norms = norms_of(10, 4, 4);
    for (int trial = 0; trial < 100; trial++) {
        double at[5], p = draw_uniform(&source, 1, 4), lambda = draw_log_uniform(&source, 1e-2, 30), best = 0,
                      where = 0;
        for (int i = 0; i < 5; i++)
            at[i] =
                (i ? at[i - 1] : 0) + (trial % 2 ? draw_uniform(&source, 0.05, 1) : floor(draw_uniform(&source, 1, 4)));
        search s = made(&norms, p, at, 5);
        s.integer = trial % 4 == 0;
        for (int i = 0; i <= 50000; i++) {
            double d = at[4] * i / 50000, value = chord_at(&s, d) - lambda * d * d;
            if (s.integer) /* between neighbours there is no move */
                for (size_t k = 0; k + 1 < s.knots; k++)
                    if (d > s.knot[k].at && d < s.knot[k + 1].at && s.knot[k + 1].at - s.knot[k].at <= 1) value = -1;
            if (value > best) best = value, where = d;
        }
        for (size_t k = 1; k < s.knots; k++) {
            double d = s.knot[k].at, value = s.knot[k].divergence - lambda * d * d;
            if (value > best) best = value, where = d;
        }
        peak got = highest(&s, lambda);
        assert_true(got.value >= best * (1 - 1e-12) && got.value <= best + 1e-6 * (1 + best));
        if (got.value == 0) continue;
        assert_true(fabs(got.value - (got.chord - lambda * got.at * got.at)) < 1e-12 * (1 + got.chord));
        near(got.chord, chord_at(&s, got.at), 1e-12, "chord");
        assert_true(s.knot[got.left].at <= got.at && got.at <= s.knot[got.left + 1].at);
        if (best > 1e-3)
            assert_true(fabs(got.value - (chord_at(&s, where) - lambda * where * where)) < 1e-5 * (1 + best));
        /* What it proves: lambda l2^2 + n times the highest, and 16 units of it and 8 of its terms. */
        double n = norms.changed, exact = lambda * 16 + n * got.value,
               slack = DBL_EPSILON * (16 * exact + 8 * n * (got.chord + lambda * got.at * got.at));
        double over = bound_by(&s, lambda, &got) - exact;
        assert_true(over >= 0.9 * slack && over <= 1.1 * slack + 2 * DBL_EPSILON * exact);
    }
    dpn_norms other = norms_of(3, 1, 2);
    search s = {.norms = &other};
    peak none = {-5, 0, 0, 0}; /* at least 0 is reached, by no move */
    near(bound_by(&s, 2, &none), 8, 1e-14, "nothing");
    s.integer = true;
    s.knot[1].at = 1, s.knot[2].at = 3;
    assert_true(!has_inside(&s, 0) && has_inside(&s, 1));
    s.integer = false;
    assert_true(has_inside(&s, 0));
}

/* n times the concave envelope over squares, of the chords, at the equal share: the least that any lambda proves. */
static void the_best_multiplier(void **state) {
    (void)state;
    draw_source source = {383};
    for (int trial = 0; trial < 40; trial++) {
        double n = floor(draw_log_uniform(&source, 1, 1000)), l2 = draw_log_uniform(&source, 0.1, 10), at[6],
               p = draw_uniform(&source, 1, 5);
        dpn_norms norms = norms_of(n, l2, l2);
        for (int i = 0; i < 6; i++) at[i] = l2 * pow(1e-3, 1 - (i + 1) / 6.0);
        search s = made(&norms, p, at, 6);
        peak side[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
        double got = least_bound(&s, side), best = INFINITY;
        for (double lambda = 1e-9; lambda < 1e12; lambda *= 1.003) {
            peak top = highest(&s, lambda);
            best = fmin(best, lambda * l2 * l2 + n * top.value);
        }
        assert_true(got <= best * (1 + 1e-12) && got >= best * (1 - 5e-3)); /* of a grid of 0.3% */
        double reach = l2 / sqrt(n);
        assert_true(side[0].at <= reach * (1 + 1e-9) && (side[1].at >= reach * (1 - 1e-9) || side[1].at == 0));
    }
}

/* ---- the search ---- */

/* A peak inside a chord becomes a knot, a tenth away from its ends at least; close says whether the chord was near. */
static void chords_are_refined(void **state) {
    (void)state;
    for (double place = 1.001; place < 3; place += 0.333) {
        dpn_norms norms = norms_of(10, 4, 4);
        double at[] = {1, 3, 4};
        search s = made(&norms, 2, at, 3);
        peak top = {.value = 1, .at = place, .chord = 4 * place - 3, .left = 1};
        double inside = fmin(fmax(place, 1.2), 2.8), chord = 4 * inside - 3;
        for (int side = 0; side < 2; side++) {
            search copy = s;
            bool close;
            copy.close = chord / (inside * inside) - 1 + (side ? 1e-9 : -1e-9);
            assert_int_equal(refine(&close, &copy, &top, NULL), DPN_OK);
            assert_true(copy.knots == 5 && fabs(copy.knot[2].at - inside) < 1e-12 && close == (side == 1));
            near(copy.knot[2].divergence, inside * inside, 1e-12, "the new knot");
        }
        bool close = false;
        search copy = s;
        const peak idle[] = {{0, place, 3, 1}, {1, 1, 1, 1}, {1, 3, 9, 1}, {1, 4, 16, 3}};
        for (int i = 0; i < 4; i++) { /* nothing to gain, knots themselves, past the last */
            close = false;
            assert_int_equal(refine(&close, &copy, &idle[i], NULL), DPN_OK);
            assert_true(close && copy.knots == 4);
        }
        copy.integer = true;
        copy.knot[2].at = 2; /* neighbours */
        close = false;
        assert_int_equal(refine(&close, &copy, &top, NULL), DPN_OK);
        assert_true(close && copy.knots == 4);
    }
}

/* Exactly the ball of Gaussian noise, up to the chords that are asked for; and no more work than it takes. */
static void upper_bounds_of_gaussian_noise(void **state) {
    (void)state;
    for (double n = 1; n < 1e6; n *= 30)
        for (double close = 1e-6; close < 1; close *= 100)
            for (double order = 1; order < 40; order *= 3) {
                dpn_norms norms = norms_of(n, 0.7, 0.7);
                double upper = -7, truth = 0.5 * order * 0.49;
                assert_int_equal(dpn_renyi_ball_upper(&upper, &gaussian, &norms, order, close, NULL), DPN_OK);
                assert_true(upper >= truth && upper <= truth * (1 + fmax(close, n < 1e5 ? 8e-3 : 2e-2)));
                double lower = dpn_renyi_ball_lower(&gaussian, &norms, order),
                       guess = dpn_renyi_ball_guess(&gaussian, &norms, order);
                assert_true(lower <= truth && (n == 1 ? lower == 0 : lower >= truth * (1 - 1e-12)));
                near(guess, truth, 1e-12, "guess");
            }
    double upper = -7;
    dpn_norms none = norms_of(5, 0, 1), steep = norms_of(5, 1, 1);
    assert_int_equal(dpn_renyi_ball_upper(&upper, &gaussian, &none, 2, 1e-4, NULL), DPN_OK);
    assert_true(upper == 0);
    assert_true(isinf(dpn_renyi_ball_guess(&gaussian, &none, 2)) && dpn_renyi_ball_lower(&gaussian, &none, 2) == 0);
    dpn_law bounded = case_law("truncated-laplace(scale=1,bound=4)"); /* no finite bound */
    assert_int_equal(dpn_renyi_ball_upper(&upper, &bounded, &steep, 2, 1e-4, NULL), DPN_OK);
    assert_true(isinf(upper));
}

/* What is left of the norm is shared by the others. */
static void what_moves_reach(void **state) {
    (void)state;
    draw_source source = {384};
    for (int trial = 0; trial < 60; trial++) {
        double n = floor(draw_uniform(&source, 2, 30)), far = floor(draw_uniform(&source, 1, fmin(n, 4))),
               l2 = draw_uniform(&source, 1, 5), linf = trial % 2 ? 0.3 * l2 : l2;
        dpn_norms norms = norms_of(n, linf, l2);
        search s = {.law = &laplace, .norms = &norms, .order = 3};
        double at = draw_uniform(&source, 0.1, 1.2) * l2 / sqrt(far), left = l2 * l2 - far * at * at,
               got = reached(&s, far, at);
        if (left < 0) {
            assert_true(got == 0);
            continue;
        }
        double rest = fmin(linf, sqrt(left / (n - far)));
        dpn_divergence one, other;
        assert_int_equal(dpn_renyi(&one, &laplace, at, 3, NULL), DPN_OK);
        assert_int_equal(dpn_renyi(&other, &laplace, rest, 3, NULL), DPN_OK);
        near(got, far * one.lower + (n - far) * other.lower, 1e-11, "reached");
        assert_true(got <= far * one.upper + (n - far) * other.upper);
        s.law = &whole, s.integer = true;
        assert_int_equal(dpn_renyi(&one, &whole, floor(at) + 1, 3, NULL), DPN_OK);
        left = l2 * l2 - far * (floor(at) + 1) * (floor(at) + 1);
        rest = left > 0 ? floor(fmin(linf, sqrt(left / (n - far)))) : 0;
        assert_int_equal(dpn_renyi(&other, &whole, rest, 3, NULL), DPN_OK);
        got = reached(&s, far, floor(at) + 1);
        if (left < 0) assert_true(got == 0);
        if (left > 0) near(got, far * one.lower + (n - far) * other.lower, 1e-11, "reached in whole steps");
    }
    /* Of all such moves, by a fine grid; and the guess, of two. */
    static const char *const texts[] = {"laplace(scale=0.5)", "flipped-huber(alpha=3,gamma=1)", "osgt(m=1,sigma=0.4)",
                                        "discrete-gaussian(sigma=0.6)"};
    for (int t = 0; t < 4; t++)
        for (double order = 2; order < 60; order *= 3) {
            dpn_law law = case_law(texts[t]);
            double l2 = t == 3 ? 3.5 : 1, n = 12, best = 0;
            dpn_norms norms = norms_of(n, l2, l2);
            search s = {.law = &law, .norms = &norms, .order = order, .integer = t == 3};
            for (double far = 1; far <= 3; far++)
                for (int i = 1; i <= 60; i++) {
                    double at = l2 / sqrt(n) + (l2 / sqrt(far) - l2 / sqrt(n)) * i / 60;
                    if (t == 3) at = fmax(1, floor(at));
                    best = fmax(best, reached(&s, far, at));
                }
            double lower = dpn_renyi_ball_lower(&law, &norms, order), upper;
            assert_int_equal(dpn_renyi_ball_upper(&upper, &law, &norms, order, 1e-4, NULL), DPN_OK);
            assert_true(lower >= best * (1 - 2e-3) && lower <= upper);
            double even = t == 3 ? 1 : l2 / sqrt(n), far = t == 3 ? 3 : l2;
            dpn_divergence all, one;
            assert_int_equal(dpn_renyi(&all, &law, even, order, NULL), DPN_OK);
            assert_int_equal(dpn_renyi(&one, &law, far, order, NULL), DPN_OK);
            near(dpn_renyi_ball_guess(&law, &norms, order),
                 fmax(fmin(n, pow(l2 / even, 2)) * all.upper, pow(l2 / far, 2) * one.upper), 1e-11, "guess");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_are_kept_in_order), cmocka_unit_test(first_knots_span_the_moves),
        cmocka_unit_test(peaks_of_chords),         cmocka_unit_test(the_best_multiplier),
        cmocka_unit_test(chords_are_refined),      cmocka_unit_test(upper_bounds_of_gaussian_noise),
        cmocka_unit_test(what_moves_reach),
    };
    return cmocka_run_group_tests(tests, read_laws, NULL);
}
