/* The rows of a hull, step by step: polygons around the parabola, every choice of corners once, the moves that they make, and how much larger the hull becomes. */
#include "release/noise/release.h"

#include <dpnoise/geometry.h>
#include <dpnoise/release.h>
#include <stdlib.h>

/* What another release is said to be, once: a status, or this error. */
static struct {
    bool asked;
    dpn_status status;
    double error;
    dpn_release *made;
} said;
static dpn_status said_release_new(dpn_release **out, const dpn_release_options *options, dpn_error *why);

#define dpn_release_new said_release_new
#include "release/compile/tied.c" /* to see its steps */
#undef dpn_release_new

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- Corners ---- */

/* Each corner is where the tangents of the parabola at a and b meet, for neighbours a and b of so many equal parts; the ends are points of it. */
static void corners_lie_on_two_tangents(void **state) {
    (void)state;
    for (int squared = 0; squared < 2; squared++)
        for (size_t tangents = 2; tangents <= 8; tangents *= 2) {
            dpn_measure measure[2] = {{0, 0, -3, 3, 0}, {1, 0, 10, 30, 20}};
            dpn_moment moment[2] = {{.kind = DPN_MOMENT_PRODUCT, .a = squared ? 1 : 0, .b = 1},
                                    {.kind = DPN_MOMENT_VALUE, .a = 1, .b = 1}};
            dpn_query query = {.measure = measure, .measures = 2, .moment = moment, .moments = 2};
            corners made = corners_of(&query, 1, tangents);
            assert_true(has_square(&query, 1) == squared && !has_square(&query, 0));
            assert_int_equal(made.count, squared ? 2 + tangents : 2);
            assert_true(made.at[0].x == -10 && made.at[0].square == 100 && made.at[1].x == 10 &&
                        made.at[1].square == 100);
            for (size_t k = 0; k + 2 < made.count; k++) {
                double a = -10 + 20.0 * (double)k / (double)tangents, b = a + 20.0 / (double)tangents;
                double x = made.at[k + 2].x, y = made.at[k + 2].square;
                assert_true(fabs(y - (2 * a * x - a * a)) < 1e-12 && fabs(y - (2 * b * x - b * b)) < 1e-12);
            }
            assert_int_equal(corners_of(&query, 0, tangents).count, 2);
        }
}

/* ---- Rows ---- */

enum { MOMENTS = 6 };

typedef struct by_hand {
    dpn_query query;
    dpn_measure measure[2];
    dpn_moment moment[MOMENTS];
} by_hand;

/* Rows, x about its middle, y as it is, squares of x and products, and what is left out. */
static void make_query(by_hand *out) {
    *out = (by_hand){.query = {.measures = 2, .moments = MOMENTS}};
    out->measure[0] = (dpn_measure){0, -2, -4, 12, 4};
    out->measure[1] = (dpn_measure){1, 1, 6, 10, 8};
    out->moment[0] = (dpn_moment){.kind = DPN_MOMENT_ROWS, .bound = 1};
    out->moment[1] = (dpn_moment){.kind = DPN_MOMENT_VALUE, .a = 0, .exponent = -2, .offset = 4, .bound = 8};
    out->moment[2] = (dpn_moment){.kind = DPN_MOMENT_VALUE, .a = 1, .exponent = 1, .bound = 10};
    out->moment[3] =
        (dpn_moment){.kind = DPN_MOMENT_PRODUCT, .a = 0, .b = 0, .exponent = -3, .shift = 1, .offset = 16, .bound = 16};
    out->moment[4] = (dpn_moment){.kind = DPN_MOMENT_PRODUCT, .a = 0, .b = 1, .exponent = -1, .bound = 16};
    out->moment[5] = (dpn_moment){.kind = DPN_MOMENT_LEFT_OUT, .bound = 1};
    out->query.measure = out->measure;
    out->query.moment = out->moment;
}

