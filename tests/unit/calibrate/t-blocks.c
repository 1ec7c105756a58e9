/* K-norm noise of boxes: its marginal law, the best blocks, and the split of a guarantee over them. */
#include "calibrate/box-noise.h"
#include "calibrate/l2-noise.h"
#include "calibrate/partition.h"
#include "reference/real.h"

#include <dpnoise/plan.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.12g is not %.12g", got, value);
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

/* ---- one coordinate ---- */

/* The definition: the density of R is r^m e^-r/m!, and P(r U > t) = (1 - t/r)/2. Simpson's rule. */
static double sf_by_quadrature(double m, double t) {
    enum { STEPS = 200000 };
    double from = t, to = fmax(t, m) + 60 + 12 * sqrt(m + 1), h = (to - from) / STEPS, sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double r = from + i * h, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        sum += weight * exp(m * log(r) - r - lgamma(m + 1)) * 0.5 * (1 - t / r);
    }
    return sum * h / 3;
}

static void the_tail_is_that_of_the_definition(void **state) {
    (void)state;
    const double sizes[] = {1, 2, 5, 20, 100, 3000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (double share = 0.05; share < 2.5; share *= 1.7) {
            double t = share * (sizes[i] + 1), got = dpn_box_noise_sf(sizes[i], t);
            if (got > 1e-200) expect(got, sf_by_quadrature(sizes[i], t), 1e-9);
        }
    expect(dpn_box_noise_sf(1, 3), 0.5 * exp(-3), 1e-15); /* one coordinate: Laplace noise */
    assert_true(dpn_box_noise_sf(7, 0) == 0.5);
}

/* sum over k = 0 .. m of (1 - k/m) P(N = k)/2, N Poisson of mean t, in multiple precision. */
static double sf_by_sums(double m, double t) {
    size_t mark = r_mark();
    real term = r_exp(r_num(-t)), sum = term;
    for (double k = 1; k < m; k++) {
        real next = r_over(r_times(term, t), k), more = r_add(sum, r_times(next, 1 - k / m));
        term = next;
        sum = more;
    }
    double out = 0.5 * r_double(sum);
    r_release(mark);
    return out;
}

/* Small and large shapes, on both sides of where factorials become Stirling's series, deep in both tails. */
static void the_tail_to_its_last_digits(void **state) {
    (void)state;
    const double sizes[] = {1, 2, 7, 23, 24, 25, 26, 30, 48, 64, 100, 256, 700};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (double share = 0.01; share < 8; share *= 1.9) {
            double t = share * (sizes[i] + 1), got = dpn_box_noise_sf(sizes[i], t), exact = sf_by_sums(sizes[i], t);
            if (exact > 1e-280)
                expect(got, exact, 1e-13 + 4e-16 * t); /* the factors of P(N = k) err by some units of its exponent */
        }
    r_free_all();
}

static void errors_are_moments_of_the_tail(void **state) {
    (void)state;
    for (double m = 1; m < 200; m *= 3) { /* E X^2 = 4 int t P(X > t), E |X| = 2 int P(X > t) */
        double square = 0, absolute = 0, h = (8 * m + 60) / 40000;
        for (int i = 0; i < 40000; i++) {
            double t = (i + 0.5) * h, sf = dpn_box_noise_sf(m, t);
            square += 4 * h * t * sf;
            absolute += 2 * h * sf;
        }
        expect(dpn_box_noise_error(m, DPN_OBJECTIVE_MSE), square, 1e-5);
        expect(dpn_box_noise_error(m, DPN_OBJECTIVE_MAE), absolute, 1e-5);
        expect(dpn_box_noise_sf(m, dpn_box_noise_error(m, DPN_OBJECTIVE_INTERVAL95)), 0.025, 1e-12);
    }
    expect(dpn_box_noise_error(1, DPN_OBJECTIVE_INTERVAL95), log(20), 1e-14);
}

/* The definition: a marginal of exp(-|v|_2) in m >= 2 dimensions is proportional to int exp(-(x^2 + r^2)^(1/2)) r^(m-2) dr. */
static double l2_density(double m, double x) {
    enum { STEPS = 2000 };
    double to = m + 60 + 12 * sqrt(m), h = to / STEPS, sum = 0;
    for (int i = 1; i < STEPS; i++) {
        double r = i * h;
        sum += (i % 2 ? 4 : 2) * exp((m - 2) * log(r) - hypot(x, r) - (m > 2 ? (m - 2) * (log(m) - 1) : 0));
    }
    if (m == 2) sum += exp(-x);
    return sum * h / 3;
}

static void the_l2_tail_is_that_of_the_definition(void **state) {
    (void)state;
    const double sizes[] = {2, 3, 10, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        enum { STEPS = 1500 };
        double m = sizes[i], to = 12 * sqrt(m + 1) + 30, h = to / STEPS, all = 0, beyond = 0, square = 0, absolute = 0;
        for (int k = 0; k <= STEPS; k++) {
            double x = k * h, weight = (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2) * l2_density(m, x);
            all += weight;
            square += weight * x * x;
            absolute += weight * x;
        }
        double t = 2 * sqrt(m + 1);
        for (int k = 0; k <= STEPS; k++)
            beyond += (k == 0 || k == STEPS ? 1
                       : k % 2              ? 4
                                            : 2) *
                      l2_density(m, t + k * (to - t) / STEPS) * (to - t) / to;
        expect(dpn_l2_noise_sf(m, t), 0.5 * beyond / all, 1e-4);
        expect(dpn_l2_noise_error(m, DPN_OBJECTIVE_MSE), square / all, 1e-4);
        expect(dpn_l2_noise_error(m, DPN_OBJECTIVE_MAE), absolute / all, 1e-4);
        expect(dpn_l2_noise_sf(m, dpn_l2_noise_error(m, DPN_OBJECTIVE_INTERVAL95)), 0.025, 1e-12);
    }
    expect(dpn_l2_noise_sf(1, 3), 0.5 * exp(-3), 1e-12); /* one coordinate: Laplace noise */
    expect(dpn_l2_noise_error(1, DPN_OBJECTIVE_MAE), 1, 1e-12);
    expect(dpn_l2_noise_error(100000, DPN_OBJECTIVE_INTERVAL95), 1.959963985 * sqrt(100001), 1e-4);
}

/* ---- partitions ---- */

/* All 2^(count-1) partitions. */
static double least_cost(const dpn_partition_task *task, size_t blocks) {
    double least = INFINITY;
    for (unsigned cuts = 0; cuts < 1u << (task->count - 1); cuts++) {
        size_t from = 0, used = 0;
        double total = 0;
        for (size_t i = 1; i <= task->count; i++) {
            if (i < task->count && !(cuts >> (i - 1) & 1)) continue;
            total += pow(task->unit[i - from] * (task->rest[from] - task->rest[i]), task->power);
            from = i;
            used++;
        }
        if (blocks == 0 || used == blocks) least = fmin(least, total);
    }
    return least;
}

static double cost_of(const dpn_partition *found, const dpn_partition_task *task) {
    double total = 0;
    for (size_t b = 0; b < found->blocks; b++) {
        size_t from = b ? found->end[b - 1] : 0, to = found->end[b];
        assert_true(to > from);
        total += pow(task->unit[to - from] * (task->rest[from] - task->rest[to]), task->power);
    }
    assert_int_equal(found->end[found->blocks - 1], task->count);
    return total;
}

static void no_partition_is_better(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 60; trial++) {
        double rest[13], unit[13], key[12];
        size_t count = 2 + (size_t)(11 * uniform(&seed));
        for (size_t i = 0; i < count; i++) key[i] = exp(6 * uniform(&seed));
        for (size_t i = 1; i < count; i++) /* falling */
            for (size_t j = i; j > 0 && key[j] > key[j - 1]; j--) {
                double swap = key[j];
                key[j] = key[j - 1];
                key[j - 1] = swap;
            }
        rest[count] = 0;
        for (size_t i = count; i-- > 0;) rest[i] = rest[i + 1] + key[i];
        for (size_t m = 0; m <= count; m++) unit[m] = dpn_box_noise_error((double)m, DPN_OBJECTIVE_MSE);
        dpn_partition_task task = {count, rest, unit, trial % 2 ? 0.5 : 1.0 / 3};
        size_t wanted[] = {0, 1, 2, (count + 1) / 2, count};
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            dpn_partition found;
            assert_int_equal(dpn_partition_find(&found, &task, wanted[i], NULL), DPN_OK);
            if (wanted[i]) assert_int_equal(found.blocks, wanted[i]);
            expect(cost_of(&found, &task), least_cost(&task, wanted[i]), 1e-12);
            free(found.end);
        }
    }
}

