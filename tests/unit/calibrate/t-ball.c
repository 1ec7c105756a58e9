/* The balls of joint noise: how long the moves of a set are, which ball has the least error, what their plans guarantee and carry. */
#include "calibrate/set-norm.h"
#include "reference/draw.h"

#include <dpnoise/geometry.h>
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
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.12g is not %.12g", got, value);
}

static dpn_plan plan_of(double epsilon, double delta, const dpn_sensitivity *set,
                        const dpn_calibration_options *options) {
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, "k-norm", epsilon, delta, set, options, &why) != DPN_OK)
        fail_msg("(%g, %g): %s", epsilon, delta, why.sentence);
    if (!(plan.delta.upper <= delta)) fail_msg("delta %g exceeds %g", plan.delta.upper, delta);
    return plan;
}

static dpn_calibration_options with_ball(dpn_ball_kind ball) {
    return (dpn_calibration_options){
        .size = sizeof(dpn_calibration_options), .has_ball = true, .ball = ball, .hulls = dpn_exact_hulls()};
}

/* ---- norms of sets ---- */

enum { MOST = 6 };

static double length_of(const double *move, const double *side, size_t count, dpn_ball_kind ball) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = fabs(move[i]) / side[i];
        sum = ball == DPN_BALL_L2 ? sum + x * x : ball == DPN_BALL_L1 ? sum + x : fmax(sum, x);
    }
    return ball == DPN_BALL_L2 ? sqrt(sum) : sum;
}

/* A random set of up to MOST coordinates with some of the bounds that there are. */
typedef struct random_set {
    dpn_sensitivity set;
    double bound[MOST], vertex[4 * MOST], side[MOST];
    size_t coordinate[MOST];
} random_set;

static void draw_set(random_set *out, draw_source *source) {
    size_t n = 1 + draw_bits(source) % MOST;
    out->set = (dpn_sensitivity){.dimension = n};
    for (size_t i = 0; i < n; i++) {
        out->bound[i] = draw_log_uniform(source, 0.1, 10);
        out->side[i] = draw_log_uniform(source, 0.1, 10);
        out->coordinate[i] = i;
    }
    out->set.bound = out->bound;
    if (draw_chance(source, 0.5)) out->set.max_changed = 1 + draw_bits(source) % n;
    if (draw_chance(source, 0.5)) out->set.l1 = draw_log_uniform(source, 0.1, 30);
    if (draw_chance(source, 0.5)) out->set.l2 = draw_log_uniform(source, 0.1, 30);
    if (draw_chance(source, 0.3)) out->set.linf = draw_log_uniform(source, 0.1, 30);
    if (!draw_chance(source, 0.3)) return;
    for (size_t i = 0; i < 4 * n; i++) out->vertex[i] = draw_uniform(source, -5, 5);
    out->set.vertex = out->vertex;
    out->set.vertices = 4;
}

/* A random move of it, as long as can be: a point of the hull or a random direction, with some coordinates at rest, shrunk until
 * all bounds hold. */
