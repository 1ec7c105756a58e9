/* A question to a registered table: what dp_release and dp_fit share. */
#ifndef DPN_POSTGRES_QUESTION_H
#define DPN_POSTGRES_QUESTION_H

#include "postgres/front.h"
#include "postgres/rows.h"

/* As whom the rows are read: raises if the owner of the function is a superuser, whom no right stops. */
void question_check_owner(const char *function);

/* Put the question, by the payers of the session; `inquiry` as in dpn_question_options. *held gets it. Nothing is spent.
 * Raises what the library refuses, and for a data set that is not registered. */
dpn_question *question_ask(Held *held, dpn_ledger *ledger, const char *dataset, const char *spec,
                           const dpn_inquiry *inquiry);

/* Charge it, and give its rows to the sink: from here on every failure is one sentence, always the same, and the reason is in the server's log.
 * `reading` is NULL where the ledger has the answer. */
void question_pay(Held *held, dpn_rng *rng);
void question_read_rows(dpn_question *question, Reading *reading, RowSink *sink, void *context);

/* Raise that sentence, after the charge. */
void question_fail(dpn_question *question, const char *reason, bool cancelled) pg_attribute_noreturn();

/* The receipt of its charge. */
Datum question_receipt(const dpn_question *question);

#endif
