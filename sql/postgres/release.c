/* dp_release(dataset text, spec jsonb): a question to a registered table, answered out of its budget.
 *
 * 1. The data set is registered in the ledger (dpnoise register), with its table, columns, unit and limits; the question can narrow what is
 *    registered, never widen it. It is a declaration (docs/declaration.md), as a whole or in brief.
 * 2. What can be refused is refused before the charge: the place, the rights, the question, the table, its columns, the budget.
 * 3. The charge is on the disk before the first row is read, in a file that no transaction of PostgreSQL takes part in.
 * 4. From then on every failure is one sentence, always the same; the reason goes to the server's log alone, and the charge stands.
 * 5. A question that was answered before is answered again from the ledger, for nothing, and no row is read.
 * 6. The user of the session pays, and the role that was set, all or none.
 */
#include "postgres/front.h"
#include "postgres/ledger.h"
#include "postgres/question.h"

#include <executor/spi.h>
#include <lib/stringinfo.h>
#include <utils/builtins.h>
#include <utils/json.h>
#include <utils/jsonb.h>

static dpn_status take_rows(void *question, const dpn_value *value, size_t rows, dpn_error *why) {
    return dpn_tally_values(dpn_question_tally(question), value, rows, why);
}

/* ---- The answer as rows ---- */

/* The key of a group, {"region": "north"}. */
static Datum key_of(const dpn_declaration *declaration, const dpn_answer *answer, size_t group) {
    StringInfoData json;
    initStringInfo(&json);
    appendStringInfoChar(&json, '{');
    for (size_t i = 0; i < answer->bys; i++) {
        if (i) appendStringInfoString(&json, ", ");
        escape_json(&json, declaration->by[i].column);
        appendStringInfoString(&json, ": ");
        escape_json(&json, answer->key[group * answer->bys + i]);
    }
    appendStringInfoChar(&json, '}');
    return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}

/* key, statistic, value, low, high, rank95, interval, receipt */
static void put_answer(const Rows *rows, const dpn_question *question, const dpn_answer *answer) {
    Datum receipt = question_receipt(question);
    for (size_t group = 0; group < answer->groups; group++) {
        Datum key = key_of(dpn_question_declaration(question), answer, group);
        for (size_t i = 0; i < answer->outputs; i++) {
            const dpn_answer_cell *cell = &answer->cell[group * answer->outputs + i];
            const char *kind = dpn_interval_kind_name(cell->kind);
            Datum value[8] = {key, CStringGetTextDatum(answer->output[i])};
            bool null[8] = {false};
            front_put_double(&value[2], &null[2], cell->value);
            front_put_double(&value[3], &null[3], cell->low);
            front_put_double(&value[4], &null[4], cell->high);
            front_put_double(&value[5], &null[5], cell->rank95);
            null[6] = !kind;
            value[6] = kind ? CStringGetTextDatum(kind) : (Datum)0;
            value[7] = receipt;
            tuplestore_putvalues(rows->store, rows->shape, value, null);
        }
    }
}

PG_FUNCTION_INFO_V1(dp_release);
Datum dp_release(PG_FUNCTION_ARGS) {
    Asking asking = question_begin(fcinfo, "dp_release");
    const dpn_answer *answer;
    dpn_error why;
    question_ask(&asking, asking.spec, NULL);
    question_collect(&asking, false, take_rows, asking.question);
    dpn_status status = dpn_question_answer(&answer, asking.question, asking.rng, &why);
    if (status) question_fail(asking.question, dpn_question_reason(asking.question), false);
    put_answer(&asking.rows, asking.question, answer);
    SPI_finish();
    front_let_go(asking.held);
    return (Datum)0;
}