/* ---- plans ---- */

static void fill(double *bound, size_t count, int profile) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i + 1);
        bound[i] = profile == 0 ? 1 : profile == 1 ? x : profile == 2 ? x * x : exp(x - (double)count);
        sum += bound[i];
    }
    for (size_t i = 0; i < count; i++) bound[i] /= sum;
}

/* The table of MSEs at epsilon 1, sensitivities that sum to 1: INID's Laplace noise, the box, blocks. */
static void blocks_beat_boxes_and_laplace_noise(void **state) {
    (void)state;
    const struct {
        size_t count;
        int profile;
        double laplace, box, blocks;
        size_t most; /* coordinates in the block of the largest */
    } rows[] = {{5, 2, 7.7808, 4.5309, 3.8388, 4},     {20, 0, 40, 7.7, 7.7, 20},
                {20, 1, 35.2756, 10.0222, 8.6453, 14}, {20, 2, 29.0472, 13.5112, 8.0725, 9},
                {20, 3, 6.9368, 71.1660, 4.5440, 2},   {100, 2, 142.4001, 61.5024, 28.6455, 29}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double bound[100];
        fill(bound, rows[r].count, rows[r].profile);
        dpn_sensitivity set = {.dimension = rows[r].count, .bound = bound};
        dpn_plan laplace = plan_of("laplace", 1, 0, &set, NULL), box = plan_of("k-norm", 1, 0, &set, NULL);
        dpn_plan blocks = plan_of("blocks", 1, 0, &set, NULL);
        expect(laplace.mse, rows[r].laplace, 1e-5);
        expect(box.mse, rows[r].box, 1e-5);
        expect(blocks.mse, rows[r].blocks, 1e-5);
        assert_int_equal(box.blocks, 1);
        assert_int_equal(blocks.block[blocks.blocks - 1].count, rows[r].most);
        assert_true(blocks.pure && blocks.pure_epsilon <= 1 && box.pure);
        dpn_plan_free(&laplace);
        dpn_plan_free(&box);
        dpn_plan_free(&blocks);
    }
}

