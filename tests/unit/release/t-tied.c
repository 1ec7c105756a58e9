/* Sums that one row moves together. Neighbouring tables are tallied, row by row, and the difference of their sums must lie in the
 * hull that the plan has vertices of; the error of that noise is integrated once more from the definition of the body, and
 * seen in draws. */
#include "release/tally/tally.h"

#include "reference/draw.h"
#include "unit/random/seeded.h"

#include <dpnoise/geometry.h>
#include <dpnoise/plan.h>
#include <dpnoise/statistics.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8, ROWS = 6, TEXT = 32 };

static dpn_query *compiled(const char *json, const dpn_hulls *hulls) {
    dpn_calibration_options options = {.size = sizeof options, .hulls = hulls};
    dpn_declaration declaration;
    dpn_query *query = NULL;
    dpn_error why = {0};
    if (dpn_declaration_read(&declaration, json, strlen(json), &why)) fail_msg("%s", why.sentence);
    if (dpn_query_new(&query, &declaration, &options, &why)) fail_msg("%s: %s", json, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static const dpn_plan *plan_of(const dpn_query *query) {
    return dpn_query_look(query).plan;
}

#define X "\"column\": \"x\", \"lower\": \"0\", \"upper\": \"10\""
#define Y "\"column\": \"y\", \"lower\": \"-3\", \"upper\": \"1\""
#define XY \
    "\"kind\": \"covariance\", \"columns\": [\"x\", \"y\"], \"lower\": [\"0\", \"-3\"], \"upper\": [\"10\", \"1\"]"

static const struct {
    const char *json;
    double gain; /* at least, of all errors together */
    bool replaces, persons;
} questions[] = {
    {"{\"statistics\": [{\"kind\": \"variance\", " X "}], \"epsilon\": \"1\"}", 0.14, false, false},
    {"{\"statistics\": [{" XY "}], \"epsilon\": \"1\"}", 0.27, false, false},
    {"{\"statistics\": [{" XY "}], \"epsilon\": \"1\", \"noise\": \"best\"}", 0.30, false, false},
    {"{\"statistics\": [{\"kind\": \"sum\", " X "}, {\"kind\": \"sum\", " Y "}], \"epsilon\": \"1\"}", 0.12, false,
     false},
    {"{\"statistics\": [{\"kind\": \"mean\", " X "}], \"epsilon\": \"1\", \"count_left_out\": true}", 0.45, false,
     false},
    {"{\"statistics\": [{\"kind\": \"variance\", " X "}], \"epsilon\": \"1\", \"relation\": \"replace\"}", 0.4, true,
     false},
    {"{\"statistics\": [{\"kind\": \"variance\", " X
     "}], \"epsilon\": \"1\", \"relation\": \"replace\", \"missing\": \"value:3\"}",
     0.18, true, false},
    {"{\"statistics\": [{\"kind\": \"variance\", " X "}, {\"kind\": \"mean\", " Y
     "}], \"epsilon\": \"1\", \"person\": \"p\", \"max_rows\": 3}",
     0.1, false, true},
    {"{\"statistics\": [{\"kind\": \"mean\", " X
     "}], \"epsilon\": \"1\", \"count_left_out\": true, \"person\": \"p\", \"max_rows\": 3}",
     0.45, false, true},
    /* whose largest square lies 0.64 of a step above a whole number of them, and is rounded up */
    {"{\"statistics\": [{\"kind\": \"variance\", \"column\": \"x\", \"lower\": \"0\", \"upper\": \"9.3\"}], "
     "\"epsilon\": "
     "\"1\"}",
     0.14, false, false},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- Neighbours ---- */

/* A field of a number: an end of the bounds, beyond, the middle, anywhere, or nothing that can be used. */
static void fill_number(char *out, draw_source *source, double low, double high) {
    switch (draw_bits(source) % 8) {
    case 0:
        snprintf(out, TEXT, "%g", low);
        return;
    case 1:
        snprintf(out, TEXT, "%g", high);
        return;
    case 2:
        snprintf(out, TEXT, "%g", high + 5);
        return;
    case 3:
        snprintf(out, TEXT, "%s", draw_chance(source, 0.3) ? "oak" : "0");
        return;
    default:
        snprintf(out, TEXT, "%.17g", draw_uniform(source, low, high));
    }
}

/* The sums of so many rows: those of person 0 alone, or with row 0 in the place of another. */
static void sum_rows(double *out, const dpn_query *query, char text[][3][TEXT], size_t rows) {
    seeded rng;
    seeded_begin(&rng, 5);
    dpn_tally *tally = NULL;
    dpn_error why;
    const dpn_group *group;
    size_t groups, columns = 0;
    while (dpn_query_column(query, columns)) columns++;
    if (dpn_tally_new(&tally, query, &rng.rng, &why)) fail_msg("%s", why.sentence);
    for (size_t r = 0; r < rows; r++) {
        dpn_field field[3];
        for (size_t c = 0; c < columns; c++) {
            const char *name = dpn_query_column(query, c);
            char *at = text[r][*name == 'x' ? 0 : *name == 'y' ? 1 : 2];
            field[c] = (dpn_field){at, strlen(at)};
        }
        if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
    }
    if (dpn_tally_settle(&group, &groups, tally, &why)) fail_msg("%s", why.sentence);
    assert_int_equal(groups, 1);
    for (size_t i = 0; i < query->moments; i++) out[i] = ldexp((double)group[0].sum[i], query->moment[i].exponent);
    dpn_tally_free(tally);
}

/* The ball of the plan on the coordinates that move. */
static dpn_norm_ball *ball_of(const dpn_plan *plan, const dpn_block *block) {
    double *row = malloc(plan->vertices * block->count * sizeof *row);
    dpn_norm_ball *ball = NULL;
    dpn_error why;
    assert_non_null(row);
    for (size_t v = 0; v < plan->vertices; v++)
        for (size_t k = 0; k < block->count; k++)
            row[v * block->count + k] = plan->vertex[v * plan->dimension + block->coordinate[k]];
    if (dpn_ball_hull(&ball, block->count, row, plan->vertices, &why)) fail_msg("%s", why.sentence);
    free(row);
    return ball;
}

static const dpn_block *hull_of(const dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (plan->block[b].kind == DPN_BLOCK_K_NORM && plan->block[b].ball == DPN_BALL_HULL) return &plan->block[b];
    return NULL;
}

static void moves_lie_in_the_hull(void **state) {
    (void)state;
    enum { PAIRS = 400 };
    draw_source source = {20261117};
    for (size_t q = 0; q < QUESTIONS; q++) {
        dpn_query *query = compiled(questions[q].json, dpn_exact_hulls());
        const dpn_block *block = hull_of(plan_of(query));
        if (!block) fail_msg("question %zu has no hull", q);
        dpn_norm_ball *ball = ball_of(plan_of(query), block);
        double farthest = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            char text[ROWS][3][TEXT];
            double a[MOST], b[MOST], move[MOST];
            size_t unit =
                questions[q].persons ? 1 + draw_bits(&source) % (ROWS - 1) : 1; /* the unit's rows, before others */
            for (size_t r = 0; r < ROWS; r++) {
                fill_number(text[r][0], &source, 0, 10);
                fill_number(text[r][1], &source, -3, 1);
                snprintf(text[r][2], TEXT, "%d", r < unit ? 0 : (int)r);
            }
            sum_rows(a, query, text, ROWS);
            if (questions[q].replaces) {
                fill_number(text[0][0], &source, 0, 10);
                sum_rows(b, query, text, ROWS);
            } else {
                sum_rows(b, query, text + unit, ROWS - unit);
            }
            for (size_t i = 0; i < query->moments; i++)
                assert_true(dpn_plan_block(plan_of(query), i) == block || a[i] == b[i]);
            for (size_t k = 0; k < block->count; k++) move[k] = a[block->coordinate[k]] - b[block->coordinate[k]];
            double norm = dpn_ball_norm(ball, move);
            if (!(norm <= 1 + 1e-12)) fail_msg("question %zu: a move of norm %.17g", q, norm);
            farthest = fmax(farthest, norm);
        }
        if (!(farthest > 0.999)) fail_msg("question %zu: no move beyond %g", q, farthest);
        dpn_ball_free(ball);
        dpn_query_free(query);
    }
}

/* ---- Errors ---- */

/* The sum of variances in units of the sensitivities, which is what a release makes the least. */
static double error_of(const dpn_query *query) {
    double sum = 0;
    dpn_query_facts facts = dpn_query_look(query);
    for (size_t i = 0; i < facts.cells; i++)
        if (facts.cell[i].sensitivity > 0)
            sum += facts.cell[i].variance / (facts.cell[i].sensitivity * facts.cell[i].sensitivity);
    return sum;
}

static void the_error_falls(void **state) {
    (void)state;
    for (size_t q = 0; q < QUESTIONS; q++) {
        dpn_query *tied = compiled(questions[q].json, dpn_exact_hulls()), *box = compiled(questions[q].json, NULL);
        double gain = 1 - error_of(tied) / error_of(box);
        if (getenv("DPN_SHOW"))
            print_message("# %zu: %g, %g without hulls, %g%%\n", q, error_of(tied), error_of(box), 100 * gain);
        if (!(gain >= questions[q].gain)) fail_msg("question %zu gains %g", q, gain);
        dpn_query_free(tied);
        dpn_query_free(box);
    }
}

/* (h, x, u) is in the hull of the points (1, x, 2x^2 - 1), |x| <= 1, and their negatives if l a - (1 - l) b = (x, u) for l = (1 +
 * h)/2 and points a, b above the parabola and below 1: the least and the largest u that this allows are those of the a and the b
 * that are nearest to 0. */
static double clamp(double x, double low, double high) {
    return fmin(fmax(x, low), high);
}

static bool is_member(double h, double x, double u) {
    double l = (1 + h) / 2, m = 1 - l;
    double a_low = fmax((x - m) / l, -1), a_high = fmin((x + m) / l, 1);
    double b_low = fmax((-l - x) / m, -1), b_high = fmin((l - x) / m, 1);
    if (a_low > a_high || b_low > b_high) return false;
    double a = clamp(0, a_low, a_high), b = clamp(0, b_low, b_high);
    return u >= l * (2 * a * a - 1) - m && u <= l - m * (2 * b * b - 1);
}

static void the_error_is_that_of_the_body(void **state) {
    (void)state;
    enum { NODES = 100 };
    double inside = 0, squares = 0;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            for (int k = 0; k < NODES; k++) {
                double h = (2 * i + 1.0) / NODES - 1, x = (2 * j + 1.0) / NODES - 1, u = (2 * k + 1.0) / NODES - 1;
                if (!is_member(h, x, u)) continue;
                inside++;
                squares += h * h + x * x + u * u;
            }
    double error = 20 * squares / inside; /* (m + 1)(m + 2) E|U|^2 */
    dpn_query *query = compiled(questions[0].json, dpn_exact_hulls());
    double made = error_of(query);
    if (getenv("DPN_SHOW")) print_message("# the body %g, the hull of the plan %g\n", error, made);
    assert_true(made > 0.997 * error && made < 1.007 * error);
    dpn_query_free(query);
}

/* Draws have the variances that are told, one and all. */
static void draws_have_the_error(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    const size_t which[] = {0, 1, 4, 6};
    for (size_t w = 0; w < sizeof which / sizeof *which; w++) {
        dpn_query *query = compiled(questions[which[w]].json, dpn_exact_hulls());
        const dpn_plan *plan = plan_of(query);
        double square[MOST] = {0}, fourth[MOST] = {0};
        int64_t zero[MOST] = {0}, drawn[MOST];
        seeded rng;
        dpn_error why;
        seeded_begin(&rng, 77 + w);
        for (int d = 0; d < DRAWS; d++) {
            if (dpn_release_draw(drawn, query->release, &rng.rng, zero, &why)) fail_msg("%s", why.sentence);
            for (size_t i = 0; i < query->moments; i++) {
                double x = ldexp((double)drawn[i], dpn_release_grid_exponent(query->release, i));
                square[i] += x * x / DRAWS;
                fourth[i] += x * x * x * x / DRAWS;
            }
        }
        for (size_t i = 0; i < query->moments; i++) {
            double error = sqrt((fourth[i] - square[i] * square[i]) / DRAWS),
                   step = ldexp(1, query->moment[i].exponent);
            if (fabs(square[i] - plan->variance[i]) > 6.5 * error + step * step / 12)
                fail_msg("question %zu, sum %zu: %g, not %g", which[w], i, square[i], plan->variance[i]);
        }
        dpn_query_free(query);
    }
}

/* ---- Plans ---- */

/* As text, the plan guarantees what was asked; and a hundredth more scale in the moves is noticed. */
static void the_text_guarantees_it(void **state) {
    (void)state;
    dpn_query *query = compiled(questions[0].json, dpn_exact_hulls());
    char *text;
    dpn_plan read;
    dpn_sensitivity set;
    dpn_delta delta;
    dpn_error why;
    assert_int_equal(dpn_plan_write(&text, NULL, plan_of(query), &why), DPN_OK);
    assert_int_equal(dpn_plan_read(&read, text, strlen(text), &why), DPN_OK);
    assert_int_equal(dpn_plan_sensitivity(&set, &read, &why), DPN_OK);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &read, &set, 1, 1, NULL, &why), DPN_OK);
    assert_true(delta.upper == 0);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &read, &set, 1, 0.99, NULL, &why), DPN_OK);
    assert_true(delta.upper > 0);
    dpn_plan_free(&read);
    free(text);
    dpn_query_free(query);
}

/* Where rows move in all of the box, or noise must stand alone, nothing changes. */
static void boxes_stay_boxes(void **state) {
    (void)state;
    static const char *const same[] = {
        "{\"statistics\": [{\"kind\": \"mean\", " X "}, {\"kind\": \"mean\", " Y "}], \"epsilon\": \"1\"}",
        "{\"statistics\": [{\"kind\": \"variance\", " X "}], \"epsilon\": \"1\", \"noise\": \"laplace\"}",
        "{\"statistics\": [{\"kind\": \"variance\", " X
        "}, {\"kind\": \"histogram\", \"column\": \"y\", \"edges\": [\"0\", \"1\"]}], \"epsilon\": \"1\"}",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        dpn_query *query = compiled(same[i], dpn_exact_hulls());
        assert_null(hull_of(plan_of(query)));
        dpn_query_free(query);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_lie_in_the_hull),         cmocka_unit_test(the_error_falls),
        cmocka_unit_test(the_error_is_that_of_the_body), cmocka_unit_test(draws_have_the_error),
        cmocka_unit_test(the_text_guarantees_it),        cmocka_unit_test(boxes_stay_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
