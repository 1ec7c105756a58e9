/* The estimates that the search for a random box rests on, against sums over all sizes and against the accountant; and that no box nearby is better than the one it finds. */
#include "calibrate/box-search.c" /* to see its estimates */

#include "calibrate/plan.h"
#include "privacy/loss/loss.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 400 };

/* The coordinates of all clusters one by one. */
static size_t unfold(double *c, double *beta, const trial *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->clusters; i++)
        for (double n = 0; n < t->cluster[i].times; n++) {
            c[count] = t->cluster[i].c;
            beta[count++] = t->cluster[i].beta;
        }
    return count;
}

static void near(const char *what, double got, double value, double by) {
    if (!(fabs(got - value) <= by)) fail_msg("%s: %.12g is not %.12g", what, got, value);
}

/* ---- sizes ---- */

static const struct {
    double alpha;
    dpn_box_cluster cluster[2];
    size_t clusters;
} trials[] = {{0.8, {{0, 20, 20, 1, 0.05}}, 1},
              {0.05, {{0, 20, 20, 1, 0.002}}, 1},
              {0.01, {{0, 200, 200, 2, 1e-5}}, 1},
              {3, {{0, 5, 5, 1, 0.2}}, 1},
              {0.4, {{0, 50, 50, 0.7, 0.01}, {1.5, 3, 60, 3, 0.03}}, 2},
              {1, {{0, 300, 300, 1.5, 1e-3}, {0.7, 10, 40, 2.5, 2e-3}}, 2}};
enum { TRIALS = sizeof trials / sizeof *trials };

/* Some of the sizes stand for all: of a bell that is wider than the nodes are apart the sums over both agree to many digits. */
static void nodes_stand_for_all_sizes(void **state) {
    (void)state;
    for (size_t k = 0; k < TRIALS; k++) {
        static double c[MOST], beta[MOST];
        dpn_box_cluster cluster[2];
        memcpy(cluster, trials[k].cluster, sizeof cluster);
        static trial t;
        t = (trial){.cluster = cluster, .clusters = trials[k].clusters, .alpha = trials[k].alpha};
        size_t count = unfold(c, beta, &t);
        dpn_box_sizes all;
        dpn_error why;
        if (dpn_box_sizes_make(&all, t.alpha, c, beta, 0, count, -45, &why)) fail_msg("%s", why.sentence);
        assert_true(choose_nodes(&t));
        double mass = 0, mean = 0, square = 0, exact_mean = 0, exact_square = 0, error = 0;
        for (size_t n = 0; n < t.nodes; n++) {
            mass += exp(t.log_weight[n]);
            mean += exp(t.log_weight[n]) * t.node[n];
        }
        for (size_t n = 0; n < t.nodes; n++) square += exp(t.log_weight[n]) * pow(t.node[n] - mean, 2);
        for (size_t j = 0; j < all.sizes; j++) exact_mean += exp(all.log_weight[j]) * (double)j;
        for (size_t j = 0; j < all.sizes; j++) {
            double weight = exp(all.log_weight[j]);
            exact_square += weight * pow((double)j - exact_mean, 2);
            for (size_t i = 0; i < t.clusters; i++) {
                double s = cluster[i].c + (double)j;
                error += weight * cluster[i].key * s * s * dpn_cut_gaussian_square(0.5 * cluster[i].beta * s);
            }
        }
        double wide = sqrt(exact_square);
        near("mass", mass, 1, 1e-12);
        near("mean", mean, exact_mean, 3e-4 * wide);
        near("variance", square / exact_square, 1, 1e-3);
        near("error", error_of(&t) / error, 1, 1e-4);
        assert_true(t.nodes < 200 && (double)t.nodes < 40 * fmax(1, wide)); /* few, or all of them */
        for (double theta = 0.01; theta < 1e3; theta *= 3.7) {
            double exact = dpn_box_log_moment(&all, theta);
            near("moment", log_moment(&t, theta), exact, 1e-4 * (1 + fabs(exact)));
        }
        dpn_box_sizes_free(&all);
    }
}

/* ---- delta, and the search ---- */

