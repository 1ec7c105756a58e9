/* Parts of a declaration as they are typed in a shell, and the page on declarations. */
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct typed {
    unsigned part;
    const char *text, *json;
} typed;

static void typed_in_a_shell(void **state) {
    (void)state;
    static const typed all[] = {
        {DPN_STATISTIC_COUNT, NULL, "{'statistics': [{'kind': 'count'}]}"},
        {DPN_STATISTIC_COUNT, "", "{'statistics': [{'kind': 'count'}]}"},
        {DPN_STATISTIC_SUM, "income:0:2e5",
         "{'statistics': [{'kind': 'sum', 'column': 'income', 'lower': 0, 'upper': 200000}]}"},
        {DPN_STATISTIC_MEAN, " a b : -1 : +1.50 ",
         "{'statistics': [{'kind': 'mean', 'column': 'a b', 'lower': -1, 'upper': 1.5}]}"},
        {DPN_STATISTIC_VARIANCE, "\"a:b,\"\"c\":0:1",
         "{'statistics': [{'kind': 'variance', 'column': 'a:b,\\'c', 'lower': 0, 'upper': 1}]}"},
        {DPN_STATISTIC_SUM, "\" a \":0:1",
         "{'statistics': [{'kind': 'sum', 'column': ' a ', 'lower': 0, 'upper': 1}]}"},
        {DPN_STATISTIC_HISTOGRAM, "age:0,18,65,120",
         "{'statistics': [{'kind': 'histogram', 'column': 'age', 'edges': [0, 18, 65, 120]}]}"},
        {DPN_STATISTIC_HISTOGRAM, "t:-inf,0,inf",
         "{'statistics': [{'kind': 'histogram', 'column': 't', 'edges': ['-inf', 0, 'inf']}]}"},
        {DPN_STATISTIC_HISTOGRAM, "age:0:100:4",
         "{'statistics': [{'kind': 'histogram', 'column': 'age', 'edges': [0, 25, 50, 75, 100]}]}"},
        {DPN_STATISTIC_HISTOGRAM, "t:-0.3:0.3:4",
         "{'statistics': [{'kind': 'histogram', 'column': 't', 'edges': [-0.3, -0.15, 0, 0.15, 0.3]}]}"},
        {DPN_STATISTIC_HISTOGRAM, "t:-3:0:3",
         "{'statistics': [{'kind': 'histogram', 'column': 't', 'edges': [-3, -2, -1, 0]}]}"},
        {DPN_STATISTIC_HISTOGRAM, "t:-3:-1:1",
         "{'statistics': [{'kind': 'histogram', 'column': 't', 'edges': [-3, -1]}]}"},
        {DPN_STATISTIC_HISTOGRAM, "t:1e-3:4e-3:3",
         "{'statistics': [{'kind': 'histogram', 'column': 't', 'edges': [0.001, 0.002, 0.003, 0.004]}]}"},
        {DPN_STATISTIC_QUANTILE, "age:0.5:0:120",
         "{'statistics': [{'kind': 'quantile', 'column': 'age', 'quantile': 0.5, 'lower': 0, 'upper': 120}]}"},
        {DPN_STATISTIC_QUANTILE, "age:0.5:0:120:1.0",
         "{'statistics': [{'kind': 'quantile', 'column': 'age', 'quantile': 0.5, 'lower': 0, 'upper': 120, 'step': "
         "1}]}"},
        {DPN_STATISTIC_QUANTILE, "age:.25:0,18,65",
         "{'statistics': [{'kind': 'quantile', 'column': 'age', 'quantile': 0.25, 'edges': [0, 18, 65]}]}"},
        {DPN_STATISTIC_QUANTILE, "age:.25:0,18",
         "{'statistics': [{'kind': 'quantile', 'column': 'age', 'quantile': 0.25, 'edges': [0, 18]}]}"},
        {DPN_STATISTIC_COVARIANCE, "a:0:1,b:0:10",
         "{'statistics': [{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': [0, 0], 'upper': [1, 10]}]}"},
        {DECLARED_BY, "region", "{'by': [{'column': 'region'}]}"},
        {DECLARED_BY, "region, \"a,b\" ,c:d", "{'by': [{'column': 'region'}, {'column': 'a,b'}, {'column': 'c:d'}]}"},
        {DECLARED_MISSING, "skip", "{}"},
        {DECLARED_MISSING, "value:-1.50", "{'missing': 'value:-1.5'}"},
        {DECLARED_NA, "?", "{'na': ['?']}"},
        {DECLARED_NA, "NA, \"a,b\" ,.", "{'na': ['NA', 'a,b', '.']}"},
        {DECLARED_WHERE, "age>=18", "{'where': [{'column': 'age', 'is': '>=', 'value': 18}]}"},
        {DECLARED_WHERE, "age > 18.0", "{'where': [{'column': 'age', 'is': '>', 'value': 18}]}"},
        {DECLARED_WHERE, "age<=-1e1", "{'where': [{'column': 'age', 'is': '<=', 'value': -10}]}"},
        {DECLARED_WHERE, "age<18", "{'where': [{'column': 'age', 'is': '<', 'value': 18}]}"},
        {DECLARED_WHERE, "state=North, East", "{'where': [{'column': 'state', 'is': '=', 'value': 'North, East'}]}"},
        {DECLARED_WHERE, "state != x=y", "{'where': [{'column': 'state', 'is': '!=', 'value': 'x=y'}]}"},
        {DECLARED_WHERE, "\"a=b\"=\"<=50K\"", "{'where': [{'column': 'a=b', 'is': '=', 'value': '<=50K'}]}"},
        {DECLARED_WHERE, "zip=00701", "{'where': [{'column': 'zip', 'is': '=', 'value': 701}]}"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char json[DECLARED_SIZE];
        dpn_error why;
        dpn_declaration typed_one = declared_read("{}"), read_one;
        if (declared_type(&typed_one, all[i].part, all[i].text, &why)) fail_msg("%s: %s", all[i].text, why.sentence);
        read_one = declared_read(declared_quotes(json, all[i].json));
        declared_same(&typed_one, &read_one);
        dpn_declaration_free(&typed_one);
        dpn_declaration_free(&read_one);
    }
}

/* Levels before and after their columns. */
static void levels_wait_for_their_column(void **state) {
    (void)state;
    static const typed all[] = {
        {DECLARED_LEVELS, "c=x", NULL}, {DECLARED_LEVELS, "b=<=50K,>50K", NULL},
        {DECLARED_BY, "a", NULL},       {DECLARED_BY, "b,c", NULL},
        {DECLARED_BY, "d", NULL},       {DECLARED_LEVELS, "d=\"y,\",z", NULL},
    };
    dpn_error why;
    dpn_declaration d = declared_read("{}");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *text = NULL;
        if (declared_type(&d, all[i].part, all[i].text, &why)) fail_msg("%s", why.sentence);
        bool waits = i < 3; /* a column with levels is not in by */
        assert_true(dpn_declaration_write(&text, NULL, &d, &why) == (waits ? DPN_EDOMAIN : DPN_OK));
        free(text);
    }
    char json[DECLARED_SIZE];
    dpn_declaration expected = declared_read(
        declared_quotes(json, "{'by': [{'column': 'a'}, {'column': 'b', 'levels': ['<=50K', '>50K']}, "
                              "{'column': 'c', 'levels': ['x']}, {'column': 'd', 'levels': ['y,', 'z']}]}"));
    declared_same(&d, &expected);
    dpn_declaration_free(&d);
    dpn_declaration_free(&expected);
}

