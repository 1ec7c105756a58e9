/* Answers as text: what is written is read back bit by bit, and what is no answer is refused. */
#include <dpnoise/answer.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 42;
static uint64_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 11;
}

/* Numbers of all sizes, some of them none. */
static double some_number(void) {
    switch (next() % 8) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -INFINITY;
    case 3:
        return 0;
    default:
        return ldexp((double)next() - 0x1p52, (int)(next() % 300) - 200);
    }
}

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    assert_non_null(made);
    return strcpy(made, text);
}

static dpn_answer *make(size_t groups, size_t bys, size_t outputs) {
    static const char *const words[] = {"north", "", "a \"quoted\", one\n", "\xc3\xa9t\xc3\xa9", "\\", "\x01"};
    dpn_answer *answer = calloc(1, sizeof *answer);
    assert_non_null(answer);
    *answer = (dpn_answer){bys,
                           groups,
                           outputs,
                           calloc(groups * bys + 1, sizeof(char *)),
                           calloc(outputs + 1, sizeof(char *)),
                           calloc(groups * outputs + 1, sizeof(dpn_answer_cell))};
    for (size_t i = 0; i < groups * bys; i++) answer->key[i] = copy(words[next() % 6]);
    for (size_t i = 0; i < outputs; i++) answer->output[i] = copy(words[next() % 6]);
    for (size_t i = 0; i < groups * outputs; i++)
        answer->cell[i] = (dpn_answer_cell){some_number(), some_number(),           some_number(),
                                            some_number(), (int)(next() % 30) - 15, (dpn_interval_kind)(next() % 4)};
    return answer;
}

static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void assert_same(const dpn_answer *a, const dpn_answer *b) {
    assert_int_equal(a->groups, b->groups);
    assert_int_equal(a->bys, b->bys);
    assert_int_equal(a->outputs, b->outputs);
    for (size_t i = 0; i < a->groups * a->bys; i++) assert_string_equal(a->key[i], b->key[i]);
    for (size_t i = 0; i < a->outputs; i++) assert_string_equal(a->output[i], b->output[i]);
    for (size_t i = 0; i < a->groups * a->outputs; i++) {
        assert_true(same(a->cell[i].value, b->cell[i].value) && same(a->cell[i].low, b->cell[i].low));
        assert_true(same(a->cell[i].high, b->cell[i].high) && same(a->cell[i].rank95, b->cell[i].rank95));
        assert_int_equal(a->cell[i].digits, b->cell[i].digits);
        assert_int_equal(a->cell[i].kind, b->cell[i].kind);
    }
}

static void round_trip(void **unused) {
    (void)unused;
    for (size_t i = 0; i < 300; i++) {
        dpn_answer *answer = make(next() % 5, next() % 3, next() % 4), *back;
        char *text;
        size_t length;
        dpn_error why;
        assert_int_equal(dpn_answer_write(&text, &length, answer, &why), DPN_OK);
        assert_int_equal(strlen(text), length);
        if (dpn_answer_read(&back, text, length, &why)) fail_msg("%s: %s", why.sentence, text);
        assert_same(answer, back);
        dpn_answer_free(answer);
        dpn_answer_free(back);
        free(text);
    }
}

static void written(void **unused) {
    (void)unused;
    char *key[] = {"a\xff"}, *output[] = {"count"}, *text;
    dpn_answer_cell cell = {12, -INFINITY, 14.5, NAN, -1, DPN_INTERVAL_UNSTATED};
    dpn_answer answer = {1, 1, 1, key, output, &cell};
    size_t length;
    assert_int_equal(dpn_answer_write(&text, NULL, &answer, NULL), DPN_OK);
    free(text);
    assert_int_equal(dpn_answer_write(&text, &length, &answer, NULL), DPN_OK);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text,
                        "{\"by\": 1, \"outputs\": [\"count\"], \"groups\": [{\"key\": [\"a\xef\xbf\xbd\"], \"cells\": "
                        "[[12, \"-inf\", 14.5, null, -1]]}]}");
    free(text);
    cell.kind = DPN_INTERVAL_CONDITIONAL;
    assert_int_equal(dpn_answer_write(&text, NULL, &answer, NULL), DPN_OK);
    assert_non_null(strstr(text, "[[12, \"-inf\", 14.5, null, -1, \"conditional\"]]"));
    free(text);
    assert_null(dpn_interval_kind_name(DPN_INTERVAL_UNSTATED));
    assert_null(dpn_interval_kind_name((dpn_interval_kind)4));
}

