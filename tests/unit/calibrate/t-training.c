/* The least noise and the most steps for releases from samples: the guarantee holds for exactly the law returned, by the inverse question, and
 * less noise or one more step breaks it. */
#include "unit/points.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_training training(double sensitivity, double rate, uint64_t steps) {
    dpn_training out = dpn_training_init();
    out.sensitivity = sensitivity;
    out.rate = rate;
    out.steps = steps;
    return out;
}

/* The least epsilon of a law for the delta: another search than that for the scale. */
static dpn_epsilon epsilon_of(const dpn_law *law, const dpn_training *of, double delta) {
    dpn_part part = {.times = 1};
    dpn_epsilon out = {0};
    dpn_error why;
    assert_int_equal(dpn_loss_law(&part.loss, law, of->sensitivity, NULL), DPN_OK);
    dpn_step step = {&part, 1, of->rate, of->steps};
    if (dpn_sampling_epsilon(&out, workspace, &step, 1, delta, NULL, &why)) fail_msg("%s", why.sentence);
    return out;
}

static void least_noise(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double epsilon, delta, sensitivity, rate, steps, shape, tolerance;
    } cases[] = {{"gaussian", 2, 1e-6, 1, 0.01, 1000, 0, 1e-6}, {"gaussian", 0.8, 1e-5, 3, 0.004, 3600, 0, 1e-6},
                 {"gaussian", 8, 1e-8, 0.5, 0.1, 1e6, 0, 1e-6}, {"gaussian", 1, 1e-3, 1, 1, 30, 0, 1e-6},
                 {"laplace", 0.5, 1e-5, 1, 0.1, 5, 0, 2e-3},    {"osgt", 0.5, 1e-5, 1, 0.2, 4, 0.5, 2e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_training run = training(cases[i].sensitivity, cases[i].rate, (uint64_t)cases[i].steps);
        run.shape = cases[i].shape;
        dpn_law law;
        dpn_delta delta;
        dpn_error why;
        if (dpn_calibrate_training(&law, &delta, cases[i].family, cases[i].epsilon, cases[i].delta, &run, workspace,
                                   &why))
            fail_msg("%s: %s", cases[i].family, why.sentence);
        dpn_epsilon least = epsilon_of(&law, &run, cases[i].delta);
        assert_true(delta.upper <= cases[i].delta);
        if (least.lower > cases[i].epsilon || least.upper < cases[i].epsilon * (1 - cases[i].tolerance))
            fail_msg("%s, epsilon %g: the law's is [%.12g, %.12g]", cases[i].family, cases[i].epsilon, least.lower,
                     least.upper);
    }
}

static void most_steps(void **state) {
    (void)state;
    dpn_law law;
    uint64_t steps;
    dpn_training run = training(1, 0.01, 1);
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){1}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_training_steps(&steps, &law, 2.1245151715, 1e-6, &run, workspace, NULL), DPN_OK);
    assert_true(steps == 999 || steps == 1000); /* 1000 steps have the epsilon 2.12451517 */
    run.steps = steps;
    assert_true(epsilon_of(&law, &run, 1e-6).lower <= 2.1245151715);
    run.steps = steps + 1;
    assert_true(epsilon_of(&law, &run, 1e-6).upper > 2.1245151715);
    run.steps = 1;
    run.rate = 1;
    assert_int_equal(dpn_training_steps(&steps, &law, 0.1, 1e-6, &run, workspace, NULL), DPN_OK);
    assert_int_equal(steps, 0);
}

/* delta of n steps of Gaussian noise, sensitivity/sigma = c, by brute force: the loss of one step in cells, each at its middle, convolved n
 * times; present against absent, which is the larger direction here. Right to about a percent. */
enum { CELLS = 1500, ZERO = 300 };
static const double width = 0.004; /* losses from -1.2 to 4.8 */

static long double normal(long double t) {
    return 0.5L * erfcl(-t / sqrtl(2));
}

/* P(loss of one step <= end), the person present. */
static long double loss_up_to(long double c, long double q, long double end) {
    long double odds = (expl(end) - 1 + q) / q;
    if (odds <= 0) return 0;
    long double place = logl(odds) / c + c / 2;
    return q * normal(place - c) + (1 - q) * normal(place);
}

