/* The generic profile, piece by piece: tails at points of twice the precision, positive sums against sums of long doubles, differences, thresholds, and what
 * each claims to err by. */
#include "privacy/profile/generic.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_profile profile_of(const char *text, double sensitivity) {
    dpn_profile profile;
    dpn_law law = case_law(text);
    dpn_profile_prepare(&profile, &law, sensitivity);
    return profile;
}

static void near(double got, double wanted, double relative, const char *what) {
    if (!(fabs(got - wanted) <= relative * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

static double psi(const dpn_profile *p, double t) {
    return dpn_law_log_pdf(&p->law, 0) - dpn_law_log_pdf(&p->law, t);
}

static const char *const texts[] = {"gaussian(sigma=2)",
                                    "logistic(scale=1)",
                                    "flipped-huber(alpha=1,gamma=2)",
                                    "huber(alpha=1,gamma=1.5)",
                                    "subbotin(p=3,scale=2)",
                                    "discrete-gaussian(sigma=3)",
                                    "discrete-osgt(m=1,sigma=4)",
                                    "discrete-flipped-huber(alpha=3,gamma=2)"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* ---- tails ---- */

static void tails_of_points(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        dpn_profile p = profile_of(texts[i], 1);
        double own = i == 4 ? 6e-12 : 1.25e-12; /* a thousand times what was seen; subbotin says more */
        near(tail_error(&p), own, 1e-12, "error of tails");
        for (double t = -12; t < 13; t++) {
            dpn_estimate got = dpn_tail_estimate(&p, dpn_two(t));
            near(dpn_estimate_value(got), dpn_law_sf(&p.law, t), 1e-12, "tail");
            double exponent = t < 0 ? 0 : got.exponent.hi;
            near(got.error, own + 16 * DBL_EPSILON * exponent, 1e-9, "its error");
            if (t < 0) assert_true(got.exponent.hi == 0 && got.exponent.lo == 0);
            if (p.law.family->integer) continue;
            for (int side = -1; side <= 1;
                 side += 2) { /* the part of a point that a double leaves out, but larger so that it shows */
                double low = side * 1e-6;
                dpn_estimate moved = dpn_tail_estimate(&p, (dpn_twofold){t, low});
                double change = dpn_estimate_value(moved) - dpn_estimate_value(got),
                       slope = -dpn_law_pdf(&p.law, t) * low;
                assert_true(fabs(change - slope) <= 1e-4 * fabs(slope) + 1e-15 * dpn_estimate_value(got));
            }
        }
        assert_true(dpn_estimate_value(dpn_tail_estimate(&p, dpn_two(-INFINITY))) == 1 &&
                    dpn_estimate_value(dpn_tail_estimate(&p, dpn_two(INFINITY))) == 0);
        assert_true(dpn_tail_estimate(&p, dpn_two(INFINITY)).error == 0);
        struct dpn_family bare = *p.law.family;
        bare.tail = NULL;
        p.law.family = &bare;
        p.form = NULL;
        assert_true(tail_error(&p) == 1e-10);
    }
}

static void infinite_losses(void **state) {
    (void)state;
    dpn_profile p = profile_of("gaussian(sigma=1)", 1);
    assert_true(dpn_generic_at_infinity(&p).mantissa == 0 && dpn_generic_at_infinity(&p).error == 0);
    for (double d = 0.5; d < 9; d += 0.5) {
        p = profile_of("truncated-laplace(scale=2,bound=3)", d);
        dpn_estimate got = dpn_generic_at_infinity(&p);
        near(dpn_estimate_value(got), dpn_law_sf(&p.law, 3 - d), 1e-12, "infinite");
        assert_true(d < 6 ? got.error > 0 : got.error == 0 && got.mantissa == 1);
    }
}

/* ---- positive sums ---- */

/* The sum (integral, by 3000 cells) of g(t) (1 - e^(epsilon - L(t))) from first on. */
static double positive(const dpn_profile *p, double epsilon, double first) {
    double d = p->sensitivity, sum = 0, last = first + 60, step = 60.0 / 3000;
    if (p->law.family->integer) {
        for (double k = first; k < first + 200; k++)
            sum += dpn_law_pdf(&p->law, k) * fmax(0, -expm1(epsilon - psi(p, k + d) + psi(p, k)));
        return sum;
    }
    for (double t = first; t < last - 0.5 * step;
         t += step) /* Simpson's rule, in cells that end where psi bends, as all points here are multiples of them */
        for (int i = 0; i <= 2; i++) {
            double at = t + 0.5 * step * i;
            sum += (i == 1 ? 4 : 1) * step / 6 * dpn_law_pdf(&p->law, at) *
                   fmax(0, -expm1(epsilon - psi(p, at + d) + psi(p, at)));
        }
    return sum;
}

static void sums_are_positive(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++)
        for (double d = 1; d < 4; d++) {
            dpn_profile p = profile_of(texts[i], d);
            bool integer = p.law.family->integer;
            for (double first = -floor(0.5 * d); first < 6; first++) {
                double epsilon = psi(&p, first + d) - psi(&p, first) - (integer ? 1e-3 : 0);
                if (!(epsilon > 0.01)) continue;
                double truth = positive(&p, epsilon, first);
                if (!(truth > 1e-9)) continue; /* of losses that hardly grow nothing is left */
                dpn_estimate got = dpn_positive_sum(&p, epsilon, first);
                if (isinf(got.error)) fail_msg("%s at %g, from %g: lost", texts[i], d, first);
                near(dpn_estimate_value(got), truth, 1e-6, "sum");
                double rounding = loss_rounding(&p, epsilon, fmax(first, 0)),
                       exponent = 16 * DBL_EPSILON * got.exponent.hi;
                double all = dpn_law_sf(&p.law, integer ? first - 1 : first),
                       share = rounding * all / truth; /* of what may be left */
                double base = integer ? PLAIN_SUM_ERROR : SMOOTH_SUM_ERROR;
                if (!(got.error >= base + 0.999 * (share + exponent) &&
                      got.error <= base * 1.05 + exponent + 3.001 * share + 1e-13))
                    fail_msg("%s at %g from %g: error %g, base %g, share %g", texts[i], d, first, got.error, base,
                             share);
            }
        }
    dpn_profile p = profile_of("discrete-gaussian(sigma=1e12)", 1e12); /* beyond all whole numbers there is the tail */
    dpn_estimate bound = dpn_positive_sum(&p, 1, 0x1p53), tail = dpn_tail_estimate(&p, dpn_two(0x1p53 - 1));
    assert_true(isinf(bound.error) && bound.mantissa == tail.mantissa && bound.exponent.hi == tail.exponent.hi);
}

static void pieces_of_a_sum(void **state) {
    (void)state;
    dpn_profile p = profile_of("flipped-huber(alpha=1,gamma=2)", 3),
                whole = profile_of("discrete-flipped-huber(alpha=1.5,gamma=2)", 3);
    struct integrand at = {&p, 0.4, 0.5}, ends;
    for (double t = -2; t < 9; t += 0.37) {
        double loss = psi(&p, t + 3) - psi(&p, t), value = exp(psi(&p, 0.5) - psi(&p, t)) * fmax(0, -expm1(0.4 - loss));
        assert_true(fabs(integrand_at(&at, t) - value) <= 1e-13 * value + 1e-300);
    }
    dpn_profile cut = profile_of("truncated-laplace(scale=2,bound=3)", 2);
    ends = (struct integrand){&cut, 0.4, 0.5};
    assert_true(integrand_at(&ends, 3.01) == 0 && integrand_at(&ends, -3.01) == 0);
    near(integrand_at(&ends, 2), exp((0.5 - 2) / 2), 1e-14, "an infinite loss");
    double bend[BENDS];
    int count = bends(&p, bend), whole_count;
    const double wanted[] = {0, -3, 1, -1, -2, -4};
    for (int i = 0; i < 6; i++) {
        int there = 0;
        for (int k = 0; k < count; k++) there += bend[k] == wanted[i];
        assert_true(there >= 1);
    }
    for (int k = 0; k < count; k++) assert_true(bend[k] == floor(bend[k]) && bend[k] >= -4 && bend[k] <= 1);
    for (double after = -5; after < 2; after += 0.5) {
        double next = 7;
        for (int i = 0; i < 6; i++)
            if (wanted[i] > after) next = fmin(next, wanted[i]);
        assert_true(next_bend(bend, count, after, 7) == next &&
                    next_bend(bend, count, after, after + 0.25) == after + 0.25);
    }
    whole_count = bends(&whole, bend); /* both neighbours of 1.5, -1.5, -1.5 and -4.5 */
    const double around[] = {1, 2, -1, -2, -4, -5, 0, -3};
    for (int i = 0; i < 8; i++) {
        int there = 0;
        for (int k = 0; k < whole_count; k++) there += bend[k] == around[i];
        assert_true(there >= 1);
    }
    dpn_profile smooth = profile_of("logistic(scale=1)", 3); /* the centre alone */
    count = bends(&smooth, bend);
    for (int k = 0; k < count; k++) assert_true(bend[k] == 0 || bend[k] == -3);
    for (double t = 0; t < 6; t++) {
        near(relative_tail(&p.law, t, dpn_two(0.25)), dpn_law_sf(&p.law, t) / dpn_law_pdf(&p.law, 0) * exp(0.25), 1e-11,
             "what is left");
        double from = t > 0 ? dpn_law_sf(&whole.law, t - 1) : dpn_law_sf(&whole.law, 0);
        near(relative_tail(&whole.law, t, dpn_two(0.25)), from / dpn_law_pdf(&whole.law, 0) * exp(0.25), 1e-11,
             "what is left of whole numbers");
    }
    /* How wrong a loss may be: by the closed form's word, by the pieces', or by psi's. */
    dpn_profile logistic = profile_of("logistic(scale=1)", 2), huber = profile_of("huber(alpha=1,gamma=1)", 2);
    assert_true(loss_rounding(&logistic, 0.7, 1) == 2e-15 * 0.7 && loss_rounding(&huber, 0.7, 1) == 0x1p-94 * 0.7);
    logistic.form = NULL;
    near(loss_rounding(&logistic, 0.7, 1), 0x1p-48 * (1 + psi(&logistic, 3)), 1e-12, "rounding");
}

/* ---- differences ---- */

static void differences_of_tails(void **state) {
    (void)state;
    int taken = 0, refused = 0;
    for (int i = 0; i < 5; i++)
        for (double d = 0.5; d < 6; d += 0.75)
            for (double t2 = 0.6; t2 < 9; t2 += 0.9) {
                dpn_profile p = profile_of(texts[i], d);
                double t1 = t2 - d, epsilon = psi(&p, t2) - psi(&p, t1);
                if (epsilon < 0.01) continue;
                epsilon -= 1e-7;
                struct threshold at = threshold_at(&p, epsilon, t2);
                assert_true(fabs(at.t1.hi + at.t1.lo - t1) < 1e-15 && at.t2 == t2);
                near(at.excess.hi, 1e-7, 1e-6, "excess");
                dpn_estimate got = difference(&p, epsilon, at);
                double first = dpn_law_sf(&p.law, t1), second = exp(epsilon) * dpn_law_sf(&p.law, t2),
                       rest = 1 - second / first;
                double error = (tail_error(&p) * (2 - rest) + loss_rounding(&p, epsilon, fabs(t1)) * (1 - rest)) / rest;
                if (fabs(rest - LEAST_DIFFERENCE) < 1e-9) continue;
                if (rest > LEAST_DIFFERENCE && error < WORST_DIFFERENCE) {
                    near(dpn_estimate_value(got), first - second, 1e-11 / rest, "difference");
                    near(got.error, error + 16 * DBL_EPSILON * got.exponent.hi, 1e-6, "its error");
                    taken++;
                } else {
                    assert_true(isinf(got.error));
                    near(dpn_estimate_value(got), first, 1e-12, "a bound");
                    refused++;
                }
            }
    assert_true(taken > 50 && refused > 0);
    /* The first term alone, where the second is nothing. */
    dpn_profile p = profile_of("truncated-laplace(scale=2,bound=3)", 2);
    struct threshold last = {dpn_two(1), dpn_two(0), 3};
    dpn_estimate got = difference(&p, 0.5, last);
    near(dpn_estimate_value(got), dpn_law_sf(&p.law, 1), 1e-12, "first alone");
}

/* By how much a point beside the threshold changes delta: the slope there times twice the distance and eight doubles. */
static void distances_to_thresholds(void **state) {
    (void)state;
    dpn_profile p = profile_of("logistic(scale=1)", 2);
    for (double t1 = -0.5; t1 < 5; t1 += 0.4)
        for (double away = 1e-9; away < 0.1; away *= 10) {
            struct threshold at = {dpn_two(t1), dpn_two(0.3), t1 + 2};
            dpn_estimate delta = {0.01, dpn_two(0.5), 0};
            double got = rounding_of(&p.law, at, away, delta),
                   slope = dpn_law_pdf(&p.law, t1) * -expm1(-0.3) / dpn_estimate_value(delta);
            near(got, slope * (2 * away + 8 * (at.t2 - nextafter(at.t2, 0))), 1e-12, "charge");
        }
    for (double epsilon = 0.05; epsilon < 1.9; epsilon += 0.1) { /* the first double beyond */
        struct threshold at = threshold_of(&p, epsilon);
        assert_true(at.excess.hi >= 0);
        double before = nextafter(nextafter(at.t2, 0), 0);
        assert_true(threshold_at(&p, epsilon, nextafter(before, 0)).excess.hi <= 1e-15 &&
                    threshold_at(&p, epsilon, at.t2).excess.hi <= 1e-14);
    }
}

/* ---- whole numbers, and what is certain ---- */

static void whole_numbers(void **state) {
    (void)state;
    static const char *const laws[] = {"discrete-gaussian(sigma=3)", "discrete-osgt(m=1,sigma=4)",
                                       "discrete-flipped-huber(alpha=3,gamma=2)"};
    for (int i = 0; i < 3; i++)
        for (double d = 1; d < 30; d = 2 * d + 1)
            for (double epsilon = 0; epsilon < 12; epsilon = 2 * epsilon + 0.3) {
                dpn_profile p = profile_of(laws[i], d);
                long double truth = 0;
                for (double k = -200; k < 200; k++)
                    truth += fmax(0, dpn_law_pdf(&p.law, k) - exp(epsilon + dpn_law_log_pdf(&p.law, k + d)));
                dpn_estimate got = dpn_generic_delta(&p, epsilon);
                assert_true(got.error < 1e-8);
                assert_true(fabsl(dpn_estimate_value(got) - truth) <= 1e-11L * truth + 1e-17L);
            }
    /* P(X >= first) is delta but for nothing, where first lies far on the left. */
    dpn_profile p = profile_of("discrete-gaussian(sigma=3)", 80);
    double limit = 0;
    while (dpn_law_sf(&p.law, limit - 1) >= 1e-4 * TAIL_ERROR) limit++;
    assert_true(all_but_certain(&p, -limit) && !all_but_certain(&p, -limit + 1) && !all_but_certain(&p, limit) &&
                !all_but_certain(&p, 0));
    dpn_estimate far = far_out(&p, 1, -limit), tail = dpn_tail_estimate(&p, dpn_two(-limit - 1));
    assert_true(far.mantissa == tail.mantissa);
    near(far.error - tail.error, 2e-4 * TAIL_ERROR, 1e-3, "what is not certain");
    dpn_estimate near_by = far_out(&p, 1, 3), sum = dpn_positive_sum(&p, 1, 3);
    assert_true(near_by.mantissa == sum.mantissa && near_by.error == sum.error);
    assert_true(isinf(far_out(&p, 1, 0x1p53).error));
}

static void ends_of_epsilon(void **state) {
    (void)state;
    dpn_profile p = profile_of("logistic(scale=3)", 1); /* losses up to 1/3, which is no double */
    double below = nextafter(1 / 3.0, 0), above = nextafter(1 / 3.0, 1), lower, upper;
    dpn_profile_supremum(&p, &lower, &upper);
    assert_true(dpn_generic_delta(&p, upper).mantissa == 0 && dpn_generic_delta(&p, above).error == 0);
    assert_true(dpn_generic_delta(&p, below * 0.9).mantissa > 0);
    struct dpn_family family = *p.law.family;
    family.not_log_concave = true;
    p.law.family = &family;
    assert_true(isinf(dpn_generic_delta(&p, 0.1).error) && dpn_generic_delta(&p, 0.1).mantissa == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_points),      cmocka_unit_test(infinite_losses),
        cmocka_unit_test(sums_are_positive),    cmocka_unit_test(pieces_of_a_sum),
        cmocka_unit_test(differences_of_tails), cmocka_unit_test(distances_to_thresholds),
        cmocka_unit_test(whole_numbers),        cmocka_unit_test(ends_of_epsilon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
