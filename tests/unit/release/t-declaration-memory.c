/* Memory that fails at the k-th request, for every k: a declaration is read, typed, checked, copied and written, or nothing is,
 * and nothing leaks. */
#include "unit/failing-memory.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income', 'lower': '0', 'upper': '200000'}, "
    "{'kind': 'histogram', 'column': 'age', 'edges': ['-inf', '0', '18', '65', '120']}, "
    "{'kind': 'quantile', 'column': 'age', 'quantile': '0.5', 'lower': '0', 'upper': '120'}, "
    "{'kind': 'quantile', 'column': 'age', 'quantile': '0.25', 'edges': ['0', '18', '65']}, "
    "{'kind': 'quantile', 'column': 'age', 'quantile': '0.75', 'lower': '0', 'upper': '120', 'step': '1'}, "
    "{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': ['0', '0'], 'upper': ['1', '10']}], "
    "'by': [{'column': 'region', 'levels': ['north', 'south']}, {'column': 'education'}], "
    "'where': [{'column': 'age', 'is': '>=', 'value': '18'}, {'column': 'state', 'is': '!=', 'value': 'x'}], 'person': "
    "'id', "
    "'max_rows': '2', 'max_groups': '3', 'relation': 'replace', 'epsilon': '1', 'delta': '1e-6', 'missing': "
    "'value:-1.5', 'na': ['?', 'NA'], 'count_left_out': true, "
    "'noise': 'gaussian', 'nonnegative': true, 'consistent': true}";

/* The parts of that text, as they are typed. */
static const struct {
    unsigned part;
    const char *text;
} parts[] = {
    {DPN_STATISTIC_COUNT, NULL},
    {DECLARED_LEVELS, "region=north,south"},
    {DPN_STATISTIC_MEAN, "income:0:200000"},
    {DPN_STATISTIC_HISTOGRAM, "age:-inf,0,18,65,120"},
    {DPN_STATISTIC_HISTOGRAM, "hours:0:100:4"},
    {DPN_STATISTIC_QUANTILE, "age:0.5:0:120"},
    {DPN_STATISTIC_QUANTILE, "age:0.25:0,18,65"},
    {DPN_STATISTIC_COVARIANCE, "a:0:1,b:0:10"},
    {DECLARED_BY, "region,education"},
    {DECLARED_WHERE, "age>=18"},
    {DECLARED_WHERE, "state!=\"x\""},
    {DECLARED_MISSING, "value:-1.5"},
    {DECLARED_NA, "NA,?"},
};

/* Read, check and write a text. */
static dpn_status by_text(const char *json, const char *expected, dpn_error *why) {
    dpn_declaration declaration;
    char *out = NULL;
    dpn_status status = dpn_declaration_read(&declaration, json, strlen(json), why);
    if (status) return status;
    status = dpn_declaration_check(&declaration, why);
    dpn_declaration copy = {0};
    if (!status) status = dpn_declaration_copy(&copy, &declaration, why);
    if (!status) status = dpn_declaration_write(&out, NULL, &copy, why);
    if (status) assert_null(out);
    if (!status) assert_string_equal(out, expected);
    dpn_declaration_free(&declaration);
    dpn_declaration_free(&copy);
    free(out);
    return status;
}

/* Type all parts; what fails leaves as many parts as there were. */
static dpn_status by_hand(dpn_error *why) {
    dpn_declaration declaration;
    dpn_status status = dpn_declaration_read(&declaration, "{}", 2, why);
    if (status) return status;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++) {
        dpn_declaration before = declaration;
        status = declared_type(&declaration, parts[i].part, parts[i].text, why);
        if (!status) continue;
        assert_true(before.statistics == declaration.statistics && before.bys == declaration.bys);
        assert_true(before.wheres == declaration.wheres);
    }
    dpn_declaration_free(&declaration);
    return status;
}

static char *form(char out[DECLARED_SIZE]) {
    return declared_quotes(out, text);
}

static void with_memory_it_works(void **state) {
    (void)state;
    char json[DECLARED_SIZE];
    dpn_error why = {DPN_OK, ""};
    if (by_text(form(json), json, &why) || by_hand(&why)) fail_msg("%s", why.sentence);
}

#ifndef SANITIZED

static void every_request_fails_once(void **state) {
    (void)state;
    char json[DECLARED_SIZE];
    form(json);
    for (int round = 0; round < 4; round++) {
        long k = 0;
        for (bool failed = true; failed; k++) {
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = round % 2;
            memory.armed = true;
            dpn_status status = round < 2 ? by_text(json, json, &why) : by_hand(&why);
            memory.armed = false;
            failed = memory.requests > k;
            if (memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
            /* Sorting asks for memory too, and does without. */
            if (status && status != DPN_ENOMEM) fail_msg("request %ld: %s", k, why.sentence);
            if (status) assert_true(why.status == status && strstr(why.sentence, "memory"));
            assert_true(failed || !status);
        }
        assert_true(k > 50);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_it_works),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