static double log_delta_of(const trial *t, double epsilon) {
    static double c[MOST], beta[MOST];
    double most = 0;
    size_t count = unfold(c, beta, t);
    for (size_t i = 0; i < count; i++) most = fmax(most, beta[i]);
    dpn_loss loss;
    dpn_delta delta;
    dpn_error why;
    dpn_status status = dpn_loss_random_box(&loss, t->alpha, c, beta, most, count, &why);
    if (!status) status = loss.kind->repeated(&delta, &loss, (uint64_t)t->times, epsilon, 1e-6, &why);
    if (status) fail_msg("%s", why.sentence);
    return delta.log_upper;
}

static const struct {
    double epsilon, delta, times;
    dpn_box_cluster cluster[2];
    size_t clusters;
} searches[] = {{1, 1e-6, 1, {{0, 20, 20, 0, 0}}, 1},
                {0.3, 1e-4, 1, {{0, 8, 8, 0, 0}}, 1},
                {2, 1e-8, 3, {{0, 30, 30, 0, 0}}, 1},
                {1, 1e-5, 1, {{0, 10, 10, 0, 0}, {1, 20 * 0.1353352832366127, 20, 0, 0}}, 2}};
enum { SEARCHES = sizeof searches / sizeof *searches };

/* What is found has the delta that was asked for, within a few parts in a hundred, and any other beta and c of about its size ask for an alpha with more error. */
static void no_box_nearby_is_better(void **state) {
    (void)state;
    for (size_t k = 0; k < SEARCHES; k++) {
        dpn_box_cluster cluster[2], fine[2];
        memcpy(cluster, searches[k].cluster, sizeof cluster);
        memcpy(fine, searches[k].cluster, sizeof fine);
        size_t clusters = searches[k].clusters;
        double alpha;
        dpn_error why;
        if (dpn_box_search(&alpha, cluster, clusters, fine, clusters, searches[k].epsilon, searches[k].delta,
                           searches[k].times, &why))
            fail_msg("%s", why.sentence);
        static trial t;
        t = (trial){.cluster = fine,
                    .clusters = clusters,
                    .epsilon = searches[k].epsilon,
                    .log_delta = log(searches[k].delta),
                    .times = searches[k].times,
                    .alpha = alpha};
        near("log delta", log_delta_of(&t, searches[k].epsilon), t.log_delta, 0.03);
        assert_true(choose_nodes(&t));
        double least = error_of(&t);
        for (size_t i = 0; i < clusters; i++)
            for (int what = 0; what < 4; what++) {
                dpn_box_cluster kept = fine[i];
                double factor = what % 2 ? 1.35 : 1 / 1.35;
                *(what < 2 ? &fine[i].c : &fine[i].beta) *= factor;
                t.alpha = alpha;
                double other = find_alpha(&t);
                if (other > 0 && !(error_of(&t) > least * (1 - 1e-3)))
                    fail_msg("search %zu: %s times %g has the error %.9g, less than %.9g", k, what < 2 ? "c" : "beta",
                             factor, error_of(&t), least);
                fine[i] = kept;
            }
    }
}

/* alpha is where the estimate is what is asked for. Of nearly all boxes it is the truth within a few parts in a hundred; where one size has most of the weight, as no good box has it,
 * within a factor of two. */
static void alpha_is_where_delta_is_asked(void **state) {
    (void)state;
    draw_source random = {.state = 41};
    int found = 0, good = 0;
    for (int n = 0; n < 60; n++) {
        double coordinates = floor(draw_log_uniform(&random, 5, 200)), epsilon = draw_log_uniform(&random, 0.1, 3);
        dpn_box_cluster one = {0, coordinates, coordinates, draw_log_uniform(&random, 0.5, 10),
                               2 * epsilon * draw_log_uniform(&random, 0.02, 2) / coordinates};
        static trial t;
        t = (trial){.cluster = &one, .clusters = 1, .epsilon = epsilon, .times = 1};
        t.log_delta = -draw_uniform(&random, 5, 18);
        double alpha = find_alpha(&t);
        if (!(alpha > 0)) continue;
        assert_true(alpha == t.alpha && alpha <= 1.02 * epsilon * (1 + 1e-12) && alpha > 1e-3 * epsilon);
        double here = log_delta(&t), exact = log_delta_of(&t, epsilon);
        if (alpha < 1.019 * epsilon) near("the estimate", here, t.log_delta, 1e-2);
        near("the truth", exact, here, 0.7);
        good += fabs(exact - here) < 0.05;
        found++;
    }
    assert_true(found > 30 && good > 0.8 * found);
}

