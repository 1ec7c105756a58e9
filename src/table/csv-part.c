/* Cutting a plain file between rows, without reading what comes before the cut.
 *
 * Whether a byte stands within quotes is decided by the parity of the quotes before it. A cut tries both parities on the
 * text that follows: in a table that is accepted, no row is longer than the limit, every quote that opens follows a
 * separator or a quote, and every one that closes is followed by one. The parity under which the text breaks one of
 * these is impossible if the table is accepted, so the other one is right. If a whole row's worth of text breaks neither
 * rule under either parity, the quotes before the cut are counted. A table that is not accepted may be cut wrongly; then
 * some part does not end where a row ends, and refuses. docs/table.md has the argument in full. */
#include "table/csv.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST_PART = 4 << 20, PIECE = 256 << 10 };

size_t dpn_csv_parts(const dpn_table *table) {
    const dpn_csv *csv = table->state;
    if (!dpn_input_plain(&csv->input) || csv->input.end != UINT64_MAX) return 1;
    uint64_t size = csv->input.file.size, parts = size > csv->begin ? (size - csv->begin) / SMALLEST_PART : 0;
    return parts < 1 ? 1 : parts > 1024 ? 1024 : (size_t)parts;
}

/* ---- Which parity ---- */

/* The text around a cut. */
typedef struct dpn_window {
    const char *text; /* text[0] is the byte before the first that matters */
    size_t length;
    bool to_the_end; /* the file ends where the window ends */
    dpn_grammar grammar;
} dpn_window;

static bool may_open(const dpn_window *window, size_t at) {
    char before = window->text[at - 1];
    return before == window->grammar.delimiter || before == '\n' || before == '"';
}

/* What lies behind the window is not held against the quote. */
static bool may_close(const dpn_window *window, size_t at) {
    if (at + 1 >= window->length) return true;
    char after = window->text[at + 1];
    if (after == '\r') return at + 2 >= window->length || window->text[at + 2] == '\n';
    return after == window->grammar.delimiter || after == '\n' || after == '"';
}

/* Which parities the text allows: bit 0 for an even number of quotes before text[1], bit 1 for an odd one. */
static unsigned possible(const dpn_window *window) {
    unsigned parities = 3, odd = 0;
    for (size_t at = 1; parities == 3; at++, odd ^= 1) {
        const char *quote = at < window->length ? memchr(window->text + at, '"', window->length - at) : NULL;
        /* Without a further quote, one that is open now stays open for longer than a row, or to the end of the file. */
        if (!quote) return at == 1 || window->to_the_end ? parities & ~(2u >> odd) : parities;
        at = (size_t)(quote - window->text);
        if (!may_open(window, at)) parities &= ~(1u << odd); /* it would open under the parity that is even so far */
        if (!may_close(window, at)) parities &= ~(2u >> odd);
    }
    return parities;
}

/* Whether the quotes between two places of the file are odd in number. */
static dpn_status count_parity(bool *odd, const dpn_csv *csv, uint64_t from, uint64_t to, dpn_error *why) {
    char *piece = malloc(PIECE);
    dpn_status status = piece ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "out of memory");
    size_t quotes = 0;
    for (size_t got = 1; !status && from < to && got > 0; from += got) {
        status =
            dpn_file_read(&got, &csv->input.file, piece, to - from < PIECE ? (size_t)(to - from) : PIECE, from, why);
        for (size_t i = 0; !status && i < got; i++) quotes += piece[i] == '"';
        if (status) break;
    }
    free(piece);
    if (!status) *odd = quotes & 1;
    return status;
}

/* ---- Where to cut ---- */

/* The place after the first newline outside quotes, or the window's end, which is more than a row away. */
static size_t after_row(const dpn_window *window, bool inside) {
    for (size_t at = 1; at < window->length; at++) {
        if (window->text[at] == '"' && !window->grammar.literal_quotes) inside = !inside;
        if (window->text[at] == '\n' && !inside) return at + 1;
    }
    return window->length;
}

static dpn_status cut_in(uint64_t *cut, const dpn_csv *csv, const dpn_window *window, uint64_t from, dpn_error *why) {
    bool odd = false;
    if (!window->grammar.literal_quotes) {
        unsigned parities = possible(window);
        odd = parities == 2;
        if (parities == 3) {
            dpn_status status = count_parity(&odd, csv, csv->begin, from + 1, why);
            if (status) return status;
        }
    }
    size_t after = after_row(window, odd);
    *cut = after == window->length && !window->to_the_end ? csv->input.file.size : from + after;
    return DPN_OK;
}

/* The begin of the first row at or after a place that is behind the first row. The window begins two bytes before it:
 * if the byte before the place ends a row, the place itself is where to cut. */
static dpn_status find_cut(uint64_t *cut, const dpn_csv *csv, uint64_t place, size_t row_limit, dpn_error *why) {
    uint64_t from = place - 2, rest = csv->input.file.size - from;
    size_t wanted = rest < row_limit + 4 ? (size_t)rest : row_limit + 4, got = 0;
    char *text = malloc(wanted);
    if (!text) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = dpn_file_read(&got, &csv->input.file, text, wanted, from, why);
    if (!status && got < wanted) status = dpn_fail(why, DPN_EIO, "the table became shorter while it was read");
    dpn_window window = {text, got, got == rest, csv->grammar};
    if (!status) status = cut_in(cut, csv, &window, from, why);
    free(text);
    return status;
}

static dpn_status boundary(uint64_t *cut, const dpn_table *whole, size_t number, size_t parts, dpn_error *why) {
    const dpn_csv *csv = whole->state;
    uint64_t begin = csv->begin, size = csv->input.file.size > begin ? csv->input.file.size : begin;
    uint64_t each = (size - begin) / parts, rest = (size - begin) % parts;
    uint64_t place = begin + each * number + (number < rest ? number : rest);
    if (place == begin || place == size)
        *cut = place;
    else if (place - begin < 2) /* too near to look back: the first row ends in the one of the bytes or later */
        *cut = begin;
    else
        return find_cut(cut, csv, place, whole->row_limit, why);
    return DPN_OK;
}

dpn_status dpn_csv_part(dpn_table *part, const dpn_table *whole, size_t number, size_t parts, dpn_error *why) {
    const dpn_csv *from = whole->state;
    dpn_csv *csv;
    uint64_t begin, end;
    if (!dpn_input_plain(&from->input) || from->input.end != UINT64_MAX)
        return dpn_fail(why, DPN_EUNSUPPORTED, "only a file of plain text can be cut into parts");
    dpn_status status = boundary(&begin, whole, number, parts, why);
    if (!status) status = boundary(&end, whole, number + 1, parts, why);
    if (!status && begin > end)
        status = dpn_fail(why, DPN_EPARSE, "the table cannot be cut into parts: its quotes do not match");
    if (!status) status = dpn_csv_new(&csv, part, from->null_text, why);
    if (status) return status;
    part->kind = &dpn_csv_kind;
    part->state = csv;
    csv->grammar = from->grammar;
    csv->scan = from->scan;
    csv->begin = begin;
    return dpn_input_part(&csv->input, &from->input, begin, end, why);
}
