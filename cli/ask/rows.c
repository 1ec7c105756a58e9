/* The rows of `dpnoise ask`: those of the registered data and no others. Why they cannot be read is for the curator. */
#include "ask/ask.h"

#include "input/log.h"
#include "input/parts.h"
#include "input/source.h"
#include "kit/fail.h"

#include <stdlib.h>

static dpn_status want_columns(struct asking *asking, dpn_error *why) {
    const dpn_query *query = dpn_question_query(asking->question);
    size_t columns = 0;
    while (dpn_query_column(query, columns)) columns++;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    dpn_status status = wanted ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++)
        status = dpn_table_find(&wanted[i], asking->table, dpn_query_column(query, i), why);
    if (!status) status = dpn_table_want(asking->table, wanted, columns, why);
    free(wanted);
    return status;
}

dpn_status ask_open(struct asking *asking, dpn_error *why) {
    const dpn_registration *registration = dpn_question_registration(asking->question);
    dpn_error reason;
    if (registration->source.kind == DPN_PLACE_DECLARED)
        return refuse(why, DPN_EUNSUPPORTED,
                      "dataset: the rows of '%.60s' come with each release, ask cannot read them", asking->dataset);
    dpn_status status = log_open(&asking->log, registration->log, &reason);
    if (!status) status = dpn_place_open(&asking->table, &registration->source, registration->multiline, &reason);
    if (!status) status = want_columns(asking, &reason);
    if (!status) return DPN_OK;
    log_write(asking->log, 0, asking->analyst, reason.sentence);
    return refuse(why, DPN_EIO, "the data set cannot be read now%s; nothing was charged",
                  asking->log >= 0 ? ", and its curator knows why" : "");
}

/* A fit keeps the rows that it reads. */
static dpn_status read_fit(struct asking *asking, dpn_error *why) {
    const dpn_field *field;
    size_t rows = 1;
    dpn_status status = DPN_OK;
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, asking->table, why);
        if (!status && rows > 0) status = dpn_fit_rows(asking->fit, field, rows, why);
    }
    return status ? status : dpn_fit_unusable(asking->fit, dpn_table_unusable(asking->table, NULL), why);
}

dpn_status ask_rows(struct asking *asking, dpn_error *why) {
    dpn_error reason;
    dpn_status status =
        asking->fit ? read_fit(asking, &reason)
                    : parts_read(&asking->table, dpn_question_tally(asking->question), PARTS_THREADS, NULL, &reason);
    return status ? dpn_question_fail(asking->question, &reason, why) : DPN_OK;
}
