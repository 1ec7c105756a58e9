/* dp_fit(dataset text, spec jsonb): a linear regression of a registered table, out of its budget, by the noisy sums of products of its columns.
 *
 * 1. The question is that of dp_release: the means of the target and then of the features, with a member "fit" for settings, {"l2": 0.1} for
 *    example (dpnoise/learn.h). Groups with levels are features too.
 * 2. What is refused when, who pays, and what happens after the charge is as with dp_release.
 * 3. Rows become sums as they are read; where persons are protected they are kept until all are read, because some of each person's are chosen.
 */
#include "postgres/front.h"
#include "postgres/ledger.h"
#include "postgres/question.h"

#include <executor/spi.h>
#include <utils/builtins.h>
#include <utils/jsonb.h>

#include <dpnoise/learn.h>
#include <stdlib.h>
#include <string.h>

static void free_fit(void *fit) {
    dpn_fit_free(fit);
}

static void free_model(void *model) {
    dpn_model_free(model);
}

/* The fit of a question, and the declaration that is left. */
static dpn_fit *find_fit(Held *held, char **declaration, const char *spec) {
    dpn_fit_options options = dpn_fit_options_init();
    Held *text = front_hold(free);
    dpn_fit *fit = NULL;
    dpn_error why;
    char *rest;
    dpn_status status = dpn_fit_split(&fit, &rest, NULL, spec, strlen(spec), &why);
    FRONT_CHECK(status, &why);
    text->what = rest;
    if (!fit) status = dpn_fit_new(&fit, &options, &why); /* linear, by the default method */
    FRONT_CHECK(status, &why);
    held->what = fit;
    dpn_fit_watch(fit, NULL, front_cancelled, NULL);
    *declaration = pstrdup(rest);
    front_let_go(text);
    return fit;
}

/* All values are texts. */
typedef struct Taker {
    dpn_fit *fit;
    size_t columns;
    dpn_field *field; /* of one row */
} Taker;

static dpn_status take_rows(void *context, const dpn_value *value, size_t rows, dpn_error *why) {
    const Taker *taker = context;
    dpn_status status = DPN_OK;
    for (size_t row = 0; row < rows && !status; row++) {
        for (size_t i = 0; i < taker->columns; i++, value++)
            taker->field[i] = value->kind == DPN_VALUE_TEXT ? value->as.text : (dpn_field){NULL, 0};
        status = dpn_fit_rows(taker->fit, taker->field, 1, why);
    }
    return status;
}

/* coefficient, value, low, high, interval, receipt */
static void put_model(const Rows *rows, const dpn_model *model, Datum receipt) {
    for (size_t i = 0; i < model->coefficients; i++) {
        const dpn_coefficient *one = &model->coefficient[i];
        Datum value[6] = {CStringGetTextDatum(one->name)};
        bool null[6] = {false};
        front_put_double(&value[1], &null[1], one->value);
        front_put_double(&value[2], &null[2], one->low);
        front_put_double(&value[3], &null[3], one->high);
        null[4] = model->interval[0] == '\0';
        value[4] = null[4] ? (Datum)0 : CStringGetTextDatum(model->interval);
        value[5] = receipt;
        tuplestore_putvalues(rows->store, rows->shape, value, null);
    }
}

PG_FUNCTION_INFO_V1(dp_fit);
Datum dp_fit(PG_FUNCTION_ARGS) {
    Asking asking = question_begin(fcinfo, "dp_fit");
    Held *held_model = front_hold(free_model), *held_fit = front_hold(free_fit);
    char *declaration;
    dpn_fit *fit = find_fit(held_fit, &declaration, asking.spec);
    Taker taker = {.fit = fit};
    dpn_model *model;
    const char *text;
    dpn_error why;
    question_ask(&asking, declaration, dpn_fit_inquiry(fit));
    while (dpn_fit_column(fit, taker.columns)) taker.columns++;
    taker.field = palloc0((taker.columns + 1) * sizeof *taker.field);
    question_collect(&asking, true, take_rows, &taker);
    dpn_status status = dpn_question_result(&text, asking.question, asking.rng, &why);
    if (status) question_fail(asking.question, dpn_question_reason(asking.question), false);
    status = dpn_model_read(&model, text, strlen(text), &why);
    FRONT_CHECK(status, &why);
    held_model->what = model;
    put_model(&asking.rows, model, question_receipt(asking.question));
    SPI_finish();
    front_let_go(asking.held);
    front_let_go(held_fit);
    front_let_go(held_model);
    return (Datum)0;
}
