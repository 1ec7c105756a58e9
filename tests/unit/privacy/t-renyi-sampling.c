/* Renyi divergences of releases from Poisson samples, against integrals over the noise, and the charge of a run against its profile. */
#include <dpnoise/filter.h>
#include <dpnoise/renyi.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return law;
}

static dpn_part part_of(const char *text, double sensitivity) {
    dpn_part part = {.times = 1};
    dpn_law law = law_of(text);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

static void assert_near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-12 * fabs(wanted))) fail_msg("%.17g, not %.17g", found, wanted);
}

/* ---- the second way: Simpson's rule over the noise, from the densities ---- */

/* log E x^power where the record is absent, x = 1 - q + q f(t - shift)/f(t): E x^a is that of present from absent, E x^(1-a) of absent
 * from present. Pieces end where densities have kinks. */
static double integral(const dpn_law *law, double shift, double q, double power, double reach) {
    enum { CELLS = 6000 };
    double from[] = {-reach, 0, shift, shift + reach}, sum = 0;
    for (int piece = 0; piece < 3; piece++) {
        double step = (from[piece + 1] - from[piece]) / CELLS;
        for (int i = 0; i <= CELLS; i++) {
            double t = from[piece] + i * step, f = dpn_law_log_pdf(law, t), g = dpn_law_log_pdf(law, t - shift);
            double weight = i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2;
            double tilt = power * (g - f > 30 ? log(q) + g - f : log1p(q * expm1(g - f)));
            sum += weight * step / 3 * (tilt > 30 ? exp(f + tilt) : exp(f) * expm1(tilt));
        }
    }
    return log1p(sum);
}

static const struct setting {
    const char *law;
    double shift, q, reach;
} settings[] = {
    {"gaussian(sigma=1.1)", 1, 0.01, 30},  {"gaussian(sigma=0.7)", 1, 0.3, 34}, {"gaussian(sigma=4)", 1, 0.001, 60},
    {"gaussian(sigma=2)", 1, 0.9, 40},     {"laplace(scale=2)", 1, 0.05, 100},  {"logistic(scale=1)", 1, 0.2, 60},
    {"subbotin(p=3,scale=4)", 1, 0.1, 90},
};
static const double orders[] = {1.1, 1.5, 2, 2.5, 4, 7.25, 16, 24};
enum { ORDERS = sizeof orders / sizeof *orders, SETTINGS = sizeof settings / sizeof *settings };

static void test_integrals(void **state) {
    (void)state;
    for (size_t s = 0; s < SETTINGS; s++) {
        const struct setting *at = &settings[s];
        dpn_part part = part_of(at->law, at->shift);
        dpn_law law = law_of(at->law);
        bool gaussian = at->law[0] == 'g';
        dpn_step step = {&part, 1, at->q, 1000};
        dpn_divergence found[ORDERS];
        assert_int_equal(dpn_renyi_sampling(found, &step, 1, orders, ORDERS, NULL), DPN_OK);
        for (size_t i = 0; i < ORDERS; i++) {
            double a = orders[i], present = 1000 * integral(&law, at->shift, at->q, a, at->reach) / (a - 1);
            double absent = 1000 * integral(&law, at->shift, at->q, 1 - a, at->reach) / (a - 1);
            bool exact = gaussian || a == floor(a);
            if (absent > present * (1 + 1e-9)) fail_msg("%s order %g: absent from present has more", at->law, a);
            if (!(found[i].lower <= present * (1 + 1e-8) && found[i].upper >= present * (1 - 1e-8)))
                fail_msg("%s q %g order %g: [%.15g, %.15g], not %.15g", at->law, at->q, a, found[i].lower,
                         found[i].upper, present);
            if (exact && found[i].upper > found[i].lower * (1 + 1e-7))
                fail_msg("%s order %g: too wide, [%.15g, %.15g]", at->law, a, found[i].lower, found[i].upper);
            if (found[i].upper > 2.2 * present)
                fail_msg("%s order %g: %g is far above %g", at->law, a, found[i].upper, present);
        }
    }
}

/* At the rate 1 it is a composition, at 0 nothing; without a bound of the loss the order inf is infinite, with one it is that of the
 * mixture; and phases add. */