static double convolved(double c, double q, uint64_t steps, double epsilon) {
    static double one[CELLS], sum[CELLS], next[CELLS];
    for (int i = 0; i < CELLS; i++) {
        double middle = (i - ZERO) * width;
        one[i] = (double)(loss_up_to(c, q, middle + width / 2) - loss_up_to(c, q, middle - width / 2));
        sum[i] = i == ZERO;
    }
    for (uint64_t n = 0; n < steps; n++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < CELLS && sum[i] > 1e-16; k++)
                if (i + k >= ZERO && i + k - ZERO < CELLS) next[i + k - ZERO] += sum[i] * one[k];
        memcpy(sum, next, sizeof sum);
    }
    double delta = 0;
    for (int i = 0; i < CELLS; i++)
        if ((i - ZERO) * width > epsilon) delta += sum[i] * -expm1(epsilon - (i - ZERO) * width);
    return delta;
}

/* What fits by the second way is what is answered, and a twentieth more does not fit. */
static void most_by_brute_force(void **state) {
    (void)state;
    dpn_law law;
    uint64_t steps;
    double rate, epsilon = 1, delta = 1e-4;
    dpn_training run = training(1, 0.05, 1);
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){1.25}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_training_steps(&steps, &law, epsilon, delta, &run, workspace, NULL), DPN_OK);
    assert_in_range(steps, 10, 200);
    assert_true(convolved(0.8, 0.05, steps, epsilon) < 1.02 * delta);
    assert_true(convolved(0.8, 0.05, steps + 1 + steps / 20, epsilon) > delta);
    run.steps = 40;
    assert_int_equal(dpn_training_rate(&rate, &law, epsilon, delta, &run, workspace, NULL), DPN_OK);
    assert_true(convolved(0.8, rate, 40, epsilon) < 1.02 * delta);
    assert_true(convolved(0.8, 1.02 * rate, 40, epsilon) > delta);
    run.rate = 1.01 * rate;
    dpn_delta more;
    assert_int_equal(dpn_training_delta(&more, NULL, &law, epsilon, &run, workspace, NULL), DPN_OK);
    assert_true(more.lower > delta); /* excluded for certain */
    run.steps = 1;
    assert_int_equal(dpn_training_rate(&rate, &law, 50, delta, &run, workspace, NULL), DPN_OK);
    assert_true(rate == 1);
}

/* One step of a batch has the delta q K(1 + (e^epsilon - 1)/q), K of the release itself: a closed form, in which the largest batch is counted. */
static void largest_batch(void **state) {
    (void)state;
    dpn_law law;
    uint64_t batch, truth = 0;
    dpn_argument argument;
    dpn_delta delta;
    dpn_training run = training(2, 0, 1);
    run.relation = DPN_REPLACE;
    run.batch = 1;
    run.population = 500;
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){1.6}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_training_batch(&batch, &law, 0.3, 1e-3, &run, workspace, NULL), DPN_OK);
    for (uint64_t b = 1; b <= 500; b++) {
        long double q = b / 500.0L, a = 1 + expm1l(0.3L) / q, c = 1.25L;
        if (q * (normal(c / 2 - logl(a) / c) - a * normal(-c / 2 - logl(a) / c)) <= 1e-3L) truth = b;
    }
    assert_in_range(truth, 2, 499);
    assert_int_equal(batch, truth);
    run.batch = batch;
    assert_int_equal(dpn_training_delta(&delta, &argument, &law, 0.3, &run, workspace, NULL), DPN_OK);
    assert_true(delta.upper <= 1e-3 && argument == DPN_ARGUMENT_BOUND);
    run.batch = 500; /* everybody: a plain release */
    assert_int_equal(dpn_training_batch(&batch, &law, 50, 1e-3, &run, workspace, NULL), DPN_OK);
    assert_int_equal(batch, 500);
}

