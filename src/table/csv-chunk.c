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
                        "the first row is longer than %zu bytes; perhaps a quote that opens in it is not closed",
                        table->row_limit);
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

/* ---- Rows that cannot be used ---- */

/* The end of the row that begins here, with its newline; 0 if it is not in the text. */
static size_t row_end(const dpn_csv *csv, size_t at) {
    bool quotes = csv->multiline && !csv->grammar.literal_quotes, inside = false;
    for (; at < csv->filled; at++) {
        if (csv->text[at] == '"' && quotes) inside = !inside;
        if (csv->text[at] == '\n' && !inside) return at + 1;
    }
    return 0;
}

static bool is_usable(const dpn_csv *csv, size_t columns, size_t at, size_t length) {
    dpn_found found;
    csv->scan(&found, csv->at + 1, csv->text + at, length, csv->grammar);
    return !found.misplaced && !found.nul && !found.inside && found.newlines == 1 && found.separators == columns;
}

/* A part does not know its lines. */
static void note_unusable(const dpn_csv *csv, dpn_table *table, size_t at, size_t length, bool too_long) {
    uint64_t line = 1 + csv->lines + csv->newlines;
    dpn_error *why = &table->first_unusable;
    if (table->unusable++ > 0 || csv->input.end != UINT64_MAX) return;
    if (too_long)
        (void)dpn_fail(why, DPN_EPARSE, "the row on line %llu is longer than %zu bytes", (unsigned long long)line,
                       table->row_limit);
    else
        (void)dpn_csv_explain(csv, csv->text + at, length, line, table->columns, why);
}

/* Cut the rows that cannot be used out of the text, in order those alone that stand before all others. What follows the last whole row stays, and
 * in order what follows the last one before a row that cannot be used. False if there is no whole row. */
static bool sift(dpn_csv *csv, dpn_table *table) {
    size_t at = 0, good = 0;
    for (size_t end; (end = row_end(csv, at)) > 0; at = end) {
        uint64_t newlines = dpn_csv_newlines(csv->text + at, end - at);
        bool usable = is_usable(csv, table->columns, at, end - at);
        if (!usable && good > 0 && table->in_order) break;
        if (usable) {
            memmove(csv->text + good, csv->text + at, end - at);
            good += end - at;
        } else {
            note_unusable(csv, table, at, end - at, false);
        }
        csv->newlines += newlines;
    }
    if (at == 0) return false;
    memmove(csv->text + good, csv->text + at, csv->filled - at);
    csv->filled -= at - good;
    dpn_found found = {0};
    if (good > 0) csv->scan(&found, csv->at + 1, csv->text, good, csv->grammar);
    csv->rows = found.newlines;
    csv->quoted = found.quoted;
    csv->consumed = good;
    return true;
}

/* Forget the rest of a row that is too long, up to the end of its line. */
static void skip(dpn_csv *csv) {
    const char *newline = memchr(csv->text, '\n', csv->filled);
    size_t bytes = newline ? (size_t)(newline - csv->text) + 1 : csv->filled;
    csv->skipping = !newline;
    csv->lines += newline != NULL;
    dpn_csv_drop(csv, bytes);
}

/* The text has no end of a row: make room for it, or give it up. */
static dpn_status reach_further(dpn_csv *csv, dpn_table *table, dpn_error *why) {
    if (!csv->ended && csv->capacity < table->row_limit) return dpn_csv_grow(csv, table, why);
    note_unusable(csv, table, 0, csv->filled, !csv->ended);
    csv->lines += dpn_csv_newlines(csv->text, csv->filled); /* in quotes */
    csv->skipping = !csv->ended;
    csv->filled = 0;
    return DPN_OK;
}

/* ---- The next chunk ---- */

static void go_on(dpn_csv *csv) {
    dpn_csv_drop(csv, csv->consumed);
    csv->lines += csv->newlines;
    csv->rows = csv->given = csv->consumed = 0;
    csv->newlines = 0;
}

dpn_status dpn_csv_chunk(dpn_csv *csv, dpn_table *table, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (go_on(csv); !status && csv->rows == 0;) {
        dpn_found found;
        status = dpn_csv_fill(csv, why);
        if (status || csv->filled == 0) break;
        if (csv->skipping) {
            skip(csv);
            continue;
        }
        csv->scan(&found, csv->at + 1, csv->text, csv->filled, csv->grammar);
        bool good = !found.misplaced && !found.nul && (csv->multiline || found.hidden == 0) &&
                    rows_are_even(csv, table->columns, &found);
        if (good && found.newlines > 0) {
            take(csv, table->columns, &found);
        } else if (good || !sift(csv, table)) {
            status = reach_further(csv, table, why);
        } else if (csv->rows == 0) {
            go_on(csv);
        }
    }
    return status;
}
