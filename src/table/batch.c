/* Rows gathered into batches. */
#include "table/batch.h"

#include "base/error.h"

#include <stdlib.h>

dpn_status dpn_batch_make(dpn_batch *batch, const dpn_table *table, dpn_error *why) {
    size_t most = table->wants > 0 ? DPN_TABLE_BATCH / table->wants : DPN_TABLE_BATCH;
    if (most == 0) most = 1;
    dpn_field *fields = calloc(most * table->wants + 1, sizeof *fields);
    char *bytes = batch->bytes ? batch->bytes : malloc(table->buffer);
    if (bytes && !batch->bytes) batch->bytes = bytes, batch->room = table->buffer;
    if (!fields || !bytes) {
        free(fields);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    free(batch->fields);
    batch->fields = fields;
    batch->most = most;
    dpn_batch_clear(batch);
    return DPN_OK;
}

void dpn_batch_free(dpn_batch *batch) {
    free(batch->bytes);
    free(batch->fields);
    *batch = (dpn_batch){0};
}

void dpn_batch_clear(dpn_batch *batch) {
    batch->used = 0;
    batch->rows = 0;
}

dpn_status dpn_batch_row(bool *full, dpn_batch *batch, size_t bytes, dpn_error *why) {
    *full = batch->rows > 0 && (batch->rows == batch->most || bytes > batch->room - batch->used);
    if (*full || bytes <= batch->room - batch->used) return DPN_OK;
    char *larger = realloc(batch->bytes, bytes);
    if (!larger) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    batch->bytes = larger;
    batch->room = bytes;
    return DPN_OK;
}
