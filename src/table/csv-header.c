/* The first row of comma-separated text. */
#define _POSIX_C_SOURCE 200809L /* strncasecmp */
#include "table/csv.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- The delimiter ---- */

static bool ends_in(const char *name, size_t length, const char *ending) {
    size_t count = strlen(ending);
    return length >= count && strncasecmp(name + length - count, ending, count) == 0;
}

/* How often a character stands outside quotes. */
static size_t frequency(const char *row, size_t length, char character, bool literal_quotes) {
    size_t count = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        if (row[i] == '"' && !literal_quotes) inside = !inside;
        if (row[i] == character && !inside) count++;
    }
    return count;
}

static char guess_delimiter(const char *path, const char *row, size_t length, bool literal_quotes) {
    static const char candidates[] = {',', '\t', ';', '|'};
    size_t name = strlen(path);
    if (ends_in(path, name, ".gz")) name -= 3;
    if (ends_in(path, name, ".zst")) name -= 4;
    if (ends_in(path, name, ".tsv") || ends_in(path, name, ".tab")) return '\t';
    if (ends_in(path, name, ".csv") && frequency(row, length, ',', literal_quotes) > 0) return ',';
    char best = ',';
    size_t most = 0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t count = frequency(row, length, candidates[i], literal_quotes);
        if (count > most) best = candidates[i], most = count;
    }
    return best;
}

/* ---- The row ---- */

/* How many bytes of a byte order mark stand at the front. */
static dpn_status byte_order_mark(size_t *mark, const dpn_csv *csv, dpn_error *why) {
    const char *text = csv->text;
    if (csv->filled >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return dpn_fail(why, DPN_EPARSE, "the table is written in UTF-16; convert it to UTF-8");
    *mark = csv->filled >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return DPN_OK;
}

/* The length of the first row, with its newline; 0 if its end is not in the text. */
static size_t row_length(const char *text, size_t length, bool literal_quotes) {
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' && !literal_quotes) inside = !inside;
        if (text[i] == '\n' && !inside) return i + 1;
    }
    return 0;
}

/* Have the first row in the text; its length is 0 if it has no end. */
static dpn_status read_row(size_t *length, size_t *mark, dpn_csv *csv, const dpn_table *table, dpn_error *why) {
    bool literal = csv->grammar.literal_quotes;
    dpn_status status = dpn_csv_fill(csv, why);
    if (!status) status = byte_order_mark(mark, csv, why);
    if (status) return status;
    dpn_csv_drop(csv, *mark);
    if (*mark) status = dpn_csv_fill(csv, why);
    if (status) return status;
    bool nothing = csv->filled == 0 || (csv->ended && csv->filled == 1 && csv->text[0] == '\n');
    if (nothing) return dpn_fail(why, DPN_EPARSE, "the table is empty: it has no first row with names of columns");
    while ((*length = row_length(csv->text, csv->filled, literal)) == 0) {
        if (csv->ended) return DPN_OK;
        status = dpn_csv_grow(csv, table, why);
        if (!status) status = dpn_csv_fill(csv, why);
        if (status) return status;
    }
    return DPN_OK;
}

static dpn_status name_columns(dpn_csv *csv, dpn_table *table, size_t length, dpn_error *why) {
    dpn_found found;
    csv->scan(&found, csv->at + 1, csv->text, length, csv->grammar);
    if (found.nul)
        return dpn_fail(why, DPN_EPARSE,
                        "the first row has a NUL byte; if the table is written in UTF-16, convert it to UTF-8");
    if (found.misplaced) return dpn_csv_explain(csv, csv->text, csv->filled, 1, 0, why);
    dpn_field *names = calloc(found.separators, sizeof *names);
    if (!names) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < found.separators; i++) {
        size_t begin = (uint32_t)(csv->at[i] + 1);
        bool quoted = csv->text[begin] == '"' && found.quoted;
        dpn_csv_field(&names[i], csv->text, begin, csv->at[i + 1], i + 1 == found.separators, found.quoted);
        if (!quoted && memchr(names[i].text, '\r', names[i].length))
            status = dpn_fail(why, DPN_EPARSE, "the first row has a CR within; lines must end in LF or CRLF");
    }
    if (!status) status = dpn_table_name(table, names, found.separators, why);
    free(names);
    return status;
}

dpn_status dpn_csv_header(dpn_csv *csv, dpn_table *table, const char *path, const dpn_table_options *options,
                          dpn_error *why) {
    size_t length = 0, mark = 0;
    csv->grammar = (dpn_grammar){options->delimiter, options->literal_quotes};
    csv->multiline = options->multiline;
    dpn_status status = read_row(&length, &mark, csv, table, why);
    if (status) return status;
    if (!csv->grammar.delimiter)
        csv->grammar.delimiter =
            guess_delimiter(path, csv->text, length ? length : csv->filled, csv->grammar.literal_quotes);
    if (length == 0) return dpn_csv_explain(csv, csv->text, csv->filled, 1, 0, why); /* a quote is not closed */
    uint64_t lines = dpn_csv_newlines(csv->text, length);
    status = name_columns(csv, table, length, why);
    if (status) return status;
    dpn_csv_drop(csv, length);
    csv->lines = lines;
    csv->begin = csv->input.file.start + mark + length;
    return DPN_OK;
}