/* With a delta: one block has a = epsilon - 2 log(1 - delta) (T10), and no plan is worse than the pure one. */
static void a_delta_helps(void **state) {
    (void)state;
    const double two[] = {1, 2};
    dpn_sensitivity pair = {.dimension = 2, .bound = two};
    dpn_plan none = plan_of("blocks", 0, 0.01, &pair, NULL); /* epsilon 0 */
    dpn_plan_free(&none);
    const double epsilon[] = {0.1, 1, 3}, delta[] = {1e-9, 1e-6, 1e-2};
    for (int i = 0; i < 9; i++) {
        double bound[6], e = epsilon[i / 3], d = delta[i % 3];
        fill(bound, 6, 2);
        dpn_sensitivity set = {.dimension = 6, .bound = bound};
        dpn_calibration_options of_box = {
            .size = sizeof(dpn_calibration_options), .has_ball = true, .ball = DPN_BALL_BOX};
        dpn_plan box = plan_of("k-norm", e, d, &set, &of_box), pure = plan_of("blocks", e, 0, &set, NULL);
        dpn_plan blocks = plan_of("blocks", e, d, &set, NULL), best = plan_of("k-norm", e, d, &set, NULL);
        assert_true(best.mse <= box.mse * (1 + 1e-9));
        dpn_plan_free(&best);
        expect(box.block[0].epsilon, e - 2 * log1p(-d), 2e-9);
        assert_true(blocks.mse <= pure.mse * (1 + 1e-9));
        assert_true(blocks.mse <= box.mse * (1 + 1e-6));
        dpn_delta again;
        assert_int_equal(dpn_plan_delta(&again, NULL, NULL, &box, &set, 1, e, NULL, NULL), DPN_OK);
        if (!box.pure) expect(again.upper, -expm1(0.5 * (e - box.block[0].epsilon)), 1e-5);
        dpn_plan_free(&box);
        dpn_plan_free(&pure);
        dpn_plan_free(&blocks);
    }
}

