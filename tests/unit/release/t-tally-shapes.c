/* The state of a tally serves the queries that read rows as the one it was made for does, and no others: whatever a declaration says of which rows count, for
 * whom, and as what, a state of it is refused by a declaration that says otherwise. What is said of the noise and of the answer alone changes nothing. */
#include "unit/release/declared.h"
#include "unit/random/seeded.h"

#include <dpnoise/statistics.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Statistics of b, and of a, so that the columns are always a and b; %s is what is said besides. */
static const char sums[] =
    "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'a', 'lower': 0, 'upper': 8}, "
    "{'kind': 'mean', 'column': 'b', 'lower': 0, 'upper': 8}], 'epsilon': 1, 'delta': 1e-6%s}";

/* Of each family all differ from each other. */
static const char *const missing[] = {"",
                                      ", 'missing': 'value:0'",
                                      ", 'missing': 'value:1'",
                                      ", 'na': ['x']",
                                      ", 'na': ['y']",
                                      ", 'na': ['x', 'y']",
                                      ", 'na': ['xy']",
                                      ", 'missing': 'value:1', 'na': ['x']",
                                      ", 'count_left_out': true",
                                      NULL};
#define WHERE(column, is, value) "{'column': '" column "', 'is': '" is "', 'value': '" value "'}"
static const char *const where[] = {"",
                                    ", 'where': [" WHERE("a", "=", "1") "]",
                                    ", 'where': [" WHERE("a", "!=", "1") "]",
                                    ", 'where': [" WHERE("a", "<", "1") "]",
                                    ", 'where': [" WHERE("a", "<=", "1") "]",
                                    ", 'where': [" WHERE("a", ">", "1") "]",
                                    ", 'where': [" WHERE("a", ">=", "1") "]",
                                    ", 'where': [" WHERE("a", ">=", "2") "]",
                                    ", 'where': [" WHERE("a", ">=", "1") ", " WHERE("a", "<", "2") "]",
                                    ", 'where': [" WHERE("a", ">=", "1") ", " WHERE("b", "<", "2") "]",
                                    ", 'where': [" WHERE("b", ">=", "1") "]",
                                    ", 'where': [" WHERE("a", "<", "1") ", " WHERE("a", "<", "2") "]",
                                    ", 'where': [" WHERE("a", "<", "1") ", " WHERE("b", "<", "2") "]",
                                    NULL};
static const char *const person[] = {"",
                                     ", 'person': 'p'",
                                     ", 'person': 'q'",
                                     ", 'person': 'p', 'max_rows': 2",
                                     ", 'person': 'p', 'max_rows': 3",
                                     ", 'person': 'p', 'per_person': 'sum'",
                                     ", 'person': 'p', 'per_person': 'mean'",
                                     NULL};
static const char *const by[] = {"",
                                 ", 'by': [{'column': 'g'}]",
                                 ", 'by': [{'column': 'h'}]",
                                 ", 'by': [{'column': 'g'}, {'column': 'h'}]",
                                 ", 'by': [{'column': 'h'}, {'column': 'g'}]",
                                 ", 'by': [{'column': 'g', 'levels': ['u']}]",
                                 ", 'by': [{'column': 'g', 'levels': ['v']}]",
                                 ", 'by': [{'column': 'g', 'levels': ['u', 'v']}]",
                                 ", 'by': [{'column': 'g', 'levels': ['v', 'u']}]",
                                 ", 'by': [{'column': 'g', 'levels': ['uv']}]",
                                 ", 'by': [{'column': 'g'}], 'person': 'p'",
                                 ", 'by': [{'column': 'g'}], 'person': 'p', 'max_groups': 2",
                                 ", 'by': [{'column': 'g'}], 'person': 'p', 'max_groups': 3",
                                 ", 'by': [{'column': 'g'}], 'person': 'p', 'max_groups': 2, 'max_rows': 3",
                                 NULL};

