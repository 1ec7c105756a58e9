/* Calibrated plans: certified, on the boundary, monotone, equivariant, and not beaten by a grid. */
#include <dpnoise/calibrate.h>

#include "calibrate/mechanism.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_plan plan_of(const char *family, double epsilon, double delta, const dpn_sensitivity *set,
                        const dpn_calibration_options *options) {
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, set, options, &why) != DPN_OK)
        fail_msg("%s (%g, %g): %s", family, epsilon, delta, why.sentence);
    if (!(plan.delta.upper <= delta)) fail_msg("%s: delta %g exceeds %g", family, plan.delta.upper, delta);
    return plan;
}

static double variance_of(const char *family, double epsilon, double delta, size_t dimension,
                          const dpn_calibration_options *options) {
    dpn_sensitivity set = {.dimension = dimension, .linf = 1};
    dpn_plan plan = plan_of(family, epsilon, delta, &set, options);
    double variance = plan.variance[0];
    dpn_plan_free(&plan);
    return variance;
}

static void expect(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * value)) fail_msg("%.10g is not %.10g", got, value);
}

/* ---- published and recomputed numbers ---- */

static void numbers_of_one_dimension(void **state) {
    (void)state;
    expect(variance_of("gaussian", 0.3, 1e-6, 1, NULL), 168.802, 3e-6);
    expect(variance_of("flipped-huber", 0.3, 1e-6, 1, NULL), 22.2128, 3e-6);
    expect(variance_of("truncated-laplace", 0.3, 1e-6, 1, NULL), 22.2114, 3e-6);
    expect(variance_of("staircase", 0.3, 0, 1, NULL), 22.139, 3e-6);
    expect(variance_of("laplace", 0.3, 1e-6, 1, NULL), 22.2219, 3e-6);
    expect(variance_of("gaussian", 3, 1e-6, 1, NULL), 2.38351, 3e-6);
    expect(variance_of("flipped-huber", 3, 1e-6, 1, NULL), 0.222219, 3e-6);
    expect(variance_of("staircase", 3, 1e-6, 1, NULL), 0.152674, 5e-6);
    /* Between the Laplace limit and the best bounded noise; 22.22108 was confirmed with 40 digits. */
    expect(variance_of("osgt", 0.3, 1e-6, 1, NULL), 22.22108, 1e-6);
    dpn_calibration_options restricted = {.size = sizeof(dpn_calibration_options), .shape_max = 0.6745};
    expect(variance_of("osgt", 0.3, 1e-6, 1, &restricted), 108.722, 1e-5);
}

static void numbers_of_many_dimensions(void **state) {
    (void)state;
    expect(variance_of("gaussian", 1, 1e-6, 10, NULL), 178.479, 3e-6);
    expect(variance_of("osgt", 1, 1e-6, 10, NULL), 162.911, 2e-5);
    expect(variance_of("flipped-huber", 1, 1e-6, 10, NULL), 178.088, 2e-5);
    expect(variance_of("osgt", 1, 1e-8, 20, NULL), 498.188, 2e-5);
    expect(variance_of("flipped-huber", 1, 1e-8, 20, NULL), 520.263, 2e-5);
    dpn_calibration_options sufficient = {.size = sizeof(dpn_calibration_options),
                                          .condition = DPN_CONDITION_SUFFICIENT};
    const double epsilon[] = {0.2, 0.4, 1, 2.2, 5}, value[] = {7211.49, 1970.71, 356.96, 83.62, 19.21};
    for (int i = 0; i < 5; i++) expect(variance_of("flipped-huber", epsilon[i], 1e-6, 20, &sufficient), value[i], 3e-4);
    expect(variance_of("flipped-huber", 0.3, 1e-8, 5, &sufficient), 555.56, 1e-5);
}

/* ---- properties ---- */

static const char *const quick[] = {"gaussian",  "laplace",           "logistic",          "flipped-huber",   "osgt",
                                    "staircase", "truncated-laplace", "discrete-gaussian", "discrete-laplace"};

static double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