/* ---- The page ---- */

/* The JSON of docs/declaration.md reads, makes sense, and is in its one form where the page says so. */
static void the_page_is_true(void **state) {
    (void)state;
    static char page[1 << 16];
    char path[4096];
    const char *root = getenv("DPN_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/docs/declaration.md", root ? root : ".");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    char *form[2] = {NULL, NULL};
    int found = 0;
    for (char *at = page; (at = strstr(at, "```json\n")); found++) {
        char *start = at + strlen("```json\n"), *end = strstr(start, "```");
        dpn_error why;
        assert_true(end && found < 2);
        *end = '\0';
        dpn_declaration d = declared_read(start);
        if (dpn_declaration_check(&d, &why)) fail_msg("%s", why.sentence);
        form[found] = declared_write(&d);
        if (found == 1)
            assert_true(strlen(form[1]) + 1 == strlen(start) && memcmp(form[1], start, strlen(form[1])) == 0);
        dpn_declaration_free(&d);
        at = end + 1;
    }
    assert_int_equal(found, 2);
    assert_string_equal(form[0], form[1]);
    free(form[0]);
    free(form[1]);
}

/* Levels may come before their column is grouped by, which then stands after those that are, with its levels. */
static void columns_stand_in_the_order_of_by(void **state) {
    (void)state;
    static const char *const orders[][3] = {{"a", "b", "c"}, {"b", "a", "c"}, {"c", "b", "a"}};
    for (size_t o = 0; o < 3; o++) {
        dpn_declaration d = declared_read("{}");
        dpn_error why;
        assert_int_equal(dpn_declare_levels(&d, "a=a1,a2", &why), DPN_OK);
        assert_int_equal(dpn_declare_levels(&d, "b=b1,b2", &why), DPN_OK);
        assert_int_equal(dpn_declare_levels(&d, "c=c1,c2", &why), DPN_OK);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(dpn_declare_by(&d, orders[o][i], &why), DPN_OK);
            assert_int_equal(d.bys, 3);
            for (size_t k = 0; k <= i; k++) {
                const dpn_grouping *by = &d.by[2 - i + k];
                assert_string_equal(by->column, orders[o][k]);
                assert_true(!by->levels_only && by->levels == 2 && by->level[1][0] == orders[o][k][0]);
            }
            for (size_t k = 0; k + i < 2; k++) assert_true(d.by[k].levels_only);
        }
        dpn_declaration_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_stand_in_the_order_of_by),
        cmocka_unit_test(typed_in_a_shell),
        cmocka_unit_test(levels_wait_for_their_column),
        cmocka_unit_test(the_page_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
