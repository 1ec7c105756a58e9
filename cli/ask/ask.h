/* The parts of `dpnoise ask`. */
#ifndef DPNOISE_CLI_ASK_ASK_H
#define DPNOISE_CLI_ASK_ASK_H

#include "budget/budget.h"
#include "kit/options.h"

#include <dpnoise/learn.h>
#include <dpnoise/question.h>
#include <dpnoise/table.h>

struct asking {
    const struct arguments *arguments;
    const char *analyst;
    struct budget budget;
    char dataset[DPN_LEDGER_NAME_SIZE]; /* as the ledger calls it */
    char payer[DPN_LEDGER_NAME_SIZE];   /* the analyst's quota, or the data set itself */
    char *declaration;                  /* the text of the question without its data set and fit */
    size_t length;
    dpn_question *question;
    dpn_table *table;
    const dpn_answer *answer; /* of statistics ... */
    dpn_fit *fit;             /* ... and what is asked instead of them, NULL if nothing is, ... */
    const char *model;        /* ... with its model as JSON */
    bool repeat;              /* the asker had paid for the answer before */
    dpn_rng *rng;
    int log;
};

/* The question on standard input: its data set, which must be registered, and who pays (question.c).
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. Nothing is spent. */
dpn_status ask_read(struct asking *asking, dpn_error *why);

/* Read the rows of the registered data into the tally of the question, or into its fit (rows.c). What fails tells why to the log alone. */
dpn_status ask_open(struct asking *asking, dpn_error *why);
dpn_status ask_rows(struct asking *asking, dpn_error *why);

/* The answer as JSON (print.c). */
void ask_print(const struct asking *asking);

#endif
