/* Divergences of smooth noise by the double-exponential rule, piece by piece: its points against Gauss rules, peaks and ends of the tilted density against
 * what a walk finds, and the errors that are claimed. */
#include "privacy/renyi/integral.c" /* to see each piece */

#include "case.h"
#include "privacy/loss/gauss-legendre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const texts[] = {"gaussian(sigma=1.5)", "logistic(scale=2)", "subbotin(p=3,scale=1)",
                                    "subbotin(p=1.5,scale=0.4)", "osgt(m=1,sigma=2)"};
enum { TEXTS = sizeof texts / sizeof *texts };
static dpn_law laws[TEXTS];

static int read_laws(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++) laws[i] = case_law(texts[i]);
    return 0;
}

static subject subject_of(int law, double shift, double theta) {
    return (subject){&laws[law], dpn_closed_form_of(&laws[law]), shift, theta};
}

/* psi and the loss once more, from the densities of the law; losses of a shift that is not small. */
static double psi(const subject *s, double t) {
    return dpn_law_log_pdf(s->law, 0) - dpn_law_log_pdf(s->law, t);
}

static double loss(const subject *s, double t) {
    return fmax(0, psi(s, t + s->shift) - psi(s, t));
}

typedef double weighed(const subject *s, double t, double top);

static double tilted_mass(const subject *s, double t, double top) {
    double q = s->theta * loss(s, t) - psi(s, t);
    return exp(q - top) + exp(-(1 + s->theta) * loss(s, t) - psi(s, t) - top);
}

static double gain(const subject *s, double t, double top) {
    (void)top;
    double l = loss(s, t), fall = -expm1(-(1 + s->theta) * l);
    if (s->theta == 0) return exp(-psi(s, t)) * l * fall;
    return (exp(s->theta * l - psi(s, t)) - exp(-psi(s, t))) / s->theta * fall;
}

static double gauss(weighed *f, const subject *s, double from, double to, double top) {
    enum { PANELS = 30 };
    const dpn_gauss *rule = &dpn_gauss_rule[2];
    double h = (to - from) / (2 * PANELS), sum = 0;
    for (int p = 0; p < PANELS; p++)
        for (size_t i = 0; i < 32; i++) {
            double x = i < 16 ? rule->node[i] : -rule->node[i - 16];
            sum += rule->weight[i % 16] * f(s, from + h * (2 * p + 1 + x), top);
        }
    return h * sum;
}

