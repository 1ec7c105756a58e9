/* What is wrong with a declaration: each mistake has its status and a sentence that names the part. */
#include "release/statistic/statistic.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One sentence, of letters alone, that says this; it is not cut off. */
static void sentence_says(const char *text, const dpn_error *why, dpn_status status, const char *part) {
    if (why->status != status || !strstr(why->sentence, part))
        fail_msg("%s: %s '%s', not %s '%s'", text, dpn_status_name(why->status), why->sentence, dpn_status_name(status),
                 part);
    size_t length = strlen(why->sentence);
    if (length < 10 || length > 238 || why->sentence[length - 1] == '.') fail_msg("%s: '%s'", text, why->sentence);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)why->sentence[i] < 0x20 || why->sentence[i] == 0x7f)
            fail_msg("%s: control characters", text);
}

/* ---- Texts that are no declaration ---- */

typedef struct bad {
    const char *text; /* with single quotes for double ones */
    dpn_status status;
    const char *part; /* of the sentence */
} bad;

static const bad unreadable[] = {
    {"", DPN_EPARSE, "line 1"},
    {"{", DPN_EPARSE, "ends too early"},
    {"[]", DPN_EPARSE, "object in braces"},
    {"'sum'", DPN_EPARSE, "object in braces"},
    {"{} {}", DPN_EPARSE, "something follows"},
    {"{'epsilon': 1,}", DPN_EPARSE, "name of a member"},
    {"{\n'epsilon': 01}", DPN_EPARSE, "line 2"},
    {"{'epsilon': .5}", DPN_EPARSE, "line 1"},
    {"{'epsilon': 0x10}", DPN_EPARSE, "line 1"},
    {"{'epsilon': NaN}", DPN_EPARSE, "line 1"},
    {"{'epsilon': Infinity}", DPN_EPARSE, "line 1"},
    {"{'epsilon': 1,5}", DPN_EPARSE, "name of a member"},
    {"{'person': '\xff'}", DPN_EPARSE, "UTF-8"},
    {"\xef\xbb\xbf{}", DPN_EPARSE, "a value is expected"},
    {"{'epsilom': 1}", DPN_EPARSE, "epsilom: there is no such member, but statistics"},
    {"{'Epsilon': 1}", DPN_EPARSE, "Epsilon: there is no such member"},
    {"{'': 1}", DPN_EPARSE, "there is no such member"},
    {"{'a\\u001b[31mb': 1}", DPN_EPARSE, "a?[31mb: there is no such member"},
    {"{'epsilo\\u006e': 1}", DPN_EPARSE, "there is no such member"},
    {"{'a member with a very long name that nobody would ever write down': 1}", DPN_EPARSE, "there is no such member"},
    {"{'epsilon': 1, 'epsilon': 1}", DPN_EPARSE, "epsilon: it is given twice"},
    {"{'epsilon': 'nan'}", DPN_EPARSE, "epsilon: 'nan' is not a decimal number"},
    {"{'epsilon': 'inf'}", DPN_EPARSE, "epsilon: 'inf' is not a decimal number"},
    {"{'epsilon': '0x1p3'}", DPN_EPARSE, "epsilon: '0x1p3' is not a decimal number"},
    {"{'epsilon': '0,5'}", DPN_EPARSE, "epsilon: '0,5' is not a decimal number: write a point"},
    {"{'epsilon': ''}", DPN_EPARSE, "epsilon: a number is missing"},
    {"{'epsilon': ' 1'}", DPN_EPARSE, "epsilon: ' 1' is not"},
    {"{'epsilon': '1 '}", DPN_EPARSE, "epsilon: '1 ' is not"},
    {"{'epsilon': '1e'}", DPN_EPARSE, "epsilon: '1e' is not"},
    {"{'epsilon': '--1'}", DPN_EPARSE, "epsilon: '--1' is not"},
    {"{'epsilon': '-+1'}", DPN_EPARSE, "epsilon: '-+1' is not"},
    {"{'epsilon': '\\u0661'}", DPN_EPARSE, "is not a decimal number"},
    {"{'epsilon': '1\\u001b'}", DPN_EPARSE, "epsilon: '1?' is not"},
    {"{'epsilon': '1\\u0000'}", DPN_EPARSE, "epsilon: a string holds a zero byte"},
    {"{'epsilon': [1]}", DPN_EPARSE, "epsilon: text or a number"},
    {"{'epsilon': true}", DPN_EPARSE, "epsilon: text or a number"},
    {"{'epsilon': '1e999999999'}", DPN_EDOMAIN, "epsilon: 1e999999999 is too large"},
    {"{'epsilon': 1e-999999999}", DPN_EDOMAIN, "epsilon: 1e-999999999 has more"},
    {"{'epsilon': '1e99999999999999999999999999'}", DPN_EDOMAIN, "epsilon: 1e9999"},
    {"{'delta': -1e999999999}", DPN_EDOMAIN, "delta: 1e999999999 is too large"},
    {"{'delta': {}}", DPN_EPARSE, "delta: text or a number"},
    {"{'statistics': {}}", DPN_EPARSE, "statistics: a list in brackets"},
    {"{'statistics': 'count'}", DPN_EPARSE, "statistics: a list in brackets"},
    {"{'statistics': ['count']}", DPN_EPARSE, "statistics[0]: an object in braces"},
    {"{'statistics': [{}]}", DPN_EPARSE, "statistics[0].kind: it is missing"},
    {"{'statistics': [{'kind': 'max'}]}", DPN_EPARSE, "statistics[0].kind: one of these is expected: count sum mean"},
    {"{'statistics': [{'kind': 'Count'}]}", DPN_EPARSE, "statistics[0].kind: one of these"},
    {"{'statistics': [{'kind': 3}]}", DPN_EPARSE, "statistics[0].kind: one of these"},
    {"{'statistics': [{'kind': 'count', 'kind': 'sum'}]}", DPN_EPARSE, "statistics[0].kind: it is given twice"},
    {"{'statistics': [{'kind': 'count', 'column': 'a'}]}", DPN_EPARSE, "statistics[0].column: there is no such member"},
    {"{'statistics': [{'kind': 'count'}, {'kind': 'sum'}]}", DPN_EPARSE, "statistics[1].column: it is missing"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a', 'upper': '1'}]}", DPN_EPARSE,
     "statistics[0].lower: it is missing"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a', 'lower': 0}]}", DPN_EPARSE, "statistics[0].upper: it is missing"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a', 'lower': 0, 'upper': null}]}", DPN_EPARSE, "upper: it is missing"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a', 'lower': 0, 'upper': 'inf'}]}", DPN_EPARSE, "upper: 'inf' is not"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a', 'lower': [0], 'upper': [1]}]}", DPN_EPARSE, "lower: text or"},
    {"{'statistics': [{'kind': 'sum', 'columns': ['a'], 'lower': 0, 'upper': 1}]}", DPN_EPARSE, "columns: there is no"},
    {"{'statistics': [{'kind': 'sum', 'column': '', 'lower': 0, 'upper': 1}]}", DPN_EPARSE, "column: it is empty"},
    {"{'statistics': [{'kind': 'sum', 'column': 'a\\n', 'lower': 0, 'upper': 1}]}", DPN_EPARSE, "control character"},
    {"{'statistics': [{'kind': 'sum', 'column': '\\u0085', 'lower': 0, 'upper': 1}]}", DPN_EPARSE, "control character"},
    {"{'statistics': [{'kind': 'sum', 'column': ['a'], 'lower': 0, 'upper': 1}]}", DPN_EPARSE, "column: text or"},
    {"{'statistics': [{'kind': 'mean', 'column': 'a', 'lower': '1.000,5', 'upper': 1}]}", DPN_EPARSE, "no commas"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a'}]}", DPN_EPARSE, "edges: it is missing"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': []}]}", DPN_EPARSE, "edges: the list is empty"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': '0,1'}]}", DPN_EPARSE, "edges: a list"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': [0, 'x']}]}", DPN_EPARSE, "edges[1]: 'x' is not"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': [0, null]}]}", DPN_EPARSE, "edges[1]: text or"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': [0, 'Inf']}]}", DPN_EPARSE,
     "edges[1]: 'Inf' is not"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': [0, 1], 'lower': 0}]}", DPN_EPARSE,
     "lower: there is"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'lower': 0, 'upper': 1}]}", DPN_EPARSE,
     "quantile: it is missing"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'quantile': 'median', 'lower': 0, 'upper': 1}]}", DPN_EPARSE,
     "statistics[0].quantile: 'median' is not"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'upper': 1}]}", DPN_EPARSE,
     "lower: it is missing"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'lower': 0, 'edges': [0, 1]}]}", DPN_EPARSE,
     "lower: the edges say it already"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'step': 1, 'edges': [0, 1]}]}", DPN_EPARSE,
     "step: edges are candidates already"},
    {"{'statistics': [{'kind': 'mean', 'column': 'a', 'lower': 0, 'upper': 1, 'step': 1}]}", DPN_EPARSE, "step"},
    {"{'statistics': [{'kind': 'quantile', 'column': 'a', 'quantile': 0.5, 'upper': 1, 'edges': [0, 1]}]}", DPN_EPARSE,
     "upper: the edges say it already"},
    {"{'statistics': [{'kind': 'covariance', 'columns': 'a', 'lower': [0], 'upper': [1]}]}", DPN_EPARSE,
     "columns: a list"},
    {"{'statistics': [{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': [0], 'upper': [1, 1]}]}", DPN_EPARSE,
     "lower: there must be one for each column"},
    {"{'statistics': [{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': [0, 0], 'upper': 1}]}", DPN_EPARSE,
     "upper: a list"},
    {"{'statistics': [{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': [0, 0], 'upper': [1, 1e46]}]}",
     DPN_EDOMAIN, "upper[1]: 1e46 is too large"},
    {"{'by': 'region'}", DPN_EPARSE, "by: a list"},
    {"{'by': [7]}", DPN_EPARSE, "by[0]: an object"},
    {"{'by': [{}]}", DPN_EPARSE, "by[0].column: it is missing"},
    {"{'by': [{'column': 'a', 'level': ['x']}]}", DPN_EPARSE, "by[0].level: there is no such member"},
    {"{'by': [{'column': 'a', 'levels': []}]}", DPN_EPARSE, "by[0].levels: the list is empty"},
    {"{'by': [{'column': 'a', 'levels': 'x,y'}]}", DPN_EPARSE, "by[0].levels: a list"},
    {"{'by': [{'column': 'a', 'levels': ['x', '']}]}", DPN_EPARSE, "by[0].levels[1]: it is empty"},
    {"{'by': [{'column': 'a', 'levels': [['x']]}]}", DPN_EPARSE, "by[0].levels[0]: text or"},
    {"{'by': [{'column': 'a', 'levels': ['x\\u0007']}]}", DPN_EPARSE, "control character"},
    {"{'where': 'age>=18'}", DPN_EPARSE, "where: a list"},
    {"{'where': [7]}", DPN_EPARSE, "where[0]: an object"},
    {"{'where': [{'is': '=', 'value': 1}]}", DPN_EPARSE, "where[0].column: it is missing"},
    {"{'where': [{'column': 'a', 'value': 1}]}", DPN_EPARSE, "where[0].is: it is missing"},
    {"{'where': [{'column': 'a', 'is': '==', 'value': 1}]}", DPN_EPARSE, "where[0].is: one of these is expected: = !="},
    {"{'where': [{'column': 'a', 'is': '='}]}", DPN_EPARSE, "where[0].value: it is missing"},
    {"{'where': [{'column': 'a', 'is': '=', 'value': ''}]}", DPN_EPARSE, "where[0].value: it is empty"},
    {"{'where': [{'column': 'a', 'is': '=', 'value': true}]}", DPN_EPARSE, "where[0].value: text or"},
    {"{'where': [{'column': 'a', 'is': '=', 'value': 1, 'or': 2}]}", DPN_EPARSE, "where[0].or: there is no such"},
    {"{'person': ''}", DPN_EPARSE, "person: it is empty"},
    {"{'person': ['id']}", DPN_EPARSE, "person: text or"},
    {"{'max_rows': -1}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'max_rows': '1.5'}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'max_rows': 1e3}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'max_rows': ''}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'max_rows': 'all'}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'max_rows': [1]}", DPN_EPARSE, "max_rows: a whole number"},
    {"{'per_person': 'median'}", DPN_EPARSE, "per_person"},
    {"{'max_groups': 18446744073709551617}", DPN_EPARSE, "max_groups: a whole number"},
    {"{'max_groups': false}", DPN_EPARSE, "max_groups: a whole number"},
    {"{'relation': 'substitute'}", DPN_EPARSE, "relation: one of these is expected: add-remove replace"},
    {"{'relation': 1}", DPN_EPARSE, "relation: one of these"},
    {"{'missing': 'zero'}", DPN_EPARSE, "missing: skip, or value: and a number, is expected"},
    {"{'missing': 'value:x'}", DPN_EPARSE, "missing: 'x' is not a decimal number"},
    {"{'missing': 'value:'}", DPN_EPARSE, "missing: a number is missing"},
    {"{'na': 'NA'}", DPN_EPARSE, "na: a list in brackets is expected"},
    {"{'na': ['']}", DPN_EPARSE, "na[0]: it is empty"},
    {"{'count_left_out': 1}", DPN_EPARSE, "count_left_out: true or false is expected"},
    {"{'noise': ''}", DPN_EPARSE, "noise: it is empty"},
    {"{'noise': {}}", DPN_EPARSE, "noise: text or"},
    {"{'nonnegative': 'true'}", DPN_EPARSE, "nonnegative: true or false"},
    {"{'nonnegative': 1}", DPN_EPARSE, "nonnegative: true or false"},
    {"{'consistent': 'yes'}", DPN_EPARSE, "consistent: true or false"},
};