static void every_choice_is_one_row(void **state) {
    (void)state;
    for (int bits = 0; bits < 8; bits++) {
        by_hand hand;
        make_query(&hand);
        rows of = {.query = &hand.query,
                   .most = 1000,
                   .left_out = bits & 1,
                   .count_is_public = bits & 2,
                   .replaces = bits & 4};
        assert_true(choose_corners(&of));
        size_t choices = of.of[0].count * of.of[1].count;
        assert_true(of.of[1].count == 2 && of.count == choices + (bits & 1) && rows_of(&of) == of.count);
        double row[64][MOMENTS];
        for (size_t i = 0; i < of.count; i++) fill_row(row[i], &of, i);
        for (size_t a = 0; a < of.of[0].count; a++)
            for (size_t b = 0; b < 2; b++) {
                double x = of.of[0].at[a].x, y = of.of[1].at[b].x, square = of.of[0].at[a].square;
                const double expected[MOMENTS] = {bits & 2 ? 0 : 1,      x / 4,     2 * (y + 8),
                                                  (square / 2 - 16) / 8, x * y / 2, 0};
                size_t found = 0;
                for (size_t i = 0; i < choices; i++) found += memcmp(row[i], expected, sizeof expected) == 0;
                assert_int_equal(found, 1);
            }
        const double last[MOMENTS] = {0, 0, 0, 0, 0, 1};
        if (bits & 1) assert_memory_equal(row[of.count - 1], last, sizeof last);
        /* moves: rows alone, differences of two, or both */
        size_t count = of.count, pairs = count * (count - 1) / 2;
        size_t expected = bits & 4 ? pairs + (bits & 2 ? 0 : count) : count;
        assert_int_equal(vertices_of(&of), expected);
        static double vertex[2500 * MOMENTS];
        vertex[expected * MOMENTS] = 4711;
        fill_vertices(vertex, &of, row[0]);
        assert_true(vertex[expected * MOMENTS] == 4711);
        size_t own = bits & 4 && bits & 2 ? 0 : count, at = own;
        for (size_t i = 0; i < own; i++) assert_memory_equal(vertex + i * MOMENTS, row[i], sizeof row[i]);
        for (size_t a = 0; a < count && bits & 4; a++)
            for (size_t b = a + 1; b < count; b++, at++)
                for (size_t m = 0; m < MOMENTS; m++) assert_true(vertex[at * MOMENTS + m] == row[a][m] - row[b][m]);
        assert_int_equal(at, expected);
    }
}

/* As many tangents as leave no more vertices than there may be. */
static void corners_are_as_many_as_may_be(void **state) {
    (void)state;
    by_hand hand;
    make_query(&hand);
    for (size_t most = 1; most < 30; most++) {
        rows of = {.query = &hand.query, .most = most};
        size_t expected = most >= 20 ? 8 : most >= 12 ? 4 : most >= 8 ? 2 : 0;
        assert_true(choose_corners(&of) == (expected > 0));
        if (expected) assert_int_equal(of.of[0].count, 2 + expected);
    }
}

/* ---- The larger hull ---- */

/* A row leaves the hull by half a step of each product, and so do differences by one: by the norm of that the hull is larger, and by max_rows. */
static void hulls_are_larger_by_what_is_rounded(void **state) {
    (void)state;
    for (uint64_t most = 1; most < 9; most += 3) {
        by_hand hand;
        make_query(&hand);
        hand.query.declaration.max_rows = most;
        hand.query.moments = 5;
        hand.moment[3].exponent = -18;
        hand.moment[4].exponent = -17;
        double vertex[7 * 5] = {1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4,  0, 0, 0, 0,  0,
                                3, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1, 1, 2, 0, 0.5},
                          before[35];
        const double bound[5] = {1, 2, 4, 3, 1};
        memcpy(before, vertex, sizeof vertex);
        assert_true(enlarge(vertex, 7, &hand.query, bound));
        double scaled[35];
        for (size_t v = 0; v < 35; v++) scaled[v] = before[v] / bound[v % 5];
        long double norm = dpn_hull_norm_upper(scaled, 7, 5), step = fmaxl(0x1p-18L / 3, 0x1p-17L);
        for (size_t v = 0; v < 35; v++) {
            if (before[v] == 0) assert_true(vertex[v] == 0);
            if (before[v] == 0) continue;
            long double factor = (long double)vertex[v] / before[v] / most;
            assert_true(factor >= 1 + norm * step && factor <= 1 + norm * step * 1.02L + 1e-11L);
        }
        hand.moment[4].exponent = -6; /* so coarse that the hull would be no hull any more */
        assert_false(enlarge(vertex, 7, &hand.query, bound));
    }
}

/* ---- Whether there is anything to gain ---- */

