/* Divergences on the integers from psi alone, piece by piece: sums against all their terms, where the tilted masses are largest, what is jumped over, and
 * the errors that are claimed. */
#include "privacy/renyi/terms.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Laws with pieces that end in a quadratic; the same without pieces; and one that ends straight, like Huber's. */
static const char *const texts[] = {"discrete-osgt(m=3,sigma=4)", "discrete-osgt(m=0.5,sigma=7)",
                                    "discrete-flipped-huber(alpha=30,gamma=12)",
                                    "discrete-flipped-huber(alpha=2.5,gamma=6)", "discrete-gaussian(sigma=5)"};
enum { TEXTS = sizeof texts / sizeof *texts, STRAIGHT = 2 * TEXTS, LAWS, POWER = LAWS, UNITS, MORE };
static dpn_law laws[MORE];
static struct dpn_family bare[TEXTS], huber, power, units;

enum { CORNER = 6 };
static const double rate = 0.02; /* psi'' up to the corner */

static dpn_twofold huber_psi(const dpn_law *law, double k) {
    (void)law;
    return dpn_two(k <= CORNER ? 0.5 * rate * k * k : rate * CORNER * (k - 0.5 * CORNER));
}

static bool huber_pieces(const dpn_law *law, dpn_pieces *out) {
    (void)law;
    *out = (dpn_pieces){.unit = {1, 1}, .count = 2, .piece = {{0, 0, rate}, {CORNER, rate * CORNER, 0}}};
    return true;
}

/* Whose tilted masses fall faster on the right than on the left. */
static dpn_twofold power_psi(const dpn_law *law, double k) {
    (void)law;
    return dpn_two(pow(k / 16, 4));
}

/* (x/2 + 3 x^2/2)/(2 8) in units that differ. */
static dpn_twofold units_psi(const dpn_law *law, double k) {
    (void)law;
    return dpn_two((0.5 * k + 1.5 * k * k) / 16);
}

static bool units_pieces(const dpn_law *law, dpn_pieces *out) {
    (void)law;
    *out = (dpn_pieces){.unit = {2, 8}, .count = 1, .piece = {{0, 0.5, 3}}};
    return true;
}

static double psi(const dpn_law *law, double k) {
    return dpn_two_value(law->family->psi(law, fabs(k)));
}

/* The rest of a law made of another family: what its masses add up to. */
static void make(dpn_law *law, const struct dpn_family *family) {
    double sum = 1;
    law->family = family;
    for (double k = 5000; k > 0; k--) sum += 2 * exp(-psi(law, k));
    law->constant[DPN_PDF0] = 1 / sum;
    law->constant[DPN_LOG_PDF0] = -log(sum);
}

static int make_laws(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        laws[i] = laws[TEXTS + i] = case_law(texts[i]);
        bare[i] = *laws[i].family;
        bare[i].pieces = NULL;
        bare[i].continuous = NULL;
        make(&laws[TEXTS + i], &bare[i]);
    }
    huber =
        (struct dpn_family){.name = "huber on the integers", .integer = true, .psi = huber_psi, .pieces = huber_pieces};
    make(&laws[STRAIGHT], &huber);
    power = (struct dpn_family){.name = "power", .integer = true, .psi = power_psi};
    make(&laws[POWER], &power);
    units = (struct dpn_family){.name = "units", .integer = true, .psi = units_psi, .pieces = units_pieces};
    make(&laws[UNITS], &units);
    return 0;
}