static void texts_that_cannot_be_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        char json[DECLARED_SIZE];
        dpn_declaration out, before;
        dpn_error why = {DPN_OK, ""};
        memset(&out, 0x5a, sizeof out);
        before = out;
        declared_quotes(json, unreadable[i].text);
        dpn_status status = dpn_declaration_read(&out, json, strlen(json), &why);
        if (!status) fail_msg("read: %s", json);
        assert_int_equal(status, why.status);
        sentence_says(json, &why, unreadable[i].status, unreadable[i].part);
        assert_memory_equal(&out, &before, sizeof out);
        assert_int_equal(dpn_declaration_read(&out, json, strlen(json), NULL), status);
    }
}

/* ---- Declarations that make no sense ---- */

#define SUM(column, lower, upper) "{'kind': 'sum', 'column': '" column "', 'lower': '" lower "', 'upper': '" upper "'}"
#define COUNT "'statistics': [{'kind': 'count'}]"
#define ONE(statistic) "{'epsilon': 1, 'statistics': [" statistic "]}"
#define BINS(edges) ONE("{'kind': 'histogram', 'column': 'a', 'edges': [" edges "]}")
#define QUANTILE(q, rest) "{'kind': 'quantile', 'column': 'a', 'quantile': " q ", " rest "}"
#define COVARIANCE(columns) "{'kind': 'covariance', 'columns': [" columns "], 'lower': [0, 0], 'upper': [1, 1]}"

