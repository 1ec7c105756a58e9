/* Rows of a table a block at a time: one column of all of them after the other.
 *
 * The same as row after row (tally.c), and several times as fast: what differs between rows is then in a short loop, and the memory
 * of many persons is fetched at once instead of waited for one by one. It serves questions without predicates, words for missing
 * fields and a count of rows left out, where a row is used or not and nothing else. */
#ifndef DPN_TALLY_ROW_BLOCK_H
#define DPN_TALLY_ROW_BLOCK_H

#include "release/tally/persons.h"
#include "release/tally/sums.h"

enum { DPN_ROW_BLOCK = 32 };

typedef struct dpn_row_block {
    size_t rows;
    size_t group[DPN_ROW_BLOCK];  /* as declared, 0 if keys are unknown; SIZE_MAX for a row that is not used */
    uint64_t hash[DPN_ROW_BLOCK]; /* of its person's name */
    int64_t *record;              /* of all rows, one after the other */
} dpn_row_block;

/* Whether a query is one of those. */
bool dpn_row_block_serves(const dpn_query *query);

/* Read up to DPN_ROW_BLOCK rows, the fields of a row side by side. block->record has room for as many records. */
void dpn_row_block_read(dpn_row_block *block, const dpn_reader *reader, const dpn_field *field, size_t rows);

/* Add a block to the sums of declared groups, each row as its person's first. */
void dpn_row_block_add(const dpn_row_block *block, const dpn_reader *reader, dpn_sums *sums);

/* Hash the names of the persons, and have their memory fetched. */
void dpn_row_block_fetch(dpn_row_block *block, const dpn_query *query, const dpn_persons *persons,
                         const dpn_field *field);

#endif
