/* A reader that is right at sight. */
#include "slow.h"

#include <stdlib.h>
#include <string.h>

static void keep(struct slow *slow, const char *text, size_t length, bool quoted) {
    if (slow->fields == slow->room) {
        slow->room = 2 * slow->room + 16;
        slow->field = realloc(slow->field, slow->room * sizeof *slow->field);
        slow->length = realloc(slow->length, slow->room * sizeof *slow->length);
        slow->quoted = realloc(slow->quoted, slow->room * sizeof *slow->quoted);
    }
    slow->field[slow->fields] = malloc(length + 1);
    memcpy(slow->field[slow->fields], text, length);
    slow->field[slow->fields][length] = '\0';
    slow->length[slow->fields] = length;
    slow->quoted[slow->fields] = quoted;
    slow->fields++;
}

/* One field from *at on, which ends before *at afterwards. False if it is malformed. */
static bool read_field(struct slow *slow, const char *text, size_t length, size_t *at, char delimiter, bool literal) {
    char *out = malloc(length + 1);
    size_t count = 0, i = *at;
    bool quoted = i < length && text[i] == '"' && !literal, fine = true;
    if (quoted) {
        for (i++;; i++) {
            if (i == length) {
                fine = false;
                break;
            }
            if (text[i] != '"') {
                out[count++] = text[i];
            } else if (i + 1 < length && text[i + 1] == '"') {
                out[count++] = '"';
                i++;
            } else {
                i++;
                break;
            }
        }
        bool ends = i == length || text[i] == delimiter || text[i] == '\n' ||
                    (text[i] == '\r' && (i + 1 == length || text[i + 1] == '\n'));
        if (!ends) fine = false;
        if (fine && i < length && text[i] == '\r' && delimiter != '\r') i++;
    } else {
        for (; i < length && text[i] != delimiter && text[i] != '\n'; i++) {
            if (text[i] == '"' && !literal) fine = false;
            out[count++] = text[i];
        }
        bool row_ends = i == length || text[i] == '\n';
        if (row_ends && count > 0 && out[count - 1] == '\r') count--;
    }
    keep(slow, out, count, quoted);
    free(out);
    *at = i;
    return fine;
}

static void forget(struct slow *slow, size_t fields) {
    while (slow->fields > fields) free(slow->field[--slow->fields]);
}

/* One row, the newline of which is not in the text. */
static bool read_row(struct slow *slow, size_t *fields, const char *text, size_t length, char delimiter, bool literal) {
    bool fine = !memchr(text, '\0', length), more = true;
    size_t at = 0;
    for (*fields = 0; more && fine; ++*fields) {
        fine = read_field(slow, text, length, &at, delimiter, literal);
        more = at < length && text[at] == delimiter;
        if (more) at++;
    }
    return fine && at == length;
}

/* Where the newline of the row is that begins here; length if it has none. */
static size_t newline_of(const char *text, size_t length, size_t at, bool in_quotes) {
    bool inside = false;
    for (; at < length; at++) {
        if (text[at] == '"' && in_quotes) inside = !inside;
        if (text[at] == '\n' && !inside) break;
    }
    return at;
}

struct slow slow_read(const char *text, size_t length, char delimiter, bool literal_quotes, bool multiline,
                      size_t row_limit) {
    struct slow slow = {0};
    size_t end = newline_of(text, length, 0, !literal_quotes), at = end + 1;
    slow.accepted =
        length > 0 && end + 1 <= row_limit && read_row(&slow, &slow.columns, text, end, delimiter, literal_quotes);
    for (size_t i = 0; slow.accepted && i < slow.columns; i++) { /* columns have names, none twice */
        if (slow.length[i] == 0 || (!slow.quoted[i] && strchr(slow.field[i], '\r'))) slow.accepted = false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(slow.field[i], slow.field[j]) == 0) slow.accepted = false;
    }
    while (slow.accepted && at < length) {
        size_t before = slow.fields, fields = 0;
        end = newline_of(text, length, at, multiline && !literal_quotes);
        bool open = end == length && multiline && !literal_quotes && text[length - 1] == '\n'; /* ends within quotes */
        if (!open && end - at + 1 <= row_limit &&
            read_row(&slow, &fields, text + at, end - at, delimiter, literal_quotes) && fields == slow.columns) {
            slow.rows++;
            at = end + 1;
            continue;
        }
        forget(&slow, before);
        slow.unusable++;
        if (end - at + 1 > row_limit && length - at >= row_limit) /* the rest of the line is skipped */
            end = newline_of(text, length, at + row_limit, false);
        at = end + 1;
    }
    return slow;
}

void slow_free(struct slow *slow) {
    for (size_t i = 0; i < slow->fields; i++) free(slow->field[i]);
    free(slow->field);
    free(slow->length);
    free(slow->quoted);
}
