/* What a calibration makes of what it is asked: the domain, the coordinates in groups, the moves that decide with their norms, and the delta of given noise. */
#include "calibrate/problem.h"
#include "calibrate/set-norm.h"
#include "law/facts.h"

#include <dpnoise/plan.h>
#include <dpnoise/privacy.h>

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 40 };

static const dpn_calibration_options plain = {.size = sizeof(dpn_calibration_options)};

static dpn_problem problem_of(const struct dpn_family *family, double epsilon, double delta, const dpn_sensitivity *set,
                              const dpn_calibration_options *options, size_t most) {
    dpn_problem p;
    dpn_error why;
    if (dpn_problem_make(&p, family, epsilon, delta, set, options, most, &why)) fail_msg("%s", why.sentence);
    return p;
}

static dpn_status status_of(const struct dpn_family *family, double epsilon, double delta, const dpn_sensitivity *set,
                            const dpn_calibration_options *options, size_t most) {
    dpn_problem p;
    dpn_status status = dpn_problem_make(&p, family, epsilon, delta, set, options, most, NULL);
    dpn_problem_free(&p);
    return status;
}

/* ---- groups ---- */

/* A group for each pair of a sensitivity above 0 and a weight, the largest sensitivities first; every coordinate is in the group of its own. */
static void coordinates_are_in_groups(void **state) {
    (void)state;
    draw_source random = {.state = 51};
    static const double sizes[] = {0, 0.5, 1, 2, 7}, weights[] = {0.25, 1, 3};
    for (int n = 0; n < 200; n++) {
        double bound[MOST], weight[MOST], l1 = 0, square = 0, most = 0;
        size_t count = 1 + (size_t)(draw_bits(&random) % MOST), different = 0;
        for (size_t i = 0; i < count; i++) {
            bound[i] = sizes[draw_bits(&random) % 5];
            weight[i] = weights[draw_bits(&random) % 3];
        }
        bound[0] = 2;
        dpn_calibration_options options = plain;
        options.weight = n % 4 ? weight : NULL;
        options.times = 1 + (uint64_t)n % 3;
        dpn_sensitivity set = {.dimension = count, .bound = bound};
        dpn_problem p = problem_of(dpn_family_find("laplace"), 1, 1e-6, &set, &options, 100);
        for (size_t i = 0; i < count; i++) {
            bool first = bound[i] > 0;
            for (size_t k = 0; k < i; k++)
                first = first && !(bound[k] == bound[i] && (n % 4 == 0 || weight[k] == weight[i]));
            different += first;
            l1 += bound[i] * (double)options.times;
            square += bound[i] * bound[i] * (double)options.times;
            most += (double)options.times * (bound[i] > 0);
            assert_true(p.sensitivity[i] == bound[i]);
            if (bound[i] == 0) {
                assert_int_equal(p.group_of[i], p.groups);
                continue;
            }
            const dpn_coordinates *own = &p.group[p.group_of[i]];
            assert_true(own->bound == bound[i] && own->weight == (n % 4 ? weight[i] : 1));
        }
        assert_int_equal(p.groups, different);
        size_t sum = 0;
        for (size_t g = 0; g < p.groups; g++) {
            size_t members = 0;
            for (size_t i = 0; i < count; i++) members += p.group_of[i] == g;
            assert_int_equal(p.group[g].count, members);
            sum += members;
            if (g > 0) assert_true(p.group[g].bound <= p.group[g - 1].bound);
            /* the one move of a box is its corner */
            assert_true(p.shift[g].group == g && p.shift[g].distance == p.group[g].bound);
            assert_int_equal(p.shift[g].times, members * options.times);
        }
        assert_true((double)sum * (double)options.times == most && p.most == most && p.largest == p.group[0].bound);
        assert_true(p.box && !p.merged && p.moves == 1 && p.argument == DPN_ARGUMENT_CORNER);
        assert_true(fabs(p.l1 / l1 - 1) < 1e-14 && fabs(p.l2 / sqrt(square) - 1) < 1e-14);
        dpn_problem_free(&p);
    }
}