static void test_edges(void **state) {
    (void)state;
    const double some[] = {3, 7.5, INFINITY};
    dpn_part gaussian = part_of("gaussian(sigma=2)", 1), laplace = part_of("laplace(scale=2)", 1);
    dpn_step all = {&gaussian, 1, 1, 10}, none = {&gaussian, 1, 0, 10}, bounded = {&laplace, 1, 0.25, 10};
    dpn_step both[] = {{&gaussian, 1, 0.1, 3}, {&gaussian, 1, 0.2, 5}}, vain = {&gaussian, 1, 0.1, 3};
    dpn_divergence out[3], one[3], two[3];
    assert_int_equal(dpn_renyi_sampling(out, &all, 1, some, 3, NULL), DPN_OK);
    assert_near(out[0].upper, 10 * 3 / 8.0);
    assert_true(isinf(out[2].upper));
    assert_int_equal(dpn_renyi_sampling(out, &none, 1, some, 3, NULL), DPN_OK);
    assert_true(out[1].upper == 0);
    assert_int_equal(dpn_renyi_sampling(out, &bounded, 1, some, 3, NULL), DPN_OK);
    assert_near(out[2].upper, 10 * log(0.75 + 0.25 * exp(0.5)));
    assert_true(out[0].upper < out[1].upper && out[1].upper < out[2].upper);
    assert_int_equal(dpn_renyi_sampling(out, both, 2, some, 2, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_sampling(one, &both[0], 1, some, 2, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_sampling(two, &both[1], 1, some, 2, NULL), DPN_OK);
    for (int i = 0; i < 2; i++) assert_near(out[i].upper, one[i].upper + two[i].upper);
    const double low = 1;
    assert_int_equal(dpn_renyi_sampling(out, &vain, 1, &low, 1, NULL), DPN_EDOMAIN);
    vain.rate = 1.5;
    assert_int_equal(dpn_renyi_sampling(out, &vain, 1, some, 1, NULL), DPN_EDOMAIN);
    dpn_part listed = {.times = 1};
    const double values[] = {-0.5, 1}, probabilities[] = {0.3, 0.7};
    assert_int_equal(dpn_loss_explicit(&listed.loss, values, probabilities, 2, NULL), DPN_OK);
    dpn_step list = {&listed, 1, 0.5, 1};
    dpn_error why;
    assert_int_equal(dpn_renyi_sampling(out, &list, 1, some, 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "explicit losses cannot be sampled");
}

/* Orders beyond all sums, and steps of two answers: Gaussian noise in two halves is one Gaussian, by a trapezoid sum; next to noise of
 * another family that hardly moves, by moments, and these two ways agree. */
static void test_two_ways(void **state) {
    (void)state;
    const double some[] = {2, 9, 80, 300};
    dpn_part halves[] = {part_of("gaussian(sigma=4)", 1), part_of("gaussian(sigma=4)", 1),
                         part_of("laplace(scale=1)", 0)};
    dpn_step smooth = {halves, 2, 0.02, 100}, sums = {halves, 3, 0.02, 100};
    dpn_divergence a[4], b[4];
    assert_int_equal(dpn_renyi_sampling(a, &smooth, 1, some, 4, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_sampling(b, &sums, 1, some, 4, NULL), DPN_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(b[i].lower <= a[i].upper && a[i].lower <= b[i].upper);
        assert_true(b[i].upper <= 1.02 * a[i].upper);
    }
    const double far = 1e6;
    assert_int_equal(dpn_renyi_sampling(a, &smooth, 1, &far, 1, NULL), DPN_OK);
    assert_true(a[0].upper <= 100 * (1e6 / 16) * (1 + 1e-9) && a[0].upper >= 0.9 * 100 * (1e6 / 16));
}

/* ---- charges ---- */

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    assert_int_equal(dpn_decimal_parse(&out, text, NULL), DPN_OK);
    return out;
}

static dpn_filter *filter_of(const char *epsilon, const char *delta) {
    dpn_filter *filter;
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    assert_int_equal(dpn_filter_new_default(&filter, &e, &d, NULL), DPN_OK);
    return filter;
}

/* What the filter says was spent, for all of delta, is never below what the run truly costs; nor far above. */
static void test_charge_against_profile(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double rate;
        uint64_t times;
    } runs[] = {{"gaussian(sigma=1.1)", 0.01, 1000},
                {"gaussian(sigma=0.8)", 0.001, 20000},
                {"gaussian(sigma=3)", 0.1, 500},
                {"gaussian(sigma=5)", 1, 30}};
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        dpn_part part = part_of(runs[i].law, 1);
        dpn_step step = {&part, 1, runs[i].rate, runs[i].times};
        dpn_filter *filter = filter_of("8", "1e-5");
        dpn_charge charge;
        dpn_epsilon truth;
        assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
        assert_false(charge.pure);
        assert_int_equal(dpn_filter_admit(filter, &charge, NULL), DPN_OK);
        assert_int_equal(dpn_sampling_epsilon(&truth, workspace, &step, 1, 1e-5, NULL, NULL), DPN_OK);
        double spent = dpn_filter_spent(filter).epsilon;
        if (!(spent >= truth.lower)) fail_msg("%s: %g spent, %g true", runs[i].law, spent, truth.lower);
        if (!(spent <= 2.5 * truth.lower)) fail_msg("%s: %g spent, %g true", runs[i].law, spent, truth.lower);
        dpn_filter_free(filter);
    }
    dpn_workspace_free(workspace);
}

/* A run that was calibrated to a budget fits it: not by its divergences, but as (epsilon, delta). What then is left is nothing. */
static void test_charge_of_the_whole(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_part part = part_of("gaussian(sigma=1.1)", 1);
    dpn_step step = {&part, 1, 0.01, 1000};
    dpn_epsilon truth;
    char text[40];
    assert_int_equal(dpn_sampling_epsilon(&truth, workspace, &step, 1, 1e-5, NULL, NULL), DPN_OK);
    snprintf(text, sizeof text, "%.6f", truth.upper + 1e-6);
    dpn_filter *filter = filter_of(text, "1e-5");
    dpn_charge charge;
    assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
    assert_true(charge.pure);
    assert_int_equal(dpn_filter_admit(filter, &charge, NULL), DPN_OK);
    step.times = 10; /* nothing of delta is left */
    assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_filter_admit(filter, &charge, NULL), DPN_EBUDGET);
    dpn_filter_free(filter);

    snprintf(text, sizeof text, "%.6f", truth.lower - 2e-6);
    filter = filter_of(text, "1e-5");
    step.times = 1000;
    assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_filter_admit(filter, &charge, NULL), DPN_EBUDGET);
    dpn_filter_free(filter);
    dpn_workspace_free(workspace);
}

