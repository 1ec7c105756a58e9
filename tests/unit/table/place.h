/* Files for one test, and the few moves that all of them make. Failures end the test. */
#ifndef DPN_TEST_TABLE_PLACE_H
#define DPN_TEST_TABLE_PLACE_H

#include <dpnoise/table.h>
#include <stdio.h>

struct place {
    char directory[64], file[80]; /* the name of a file in it */
};

struct place place_make(void);
void place_remove(const struct place *place);

/* Write a file of that name in the place, which becomes place->file. */
void place_write(struct place *place, const char *name, const void *bytes, size_t count);

/* The same with a text that ends in a zero. */
void place_text(struct place *place, const char *text);

/* Read a table to its end: every row as "field|field|...\n", NULL as "~", written to out, which is to be freed. On failure
 * the rows before it. */
dpn_status read_all(char **out, dpn_table *table, dpn_error *why);

/* Open, read, close. */
dpn_status read_source(char **out, const char *source, const dpn_table_options *options, dpn_error *why);

/* Numbers that look random and are the same every time. */
unsigned next_random(uint64_t *state, unsigned below);

#endif
