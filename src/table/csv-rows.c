/* Delivering the wanted fields of the rows of a chunk. */
#include "table/csv.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Halve the doubled quotes in place. The new length. */
static size_t halve_quotes(char *text, size_t length) {
    char *first = memchr(text, '"', length);
    if (!first) return length;
    char *to = first;
    for (const char *from = first, *end = text + length; from < end; from++) {
        *to++ = *from;
        if (*from == '"') from++; /* a quote within quotes is doubled: the scan has seen to it */
    }
    return (size_t)(to - text);
}

void dpn_csv_field(dpn_field *out, char *text, size_t begin, size_t end, bool last, bool quoted) {
    if (last && end > begin && text[end - 1] == '\r') end--;
    if (quoted && end > begin && text[begin] == '"') {
        out->text = text + begin + 1;
        out->length = halve_quotes(text + begin + 1, end - begin - 2);
    } else {
        out->text = text + begin;
        out->length = end - begin;
    }
}

/* Fields as they stand in the text. The separator before a row is the last one of the row before it. */
static void plain_rows(dpn_csv *csv, const dpn_table *table, size_t rows) {
    const uint32_t *at = csv->at + csv->given * table->columns;
    const char *text = csv->text;
    dpn_field *field = csv->fields;
    for (size_t row = 0; row < rows; row++, at += table->columns)
        for (size_t i = 0; i < table->wants; i++, field++) {
            size_t column = table->wanted[i];
            uint32_t begin = at[column] + 1, end = at[column + 1];
            end -= column + 1 == table->columns && end > begin && text[end - 1] == '\r';
            *field = (dpn_field){text + begin, end - begin};
        }
}

/* The place among the wanted columns where this one came first. */
static size_t first_want(const dpn_table *table, size_t place) {
    size_t i = 0;
    while (table->wanted[i] != table->wanted[place]) i++;
    return i;
}

static bool is_null(const dpn_csv *csv, const dpn_field *field, const char *begin) {
    return csv->null_text && field->text == begin && field->length == csv->null_length &&
           memcmp(field->text, csv->null_text, field->length) == 0;
}

/* Fields with quotes or NULL among them, and columns that come twice: their quotes are removed once. */
static void careful_rows(dpn_csv *csv, const dpn_table *table, size_t rows) {
    const uint32_t *at = csv->at + csv->given * table->columns;
    dpn_field *field = csv->fields;
    for (size_t row = 0; row < rows; row++, at += table->columns, field += table->wants)
        for (size_t i = 0; i < table->wants; i++) {
            size_t column = table->wanted[i], first = csv->repeated ? first_want(table, i) : i;
            if (first < i) {
                field[i] = field[first];
                continue;
            }
            uint32_t begin = at[column] + 1;
            bool quoted = csv->quoted && !csv->grammar.literal_quotes;
            dpn_csv_field(&field[i], csv->text, begin, at[column + 1], column + 1 == table->columns, quoted);
            if (is_null(csv, &field[i], csv->text + begin)) field[i] = (dpn_field){NULL, 0};
        }
}

dpn_status dpn_csv_want(dpn_table *table, dpn_error *why) {
    dpn_csv *csv = table->state;
    size_t batch = table->wants > 0 ? DPN_TABLE_BATCH / table->wants : DPN_TABLE_BATCH;
    if (batch == 0) batch = 1;
    dpn_field *fields = calloc(batch * table->wants + 1, sizeof *fields);
    if (!fields) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    free(csv->fields);
    csv->fields = fields;
    csv->batch = batch;
    csv->repeated = false;
    for (size_t i = 0; i < table->wants; i++) csv->repeated |= first_want(table, i) < i;
    return DPN_OK;
}

dpn_status dpn_csv_next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    dpn_csv *csv = table->state;
    if (csv->given == csv->rows) {
        dpn_status status = dpn_csv_chunk(csv, table, why);
        if (status) return status;
    }
    size_t count = csv->rows - csv->given < csv->batch ? csv->rows - csv->given : csv->batch;
    if (csv->quoted || csv->null_text || csv->repeated)
        careful_rows(csv, table, count);
    else
        plain_rows(csv, table, count);
    csv->given += count;
    *fields = csv->fields;
    *rows = count;
    return DPN_OK;
}
