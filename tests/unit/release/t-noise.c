/* The noise of a query, step by step: how far one unit moves each sum, by trying the ends; the shares of a guarantee, as fractions in GMP; the least threshold;
 * what is told of other noise, from the laws' own formulas. */
#include "release/compile/noise.c" /* to see its steps */

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <gmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_query *compiled(const char *words) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s: %s", words, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

/* ---- Moves ---- */

/* A value adds value - offset for a row, and 0 for none: the farthest that two of these are apart, or one from 0. */
static double farthest(const dpn_measure *measure, int64_t offset, bool replaced) {
    double least = (double)(measure->lower - offset), most = (double)(measure->upper - offset);
    if (!replaced) return fmax(fabs(least), fabs(most));
    return fmax(fmax(most - least, fabs(most)), fabs(least));
}

static void moves_are_the_farthest(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 2000; i++) {
        int64_t lower = (int64_t)draw_uniform(&source, -1000, 1000), half = (int64_t)draw_uniform(&source, 1, 500);
        dpn_measure measure = {0, -2, lower, lower + 2 * half, lower + half};
        dpn_query query = {.measure = &measure, .measures = 1, .person = SIZE_MAX};
        bool replaced = draw_chance(&source, 0.5), centred = draw_chance(&source, 0.5);
        query.declaration.max_rows = 1 + (uint64_t)draw_uniform(&source, 0, 9);
        query.declaration.relation = replaced ? DPN_REPLACE : DPN_ADD_REMOVE;
        double rows = (double)query.declaration.max_rows;
        dpn_moment value = {.kind = DPN_MOMENT_VALUE, .exponent = -2, .offset = centred ? measure.middle : 0};
        value.bound = (int64_t)farthest(&measure, value.offset, false);
        assert_true(largest_move(&query, &value) == farthest(&measure, value.offset, replaced) * rows / 4);
        dpn_moment product = {.kind = DPN_MOMENT_PRODUCT, .exponent = 3, .offset = 5, .bound = 7};
        assert_true(largest_move(&query, &product) == (replaced ? 14 : 7) * rows * 8);
        for (dpn_moment_kind kind = DPN_MOMENT_ROWS; kind <= DPN_MOMENT_LEFT_OUT; kind++) {
            if (kind == DPN_MOMENT_VALUE || kind == DPN_MOMENT_PRODUCT) continue;
            dpn_moment count = {.kind = kind, .bound = 1};
            assert_true(largest_move(&query, &count) == (kind == DPN_MOMENT_PERSONS ? 1 : rows));
        }
    }
    dpn_query query = {.declaration = {.relation = DPN_REPLACE, .max_rows = 1, .missing = DPN_MISSING_VALUE}};
    dpn_moment rows = {.kind = DPN_MOMENT_ROWS, .bound = 1}, others = {.kind = DPN_MOMENT_LEFT_OUT, .bound = 1};
    assert_true(largest_move(&query, &rows) == 0 && largest_move(&query, &others) == 1);
}