/* With a delta the run is (epsilon(delta), delta); noise without divergences needs one; bounded noise is pure. */
static void test_charge_kinds(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_filter *filter = filter_of("8", "1e-4");
    dpn_charge charge;
    dpn_epsilon truth;
    dpn_decimal delta = decimal("1e-6");
    dpn_part gaussian = part_of("gaussian(sigma=1.1)", 1), laplace = part_of("laplace(scale=4)", 1);
    dpn_part truncated = part_of("truncated-laplace(scale=1,bound=30)", 1);
    dpn_step step = {&gaussian, 1, 0.01, 1000};
    assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, &delta, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_sampling_epsilon(&truth, workspace, &step, 1, dpn_decimal_lower(&delta), NULL, NULL), DPN_OK);
    assert_true(charge.pure && dpn_decimal_compare(&charge.delta, &delta) == 0);
    assert_true(dpn_decimal_upper(&charge.epsilon) >= truth.upper && truth.upper > truth.lower);
    assert_true(dpn_decimal_lower(&charge.epsilon) <= truth.upper * (1 + 1e-6));
    step = (dpn_step){&laplace, 1, 0.1, 20};
    assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
    assert_true(charge.pure && dpn_decimal_is_zero(&charge.delta));
    assert_near(dpn_decimal_upper(&charge.epsilon), 20 * log1p(0.1 * expm1(0.25)));
    step.part = &truncated;
    step.times = 1;
    dpn_filter *pure = filter_of("8", "0");
    assert_int_equal(dpn_charge_sampling(&charge, pure, &step, 1, NULL, workspace, NULL), DPN_EUNSUPPORTED);
    step.part = &gaussian;
    assert_int_equal(dpn_charge_sampling(&charge, pure, &step, 1, NULL, workspace, NULL), DPN_EUNSUPPORTED);
    dpn_filter_free(pure);
    dpn_filter_free(filter);
    dpn_workspace_free(workspace);
}