/* A plan is as private when it comes back from its text. */
static void text_does_not_cost_privacy(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 40; i++) {
        double bound[9];
        for (int k = 0; k < 9; k++) bound[k] = exp(3 * uniform(&seed));
        double epsilon = 0.05 + 3 * uniform(&seed);
        dpn_sensitivity set = {.dimension = 9, .bound = bound};
        dpn_plan plan = plan_of("blocks", epsilon, 0, &set, NULL), back;
        char *text;
        dpn_error why;
        assert_int_equal(dpn_plan_write(&text, NULL, &plan, &why), DPN_OK);
        if (dpn_plan_read(&back, text, strlen(text), &why) != DPN_OK) fail_msg("%s", why.sentence);
        dpn_delta delta;
        assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &back, &set, 1, epsilon, NULL, &why), DPN_OK);
        if (delta.upper != 0) fail_msg("epsilon %.17g: delta %g", epsilon, delta.upper);
        free(text);
        dpn_plan_free(&plan);
        dpn_plan_free(&back);
    }
}

/* The epsilon of pure DP that is printed is no less than what the epsilons of all blocks add up to, exactly. */
static void pure_epsilons_are_not_rounded_down(void **state) {
    (void)state;
    uint64_t seed = 19;
    int several = 0;
    for (int i = 0; i < 8; i++) {
        double bound[5], epsilon = 0.2 + 2 * uniform(&seed);
        for (int k = 0; k < 5; k++) bound[k] = exp(4 * uniform(&seed));
        dpn_sensitivity set = {.dimension = 5, .bound = bound};
        dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .times = 1 + (uint64_t)i % 3};
        dpn_plan plan = plan_of(i % 2 ? "blocks" : "k-norm", epsilon, i % 5 ? 1e-3 : 0, &set, &options);
        size_t mark = r_mark();
        real sum = r_num(0);
        for (size_t b = 0; b < plan.blocks; b++) sum = r_add(sum, r_num(plan.block[b].epsilon));
        sum = r_times(sum, (double)options.times);
        several += plan.blocks > 1;
        if (r_less(r_num(plan.pure_epsilon), sum))
            fail_msg("trial %d: %.17g is less than the sum", i, plan.pure_epsilon);
        expect(plan.pure_epsilon, r_double(sum), 1e-14);
        if (plan.pure) assert_true(plan.pure_epsilon <= epsilon);
        r_release(mark);
        dpn_plan_free(&plan);
    }
    assert_true(several > 1);
    r_free_all();
}