static void refused(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "12",
        "{\"by\": 1}",
        "{\"by\": 1, \"outputs\": [], \"groups\": 3}",
        "{\"by\": -1, \"outputs\": [], \"groups\": []}",
        "{\"by\": 0.5, \"outputs\": [], \"groups\": []}",
        "{\"by\": 1e300, \"outputs\": [], \"groups\": []}",
        "{\"by\": 1000000, \"outputs\": [], \"groups\": [{}, {}, {}, {}, {}, {}, {}, {}, {}]}",
        "{\"by\": 0, \"by\": 0, \"outputs\": [], \"groups\": []}",
        "{\"by\": 0, \"outputs\": [1], \"groups\": []}",
        "{\"by\": 0, \"outputs\": [], \"groups\": [1]}",
        "{\"by\": 1, \"outputs\": [], \"groups\": [{\"key\": [], \"cells\": []}]}",
        "{\"by\": 1, \"outputs\": [], \"groups\": [{\"key\": [1], \"cells\": []}]}",
        "{\"by\": 0, \"outputs\": [], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, 1]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [1]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, null]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, 0.5]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, \"x\", 1, 1, 0]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1e999, 1, 1, 0]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, 0, \"exac\"]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, 0, 1]]}]}",
        "{\"by\": 0, \"outputs\": [\"a\"], \"groups\": [{\"key\": [], \"cells\": [[1, 1, 1, 1, 0, \"exact\", 1]]}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dpn_answer *untouched = (dpn_answer *)&state, *answer = untouched;
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_answer_read(&answer, texts[i], strlen(texts[i]), &why);
        if (status != DPN_EPARSE && status != DPN_EDOMAIN) fail_msg("not refused: %s", texts[i]);
        assert_true(why.status == status && why.sentence[0]);
        assert_ptr_equal(answer, untouched);
    }
}

/* A group has a cell for each output: with fewer, what stands behind them would be read, and with more some would be lost. */
static void other_numbers_of_cells(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "{'by': 0, 'outputs': ['a', 'b'], 'groups': [{'key': [], 'cells': [[1, 1, 1, 1, 0]]}]}",
        "{'by': 0, 'outputs': ['a', 'b'], 'groups': [{'cells': [], 'key': []}, [1, 1, 1, 1, 0], [1, 1, 1, 1, 0]]}",
        "{'by': 0, 'outputs': ['a', 'b'], 'groups': [{'key': [], 'cells': [[1, 1, 1, 1, 0]]}, [1, 1, 1, 1, 0]]}",
        "{'by': 0, 'outputs': ['a'], 'groups': [{'key': [], 'cells': [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]]}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char json[200];
        dpn_answer *answer = NULL;
        dpn_error why = {DPN_OK, ""};
        assert_true(strlen(texts[i]) < sizeof json);
        for (size_t k = 0; k <= strlen(texts[i]); k++) json[k] = texts[i][k] == '\'' ? '"' : texts[i][k];
        assert_int_equal(dpn_answer_read(&answer, json, strlen(json), &why), DPN_EPARSE);
        assert_non_null(strstr(why.sentence, "another number of cells"));
        assert_null(answer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(written),
        cmocka_unit_test(refused),
        cmocka_unit_test(other_numbers_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