/* ---- the plan ---- */

/* int_x^1 t^power e^(-q t^2) dt, by Simpson's rule. */
static double part(double q, double x, int power) {
    enum { STEPS = 400 };
    double h = (1 - x) / STEPS, sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        double t = x + k * h;
        sum += (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2) * (power == 0 ? 1 : power == 1 ? t : t * t) * exp(-q * t * t);
    }
    return sum * h / 3;
}

/* Given J = j a coordinate is lambda s t, s = c + j, t of the density proportional to e^(-beta s t^2/2) on [-1, 1]; P(J = j) is as e^(-alpha j) times the product of what these
 * densities are normed by. */
static void the_errors_of_a_plan(void **state) {
    (void)state;
    enum { COUNT = 6, SIZES = 400 };
    const double bound[COUNT] = {1, 1, 1, 2, 2, 1}, weight[COUNT] = {1, 1, 2, 1, 1, 0.5};
    for (int objective = 0; objective < 3; objective++) {
        dpn_sensitivity set = {.dimension = COUNT, .bound = bound};
        dpn_calibration_options options = {
            .size = sizeof options, .objective = (dpn_objective)objective, .weight = weight};
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, "random-box", 1, 0.01, &set, &options, &why)) fail_msg("%s", why.sentence);
        const dpn_block *block = &plan.block[0];
        static double share[SIZES];
        double total = 0, error = 0;
        for (int j = 0; j < SIZES; j++) {
            double sum = -block->epsilon * j;
            for (int i = 0; i < COUNT; i++) {
                double s = block->box_start[i] + j;
                sum += log(s * part(0.5 * block->box_beta[i] * s, 0, 0));
            }
            share[j] = exp(sum);
            total += share[j];
        }
        for (int i = 0; i < COUNT; i++) {
            double one = 0, half = plan.error;
            if (objective == DPN_OBJECTIVE_INTERVAL95)
                half = dpn_plan_error(&plan, block, (size_t)i, DPN_OBJECTIVE_INTERVAL95) / bound[i];
            for (int j = 0; j < SIZES; j++) {
                double s = block->box_start[i] + j, q = 0.5 * block->box_beta[i] * s, all = part(q, 0, 0);
                double given = objective == 0   ? s * s * part(q, 0, 2) / all
                               : objective == 1 ? s * part(q, 0, 1) / all
                               : half < s       ? part(q, half / s, 0) / all
                                                : 0;
                one += share[j] / total * given;
            }
            if (objective == 2) {
                near("beyond the half-width", one, 0.05, 1e-8);
                one = half;
            }
            error += weight[i] * (objective == 0 ? bound[i] * bound[i] : bound[i]) * one;
        }
        near("error", plan.error / error, 1, 1e-8);
        double largest = block->epsilon;
        for (int i = 0; i < COUNT; i++) largest += 0.5 * block->box_beta[i];
        assert_true(plan.pure_epsilon >= largest && plan.pure_epsilon < largest * (1 + 1e-14));
        assert_true(plan.delta.upper <= 0.01 && plan.delta.upper > 0.0099 && plan.argument == DPN_ARGUMENT_BOUND);
        dpn_plan_free(&plan);
    }
}

static void what_cannot_be_found(void **state) {
    (void)state;
    dpn_box_cluster one = {0, 20, 20, 0, 0}, fine = one;
    double alpha = 7;
    dpn_error why;
    assert_int_equal(dpn_box_search(&alpha, &one, 1, &fine, 1, 1e-30, 1e-300, 1, &why), DPN_EACCURACY);
    assert_true(why.status == DPN_EACCURACY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_for_all_sizes), cmocka_unit_test(alpha_is_where_delta_is_asked),
        cmocka_unit_test(no_box_nearby_is_better),   cmocka_unit_test(the_errors_of_a_plan),
        cmocka_unit_test(what_cannot_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