static void draw_move(double *move, const random_set *s, draw_source *source) {
    const dpn_sensitivity *set = &s->set;
    size_t n = set->dimension, most = set->max_changed ? set->max_changed : n;
    double weight[4], total = 0, shrink = 1, zero_side[MOST];
    for (int v = 0; v < 4; v++) total += weight[v] = draw_chance(source, 0.5) ? draw_uniform(source, 0, 1) : 0;
    for (size_t i = 0; i < n; i++) {
        move[i] = set->vertices ? 0 : draw_chance(source, 0.5) ? s->bound[i] : draw_uniform(source, 0, s->bound[i]);
        for (int v = 0; v < 4 && set->vertices && total > 0; v++)
            move[i] += weight[v] / total * s->vertex[(size_t)v * n + i];
        zero_side[i] = 1;
    }
    if (set->vertices && most < n) { /* a move of the hull with few coordinates is hard to find: none at all */
        memset(move, 0, n * sizeof *move);
        return;
    }
    for (size_t at_rest = n - most; at_rest > 0 && !set->vertices;) {
        size_t i = draw_bits(source) % n;
        if (move[i] != 0) at_rest--;
        move[i] = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (move[i] != 0)
            shrink = fmin(shrink,
                          dpn_set_reach(&(dpn_sensitivity){.dimension = n, .bound = s->bound, .linf = set->linf}, i) /
                              fabs(move[i]));
    if (set->l1 > 0) shrink = fmin(shrink, set->l1 / length_of(move, zero_side, n, DPN_BALL_L1));
    if (set->l2 > 0) shrink = fmin(shrink, set->l2 / length_of(move, zero_side, n, DPN_BALL_L2));
    for (size_t i = 0; i < n && shrink < 1; i++) move[i] *= shrink * (1 - 1e-14);
}

static void no_move_is_longer(void **state) {
    (void)state;
    draw_source source = {5};
    const dpn_ball_kind balls[] = {DPN_BALL_L1, DPN_BALL_L2, DPN_BALL_LINF};
    double nearest[3] = {0};
    for (int trial = 0; trial < 3000; trial++) {
        random_set s;
        draw_set(&s, &source);
        for (int b = 0; b < 3; b++) {
            double upper = dpn_set_norm_upper(&s.set, balls[b], s.coordinate, s.set.dimension, s.side), longest = 0;
            for (int k = 0; k < 40; k++) {
                double move[MOST];
                draw_move(move, &s, &source);
                longest = fmax(longest, length_of(move, s.side, s.set.dimension, balls[b]));
            }
            if (!(longest <= upper))
                fail_msg("trial %d: a move of length %g exceeds the bound %g", trial, longest, upper);
            nearest[b] += longest > (1 - 1e-9) * upper;
        }
    }
    for (int b = 0; b < 3; b++) assert_true(nearest[b] > 600); /* the bounds are no idle ones */
}

/* Where the norm is known: the largest few sensitivities; norms themselves; vertices. */
static void norms_that_are_known(void **state) {
    (void)state;
    const double bound[] = {3, 1, 4, 2}, ones[] = {1, 1, 1, 1}, two[] = {2, 2, 2, 2}, wide[] = {20, 20, 20, 20},
                 vertex[] = {1, -2, 0, 2, 0, 5, 0, 0};
    const size_t all[] = {0, 1, 2, 3};
    dpn_sensitivity few = {.dimension = 4, .bound = bound, .max_changed = 2}, l2 = {.dimension = 4, .l2 = 3},
                    l1 = {.dimension = 4, .l1 = 3}, hull = {.dimension = 4, .vertex = vertex, .vertices = 2},
                    none = {.dimension = 4};
    expect(dpn_set_norm_upper(&few, DPN_BALL_L2, all, 4, ones), 5, 1e-14);
    expect(dpn_set_norm_upper(&few, DPN_BALL_L1, all, 4, two), 3.5, 1e-14);
    expect(dpn_set_norm_upper(&few, DPN_BALL_BOX, all, 4, two), 2, 1e-14);
    expect(dpn_set_norm_upper(&l2, DPN_BALL_L2, all, 4, two), 1.5, 1e-14);
    expect(dpn_set_norm_upper(&l2, DPN_BALL_L1, all, 4, two), 3, 1e-14);
    expect(dpn_set_norm_upper(&l1, DPN_BALL_L2, all, 4, two), 1.5, 1e-14);
    expect(dpn_set_norm_upper(&l1, DPN_BALL_L1, all, 4, two), 1.5, 1e-14);
    expect(dpn_set_norm_upper(&hull, DPN_BALL_L2, all, 4, ones), 5, 1e-14);
    expect(dpn_set_norm_upper(&hull, DPN_BALL_L1, all, 4, ones), 5, 1e-14);
    expect(dpn_set_norm_upper(&hull, DPN_BALL_L1, all, 4, wide), 0.25, 1e-14);
    assert_true(isinf(dpn_set_norm_upper(&none, DPN_BALL_L2, all, 4, ones)));
}

/* ---- the ball with the least error ---- */

/* Two of thirty answers move: the box has (31)(32)/3, the l2 ball of radius 2^(1/2) has 31 times 2, the l1 ball 2 times 4. */
static void few_answers_move(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 30, .linf = 1, .max_changed = 2};
    const struct {
        dpn_ball_kind ball;
        double each;
    } rows[] = {{DPN_BALL_BOX, 992.0 / 3}, {DPN_BALL_L2, 62}, {DPN_BALL_L1, 8}, {DPN_BALL_LINF, 992.0 / 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_calibration_options options = with_ball(rows[i].ball);
        dpn_plan plan = plan_of(1, 0, &set, &options);
        assert_int_equal(plan.block[0].ball, rows[i].ball);
        expect(plan.mse, 30 * rows[i].each, 1e-12);
        dpn_plan_free(&plan);
    }
    dpn_plan best = plan_of(1, 0, &set, NULL);
    assert_int_equal(best.block[0].ball, DPN_BALL_L1);
    assert_non_null(strstr(best.note, "independent laplace"));
    dpn_plan_free(&best);
    set.max_changed = 20;
    best = plan_of(1, 0, &set, NULL);
    assert_int_equal(best.block[0].ball, DPN_BALL_BOX);
    dpn_plan_free(&best);
    set.linf = 0, set.max_changed = 0, set.l1 = 3;
    best = plan_of(0.5, 0, &set, NULL);
    assert_int_equal(best.block[0].ball, DPN_BALL_L1);
    expect(best.variance[7], 2 * 36, 1e-12);
    expect(dpn_plan_error(&best, &best.block[0], 7, DPN_OBJECTIVE_INTERVAL95), 6 * log(20), 1e-12);
    expect(dpn_plan_error(&best, &best.block[0], 7, DPN_OBJECTIVE_MAE), 6, 1e-12);
    dpn_plan_free(&best);
}

/* Different sensitivities: sides in proportion to a power of them beat a common side and a side in their proportion, whose errors
 * are (m+1) m sum of the M largest squares, and (m+1) M times the sum of all squares. */
static void sides_differ_with_sensitivities(void **state) {
    (void)state;
    double bound[12], squares = 0, largest = 0;
    for (size_t i = 0; i < 12; i++) bound[i] = exp(-0.3 * (double)i);
    for (size_t i = 0; i < 12; i++) squares += bound[i] * bound[i];
    for (size_t i = 0; i < 4; i++) largest += bound[i] * bound[i];
    dpn_sensitivity set = {.dimension = 12, .bound = bound, .max_changed = 4};
    dpn_calibration_options options = with_ball(DPN_BALL_L2);
    dpn_plan plan = plan_of(1, 0, &set, &options);
    double common = 13 * 12 * largest, in_proportion = 13 * 4 * squares;
    assert_true(plan.mse <= fmin(common, in_proportion) * (1 + 1e-9));
    assert_true(plan.mse < 0.99 * fmin(common, in_proportion));
    assert_true(plan.block[0].side[0] > plan.block[0].side[11]);
    dpn_plan_free(&plan);
}

/* ---- guarantees ---- */

/* Every ball: delta(eps) of Laplace noise, or less for the l2 ball, the same from the text, and refused for sets that it may not hold. */
static void balls_are_certified_for_their_sets(void **state) {
    (void)state;
    const double bound[] = {1, 2, 3, 0}, larger_bound[] = {1, 2, 3.001, 0};
    dpn_sensitivity set = {.dimension = 4, .bound = bound, .max_changed = 2},
                    larger = {.dimension = 4, .bound = larger_bound, .max_changed = 2},
                    more = {.dimension = 4, .bound = bound, .max_changed = 3}, box = {.dimension = 4, .bound = bound};
    const dpn_ball_kind balls[] = {DPN_BALL_L1, DPN_BALL_L2};
    for (size_t i = 0; i < 2; i++) {
        dpn_calibration_options options = with_ball(balls[i]);
        dpn_plan plan = plan_of(0.7, 1e-3, &set, &options), read;
        bool l2 = balls[i] == DPN_BALL_L2;
        double alone = 0.7 - 2 * log1p(-1e-3); /* of a ball known by its epsilon */
        if (l2)
            assert_true(plan.block[0].epsilon > alone * 1.02 && plan.delta.upper > 1e-3 * (1 - 1e-9));
        else
            expect(plan.block[0].epsilon, alone, 2e-9);
        assert_int_equal(plan.block[1].kind, DPN_BLOCK_NONE);
        char *text;
        assert_int_equal(dpn_plan_write(&text, NULL, &plan, NULL), DPN_OK);
        assert_int_equal(dpn_plan_read(&read, text, strlen(text), NULL), DPN_OK);
        assert_memory_equal(read.block[0].side, plan.block[0].side, 3 * sizeof(double));
        expect(read.variance[1], plan.variance[1], 1e-14);
        const dpn_plan *both[] = {&plan, &read};
        for (int k = 0; k < 2; k++) {
            dpn_delta delta;
            dpn_argument argument;
            assert_int_equal(dpn_plan_delta(&delta, &argument, NULL, both[k], &set, 1, 0.5, NULL, NULL), DPN_OK);
            double laplace = -expm1(0.5 * (0.5 - plan.block[0].epsilon));
            if (l2)
                assert_true(delta.upper > 1e-3 && delta.upper < 0.75 * laplace);
            else
                expect(delta.upper, laplace, 1e-9);
            assert_int_equal(argument, DPN_ARGUMENT_BOUND);
            const dpn_sensitivity *others[] = {&larger, &more, &box};
            for (int o = 0; o < 3; o++)
                assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, both[k], others[o], 1, 0.5, NULL, NULL),
                                 DPN_EUNSUPPORTED);
        }
        free(text);
        dpn_plan_free(&plan);
        dpn_plan_free(&read);
    }
}

