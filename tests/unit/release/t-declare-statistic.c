/* Statistics as they are typed: every arrangement of up to eight words with colons and commas between them, accepted or not as the forms of the manual say, and each
 * word in the place that the form gives it. */
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

/* Words are numbers, which are names of columns, too: none is refused by itself. */
static const char *const words[MOST] = {"11", "0.5", "3", "4", "5", "6", "7", "8"};

static void type_out(char *out, const char *between, const char *last) {
    strcpy(out, words[0]);
    for (size_t i = 0; i < strlen(between); i++) {
        strncat(out, &between[i], 1);
        strcat(out, i + 1 == strlen(between) && last ? last : words[i + 1]);
    }
}

/* Commas alone, `least` of them or more. */
static bool commas(const char *between, size_t least) {
    return strspn(between, ",") == strlen(between) && strlen(between) >= least;
}

static void same_words(char *const *made, size_t count, size_t first, size_t step) {
    assert_non_null(made);
    for (size_t i = 0; i < count; i++) assert_string_equal(made[i], words[first + i * step]);
}

/* "::", "::,::", ...: so many columns with bounds, 0 if it is anything else. */
static size_t bounded_columns(const char *between) {
    size_t length = strlen(between);
    if (length % 3 != 2) return 0;
    for (size_t i = 0; i < length; i++)
        if (between[i] != (i % 3 == 2 ? ',' : ':')) return 0;
    return (length + 1) / 3;
}

static void check_bounded(const dpn_declaration *d, dpn_statistic_kind kind, const char *between) {
    size_t bounded = bounded_columns(between), count = strlen(between) + 1;
    bool many = kind == DPN_STATISTIC_COVARIANCE;
    if (many ? bounded < 2 : bounded != 1) bounded = 0;
    bool bare = many ? commas(between, 1) : count == 1;
    assert_int_equal(d->statistics, bounded || bare);
    if (!d->statistics) return;
    const dpn_statistic *made = &d->statistic[0];
    assert_int_equal(made->columns, bounded ? bounded : count);
    same_words(made->column, made->columns, 0, bounded ? 3 : 1);
    assert_true((made->lower != NULL) == (bounded > 0) && (made->upper != NULL) == (bounded > 0) && !made->edge);
    if (!bounded) return;
    same_words(made->lower, bounded, 1, 3);
    same_words(made->upper, bounded, 2, 3);
}

static void check_histogram(const dpn_declaration *d, const char *between) {
    bool equal = strcmp(between, ":::") == 0, listed = *between == ':' && commas(between + 1, 1);
    assert_int_equal(d->statistics, equal || listed);
    if (!d->statistics) return;
    const dpn_statistic *made = &d->statistic[0];
    assert_true(made->columns == 1 && !made->lower && !made->upper && !made->quantile);
    same_words(made->column, 1, 0, 1);
    if (listed) {
        assert_int_equal(made->edges, strlen(between));
        same_words(made->edge, made->edges, 1, 1);
    } else { /* 0.5 to 3 in four */
        static const char *const edges[] = {"0.5", "1.125", "1.75", "2.375", "3"};
        assert_int_equal(made->edges, 5);
        for (size_t i = 0; i < 5; i++) assert_string_equal(made->edge[i], edges[i]);
    }
}

static void check_quantile(const dpn_declaration *d, const char *between) {
    bool bare = strcmp(between, ":") == 0, bounds = strcmp(between, ":::") == 0, step = strcmp(between, "::::") == 0;
    bool listed = strncmp(between, "::", 2) == 0 && commas(between + 2, 1);
    assert_int_equal(d->statistics, bare || bounds || step || listed);
    if (!d->statistics) return;
    const dpn_statistic *made = &d->statistic[0];
    assert_true(made->columns == 1 && strcmp(made->quantile, words[1]) == 0 && (made->step != NULL) == step);
    same_words(made->column, 1, 0, 1);
    assert_true((made->lower != NULL) == !bare && (made->edge != NULL) == listed);
    if (bare) return;
    assert_string_equal(made->lower[0], words[2]);
    assert_string_equal(made->upper[0], words[listed ? strlen(between) : 3]);
    if (step) assert_string_equal(made->step, words[4]);
    if (!listed) return;
    assert_int_equal(made->edges, strlen(between) - 1);
    same_words(made->edge, made->edges, 2, 1);
}

static void every_arrangement_is_a_form_or_none(void **state) {
    (void)state;
    for (dpn_statistic_kind kind = DPN_STATISTIC_COUNT; dpn_statistic_kind_name(kind); kind++)
        for (unsigned length = 0; length < MOST; length++)
            for (unsigned bits = 0; bits < 1u << length; bits++) {
                char between[MOST + 1] = "", text[100];
                dpn_declaration d = {0};
                dpn_error why = {DPN_OK, ""};
                for (unsigned i = 0; i < length; i++) between[i] = bits >> i & 1 ? ',' : ':';
                if (kind == DPN_STATISTIC_HISTOGRAM && strcmp(between, ":::") == 0)
                    type_out(text, between, "4");
                else
                    type_out(text, between, NULL);
                dpn_status status = dpn_declare_statistic(&d, kind, text, &why);
                if (status) assert_int_equal(status, DPN_EPARSE);
                assert_int_equal(d.statistics, status == DPN_OK);
                if (kind == DPN_STATISTIC_COUNT)
                    assert_int_equal(d.statistics, 0);
                else if (kind == DPN_STATISTIC_HISTOGRAM)
                    check_histogram(&d, between);
                else if (kind == DPN_STATISTIC_QUANTILE)
                    check_quantile(&d, between);
                else
                    check_bounded(&d, kind, between);
                dpn_declaration_free(&d);
            }
}