/* No more than 2^51 steps, for every sum. */
static void moves_that_are_too_far(void **state) {
    (void)state;
    dpn_moment moment[3] = {{.bound = 1}, {.bound = 1}, {.bound = 1}};
    dpn_query query = {.moment = moment, .moments = 3};
    dpn_error why;
    for (size_t i = 0; i < 3; i++) {
        query.declaration.max_rows = 1 << 20;
        moment[i].bound = (int64_t)1 << 31;
        assert_int_equal(check_moves(&query, &why), DPN_OK);
        query.declaration.max_rows++;
        assert_int_equal(check_moves(&query, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "a person with 1048577 rows moves too much: lower max_rows");
        moment[i].bound--;
        query.declaration.max_rows--;
        assert_int_equal(check_moves(&query, &why), DPN_OK);
        moment[i].bound = 1;
    }
}

/* The groups of one unit, and how many times it moves one: with noise on sums, and with quantiles. */
static void units_move_as_many_groups(void **state) {
    (void)state;
    char person[] = "p";
    for (int bits = 0; bits < 64; bits++) {
        bool grouped = bits & 1, persons = bits & 2, replaced = bits & 4, known = bits & 8;
        for (size_t groups = 3; groups <= 9; groups += 2) {
            dpn_query query = {.known_keys = known || !grouped, .groups = grouped ? known ? groups : 0 : 1};
            query.histograms = bits & 16 ? 1 : 0;
            query.trees = bits & 32 ? 1 : 0;
            query.declaration.bys = grouped;
            query.declaration.person = persons ? person : NULL;
            query.declaration.relation = replaced ? DPN_REPLACE : DPN_ADD_REMOVE;
            query.declaration.max_groups = 5;
            uint64_t in = !grouped || !persons ? 1 : known && groups < 5 ? groups : 5;
            bool bins = query.histograms + query.trees > 0;
            assert_true(groups_of_a_unit(&query) == in);
            assert_true(moves_of_a_unit(&query) == in * (replaced && (grouped || bins) ? 2 : 1));
            assert_true(quantile_moves(&query) == in * (replaced && grouped ? 2 : 1));
        }
    }
}

/* ---- Shares ---- */

static void set_double(mpq_t out, double x) {
    mpq_set_d(out, x);
}

/* The sign of a + n b - whole, exactly. */
static int excess(double a, double n, double b, double whole) {
    mpq_t sum, term, factor;
    mpq_inits(sum, term, factor, NULL);
    set_double(term, b);
    set_double(factor, n);
    mpq_mul(term, term, factor);
    set_double(sum, a);
    mpq_add(sum, sum, term);
    set_double(factor, whole);
    int sign = mpq_cmp(sum, factor);
    mpq_clears(sum, term, factor, NULL);
    return sign;
}

static void shares_add_up_to_the_guarantee(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        char text[40];
        dpn_query query = {.quantiles = (size_t)draw_uniform(&source, 0, 4),
                           .moments = (size_t)draw_uniform(&source, 0, 6)};
        dpn_error why;
        struct shares made;
        if (query.quantiles + query.moments == 0) query.quantiles = 1;
        bool grouped = draw_chance(&source, 0.5), delta = draw_chance(&source, 0.7);
        query.declaration.bys = grouped;
        query.declaration.relation = draw_chance(&source, 0.5) ? DPN_REPLACE : DPN_ADD_REMOVE;
        query.known_keys = !delta || draw_chance(&source, 0.5);
        snprintf(text, sizeof text, "%.5e", draw_log_uniform(&source, 1e-6, 100));
        assert_int_equal(dpn_decimal_parse(&query.asked.epsilon, text, &why), DPN_OK);
        snprintf(text, sizeof text, "%.5e", delta ? draw_log_uniform(&source, 1e-15, 0.3) : 0);
        assert_int_equal(dpn_decimal_parse(&query.asked.delta, text, &why), DPN_OK);
        assert_int_equal(divide(&made, &query, &why), DPN_OK);
        double epsilon = dpn_decimal_lower(&query.asked.epsilon), all = dpn_decimal_lower(&query.asked.delta);
        double moves = (double)quantile_moves(&query), parts = (double)(query.quantiles + query.moments);
        assert_true(made.all_epsilon == epsilon && made.all_delta == all && (double)made.parts == parts);
        assert_true(excess(made.epsilon, (double)query.quantiles * moves, made.quantile, epsilon) <= 0);
        if (query.quantiles > 0) {
            assert_true(excess(0, parts * moves, made.quantile, epsilon) < 0);
            assert_true(excess(0, parts * moves, made.quantile * (1 + 0x1p-50), epsilon) > 0);
            double sums =
                epsilon * (double)query.moments / parts; /* what is left for them, to a few units of what was divided */
            assert_true(made.epsilon <= sums + 0x1p-50 * epsilon && made.epsilon > sums - 0x1p-46 * epsilon);
        } else {
            assert_true(made.epsilon == epsilon && made.quantile == 0);
        }
        if (query.known_keys) {
            assert_true(made.delta == all && made.threshold == 0);
        } else { /* a half each */
            assert_true(excess(made.delta, 1, made.threshold, all) <= 0);
            assert_true(made.delta < all / 2 && made.delta > all / 2 * (1 - 0x1p-50));
            assert_true(made.threshold < all / 2 && made.threshold > all / 2 * (1 - 0x1p-50));
        }
    }
    dpn_query query = {.moments = 1};
    dpn_error why;
    struct shares made = {.parts = 77};
    assert_int_equal(dpn_decimal_parse(&query.asked.epsilon, "1", &why), DPN_OK);
    assert_int_equal(dpn_decimal_parse(&query.asked.delta, "0", &why), DPN_OK);
    assert_int_equal(divide(&made, &query, &why), DPN_EDOMAIN);
    assert_true(made.parts == 77 && strstr(why.sentence, "unknown and delta is 0"));
}