/* The same laws narrower by 1e-9 are not certified. Families with one scale, on one coordinate. */
static void the_boundary_is_tight(void **state) {
    (void)state;
    const char *const families[] = {"gaussian", "laplace", "logistic", "discrete-gaussian", "discrete-laplace"};
    uint64_t seed = 5;
    for (int i = 0; i < 20; i++) {
        double epsilon = 0.1 + 2 * uniform(&seed), delta = pow(10, -1 - 9 * uniform(&seed));
        dpn_sensitivity set = {.dimension = 1, .linf = 1};
        dpn_plan plan = plan_of(families[i % 5], epsilon, delta, &set, NULL);
        double scale = dpn_law_parameter(&plan.block[0].law, i % 5 == 0 || i % 5 == 3 ? "sigma" : "scale") * (1 - 1e-9);
        dpn_law narrower;
        dpn_delta exceeded;
        assert_int_equal(dpn_law_make(&narrower, families[i % 5], &scale, 1, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&exceeded, &narrower, 1, epsilon, NULL), DPN_OK);
        if (!(exceeded.upper > delta)) fail_msg("%s (%g, %g) is wider than needed", families[i % 5], epsilon, delta);
        dpn_plan_free(&plan);
    }
}

/* Wide noise on the integers is nearly that on the reals, with different sensitivities too. */
static void wide_integers_are_nearly_reals(void **state) {
    (void)state;
    const double bound[] = {1, 3, 5};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    dpn_plan integers = plan_of("discrete-laplace", 0.1598, 1.5e-6, &set, NULL),
             reals = plan_of("laplace", 0.1598, 1.5e-6, &set, NULL);
    assert_true(integers.variance[0] > 30 * 30 && integers.variance[2] > integers.variance[0]);
    expect(integers.error, reals.error, 1e-4);
    dpn_plan_free(&integers);
    dpn_plan_free(&reals);
}

/* However wide they are and whatever the sensitivities: discrete Gaussian noise is the Gaussian's, and families that have it and
 * discrete Laplace noise in their limits are no worse than these. */
static void integers_of_any_width(void **state) {
    (void)state;
    const double two[] = {1, 200}, three[] = {1, 300, 100000}, close[] = {999999937, 1000000000, 1000000007};
    const dpn_sensitivity sets[] = {
        {.dimension = 2, .bound = two}, {.dimension = 3, .bound = three}, {.dimension = 3, .bound = close}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        dpn_plan integers = plan_of("discrete-gaussian", 1, 1e-2, &sets[i], NULL),
                 reals = plan_of("gaussian", 1, 1e-2, &sets[i], NULL);
        assert_true(integers.integer && integers.error > reals.error * (1 - 1e-6));
        double more = 2 * (double)sets[i].dimension; /* the proof has 1.5 for each answer */
        if (!(integers.error < reals.error * (1 + 1e-6) + more))
            fail_msg("set %zu: %.12g, and on the reals %.12g", i, integers.error, reals.error);
        static const char *const family[] = {"discrete-flipped-huber", "discrete-osgt", "truncated-geometric"};
        for (size_t f = 0; i == 0 && f < 3; f++) {
            dpn_plan other = plan_of(family[f], 1, 1e-2, &sets[i], NULL);
            if (f < 2) assert_true(other.error <= integers.error * (1 + 1e-9));
            assert_true(strstr(other.note, "were not looked at") != NULL);
            dpn_plan_free(&other);
        }
        dpn_plan_free(&integers);
        dpn_plan_free(&reals);
    }
    dpn_calibration_options given = {.size = sizeof given, .shape_min = 50, .shape_max = 50};
    dpn_plan plan;
    assert_int_equal(dpn_calibrate(&plan, "discrete-osgt", 1, 1e-2, &sets[0], &given, NULL), DPN_EUNSUPPORTED);
}

/* Near Laplace noise the loss of a Subbotin law takes minutes to certify; the member stands in for it. */
static void a_member_stands_in_for_what_is_slow(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 3, .linf = 4.1594255931528945};
    dpn_plan powers = plan_of("subbotin", 0.2449442142551765, 1.5943648877393252e-7, &set, NULL),
             laplace = plan_of("laplace", 0.2449442142551765, 1.5943648877393252e-7, &set, NULL);
    assert_true(powers.error <= laplace.error * (1 + 1e-9));
    dpn_plan_free(&powers);
    dpn_plan_free(&laplace);
}

