/* Start boxes: the law of the hidden size, errors, the best offsets, and plans of them. */
#include "calibrate/start-law.h"
#include "calibrate/start-offsets.h"

#include <dpnoise/plan.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.15g is not %.15g", got, value);
}

static double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

static dpn_plan plan_of(const char *family, double epsilon, double delta, const dpn_sensitivity *set,
                        const dpn_calibration_options *options) {
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, set, options, &why) != DPN_OK)
        fail_msg("%s (%g, %g): %s", family, epsilon, delta, why.sentence);
    if (!(plan.delta.upper <= delta)) fail_msg("%s: delta %g exceeds %g", family, plan.delta.upper, delta);
    return plan;
}

static const dpn_block *joint_block(const dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (plan->block[b].start) return &plan->block[b];
    fail_msg("no block has offsets");
    return NULL;
}

/* ---- the law of the size ---- */

enum { MOST = 24 };

/* E t^k of the mixture of Gamma laws: the coefficients of prod (c_i + t) times (j + k)!/epsilon^(j+k+1). */
static void moments_by_gammas(double moment[2], double epsilon, const double *c, size_t count) {
    long double e[MOST + 1] = {1}, sum[3] = {0}; /* e[j]: the coefficient of t^j */
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 2; j-- > 0;) e[j] = (j <= i ? e[j] * c[i] : 0) + (j > 0 ? e[j - 1] : 0);
    long double factorial = 1, power = 1 / (long double)epsilon;
    for (size_t j = 0; j <= count; j++) {
        long double term = factorial * power; /* j!/epsilon^(j+1) */
        sum[0] += e[j] * term;
        sum[1] += e[j] * term * (j + 1) / epsilon;
        sum[2] += e[j] * term * (j + 1) * (j + 2) / ((long double)epsilon * epsilon);
        factorial *= j + 1;
        power /= epsilon;
    }
    moment[0] = (double)(sum[1] / sum[0]);
    moment[1] = (double)(sum[2] / sum[0]);
}

static void moments_by_sums(double moment[2], double epsilon, const double *c, size_t count) {
    long double sum[3] = {0};
    for (int j = 0; j < 5000; j++) {
        long double weight = expl(-(long double)epsilon * j);
        for (size_t i = 0; i < count; i++) weight *= c[i] + j;
        sum[0] += weight;
        sum[1] += weight * j;
        sum[2] += weight * j * j;
    }
    moment[0] = (double)(sum[1] / sum[0]);
    moment[1] = (double)(sum[2] / sum[0]);
}

static void moments_agree(void **state) {
    (void)state;
    uint64_t seed = 1901;
    for (int trial = 0; trial < 300; trial++) {
        bool stairs = trial % 2; /* which needs an epsilon that is not too small */
        double epsilon = exp(4 * uniform(&seed) - (stairs ? 1 : 3)), c[MOST], moment[2];
        size_t count = 1 + (size_t)(uniform(&seed) * MOST);
        dpn_start_group group[MOST] = {{0}};
        for (size_t i = 0; i < count; i++) {
            c[i] = !stairs && uniform(&seed) < 0.3 ? 0 : exp(12 * uniform(&seed) - 6);
            group[i] = (dpn_start_group){c[i], 1};
        }
        dpn_start_law law = {0};
        assert_int_equal(dpn_start_law_make(&law, stairs, epsilon, group, count, NULL), DPN_OK);
        (stairs ? moments_by_sums : moments_by_gammas)(moment, epsilon, c, count);
        expect(law.mean, moment[0], 1e-12);
        expect(law.square, moment[1], 1e-12);
        if (trial < 20) { /* the tail agrees with the errors: 2 int P(X > x) dx = E|X| */
            double sum = 0, step = (c[0] + law.mean) / 50;
            expect(dpn_start_law_sf(&law, c[0], 0), 0.5, 1e-12);
            for (int k = 0; k < 4000; k++) sum += step * dpn_start_law_sf(&law, c[0], (k + 0.5) * step);
            expect(2 * sum, dpn_start_law_error(&law, c[0], DPN_OBJECTIVE_MAE), 2e-3);
            double half = dpn_start_law_error(&law, c[0], DPN_OBJECTIVE_INTERVAL95);
            expect(dpn_start_law_sf(&law, c[0], half), 0.025, 1e-9);
        }
        dpn_start_law_free(&law);
    }
}