/* ---- What noise must not be ---- */

static void noise_that_does_not_serve(void **state) {
    (void)state;
    static const struct {
        const char *noise;
        unsigned exclude;
        const char *part; /* NULL: it serves */
    } some[] = {{NULL, 7, NULL},
                {"k-norm", 0, NULL},
                {"k-norm", DPN_EXCLUDE_INTEGER, NULL},
                {"k-norm", DPN_EXCLUDE_JOINT, "k-norm noise serves neither"},
                {"laplace", 7, NULL},
                {"discrete-laplace", DPN_EXCLUDE_JOINT, NULL},
                {"discrete-laplace", DPN_EXCLUDE_INTEGER, "discrete-laplace noise does not serve a histogram"},
                {"staircase", DPN_EXCLUDE_INTEGER, "staircase noise does not serve"}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char noise[40] = "";
        dpn_query query = {0};
        dpn_error why = {DPN_OK, ""};
        if (some[i].noise) strcpy(noise, some[i].noise);
        query.declaration.noise = some[i].noise ? noise : NULL;
        dpn_status status = check_noise(&query, some[i].exclude, &why);
        if (status != (some[i].part ? DPN_EUNSUPPORTED : DPN_OK)) fail_msg("case %zu: %d", i, (int)status);
        if (some[i].part) assert_true(strstr(why.sentence, some[i].part) != NULL);
    }
}

static void what_is_excluded(void **state) {
    (void)state;
    dpn_measure measure = {0, 0, -4, 4, 0};
    for (int bits = 0; bits < 64; bits++) {
        dpn_moment moment[2] = {{.kind = DPN_MOMENT_ROWS, .bound = 1}, {.kind = DPN_MOMENT_LEFT_OUT, .bound = 1}};
        dpn_query query = {.moment = moment, .moments = 2, .measure = &measure, .measures = 1};
        query.declaration.max_rows = bits & 1 ? 2 : 1;
        query.histograms = bits & 2 ? 1 : 0;
        query.trees = bits & 4 ? 1 : 0;
        query.persons = bits & 8 ? 1 : SIZE_MAX;
        if (bits & 16) moment[1] = (dpn_moment){.kind = DPN_MOMENT_VALUE, .bound = 4};
        if (bits & 32) moment[0] = (dpn_moment){.kind = DPN_MOMENT_BINS, .bound = 1};
        bool joint = bits & (8 | 32), several = bits & 1 && bits & (2 | 4);
        unsigned expected =
            (joint ? DPN_EXCLUDE_JOINT : 0) | (several ? DPN_EXCLUDE_INTEGER : 0) | (bits & 16 ? DPN_EXCLUDE_SLOW : 0);
        assert_true(excluded(&query) == expected);
        assert_true(is_alone(&query, 0) == ((bits & 32) != 0) && is_alone(&query, 1) == ((bits & 8) != 0));
    }
}

/* ---- Thresholds ---- */

/* The least whole number with which as many keys stay within the share. */
static void thresholds_are_the_least(void **state) {
    (void)state;
    static const char *const noises[] = {"laplace", "discrete-laplace", "gaussian"};
    for (size_t i = 0; i < 3; i++) {
        char words[DECLARED_SIZE];
        snprintf(words, sizeof words,
                 "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'key'}], 'epsilon': '0.7', 'delta': '1e-3', "
                 "'noise': '%s'}",
                 noises[i]);
        dpn_query *query = compiled(words);
        const dpn_law *law = dpn_plan_law(dpn_release_plan(query->release), query->persons);
        dpn_error why;
        for (double share = 0.9; share > 1e-18; share *= 0.83)
            for (uint64_t groups = 1; groups < 100; groups *= 7) {
                query->moved_groups = groups;
                assert_int_equal(make_threshold(query, share, &why), DPN_OK);
                double at = (double)query->threshold, all = (double)groups, own = all * dpn_law_sf(law, at - 1);
                assert_true(query->threshold_delta >= own * (1 + 5e-10) && query->threshold_delta <= own * (1 + 2e-9));
                assert_true(query->threshold_delta <= share && query->threshold >= 1);
                if (query->threshold > 1) assert_true(all * dpn_law_sf(law, at - 2) * (1 + 1e-8) > share);
            }
        int64_t before = query->threshold; /* below the least normal number nothing is known of a tail */
        assert_int_equal(make_threshold(query, 1e-309, &why), DPN_EACCURACY);
        assert_string_equal(why.sentence, "no threshold keeps unknown keys within delta");
        assert_true(query->threshold == before);
        dpn_query_free(query);
    }
}