static const bad senseless[] = {
    {"{'epsilon': 1}", DPN_EDOMAIN, "statistics: there are none"},
    {"{'epsilon': 1, 'statistics': []}", DPN_EDOMAIN, "statistics: there are none"},
    {ONE(SUM("a", "1", "0")), DPN_EDOMAIN, "sum of 'a': lower 1 must be less than upper 0"},
    {ONE(SUM("a", "1", "1")), DPN_EDOMAIN, "sum of 'a': lower 1 must be less"},
    {ONE(SUM("a", "1.0", "1e0")), DPN_EDOMAIN, "sum of 'a': lower 1 must be less than upper 1"},
    {ONE(SUM("a", "0", "-0")), DPN_EDOMAIN, "lower 0 must be less than upper 0"},
    {ONE(SUM("a", "-1", "-2")), DPN_EDOMAIN, "lower -1 must be less than upper -2"},
    {ONE(SUM("a", "1", "0.99999999999999999999999999999999")), DPN_EDOMAIN, "lower 1 must be less"},
    {ONE("{'kind': 'covariance', 'columns': ['a', 'b'], 'lower': [0, 3], 'upper': [1, 2]}"), DPN_EDOMAIN,
     "covariance of 'b': lower 3 must be less"},
    {ONE("{'kind': 'covariance', 'columns': ['a'], 'lower': [0], 'upper': [1]}"), DPN_EDOMAIN, "two columns or more"},
    {ONE(COVARIANCE("'a', 'a'")), DPN_EDOMAIN, "covariance of 'a': the column is given twice"},
    {ONE(COVARIANCE("'a', 'b'") ", " COVARIANCE("'b', 'a'")), DPN_EDOMAIN,
     "covariance of 'a' and 'b': it is asked twice"},
    {BINS("0"), DPN_EDOMAIN, "histogram of 'a': it needs two edges"},
    {BINS("0, 0"), DPN_EDOMAIN, "edges must ascend, but 0 is followed by 0"},
    {BINS("0, 2, 1"), DPN_EDOMAIN, "edges must ascend, but 2 is followed by 1"},
    {BINS("0, 1, '1.0'"), DPN_EDOMAIN, "edges must ascend, but 1 is followed by 1"},
    {BINS("0, 'inf', 1"), DPN_EDOMAIN, "edges must ascend, but inf is followed by 1"},
    {BINS("0, '-inf'"), DPN_EDOMAIN, "edges must ascend, but 0 is followed by -inf"},
    {BINS("'inf', 'inf'"), DPN_EDOMAIN, "edges must ascend"},
    {ONE(QUANTILE("0", "'lower': 0, 'upper': 1")), DPN_EDOMAIN,
     "quantile of 'a': quantile must be above 0 and below 1"},
    {ONE(QUANTILE("1", "'lower': 0, 'upper': 1")), DPN_EDOMAIN, "quantile must be above 0 and below 1"},
    {ONE(QUANTILE("50", "'lower': 0, 'upper': 1")), DPN_EDOMAIN, "quantile must be above 0 and below 1"},
    {ONE(QUANTILE("-0.5", "'lower': 0, 'upper': 1")), DPN_EDOMAIN, "quantile must be above 0 and below 1"},
    {ONE(QUANTILE("0.5", "'lower': 5, 'upper': 1")), DPN_EDOMAIN, "quantile of 'a': lower 5"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 0")), DPN_EDOMAIN, "quantile of 'a': step must be above 0"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': -1")), DPN_EDOMAIN, "step must be above 0"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 0.3")), DPN_EDOMAIN, "step must divide upper - lower"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 3")), DPN_EDOMAIN, "step must divide upper - lower"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 0.33333333333333331")), DPN_EDOMAIN, "step must divide"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 1e-7")), DPN_EDOMAIN, "more than 1000000 candidates"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 1e-300")), DPN_EDOMAIN, "more than 1000000 candidates"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1, 'step': 1e-6")), DPN_EDOMAIN, "are more than 1000000"},
    {ONE(QUANTILE("0.5", "'edges': [1]")), DPN_EDOMAIN, "lower 1 must be less than upper 1"},
    {ONE(QUANTILE("0.5", "'edges': [0, 2, 1, 3]")), DPN_EDOMAIN, "edges must ascend, but 2"},
    {ONE(QUANTILE("0.5", "'edges': [0, 'inf']")), DPN_EPARSE, "upper: 'inf' is not"},
    {ONE("{'kind': 'count'}, {'kind': 'count'}"), DPN_EDOMAIN, "count: it is asked twice"},
    {ONE(SUM("a", "0", "1") ", " SUM("a", "0", "2")), DPN_EDOMAIN, "sum of 'a': it is asked twice"},
    {ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1") ", " QUANTILE("'5e-1'", "'lower': 0, 'upper': 2")), DPN_EDOMAIN,
     "quantile of 'a': it is asked twice"},
    {"{" COUNT "}", DPN_EDOMAIN, "epsilon is missing"},
    {"{" COUNT ", 'epsilon': 0}", DPN_EDOMAIN, "epsilon must be above 0"},
    {"{" COUNT ", 'epsilon': '-0.0'}", DPN_EDOMAIN, "epsilon must be above 0"},
    {"{" COUNT ", 'epsilon': -1}", DPN_EDOMAIN, "epsilon -1 must not be negative"},
    {"{" COUNT ", 'epsilon': '1e-308'}", DPN_EDOMAIN, "epsilon 1e-308 is too small"},
    {"{" COUNT ", 'epsilon': '4.9e-324'}", DPN_EDOMAIN, "epsilon 4.9e-324 is too small"},
    {"{" COUNT ", 'epsilon': 1, 'delta': 1}", DPN_EDOMAIN, "delta 1 must be below 1"},
    {"{" COUNT ", 'epsilon': 1, 'delta': 1.0000000000000000000001}", DPN_EDOMAIN, "must be below 1"},
    {"{" COUNT ", 'epsilon': 1, 'delta': -1e-9}", DPN_EDOMAIN, "delta -1e-9 must not be negative"},
    {"{" COUNT ", 'epsilon': 1, 'delta': '1e-310'}", DPN_EDOMAIN, "delta 1e-310 is too small"},
    {"{" COUNT ", 'epsilon': 1, 'by': [{'column': 'a'}]}", DPN_EDOMAIN, "by: 'a' has no levels"},
    {"{" COUNT ", 'epsilon': 1, 'by': [{'column': 'a', 'levels': [1]}, {'column': 'b'}]}", DPN_EDOMAIN,
     "'b' has no levels"},
    {"{" COUNT ", 'epsilon': 1, 'delta': 0.1, 'by': [{'column': 'a'}, {'column': 'a'}]}", DPN_EDOMAIN,
     "by: 'a' is given twice"},
    {"{" COUNT ", 'epsilon': 1, 'by': [{'column': 'a', 'levels': ['x', 'y', 'x']}]}", DPN_EDOMAIN,
     "levels of 'a': 'x' is given twice"},
    {"{" COUNT ", 'epsilon': 1, 'max_rows': 0}", DPN_EDOMAIN, "max_rows must be from 1"},
    {"{" COUNT ", 'epsilon': 1, 'person': 'id', 'max_rows': 0}", DPN_EDOMAIN, "max_rows must be from 1"},
    {"{" COUNT ", 'epsilon': 1, 'person': 'id', 'max_rows': 1000000001}", DPN_EDOMAIN, "max_rows must be from 1"},
    {"{" COUNT ", 'epsilon': 1, 'max_rows': 5}", DPN_EDOMAIN, "max_rows 5 needs person"},
    {"{" COUNT ", 'epsilon': 1, 'per_person': 'sum'}", DPN_EDOMAIN, "per_person sum needs person"},
    {"{" COUNT ", 'epsilon': 1, 'per_person': 'mean', 'person': 'id', 'max_rows': 2}", DPN_EDOMAIN,
     "per_person mean: all rows of a person count; leave max_rows out"},
    {"{'statistics': [{'kind': 'histogram', 'column': 'a', 'edges': [0, 1]}], 'epsilon': 1, 'per_person': 'sum', "
     "'person': 'id'}",
     DPN_EDOMAIN, "per_person sum: histogram of 'a' is about rows"},
    {"{" COUNT ", 'epsilon': 1, 'max_groups': 0}", DPN_EDOMAIN, "max_groups must be from 1"},
    {"{" COUNT ", 'epsilon': 1, 'by': [{'column': 'a', 'levels': [1]}], 'max_groups': 2}", DPN_EDOMAIN,
     "max_groups 2 needs person"},
    {"{" COUNT ", 'epsilon': 1, 'person': 'id', 'max_groups': 2}", DPN_EDOMAIN, "max_groups 2: there are no groups"},
    {"{" COUNT ", 'epsilon': 1, 'delta': 0.1, 'person': 'id', 'by': [{'column': 'id'}]}", DPN_EDOMAIN,
     "by: 'id' tells persons apart"},
    {"{'epsilon': 1, 'person': 'a', 'statistics': [" SUM("a", "0", "1") "]}", DPN_EDOMAIN,
     "sum of 'a': this column tells persons apart"},
    {"{'epsilon': 1, 'by': [{'column': 'a', 'levels': [1]}], 'statistics': [" SUM("a", "0", "1") "]}", DPN_EDOMAIN,
     "sum of 'a': this column is in by"},
    {"{" COUNT ", 'epsilon': 1, 'where': [{'column': 'a', 'is': '<', 'value': 'x'}]}", DPN_EPARSE,
     "where 'a' <: 'x' is not"},
    {"{" COUNT ", 'epsilon': 1, 'where': [{'column': 'a', 'is': '>=', 'value': 'inf'}]}", DPN_EPARSE,
     "where 'a' >=: 'inf'"},
    {"{" COUNT ", 'epsilon': 1, 'where': [{'column': 'a', 'is': '>', 'value': '1e999999999'}]}", DPN_EDOMAIN,
     "where 'a' >: 1e999999999 is too large"},
    {"{" COUNT ", 'epsilon': 1, 'noise': 'gausian'}", DPN_EPARSE, "noise: there is no family 'gausian'"},
    {"{" COUNT ", 'epsilon': 1, 'noise': 'Best'}", DPN_EPARSE, "noise: there is no family 'Best'"},
};