/* Phases add up, in whatever order they come: the largest losses, which have a closed form, and the divergences of each by itself. */
static void test_charge_of_phases(void **state) {
    static const struct {
        const char *law;
        double loss, rate;
        uint64_t times;
    } phase[] = {
        {"laplace(scale=4)", 0.25, 0.1, 20}, {"laplace(scale=2)", 0.5, 0.5, 4}, {"laplace(scale=10)", 0.1, 1, 3}};
    static const size_t order[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_filter *filter = filter_of("8", "1e-4");
    dpn_filter_plan plan = dpn_filter_plan_of(filter);
    for (size_t o = 0; o < 3; o++)
        for (size_t count = 1; count <= 3; count++) {
            dpn_part part[3];
            dpn_step step[3];
            dpn_charge charge;
            double epsilon = 0, sum[DPN_FILTER_ORDERS] = {0};
            for (size_t i = 0; i < count; i++) {
                size_t k = order[o][i];
                dpn_divergence one[DPN_FILTER_ORDERS];
                part[i] = part_of(phase[k].law, 1);
                step[i] = (dpn_step){&part[i], 1, phase[k].rate, phase[k].times};
                epsilon += (double)phase[k].times * log1p(phase[k].rate * expm1(phase[k].loss));
                assert_int_equal(dpn_renyi_sampling(one, &step[i], 1, plan.order, plan.orders, NULL), DPN_OK);
                for (size_t a = 0; a < plan.orders; a++) sum[a] += one[a].lower;
            }
            assert_int_equal(dpn_charge_sampling(&charge, filter, step, count, NULL, workspace, NULL), DPN_OK);
            assert_true(charge.pure);
            assert_near(dpn_decimal_upper(&charge.epsilon), epsilon);
            for (size_t a = 0; a < plan.orders; a++) assert_true(charge.divergence[a] >= sum[a] * (1 - 1e-12));
        }
    dpn_filter_free(filter);
    dpn_workspace_free(workspace);
}

/* A budget between the two ends of what is known of a run's delta does not have it: what is charged as (epsilon, delta) is certain. */
static void test_charges_are_certain(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_part part = part_of("gaussian(sigma=1.1)", 1);
    dpn_step step = {&part, 1, 0.01, 1000};
    for (int i = 1; i <= 6; i++) {
        char epsilon[40], between[40];
        dpn_delta delta, charged;
        dpn_charge charge;
        snprintf(epsilon, sizeof epsilon, "%.2f", 0.5 * i);
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 0.5 * i, NULL, NULL), DPN_OK);
        assert_true(delta.lower < delta.upper);
        snprintf(between, sizeof between, "%.17g", delta.lower + 0.5 * (delta.upper - delta.lower));
        dpn_filter *filter = filter_of(epsilon, between);
        assert_int_equal(dpn_charge_sampling(&charge, filter, &step, 1, NULL, workspace, NULL), DPN_OK);
        if (charge.pure) {
            assert_int_equal(
                dpn_sampling_delta(&charged, workspace, &step, 1, dpn_decimal_lower(&charge.epsilon), NULL, NULL),
                DPN_OK);
            if (!(charged.upper <= dpn_decimal_upper(&charge.delta)))
                fail_msg("epsilon %s: delta %.17g, charged as %.17g", epsilon, charged.upper,
                         dpn_decimal_upper(&charge.delta));
        }
        dpn_filter_free(filter);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_two_ways),
        cmocka_unit_test(test_charge_against_profile),
        cmocka_unit_test(test_charge_of_the_whole),
        cmocka_unit_test(test_charge_kinds),
        cmocka_unit_test(test_charge_of_phases),
        cmocka_unit_test(test_charges_are_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