/* Of many coordinates with about the same offset a product of thousands of ratios leaves the range of doubles: a = epsilon c + r then has nearly the law Gamma(m + 1) above epsilon c,
 * whose part below is next to nothing. */
static void many_groups_do_not_overflow(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static dpn_start_group group[MANY];
    for (size_t i = 0; i < MANY; i++) group[i] = (dpn_start_group){100 * (1 + 1e-12 * (double)i), 1};
    dpn_start_law law = {0};
    assert_int_equal(dpn_start_law_make(&law, false, 0.5, group, MANY, NULL), DPN_OK);
    double m = MANY, first = 0.5 * (100 + law.mean), second = 0.25 * (100 * 100 + 200 * law.mean + law.square);
    expect(first, m + 1, 1e-9);
    expect(second, (m + 1) * (m + 2), 1e-9);
    for (size_t i = 0; i < law.points; i++) assert_true(law.share[i] >= 0 && law.share[i] <= 1);
    dpn_start_law_free(&law);
}

/* Groups are as many single coordinates. */
static void groups_are_coordinates(void **state) {
    (void)state;
    const dpn_start_group apart[] = {{0.5, 1}, {0.5, 1}, {3, 1}, {3, 1}, {3, 1}}, together[] = {{0.5, 2}, {3, 3}};
    for (int stairs = 0; stairs < 2; stairs++) {
        dpn_start_law a = {0}, b = {0};
        assert_int_equal(dpn_start_law_make(&a, stairs, 0.7, apart, 5, NULL), DPN_OK);
        assert_int_equal(dpn_start_law_make(&b, stairs, 0.7, together, 2, NULL), DPN_OK);
        expect(a.mean, b.mean, 1e-13);
        expect(a.square, b.square, 1e-13);
        dpn_start_law_free(&a);
        dpn_start_law_free(&b);
    }
    dpn_start_law none = {0};
    assert_int_equal(dpn_start_law_make(&none, true, 1, &(dpn_start_group){0, 1}, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_start_law_make(&none, false, 1, &(dpn_start_group){-1, 1}, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_start_law_make(&none, false, NAN, &(dpn_start_group){1, 1}, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_start_law_make(&none, true, 1e-4, &(dpn_start_group){1, 1}, 1, NULL), DPN_EUNSUPPORTED);
}

/* ---- the table of errors (least-noise, section 2.4, and Geng and Viswanath) ---- */

static void fill_profile(double *bound, size_t count, double power, double sum) {
    double all = 0;
    for (size_t i = 0; i < count; i++) all += pow((double)i + 1, power);
    for (size_t i = 0; i < count; i++) bound[i] = sum * pow((double)i + 1, power) / all;
}

static void the_table(void **state) {
    (void)state;
    double bound[100];
    struct row {
        size_t count;
        double power, epsilon, mse;
    } rows[] = {{20, 1, 1, 7.0434}, {20, 2, 1, 6.1194}, {100, 2, 1, 24.96}, {100, 1, 1, 30.064}, {5, 2, 1, 2.7288}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fill_profile(bound, rows[i].count, rows[i].power, 1);
        dpn_sensitivity set = {.dimension = rows[i].count, .bound = bound};
        dpn_plan plan = plan_of("start-staircase", rows[i].epsilon, 0, &set, NULL);
        expect(plan.mse, rows[i].mse, 5e-5);
        assert_true(plan.pure && plan.pure_epsilon == 1);
        dpn_plan_free(&plan);
    }
    dpn_sensitivity unequal = {.dimension = 2, .bound = (double[]){1, 0.3}}, equal = {.dimension = 2, .linf = 1};
    dpn_plan plan = plan_of("start-staircase", 1, 0, &unequal, NULL);
    expect(plan.mse, 3.6118, 1e-5);
    dpn_plan_free(&plan);
    plan = plan_of("start-staircase", 3, 0, &equal, NULL);
    expect(plan.mse / 2, 0.3803, 1e-4);
    dpn_plan_free(&plan);
    plan = plan_of("start-staircase", 1, 0, &(dpn_sensitivity){.dimension = 1, .linf = 1}, NULL);
    expect(plan.mse, 1.918104, 1e-6);
    dpn_plan_free(&plan);
    plan = plan_of("start-box", 1, 0, &equal, NULL); /* the box is the best start box */
    expect(plan.mse, 8, 1e-9);
    dpn_plan_free(&plan);
}

/* ---- the best offsets ---- */

static double error_of(bool stairs, double epsilon, const double *c, const double *key, size_t count, int degree) {
    dpn_start_group group[MOST] = {{0}};
    dpn_start_law law = {0};
    double sum = 0;
    for (size_t i = 0; i < count; i++) group[i] = (dpn_start_group){c[i], 1};
    assert_int_equal(dpn_start_law_make(&law, stairs, epsilon, group, count, NULL), DPN_OK);
    for (size_t i = 0; i < count; i++)
        sum += key[i] * dpn_start_law_error(&law, c[i], degree == 2 ? DPN_OBJECTIVE_MSE : DPN_OBJECTIVE_MAE);
    dpn_start_law_free(&law);
    return sum;
}

/* No offset can be moved to an error that is less. */
static void offsets_are_at_a_minimum(void **state) {
    (void)state;
    uint64_t seed = 1907;
    for (int trial = 0; trial < 40; trial++) {
        bool stairs = trial % 2;
        int degree = 1 + (trial / 2) % 2;
        double epsilon = exp(3 * uniform(&seed) - 1), c[MOST], key[MOST];
        size_t count = 1 + (size_t)(uniform(&seed) * 10);
        for (size_t i = 0; i < count; i++) key[i] = exp(12 * uniform(&seed) - 6);
        assert_int_equal(dpn_start_offsets(c, stairs, epsilon, key, count, degree, NULL), DPN_OK);
        double least = error_of(stairs, epsilon, c, key, count, degree);
        for (size_t i = 0; i < count; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double kept = c[i];
                c[i] = fmax(1e-9, c[i] + sign * 0.03 * (c[i] + 1 / epsilon));
                double other = error_of(stairs, epsilon, c, key, count, degree);
                if (!(other >= least * (1 - 1e-9))) fail_msg("trial %d: %.12g is less than %.12g", trial, other, least);
                c[i] = kept;
            }
    }
}

/* Many different keys are searched together; the error is that of a search over their own offsets, nearly. */
static void many_keys(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    double *bound = malloc(COUNT * sizeof *bound);
    assert_non_null(bound);
    fill_profile(bound, COUNT, 1, 1);
    dpn_sensitivity set = {.dimension = COUNT, .bound = bound};
    dpn_plan plan = plan_of("start-box", 1, 0, &set, NULL);
    double fine = plan.mse;
    const dpn_block *block = joint_block(&plan);
    dpn_start_group *group = malloc(COUNT * sizeof *group);
    assert_non_null(group);
    for (int step = -1; step <= 1; step += 2) { /* all offsets moved together */
        dpn_start_law law = {0};
        double sum = 0;
        for (size_t i = 0; i < COUNT; i++) group[i] = (dpn_start_group){block->start[i] * (1 + 0.01 * step), 1};
        assert_int_equal(dpn_start_law_make(&law, false, 1, group, COUNT, NULL), DPN_OK);
        for (size_t i = 0; i < COUNT; i++)
            sum += bound[i] * bound[i] * dpn_start_law_error(&law, group[i].c, DPN_OBJECTIVE_MSE);
        assert_true(sum > fine);
        dpn_start_law_free(&law);
    }
    dpn_plan_free(&plan);
    free(group);
    free(bound);
}

/* Claim 5: never above blocks, one box, independent noise. */
static void never_worse_than_blocks(void **state) {
    (void)state;
    uint64_t seed = 1913;
    for (int trial = 0; trial < 100; trial++) {
        double bound[12], weight[12], epsilon = exp(3 * uniform(&seed) - 1.5);
        size_t count = 2 + (size_t)(uniform(&seed) * 10);
        for (size_t i = 0; i < count; i++) bound[i] = exp(8 * uniform(&seed) * uniform(&seed));
        for (size_t i = 0; i < count; i++) weight[i] = trial % 2 ? 1 : exp(4 * uniform(&seed));
        dpn_sensitivity set = {.dimension = count, .bound = bound};
        dpn_calibration_options options = dpn_calibration_options_init();
        options.weight = weight;
        options.objective = trial % 3 == 0 ? DPN_OBJECTIVE_MAE : DPN_OBJECTIVE_MSE;
        dpn_plan box = plan_of("start-box", epsilon, 0, &set, &options);
        dpn_plan stairs = plan_of("start-staircase", epsilon, 0, &set, &options);
        const char *const others[] = {"blocks", "k-norm", "laplace", "staircase"};
        for (size_t i = 0; i < 4; i++) {
            dpn_plan other = plan_of(others[i], epsilon, 0, &set, &options);
            double best = i == 3 ? stairs.error : fmax(box.error, stairs.error);
            if (!(best <= other.error * (1 + 1e-9)))
                fail_msg("trial %d: %.12g, %s has %.12g", trial, best, others[i], other.error);
            dpn_plan_free(&other);
        }
        dpn_plan_free(&box);
        dpn_plan_free(&stairs);
    }
}

/* ---- plans ---- */

static double distance(const double *y, const double *c, size_t count) {
    double t = 0;
    for (size_t i = 0; i < count; i++) t = fmax(t, fabs(y[i]) - c[i]);
    return t;
}

/* Claim 4: the profile of a plan is not below the exact one at a corner, by Monte Carlo over the definition, and is at most 1. The
 * standard deviation of the mean is 0.0016; 8 of them. */
static void the_profile_bounds_draws(void **state) {
    (void)state;
    const char text[] = "[{\"coordinates\": \"0-1\", \"noise\": \"start-box(epsilon=1)\", \"sensitivities\": [2, 1],"
                        " \"c\": [0.45, 2.6]}]";
    enum { DRAWS = 100000 };
    const double c[] = {0.45, 2.6};
    dpn_plan plan;
    assert_int_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
    dpn_sensitivity set = {.dimension = 2, .bound = (double[]){2, 1}};
    uint64_t seed = 7;
    double sum[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double y[2], t, u = uniform(&seed); /* a Gamma of shape 1, 2 or 3 */
        double weight[3] = {c[0] * c[1], c[0] + c[1], 2}, all = weight[0] + weight[1] + weight[2];
        int shape = u * all < weight[0] ? 1 : u * all < weight[0] + weight[1] ? 2 : 3;
        t = 0;
        for (int k = 0; k < shape; k++) t -= log(1 - uniform(&seed));
        for (int k = 0; k < 2; k++) y[k] = (c[k] + t) * (2 * uniform(&seed) - 1);
        double moved[] = {y[0] - 1, y[1] - 1}, loss = distance(moved, c, 2) - distance(y, c, 2);
        assert_true(fabs(loss) <= 1 + 1e-12);
        for (int k = 0; k < 3; k++) sum[k] += fmax(0, 1 - exp(0.4 * k - loss));
    }
    for (int k = 0; k < 3; k++) {
        dpn_delta delta;
        assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 0.4 * k, NULL, NULL), DPN_OK);
        assert_true(sum[k] / DRAWS < delta.upper + 0.013);
        assert_true(delta.upper <= 1 - exp((0.4 * k - 1) / 2) + 1e-9);
        if (k == 0) assert_true(fabs(sum[k] / DRAWS - 0.3654) < 0.013);
    }
    dpn_delta none;
    assert_int_equal(dpn_plan_delta(&none, NULL, NULL, &plan, &set, 1, 1, NULL, NULL), DPN_OK);
    assert_true(none.upper == 0);
    set.bound = (double[]){2.5, 1};
    assert_int_equal(dpn_plan_delta(&none, NULL, NULL, &plan, &set, 1, 1, NULL, NULL), DPN_EDOMAIN);
    dpn_plan_free(&plan);
}

static void texts_read_back(void **state) {
    (void)state;
    uint64_t seed = 1931;
    for (int trial = 0; trial < 60; trial++) {
        double bound[6];
        for (int i = 0; i < 6; i++) bound[i] = uniform(&seed) < 0.2 ? 0 : exp(4 * uniform(&seed));
        bound[trial % 6] = 1;
        dpn_sensitivity set = {.dimension = 6, .bound = bound};
        dpn_plan plan = plan_of(trial % 2 ? "start-box" : "start-staircase", 0.3 + 2 * uniform(&seed), 0, &set, NULL),
                 read;
        char *words;
        size_t length;
        assert_int_equal(dpn_plan_write(&words, &length, &plan, NULL), DPN_OK);
        assert_int_equal(dpn_plan_read(&read, words, length, NULL), DPN_OK);
        assert_int_equal(read.blocks, plan.blocks);
        const dpn_block *a = joint_block(&plan), *b = joint_block(&read);
        assert_true(a->kind == b->kind && a->epsilon == b->epsilon && a->count == b->count);
        for (size_t i = 0; i < a->count; i++) assert_true(a->start[i] == b->start[i]);
        expect(read.mse, plan.mse, 1e-13);
        free(words);
        dpn_plan_free(&plan);
        dpn_plan_free(&read);
    }
    const char *const wrong[] = {"\"c\": [1]",   "\"c\": [1, -1]", "\"c\": \"x\"",      "\"c\": [1, 1e999]",
                                 "\"sides\": 1", "\"c\": [0, 1]",  "\"c\": 1, \"c\": 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        dpn_plan plan;
        snprintf(text, sizeof text,
                 "[{\"coordinates\": \"0-1\", \"noise\": \"start-staircase(epsilon=1)\", \"sensitivities\": 1, %s}]",
                 wrong[i]);
        assert_int_not_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
    }
}

/* With a delta, and several times. */
static void deltas_and_times(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 3, .bound = (double[]){1, 0.5, 0.1}};
    dpn_calibration_options options = dpn_calibration_options_init();
    dpn_plan pure = plan_of("start-box", 1, 0, &set, NULL), relaxed = plan_of("start-box", 1, 0.01, &set, NULL);
    expect(joint_block(&relaxed)->epsilon, 1 - 2 * log(0.99), 1e-6);
    assert_true(relaxed.mse < pure.mse);
    dpn_plan_free(&relaxed);
    options.times = 3;
    dpn_plan often = plan_of("start-box", 1, 0, &set, &options);
    expect(often.mse, 9 * pure.mse, 1e-9); /* the best offsets scale with 1/epsilon */
    assert_true(often.pure_epsilon <= 1);
    dpn_plan_free(&pure);
    dpn_plan_free(&often);
}

