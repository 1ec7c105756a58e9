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
#include "postgres/payers.h"
#include "postgres/rows.h"

#include <executor/spi.h>
#include <lib/stringinfo.h>
#include <miscadmin.h>
#include <utils/builtins.h>
#include <utils/json.h>
#include <utils/jsonb.h>

#include <math.h>
#include <string.h>

static void free_question(void *question) {
    dpn_question_free(question);
}

/* ---- Failing after the charge ---- */

/* One sentence for the caller, the reason for the curator. */
static void fail(dpn_question *question, const char *reason, bool cancelled) pg_attribute_noreturn();
static void fail(dpn_question *question, const char *reason, bool cancelled) {
    ereport(LOG_SERVER_ONLY, (errmsg("dpnoise: charge " UINT64_FORMAT " has no answer: %s",
                                     (uint64)dpn_question_look(question).head.number, reason),
                              errhidestmt(true), errhidecontext(true)));
    ereport(ERROR,
            (errcode(cancelled ? ERRCODE_QUERY_CANCELED : ERRCODE_IO_ERROR), errmsg("%s", dpn_question_failure())));
}

/* What PostgreSQL raised while rows were read is for the server's log. */
static void fail_caught(dpn_question *question, MemoryContext context) pg_attribute_noreturn();
static void fail_caught(dpn_question *question, MemoryContext context) {
    dpn_error why = {DPN_EIO, ""};
    MemoryContextSwitchTo(context);
    ErrorData *error = CopyErrorData();
    FlushErrorState();
    snprintf(why.sentence, sizeof why.sentence, "%s", error->message);
    (void)dpn_question_fail(question, &why, &why);
    fail(question, error->message, error->sqlerrcode == ERRCODE_QUERY_CANCELED);
}

static void read_rows(dpn_question *question, Reading *reading) {
    MemoryContext context = CurrentMemoryContext;
    dpn_error why;
    volatile dpn_status status = DPN_OK;
    PG_TRY();
    { status = rows_read(reading, dpn_question_tally(question), &why); }
    PG_CATCH();
    { fail_caught(question, context); }
    PG_END_TRY();
    if (!status) return;
    (void)dpn_question_fail(question, &why, &why);
    fail(question, dpn_question_reason(question), false);
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
    char head[DPN_HEAD_TEXT_SIZE];
    dpn_question_standing standing = dpn_question_look(question);
    Datum receipt = CStringGetTextDatum(dpn_head_print(head, &standing.head));
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

/* ---- The question ---- */

static dpn_question *ask(Held *held, dpn_ledger *ledger, const char *dataset, const char *spec) {
    dpn_question_options options = dpn_question_options_init();
    Payers payers = payers_find(ledger, dataset);
    dpn_question *question;
    dpn_error why;
    options.analyst = payers.analyst;
    options.also = payers.also[0] ? payers.also : NULL;
    options.cancelled = front_cancelled;
    dpn_status status = dpn_question_read(&question, ledger, payers.name, spec, strlen(spec), &options, &why);
    if (status) ledger_raise(&why);
    held->what = question;
    CHECK_FOR_INTERRUPTS();
    if (!dpn_question_registration(question))
        ereport(
            ERROR,
            (errcode(ERRCODE_UNDEFINED_OBJECT),
             errmsg(
                 "the data set has a budget and is not registered: its curator registers it with dpnoise register")));
    return question;
}

/* As whom the rows are read. A superuser, whom no right stops, is not the owner that the extension gave the function. */
static void check_owner(void) {
    if (superuser_arg(GetUserId()))
        ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                        errmsg("dp_release reads as its owner, who must not be a superuser: ALTER FUNCTION dp_release "
                               "OWNER TO dpnoise_reader")));
}

PG_FUNCTION_INFO_V1(dp_release);
Datum dp_release(PG_FUNCTION_ARGS) {
    Rows rows = front_rows(fcinfo);
    check_owner();
    char *dataset = front_text(PG_GETARG_DATUM(0));
    char *spec = JsonbToCString(NULL, &PG_GETARG_JSONB_P(1)->root, (int)VARSIZE(PG_GETARG_JSONB_P(1)));
    dpn_ledger *ledger = ledger_open();
    dpn_rng *rng = front_rng();
    Held *held = front_hold(free_question);
    dpn_question *question = ask(held, ledger, dataset, spec);
    dpn_question_state state = dpn_question_look(question).state;
    const dpn_answer *answer;
    Reading *reading = NULL;
    dpn_error why;
    SPI_connect();
    if (state == DPN_QUESTION_ASKED)
        reading = rows_open(dpn_question_registration(question), dpn_question_query(question));
    CHECK_FOR_INTERRUPTS();
    dpn_status status = dpn_question_charge(question, rng, &why);
    if (status) {
        front_let_go(held);
        ledger_raise(&why);
    }
    if (reading) read_rows(question, reading);
    status = dpn_question_answer(&answer, question, rng, &why);
    if (status) fail(question, dpn_question_reason(question), false);
    put_answer(&rows, question, answer);
    SPI_finish();
    front_let_go(held);
    return (Datum)0;
}