/* Antipodal records, one step of rate 1: the release itself, whose least noise dpn_calibrate knows by another way. */
static void least_noise_under_replace(void **state) {
    (void)state;
    dpn_training run = training(2, 1, 1);
    dpn_law law;
    dpn_delta delta;
    dpn_plan plan;
    dpn_sensitivity set = {.dimension = 1, .linf = 2, .relation = DPN_REPLACE};
    run.relation = DPN_REPLACE;
    run.present = 1;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 0.5, 1e-5, &run, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 0.5, 1e-5, &set, NULL, NULL), DPN_OK);
    double ratio = dpn_law_variance(&law) / plan.mse;
    assert_true(delta.upper <= 1e-5 && ratio > 1 - 1e-6 && ratio < 1 + 5e-4);
    dpn_plan_free(&plan);
}

static void refused(void **state) {
    (void)state;
    dpn_law law;
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    dpn_training good = training(1, 0.1, 10), bad = good;
    bad.rate = 1.5;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.size = 0;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 0, &good, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", -1, 1e-5, &good, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "none", 1, 1e-5, &good, workspace, &why), DPN_EPARSE);
    bad = good;
    bad.shape = 2; /* Gaussian noise has none */
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "shape"));
    bad.shape_max = 3; /* a shape that is given is not searched */
    assert_int_equal(dpn_calibrate_training(&law, &delta, "osgt", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad.shape = 0;
    bad.shape_min = 4;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "osgt", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.shape_min = INFINITY;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "osgt", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.objective = (dpn_objective)77;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "osgt", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.shape_min = 0.2;
    bad.shape_max = 0.9; /* alpha is a whole number there */
    assert_int_equal(dpn_calibrate_training(&law, &delta, "discrete-flipped-huber", 1, 1e-5, &bad, workspace, &why),
                     DPN_EDOMAIN);
    bad = good;
    bad.present = 1; /* add-remove has no such thing */
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad.relation = DPN_REPLACE;
    bad.batch = 11;
    bad.population = 10;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.relation = DPN_REPLACE;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.vector = true;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "laplace", 1, 1e-5, &bad, workspace, &why), DPN_EUNSUPPORTED);
    assert_true(delta.upper == 7);
}

/* B/N is taken as a double that is not below it: where the nearest one is, a batch has the delta of the next, and no less. */
static void rates_of_batches_are_rounded_up(void **state) {
    (void)state;
    dpn_law law;
    size_t below = 0;
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){1.6}, 1, NULL), DPN_OK);
    for (uint64_t n = 3; n < 40; n++) {
        dpn_training run = training(2, 0, 1);
        run.relation = DPN_REPLACE;
        run.batch = 1;
        run.population = n;
        double rate = 1.0 / (double)n;
        if (!(fma(rate, (double)n, -1) < 0)) continue; /* the nearest double is not below */
        rate = nextafter(rate, 1);
        below++;
        dpn_replace_step step = {.rate = rate, .times = 1, .fixed = true};
        dpn_delta got, least;
        dpn_accounting_options options = dpn_accounting_options_init();
        options.accuracy = 1e-3;
        assert_int_equal(dpn_loss_law(&step.replaced, &law, run.sensitivity, NULL), DPN_OK);
        step.present = step.replaced;
        assert_int_equal(dpn_sampling_replace_delta(&least, NULL, workspace, &step, 1, 0.3, &options, NULL), DPN_OK);
        assert_int_equal(dpn_training_delta(&got, NULL, &law, 0.3, &run, workspace, NULL), DPN_OK);
        if (!(got.upper >= least.upper)) fail_msg("1/%d: %.17g, below %.17g", (int)n, got.upper, least.upper);
    }
    assert_true(below > 5);
}

/* Whoever is in no sample is safe without noise: delta is at most 1 - (1 - q)^n, and where that is enough there is no least noise. */
static void no_noise_at_all(void **state) {
    (void)state;
    dpn_training run = training(1, 1e-4, 10);
    dpn_law law;
    dpn_delta delta;
    dpn_argument argument;
    double seen = 0, rate;
    for (int i = 0; i < 10; i++) seen += 1e-4 * pow(1 - 1e-4, i); /* it is sample i that is the first */
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 10, seen * (1 + 1e-12), &run, workspace, NULL),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "laplace", 10, seen * (1 + 1e-12), &run, workspace, NULL),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 10, 0.9 * seen, &run, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){0.001}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_training_delta(&delta, &argument, &law, 0.1, &run, workspace, NULL), DPN_OK);
    assert_true(delta.upper >= seen * (1 - 1e-14) && delta.upper <= seen * (1 + 1e-13));
    assert_int_equal(dpn_training_rate(&rate, &law, 0.1, 1e-9, &run, workspace, NULL), DPN_OK);
    assert_true(rate > 0.999e-10 && rate <= 1.00001e-10);
}