static void declarations_without_sense(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        char json[DECLARED_SIZE];
        dpn_error why = {DPN_OK, ""};
        dpn_declaration d = declared_read(declared_quotes(json, senseless[i].text));
        dpn_status status = dpn_declaration_check(&d, &why);
        if (!status) fail_msg("accepted: %s", json);
        assert_int_equal(status, why.status);
        sentence_says(json, &why, senseless[i].status, senseless[i].part);
        dpn_declaration_free(&d);
    }
}

/* Next to what is refused lies what is not. */
static void near_misses(void **state) {
    (void)state;
    static const char *const good[] = {
        ONE(SUM("a", "0.99999999999999999999999999999999", "1")),
        ONE(SUM("a", "-2", "-1")),
        BINS("'-inf', 'inf'"),
        ONE(QUANTILE("1e-300", "'edges': [0, 1]")),
        ONE(QUANTILE("0.5", "'lower': 0, 'upper': 1") ", " QUANTILE("0.6", "'lower': 0, 'upper': 1")),
        ONE(SUM("a", "0", "1") ", " SUM("b", "0", "1")),
        ONE(COVARIANCE("'a', 'b'") ", " COVARIANCE("'a', 'c'")),
        "{" COUNT ", 'epsilon': '2.2250738585072014e-308'}",
        "{" COUNT ", 'epsilon': 1, 'delta': 0.99999999999999999999}",
        "{" COUNT ", 'epsilon': 1, 'person': 'id', 'max_rows': 1000000000}",
        "{" COUNT ", 'epsilon': 1, 'person': 'id', 'where': [{'column': 'id', 'is': '!=', 'value': 'test'}]}",
        "{" COUNT ", 'epsilon': 1, 'by': [{'column': 'a', 'levels': ['1', '1.0', 'x', ' x']}]}",
        "{" COUNT ", 'epsilon': 1, 'noise': 'best'}",
        "{" COUNT ", 'epsilon': 1, 'noise': 'blocks'}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char json[DECLARED_SIZE];
        dpn_error why;
        dpn_declaration d = declared_read(declared_quotes(json, good[i]));
        if (dpn_declaration_check(&d, &why)) fail_msg("%s: %s", json, why.sentence);
        dpn_declaration_free(&d);
    }
}

