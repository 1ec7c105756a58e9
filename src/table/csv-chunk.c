/* Filling the buffer and finding the rows in it. */
#include "table/csv.h"

#include "base/error.h"

#include <string.h>

dpn_status dpn_csv_fill(dpn_csv *csv, dpn_error *why) {
    size_t wanted = csv->capacity - csv->filled, got = 0;
    if (csv->ended || wanted == 0) return DPN_OK;
    dpn_status status = dpn_input_read(&got, &csv->input, csv->text + csv->filled, wanted, why);
    if (status) return status;
    csv->filled += got;
    if (got == wanted) return DPN_OK;
    if (csv->input.end != UINT64_MAX && csv->input.offset != csv->input.end)
        return dpn_fail(why, DPN_EIO, "the table became shorter while it was read");
    csv->ended = true;
    if (csv->filled > 0 && csv->text[csv->filled - 1] != '\n') csv->text[csv->filled++] = '\n';
    return DPN_OK;
}

dpn_status dpn_csv_grow(dpn_csv *csv, const dpn_table *table, dpn_error *why) {
    if (csv->capacity >= table->row_limit)
        return dpn_fail(why, DPN_EPARSE,
                        "the row on line %llu is longer than %zu bytes; perhaps a quote that opens in it is not closed",
                        (unsigned long long)dpn_csv_line(csv), table->row_limit);
    size_t twice = csv->capacity * 2;
    return dpn_csv_room(csv, twice < table->row_limit ? twice : table->row_limit, why);
}

void dpn_csv_drop(dpn_csv *csv, size_t bytes) {
    memmove(csv->text, csv->text + bytes, csv->filled - bytes);
    csv->filled -= bytes;
}

/* Every row has its newline at its last separator. There are as many newlines as rows, so none is elsewhere. */
static bool rows_are_even(const dpn_csv *csv, size_t columns, const dpn_found *found) {
    if (found->newlines > found->separators / columns) return false;
    const uint32_t *end = csv->at;
    bool even = true;
    for (size_t row = 0; row < found->newlines; row++) {
        end += columns;
        even &= csv->text[*end] == '\n';
    }
    return even;
}

static void take(dpn_csv *csv, size_t columns, const dpn_found *found) {
    csv->rows = found->newlines;
    csv->consumed = (size_t)csv->at[csv->rows * columns] + 1;
    csv->quoted = found->quoted;
    /* All newlines behind the last row are in quotes. */
    csv->newlines =
        csv->rows + found->hidden - dpn_csv_newlines(csv->text + csv->consumed, csv->filled - csv->consumed);
}

dpn_status dpn_csv_chunk(dpn_csv *csv, const dpn_table *table, dpn_error *why) {
    dpn_csv_drop(csv, csv->consumed);
    csv->lines += csv->newlines;
    csv->rows = csv->given = csv->consumed = 0;
    csv->newlines = 0;
    for (;;) {
        dpn_found found;
        dpn_status status = dpn_csv_fill(csv, why);
        if (status || csv->filled == 0) return status;
        csv->scan(&found, csv->at + 1, csv->text, csv->filled, csv->grammar);
        if (found.misplaced || found.nul || !rows_are_even(csv, table->columns, &found))
            return dpn_csv_explain(csv, table->columns, why);
        if (found.newlines > 0) {
            take(csv, table->columns, &found);
            return DPN_OK;
        }
        if (csv->ended) return dpn_csv_explain(csv, table->columns, why);
        status = dpn_csv_grow(csv, table, why);
        if (status) return status;
    }
}