static void error_falls_with_epsilon_delta_and_grows_with_sensitivity(void **state) {
    (void)state;
    int settings = points(36, 400);
    uint64_t seed = 1;
    for (int i = 0; i < settings; i++) {
        const char *family = quick[(size_t)i % (sizeof quick / sizeof *quick)];
        double epsilon = 0.1 + 3 * uniform(&seed), delta = pow(10, -2 - 8 * uniform(&seed));
        dpn_sensitivity set = {.dimension = 1, .linf = 1}, wider = {.dimension = 1, .linf = 2};
        dpn_plan plan = plan_of(family, epsilon, delta, &set, NULL),
                 more_epsilon = plan_of(family, 1.2 * epsilon, delta, &set, NULL);
        dpn_plan more_delta = plan_of(family, epsilon, 2 * delta, &set, NULL),
                 wide = plan_of(family, epsilon, delta, &wider, NULL);
        assert_true(more_epsilon.error <= plan.error * (1 + 1e-5));
        if (!(more_delta.error <= plan.error * (1 + 1e-5)))
            fail_msg("%s (%g, %g): %.10g rises to %.10g", family, epsilon, delta, plan.error, more_delta.error);
        assert_true(wide.error > plan.error);
        if (!plan.integer) expect(wide.error, 4 * plan.error, 2e-5);
        dpn_delta again;
        assert_int_equal(dpn_plan_delta(&again, NULL, NULL, &plan, &set, 1, epsilon, NULL, NULL), DPN_OK);
        assert_true(again.upper <= delta);
        dpn_plan_free(&plan);
        dpn_plan_free(&more_epsilon);
        dpn_plan_free(&more_delta);
        dpn_plan_free(&wide);
    }
}

/* For every ratio of a dense grid, bisect the scale on the exact one-dimensional profile: none has less variance. */
static void a_dense_grid_finds_nothing_better(void **state) {
    (void)state;
    const char *const families[] = {"flipped-huber", "osgt"};
    uint64_t seed = 9;
    for (int i = 0; i < 6; i++) {
        const char *family = families[i % 2];
        double epsilon = 0.1 + 2 * uniform(&seed), delta = pow(10, -2 - 6 * uniform(&seed));
        double found = variance_of(family, epsilon, delta, 1, NULL);
        for (int j = 0; j <= 300; j++) {
            double ratio = pow(10, -2 + 4.0 * j / 300), low = -12, high = 12;
            dpn_law law;
            for (int k = 0; k < 40; k++) {
                double scale = exp(0.5 * (low + high));
                dpn_delta d;
                assert_int_equal(dpn_law_make(&law, family, (const double[]){ratio * scale, scale}, 2, NULL), DPN_OK);
                assert_int_equal(dpn_profile_delta(&d, &law, 1, epsilon, NULL), DPN_OK);
                *(d.upper <= delta ? &high : &low) = log(scale);
            }
            assert_int_equal(dpn_law_make(&law, family, (const double[]){ratio * exp(high), exp(high)}, 2, NULL),
                             DPN_OK);
            if (dpn_law_variance(&law) < found * (1 - 1e-4))
                fail_msg("%s (%g, %g): ratio %g has variance %g, not %g", family, epsilon, delta, ratio,
                         dpn_law_variance(&law), found);
        }
    }
}

/* ---- coordinates that differ ---- */

static void different_sensitivities_pay(void **state) {
    (void)state;
    const double gauss[] = {1.14473, 2.44204, 9.65782}, laplace[] = {0.54586, 1.38955, 7.60903};
    for (int profile = 0; profile < 3; profile++) {
        double bound[20];
        for (int i = 0; i < 20; i++) bound[i] = profile == 0 ? i + 1 : profile == 1 ? (i + 1) * (i + 1) : exp(i + 1);
        dpn_sensitivity set = {.dimension = 20, .bound = bound};
        dpn_calibration_options same = {.size = sizeof(dpn_calibration_options), .identical = true};
        for (int which = 0; which < 2; which++) {
            const char *family = which ? "laplace" : "gaussian";
            dpn_plan one = plan_of(family, 1, which ? 0 : 1e-6, &set, &same),
                     each = plan_of(family, 1, which ? 0 : 1e-6, &set, NULL);
            assert_int_equal(one.blocks, 1);
            assert_int_equal(each.blocks, 20);
            double gain = 10 * log10(one.mse / each.mse);
            if (fabs(gain - (which ? laplace : gauss)[profile]) > 6e-6)
                fail_msg("%s %d: %.7g dB", family, profile, gain);
            dpn_plan_free(&one);
            dpn_plan_free(&each);
        }
    }
}

