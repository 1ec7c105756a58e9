/* Rows of typed values: each value stands for a text, and is read as that. */
#include "release/tally/inside.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts ---- */

/* Digits of size with a point before the last `places` of them. */
static size_t write_digits(char *out, bool negative, uint64_t size, int places) {
    char digit[24];
    size_t count = 0, length = 0;
    do digit[count++] = (char)('0' + size % 10);
    while ((size /= 10) > 0 || count <= (size_t)places);
    if (negative) out[length++] = '-';
    while (count > 0) {
        out[length++] = digit[--count];
        if (count > 0 && count == (size_t)places) out[length++] = '.';
    }
    return length;
}

static size_t write_integer(char *out, int64_t value) {
    return write_digits(out, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value, 0);
}

/* What dpn_number_print writes, and 0 for -0. Two decimals of up to 15 digits are never nearest to the same double: one that reads
 * back is the shortest. The quotient of two numbers that are doubles is the nearest double to the decimal. */
static size_t write_real(char out[DPN_NUMBER_SIZE], double value) {
    static const double tens[] = {1, 10, 100, 1000, 10000};
    double size = fabs(value);
    for (int places = 0; places < 5 && size * tens[places] < 1e15; places++) {
        double whole = rint(size * tens[places]);
        if (whole / tens[places] == size) return write_digits(out, value < 0, (uint64_t)whole, places);
    }
    return strlen(dpn_number_print(out, value));
}

/* The text of a value; it stands in `room` unless the value is a text. */
static dpn_field field_of(char room[DPN_NUMBER_SIZE], const dpn_value *value) {
    switch (value->kind) {
    case DPN_VALUE_INTEGER:
        return (dpn_field){room, write_integer(room, value->as.integer)};
    case DPN_VALUE_REAL:
        if (isnan(value->as.real)) break;
        return (dpn_field){room, write_real(room, value->as.real)};
    case DPN_VALUE_TEXT:
        return value->as.text;
    case DPN_VALUE_MISSING:
        break;
    }
    return (dpn_field){NULL, 0};
}

static bool kind_is_known(dpn_value_kind kind) {
    return kind == DPN_VALUE_MISSING || kind == DPN_VALUE_INTEGER || kind == DPN_VALUE_REAL || kind == DPN_VALUE_TEXT;
}

/* ---- One row after the other ---- */

typedef struct source {
    const dpn_value *value; /* rows, or NULL */
    const dpn_column *column;
    size_t columns;
    dpn_field *field; /* of one row, and room for the texts of its numbers */
    char (*room)[DPN_NUMBER_SIZE];
} source;

static dpn_value value_in(const dpn_column *column, size_t row) {
    size_t at = column->first + row;
    dpn_value value = {.kind = column->kind};
    if (column->valid && !(column->valid[at / 8] >> at % 8 & 1)) value.kind = DPN_VALUE_MISSING;
    if (value.kind == DPN_VALUE_MISSING) return value; /* there may be no data */
    const char *data = (const char *)column->data + at * column->stride;
    switch (value.kind) { /* columns need not be aligned */
    case DPN_VALUE_INTEGER:
        memcpy(&value.as.integer, data, sizeof value.as.integer);
        break;
    case DPN_VALUE_REAL:
        memcpy(&value.as.real, data, sizeof value.as.real);
        break;
    case DPN_VALUE_TEXT:
        memcpy(&value.as.text, data, sizeof value.as.text);
        break;
    case DPN_VALUE_MISSING:
        break;
    }
    return value;
}

static const dpn_field *next_row(void *context, size_t row) {
    const source *self = context;
    for (size_t i = 0; i < self->columns; i++) {
        dpn_value value = self->value ? self->value[row * self->columns + i] : value_in(&self->column[i], row);
        self->field[i] = field_of(self->room[i], &value);
    }
    return self->field;
}

static dpn_status add(dpn_tally *tally, source *from, size_t rows, dpn_error *why) {
    size_t room = from->columns > 0 ? from->columns : 1;
    from->field = calloc(room, sizeof *from->field);
    from->room = calloc(room, sizeof *from->room);
    dpn_status status = from->field && from->room ? dpn_tally_add_rows(tally, rows, next_row, from, why)
                                                  : dpn_fail(why, DPN_ENOMEM, "no memory for a row");
    free(from->field);
    free(from->room);
    return status;
}

dpn_status dpn_tally_values(dpn_tally *tally, const dpn_value *value, size_t rows, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (status) return status;
    size_t columns = tally->shared->reader.query->columns;
    if (!value && rows > 0) return dpn_fail(why, DPN_EDOMAIN, "the values are missing");
    for (size_t i = 0; i < rows * columns; i++)
        if (!kind_is_known(value[i].kind)) return dpn_fail(why, DPN_EDOMAIN, "there is no value of that kind");
    return add(tally, &(source){.value = value, .columns = columns}, rows, why);
}

dpn_status dpn_tally_columns(dpn_tally *tally, const dpn_column *column, size_t rows, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (status) return status;
    size_t columns = tally->shared->reader.query->columns;
    if (!column && columns > 0) return dpn_fail(why, DPN_EDOMAIN, "the columns are missing");
    for (size_t i = 0; i < columns; i++) {
        if (!kind_is_known(column[i].kind)) return dpn_fail(why, DPN_EDOMAIN, "there is no value of that kind");
        if (!column[i].data && column[i].kind != DPN_VALUE_MISSING && rows > 0)
            return dpn_fail(why, DPN_EDOMAIN, "column %.100s has no data", tally->shared->reader.query->column[i]);
    }
    return add(tally, &(source){.column = column, .columns = columns}, rows, why);
}