/* A quantile whose bounds a registration supplies may have a step: two empty words stand for the bounds, and one does not. */
static void bounds_that_are_left_open(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } some[] = {
        {"x:0.5:::2", true}, {"x:0.5::1:2", false}, {"x:0.5:0::2", false}, {"x:0.5:::", false}, {"x:0.5::", false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_declaration d = {0};
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_declare_statistic(&d, DPN_STATISTIC_QUANTILE, some[i].text, &why);
        if ((status == DPN_OK) != some[i].good) fail_msg("%s: %s", some[i].text, why.sentence);
        if (!status) {
            const dpn_statistic *made = &d.statistic[0];
            assert_true(!made->lower && !made->upper && !made->edge && strcmp(made->step, "2") == 0);
            assert_string_equal(made->quantile, "0.5");
        }
        dpn_declaration_free(&d);
    }
}

/* As many equal bins as there may be cells, and no more; edges are exact, whatever the sign of the bounds. */
static void equal_bins(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t edges; /* 0: refused */
        const char *first, *second, *last;
    } some[] = {{"x:0:1:1", 2, "0", "1", "1"},        {"x:0:1:1000000", 1000001, "0", "1e-6", "1"},
                {"x:0:1:1000001", 0, "", "", ""},     {"x:-1:1:8", 9, "-1", "-0.75", "1"},
                {"x:-3:-1:4", 5, "-3", "-2.5", "-1"}, {"x:-1:0:2", 3, "-1", "-0.5", "0"},
                {"x:0:0:2", 0, "", "", ""},           {"x:0:-1:2", 0, "", "", ""},
                {"x:-1:-2:2", 0, "", "", ""},         {"x:-1:-1:2", 0, "", "", ""},
                {"x:1:2:2x", 0, "", "", ""},          {"x:1:2:/", 0, "", "", ""},
                {"x:1:2:2\"", 0, "", "", ""}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_declaration d = {0};
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_declare_statistic(&d, DPN_STATISTIC_HISTOGRAM, some[i].text, &why);
        if ((status == DPN_OK) != (some[i].edges > 0)) fail_msg("%s: %s", some[i].text, why.sentence);
        if (!status) {
            const dpn_statistic *made = &d.statistic[0];
            assert_int_equal(made->edges, some[i].edges);
            assert_string_equal(made->edge[0], some[i].first);
            assert_string_equal(made->edge[1], some[i].second);
            assert_string_equal(made->edge[made->edges - 1], some[i].last);
        }
        dpn_declaration_free(&d);
    }
}

/* A covariance of n columns is n (n + 1)/2 numbers in each group, of which there may be a million: 500500 of a thousand columns, and 499500 of one column less. */
static void covariances_have_a_number_for_each_pair(void **state) {
    (void)state;
    enum { COLUMNS = 1000 };
    static char name[COLUMNS][8], *column[COLUMNS], *lower[COLUMNS], *upper[COLUMNS];
    char zero[] = "0", one[] = "1", first[] = "a", second[] = "b", *levels[] = {first, second}, by[] = "group";
    for (size_t i = 0; i < COLUMNS; i++) {
        snprintf(name[i], sizeof name[i], "c%zu", i);
        column[i] = name[i];
        lower[i] = zero;
        upper[i] = one;
    }
    for (size_t columns = COLUMNS - 1; columns <= COLUMNS; columns++)
        for (size_t groups = 1; groups <= 2; groups++) {
            dpn_statistic pairs = {
                .kind = DPN_STATISTIC_COVARIANCE, .column = column, .columns = columns, .lower = lower, .upper = upper};
            dpn_grouping grouping = {.column = by, .level = levels, .levels = groups};
            dpn_declaration d = {.statistic = &pairs,
                                 .statistics = 1,
                                 .by = &grouping,
                                 .bys = 1,
                                 .max_rows = 1,
                                 .max_groups = 1,
                                 .epsilon = one,
                                 .missing = DPN_MISSING_SKIP};
            dpn_error why = {DPN_OK, ""};
            bool many = columns == COLUMNS && groups == 2;
            assert_int_equal(dpn_declaration_check(&d, &why), many ? DPN_EDOMAIN : DPN_OK);
            if (many)
                assert_true(strstr(why.sentence, "2 groups with 500500 numbers or more are more than 1000000") != NULL);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arrangement_is_a_form_or_none),
        cmocka_unit_test(bounds_that_are_left_open),
        cmocka_unit_test(equal_bins),
        cmocka_unit_test(covariances_have_a_number_for_each_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
