/* A question to a registered table, between the ledger and the rows. */
#include "postgres/question.h"

#include "postgres/ledger.h"
#include "postgres/payers.h"

#include <executor/spi.h>
#include <miscadmin.h>
#include <utils/builtins.h>
#include <utils/jsonb.h>

#include <stdio.h>
#include <string.h>

static void check_owner(const char *function) {
    if (superuser_arg(GetUserId()))
        ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                        errmsg("%s reads as its owner, who must not be a superuser: ALTER FUNCTION %s OWNER TO "
                               "dpnoise_reader",
                               function, function)));
}

Asking question_begin(FunctionCallInfo fcinfo, const char *function) {
    Asking asking = {.rows = front_rows(fcinfo)};
    check_owner(function);
    asking.dataset = front_text(PG_GETARG_DATUM(0));
    asking.spec = JsonbToCString(NULL, &PG_GETARG_JSONB_P(1)->root, (int)VARSIZE(PG_GETARG_JSONB_P(1)));
    asking.ledger = ledger_open();
    asking.rng = front_rng();
    return asking;
}

static void free_question(void *question) {
    dpn_question_free(question);
}

void question_ask(Asking *asking, const char *spec, const dpn_inquiry *inquiry) {
    dpn_question_options options = dpn_question_options_init();
    Payers payers = payers_find(asking->ledger, asking->dataset);
    dpn_error why;
    asking->held = front_hold(free_question);
    options.analyst = payers.analyst;
    options.also = payers.also[0] ? payers.also : NULL;
    options.cancelled = front_cancelled;
    options.inquiry = inquiry;
    dpn_status status =
        dpn_question_read(&asking->question, asking->ledger, payers.name, spec, strlen(spec), &options, &why);
    if (status) ledger_raise(&why);
    asking->held->what = asking->question;
    CHECK_FOR_INTERRUPTS();
    if (!dpn_question_registration(asking->question))
        ereport(
            ERROR,
            (errcode(ERRCODE_UNDEFINED_OBJECT),
             errmsg(
                 "the data set has a budget and is not registered: its curator registers it with dpnoise register")));
}

static void pay(Held *held, dpn_rng *rng) {
    dpn_error why;
    CHECK_FOR_INTERRUPTS();
    dpn_status status = dpn_question_charge(held->what, rng, &why);
    if (!status) return;
    front_let_go(held);
    ledger_raise(&why);
}

/* ---- Failing after the charge ---- */

/* One sentence for the caller, the reason for the curator. */
void question_fail(dpn_question *question, const char *reason, bool cancelled) {
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
    question_fail(question, error->message, error->sqlerrcode == ERRCODE_QUERY_CANCELED);
}

static void read_rows(dpn_question *question, Reading *reading, RowSink *sink, void *sink_context) {
    MemoryContext context = CurrentMemoryContext;
    dpn_error why;
    volatile dpn_status status = DPN_OK;
    PG_TRY();
    { status = rows_read(reading, sink, sink_context, &why); }
    PG_CATCH();
    { fail_caught(question, context); }
    PG_END_TRY();
    if (!status) return;
    (void)dpn_question_fail(question, &why, &why);
    question_fail(question, dpn_question_reason(question), false);
}

void question_collect(const Asking *asking, bool as_texts, RowSink *sink, void *context) {
    dpn_question *question = asking->question;
    Reading *reading = NULL;
    SPI_connect();
    if (dpn_question_look(question).state == DPN_QUESTION_ASKED)
        reading = rows_open(dpn_question_registration(question), dpn_question_query(question), as_texts);
    pay(asking->held, asking->rng);
    if (reading) read_rows(question, reading, sink, context);
}

Datum question_receipt(const dpn_question *question) {
    char head[DPN_HEAD_TEXT_SIZE];
    dpn_question_standing standing = dpn_question_look(question);
    return CStringGetTextDatum(dpn_head_print(head, &standing.head));
}