static void near(double got, double wanted, double relative, const char *what) {
    if (!(fabs(got - wanted) <= relative * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

/* ---- the rule ---- */

static void points_make_an_integral(void **state) {
    (void)state;
    draw_source source = {331};
    for (int trial = 0; trial < 100; trial++) {
        double theta = trial % 6 ? draw_log_uniform(&source, 0.1, 5) : 0, shift = draw_uniform(&source, 0.3, 2);
        subject s = subject_of(trial % TEXTS, shift, theta);
        double low = trial % 3 == 0 ? -0.5 * shift : trial % 3 == 1 ? 0 : draw_uniform(&source, 0.2, 1);
        double high = trial % 3 == 0 ? 0 : low + draw_uniform(&source, 0.2, 3), step = 1.0 / 32;
        double end[] = {low, 0.5 * (low + high), high};
        size_t ends = 3;
        if (trial % 3 == 0) end[1] = high, ends = 2; /* up to 0, where points keep their distance from it */
        dpn_tilted coarse = one_rule(&s, end, ends, -REACH, step);
        dpn_tilted between = one_rule(&s, end, ends, -REACH + 0.5 * step, step), both = coarse;
        assert_true(coarse.theta == theta && coarse.symmetric);
        double tilted = gauss(tilted_mass, &s, low, high, 0), whole = gauss(gain, &s, low, high, 0);
        near(dpn_two_value(coarse.tilted) * exp(coarse.top), tilted, 1e-9, "tilted masses");
        near(dpn_two_value(coarse.gain), whole, 1e-9, "gain");
        near(dpn_two_value(between.gain), whole, 1e-9, "gain between");
        merge(&both, &between);
        halve(&both);
        near(dpn_two_value(both.tilted) * exp(both.top), tilted, 1e-9, "both");
        near(dpn_two_value(both.gain), whole, 1e-9, "gain of both");
        near(both.tilted_error, 0.5 * (coarse.tilted_error + between.tilted_error), 1e-12, "error of both");
        near(both.gain_error, 0.5 * (coarse.gain_error + between.gain_error), 1e-12, "error of the gain of both");
        /* Psi counts three times for the rounding of exponents: an average, 32 units and 16 of 3 psi + theta L each. */
        double most = 3 * fmax(psi(&s, high), psi(&s, low)) + theta * loss(&s, high),
               least = 3 * psi(&s, low >= 0 ? low : 0);
        assert_true(coarse.gain_error >= 0.5 * DBL_EPSILON * (32 + 16 * least) * whole * (1 - 1e-6));
        assert_true(coarse.gain_error <= 0.5 * DBL_EPSILON * (32 + 16 * most) * whole * (1 + 1e-6));
    }
    subject s = subject_of(0, 1, 1e-9); /* hardly tilted, far out: 3 psi alone counts */
    const double end[] = {20, 20.01};
    dpn_tilted far = one_rule(&s, end, 2, -REACH, 0.125);
    near(far.gain_error / dpn_two_value(far.gain), 0.5 * DBL_EPSILON * (32 + 48 * psi(&s, 20)), 1e-2, "error far out");
}

/* Sums of units that differ: those of the larger. */
static void sums_are_merged(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        dpn_tilted high = {
            .theta = 1, .top = 700, .tilted = {3, 1e-17}, .tilted_error = 1e-3, .gain = {5, 1e-17}, .gain_error = 2};
        dpn_tilted low = {
            .theta = 1, .top = 698, .tilted = {2, 1e-17}, .tilted_error = 1e-2, .gain = {7, 2e-17}, .gain_error = 4};
        dpn_tilted *into = side ? &high : &low;
        merge(into, side ? &low : &high);
        assert_true(into->top == 700);
        near(dpn_two_value(into->tilted), 3 + 2 * exp(-2), 1e-15, "tilted");
        near(into->tilted_error, 1e-3 + 1e-2 * exp(-2), 1e-15, "error");
        assert_true(into->gain.hi == 12 && into->gain_error == 6);
        near(into->gain.lo, 3e-17, 1e-12, "what is below a double");
        halve(into);
        assert_true(into->gain.hi == 6 && into->gain_error == 3 && into->top == 700);
        near(into->gain.lo, 1.5e-17, 1e-12, "half of it");
        near(into->tilted_error, 0.5e-3 + 0.5e-2 * exp(-2), 1e-15, "half the error");
        near(dpn_two_value(into->tilted), 1.5 + exp(-2), 1e-15, "half");
    }
}

/* ---- where the mass is ---- */

static void peaks_and_ends(void **state) {
    (void)state;
    draw_source source = {332};
    int around = 0, three = 0, four = 0;
    for (int trial = 0; trial < 200; trial++) {
        double theta = trial % 9 ? draw_log_uniform(&source, 1e-3, 300) : 0,
               shift = draw_log_uniform(&source, 0.01, 20);
        subject s = subject_of(trial % TEXTS, shift, theta);
        double unit = 1 / s.law->constant[DPN_PDF0], peak = peak_of(&s, unit), end[4];
        double top = s.theta * loss(&s, peak) - psi(&s, peak);
        for (double t = 0.01 * unit; t < 1e6 * unit; t *= 1.1) { /* nowhere is it higher */
            double here = s.theta * loss(&s, t) - psi(&s, t);
            if (!(here <= top + 1e-9 * (1 + fabs(top))))
                fail_msg("%s: %g at %g, %g at the peak %g", texts[trial % TEXTS], here, t, top, peak);
        }
        if (theta == 0) assert_true(peak == 0);
        double side = trial % 2 && peak > 0 ? -1 : 1;
        for (double first = 1e-3; first < 1e4; first *= 1e3) {
            double step = reach_of(&s, peak, side * first * unit), fell = top - tilted_at(&s, peak + step);
            assert_true(step * side > 0);
            if (!(fell >= 60 * (1 - 1e-9) && fell <= 150)) fail_msg("%s: fallen by %g", texts[trial % TEXTS], fell);
        }
        size_t ends = find_ends(&s, end, peak, unit);
        double last = tilted_at(&s, end[ends - 1]);
        assert_true(top - last >= 60 * (1 - 1e-9) && top - last <= 150);
        if (top - tilted_at(&s, 0) > 120) {
            assert_true(ends == 3 && end[1] == peak && end[0] < peak && end[0] > 0);
            double first = top - tilted_at(&s, end[0]);
            assert_true(first >= 60 * (1 - 1e-9) && first <= 150);
            around++;
            continue;
        }
        assert_true(end[0] == -0.5 * shift && end[1] == 0);
        if (ends == 3) three++;
        if (ends == 4) assert_true(end[2] == peak && peak > 0.019 * end[3]), four++;
        if (ends == 3) assert_true(peak <= 0.0201 * end[2]);
    }
    assert_true(around > 10 && three > 20 && four > 20);
}

/* ---- errors ---- */

/* (e^(theta L) - 1)/theta (1 - e^(-(1 + theta) L)), weighed by its own error (theta + 2/L) dL, against the gain itself: four times the average. */
static double error_of_gain(const subject *s, double t, double top) {
    double l = loss(s, t);
    return l > 0 ? gain(s, t, top) * (s->theta + 2 / l) * doubt_of(s, t, l) : 0;
}

static void doubts_are_averages(void **state) {
    (void)state;
    draw_source source = {333};
    for (int trial = 0; trial < 60; trial++) {
        int law = 1 + trial % 3;
        subject s = subject_of(law, draw_uniform(&source, 0.5, 3), trial % 5 ? draw_log_uniform(&source, 1e-2, 4) : 0);
        double unit = 1 / s.law->constant[DPN_PDF0], peak = peak_of(&s, unit), end[4], part = 0, all = 0;
        if (trial % 2) s.form = NULL; /* of psi alone */
        size_t ends = find_ends(&s, end, peak, unit);
        for (size_t i = 1; i < ends; i++) {
            part += gauss(error_of_gain, &s, end[i - 1], end[i], 0);
            all += gauss(gain, &s, end[i - 1], end[i], 0);
        }
        near(doubt_of_losses(&s, end, ends, tilted_at(&s, peak)), 4 * part / all, 0.1, "doubt");
        double t = draw_uniform(&source, 0, 5), l = loss_at(&s, t);
        double wanted = trial % 2 ? DPN_PSI_ERROR * (2 * psi(&s, t) + l) : s.form->difference_error * l;
        near(doubt_of(&s, t, l), wanted, 1e-9, "doubt of a loss");
    }
    subject s = subject_of(0, 1, 1); /* no loss anywhere: nothing is known */
    s.shift = 0;
    const double end[] = {0, 1};
    assert_true(isinf(doubt_of_losses(&s, end, 2, 0)));
}

/* Gaussian noise by the rule: the value, and no more error than the claim, that of the density at zero and the doubt. */
static void divergences_and_their_errors(void **state) {
    (void)state;
    for (double shift = 0.1; shift < 9; shift *= 2)
        for (double theta = 1e-2; theta < 300; theta *= 5) {
            dpn_growth got = dpn_integral_divergence(&laws[0], shift, theta);
            double truth = (1 + theta) * shift * shift / 4.5;
            near(got.value, truth, 1e-12, "Gaussian");
            assert_true(got.error >= CLAIM && got.error <= CLAIM + 4e-12);
            struct dpn_family other = *laws[0].family; /* whose tail is an integral, and its density at zero */
            dpn_law law = laws[0];
            other.tail = NULL;
            law.family = &other;
            dpn_growth rough = dpn_integral_divergence(&law, shift, theta);
            near(rough.value, truth, 1e-12, "without a tail");
            bool weak =
                expm1(theta * truth) < 1; /* then M - 1 is what errs, else log M, of which 1.5 times as much is said */
            double more = rough.error - CLAIM,
                   plain = weak ? INTEGRATED_ERROR : 1.5 * INTEGRATED_ERROR / (theta * truth);
            /* The losses are those of psi now: their doubt is below 1e-11 here. */
            if (!(more >= plain && more <= plain + 2e-11))
                fail_msg("shift %g, theta %g: %g more, not %g", shift, theta, more, plain);
        }
    /* Order 1 is the Kullback-Leibler divergence; of logistic noise at shift d it is d coth(d/2) - 2, d in scales... */
    for (double d = 0.2; d < 10; d *= 2)
        near(dpn_integral_divergence(&laws[1], 2 * d, 0).value, d / tanh(0.5 * d) - 2, 1e-12, "logistic");
}

static void what_doubt_is_left_of_a_logarithm(void **state) {
    (void)state;
    dpn_law law = laws[2]; /* losses of psi alone */
    for (double theta = 0.5; theta < 200; theta *= 3) {
        subject s = {&law, dpn_closed_form_of(&law), 2, theta};
        double unit = 1 / law.constant[DPN_PDF0], peak = peak_of(&s, unit), end[4];
        size_t ends = find_ends(&s, end, peak, unit);
        double doubt = doubt_of_losses(&s, end, ends, tilted_at(&s, peak));
        dpn_growth got = dpn_integral_divergence(&law, 2, theta);
        double cumulant = fmax(1, theta * got.value), least = CLAIM + doubt / cumulant;
        assert_true(got.error >= least && got.error <= least + 5e-12);
    }
}

/* At the largest orders the peak is all: the height, and what the loss there may err by. */
static void heights_alone(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        subject s = subject_of(i, 3, 1e5);
        double peak = peak_of(&s, 1 / s.law->constant[DPN_PDF0]);
        dpn_growth got = height_alone(&s, peak);
        double l = loss(&s, peak), p = psi(&s, peak), height = s.theta * l - p;
        near(got.value, height / s.theta, 1e-9, "height");
        double doubt = s.theta * doubt_of(&s, peak, l) + 8 * DBL_EPSILON * (s.theta * l + p);
        near(got.error - CLAIM, doubt / height, 1e-4 + 1e-15 / (doubt / height), "its error");
    }
    for (double theta = 1e6; theta < 1e9;
         theta *= 10) { /* from 10^13 on it is taken: the width adds less than the claim */
        double shift = 3 * sqrt(2e13) / theta * 1.5;
        dpn_growth below = dpn_integral_divergence(&laws[0], 0.2 * shift, theta),
                   above = dpn_integral_divergence(&laws[0], shift, theta);
        double truth = (1 + theta) * shift * shift / 4.5;
        if (below.error < 1) near(below.value, truth * 0.04, below.error, "below");
        near(above.value, truth, above.error, "above");
        assert_true(above.error >= CLAIM && above.error <= 2 * CLAIM);
    }
    dpn_growth out = dpn_integral_divergence(&laws[2], 1e10, 1e299); /* beyond all numbers */
    assert_true(isinf(out.value) && isinf(out.error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_make_an_integral),
        cmocka_unit_test(sums_are_merged),
        cmocka_unit_test(peaks_and_ends),
        cmocka_unit_test(doubts_are_averages),
        cmocka_unit_test(divergences_and_their_errors),
        cmocka_unit_test(what_doubt_is_left_of_a_logarithm),
        cmocka_unit_test(heights_alone),
    };
    return cmocka_run_group_tests(tests, read_laws, NULL);
}
