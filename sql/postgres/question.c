/* A question to a registered table, between the ledger and the rows. */
#include "postgres/question.h"

#include "postgres/ledger.h"
#include "postgres/payers.h"

#include <miscadmin.h>
#include <utils/builtins.h>

#include <stdio.h>
#include <string.h>

void question_check_owner(const char *function) {
    if (superuser_arg(GetUserId()))
        ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                        errmsg("%s reads as its owner, who must not be a superuser: ALTER FUNCTION %s OWNER TO "
                               "dpnoise_reader",
                               function, function)));
}

dpn_question *question_ask(Held *held, dpn_ledger *ledger, const char *dataset, const char *spec,
                           const dpn_inquiry *inquiry) {
    dpn_question_options options = dpn_question_options_init();
    Payers payers = payers_find(ledger, dataset);
    dpn_question *question;
    dpn_error why;
    options.analyst = payers.analyst;
    options.also = payers.also[0] ? payers.also : NULL;
    options.cancelled = front_cancelled;
    options.inquiry = inquiry;
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

void question_pay(Held *held, dpn_rng *rng) {
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

void question_read_rows(dpn_question *question, Reading *reading, RowSink *sink, void *sink_context) {
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

Datum question_receipt(const dpn_question *question) {
    char head[DPN_HEAD_TEXT_SIZE];
    dpn_question_standing standing = dpn_question_look(question);
    return CStringGetTextDatum(dpn_head_print(head, &standing.head));
}