static void objectives_weights_and_zeros(void **state) {
    (void)state;
    const double bound[] = {2, 0, 2, 2}, weight[] = {1, 1, 9, 1};
    dpn_sensitivity set = {.dimension = 4, .bound = bound};
    for (dpn_objective objective = DPN_OBJECTIVE_MSE; objective <= DPN_OBJECTIVE_INTERVAL95; objective++) {
        dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .objective = objective};
        dpn_plan plan = plan_of("k-norm", 0.5, 0, &set, &options);
        double scale = objective == DPN_OBJECTIVE_MSE ? 16 : 4;
        expect(plan.error, 3 * scale * dpn_box_noise_error(3, objective), 1e-12);
        assert_int_equal(plan.blocks, 2);
        assert_int_equal(plan.block[1].kind, DPN_BLOCK_NONE);
        assert_true(plan.variance[1] == 0 && plan.variance[0] > 0);
        dpn_plan_free(&plan);
    }
    dpn_calibration_options weighted = {.size = sizeof(dpn_calibration_options), .weight = weight},
                            twice = {.size = sizeof(dpn_calibration_options), .times = 2};
    dpn_plan plan = plan_of("k-norm", 0.5, 0, &set, &weighted), two = plan_of("k-norm", 0.5, 0, &set, &twice);
    expect(plan.error, 11 * 16 * 20.0 / 3, 1e-12);
    expect(two.block[0].epsilon, 0.25, 1e-14);
    dpn_plan_free(&plan);
    dpn_plan_free(&two);
}

/* Where all may move joint noise is best, and where few may independent noise is. */
static void the_comparison_knows_when(void **state) {
    (void)state;
    dpn_sensitivity box = {.dimension = 20, .linf = 1}, histogram = {.dimension = 20, .linf = 1, .max_changed = 2};
    dpn_comparison c;
    assert_int_equal(dpn_compare(&c, 1, 1e-6, &box, NULL, NULL), DPN_OK);
    assert_string_equal(c.row[0].family, "random-box");
    assert_string_equal(c.row[1].family, "k-norm");
    assert_true(c.row[0].plan.mse < c.row[1].plan.mse && c.row[1].plan.mse <= 20 * 154);
    dpn_comparison_free(&c);
    assert_int_equal(dpn_compare(&c, 1, 1e-6, &histogram, NULL, NULL), DPN_OK);
    assert_true(c.row[0].plan.block[0].kind == DPN_BLOCK_LAW);
    dpn_comparison_free(&c);
}

/* A bound of the l2 norm: (m + 1) l2^2/epsilon^2 each, certified for no larger bound. */
static void the_l2_ball_is_joint_noise_too(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 7, .l2 = 3}, larger = {.dimension = 7, .l2 = 3.001},
                    box = {.dimension = 7, .linf = 3};
    dpn_plan plan = plan_of("k-norm", 0.5, 0, &set, NULL);
    assert_int_equal(plan.block[0].ball, DPN_BALL_L2);
    expect(plan.variance[3], 8 * 36, 1e-12);
    dpn_delta delta;
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 0.5, NULL, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &larger, 1, 0.5, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &box, 1, 0.5, NULL, NULL), DPN_EUNSUPPORTED);
    const double order[] = {2}, laplace[] = {1};
    dpn_divergence divergence, single;
    assert_int_equal(dpn_plan_renyi(&divergence, NULL, &plan, &set, 1, order, 1, NULL), DPN_OK);
    dpn_law law; /* in one dimension Laplace noise with sensitivity/scale 0.5; in seven a loss is seldom as large */
    assert_int_equal(dpn_law_make(&law, "laplace", laplace, 1, NULL), DPN_OK);
    assert_int_equal(dpn_renyi(&single, &law, 0.5, 2, NULL), DPN_OK);
    assert_true(divergence.upper < 0.25 * single.upper);
    dpn_plan_free(&plan);
}

/* With a delta the l2 ball takes a larger epsilon than a ball that is known by its epsilon alone: the variances of least-noise 1.5, which
 * another program computed, in units of the l2 bound. */
