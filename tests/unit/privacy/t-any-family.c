/* Families that the tree does not have: one psi, with or without the facts that a row may hold, is enough for profiles,
 * compositions and Renyi divergences. The truth is integrated, or added up, in long double by code that shares nothing
 * with the library; and rows of the tree without their closed forms must agree with themselves. */
#include "case.h"
#include "law/facts.h"

#include "unit/points.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- the families ---- */

static const char *refuse(const double *parameter) {
    return parameter[0] > 0 && parameter[1] > 0 ? NULL : "k and scale must be more than 0";
}

/* k (sqrt(1 + x^2) - 1), x = t/scale. */
static dpn_twofold hyperbolic_psi(const dpn_law *law, double t) {
    double x = t / law->parameter[1];
    return dpn_two(law->parameter[0] * (x * (x / (1 + sqrt(1 + x * x)))));
}

static dpn_slope hyperbolic_slope(const dpn_law *law) {
    return (dpn_slope){law->parameter[0], {law->parameter[1], 1}};
}

static const struct dpn_family bare = {
    .name = "bare",
    .parameter = {"k", "scale"},
    .refuse = refuse,
    .psi = hyperbolic_psi,
};

static const struct dpn_family hyperbolic = {
    .name = "hyperbolic",
    .parameter = {"k", "scale"},
    .refuse = refuse,
    .psi = hyperbolic_psi,
    .slope = hyperbolic_slope,
};

static const struct dpn_family whole = {
    .name = "whole-hyperbolic",
    .parameter = {"k", "scale"},
    .integer = true,
    .continuous = &hyperbolic,
    .refuse = refuse,
    .psi = hyperbolic_psi,
};

static const struct dpn_family irregular = {
    .name = "irregular",
    .parameter = {"k", "scale"},
    .irregular = true,
    .refuse = refuse,
    .psi = hyperbolic_psi,
};

/* Three pieces with a kink at 0 and one at 1; k is not used. */
static bool bent_pieces(const dpn_law *law, dpn_pieces *out) {
    double s = law->parameter[1];
    *out = (dpn_pieces){{s, s}, 3, {{0, 0.5 * s, 1}, {s, 2 * s, 0}, {3 * s, 2 * s, 0.5}}};
    return true;
}

static dpn_twofold bent_psi(const dpn_law *law, double t) {
    dpn_pieces pieces;
    bent_pieces(law, &pieces);
    return dpn_pieces_psi(&pieces, dpn_two(t));
}

static const struct dpn_family bent = {
    .name = "bent",
    .parameter = {"k", "scale"},
    .refuse = refuse,
    .psi = bent_psi,
    .pieces = bent_pieces,
};

static dpn_law make(const struct dpn_family *family, double k, double scale) {
    dpn_law law;
    if (dpn_family_make(&law, family, (const double[]){k, scale}, NULL)) fail_msg("no law");
    return law;
}

/* ---- the truth ---- */

static long double psi_of(const dpn_law *law, long double t) {
    long double x = fabsl(t) / law->parameter[1];
    if (law->family != &bent) return law->parameter[0] * (sqrtl(1 + x * x) - 1);
    if (x <= 1) return 0.5L * x + 0.5L * x * x;
    return x <= 3 ? 1 + 2 * (x - 1) : 5 + 2 * (x - 3) + 0.25L * (x - 3) * (x - 3);
}

typedef struct question {
    const dpn_law *law;
    long double shift, epsilon, order;
} question;
typedef long double integrand(const question *q, long double t);

/* The double-exponential rules for [from, to], and for [from, inf) if to is infinite. */
static long double integral(integrand *f, const question *q, long double from, long double to) {
    long double sum = 0, step = 1.0L / 32;
    for (int i = -128; i <= 128; i++) {
        long double u = i * step, sinh_u = 1.5707963267948966192L * sinhl(u), slope = 1.5707963267948966192L * coshl(u);
        if (isinf(to)) {
            long double x = expl(sinh_u);
            sum += step * slope * x * f(q, from + x);
        } else {
            long double half = 0.5L * (to - from), part = 1 / (coshl(sinh_u) * coshl(sinh_u));
            sum += step * slope * half * part * f(q, from + half * (1 + tanhl(sinh_u)));
        }
    }
    return sum;
}