typedef struct looks {
    int count;
} looks;

static bool count_look(void *context) {
    looks *l = context;
    l->count++;
    return false;
}

/* The search begins near the answer: at the width of the sensitivity, which is far from it, one look takes seconds. */
static void few_looks(void **state) {
    (void)state;
    looks l = {0};
    dpn_training run = training(1, 1.677e-5, 4);
    run.cancelled = count_look;
    run.context = &l;
    dpn_law law;
    dpn_delta delta;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 0.342, 1.72e-12, &run, workspace, NULL), DPN_OK);
    assert_true(delta.upper <= 1.72e-12 && l.count <= 14);
}

/* The variance of noise of one shape that is given; +inf if none will do. */
static double variance_of_shape(const char *family, double epsilon, double delta, dpn_training run, double shape) {
    dpn_law law;
    dpn_delta certified;
    run.shape = shape;
    run.shape_min = run.shape_max = 0;
    run.note = NULL;
    if (dpn_calibrate_training(&law, &certified, family, epsilon, delta, &run, workspace, NULL)) return INFINITY;
    return dpn_law_variance(&law);
}

/* No shape of a grid has less error than the one that was searched, nor has a limit or member; and it is certified by the inverse question. */
static void least_shape(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double epsilon, delta, rate, steps, low, high, ratio, tolerance;
    } cases[] = {{"flipped-huber", 0.5, 1e-5, 0.2, 4, 0.5, 5, 2, 2e-3},
                 {"flipped-huber", 0.28, 4e-9, 0.014, 10, 2.3, 2.6, 1.1, 2e-3}, /* a dip beside the least of the scan */
                 {"osgt", 0.05, 1e-3, 0.5, 2, 0.1, 3, 2, 2e-3},
                 {"staircase", 0.5, 1e-5, 0.2, 4, 0.02, 0.999, 1.3, 2e-3},
                 {"discrete-osgt", 1, 1e-6, 0.05, 50, 0.5, 8, 2, 1e-9},
                 {"truncated-laplace", 0.05, 1e-3, 0.5, 2, 2, 8, 1.3, 2e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (points_are_few() && cases[i].family[0] == 's') continue; /* widths are searched too, for seconds */
        dpn_training run = training(1, cases[i].rate, (uint64_t)cases[i].steps);
        double epsilon = cases[i].epsilon, delta = cases[i].delta, least = INFINITY, best = 0;
        char note[DPN_PLAN_NOTE_SIZE] = "not written";
        dpn_law law;
        dpn_delta certified;
        dpn_error why;
        run.note = note;
        if (cases[i].family[0] == 't') run.shape_max = 9; /* without its limit, which takes seconds to come near */
        if (dpn_calibrate_training(&law, &certified, cases[i].family, epsilon, delta, &run, workspace, &why))
            fail_msg("%s: %s", cases[i].family, why.sentence);
        assert_true(certified.upper <= delta && strcmp(note, "not written") != 0);
        if (dpn_law_is_integer(&law) || strcmp(cases[i].family, "staircase") == 0) /* quick */
            assert_true(epsilon_of(&law, &run, delta).lower <= epsilon);
        for (double shape = cases[i].low; shape < cases[i].high; shape *= cases[i].ratio) {
            double variance = variance_of_shape(cases[i].family, epsilon, delta, run, shape);
            if (variance < least) best = shape;
            least = fmin(least, variance);
        }
        if (strncmp(cases[i].family, "discrete", 8) != 0 && run.shape_max == 0)
            least = fmin(least, variance_of_shape("laplace", epsilon, delta, run, 0));
        if (i < 3) least = fmin(least, variance_of_shape("gaussian", epsilon, delta, run, 0));
        double found = dpn_law_variance(&law);
        if (!(found <= least * (1 + cases[i].tolerance)))
            fail_msg("%s: variance %.9g, %.9g with shape %g", cases[i].family, found, least, best);
    }
}