/* Too many groups are merged: none of the sensitivities becomes less, or more than a group needs, and weights are kept apart. */
static void many_groups_are_merged(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        double bound[MOST], weight[MOST];
        for (int i = 0; i < MOST; i++) {
            bound[i] = pow(1.1, i);
            weight[i] = i % 2 ? 1 : 2;
        }
        dpn_calibration_options options = plain;
        if (weighted) options.weight = weight;
        dpn_sensitivity set = {.dimension = MOST, .bound = bound};
        dpn_problem p = problem_of(dpn_family_find("laplace"), 1, 1e-6, &set, &options, weighted ? MOST : 5);
        if (weighted) { /* neighbours have other weights: nothing is merged */
            assert_int_equal(p.groups, MOST);
            dpn_problem_free(&p);
            assert_int_equal(status_of(dpn_family_find("laplace"), 1, 1e-6, &set, &options, MOST - 1),
                             DPN_EUNSUPPORTED);
            continue;
        }
        assert_true(p.merged && p.groups <= 5 && p.groups >= 2);
        uint64_t sum = 0;
        for (size_t g = 0; g < p.groups; g++) {
            double largest = 0;
            uint64_t members = 0;
            for (size_t i = 0; i < MOST; i++)
                if (p.group_of[i] == g) {
                    members++;
                    largest = fmax(largest, bound[i]);
                }
            assert_true(p.group[g].bound == largest && p.group[g].count == members && members > 0);
            sum += members;
        }
        assert_int_equal(sum, MOST);
        for (size_t i = 0; i < MOST; i++) assert_true(p.sensitivity[i] == bound[i]);
        dpn_law law[5];
        dpn_delta delta;
        for (size_t g = 0; g < p.groups; g++)
            assert_int_equal(dpn_law_make(&law[g], "laplace", (const double[]){40 * p.group[g].bound}, 1, NULL),
                             DPN_OK);
        assert_int_equal(dpn_problem_delta(&delta, NULL, &p, law, 1, (dpn_effort){0}, NULL), DPN_OK);
        assert_true(delta.lower == 0 && delta.log_lower == -INFINITY); /* what was rounded up is not known from below */
        dpn_problem_free(&p);
        p = problem_of(dpn_family_find("gaussian"), 1, 1e-6, &set, &options, 5); /* losses that are one in the end */
        assert_true(!p.merged && p.groups == MOST);
        dpn_problem_free(&p);
    }
}

/* A coordinate moves by no more than any bound, nor further than a vertex. */
static void how_far_coordinates_move(void **state) {
    (void)state;
    const double bound[] = {3, 0.5, 2}, vertex[] = {1, 0, -4, -2.5, 0.25, 0, 0, 0, 1};
    const struct {
        dpn_sensitivity set;
        double reach[3];
    } rows[] = {{{.dimension = 3, .bound = bound}, {3, 0.5, 2}},
                {{.dimension = 3, .bound = bound, .linf = 1}, {1, 0.5, 1}},
                {{.dimension = 3, .bound = bound, .l1 = 2.5}, {2.5, 0.5, 2}},
                {{.dimension = 3, .l2 = 1.5, .l1 = 4}, {1.5, 1.5, 1.5}},
                {{.dimension = 3, .linf = 9, .l2 = 7, .max_changed = 2}, {7, 7, 7}},
                {{.dimension = 3, .vertex = vertex, .vertices = 3}, {2.5, 0.25, 4}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        dpn_problem p = problem_of(dpn_family_find("gaussian"), 1, 1e-6, &rows[k].set, &plain, 100);
        double largest = 0;
        for (size_t i = 0; i < 3; i++) {
            assert_true(p.sensitivity[i] == rows[k].reach[i] && dpn_set_reach(&rows[k].set, i) == rows[k].reach[i]);
            largest = fmax(largest, rows[k].reach[i]);
        }
        assert_true(p.largest == largest && p.box == (k < 2));
        dpn_problem_free(&p);
    }
}

static double norm_of(const double *x, const double *side, size_t count, dpn_ball_kind ball) {
    double sum = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double size = fabs(x[i]) / side[i];
        sum += ball == DPN_BALL_L2 ? size * size : size;
        largest = fmax(largest, size);
    }
    return ball == DPN_BALL_L1 ? sum : ball == DPN_BALL_L2 ? sqrt(sum) : largest;
}

