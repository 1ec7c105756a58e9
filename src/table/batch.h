/* Rows that come one by one, gathered until there are enough of them. */
#ifndef DPN_TABLE_BATCH_H
#define DPN_TABLE_BATCH_H

#include "table/table.h"

typedef struct dpn_batch {
    char *bytes; /* the texts */
    size_t used, room;
    dpn_field *fields;
    size_t rows, most; /* rows gathered, and how many fit */
} dpn_batch;

/* Make room for batches of this table's wants. */
dpn_status dpn_batch_make(dpn_batch *batch, const dpn_table *table, dpn_error *why);
void dpn_batch_free(dpn_batch *batch);
void dpn_batch_clear(dpn_batch *batch);

/* Have room for one more row with texts of N bytes. *full says that the batch must be delivered first; an empty one
 * is made larger instead. */
dpn_status dpn_batch_row(bool *full, dpn_batch *batch, size_t bytes, dpn_error *why);

/* Room for a text of up to N bytes, and then its length. */
static inline char *dpn_batch_text(dpn_batch *batch) {
    return batch->bytes + batch->used;
}

static inline void dpn_batch_put(dpn_batch *batch, dpn_field *field, size_t length) {
    *field = (dpn_field){batch->bytes + batch->used, length};
    batch->used += length;
}

#endif
