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
        slow->row_end = realloc(slow->row_end, slow->room * sizeof *slow->row_end);
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

struct slow slow_read(const char *text, size_t length, char delimiter, bool literal_quotes, size_t row_limit) {
    struct slow slow = {.accepted = length > 0};
    size_t at = 0, rows = 0;
    if (memchr(text, '\0', length)) slow.accepted = false;
    while (slow.accepted && at < length) {
        size_t begin = at, fields = 0;
        bool more = true;
        while (more && slow.accepted) {
            slow.accepted = read_field(&slow, text, length, &at, delimiter, literal_quotes);
            fields++;
            more = at < length && text[at] == delimiter;
            if (more) at++;
        }
        at += at < length;
        bool ended = text[at - 1] == '\n';
        if (at - begin + !ended > row_limit) slow.accepted = false;
        if (rows == 0) slow.columns = fields;
        if (fields != slow.columns) slow.accepted = false;
        slow.row_end[rows] = at;
        rows++;
    }
    /* Columns have names, none twice. */
    for (size_t i = 0; slow.accepted && i < slow.columns; i++) {
        if (slow.length[i] == 0 || (!slow.quoted[i] && strchr(slow.field[i], '\r'))) slow.accepted = false;
        for (size_t j = 0; j < i; j++)
            if (strcmp(slow.field[i], slow.field[j]) == 0) slow.accepted = false;
    }
    slow.rows = slow.accepted ? rows - 1 : 0;
    return slow;
}

void slow_free(struct slow *slow) {
    for (size_t i = 0; i < slow->fields; i++) free(slow->field[i]);
    free(slow->field);
    free(slow->length);
    free(slow->quoted);
    free(slow->row_end);
}