/* The integral from a point to infinity, or over the line, cut where psi(t) or psi(t + D) bends. */
static long double over(integrand *f, const question *q, long double from, bool line) {
    long double s = q->law->parameter[1], d = q->shift, sum = 0;
    long double peak = 3 * s + fmaxl(0, q->order - 1) * d; /* near that of the tilted density, or beyond it */
    long double cut[] = {-3 * s - d, -3 * s, -s - d, -s, -d, 0, s - d, s, 3 * s - d, 3 * s, peak, peak + 20 * s};
    for (size_t i = 1; i < sizeof cut / sizeof *cut; i++) /* sort */
        for (size_t j = i; j > 0 && cut[j] < cut[j - 1]; j--) {
            long double swap = cut[j];
            cut[j] = cut[j - 1];
            cut[j - 1] = swap;
        }
    if (line) { /* the left tail is the right one of the mirror image */
        question mirror = *q;
        mirror.order = 1 - q->order;
        from = cut[0];
        sum = integral(f, &mirror, -cut[0] - d, INFINITY);
    }
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
        if (cut[i] > from) {
            sum += integral(f, q, from, cut[i]);
            from = cut[i];
        }
    return sum + integral(f, q, from, INFINITY);
}

static long double plain(const question *q, long double t) {
    return expl(-psi_of(q->law, t));
}

static long double mass(const dpn_law *law) {
    static dpn_law last;
    static long double known;
    question q = {law, 0, 0, 0};
    if (last.family != law->family || last.parameter[0] != law->parameter[0] || last.parameter[1] != law->parameter[1])
        known = 2 * over(plain, &q, 0, false);
    last = *law;
    return known;
}

static long double loss(const question *q, long double t) {
    return psi_of(q->law, t + q->shift) - psi_of(q->law, t);
}

static long double excess(const question *q, long double t) {
    return expl(-psi_of(q->law, t)) * -expm1l(q->epsilon - loss(q, t));
}

/* From where the loss, which does not fall, exceeds epsilon. */
static long double truth_delta(const dpn_law *law, double shift, double epsilon) {
    question q = {law, shift, epsilon, 0};
    if (epsilon < 0) return -expm1l(epsilon) + expl(epsilon) * truth_delta(law, shift, -epsilon);
    long double low = -0.5L * shift, high = low + 1;
    for (; loss(&q, high) <= epsilon; high += high - low)
        if (high > 1e30L) return 0;
    for (int i = 0; i < 120; i++) {
        long double middle = 0.5L * (low + high);
        *(loss(&q, middle) <= epsilon ? &low : &high) = middle;
    }
    return over(excess, &q, high, false) / mass(law);
}

static long double tilted(const question *q, long double t) {
    return expl((q->order - 1) * loss(q, t) - psi_of(q->law, t));
}

static long double mean_loss(const question *q, long double t) {
    return loss(q, t) * expl(-psi_of(q->law, t)) / 2;
}

/* E L is half of the symmetric sum of L (P - Q); the mirror image in over() needs order 1/2 to be itself. */
static long double mean_difference(const question *q, long double t) {
    return mean_loss(q, t) - loss(q, t) * expl(-psi_of(q->law, t + q->shift)) / 2;
}

static long double truth_renyi(const dpn_law *law, double shift, double order) {
    question q = {law, shift, 0, order == 1 ? 0.5L : order};
    if (order == 1) return over(mean_difference, &q, 0, true) / mass(law);
    return logl(over(tilted, &q, 0, true) / mass(law)) / (q.order - 1);
}

static void holds(double lower, double upper, long double truth, double width, const char *what) {
    long double slack = 1e-13L * fabsl(truth);
    if (!(lower <= truth + slack && upper >= truth - slack))
        fail_msg("%s: %.17g %.17Lg %.17g", what, lower, truth, upper);
    if (!(upper - lower <= width * upper)) fail_msg("%s: [%.17g, %.17g] is wide", what, lower, upper);
}