static const double vertices[] = {2, 0, 0, 1, 0, 2, 1, 0, -2}; /* the second answer does not move */
static const dpn_sensitivity hull_set = {.dimension = 3, .vertex = vertices, .vertices = 3};

/* The hull of KN's figure: variances 10 and 40/3, less than those of boxes and l_p balls. */
static void a_hull_is_a_ball(void **state) {
    (void)state;
    dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .hulls = dpn_exact_hulls()};
    dpn_plan plan = plan_of(2, 0, &hull_set, &options), box = plan_of(2, 0, &hull_set, NULL), read;
    assert_int_equal(plan.block[0].ball, DPN_BALL_HULL);
    assert_int_equal(plan.block[0].count, 2);
    assert_true(plan.variance[1] == 0 && plan.pure && plan.pure_epsilon == 2);
    expect(plan.variance[0], 10.0 / 4, 1e-14);
    expect(plan.variance[2], 40.0 / 3 / 4, 1e-14);
    expect(plan.mse, plan.error, 1e-14);
    assert_true(plan.mse < box.mse);
    const struct {
        dpn_objective objective;
        double least, most; /* by the double cone and the cylinder of the same reach, 2, at epsilon 2 */
    } errors[] = {{DPN_OBJECTIVE_MAE, 1, 1.5}, {DPN_OBJECTIVE_INTERVAL95, 2.9957, 4.5}};
    for (size_t i = 0; i < 2; i++) {
        double error = dpn_plan_error(&plan, &plan.block[0], 2, errors[i].objective);
        assert_true(error > errors[i].least && error < errors[i].most);
    }
    char *text;
    assert_int_equal(dpn_plan_write(&text, NULL, &plan, NULL), DPN_OK);
    assert_non_null(strstr(text, "\"vertices\": [[2, 0], [1, 2], [1, -2]]"));
    assert_int_equal(dpn_plan_read(&read, text, strlen(text), NULL), DPN_OK);
    assert_memory_equal(read.vertex, vertices, sizeof vertices);
    dpn_sensitivity own;
    assert_int_equal(dpn_plan_sensitivity(&own, &read, NULL), DPN_OK);
    dpn_delta delta;
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &read, &own, 1, 2, NULL, NULL), DPN_OK);
    assert_true(delta.upper == 0);
    const double order[] = {3};
    dpn_divergence divergence, laplace;
    assert_int_equal(dpn_plan_renyi(&divergence, NULL, &read, &own, 1, order, 1, NULL), DPN_OK);
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "laplace", (const double[]){1}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_renyi(&laplace, &law, 2, 3, NULL), DPN_OK);
    expect(divergence.upper, laplace.upper, 1e-9);
    free(text);
    dpn_plan_free(&plan);
    dpn_plan_free(&box);
    dpn_plan_free(&read);
}

