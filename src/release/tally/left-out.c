/* Rows that cannot be used: those that have no fields, and why one is left out. */
#include "release/tally/inside.h"

#include "base/error.h"
#include "base/text/utf8.h"

#include <string.h>

/* Of a row without fields neither person nor group is known, and no predicate asks for it. Where there are none of these it takes the
 * declared value in all columns, or is counted as left out. */
dpn_status dpn_tally_unusable(dpn_tally *tally, uint64_t rows, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status) status = dpn_tally_count_rows(tally, rows, why);
    if (status) return status;
    const dpn_reader *reader = &tally->shared->reader;
    const dpn_declaration *declaration = &reader->query->declaration;
    if (declaration->bys > 0 || declaration->person) return DPN_OK;
    memset(tally->marked, 0, reader->query->columns * sizeof *tally->marked);
    bool used = declaration->missing == DPN_MISSING_VALUE && declaration->wheres == 0;
    if (used)
        (void)dpn_reader_read(reader, tally->marked, tally->number,
                              tally->record); /* there is a value: it cannot fail */
    else if (declaration->count_left_out)
        dpn_reader_leave_out(reader, tally->record);
    else
        return DPN_OK;
    for (uint64_t i = 0; i < rows; i++)
        dpn_reader_add(reader, tally->record, true, dpn_sums_of(&tally->sums, 0), dpn_counts_of(&tally->sums, 0));
    return DPN_OK;
}

static bool is_text(dpn_field field) {
    return !field.text || (dpn_utf8_is(field.text, field.length) && !memchr(field.text, '\0', field.length));
}

dpn_status dpn_tally_explain(dpn_tally *tally, const dpn_field *row, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status && !row) status = dpn_fail(why, DPN_EDOMAIN, "the fields are missing");
    if (status) return status;
    const dpn_query *query = tally->shared->reader.query;
    const char *why_not = NULL;
    size_t group, column = 0;
    dpn_row_verdict verdict = dpn_tally_examine(&group, &why_not, &column, tally, row);
    if (verdict == DPN_ROW_NOT_ASKED) return DPN_OK;
    if (verdict != DPN_ROW_USED) return dpn_fail(why, DPN_EPARSE, why_not, query->column[column]);
    for (size_t i = 0; i < query->declaration.bys; i++)
        if (!is_text(row[query->by[i]]))
            return dpn_fail(why, DPN_EPARSE, "a field of column %.100s, a key, is not UTF-8",
                            query->column[query->by[i]]);
    return DPN_OK;
}
