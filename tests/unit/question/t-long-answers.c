/* Keys that are not declared, longer and more than a ledger keeps: the question that was charged for is answered, with the groups that fit. */
#include "unit/question/office.h"
#include "unit/question/registered.h"
#include "unit/points.h"

#include <dpnoise/answer.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_question *ask(struct office *office, const char *name) {
    char text[REGISTERED_SIZE];
    dpn_question_options options = dpn_question_options_init();
    dpn_question *question;
    dpn_error why;
    options.source = name;
    registered_quotes(text, "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'town'}], 'epsilon': '0.5', "
                            "'delta': '1e-6', 'noise': 'laplace'}");
    if (dpn_question_read(&question, office->ledger, "visits", text, strlen(text), &options, &why))
        fail_msg("%s", why.sentence);
    return question;
}

/* A group with so many rows that its key is shown: each has a number of its own. */
static void add_group(dpn_question *question, const char *key, size_t length) {
    int64_t rows = 10000 * (key[0] >= 'a' ? key[0] - 'a' + 1 : 1), sum[2] = {rows, rows};
    dpn_field field = {key, length};
    dpn_error why;
    assert_true(dpn_query_sums(dpn_question_query(question)) <= 2);
    if (dpn_tally_add_sums(dpn_question_tally(question), &field, (uint64_t)rows, sum, &why))
        fail_msg("%s", why.sentence);
}

static void charge(struct office *office, dpn_question *question) {
    dpn_error why;
    if (dpn_question_charge(question, office->rng, &why)) fail_msg("%s", why.sentence);
}

static const dpn_answer *answer(struct office *office, dpn_question *question) {
    const dpn_answer *out;
    dpn_error why;
    if (dpn_question_answer(&out, question, office->rng, &why))
        fail_msg("%s: %s", why.sentence, dpn_question_reason(question));
    return out;
}

/* Quotes, which are two bytes in JSON and four in an export of it: of three long keys of which two fit, the first and the shorter one of the
 * others stay. */
static void long_keys_are_left_out(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question = ask(&office, "long"), *again;
    size_t most = (size_t)1 << 24, half = most / 2 - 3000;
    const size_t length[] = {half, half + 6000, half};
    char *text = malloc(most);
    assert_non_null(text);
    charge(&office, question);
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        memset(text, '"', length[i]);
        text[0] = "acd"[i];
        add_group(question, text, length[i]);
    }
    add_group(question, "e", 1);
    const dpn_answer *made = answer(&office, question);
    assert_int_equal(made->groups, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(made->key[i][0], "ade"[i]);
        assert_true(fabs(made->cell[i].value - 10000 * ("ade"[i] - 'a' + 1)) < 1000);
    }
    assert_int_equal(strlen(made->key[0]), half);
    assert_int_equal(strlen(made->key[1]), half);
    office_spent(&office, "visits", "0.5");
    again = ask(&office, "long");
    assert_int_equal(dpn_question_look(again).state, DPN_QUESTION_STORED);
    office_same(answer(&office, again), made);
    dpn_question_free(again);
    dpn_question_free(question);
    free(text);
    office_close(&office);
}

/* It takes half a minute: in long runs. A text of JSON has up to 2^23 values, 13 of them in each of these groups. */
static void many_keys_are_left_out(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question = ask(&office, "many");
    size_t kept = ((1 << 23) - 8) / 13;
    char key[16];
    charge(&office, question);
    for (size_t i = 0; i < kept + 100; i++) add_group(question, key, (size_t)snprintf(key, sizeof key, "%07zu", i));
    const dpn_answer *made = answer(&office, question);
    assert_int_equal(made->groups, kept);
    assert_string_equal(made->key[0], "0000000");
    snprintf(key, sizeof key, "%07zu", kept - 1);
    assert_string_equal(made->key[kept - 1], key);
    dpn_question_free(question);
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest quick[] = {cmocka_unit_test(long_keys_are_left_out)},
                            all[] = {cmocka_unit_test(long_keys_are_left_out),
                                     cmocka_unit_test(many_keys_are_left_out)};
    return points_are_many() ? cmocka_run_group_tests(all, NULL, NULL) : cmocka_run_group_tests(quick, NULL, NULL);
}
