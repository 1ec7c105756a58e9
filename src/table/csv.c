/* Comma-separated text as a table. */
#define _POSIX_C_SOURCE 200809L /* fstat */
#include "table/duckdb.h"
#include "table/csv.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void close_csv(void *state) {
    dpn_csv *csv = state;
    if (!csv) return;
    dpn_input_close(&csv->input);
    free(csv->null_text);
    free(csv->text);
    free(csv->at);
    free(csv->fields);
    free(csv);
}

static double share(uint64_t done, uint64_t all) {
    return all == 0 || done >= all ? 1 : (double)done / (double)all;
}

static double progress(const dpn_table *table) {
    const dpn_csv *csv = table->state;
    const dpn_input *input = &csv->input;
    if (!input->file.regular) return table->ended ? 1 : (double)NAN;
    uint64_t end = input->end < input->file.size ? input->end : input->file.size;
    uint64_t begin = dpn_input_plain(input) ? csv->begin : input->file.start;
    uint64_t waiting = input->raw_end - input->raw_at;
    if (dpn_input_plain(input)) waiting += csv->filled - csv->consumed;
    uint64_t here = input->offset > waiting + begin ? input->offset - waiting - begin : 0;
    return table->ended ? 1 : share(here, end > begin ? end - begin : 0);
}

/* A stream, unless it is a regular file. */
static dpn_status identify(dpn_table_identity *identity, const dpn_table *table, dpn_error *why) {
    const dpn_csv *csv = table->state;
    struct stat opened;
    if (!csv->input.file.regular) return DPN_OK;
    if (fstat(csv->input.file.descriptor, &opened) != 0)
        return dpn_fail(why, DPN_EIO, "'%.100s' cannot be looked at", table->source);
    return dpn_table_identify_opened(identity, table->source, (uint64_t)opened.st_dev, (uint64_t)opened.st_ino, why);
}

const dpn_table_kind dpn_csv_kind = {
    .want = dpn_csv_want,
    .next = dpn_csv_next,
    .part = dpn_csv_part,
    .parts = dpn_csv_parts,
    .progress = progress,
    .identify = identify,
    .close = close_csv,
};

dpn_status dpn_csv_room(dpn_csv *csv, size_t capacity, dpn_error *why) {
    char *text = realloc(csv->text, capacity + 1);
    if (text) csv->text = text;
    uint32_t *at = text ? realloc(csv->at, (capacity + 2 + DPN_SCAN_SLACK) * sizeof *at) : NULL;
    if (!at) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    csv->at = at;
    csv->at[0] = UINT32_MAX;
    csv->capacity = capacity;
    return DPN_OK;
}

dpn_status dpn_csv_new(dpn_csv **out, const dpn_table *table, const char *null_text, dpn_error *why) {
    dpn_csv *csv = calloc(1, sizeof *csv);
    if (!csv) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    csv->input.file.descriptor = -1;
    csv->scan = dpn_scan_best();
    dpn_status status = DPN_OK;
    if (null_text) {
        csv->null_length = strlen(null_text);
        csv->null_text = malloc(csv->null_length + 1);
        if (csv->null_text)
            memcpy(csv->null_text, null_text, csv->null_length + 1);
        else
            status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    if (!status) status = dpn_csv_room(csv, table->buffer, why);
    if (status)
        close_csv(csv);
    else
        *out = csv;
    return status;
}

/* A file that turned out to be no text. */
static dpn_status open_other(dpn_table *table, dpn_input_kind found, const char *path, const dpn_table_options *options,
                             dpn_error *why) {
    static const char *const what[] = {"", "an SQLite database", "Parquet", "a DuckDB database"};
    close_csv(table->state);
    table->kind = NULL;
    table->state = NULL;
    if (strcmp(path, "-") == 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s must be a file, it cannot come from standard input", what[found]);
    if (found == DPN_INPUT_SQLITE) return dpn_table_open_sqlite(table, path, options, why);
    if (found == DPN_INPUT_PARQUET && options->table)
        return dpn_fail(why, DPN_EDOMAIN, "a Parquet file is one table and has none that could be named");
    return dpn_table_open_duckdb(table, path, found == DPN_INPUT_PARQUET ? NULL : options, why);
}

dpn_status dpn_table_open_text(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why) {
    dpn_csv *csv;
    dpn_input_kind found;
    unsigned char delimiter = (unsigned char)options->delimiter;
    if (delimiter == '"' || delimiter == '\r' || delimiter == '\n' || delimiter > 127)
        return dpn_fail(why, DPN_EDOMAIN, "the delimiter must be one ASCII character, no quote and no line end");
    dpn_status status = dpn_csv_new(&csv, table, options->null_text, why);
    if (status) return status;
    table->kind = &dpn_csv_kind;
    table->state = csv;
    status = dpn_input_open(&csv->input, &found, path, why);
    if (status) return status;
    if (found != DPN_INPUT_TEXT) return open_other(table, found, path, options, why);
    if (options->table)
        return dpn_fail(why, DPN_EDOMAIN, "a file of text is one table and has none that could be named");
    return dpn_csv_header(csv, table, path, options, why);
}
