/* What is wrong with a text, for its curator. Speed does not matter here. */
#include "table/csv.h"

#include "base/error.h"

/* Where the reader stands: at the begin of a field, in one without quotes, within quotes, after a quote that closed. */
enum place { BEGIN, PLAIN, QUOTED, CLOSED };

typedef struct reader {
    enum place place;
    uint64_t line, row_line, quote_line;
    size_t fields; /* that have ended in this row */
} reader;

static dpn_status ragged(const reader *at, size_t columns, dpn_error *why) {
    return dpn_fail(why, DPN_EPARSE, "the row on line %llu has %zu field%s, the first row has %zu",
                    (unsigned long long)at->row_line, at->fields, at->fields == 1 ? "" : "s", columns);
}

/* One byte outside quotes that ends a field or a row. */
static dpn_status separate(reader *at, char byte, size_t columns, dpn_error *why) {
    at->place = BEGIN;
    at->fields++;
    if (byte != '\n') return DPN_OK;
    if (columns && at->fields != columns) return ragged(at, columns, why);
    at->fields = 0;
    at->row_line = at->line;
    return DPN_OK;
}

static dpn_status step(reader *at, char byte, char next, dpn_grammar grammar, size_t columns, dpn_error *why) {
    unsigned long long line = at->line;
    if (byte == '\n') at->line++;
    if (byte == '\0') return dpn_fail(why, DPN_EPARSE, "line %llu has a NUL byte", line);
    bool quote = byte == '"' && !grammar.literal_quotes;
    if (at->place == QUOTED) {
        if (quote) at->place = CLOSED;
        return DPN_OK;
    }
    if (byte == grammar.delimiter || byte == '\n') return separate(at, byte, columns, why);
    if (quote && at->place == PLAIN)
        return dpn_fail(why, DPN_EPARSE, "line %llu has a quote within a field that does not begin with one", line);
    if (quote) {
        if (at->place == BEGIN) at->quote_line = line;
        at->place = QUOTED;
        return DPN_OK;
    }
    if (at->place == CLOSED && !(byte == '\r' && next == '\n'))
        return dpn_fail(why, DPN_EPARSE, "line %llu has text between a closing quote and the end of the field", line);
    if (at->place == BEGIN) at->place = PLAIN;
    return DPN_OK;
}

dpn_status dpn_csv_explain(const dpn_csv *csv, const char *text, size_t length, uint64_t line, size_t columns,
                           dpn_error *why) {
    reader at = {.place = BEGIN, .line = line, .row_line = line};
    for (size_t i = 0; i < length; i++) {
        char next = i + 1 < length ? text[i + 1] : '\n';
        dpn_status status = step(&at, text[i], next, csv->grammar, columns, why);
        if (status) return status;
    }
    if (at.place == QUOTED)
        return dpn_fail(
            why, DPN_EPARSE, "the quote that opens on line %llu is not closed%s", (unsigned long long)at.quote_line,
            csv->multiline ? "" : " on that line; if fields hold line ends, read the table with --multiline");
    return dpn_fail(why, DPN_EPARSE, "the text around line %llu is not comma-separated",
                    (unsigned long long)at.row_line);
}
