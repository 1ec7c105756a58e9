/* A question to a registered table: what dp_release and dp_fit share. */
#ifndef DPN_POSTGRES_QUESTION_H
#define DPN_POSTGRES_QUESTION_H

#include "postgres/front.h"
#include "postgres/rows.h"

/* One call of such a function: where its rows go, what was asked, who pays, and the question. */
typedef struct Asking {
    Rows rows;
    char *dataset, *spec;
    dpn_ledger *ledger;
    dpn_rng *rng;
    Held *held; /* of the question */
    dpn_question *question;
} Asking;

/* Take the arguments, (dataset text, spec jsonb), and open the ledger. Raises if the owner of
 * the function, as whom rows are read, is a superuser, whom no right stops, and what the ledger refuses. */
Asking question_begin(FunctionCallInfo fcinfo, const char *function);

/* Put the question, by the payers of the session; `inquiry` as in dpn_question_options. Nothing is spent.
 * Raises what the library refuses, and for a data set that is not registered. */
void question_ask(Asking *asking, const char *spec, const dpn_inquiry *inquiry);

/* Prepare to read, charge it, and give its rows to the sink unless the ledger has the answer: from the charge on every failure is one sentence, always the
 * same, and the reason is in the server's log. SPI is connected afterwards. */
void question_collect(const Asking *asking, bool as_texts, RowSink *sink, void *context);

/* Raise that sentence, after the charge. */
void question_fail(dpn_question *question, const char *reason, bool cancelled) pg_attribute_noreturn();

/* The receipt of its charge. */
Datum question_receipt(const dpn_question *question);

#endif
