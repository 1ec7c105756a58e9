/* A reader of comma-separated text that is right at sight: one byte after the other, one state, everything in memory. It
 * shares nothing with src/table. */
#ifndef DPN_TEST_TABLE_SLOW_H
#define DPN_TEST_TABLE_SLOW_H

#include <stdbool.h>
#include <stddef.h>

struct slow {
    bool accepted;                  /* the first row is one */
    size_t columns, rows, unusable; /* rows without the first one; those that cannot be used */
    char **field;                   /* row after row, the first one included; each ends in a zero */
    size_t *length;
    bool *quoted;
    size_t fields, room;
};

struct slow slow_read(const char *text, size_t length, char delimiter, bool literal_quotes, bool multiline,
                      size_t row_limit);
void slow_free(struct slow *slow);

#endif