/* The pure epsilon of several releases is no less than the exact product, which rounds down in about every second case. */
static void pure_epsilon_is_an_upper_bound(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 2, .bound = (double[]){1, 0.5}};
    dpn_calibration_options options = dpn_calibration_options_init();
    int down = 0;
    for (options.times = 3; options.times <= 15; options.times += 2) {
        dpn_plan plan = plan_of("start-box", 0.7, 0.01, &set, &options);
        double epsilon = joint_block(&plan)->epsilon, times = (double)options.times;
        down += fma(epsilon, times, -epsilon * times) > 0;
        assert_true(!plan.pure && fma(epsilon, times, -plan.pure_epsilon) <= 0);
        assert_true(plan.pure_epsilon <= epsilon * times * (1 + 1e-14));
        dpn_plan_free(&plan);
    }
    assert_true(down > 0); /* or nothing was tried */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_agree),
        cmocka_unit_test(groups_are_coordinates),
        cmocka_unit_test(many_groups_do_not_overflow),
        cmocka_unit_test(the_table),
        cmocka_unit_test(offsets_are_at_a_minimum),
        cmocka_unit_test(many_keys),
        cmocka_unit_test(never_worse_than_blocks),
        cmocka_unit_test(the_profile_bounds_draws),
        cmocka_unit_test(texts_read_back),
        cmocka_unit_test(deltas_and_times),
        cmocka_unit_test(pure_epsilon_is_an_upper_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