/* No move of a set is longer than its norm: moves at random, made as long as the set allows. Where the longest one is known it is that long. */
static void norms_of_sets(void **state) {
    (void)state;
    static const dpn_ball_kind balls[] = {DPN_BALL_BOX, DPN_BALL_LINF, DPN_BALL_L1, DPN_BALL_L2};
    static const size_t all[] = {0, 1, 2, 3, 4};
    draw_source random = {.state = 53};
    for (int n = 0; n < 400; n++) {
        double bound[5], side[5], longest = 0;
        size_t count = 2 + (size_t)(draw_bits(&random) % 4);
        for (size_t i = 0; i < count; i++) {
            bound[i] = draw_log_uniform(&random, 0.2, 5);
            side[i] = draw_log_uniform(&random, 0.2, 5);
        }
        dpn_sensitivity set = {.dimension = count, .bound = bound};
        if (draw_chance(&random, 0.5)) set.l1 = draw_log_uniform(&random, 0.3, 8);
        if (draw_chance(&random, 0.5)) set.l2 = draw_log_uniform(&random, 0.3, 5);
        if (draw_chance(&random, 0.5)) set.max_changed = 1 + (size_t)(draw_bits(&random) % count);
        dpn_ball_kind ball = balls[n % 4];
        double upper = dpn_set_norm_upper(&set, ball, all, count, side);
        for (int k = 0; k < 60; k++) {
            double x[5] = {0}, l1 = 0, square = 0, factor = INFINITY;
            size_t moved = 0, most = set.max_changed ? set.max_changed : count;
            for (size_t j = 0; j < count && moved < most; j++) {
                size_t i = (j + (size_t)k) % count;
                if (draw_chance(&random, 0.3)) continue;
                x[i] = draw_chance(&random, 0.5) ? bound[i] : bound[i] * draw_uniform(&random, 0, 1);
                moved++;
                l1 += x[i];
                square += x[i] * x[i];
            }
            if (moved == 0) continue;
            factor = 1;
            if (set.l1 > 0) factor = fmin(factor, set.l1 / l1);
            if (set.l2 > 0) factor = fmin(factor, set.l2 / sqrt(square));
            for (size_t i = 0; i < count; i++) x[i] *= factor;
            longest = fmax(longest, norm_of(x, side, count, ball));
        }
        if (!(longest <= upper * (1 + 1e-14))) fail_msg("%d: a move of %g in a norm of %g", n, longest, upper);
        assert_true(upper < 5 * longest);
    }
    const double side[] = {0.5, 1, 2, 4, 4}, ones[] = {1, 1, 1, 1, 1}, bound[] = {1, 3, 1, 1, 8};
    const dpn_sensitivity box = {.dimension = 5, .bound = bound},
                          few = {.dimension = 5, .bound = bound, .max_changed = 2}, cross = {.dimension = 5, .l1 = 3},
                          round = {.dimension = 5, .l2 = 3}, cut = {.dimension = 5, .linf = 1, .l1 = 4},
                          one = {.dimension = 5, .vertex = bound, .vertices = 1};
    const struct {
        const dpn_sensitivity *set;
        dpn_ball_kind ball;
        const double *side;
        double norm;
    } rows[] = {{&box, DPN_BALL_L1, side, 7.75},
                {&box, DPN_BALL_LINF, side, 3},
                {&box, DPN_BALL_L2, side, sqrt(4 + 9 + 0.25 + 0.0625 + 4)},
                {&few, DPN_BALL_L1, side, 5},
                {&few, DPN_BALL_L2, side, sqrt(13)},
                {&cross, DPN_BALL_L1, side, 6},
                {&cross, DPN_BALL_L2, side, 6},
                {&cross, DPN_BALL_BOX, side, 6},
                {&round, DPN_BALL_L2, side, 6},
                {&round, DPN_BALL_L1, side, 3 * sqrt(4 + 1 + 0.25 + 0.0625 + 0.0625)},
                {&cut, DPN_BALL_L2, ones, 2},
                {&cut, DPN_BALL_L1, ones, 4},
                {&cut, DPN_BALL_LINF, ones, 1},
                {&one, DPN_BALL_L1, side, 7.75},
                {&one, DPN_BALL_LINF, side, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got = dpn_set_norm_upper(rows[i].set, rows[i].ball, all, 5, rows[i].side);
        if (!(got >= rows[i].norm && got <= rows[i].norm * (1 + 1e-13))) fail_msg("row %zu: %.17g", i, got);
    }
}

/* ---- the domain ---- */

static void domains_end_where_they_say(void **state) {
    (void)state;
    const dpn_sensitivity set = {.dimension = 3, .linf = 1};
    static const struct {
        double epsilon, delta;
        bool right;
    } rows[] = {{1, 0, true},  {0, 0.5, true},      {0, 0, false},  {-1e-9, 0.1, false}, {INFINITY, 0.1, false},
                {1, 1, false}, {1, 1 - 1e-9, true}, {1, -1, false}, {NAN, 0.1, false},   {1, NAN, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(status_of(dpn_family_find("laplace"), rows[i].epsilon, rows[i].delta, &set, &plain, 9),
                         rows[i].right ? DPN_OK : DPN_EDOMAIN);
    const double bad[] = {1, -1, 1}, none[] = {1, NAN, 1}, zero[] = {1, 0, 1}, infinite[] = {1, INFINITY, 1};
    const dpn_sensitivity wrong[] = {{.dimension = 0, .linf = 1},     {.dimension = 3},
                                     {.dimension = 3, .linf = -1},    {.dimension = 3, .l1 = -1},
                                     {.dimension = 3, .l2 = -1},      {.dimension = 3, .bound = bad},
                                     {.dimension = 3, .bound = none}, {.dimension = 3, .bound = infinite},
                                     {.dimension = 3, .vertex = bad}, {.dimension = 3, .linf = 1, .vertices = 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, &wrong[i], &plain, 9), DPN_EDOMAIN);
    assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, NULL, &plain, 9), DPN_EDOMAIN);
    const dpn_sensitivity some = {.dimension = 3, .bound = zero};
    assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, &some, &plain, 9), DPN_OK);
    const double *weights[] = {bad, none, zero, infinite};
    for (size_t i = 0; i < 4; i++) {
        dpn_calibration_options options = plain;
        options.weight = weights[i];
        assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, &set, &options, 9), DPN_EDOMAIN);
    }
    for (int which = 0; which < 3; which++)
        for (int value = -1; value < 12; value++) {
            dpn_calibration_options options = plain;
            int most = which == 0 ? DPN_OBJECTIVE_INTERVAL95 : which == 1 ? DPN_CONDITION_ZCDP : DPN_BALL_HULL;
            if (which == 0) options.objective = (dpn_objective)value;
            if (which == 1) options.condition = (dpn_calibration_condition)value;
            if (which == 2) {
                options.has_ball = true;
                options.ball = (dpn_ball_kind)value;
            }
            if (which == 2 && value >= 0 && value <= most) continue;
            assert_int_equal(status_of(dpn_family_find("laplace"), 1, 1e-6, &set, &options, 9),
                             value >= 0 && value <= most && which < 2         ? DPN_OK
                             : which == 2 && dpn_ball_kind_name(options.ball) ? DPN_OK
                                                                              : DPN_EDOMAIN);
        }
    dpn_calibration_options often = plain;
    const dpn_sensitivity two = {.dimension = 2, .linf = 1};
    often.times = UINT64_C(1) << 61;
    assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, &two, &often, 9), DPN_OK);
    often.times++;
    assert_int_equal(status_of(dpn_family_find("laplace"), 1, 0, &two, &often, 9), DPN_EDOMAIN);
    /* Plans have the same end. */
    dpn_plan plan;
    dpn_delta delta;
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 1, 1e-6, &two, NULL, NULL), DPN_OK);
    assert_int_not_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &two, often.times - 1, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &two, often.times, 1, NULL, NULL), DPN_EDOMAIN);
    dpn_plan_free(&plan);
}