/* The vertices of the set must be those of the plan: in any order, some of them, negated. */
static void a_hull_holds_its_vertices_alone(void **state) {
    (void)state;
    dpn_calibration_options options = with_ball(DPN_BALL_HULL);
    dpn_plan plan = plan_of(1, 1e-6, &hull_set, &options);
    const double some[] = {1, 0, -2, -2, 0, 0}, outside[] = {2, 0, 0, 1, 0, 2.0001}, inside[] = {0.5, 0, 0},
                 across[] = {0, 0, -1}; /* less what stands at the end of one vertex and the start of the next */
    const double box[] = {1, 0, 1};
    const struct {
        dpn_sensitivity set;
        dpn_status status;
    } rows[] = {{{.dimension = 3, .vertex = some, .vertices = 2}, DPN_OK},
                {{.dimension = 3, .vertex = outside, .vertices = 2}, DPN_EUNSUPPORTED},
                {{.dimension = 3, .vertex = inside, .vertices = 1}, DPN_EUNSUPPORTED}, /* true, and not seen */
                {{.dimension = 3, .vertex = across, .vertices = 1}, DPN_EUNSUPPORTED},
                {{.dimension = 3, .bound = box}, DPN_EUNSUPPORTED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_delta delta;
        assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &rows[i].set, 1, 1, NULL, NULL), rows[i].status);
    }
    dpn_plan_free(&plan);
}