static void different_scales_are_never_worse(void **state) {
    (void)state;
    const double bound[] = {1, 1, 3, 0, 8};
    dpn_sensitivity set = {.dimension = 5, .bound = bound};
    dpn_calibration_options same = {.size = sizeof(dpn_calibration_options), .identical = true};
    const char *const families[] = {"gaussian", "laplace", "logistic"};
    for (int i = 0; i < 3; i++) {
        dpn_plan one = plan_of(families[i], 1, 1e-6, &set, &same), each = plan_of(families[i], 1, 1e-6, &set, NULL);
        assert_true(each.mse <= one.mse * (1 + 1e-8));
        assert_int_equal(each.blocks, 4);
        assert_ptr_equal(dpn_plan_law(&each, 3), NULL);
        assert_ptr_equal(dpn_plan_law(&each, 0), dpn_plan_law(&each, 1));
        assert_true(each.variance[3] == 0 && strstr(each.note, "no noise"));
        dpn_plan_free(&one);
        dpn_plan_free(&each);
    }
}

/* Noise is measured in the unit of the data: that unit changes no plan but by itself. */
static void the_unit_does_not_matter(void **state) {
    (void)state;
    const char *const families[] = {"random-box", "blocks", "start-box", "laplace", "gaussian"};
    const double units[] = {0x1p-20, 0x1p10, 0x1p20};
    for (int i = 0; i < 5; i++) {
        double plain = 0, bound[14];
        for (int k = -1; k < 3; k++) {
            double unit = k < 0 ? 1 : units[k];
            for (int j = 0; j < 14; j++) bound[j] = unit * (1 + j % 7);
            dpn_plan plan = plan_of(families[i], 0.5, 1e-6, &(dpn_sensitivity){.dimension = 14, .bound = bound}, NULL);
            if (k < 0) plain = plan.mse;
            if (!(fabs(plan.mse / (unit * unit) / plain - 1) < 1e-7))
                fail_msg("%s: %.17g in units of %g, not %.17g", families[i], plan.mse / (unit * unit), unit, plain);
            dpn_plan_free(&plan);
        }
    }
}

/* The delta of a random box is told from both sides: its event (t-box-lower.c of privacy has the proof's side) is a good part of it. */
static void random_boxes_have_a_lower_end(void **state) {
    (void)state;
    const double delta[] = {1e-4, 1e-3};
    for (int i = 0; i < 2; i++) {
        dpn_sensitivity set = {.dimension = 20, .linf = 1};
        dpn_plan plan = plan_of("random-box", 0.5, delta[i], &set, NULL);
        dpn_delta again;
        assert_int_equal(dpn_plan_delta(&again, NULL, NULL, &plan, &set, 1, 0.5, NULL, NULL), DPN_OK);
        assert_true(again.lower > 0.3 * again.upper && again.lower <= again.upper);
        assert_true(again.log_lower <= log(again.lower) && again.log_lower >= log(again.lower) - 1e-9);
        dpn_plan_free(&plan);
    }
}