static void near(double got, double wanted, double relative, const char *what) {
    if (!(fabs(got - wanted) <= relative * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

static double exponent(const subject *at, double k) {
    return at->theta * psi(at->law, k + at->shift) - (1 + at->theta) * psi(at->law, k);
}

/* The largest tilted mass, of all. */
static double top_of(const subject *at, double *where) {
    double top = -INFINITY, last = 5000 + at->theta * at->shift * 3;
    for (double k = -ceil(at->shift); k < last; k++)
        if (exponent(at, k) > top) top = exponent(at, k), *where = k;
    return top;
}

/* log sum p(k)^a p(k + d)^(1 - a)/(a - 1), or for a = 1 sum p(k) L(k), over all whole numbers. */
static double divergence(const subject *at) {
    double where, top = at->theta > 0 ? top_of(at, &where) : 0, last = ceil(6000 + at->theta * at->shift * 3);
    long double sum = 0;
    for (double k = -last; k <= last; k++) {
        double loss = psi(at->law, k + at->shift) - psi(at->law, k);
        sum += at->theta > 0 ? expl((long double)exponent(at, k) - top) : loss * expl(-(long double)psi(at->law, k));
    }
    if (at->theta == 0) return (double)sum * at->law->constant[DPN_PDF0];
    return (double)(logl(sum * at->law->constant[DPN_PDF0]) + top) / at->theta;
}

static subject draw_subject(draw_source *source, int trial) {
    double theta = trial % 7 ? draw_log_uniform(source, 0.02, trial % 3 ? 3 : 40) : 0;
    return (subject){&laws[trial % LAWS], floor(draw_log_uniform(source, 1, trial % 2 ? 9 : 60)), theta};
}

/* ---- where the mass is ---- */

static void losses_and_masses(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++)
        for (double k = -2; k < 30; k++) { /* from the middle of the loss on */
            subject at = {&laws[i], 5, 0.7};
            double mass, loss = loss_at(&at, k, &mass);
            near(mass, -psi(at.law, k), 1e-15, "mass");
            near(loss, psi(at.law, k + 5) - psi(at.law, k), 1e-12, "loss");
            assert_true(fabs(exponent_at(&at, k) - exponent(&at, k)) < 1e-12);
        }
}

static void stretches_hold_the_peak(void **state) {
    (void)state;
    draw_source source = {341};
    int jumps = 0;
    for (int trial = 0; trial < 10 * LAWS; trial++) {
        subject at = draw_subject(&source, trial);
        double where = 0, top = top_of(&at, &where);
        stretch along = stretch_of(&at);
        int law = trial % LAWS;
        if (law < TEXTS) { /* beyond the corner they are those of a Gaussian around the peak */
            for (double k = fmax(along.corner, along.peak); k < along.peak + 20; k += 3)
                near(exponent(&at, ceil(k) + 1) - exponent(&at, ceil(k)),
                     -(ceil(k) + 0.5 - along.peak) / along.width / along.width, 1e-9, "a Gaussian's fall");
            double flat = along.flat_end - along.flat; /* and on the straight piece before the loss is constant */
            if (flat > 2) {
                double mass, first = loss_at(&at, ceil(along.flat), &mass);
                for (double k = ceil(along.flat); k <= along.flat_end; k++)
                    assert_true(fabs(loss_at(&at, k, &mass) - first) < 1e-12);
                jumps++;
            }
            if (along.peak > along.corner && where > along.corner) assert_true(fabs(where - along.peak) <= 1);
        } else if (law < STRAIGHT) {
            near(along.peak, fmax(1, where), law == 2 * TEXTS - 1 ? 0.05 : 0, "peak"); /* of equals any */
            double half = reach * along.width;
            assert_true(exponent(&at, along.peak + half) <= top - drop &&
                        (along.peak < half || exponent(&at, along.peak - half) <= top - drop));
            bool right = exponent(&at, along.peak + floor(0.5 * half)) > top - drop,
                 left = half >= 2 && exponent(&at, along.peak - floor(0.5 * half)) > top - drop;
            assert_true(right || left || half <= 1);
            assert_true(along.flat == 0 && along.flat_end == 0 && along.corner == 0);
        } else { /* masses fall from the corner on, at the last slope; 42 of it within the reach */
            assert_true(along.corner == CORNER && along.peak == CORNER && along.flat_end == 0);
            assert_true(psi(at.law, CORNER + reach * along.width) >= 42 * 0.9 && along.width > 0);
            near(along.width, 42 / at.law->constant[DPN_PDF0] / 9.5, 1e-12, "width");
        }
    }
    assert_true(jumps > 2);
    int wider = 0;
    for (double theta = 0.5; theta < 3e3; theta *= 1.3) {
        subject at = {&laws[POWER], 3, theta}, unit = {&laws[UNITS], 3, theta};
        double where = 0, top = top_of(&at, &where);
        stretch along = stretch_of(&at);
        assert_true(along.peak == where || exponent(&at, along.peak) == top);
        double half = reach * along.width, left = exponent(&at, fmax(0, where - half)),
               right = exponent(&at, where + half);
        assert_true((where <= half || left <= top - drop) && right <= top - drop);
        assert_true(exponent(&at, where + floor(0.5 * half)) > top - drop ||
                    exponent(&at, where - floor(0.5 * half)) > top - drop);
        wider += exponent(&at, where + floor(0.5 * half)) <= top - drop;
        along = stretch_of(&unit);
        near(along.width, sqrt(16.0 / 3), 1e-14, "width");
        near(along.peak, 3 * theta - 0.5 / 3, 1e-14, "peak");
        assert_true(along.corner == 0 && along.flat_end == 0);
        if (theta < 9) near(dpn_terms_few(&laws[UNITS], 3, theta).value, divergence(&unit), 1e-9, "few");
    }
    assert_true(wider > 0); /* on the left alone */
}

/* What lies between one term and the next weighs nothing. */
static void what_is_jumped_over_is_nothing(void **state) {
    (void)state;
    draw_source source = {342};
    static const char *const far[] = {"discrete-flipped-huber(alpha=400,gamma=20)",
                                      "discrete-flipped-huber(alpha=90,gamma=3)", "discrete-osgt(m=2,sigma=3)"};
    int over = 0;
    for (int trial = 0; trial < 60; trial++) {
        dpn_law law = case_law(far[trial % 3]);
        subject at = {&law, floor(draw_log_uniform(&source, 1, 120)),
                      trial % 5 ? draw_log_uniform(&source, 0.1, 200) : 0};
        stretch along = stretch_of(&at);
        double top = -INFINITY, where = 0, highest = top_of(&at, &where);
        long double all = 0, left = 0;
        double k = ceil(-0.5 * at.shift), next, asked = 0;
        for (; k < INFINITY; k = next) {
            double here = exponent(&at, k);
            top = fmax(top, here);
            next = next_term(&along, k, here, top);
            assert_true(next > k);
            all += expl(here - highest);
            asked++;
            if (next > k + 1) over += isfinite(next);
            double last = isfinite(next) ? next : k + 500;
            if (last > k + 1e6) continue;
            for (double j = k + 1; j < last; j++) left += expl(exponent(&at, j) - highest);
        }
        if (!(left <= (4 + along.width) * 1e-17L * all))
            fail_msg("%s at %g, theta %g: left out %Lg of %Lg", far[trial % 3], at.shift, at.theta, left, all);
        double room = at.shift + 2 * along.corner + 20 * along.width + 50; /* and most of it is not looked at */
        assert_true(asked <= room);
    }
    assert_true(over > 20);
}

/* ---- sums ---- */

static void sums_are_those_of_all_terms(void **state) {
    (void)state;
    draw_source source = {343};
    for (int trial = 0; trial < 8 * LAWS; trial++) {
        subject at = draw_subject(&source, trial);
        double truth = divergence(&at);
        stretch along = stretch_of(&at);
        dpn_growth few = dpn_terms_few(at.law, at.shift, at.theta),
                   chosen = dpn_terms_divergence(at.law, at.shift, at.theta);
        near(few.value, truth, 1e-9, "few");
        /* What the density at zero may err by, what is left out, and roundings. */
        double plain = DPN_PLAIN_ERROR + 1e-17 * (4 + along.width),
               part = expm1(at.theta * truth) < 1 ? 1 : 1.5 / (at.theta * truth);
        double rest = few.error - plain * part;
        if (!(rest >= 0 && rest <= 1e-12))
            fail_msg("%s: error %g, %g of the density", at.law->family->name, few.error, plain * part);
        assert_true(chosen.value == few.value && chosen.error >= few.error);
        if (trial % LAWS < TEXTS || trial % LAWS == STRAIGHT)
            assert_true(chosen.error == few.error); /* psi is known from its pieces */
        dpn_growth many = dpn_terms_many(at.law, at.shift, at.theta);
        near(many.value, truth, 1e-9, "many");
        double cumulant = at.theta * truth, largest = exponent(&at, fmax(0, floor(along.peak)));
        double claimed = largest > 100 ? DPN_SMOOTH_ERROR / cumulant : DPN_SMOOTH_ERROR;
        if (!(many.error >= claimed && many.error <= claimed * (1 + 1e-3) + 1e-12))
            fail_msg("%s: error %g of many", at.law->family->name, many.error);
    }
}

/* Each summand, in both forms; the middle of the loss counts half. */
static void summands(void **state) {
    (void)state;
    subject at = {&laws[1], 6, 1.5};
    wide plain = {&at, 0}, large = {&at, 2.5};
    for (double k = -3; k < 30; k++) {
        double loss = psi(at.law, k + 6) - psi(at.law, k), mass = exp(-psi(at.law, k)), half = k == -3 ? 0.5 : 1;
        double gain = mass * expm1(1.5 * loss) / 1.5 * -expm1(-2.5 * loss),
               tilted = mass * (exp(1.5 * loss) + exp(-2.5 * loss)) * exp(-2.5);
        assert_true(fabs(summand_at(&plain, k) - half * gain) <= 1e-12 * gain);
        near(summand_at(&large, k), half * tilted, 1e-12, "tilted");
    }
}

/* From one bend to the next both psi are quadratic: third differences vanish. */
static void between_bends_all_is_smooth(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        if (i >= TEXTS && i < STRAIGHT) continue;
        for (double shift = 1; shift < 30; shift += 4) {
            subject at = {&laws[i], shift, 0.4};
            stretch along = stretch_of(&at);
            int steps = 0;
            for (double k = ceil(-0.5 * shift); k < 60; steps++) {
                double next = next_bend(&at, &along, k, k + 15);
                assert_true(next > k && next <= k + 15);
                for (double j = k; j + 3 < next; j++) {
                    double third =
                        psi(at.law, j + 3) - 3 * psi(at.law, j + 2) + 3 * psi(at.law, j + 1) - psi(at.law, j);
                    double moved = psi(at.law, j + 3 + shift) - 3 * psi(at.law, j + 2 + shift) +
                                   3 * psi(at.law, j + 1 + shift) - psi(at.law, j + shift);
                    assert_true(fabs(third) < 1e-10 && fabs(moved) < 1e-10);
                }
                bool middle = k == -0.5 * shift; /* half a term is a stretch by itself */
                if (middle) assert_true(next <= k + 2);
                k = next;
            }
            assert_true(steps <= 4 + 2 * 5);
        }
    }
}

/* ---- wide noise ---- */

/* In the limit of wide noise the divergence is that of the density on the line: here Gaussian. */
static void wide_noise(void **state) {
    (void)state;
    for (double sigma = 3e3; sigma < 1e7; sigma *= 30)
        for (double theta = 0.01; theta < 1e4; theta *= 20) {
            double parameter[] = {0, sigma}, shift = floor(0.7 * sigma);
            dpn_law law;
            assert_int_equal(dpn_law_make(&law, "discrete-osgt", parameter, 2, NULL), DPN_OK);
            dpn_growth got = dpn_terms_divergence(&law, shift, theta), many = dpn_terms_many(&law, shift, theta);
            double truth = 0.5 * (1 + theta) * (shift / sigma) * (shift / sigma);
            assert_true(got.value == many.value && got.error == many.error);
            near(got.value, truth, 1e-11, "wide Gaussian");
            double cumulant = theta * truth, part = cumulant > 100 ? 1 / cumulant : 1;
            assert_true(got.error >= 1e-9 * part && got.error <= 1.1e-9 * part + 1e-13 + 1e-12 * theta);
        }
    /* Up to 8192 terms are added one by one: here shift/2 + twice 9.5 sigma of them. */
    for (int side = 0; side < 2; side++) {
        double sigma = side ? 440 : 420, parameter[] = {0, sigma};
        dpn_law law;
        assert_int_equal(dpn_law_make(&law, "discrete-osgt", parameter, 2, NULL), DPN_OK);
        dpn_growth got = dpn_terms_divergence(&law, 100, 1), few = dpn_terms_few(&law, 100, 1),
                   many = dpn_terms_many(&law, 100, 1);
        assert_true(side ? got.error == many.error && got.value == many.value
                         : got.error == few.error && got.value == few.value);
    }
    /* Whole numbers end at 2^52. */
    double parameter[] = {0, 1e12};
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "discrete-osgt", parameter, 2, NULL), DPN_OK);
    assert_true(dpn_terms_divergence(&law, 1e12, 1).error < 1e-8);
    assert_true(isinf(dpn_terms_divergence(&law, 1e12, 1e4).error) && isinf(dpn_terms_divergence(&law, 5e15, 1).error));
}