static void what_is_refused(void **state) {
    (void)state;
    dpn_plan plan;
    dpn_error why;
    dpn_calibration_options hull = with_ball(DPN_BALL_HULL), core = hull;
    core.hulls = NULL;
    dpn_sensitivity box = {.dimension = 3, .linf = 1};
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &box, &hull, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &hull_set, &core, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "blocks", 1, 0, &hull_set, &hull, &why), DPN_EUNSUPPORTED);
    const double moves[] = {2, 0, 1, 2, 1, -2}; /* equal sensitivities, and different variances */
    dpn_sensitivity unlike = {.dimension = 2, .vertex = moves, .vertices = 3};
    hull.identical = true;
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &unlike, &hull, &why), DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "hull is not identical"));
    hull.identical = false;
    dpn_calibration_options none = with_ball((dpn_ball_kind)7);
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &box, &none, &why), DPN_EDOMAIN);
    const double flat[] = {1, 2, 2, 4};
    dpn_sensitivity line = {.dimension = 2, .vertex = flat, .vertices = 2};
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &line, &hull, &why), DPN_EDOMAIN);
    dpn_calibration_options any = {.size = sizeof(dpn_calibration_options), .hulls = dpn_exact_hulls()};
    dpn_plan other = plan_of(1, 0, &line, &any); /* another ball, and a note */
    assert_true(other.block[0].ball != DPN_BALL_HULL);
    assert_non_null(strstr(other.note, "no hull: "));
    const dpn_sensitivity no_vertices = {.dimension = 3, .l2 = 1};
    dpn_plan without = plan_of(1, 0, &no_vertices, &any); /* there is no hull to speak of */
    assert_true(without.block[0].ball == DPN_BALL_L2 && without.note[0] == 0);
    dpn_plan_free(&without);
    dpn_plan_free(&other);
    static const char *const texts[] = {
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": 3}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": []}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [1, 2]}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [[1, 2], [1]]}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [[1, \"inf\"]]}]",
        ("[{\"coordinates\": \"0\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [[1]]}, "
         "{\"coordinates\": \"1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [[1]]}]"),
        ("[{\"coordinates\": \"0\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"vertices\": [[1], [1], [1], [1], "
         "[1], [1], [1]]}, "
         "{\"coordinates\": \"1-9999999\", \"noise\": \"none\"}]"),
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=l1,epsilon=1)\", \"sides\": [1]}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sides\": [1, 0]}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sides\": -1}]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (dpn_plan_read(&plan, texts[i], strlen(texts[i]), &why) == DPN_OK) fail_msg("%s is accepted", texts[i]);
}