/* A histogram: two cells move, whatever their number. */
static void a_histogram_is_two_coordinates(void **state) {
    (void)state;
    dpn_sensitivity histogram = {.dimension = 1000, .linf = 1, .max_changed = 2}, box = {.dimension = 1000, .linf = 1};
    dpn_plan plan = plan_of("gaussian", 1, 1e-6, &histogram, NULL);
    expect(plan.variance[0], variance_of("gaussian", 1, 1e-6, 2, NULL), 1e-8);
    dpn_plan_free(&plan);
    assert_true(dpn_sensitivity_like_histogram(&box));
    assert_false(dpn_sensitivity_like_histogram(&histogram));
    /* Whatever else says how the answers move together, or that they are no counts, is enough alone. */
    static const double equal[] = {2, 2, 2, 2}, other[] = {2, 2, 2, 1}, row[] = {1, 0, 0, 0};
    const dpn_sensitivity yes[] = {
        {.dimension = 4, .linf = 1}, {.dimension = 4, .bound = equal}, {.dimension = 4, .linf = 1, .max_changed = 4}};
    const dpn_sensitivity no[] = {{.dimension = 3, .linf = 1},
                                  {.dimension = 4, .linf = 1, .vertices = 1, .vertex = row},
                                  {.dimension = 4, .linf = 1, .l1 = 2},
                                  {.dimension = 4, .linf = 1, .l2 = 2},
                                  {.dimension = 4, .linf = 1, .max_changed = 3},
                                  {.dimension = 4, .linf = 0.5},
                                  {.dimension = 4, .bound = other}};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_true(dpn_sensitivity_like_histogram(&yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(dpn_sensitivity_like_histogram(&no[i]));
}

/* Closed forms: the largest l1 norm decides for pure Laplace noise, and weights change INID's allocations as Lagrange says. */
static void sets_and_weights_have_closed_forms(void **state) {
    (void)state;
    const double rows[] = {1, 2, 0, 0, 1, 3}, bound[] = {1, 2, 3}, weight[] = {1, 4, 1};
    dpn_sensitivity l1 = {.dimension = 5, .l1 = 1}, hull = {.dimension = 3, .vertex = rows, .vertices = 2};
    dpn_sensitivity box = {.dimension = 3, .bound = bound};
    dpn_calibration_options weighted = {.size = sizeof(dpn_calibration_options), .weight = weight};
    dpn_plan plan = plan_of("laplace", 1, 0, &l1, NULL);
    expect(plan.mse, 10, 1e-14);
    dpn_plan_free(&plan);
    plan = plan_of("laplace", 1, 0, &hull, NULL);
    expect(plan.mse, 3 * 2 * 16, 1e-14);
    dpn_plan_free(&plan);
    plan = plan_of("gaussian", 1, 1e-6, &box, &weighted);
    expect(plan.error, 64 * variance_of("gaussian", 1, 1e-6, 1, NULL), 4e-9); /* (sum lambda sqrt w)^2 */
    dpn_plan_free(&plan);
    plan = plan_of("laplace", 1, 0, &box, &weighted);
    expect(plan.error, 2 * pow(1 + cbrt(4) * cbrt(4) + cbrt(9), 3), 1e-13); /* 2 (sum lambda^(2/3) w^(1/3))^3 */
    dpn_plan_free(&plan);
}

/* ---- the other ways to ask ---- */

static void many_releases_are_many_coordinates(void **state) {
    (void)state;
    dpn_calibration_options ten = {.size = sizeof(dpn_calibration_options), .times = 10};
    expect(variance_of("gaussian", 1, 1e-6, 1, &ten), variance_of("gaussian", 1, 1e-6, 10, NULL), 1e-8);
    expect(variance_of("logistic", 1, 1e-6, 2, &ten), variance_of("logistic", 1, 1e-6, 20, NULL), 1e-8);
}

static void epsilon_for_an_error_leads_back(void **state) {
    (void)state;
    const char *const families[] = {"gaussian", "laplace", "flipped-huber"};
    for (int i = 0; i < 3; i++) {
        dpn_sensitivity set = {.dimension = 1, .linf = 1};
        dpn_plan plan = plan_of(families[i], 0.7, 1e-6, &set, NULL), back;
        dpn_error why;
        if (dpn_calibrate_epsilon(&back, families[i], plan.error, 1e-6, &set, NULL, &why)) fail_msg("%s", why.sentence);
        assert_true(back.error <= plan.error);
        expect(back.epsilon, 0.7, 4e-6);
        dpn_plan_free(&plan);
        dpn_plan_free(&back);
    }
}

static void a_comparison_is_ranked(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_comparison c;
    assert_int_equal(dpn_compare(&c, 0.3, 0, &set, NULL, NULL), DPN_OK);
    assert_int_equal(c.rows, 22);
    for (size_t i = 0; i < c.rows; i++) {
        assert_int_equal(c.row[i].status == DPN_OK, i < c.plans);
        if (i > 0 && i < c.plans) assert_true(c.row[i - 1].plan.error <= c.row[i].plan.error);
        if (i < c.plans) assert_true(c.row[i].plan.pure && c.row[i].plan.pure_epsilon <= 0.3 * (1 + 1e-15));
        assert_true((c.row[i].why.sentence[0] != 0) == (i >= c.plans));
    }
    assert_int_equal(c.plans, 6);
    dpn_comparison_free(&c);
}

static void what_cannot_be_done_is_refused(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1, .linf = 1}, unbounded = {.dimension = 1};
    dpn_plan plan = {.blocks = 77};
    dpn_error why;
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 1, 0, &set, NULL, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "osgt", 1, 0, &set, NULL, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "gaussan", 1, 1e-6, &set, NULL, &why), DPN_EPARSE);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", -1, 1e-6, &set, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 1, 1, &set, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", NAN, 1e-6, &set, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "laplace", 0, 0, &set, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 1, 1e-6, &unbounded, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(plan.blocks, 77);
}