/* Of a psi that is known to a few ulps a loss errs, and with it the gain: by (theta + 2/L) dL relative; sixteen times that, at one place, is claimed. */
static void doubt_without_pieces(void **state) {
    (void)state;
    draw_source source = {344};
    for (int trial = 0; trial < 60; trial++) {
        subject at = draw_subject(&source, trial);
        int law = TEXTS + trial % TEXTS;
        at.law = &laws[law];
        stretch along = stretch_of(&at);
        double k = floor(along.peak + fmin(along.width, 1 / at.law->constant[DPN_PDF0])),
               loss = psi(at.law, k + at.shift) - psi(at.law, k);
        double moved = DPN_PSI_ERROR * (psi(at.law, k + at.shift) + psi(at.law, k)); /* each psi by its own part */
        double doubt = doubt_of_losses(&at, &along);
        near(doubt, 16 * (at.theta + 2 / loss) * moved, 1e-9, "doubt");
        dpn_growth got = dpn_terms_divergence(at.law, at.shift, at.theta),
                   few = dpn_terms_few(at.law, at.shift, at.theta);
        near(got.error - few.error, doubt / fmax(1, at.theta * few.value), 1e-6, "its part of the error");
        subject known = at;
        known.law = &laws[trial % TEXTS];
        stretch other = stretch_of(&known);
        assert_true(doubt_of_losses(&known, &other) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_and_masses),
        cmocka_unit_test(stretches_hold_the_peak),
        cmocka_unit_test(what_is_jumped_over_is_nothing),
        cmocka_unit_test(sums_are_those_of_all_terms),
        cmocka_unit_test(summands),
        cmocka_unit_test(between_bends_all_is_smooth),
        cmocka_unit_test(wide_noise),
        cmocka_unit_test(doubt_without_pieces),
    };
    return cmocka_run_group_tests(tests, make_laws, NULL);
}