static void sets_of_whole_numbers(void **state) {
    (void)state;
    const double whole[] = {1, 0, 7}, half[] = {1, 0.5, 7};
    const struct {
        dpn_sensitivity set;
        bool whole;
    } rows[] = {{{.dimension = 3, .bound = whole}, true},
                {{.dimension = 3, .bound = half}, false},
                {{.dimension = 3, .linf = 2}, true},
                {{.dimension = 3, .linf = 2.5}, false},
                {{.dimension = 3, .linf = 2, .l1 = 3.5}, false},
                {{.dimension = 3, .l2 = 1.5}, true},
                {{.dimension = 3, .l2 = 1}, true},
                {{.dimension = 3, .l2 = 0.99}, false},
                {{.dimension = 3, .vertex = whole, .vertices = 1}, true},
                {{.dimension = 3, .vertex = half, .vertices = 1}, false},
                {{.dimension = 1, .vertex = half, .vertices = 2}, false},
                {{.dimension = 1, .vertex = half, .vertices = 1}, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(dpn_set_is_whole(&rows[i].set) == rows[i].whole);
        assert_int_equal(status_of(dpn_family_find("discrete-laplace"), 1, 1e-6, &rows[i].set, &plain, 9) == DPN_OK,
                         rows[i].whole);
    }
}

/* ---- what laws give ---- */

/* Of Gaussian noise all moves of a corner are one: sum (lambda/sigma)^2 has the closed form. Of Laplace noise delta is 0 just if sum lambda/scale is at most epsilon. */
static void the_delta_of_given_noise(void **state) {
    (void)state;
    draw_source random = {.state = 52};
    for (int n = 0; n < 60; n++) {
        double bound[6], epsilon = draw_log_uniform(&random, 0.05, 5), square = 0, sum = 0, error = 0;
        double weight[6];
        for (int i = 0; i < 6; i++) {
            bound[i] = draw_log_uniform(&random, 0.1, 10);
            weight[i] = draw_log_uniform(&random, 0.1, 10);
        }
        dpn_sensitivity set = {.dimension = 6, .bound = bound};
        dpn_calibration_options options = plain;
        options.times = 1 + (uint64_t)n % 4;
        options.weight = weight;
        dpn_problem p = problem_of(dpn_family_find("gaussian"), epsilon, 1e-6, &set, &options, 9);
        dpn_law gauss[6], laplace[6], unit;
        for (size_t g = 0; g < p.groups; g++) {
            double sigma = draw_log_uniform(&random, 1, 100);
            assert_int_equal(dpn_law_make(&gauss[g], "gaussian", &sigma, 1, NULL), DPN_OK);
            square += (double)options.times * pow(p.group[g].bound / sigma, 2);
            error += p.group[g].weight * sigma * sigma;
            sum += (double)options.times * p.group[g].bound / sigma;
        }
        dpn_delta got, exact;
        assert_int_equal(dpn_problem_delta(&got, NULL, &p, gauss, 1, (dpn_effort){0}, NULL), DPN_OK);
        assert_int_equal(dpn_law_make(&unit, "gaussian", (const double[]){1}, 1, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&exact, &unit, sqrt(square), epsilon, NULL), DPN_OK);
        assert_true(got.log_lower <= exact.log_upper && got.log_upper >= exact.log_lower);
        if (exact.log_upper > -500) assert_true(fabs(got.log_upper - exact.log_upper) < 1e-11 * (1 - exact.log_upper));
        assert_true(fabs(dpn_problem_error(&p, gauss, 1) / error - 1) < 1e-12);
        assert_true(isinf(dpn_problem_largest_loss(&p, gauss, 1)) && !dpn_problem_within_epsilon(&p, gauss, 1));
        for (int above = 0; above < 2; above++) {
            double factor = sum / epsilon * (above ? 1 - 1e-12 : 1 + 1e-12), inverse = 0;
            for (size_t g = 0; g < p.groups; g++) {
                double scale = dpn_law_gaussian(&gauss[g]) * factor;
                assert_int_equal(dpn_law_make(&laplace[g], "laplace", &scale, 1, NULL), DPN_OK);
                inverse += (double)options.times * p.group[g].bound / scale;
            }
            assert_true(dpn_problem_within_epsilon(&p, laplace, 1) == !above);
            assert_true(fabs(dpn_problem_largest_loss(&p, laplace, 1) / inverse - 1) < 1e-14);
            assert_true(dpn_problem_largest_loss(&p, laplace, 1) >= inverse * (1 - 1e-15));
        }
        dpn_problem_free(&p);
    }
}

/* The deviation that noise needs: zCDP of rho = l2^2/2 sigma^2 gives epsilon = rho + 2 (rho log(1/delta))^(1/2); Laplace noise of T10 has l1/scale = epsilon - 2 log(1 - delta). */
static void deviations_by_closed_forms(void **state) {
    (void)state;
    for (double epsilon = 0.02; epsilon < 20; epsilon *= 3)
        for (double delta = 1e-12; delta < 0.5; delta *= 100) {
            const double bound[] = {3, 1, 1, 0.25};
            dpn_sensitivity set = {.dimension = 4, .bound = bound};
            dpn_problem p = problem_of(dpn_family_find("laplace"), epsilon, delta, &set, &plain, 9);
            double gauss, laplace, least = dpn_problem_deviation(&p, &gauss, &laplace);
            double l2 = sqrt(9 + 1 + 1 + 0.0625), rho = 0.5 * pow(l2 / gauss, 2);
            if (gauss < 0.39 * l2 / delta) assert_true(fabs((rho + 2 * sqrt(rho * -log(delta))) / epsilon - 1) < 1e-9);
            assert_true(gauss <= 0.4 * l2 / delta * (1 + 1e-12));
            assert_true(fabs(5.25 / laplace / (epsilon - 2 * log1p(-delta)) - 1) < 1e-12);
            assert_true(least == fmin(gauss, sqrt(2) * laplace) ||
                        fabs(least / fmin(gauss, sqrt(2) * laplace) - 1) < 1e-15);
            assert_true(dpn_problem_is_wide(&p, dpn_family_find("discrete-gaussian")) == (least > 100));
            assert_false(dpn_problem_is_wide(&p, dpn_family_find("gaussian")));
            dpn_problem_free(&p);
        }
}

/* A plan says what was asked, whatever it is made of. */
static void plans_say_what_was_asked(void **state) {
    (void)state;
    const double bound[] = {2, 1, 1, 0.5, 2, 3};
    for (int condition = 0; condition < 3; condition++)
        for (int objective = 0; objective < 3; objective++) {
            dpn_sensitivity set = {.dimension = 6, .bound = bound, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
            dpn_calibration_options options = plain;
            options.condition = (dpn_calibration_condition)condition;
            options.objective = (dpn_objective)objective;
            options.times = condition == 1 ? 1 : 2;
            if (objective == 1) set.max_changed = 4;
            if (objective == 2) set.l1 = 5;
            if (objective == 2) set.l2 = 3;
            dpn_plan plan;
            dpn_error why;
            if (dpn_calibrate(&plan, "gaussian", 0.5, 1e-4, &set, &options, &why)) fail_msg("%s", why.sentence);
            assert_true(plan.condition == options.condition && plan.objective == options.objective);
            assert_true(plan.epsilon == 0.5 && plan.times == options.times && plan.dimension == 6);
            assert_true(plan.relation == set.relation && plan.unit == set.unit);
            assert_true(plan.max_changed == set.max_changed && plan.l1 == set.l1 && plan.l2 == set.l2);
            assert_true(plan.vertices == 0 && plan.delta.upper <= 1e-4 && !plan.pure && isinf(plan.pure_epsilon));
            double error = 0;
            for (size_t i = 0; i < 6; i++) {
                const dpn_law *law = dpn_plan_law(&plan, i);
                double sigma = dpn_law_parameter(law, "sigma");
                error += objective == 0   ? sigma * sigma
                         : objective == 1 ? sigma * sqrt(2 / acos(-1))
                                          : sigma * 1.959963984540054;
                assert_true(fabs(plan.variance[i] / (sigma * sigma) - 1) < 1e-12 && plan.sensitivity[i] == bound[i]);
            }
            assert_true(fabs(plan.error / error - 1) < 1e-10);
            dpn_plan_free(&plan);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_in_groups),  cmocka_unit_test(many_groups_are_merged),
        cmocka_unit_test(how_far_coordinates_move),   cmocka_unit_test(norms_of_sets),
        cmocka_unit_test(domains_end_where_they_say), cmocka_unit_test(sets_of_whole_numbers),
        cmocka_unit_test(the_delta_of_given_noise),   cmocka_unit_test(deviations_by_closed_forms),
        cmocka_unit_test(plans_say_what_was_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