/* Rounded down to whole steps a bound of 1/2 would be none, and no noise would do. */
static void noise_on_the_integers_has_no_fractions(void **state) {
    (void)state;
    const double part[] = {1, 0.5, 1}, whole[] = {1, 2, 0}, row[] = {1, 0, 1.5};
    const dpn_sensitivity refused[] = {{.dimension = 1, .linf = 0.5},
                                       {.dimension = 1, .linf = 1.5},
                                       {.dimension = 3, .bound = part},
                                       {.dimension = 3, .l1 = 0.5},
                                       {.dimension = 3, .linf = 1, .l1 = 2.5},
                                       {.dimension = 3, .l2 = 0.99},
                                       {.dimension = 3, .vertex = row, .vertices = 1}};
    const dpn_sensitivity served[] = {
        {.dimension = 3, .bound = whole}, {.dimension = 3, .l2 = 1.5}, {.dimension = 3, .linf = 1, .l1 = 2}};
    for (size_t f = 0; dpn_mechanism_name(f); f++) {
        const char *family = dpn_mechanism_name(f);
        if (!dpn_mechanism_traits_of(family).integer) continue;
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            dpn_plan plan;
            assert_int_equal(dpn_calibrate(&plan, family, 1, 1e-6, &refused[i], NULL, NULL), DPN_EDOMAIN);
        }
    }
    for (size_t i = 0; i < sizeof served / sizeof *served; i++) {
        dpn_plan plan = plan_of("discrete-laplace", 1, 1e-6, &served[i], NULL);
        assert_true(plan.delta.upper <= 1e-6 && plan.error > 0);
        dpn_plan_free(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_one_dimension),
        cmocka_unit_test(numbers_of_many_dimensions),
        cmocka_unit_test(the_boundary_is_tight),
        cmocka_unit_test(wide_integers_are_nearly_reals),
        cmocka_unit_test(integers_of_any_width),
        cmocka_unit_test(a_member_stands_in_for_what_is_slow),
        cmocka_unit_test(error_falls_with_epsilon_delta_and_grows_with_sensitivity),
        cmocka_unit_test(a_dense_grid_finds_nothing_better),
        cmocka_unit_test(different_sensitivities_pay),
        cmocka_unit_test(different_scales_are_never_worse),
        cmocka_unit_test(the_unit_does_not_matter),
        cmocka_unit_test(random_boxes_have_a_lower_end),
        cmocka_unit_test(a_histogram_is_two_coordinates),
        cmocka_unit_test(sets_and_weights_have_closed_forms),
        cmocka_unit_test(many_releases_are_many_coordinates),
        cmocka_unit_test(epsilon_for_an_error_leads_back),
        cmocka_unit_test(a_comparison_is_ranked),
        cmocka_unit_test(what_cannot_be_done_is_refused),
        cmocka_unit_test(noise_on_the_integers_has_no_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