static void a_delta_helps_the_l2_ball(void **state) {
    (void)state;
    const struct {
        double epsilon, delta, dimension, total;
    } row[] = {{1, 1e-6, 10, 92.3828}, {1, 1e-6, 20, 250.825}, {1, 1e-6, 50, 771.215},
               {3, 1e-9, 30, 70.4621}, {1, 1e-2, 5, 15.88},    {0.3, 1e-6, 200, 32749.7}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_sensitivity set = {.dimension = (size_t)row[i].dimension, .l2 = 2};
        dpn_plan plan = plan_of("k-norm", row[i].epsilon, row[i].delta, &set, NULL);
        assert_int_equal(plan.block[0].ball, DPN_BALL_L2);
        expect(plan.mse / 4, row[i].total, 3e-4);
        assert_true(plan.delta.upper <= row[i].delta && plan.delta.upper > row[i].delta * (1 - 1e-6));
        assert_true(plan.pure_epsilon >= plan.block[0].epsilon && plan.pure_epsilon > row[i].epsilon);
        dpn_plan_free(&plan);
    }
    /* On a box too, if there are enough coordinates. */
    dpn_sensitivity box = {.dimension = 50, .linf = 1};
    dpn_plan plan = plan_of("k-norm", 1, 1e-6, &box, NULL);
    expect(plan.mse, 50 * 771.215, 1e-6);
    dpn_plan_free(&plan);
    /* Composed: two releases. */
    dpn_calibration_options twice = {.size = sizeof(dpn_calibration_options), .times = 2};
    dpn_sensitivity set = {.dimension = 20, .l2 = 1};
    plan = plan_of("k-norm", 1, 1e-6, &set, &twice);
    assert_true(plan.mse > 1.8 * 250.825 && plan.mse < 2.6 * 250.825);
    dpn_plan_free(&plan);
}

static void many_coordinates(void **state) {
    (void)state;
    enum { MANY = 100000 };
    double *bound = malloc(MANY * sizeof *bound);
    assert_non_null(bound);
    fill(bound, MANY, 1);
    dpn_sensitivity set = {.dimension = MANY, .bound = bound};
    dpn_plan box = plan_of("k-norm", 1, 0, &set, NULL), blocks = plan_of("blocks", 1, 0, &set, NULL);
    assert_true(blocks.mse < box.mse);
    size_t seen = 0;
    for (size_t b = 0; b < blocks.blocks; b++) seen += blocks.block[b].count;
    assert_int_equal(seen, MANY);
    dpn_plan_free(&box);
    dpn_plan_free(&blocks);
    free(bound);
}

/* Coordinates that are to be alone have a law of their own, the others share joint noise; it is the split of a guarantee over blocks
 * of 1, 1 and 3 that dpn_plan_delta certifies anew. */
static void some_are_alone(void **state) {
    (void)state;
    const double bound[] = {3, 1, 1, 0, 2, 5};
    const bool alone[] = {false, true, false, true, true, false};
    dpn_sensitivity set = {.dimension = 6, .bound = bound};
    for (int with_delta = 0; with_delta < 2; with_delta++) {
        dpn_plan plan = {0};
        dpn_error why = {0};
        dpn_calibration_options options = {
            .size = sizeof(dpn_calibration_options), .alone = alone, .times = with_delta ? 3 : 1};
        double asked = with_delta ? 1e-6 : 0;
        if (dpn_calibrate(&plan, "blocks", 1, asked, &set, &options, &why)) fail_msg("%s", why.sentence);
        assert_true(dpn_plan_law(&plan, 1) && dpn_plan_law(&plan, 4) && !dpn_plan_law(&plan, 3));
        assert_int_equal(dpn_plan_block(&plan, 3)->kind, DPN_BLOCK_NONE);
        for (size_t i = 0; i < 6; i++)
            if (!alone[i]) assert_int_equal(dpn_plan_block(&plan, i)->kind, DPN_BLOCK_K_NORM);
        dpn_delta delta;
        dpn_argument argument;
        if (dpn_plan_delta(&delta, &argument, NULL, &plan, &set, options.times, 1, NULL, &why))
            fail_msg("%s", why.sentence);
        assert_true(delta.upper <= asked);
        if (!with_delta) { /* epsilons add up, and the errors are those of the best split: shares by cube roots */
            double together = plan.variance[0] + plan.variance[2] + plan.variance[5], sum = 0;
            const double error[] = {together, plan.variance[1], plan.variance[4]};
            double epsilon[] = {0, 1 / dpn_law_parameter(dpn_plan_law(&plan, 1), "scale"),
                                2 / dpn_law_parameter(dpn_plan_law(&plan, 4), "scale")};
            for (size_t b = 0; b < plan.blocks; b++)
                if (plan.block[b].kind == DPN_BLOCK_K_NORM) epsilon[0] += plan.block[b].epsilon;
            for (int b = 0; b < 3; b++) sum += epsilon[b];
            assert_true(fabs(sum - 1) < 1e-12);
            if (plan.blocks == 4) /* one joint block: error/epsilon is the same for all */
                for (int b = 1; b < 3; b++)
                    assert_true(fabs(error[b] / epsilon[b] / (error[0] / epsilon[0]) - 1) < 1e-6);
        }
        dpn_plan_free(&plan);
    }
    dpn_plan plan = {0};
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &set,
                                   &(dpn_calibration_options){.size = sizeof(dpn_calibration_options), .alone = alone},
                                   NULL),
                     DPN_EUNSUPPORTED);
}