/* Steps of any width: uniform noise as wide as 1/delta is private for one step of all rows, and with many steps steps are narrow, near to Laplace noise. The
 * law that is found is certified by the inverse question. */
static void steps_as_wide_as_is_best(void **state) {
    (void)state;
    static const struct {
        double epsilon, delta, rate, steps, variance;
    } cases[] = {{0.05, 0.1, 1, 1, 1.02 / 0.12},          /* 1/12 delta^2 */
                 {0.05, 0.05, 0.5, 1, 1.02 / 0.12},       /* of half the rows: delta is halved */
                 {1, 1e-3, 1, 1, 1.9182},                 /* as of one release that is no sample (t-shapes.c) */
                 {2, 1e-6, 0.01, 1000, 0.93852 * 1.002}}; /* Laplace noise has 0.93852 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_training run = training(1, cases[i].rate, (uint64_t)cases[i].steps);
        dpn_law law;
        dpn_delta certified;
        dpn_error why;
        char note[DPN_PLAN_NOTE_SIZE];
        run.note = note;
        if (dpn_calibrate_training(&law, &certified, "staircase", cases[i].epsilon, cases[i].delta, &run, workspace,
                                   &why))
            fail_msg("%zu: %s", i, why.sentence);
        if (!(dpn_law_variance(&law) <= cases[i].variance && certified.upper <= cases[i].delta))
            fail_msg("%zu: %.10g, delta %g", i, dpn_law_variance(&law), certified.upper);
        assert_true(epsilon_of(&law, &run, cases[i].delta).lower <= cases[i].epsilon && !strstr(note, "edge"));
        if (points_are_few()) break; /* numbers, which take seconds */
    }
}

/* Where noise in the limit of the shapes is the best it is the answer, and a note says so; without it if the range has an end. */
static void limits_compete(void **state) {
    (void)state;
    dpn_training run = training(1, 0.5, 2);
    char note[DPN_PLAN_NOTE_SIZE];
    dpn_law law;
    dpn_delta certified;
    run.note = note;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "discrete-osgt", 1, 1e-10, &run, workspace, NULL),
                     DPN_OK);
    assert_string_equal(dpn_law_family(&law), "discrete-laplace");
    assert_true(certified.upper <= 1e-10 && strstr(note, "limit"));
    double least = variance_of_shape("discrete-laplace", 1, 1e-10, run, 0);
    assert_true(dpn_law_variance(&law) <= least * (1 + 1e-9));
    run.shape_max = 3;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "discrete-osgt", 1, 1e-10, &run, workspace, NULL),
                     DPN_OK);
    assert_string_equal(dpn_law_family(&law), "discrete-osgt");
    assert_true(law.parameter[0] <= 3 && certified.upper <= 1e-10 && dpn_law_variance(&law) > least);
}

/* A range is kept; noise that is certain to be in it wins only there, and its edge is told. */
static void shape_in_a_range(void **state) {
    (void)state;
    dpn_training run = training(1, 0.5, 2), one = run;
    char note[DPN_PLAN_NOTE_SIZE];
    dpn_law law, same;
    dpn_delta certified;
    run.note = note;
    run.shape_min = 5;
    run.shape_max = 9;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "osgt", 0.05, 1e-3, &run, workspace, NULL), DPN_OK);
    assert_string_equal(dpn_law_family(&law), "osgt");
    double ratio = law.parameter[0] / law.parameter[1];
    assert_true(ratio >= 5 * (1 - 1e-12) && ratio <= 9 * (1 + 1e-12) && certified.upper <= 1e-3);
    assert_non_null(strstr(note, "edge of the search"));
    run.shape_min = 5; /* the logarithm of an end is not exact */
    run.shape_max = 5.5;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "subbotin", 1, 1e-2, &run, workspace, NULL), DPN_OK);
    assert_true(law.parameter[0] >= 5 && law.parameter[0] <= 5.5);
    dpn_training replace = training(1, 0.1, 1);
    dpn_error why;
    replace.relation = DPN_REPLACE;
    replace.present = 1;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "staircase", 1, 1e-5, &replace, workspace, &why),
                     DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "log-concave")); /* what every shape was refused for */
    one.shape = 6;                                        /* both ends of a range are the shape that is given */
    run.shape_min = run.shape_max = 6;
    assert_int_equal(dpn_calibrate_training(&law, &certified, "osgt", 0.05, 1e-3, &run, workspace, NULL), DPN_OK);
    assert_int_equal(dpn_calibrate_training(&same, &certified, "osgt", 0.05, 1e-3, &one, workspace, NULL), DPN_OK);
    assert_memory_equal(law.parameter, same.parameter, 2 * sizeof *law.parameter);
}