/* Large ones are found by steps of a millionth. */
static void large_thresholds_are_nearly_the_least(void **state) {
    (void)state;
    dpn_query *query = compiled("{'statistics': [{'kind': 'count'}], 'by': [{'column': 'key'}], 'epsilon': '1e-7', "
                                "'delta': '1e-6', 'noise': 'laplace'}");
    double share = 0.5e-6, tail = dpn_law_sf(dpn_plan_law(dpn_release_plan(query->release), query->persons),
                                             (double)query->threshold * (1 - 2e-6) - 2);
    assert_true(query->threshold > 10000000 && query->threshold_delta <= share && tail > share);
    dpn_query_free(query);
}

/* ---- Quantiles ---- */

/* Each has the rows of a unit and, in groups, a unit that comes or goes. */
static void quantiles_are_prepared_for_the_unit(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int replaced = 0; replaced < 2; replaced++)
            for (int rows = 1; rows < 5; rows += 3) {
                char json[DECLARED_SIZE], more[100];
                snprintf(more, sizeof more, "%s%s", replaced ? ", 'relation': 'replace'" : "",
                         rows > 1 ? ", 'person': 'p', 'max_rows': 4" : "");
                snprintf(json, sizeof json,
                         "{'statistics': [{'kind': 'quantile', 'column': 'x', 'quantile': '0.3', 'edges': ['0', '1', "
                         "'2', '5']}, {'kind': 'count'}], 'epsilon': '1'%s%s}",
                         i == 1 ? ", 'by': [{'column': 'k', 'levels': ['a', 'b']}]" : "", more);
                dpn_query *query = compiled(json);
                dpn_quantile expected;
                dpn_error why;
                dpn_quantile_options options = {.size = sizeof options,
                                                .q = "0.3",
                                                .epsilon = query->quantile_epsilon,
                                                .intervals = 3,
                                                .rows = (uint64_t)rows,
                                                .relation = replaced && i == 0 ? DPN_REPLACE : DPN_ADD_REMOVE};
                assert_int_equal(dpn_quantile_prepare(&expected, &options, &why), DPN_OK);
                assert_true(query->quantiles == 1 && query->quantile[0].rate == expected.rate);
                assert_true(query->quantile[0].intervals == 3 && query->quantile[0].numerator == 3);
                double moves = replaced && i == 1 ? 2 : 1; /* half of epsilon: the other half is the count's */
                assert_true(fabs(query->quantile_epsilon - 0.5 / moves) < 1e-12);
                dpn_query_free(query);
            }
}

/* Each has its own edges and its own q. */
static void quantiles_keep_their_edges(void **state) {
    (void)state;
    dpn_query *query = compiled(
        "{'statistics': [{'kind': 'quantile', 'column': 'x', 'quantile': '0.3', 'edges': ['0', '1', '2', '5']}, "
        "{'kind': 'histogram', 'column': 'x', 'edges': ['0', '3']}, {'kind': 'quantile', 'column': 'y', 'quantile': "
        "'0.5', 'lower': '0', 'upper': '8', 'step': '1'}, {'kind': 'quantile', 'column': 'y', 'quantile': '0.8', "
        "'edges': ['0', '1', '2', '3', '4', '5']}], 'epsilon': '1'}");
    assert_true(query->quantiles == 2 && query->histograms == 1 && query->trees == 1);
    assert_true(query->quantile[0].intervals == 3 && query->quantile[0].numerator == 3);
    assert_true(query->quantile[1].intervals == 5 && query->quantile[1].numerator == 4);
    dpn_query_free(query);
}

/* ---- Who is alone ---- */

static size_t sharing(const dpn_query *query, size_t moment) {
    const dpn_block *block = dpn_plan_block(dpn_release_plan(query->release), moment);
    return block && block->kind != DPN_BLOCK_LAW ? block->count : 1;
}