/* ---- profiles ---- */

static void profiles_are_integrals(void **state) {
    (void)state;
    const struct dpn_family *family[] = {&bare, &hyperbolic, &bent};
    for (size_t f = 0; f < 3; f++)
        for (double k = 0.25; k < 20; k *= 16) {
            dpn_law law = make(family[f], k, 2);
            for (double shift = 0.01; shift < 30; shift *= 20)
                for (double part = 0; part < 0.99; part += 0.45) {
                    double largest = family[f] == &bent ? 4 * shift : 0.5 * k * shift, epsilon = part * largest;
                    dpn_delta delta;
                    dpn_error why;
                    if (dpn_profile_delta(&delta, &law, shift, epsilon, &why)) fail_msg("%s", why.sentence);
                    holds(delta.lower, delta.upper, truth_delta(&law, shift, epsilon), 1e-6, family[f]->name);
                }
        }
}

static void whole_profiles_are_sums(void **state) {
    (void)state;
    dpn_law law = make(&whole, 3, 2.5);
    for (double shift = 1; shift < 9; shift += 2)
        for (double epsilon = 0; epsilon < 1.2 * shift; epsilon += 0.23 * shift) {
            question q = {&law, shift, epsilon, 0};
            long double sum = 0, all = 0;
            for (int t = -400; t <= 400; t++) {
                if (loss(&q, t) > epsilon) sum += excess(&q, t);
                all += expl(-psi_of(&law, t));
            }
            dpn_delta delta;
            assert_int_equal(dpn_profile_delta(&delta, &law, shift, epsilon, NULL), DPN_OK);
            holds(delta.lower, delta.upper, sum / all, 1e-6, "whole");
        }
}