/* One side for all; and that of an l2 ball from the set around the plan, as it was once written. */
static void sides_are_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "[{\"coordinates\": \"0-2\", \"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sides\": 5}]",
        "{\"sensitivity\": {\"l2\": 5}, \"plan\": [{\"coordinates\": \"0-2\", \"noise\": "
        "\"k-norm(ball=l2,epsilon=1)\"}]}"};
    for (int i = 0; i < 2; i++) {
        dpn_plan plan;
        assert_int_equal(dpn_plan_read(&plan, texts[i], strlen(texts[i]), NULL), DPN_OK);
        expect(plan.variance[2], 4 * 25, 1e-14);
        dpn_sensitivity just = {.dimension = 3, .l2 = 5}, beyond = {.dimension = 3, .l2 = nextafter(5, 6)};
        dpn_delta certified;
        assert_int_equal(dpn_plan_delta(&certified, NULL, NULL, &plan, &just, 1, 1, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_plan_delta(&certified, NULL, NULL, &plan, &beyond, 1, 1, NULL, NULL), DPN_EUNSUPPORTED);
        dpn_plan_free(&plan);
    }
    dpn_plan unknown; /* nothing is known of this ball: no set is certain to lie in it */
    const char *text = "[{\"coordinates\": \"0-2\", \"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sensitivities\": 1}]";
    dpn_sensitivity small = {.dimension = 3, .l2 = 1e-9};
    dpn_delta delta;
    assert_int_equal(dpn_plan_read(&unknown, text, strlen(text), NULL), DPN_OK);
    assert_true(isnan(unknown.variance[0]));
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &unknown, &small, 1, 1, NULL, NULL), DPN_EUNSUPPORTED);
    dpn_plan_free(&unknown);
}

/* The answers have no order: the error is the same whichever of them comes first. */
static void the_order_of_answers_does_not_count(void **state) {
    (void)state;
    static const double bounds[][3] = {{1, 3, 3}, {1, 1, 4}, {2, 1, 5}};
    static const int orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const dpn_ball_kind balls[] = {DPN_BALL_BOX, DPN_BALL_L1, DPN_BALL_L2, DPN_BALL_LINF};
    for (int b = 0; b < 3; b++)
        for (int k = 0; k < 4; k++) {
            double first = NAN;
            for (int o = 0; o < 4; o++) {
                double bound[3];
                for (int i = 0; i < 3; i++) bound[i] = bounds[b][orders[o][i]];
                dpn_sensitivity set = {.dimension = 3, .bound = bound, .l1 = 6, .l2 = 4};
                dpn_calibration_options options = with_ball(balls[k]);
                dpn_plan plan = plan_of(0.7, 0, &set, &options);
                if (o == 0) first = plan.mse;
                expect(plan.mse, first, 1e-9);
                dpn_plan_free(&plan);
            }
        }
}

/* One answer has a hull, identical or not; several with one law do not. */
static void identical_hulls_are_of_one_answer(void **state) {
    (void)state;
    const double one[] = {1, -1, 0.5}, two[] = {1, 0, 0, 1};
    dpn_calibration_options options = with_ball(DPN_BALL_HULL);
    options.identical = true;
    dpn_sensitivity set = {.dimension = 1, .vertex = one, .vertices = 3};
    dpn_plan plan = plan_of(1, 0, &set, &options);
    expect(plan.mse, 2, 1e-12); /* Laplace noise */
    dpn_plan_free(&plan);
    set = (dpn_sensitivity){.dimension = 2, .vertex = two, .vertices = 2};
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &set, &options, NULL), DPN_EUNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_move_is_longer),
        cmocka_unit_test(norms_that_are_known),
        cmocka_unit_test(few_answers_move),
        cmocka_unit_test(sides_differ_with_sensitivities),
        cmocka_unit_test(balls_are_certified_for_their_sets),
        cmocka_unit_test(a_hull_is_a_ball),
        cmocka_unit_test(a_hull_holds_its_vertices_alone),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(sides_are_read),
        cmocka_unit_test(the_order_of_answers_does_not_count),
        cmocka_unit_test(identical_hulls_are_of_one_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