static void what_is_tied(void **state) {
    (void)state;
    dpn_measure measure[2] = {{0, 0, 0, 8, 4}, {1, 0, -4, 4, 0}};
    const dpn_moment count = {.kind = DPN_MOMENT_ROWS}, centred = {.kind = DPN_MOMENT_VALUE, .offset = 4},
                     plain = {.kind = DPN_MOMENT_VALUE};
    const dpn_moment other = {.kind = DPN_MOMENT_VALUE, .a = 1}, product = {.kind = DPN_MOMENT_PRODUCT},
                     out = {.kind = DPN_MOMENT_LEFT_OUT};
    const dpn_moment persons = {.kind = DPN_MOMENT_PERSONS}, bins = {.kind = DPN_MOMENT_BINS};
    const struct {
        dpn_moment moment[3];
        size_t count;
        bool tied;
    } some[] = {{{count}, 1, false},
                {{centred, count}, 2, false},
                {{plain}, 1, false},
                {{plain, count}, 2, true},
                {{plain, plain}, 2, true},
                {{centred, other}, 2, false},
                {{plain, other}, 2, false},
                {{product}, 1, true},
                {{out}, 1, true},
                {{count, out, persons}, 3, false},
                {{product, bins}, 2, false},
                {{other, count}, 2, false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_moment moment[3];
        memcpy(moment, some[i].moment, sizeof moment);
        dpn_query query = {.measure = measure, .measures = 2, .moment = moment, .moments = some[i].count};
        if (is_tied(&query) != some[i].tied) fail_msg("case %zu", i);
        bool left_out = false;
        for (size_t k = 0; k < some[i].count; k++) left_out |= moment[k].kind == DPN_MOMENT_LEFT_OUT;
        assert_true(is_small(&query) == (some[i].count > 1));
        query.declaration.per_person = DPN_PER_PERSON_SUM;
        assert_true(is_small(&query) == (some[i].count > 1 && !left_out));
    }
    dpn_moment many[9] = {{0}};
    for (size_t moments = 0; moments < 10; moments++) {
        dpn_query query = {.moment = many, .moments = moments, .measures = 1};
        if (moments < 10 && moments <= 9) assert_true(is_small(&query) == (moments >= 2 && moments <= 7));
    }
}

static void families_that_may_be_joint(void **state) {
    (void)state;
    static const struct {
        const char *family;
        bool joint;
    } some[] = {{NULL, true},       {"best", true},    {"k-norm", true},
                {"laplace", false}, {"blocks", false}, {"gaussian", false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (unsigned exclude = 0; exclude < 8; exclude++) {
            dpn_release_options options = {.family = some[i].family, .exclude = exclude};
            assert_true(may_be_joint(&options) == (some[i].joint && !(exclude & DPN_EXCLUDE_JOINT)));
        }
}

static dpn_status said_release_new(dpn_release **out, const dpn_release_options *options, dpn_error *why) {
    if (!said.asked) return dpn_release_new(out, options, why);
    assert_string_equal(options->family, "k-norm");
    assert_true(options->set->vertices > 1 && options->set->vertex && options->calibration->has_ball);
    assert_int_equal(options->calibration->ball, DPN_BALL_HULL);
    if (said.status) return dpn_fail(why, said.status, "it is said to fail");
    assert_non_null(*out = calloc(1, sizeof **out));
    (*out)->plan.error = said.error;
    said.made = *out;
    return DPN_OK;
}

/* Joint noise is taken where it is better by more than a hundredth. Where it cannot be had the other one stays, unless memory ran out or somebody does not want to wait. */
static void joint_noise_must_be_better(void **state) {
    (void)state;
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(
        json,
        "{'statistics': [{'kind': 'mean', 'column': 'x', 'lower': '-1', 'upper': '3'}, {'kind': 'variance', 'column': "
        "'x', 'lower': '-1', 'upper': '3'}], 'epsilon': '1'}"));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    double bound[8];
    assert_true(query->moments <= 8 && query->moments > 1);
    for (size_t i = 0; i < query->moments; i++) bound[i] = query->cell[i].sensitivity;
    dpn_sensitivity set = {.dimension = query->moments, .bound = bound};
    dpn_calibration_options calibration = {.size = sizeof calibration, .hulls = dpn_exact_hulls()};
    dpn_release_options options = {
        .size = sizeof options, .epsilon = 1, .set = &set, .whole = true, .calibration = &calibration};
    said.asked = true;
    for (int status = DPN_OK; status <= DPN_ECANCELLED; status++)
        for (int share = 980; share < 1000; share++) {
            dpn_release *box = calloc(1, sizeof *box), *taken = box;
            assert_non_null(box);
            box->plan.error = 7;
            said.status = (dpn_status)status;
            said.error = 7 * (share + 0.5) / 1000;
            bool ends = status == DPN_ENOMEM || status == DPN_ECANCELLED, better = !status && share < 990;
            assert_int_equal(dpn_tied_release(&taken, query, &options, &why), ends ? status : DPN_OK);
            if (ends) assert_string_equal(why.sentence, "it is said to fail");
            assert_ptr_equal(taken, better ? said.made : box);
            dpn_release_free(taken);
        }
    calibration.hulls = NULL; /* nothing is asked for without hulls, or with noise by another name */
    said.status = DPN_ENOMEM;
    dpn_release *none = NULL;
    assert_int_equal(dpn_tied_release(&none, query, &options, &why), DPN_OK);
    calibration.hulls = dpn_exact_hulls();
    options.family = "laplace";
    assert_int_equal(dpn_tied_release(&none, query, &options, &why), DPN_OK);
    assert_null(none);
    said.asked = false;
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_lie_on_two_tangents),
        cmocka_unit_test(every_choice_is_one_row),
        cmocka_unit_test(corners_are_as_many_as_may_be),
        cmocka_unit_test(hulls_are_larger_by_what_is_rounded),
        cmocka_unit_test(what_is_tied),
        cmocka_unit_test(families_that_may_be_joint),
        cmocka_unit_test(joint_noise_must_be_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