/* Another kind of error has another optimum: each is better by its own measure. */
static void shape_for_an_objective(void **state) {
    (void)state;
    dpn_training run = training(1, 0.3, 3);
    dpn_law squares, absolute;
    dpn_delta certified;
    assert_int_equal(dpn_calibrate_training(&squares, &certified, "flipped-huber", 0.5, 1e-4, &run, workspace, NULL),
                     DPN_OK);
    run.objective = DPN_OBJECTIVE_MAE;
    assert_int_equal(dpn_calibrate_training(&absolute, &certified, "flipped-huber", 0.5, 1e-4, &run, workspace, NULL),
                     DPN_OK);
    assert_true(certified.upper <= 1e-4);
    assert_true(dpn_law_variance(&squares) < dpn_law_variance(&absolute));
    double mean[2] = {0, 0}; /* the integral of sf is half of E|X| */
    for (double t = 0.0005; t < 60; t += 0.001) {
        mean[0] += dpn_law_sf(&squares, t) * 0.002;
        mean[1] += dpn_law_sf(&absolute, t) * 0.002;
    }
    assert_true(mean[1] < mean[0]);
}

typedef struct search_watch {
    double done;
    int looks, left;
} search_watch;

static void note_progress(void *context, double done) {
    search_watch *w = context;
    assert_true(done >= w->done && done <= 1);
    w->done = done;
}

static bool stop_later(void *context) {
    search_watch *w = context;
    w->looks++;
    return w->left-- == 0;
}

/* Progress rises; a search that is cancelled at any of its looks ends as that, and writes nothing. */
static void search_can_be_stopped(void **state) {
    (void)state;
    search_watch all = {.left = -1};
    dpn_training run = training(1, 0.01, 100);
    run.progress = note_progress;
    run.cancelled = stop_later;
    run.context = &all;
    dpn_law law;
    dpn_delta delta = {7, 7, 7, 7};
    assert_int_equal(dpn_calibrate_training(&law, &delta, "discrete-flipped-huber", 1, 1e-6, &run, workspace, NULL),
                     DPN_OK);
    assert_true(all.done > 0.5 && all.looks > 10);
    delta = (dpn_delta){7, 7, 7, 7};
    for (int at = 0; at < all.looks; at += 1 + all.looks / 12) {
        search_watch some = {.left = at};
        dpn_error why;
        run.context = &some;
        assert_int_equal(dpn_calibrate_training(&law, &delta, "discrete-flipped-huber", 1, 1e-6, &run, workspace, &why),
                         DPN_ECANCELLED);
        assert_true(delta.upper == 7 && some.looks == at + 1 && why.sentence[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_noise),
                                       cmocka_unit_test(most_steps),
                                       cmocka_unit_test(most_by_brute_force),
                                       cmocka_unit_test(largest_batch),
                                       cmocka_unit_test(rates_of_batches_are_rounded_up),
                                       cmocka_unit_test(least_noise_under_replace),
                                       cmocka_unit_test(no_noise_at_all),
                                       cmocka_unit_test(few_looks),
                                       cmocka_unit_test(least_shape),
                                       cmocka_unit_test(steps_as_wide_as_is_best),
                                       cmocka_unit_test(limits_compete),
                                       cmocka_unit_test(shape_in_a_range),
                                       cmocka_unit_test(shape_for_an_objective),
                                       cmocka_unit_test(search_can_be_stopped),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