/* ---- What is typed wrongly ---- */

typedef struct typo {
    unsigned part;
    const char *text;
    dpn_status status;
    const char *says;
} typo;

enum { SUMS = DPN_STATISTIC_SUM, BINNED = DPN_STATISTIC_HISTOGRAM, MEDIAN = DPN_STATISTIC_QUANTILE, BY = DECLARED_BY };
enum { PAIRS = DPN_STATISTIC_COVARIANCE, LEVELS = DECLARED_LEVELS, WHERE = DECLARED_WHERE };

static const typo typos[] = {
    {DPN_STATISTIC_COUNT, "age", DPN_EPARSE, "count 'age': nothing follows a count"},
    {DPN_STATISTIC_MEAN, "income:0", DPN_EPARSE, "mean 'income:0': COLUMN:LOWER:UPPER"},
    {DPN_STATISTIC_VARIANCE, "income:0", DPN_EPARSE, "variance 'income:0': COLUMN:LOWER:UPPER"},
    {SUMS, "", DPN_EPARSE, "COLUMN:LOWER:UPPER"},
    {SUMS, NULL, DPN_EPARSE, "COLUMN:LOWER:UPPER"},
    {SUMS, "income:0:1:2", DPN_EPARSE, "COLUMN:LOWER:UPPER"},
    {SUMS, "income:0,1", DPN_EPARSE, "COLUMN:LOWER:UPPER"},
    {SUMS, "a:0:200,000", DPN_EPARSE, "COLUMN:LOWER:UPPER"},
    {SUMS, "a:0:1,b:0:1", DPN_EPARSE, "repeat the option"},
    {SUMS, ":0:1", DPN_EPARSE, "the column's name is empty"},
    {SUMS, "\"\":0:1", DPN_EPARSE, "the column's name is empty"},
    {SUMS, "a::1", DPN_EPARSE, "lower: a number is missing"},
    {SUMS, "a:0:", DPN_EPARSE, "upper: a number is missing"},
    {SUMS, "a:x:1", DPN_EPARSE, "lower: 'x' is not a decimal number"},
    {SUMS, "a:0:\"1,5\"", DPN_EPARSE, "upper: '1,5' is not a decimal number: write a point"},
    {SUMS, "a:0:0x10", DPN_EPARSE, "upper: '0x10' is not"},
    {SUMS, "a:-inf:1", DPN_EPARSE, "lower: '-inf' is not"},
    {SUMS, "a:0:NaN", DPN_EPARSE, "upper: 'NaN' is not"},
    {SUMS, "a:0:1 000", DPN_EPARSE, "upper: '1 000' is not"},
    {SUMS, "a:0:1e999999999", DPN_EDOMAIN, "upper: 1e999999999 is too large"},
    {SUMS, "a:-1e-999999999:1", DPN_EDOMAIN, "lower: 1e-999999999 has more"},
    {SUMS, "\"a:0:1", DPN_EPARSE, "a double quote is not closed"},
    {SUMS, "\"a\"b:0:1", DPN_EPARSE, "something follows a closing quote"},
    {SUMS, "a\"b\":0:1", DPN_EPARSE, "a word holds a double quote"},
    {SUMS, "a\033[31m:0:1", DPN_EPARSE, "sum 'a?[31m:0:1': the column's name holds a control character"},
    {SUMS, "a\xff:0:1", DPN_EPARSE, "not UTF-8"},
    {BINNED, "age", DPN_EPARSE, "COLUMN:EDGE,EDGE"},
    {BINNED, "age:0", DPN_EPARSE, "COLUMN:EDGE,EDGE"},
    {BINNED, "age:0:1", DPN_EPARSE, "COLUMN:EDGE,EDGE"},
    {BINNED, "age,0,1", DPN_EPARSE, "COLUMN:EDGE,EDGE"},
    {BINNED, "age:0,1:2", DPN_EPARSE, "COLUMN:EDGE,EDGE"},
    {BINNED, "age:0,,1", DPN_EPARSE, "edges: a number is missing"},
    {BINNED, "age:0,x", DPN_EPARSE, "edges: 'x' is not"},
    {BINNED, "age:0:100:0", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:100:-1", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:100:2.5", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:100:", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:100:1000001", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:100:99999999999999999999", DPN_EPARSE, "bins: a whole number"},
    {BINNED, "age:0:1:3", DPN_EPARSE, "edges that are not decimals; choose another number"},
    {BINNED, "age:1:0:10", DPN_EPARSE, "lower must be less than upper"},
    {BINNED, "age:1:1.0:10", DPN_EPARSE, "lower must be less than upper"},
    {BINNED, "age:-inf:1:10", DPN_EPARSE, "lower: '-inf' is not"},
    {BINNED, "age:0:inf:10", DPN_EPARSE, "upper: 'inf' is not"},
    {BINNED, "age:-9e44:9e44:10", DPN_EDOMAIN, "too large"},
    {BINNED, ":0:100:10", DPN_EPARSE, "the column's name is empty"},
    {MEDIAN, "age", DPN_EPARSE, "COLUMN:QUANTILE:LOWER:UPPER"},
    {MEDIAN, "age:0.5:0", DPN_EPARSE, "COLUMN:QUANTILE:LOWER:UPPER"},
    {MEDIAN, "age:0:120", DPN_EPARSE, "COLUMN:QUANTILE:LOWER:UPPER"},
    {MEDIAN, "age:0.5,0:1", DPN_EPARSE, "COLUMN:QUANTILE:LOWER:UPPER"},
    {MEDIAN, "age:0.5:0:1:x", DPN_EPARSE, "step: 'x' is not"},
    {MEDIAN, "age:0.5:0:1:0.1:7", DPN_EPARSE, "COLUMN:QUANTILE:LOWER:UPPER:STEP"},
    {MEDIAN, "age:half:0:1", DPN_EPARSE, "quantile: 'half' is not"},
    {MEDIAN, "age:50%:0:1", DPN_EPARSE, "quantile: '50%' is not"},
    {MEDIAN, "age:0.5:0,inf", DPN_EPARSE, "edges: 'inf' is not"},
    {PAIRS, "a:0:1", DPN_EPARSE, "two columns or more"},
    {PAIRS, "a", DPN_EPARSE, "two columns or more"},
    {PAIRS, "a:0:1,b:0", DPN_EPARSE, "two columns or more"},
    {PAIRS, "a:0:1:b:0:1", DPN_EPARSE, "two columns or more"},
    {PAIRS, "a:0:1,b:0:y", DPN_EPARSE, "upper: 'y' is not"},
    {PAIRS, "a:0:1,:0:1", DPN_EPARSE, "name is empty"},
    {42, "a:0:1", DPN_EDOMAIN, "kind of statistic"},
    {BY, "", DPN_EPARSE, "by '': a column's name is empty"},
    {BY, "a,", DPN_EPARSE, "by 'a,': a column's name is empty"},
    {BY, "a,,b", DPN_EPARSE, "a column's name is empty"},
    {BY, "a,a", DPN_EPARSE, "by 'a,a': 'a' is given twice"},
    {BY, "old", DPN_EPARSE, "'old' is given twice"},
    {BY, "\"a", DPN_EPARSE, "not closed"},
    {LEVELS, "", DPN_EPARSE, "as region=north,south"},
    {LEVELS, "region", DPN_EPARSE, "levels 'region': a column, =, and its levels"},
    {LEVELS, "region:north,south", DPN_EPARSE, "a column, =, and its levels"},
    {LEVELS, "=north", DPN_EPARSE, "the column's name is empty"},
    {LEVELS, "region=", DPN_EPARSE, "a level is empty"},
    {LEVELS, "region=north,,south", DPN_EPARSE, "a level is empty"},
    {LEVELS, "region=north,\"south", DPN_EPARSE, "not closed"},
    {LEVELS, "region=north,a\nb", DPN_EPARSE, "control character"},
    {LEVELS, "old=y", DPN_EPARSE, "levels 'old=y': this column has its levels already"},
    {WHERE, "", DPN_EPARSE, "where '': one of ="},
    {WHERE, "age", DPN_EPARSE, "one of = != < <= > >= is missing"},
    {WHERE, "age in 1,2", DPN_EPARSE, "one of = != < <= > >= is missing"},
    {WHERE, ">=18", DPN_EPARSE, "the column's name is empty"},
    {WHERE, "age>=", DPN_EPARSE, "the value is empty"},
    {WHERE, "age>=\"\"", DPN_EPARSE, "the value is empty"},
    {WHERE, "age==18", DPN_EPARSE, "write = instead of =="},
    {WHERE, "age=>18", DPN_EPARSE, "write >= instead of =>"},
    {WHERE, "age=<18", DPN_EPARSE, "write <= instead of =<"},
    {WHERE, "age<>18", DPN_EPARSE, "write != instead of <>"},
    {WHERE, "age!18", DPN_EPARSE, "as age>=18"},
    {WHERE, "\"age>=18", DPN_EPARSE, "not closed"},
    {WHERE, "age=\"a\"b", DPN_EPARSE, "something follows"},
    {WHERE, "age=a\tb", DPN_EPARSE, "control character"},
};

static void what_is_typed_wrongly(void **state) {
    (void)state;
    char json[DECLARED_SIZE];
    dpn_declaration d = declared_read(declared_quotes(json, "{" COUNT ", 'by': [{'column': 'old', 'levels': ['x']}]}"));
    dpn_declaration before = declared_read(json);
    for (size_t i = 0; i < sizeof typos / sizeof *typos; i++) {
        const char *text = typos[i].text ? typos[i].text : "(nothing)";
        dpn_error why = {DPN_OK, ""};
        dpn_status status = declared_type(&d, typos[i].part, typos[i].text, &why);
        if (!status) fail_msg("accepted: %s", text);
        assert_int_equal(status, why.status);
        sentence_says(text, &why, typos[i].status, typos[i].says);
        declared_same(&d, &before);
        assert_int_equal(declared_type(&d, typos[i].part, typos[i].text, NULL), status);
    }
    dpn_declaration_free(&d);
    dpn_declaration_free(&before);
}

static void levels_without_their_column(void **state) {
    (void)state;
    char json[DECLARED_SIZE], *text;
    dpn_error why;
    dpn_declaration d = declared_read(declared_quotes(json, "{" COUNT ", 'epsilon': 1}"));
    assert_int_equal(dpn_declare_levels(&d, "a=x,y", &why), DPN_OK);
    assert_int_equal(dpn_declaration_check(&d, &why), DPN_EDOMAIN);
    sentence_says("check", &why, DPN_EDOMAIN, "levels of 'a': this column is not in by");
    assert_int_equal(dpn_declaration_write(&text, NULL, &d, &why), DPN_EDOMAIN);
    sentence_says("write", &why, DPN_EDOMAIN, "levels: there are some for 'a', which is not in by");
    assert_int_equal(dpn_declare_levels(&d, "a=z", &why), DPN_EPARSE);
    sentence_says("again", &why, DPN_EPARSE, "has its levels already");
    dpn_declaration_free(&d);
}

/* ---- Too much ---- */

static char *repeat(const char *head, const char *one, unsigned count, const char *tail) {
    char *out = malloc(strlen(head) + count * (strlen(one) + 12) + strlen(tail) + 1), *at = out;
    assert_non_null(out);
    at += sprintf(at, "%s", head);
    for (unsigned i = 0; i < count; i++) {
        const char *number = strchr(one, '#');
        at += sprintf(at, "%s%.*s%u%s", i ? "," : "", (int)(number - one), one, i, number + 1);
    }
    strcpy(at, tail);
    return out;
}

static void check_size(const char *head, const char *one, unsigned good, const char *tail, bool read,
                       const char *says) {
    for (unsigned extra = 0; extra < 2; extra++) {
        char *text = repeat(head, one, good + extra, tail);
        dpn_declaration d;
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_declaration_read(&d, text, strlen(text), &why);
        if (!status) {
            if (read && extra) fail_msg("read: %s", says);
            status = dpn_declaration_check(&d, &why);
            dpn_declaration_free(&d);
        }
        if (extra)
            sentence_says(says, &why, read ? DPN_EPARSE : DPN_EDOMAIN, says);
        else if (status)
            fail_msg("%s: %s", says, why.sentence);
        free(text);
    }
}

static void too_much(void **state) {
    (void)state;
    static const char *const levels =
        "{\"epsilon\":1,\"statistics\":[{\"kind\":\"count\"}],\"by\":[{\"column\":\"b\",\"levels\":"
        "[1,2,3,4,5,6,7,8,9,10]},{\"column\":\"c\",\"levels\":[";
    static const char *const wide =
        "{\"epsilon\":1,\"statistics\":[{\"kind\":\"histogram\",\"column\":\"a\",\"edges\":[-1,";
    static const char *const by = "{\"epsilon\":1,\"delta\":0.5,\"statistics\":[{\"kind\":\"count\"}],\"by\":[";
    static const char *const where = "{\"epsilon\":1,\"statistics\":[{\"kind\":\"count\"}],\"where\":[";
    check_size(levels, "#", 100000, "]}]}", false, "by: the levels make more than 1000000 groups");
    check_size(wide, "#", 100000, "]}],\"by\":[{\"column\":\"b\",\"levels\":[1,2,3,4,5,6,7,8,9,10]}]}", false,
               "10 groups with 100001 numbers or more are more than 1000000");
    check_size(by, "{\"column\":\"c#\"}", 64, "]}", true, "by: it has more than 64");
    check_size(where, "{\"column\":\"c#\",\"is\":\"=\",\"value\":\"x\"}", 1000, "]}", true,
               "where: it has more than 1000");

    char text[2000];
    for (int length = 200; length <= 201; length++) {
        dpn_declaration d;
        dpn_error why = {DPN_OK, ""};
        sprintf(text, "{\"person\": \"%0*d\"}", length, 0);
        dpn_status status = dpn_declaration_read(&d, text, strlen(text), &why);
        if (length == 200) {
            assert_int_equal(status, DPN_OK);
            assert_int_equal(dpn_declare_by(&d, d.person, &why), DPN_OK);
            dpn_declaration_free(&d);
        } else {
            sentence_says(text, &why, DPN_EPARSE, "person: a string is longer than 200 bytes");
        }
    }
    dpn_declaration d = declared_read("{}");
    dpn_error why;
    sprintf(text, "%0201d", 0);
    assert_int_equal(dpn_declare_by(&d, text, &why), DPN_EPARSE);
    sentence_says(text, &why, DPN_EPARSE, "a column's name has more than 200 bytes");
    sprintf(text, "{\"epsilon\": %01500d}", 0);
    text[12] = '1';
    assert_true(dpn_declaration_read(&d, text, strlen(text), &why) == DPN_EDOMAIN);
    sentence_says(text, &why, DPN_EDOMAIN, "epsilon: the number has too many digits");
    dpn_declaration_free(&d);
}

/* ---- Structs that a program filled in ---- */

static void sense_of(const dpn_declaration *d, const char *says) {
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_declaration_check(d, &why);
    if (!status) fail_msg("accepted: %s", says);
    sentence_says("struct", &why, status, says);
}

static void made_by_hand(void **state) {
    (void)state;
    char *a[] = {"a", "b"}, *zero[] = {"0", "0"}, *one[] = {"1", "1"}, *none[] = {NULL, NULL}, *bad_name[] = {"\x1b"};
    char *edges[] = {"0", "2"}, *ends[] = {"0", "1"}, *half = "0.5", *not_number[] = {"x"};
    dpn_statistic s = {.kind = DPN_STATISTIC_SUM, .column = a, .columns = 1, .lower = zero, .upper = one};
    const dpn_statistic good = s;
    dpn_grouping by = {.column = "g"};
    dpn_predicate where = {.column = "c", .is = DPN_IS_EQUAL, .value = "v"};
    dpn_declaration d = {
        .statistic = &s, .statistics = 1, .max_rows = 1, .max_groups = 1, .epsilon = "1", .missing = DPN_MISSING_SKIP};
    const dpn_declaration sound = d;
    assert_int_equal(dpn_declaration_check(&d, NULL), DPN_OK);

#define BROKEN(change, says) (change, sense_of(&d, says), s = good, d = sound)
    BROKEN(s.kind = (dpn_statistic_kind)9, "no known kind");
    BROKEN(s.columns = 0, "it needs one column");
    BROKEN(s.columns = 2, "it needs one column");
    BROKEN(s.kind = DPN_STATISTIC_COUNT, "it has no column");
    BROKEN(s.column = NULL, "the column is missing");
    BROKEN(s.column = none, "name is missing");
    BROKEN(s.column = bad_name, "control character");
    BROKEN(s.lower = NULL, "lower and upper are missing");
    BROKEN(s.upper = none, "upper: a number is missing");
    BROKEN(s.upper = not_number, "upper: 'x' is not");
    BROKEN((s.edge = edges, s.edges = 2), "it has no edges");
    BROKEN(s.quantile = half, "it has no quantile");
    BROKEN(s.step = half, "it has no step");
    BROKEN((s.kind = DPN_STATISTIC_QUANTILE, s.quantile = half, s.edge = ends, s.edges = 2, s.step = half),
           "it has edges and a step");
    BROKEN(s.kind = DPN_STATISTIC_QUANTILE, "quantile: a number is missing");
    BROKEN((s.kind = DPN_STATISTIC_QUANTILE, s.quantile = half, s.edge = edges, s.edges = 2),
           "must be lower and upper");
    BROKEN(s.kind = DPN_STATISTIC_HISTOGRAM, "it has no lower and upper");
    BROKEN((s.kind = DPN_STATISTIC_HISTOGRAM, s.lower = NULL), "it has no lower and upper");
    BROKEN((s.kind = DPN_STATISTIC_HISTOGRAM, s.upper = NULL), "it has no lower and upper");
    BROKEN(s.upper = NULL, "lower and upper are missing");
    BROKEN((s.kind = DPN_STATISTIC_HISTOGRAM, s.lower = s.upper = NULL), "edges are missing");
    BROKEN((s.kind = DPN_STATISTIC_HISTOGRAM, s.lower = s.upper = NULL, s.edge = none, s.edges = 2),
           "an edge is missing");
    BROKEN((s.kind = DPN_STATISTIC_COVARIANCE, s.columns = 1001), "more than 1000 columns");
    BROKEN((d.by = &by, d.bys = 1, by.levels = 1), "the list is empty");
    by = (dpn_grouping){.column = "g", .level = a};
    BROKEN((d.by = &by, d.bys = 1), "the list is empty");
    by = (dpn_grouping){.column = "g", .level = none, .levels = 1};
    BROKEN((d.by = &by, d.bys = 1), "a level is missing");
    by = (dpn_grouping){.column = NULL};
    BROKEN((d.by = &by, d.bys = 1), "by: a column's name is missing");
    BROKEN((d.by = &by, d.bys = 65), "by: there are more than 64");
    BROKEN((d.where = &where, d.wheres = 1001), "where: there are more than 1000");
    where.value = NULL;
    BROKEN((d.where = &where, d.wheres = 1), "where 'c' =: the value is missing");
    where.is = (dpn_predicate_is)17;
    BROKEN((d.where = &where, d.wheres = 1), "there is no such comparison");
    BROKEN(d.relation = (dpn_relation)5, "relation: there is no such");
    BROKEN(d.missing = (dpn_missing)5, "missing: it must be");
    BROKEN(d.missing = DPN_MISSING_REFUSE, "say skip to leave out rows that cannot be used, or value:0");
    BROKEN(d.missing = DPN_MISSING_VALUE, "missing: the value is missing");
    BROKEN((d.missing = DPN_MISSING_VALUE, d.missing_value = "x"), "missing: value: 'x' is not");
    BROKEN((d.na = none, d.nas = 1), "na: a word is missing");
    BROKEN((d.na = zero, d.nas = 2), "na: '0' is given twice");
    BROKEN((d.na = a, d.nas = 101), "na: there are more than 100 words");
    BROKEN(d.epsilon = "one", "epsilon: 'one' is not");
    BROKEN(d.person = "", "person: the column's name is empty");
    BROKEN(d = (dpn_declaration){0}, "statistics: there are none");
    assert_int_equal(dpn_declaration_check(&d, NULL), DPN_OK);
}

/* The kinds have names up to the last one; what is beyond has none, and nothing else. */
static void kinds_end(void **state) {
    (void)state;
    int kinds = 0;
    while (dpn_statistic_kind_name((dpn_statistic_kind)kinds)) {
        assert_non_null(dpn_statistic_row_of((dpn_statistic_kind)kinds));
        assert_string_equal(dpn_statistic_kind_name((dpn_statistic_kind)kinds),
                            dpn_statistic_row_of((dpn_statistic_kind)kinds)->name);
        assert_int_equal(dpn_statistic_shape_of((dpn_statistic_kind)kinds),
                         dpn_statistic_row_of((dpn_statistic_kind)kinds)->shape);
        kinds++;
    }
    assert_int_equal(kinds, DPN_STATISTIC_QUANTILE > DPN_STATISTIC_COVARIANCE ? DPN_STATISTIC_QUANTILE + 1
                                                                              : DPN_STATISTIC_COVARIANCE + 1);
    for (int beyond = kinds; beyond < kinds + 40; beyond++) {
        assert_null(dpn_statistic_kind_name((dpn_statistic_kind)beyond));
        assert_null(dpn_statistic_row_of((dpn_statistic_kind)beyond));
        assert_int_equal(dpn_statistic_shape_of((dpn_statistic_kind)beyond), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_cannot_be_read),
        cmocka_unit_test(declarations_without_sense),
        cmocka_unit_test(near_misses),
        cmocka_unit_test(what_is_typed_wrongly),
        cmocka_unit_test(levels_without_their_column),
        cmocka_unit_test(too_much),
        cmocka_unit_test(made_by_hand),
        cmocka_unit_test(kinds_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