/* Weights part equal sensitivities, unless noise is to be identical. */
static void identical_noise_is_one_block(void **state) {
    (void)state;
    const double weight[] = {1, 1000, 1, 1};
    const bool alone[] = {true, false, false, false};
    dpn_sensitivity set = {.dimension = 4, .linf = 1};
    for (int identical = 0; identical < 2; identical++)
        for (int i = 0; i < 2; i++) {
            dpn_calibration_options options = {
                .size = sizeof(dpn_calibration_options), .weight = weight, .identical = identical == 1};
            dpn_plan plan;
            assert_int_equal(dpn_calibrate(&plan, "blocks", 1, i ? 1e-6 : 0, &set, &options, NULL), DPN_OK);
            assert_true(identical ? plan.blocks == 1 : plan.blocks > 1);
            dpn_plan_free(&plan);
        }
    dpn_plan plan;
    dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .alone = alone, .identical = true};
    assert_int_equal(dpn_calibrate(&plan, "blocks", 1, 0, &set, &options, NULL), DPN_EUNSUPPORTED);
}

/* Where one answer moves at once the corner of the box is out of reach, and delta is below that of T10. */
static void smaller_sets_have_no_lower_end(void **state) {
    (void)state;
    for (size_t changed = 1; changed <= 3; changed++) {
        dpn_sensitivity set = {.dimension = 3, .linf = 1, .max_changed = changed};
        dpn_calibration_options options = {
            .size = sizeof(dpn_calibration_options), .has_ball = true, .ball = DPN_BALL_BOX};
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, "k-norm", 0.5, 0.05, &set, &options, &why)) fail_msg("%s", why.sentence);
        assert_true(plan.delta.upper <= 0.05 && plan.delta.upper > 0.049);
        assert_int_equal(plan.argument, changed == 3 ? DPN_ARGUMENT_CORNER : DPN_ARGUMENT_BOUND);
        assert_true(changed == 3 ? plan.delta.lower > 0.049 : plan.delta.lower == 0 && isinf(plan.delta.log_lower));
        dpn_plan_free(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_noise_is_one_block),
        cmocka_unit_test(smaller_sets_have_no_lower_end),
        cmocka_unit_test(some_are_alone),
        cmocka_unit_test(the_tail_is_that_of_the_definition),
        cmocka_unit_test(the_tail_to_its_last_digits),
        cmocka_unit_test(errors_are_moments_of_the_tail),
        cmocka_unit_test(the_l2_tail_is_that_of_the_definition),
        cmocka_unit_test(no_partition_is_better),
        cmocka_unit_test(blocks_beat_boxes_and_laplace_noise),
        cmocka_unit_test(a_delta_helps),
        cmocka_unit_test(text_does_not_cost_privacy),
        cmocka_unit_test(pure_epsilons_are_not_rounded_down),
        cmocka_unit_test(objectives_weights_and_zeros),
        cmocka_unit_test(the_comparison_knows_when),
        cmocka_unit_test(the_l2_ball_is_joint_noise_too),
        cmocka_unit_test(a_delta_helps_the_l2_ball),
        cmocka_unit_test(many_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