/* Of what is asked. */
#define ASK(what) "{'statistics': [" what "], 'epsilon': 1}"
#define OF(kind, column, lower, upper) \
    "{'kind': '" kind "', 'column': '" column "', 'lower': " lower ", 'upper': " upper "}"
static const char *const asked[] = {
    ASK(OF("mean", "a", "0", "8")),
    ASK(OF("mean", "a", "0", "9")),
    ASK(OF("mean", "a", "-1", "8")),
    ASK(OF("mean", "b", "0", "8")),
    ASK(OF("sum", "a", "0", "8")),
    ASK(OF("variance", "a", "0", "8")),
    ASK("{'kind': 'count'}"),
    ASK("{'kind': 'histogram', 'column': 'a', 'edges': [0, 1, 2]}"),
    ASK("{'kind': 'histogram', 'column': 'a', 'edges': [0, 1, 3]}"),
    ASK("{'kind': 'histogram', 'column': 'a', 'edges': [0, 1, 2, 3]}"),
    ASK("{'kind': 'histogram', 'column': 'b', 'edges': [0, 1, 2]}"),
    ASK("{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'edges': [0, 1, 2]}"),
    ASK("{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'lower': 0, 'upper': 2, 'step': 1}"),
    ASK("{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'lower': 0, 'upper': 3, 'step': 1}"),
    NULL};

/* Noise, the guarantee and the form of the answer. */
static const char *const other_answers[] = {"", ", 'noise': 'gaussian'", ", 'nonnegative': true",
                                            ", 'relation': 'replace'", NULL};

static dpn_query *shape_of(const char *json) {
    char text[DECLARED_SIZE];
    dpn_error why;
    dpn_query *query;
    dpn_declaration declaration = declared_read(declared_quotes(text, json));
    if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s: %s", json, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static dpn_tally *tally_of(const dpn_query *query) {
    static const dpn_tally_secret secret = {{7}};
    seeded random;
    dpn_tally *tally;
    dpn_error why;
    seeded_begin(&random, 1);
    if (dpn_tally_new_with(&tally, query, &secret, &random.rng, &why)) fail_msg("%s", why.sentence);
    return tally;
}

/* Whether a state of one declaration is taken by a tally of another. */
static bool takes(const char *into, const char *from) {
    dpn_query *ours = shape_of(into), *theirs = shape_of(from);
    dpn_tally *tally = tally_of(ours), *other = tally_of(theirs);
    unsigned char *state;
    size_t length;
    dpn_error why;
    if (dpn_tally_write(&state, &length, other, &why)) fail_msg("%s", why.sentence);
    dpn_status status = dpn_tally_add_state(tally, state, length, &why);
    if (status) assert_int_equal(status, DPN_EDOMAIN);
    dpn_tally_state_free(state, length);
    dpn_tally_free(tally);
    dpn_tally_free(other);
    dpn_query_free(ours);
    dpn_query_free(theirs);
    return !status;
}

static void expect_apart(const char *const *all, const char *form) {
    char into[DECLARED_SIZE], from[DECLARED_SIZE];
    for (size_t i = 0; all[i]; i++)
        for (size_t j = 0; all[j]; j++) {
            snprintf(into, sizeof into, form, all[i]);
            snprintf(from, sizeof from, form, all[j]);
            if (takes(into, from) != (i == j)) fail_msg("%s takes the state of %s, or not its own", into, from);
        }
}

static void test_other_rows(void **state) {
    (void)state;
    expect_apart(missing, sums);
    expect_apart(where, sums);
    expect_apart(person, sums);
    expect_apart(by, sums);
    expect_apart(asked, "%s");
}

static void test_other_answers(void **state) {
    char into[DECLARED_SIZE], from[DECLARED_SIZE];
    (void)state;
    snprintf(into, sizeof into, sums, "");
    for (size_t i = 0; other_answers[i]; i++) {
        snprintf(from, sizeof from, sums, other_answers[i]);
        assert_true(takes(into, from));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_rows), cmocka_unit_test(test_other_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