/* From the largest loss on delta is 0; where it is not known, it is refused and not guessed. */
static void the_largest_loss_is_a_fact(void **state) {
    (void)state;
    dpn_law told = make(&hyperbolic, 3, 2), silent = make(&bare, 3, 2);
    dpn_delta delta;
    dpn_divergence divergence;
    dpn_zcdp zcdp;
    assert_int_equal(dpn_profile_delta(&delta, &told, 1, 1.5, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    assert_int_equal(dpn_profile_delta(&delta, &silent, 1, 1.5, NULL), DPN_EACCURACY);
    assert_int_equal(dpn_renyi(&divergence, &told, 1, INFINITY, NULL), DPN_OK);
    assert_true(divergence.lower == 1.5 && divergence.upper == 1.5);
    assert_int_equal(dpn_renyi(&divergence, &silent, 1, INFINITY, NULL), DPN_EUNSUPPORTED);
    dpn_part part = {.times = 1};
    assert_int_equal(dpn_loss_law(&part.loss, &told, 1, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&zcdp, &part, 1, NULL), DPN_OK);
    assert_true(zcdp.xi == 0 && fabs(zcdp.rho - dpn_zcdp_pure(1.5).rho) <= 1e-14);
    assert_int_equal(dpn_loss_law(&part.loss, &silent, 1, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&zcdp, &part, 1, NULL), DPN_EUNSUPPORTED);
}

/* ---- compositions ---- */

/* delta of two losses is the mean of the profile of the first at epsilon less the second. */
static long double truth_twice(const dpn_law *law, double shift, double epsilon) {
    question q = {law, shift, 0, 0};
    long double sum = 0, step = law->parameter[1] / 8;
    for (int i = -160; i <= 160; i++) {
        long double t = i * step;
        sum += step * expl(-psi_of(law, t)) * truth_delta(law, shift, (double)(epsilon - loss(&q, t)));
    }
    return sum / mass(law);
}

static dpn_delta composed(dpn_workspace *workspace, const dpn_law *law, double shift, uint64_t times, double epsilon,
                          dpn_method method) {
    dpn_part part = {.times = times};
    dpn_accounting_options how = dpn_accounting_options_init();
    how.method = method;
    how.accuracy = 1e-4;
    dpn_delta delta = {NAN, NAN, NAN, NAN};
    dpn_error why;
    if (dpn_loss_law(&part.loss, law, shift, &why) ||
        dpn_compose_delta(&delta, workspace, &part, 1, epsilon, &how, &why))
        fail_msg("%s: %s", law->family->name, why.sentence);
    return case_ends(delta);
}

static void compositions_and_sets(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    const struct dpn_family *family[] = {&hyperbolic, &whole}; /* a loss with a bound: the FFT wants to know it */
    for (size_t f = 0; f < 2; f++) {
        dpn_law law = make(family[f], 3, 2);
        double bound[] = {1, 1}, epsilon = 0.75;
        dpn_sensitivity set = {.dimension = 2, .bound = bound};
        dpn_argument argument;
        dpn_accounting_options how = dpn_accounting_options_init();
        how.accuracy = 1e-4;
        dpn_delta one = composed(workspace, &law, 1, 2, epsilon, DPN_METHOD_AUTO), box;
        if (f < 1) holds(one.lower, one.upper, truth_twice(&law, 1, epsilon), 2e-4, "twice");
        assert_int_equal(dpn_sensitivity_delta(&box, &argument, workspace, &law, 1, &set, epsilon, &how, NULL), DPN_OK);
        assert_true(argument == DPN_ARGUMENT_CORNER && box.lower <= one.upper && one.lower <= box.upper);
        set.l1 = 1;
        dpn_delta alone, ball;
        assert_int_equal(dpn_profile_delta(&alone, &law, 1, epsilon, NULL), DPN_OK);
        assert_int_equal(dpn_sensitivity_delta(&ball, &argument, workspace, &law, 1, &set, epsilon, NULL, NULL),
                         DPN_OK);
        assert_true(ball.lower <= alone.upper && alone.lower <= ball.upper);
    }
    dpn_workspace_free(workspace);
}

/* Pieces are all that the contour sum wants to know. */
static void contour_serves_any_pieces(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_law law = make(&bent, 1, 1);
    for (double shift = 0.3; shift < 2; shift += 1.2)
        for (double epsilon = 2; epsilon < (points_are_many() ? 9 : 3); epsilon *= 4) {
            dpn_delta contour = composed(workspace, &law, shift, 4, epsilon, DPN_METHOD_CONTOUR);
            dpn_delta fft = composed(workspace, &law, shift, 4, epsilon, DPN_METHOD_FFT);
            assert_true(contour.lower <= fft.upper && fft.lower <= contour.upper);
        }
    dpn_workspace_free(workspace);
}

/* ---- Renyi ---- */

static void divergences_are_integrals(void **state) {
    (void)state;
    const struct dpn_family *family[] = {&bare, &hyperbolic, &bent};
    const double orders[] = {1, 1.25, 2, 7, 60};
    for (size_t f = 0; f < 3; f++)
        for (double k = 0.5; k < 20; k *= 12) {
            dpn_law law = make(family[f], k, 2);
            for (double shift = 0.02; shift < 5; shift *= 20)
                for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
                    dpn_divergence d;
                    dpn_error why;
                    if (dpn_renyi(&d, &law, shift, orders[i], &why)) fail_msg("%s: %s", law.family->name, why.sentence);
                    holds(d.lower, d.upper, truth_renyi(&law, shift, orders[i]), 2e-9, family[f]->name);
                }
        }
}

static void whole_divergences_are_sums(void **state) {
    (void)state;
    for (double scale = 1.5; scale < 2000; scale *= 30)
        for (double order = 1.5; order < 50; order *= 5) {
            dpn_law law = make(&whole, 2, scale);
            question q = {&law, ceil(0.4 * scale), 0, order};
            long double sum = 0, all = 0;
            for (int t = (int)(-60 * scale); t <= 60 * scale; t++) {
                sum += tilted(&q, t);
                all += expl(-psi_of(&law, t));
            }
            dpn_divergence d;
            assert_int_equal(dpn_renyi(&d, &law, (double)q.shift, order, NULL), DPN_OK);
            holds(d.lower, d.upper, logl(sum / all) / (q.order - 1), 9e-9, "whole");
        }
}

static void irregular_laws_are_refused(void **state) {
    (void)state;
    dpn_law law = make(&irregular, 2, 3);
    dpn_divergence d = {-1, -1};
    assert_int_equal(dpn_renyi(&d, &law, 1, 2, NULL), DPN_EUNSUPPORTED);
    assert_true(d.lower == -1);
}

/* ---- rows of the tree, without what they have besides psi ---- */

static void rows_agree_with_themselves(void **state) {
    (void)state;
    static const char *const text[] = {"logistic(scale=1.5)", "subbotin(p=3,scale=2)", "subbotin(p=1.25,scale=2)",
                                       "gaussian(sigma=1.5)", "osgt(m=1,sigma=2)"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        dpn_law law = case_law(text[i]), stripped;
        struct dpn_family row = {.name = "stripped",
                                 .parameter = {law.family->parameter[0], law.family->parameter[1]},
                                 .refuse = law.family->refuse,
                                 .prepare = law.family->prepare,
                                 .psi = law.family->psi};
        assert_int_equal(dpn_family_make(&stripped, &row, law.parameter, NULL), DPN_OK);
        for (double shift = 0.05; shift < 5; shift *= 20) {
            dpn_delta known, found;
            dpn_divergence one, other;
            for (double epsilon = 0.01; epsilon < 0.9 * shift / 1.5; epsilon *= 3) {
                assert_int_equal(dpn_profile_delta(&known, &law, shift, epsilon, NULL), DPN_OK);
                assert_int_equal(dpn_profile_delta(&found, &stripped, shift, epsilon, NULL), DPN_OK);
                assert_true(known.lower <= found.upper && found.lower <= known.upper);
            }
            for (double order = 1; order < 100; order *= 3) {
                assert_int_equal(dpn_renyi(&one, &law, shift, order, NULL), DPN_OK);
                assert_int_equal(dpn_renyi(&other, &stripped, shift, order, NULL), DPN_OK);
                assert_true(one.lower <= other.upper && other.lower <= one.upper);
            }
        }
    }
}

/* Members of other families that are Gaussian compose, and move in l2 balls, as Gaussian noise does. */
static void gaussian_members_are_gaussian(void **state) {
    (void)state;
    static const char *const text[] = {"osgt(m=0,sigma=2)", "flipped-huber(alpha=0,gamma=2)", "subbotin(p=2,scale=2)"};
    dpn_law gaussian = case_law("gaussian(sigma=2)");
    dpn_sensitivity ball = {.dimension = 30, .l2 = 1.5};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        dpn_law law = case_law(text[i]);
        dpn_delta one = composed(NULL, &law, 1, 1000, 9, DPN_METHOD_AUTO);
        dpn_delta other = composed(NULL, &gaussian, 1, 1000, 9, DPN_METHOD_AUTO), set;
        assert_true(one.lower == other.lower && one.upper == other.upper);
        dpn_argument argument;
        assert_int_equal(dpn_sensitivity_delta(&set, &argument, NULL, &law, 1, &ball, 1, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&other, &gaussian, 1.5, 1, NULL), DPN_OK);
        assert_true(argument == DPN_ARGUMENT_L2_GAUSSIAN && set.lower <= other.upper && other.lower <= set.upper);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_integrals),     cmocka_unit_test(whole_profiles_are_sums),
        cmocka_unit_test(the_largest_loss_is_a_fact), cmocka_unit_test(compositions_and_sets),
        cmocka_unit_test(contour_serves_any_pieces),  cmocka_unit_test(divergences_are_integrals),
        cmocka_unit_test(whole_divergences_are_sums), cmocka_unit_test(irregular_laws_are_refused),
        cmocka_unit_test(rows_agree_with_themselves), cmocka_unit_test(gaussian_members_are_gaussian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