/* Beside bins two sums or more may share noise, and do where that is better; bins never do. */
static void sums_beside_bins_share_their_noise(void **state) {
    (void)state;
    static const char bins[] = "{'kind': 'histogram', 'column': 'h', 'edges': ['0', '1', '2']}";
    static const struct {
        const char *more, *noise;
        size_t shared;
    } some[] = {
        {", {'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '1'}, {'kind': 'mean', 'column': 'y', 'lower': '0', "
         "'upper': '1'}, {'kind': 'mean', 'column': 'z', 'lower': '0', 'upper': '1'}",
         "", 4},
        {", {'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '1'}", ", 'noise': 'blocks'", 1},
        {", {'kind': 'count'}", ", 'noise': 'blocks'", 1},
        {", {'kind': 'count'}", "", 1}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char words[DECLARED_SIZE];
        snprintf(words, sizeof words, "{'statistics': [%s%s], 'epsilon': '1'%s}", bins, some[i].more, some[i].noise);
        dpn_query *query = compiled(words);
        size_t shared = 1;
        for (size_t m = 0; m < query->moments; m++) {
            size_t with = sharing(query, m);
            if (query->moment[m].kind == DPN_MOMENT_BINS)
                assert_int_equal(with, 1);
            else
                shared = with > shared ? with : shared;
        }
        if (shared < some[i].shared) fail_msg("case %zu: %zu, not %zu", i, shared, some[i].shared);
        dpn_query_free(query);
    }
}

/* ---- What is told ---- */

static double normal_tail(double x) {
    return erfc(x / sqrt(2)) / 2;
}

/* Laplace noise has its middle 95% within b ln 20; Gaussian noise of deviation s, where it is less, within 1.96 s, of which the profile
 * is known in closed form (Balle and Wang 2018). */
static void other_noise_is_as_wide_as_its_law(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        dpn_query query = {
            .moments = 1 + (size_t)(i % 3), .quantiles = (size_t)(i % 2), .moved_groups = 1 + (uint64_t)i % 4};
        double parts = (double)(query.moments + query.quantiles), bound = 8 << i % 3, grid = 0x1p-10;
        bool relaxed = i >= 6;
        struct shares shares = {.all_epsilon = relaxed ? 0.3 : 1.7, .all_delta = relaxed ? 0.3 : 0};
        double epsilon = shares.all_epsilon / parts, delta = shares.all_delta / parts;
        double laplace = bound * (double)query.moved_groups / epsilon * log(20);
        double found = naive_width(&query, &shares, bound, grid);
        assert_true(fmod(found, grid) == 0);
        if (relaxed) {
            double mu = bound * sqrt((double)query.moved_groups) / (found / 1.959963984540054);
            double profile = normal_tail(epsilon / mu - mu / 2) - exp(epsilon) * normal_tail(epsilon / mu + mu / 2);
            assert_true(found < laplace && fabs(profile / delta - 1) < 2e-3);
        } else {
            assert_true(fabs(found - laplace) < 0.51 * grid + 1e-6 * laplace);
        }
        assert_true(naive_width(&query, &shares, 0, grid) == 0);
    }
    dpn_query query = {.moments = 1, .moved_groups = 1}; /* rounded to the nearest step: 2.9957 */
    struct shares shares = {.all_epsilon = 1};
    assert_true(naive_width(&query, &shares, 1, 1) == 3 && naive_width(&query, &shares, 1, 2) == 2);
    assert_true(naive_width(&query, &shares, 1, 0.5) == 3 && naive_width(&query, &shares, 1, 8) == 0);
}

static void cells_have_names(void **state) {
    (void)state;
    static const struct {
        const char *words;
        const char *name[6];
    } some[] = {
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '8'}], 'epsilon': '1'}", {"sum(x)"}},
        {"{'statistics': [{'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '8'}], 'epsilon': '1'}",
         {"count", "sum(x - 4)"}},
        {"{'statistics': [{'kind': 'mean', 'column': 'x', 'lower': '-9', 'upper': '8'}], 'epsilon': '1'}",
         {"count", "sum(x + 0.5)"}},
        {"{'statistics': [{'kind': 'mean', 'column': 'x', 'lower': '-8', 'upper': '8'}], 'epsilon': '1'}",
         {"count", "sum(x)"}},
        {"{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '-1'], 'upper': ['1', '1']}, "
         "{'kind': 'variance', 'column': 'y', 'lower': '-1', 'upper': '1'}], 'epsilon': '1'}",
         {"count", "sum(x)", "squares(x)", "sum(y)", "products(x,y)", "squares(y)"}},
        {"{'statistics': [{'kind': 'histogram', 'column': 'x', 'edges': ['0', '1', '2']}, {'kind': 'quantile', "
         "'column': "
         "'y', 'quantile': '0.5', 'lower': '0', 'upper': '90', 'step': '1'}], 'epsilon': '1'}",
         {"histogram(x)", "tree(y)[level 1 of 3]", "tree(y)[level 2 of 3]", "tree(y)[level 3 of 3]"}},
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '8'}], 'missing': 'skip', "
         "'count_left_out': true, 'by': [{'column': 'k'}], 'person': 'p', 'max_rows': 3, 'delta': '1e-6', 'epsilon': "
         "'1'}",
         {"sum(x)", "left out", "persons"}},
        {"{'statistics': [{'kind': 'count'}], 'person': 'p', 'per_person': 'sum', 'epsilon': '1'}", {"persons"}},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_query *query = compiled(some[i].words);
        for (size_t c = 0; c < 6 && some[i].name[c]; c++) {
            if (c >= query->moments) fail_msg("case %zu has %zu cells", i, query->moments);
            if (strcmp(query->cell[c].name, some[i].name[c]) != 0)
                fail_msg("%s, not %s", query->cell[c].name, some[i].name[c]);
        }
        for (size_t c = 0; c < query->moments; c++) {
            const dpn_query_cell *cell = &query->cell[c];
            assert_true(cell->sensitivity == largest_move(query, &query->moment[c]));
            if (query->moment[c].kind == DPN_MOMENT_BINS) /* a row in one bin or node */
                assert_true(query->moment[c].bound == 1 && cell->sensitivity == 1 && cell->variance > 0);
            assert_true(cell->grid == ldexp(1, dpn_release_grid_exponent(query->release, c)));
            assert_true(cell->variance == dpn_release_plan(query->release)->variance[c]);
            assert_true(cell->interval95 == dpn_release_interval95(query->release, c));
        }
        dpn_query_free(query);
    }
}

/* In units of which a sum moves by less than one, or by much more, it has the same share of the noise. */
static void units_of_measurement_do_not_matter(void **state) {
    (void)state;
    static const char *const noises[] = {"laplace", "gaussian"};
    static const char *const uppers[] = {"1", "0.0009765625", "0.00000095367431640625", "1048576"};
    for (size_t k = 0; k < 2; k++) {
        double width[4], other[4];
        for (size_t i = 0; i < 4; i++) {
            char words[DECLARED_SIZE], json[DECLARED_SIZE];
            snprintf(
                words, sizeof words,
                "{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '8'}, {'kind': 'sum', 'column': "
                "'y', 'lower': '0', 'upper': '%s'}], 'epsilon': '1', 'delta': '1e-5', 'noise': '%s'}",
                uppers[i], noises[k]);
            dpn_declaration declaration = declared_read(declared_quotes(json, words));
            dpn_query *query = NULL;
            dpn_error why = {DPN_OK, ""};
            if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
            dpn_declaration_free(&declaration);
            assert_int_equal(query->moments, 2);
            other[i] = sqrt(query->cell[0].variance) / query->cell[0].sensitivity;
            width[i] = sqrt(query->cell[1].variance) / query->cell[1].sensitivity;
            assert_true(fabs(width[i] / other[i] - 1) < 1e-3);
            assert_true(fabs(width[i] / width[0] - 1) < 1e-3);
            dpn_query_free(query);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_the_farthest),
        cmocka_unit_test(moves_that_are_too_far),
        cmocka_unit_test(units_move_as_many_groups),
        cmocka_unit_test(shares_add_up_to_the_guarantee),
        cmocka_unit_test(noise_that_does_not_serve),
        cmocka_unit_test(what_is_excluded),
        cmocka_unit_test(thresholds_are_the_least),
        cmocka_unit_test(large_thresholds_are_nearly_the_least),
        cmocka_unit_test(quantiles_are_prepared_for_the_unit),
        cmocka_unit_test(quantiles_keep_their_edges),
        cmocka_unit_test(sums_beside_bins_share_their_noise),
        cmocka_unit_test(other_noise_is_as_wide_as_its_law),
        cmocka_unit_test(units_of_measurement_do_not_matter),
        cmocka_unit_test(cells_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
