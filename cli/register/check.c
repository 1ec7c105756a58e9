/* What the curator should know of the rows before they are registered. None of it is private. */
#define _POSIX_C_SOURCE 200809L
#include "register/register.h"

#include "kit/fail.h"
#include "kit/plain.h"
#include "kit/progress.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct column {
    const dpn_registered_column *as; /* NULL: the column that tells persons apart */
    double lower, upper;
    uint64_t empty, unusable, outside;
};

static bool is(const dpn_field *field, const char *text) {
    return strlen(text) == field->length && memcmp(text, field->text, field->length) == 0;
}

static bool is_missing(const dpn_registration *registration, const dpn_field *field) {
    if (!field->text || field->length == 0) return true;
    for (size_t i = 0; i < registration->nas; i++)
        if (is(field, registration->na[i])) return true;
    return false;
}

static void look_at(struct column *column, const dpn_registration *registration, const dpn_field *field) {
    char text[512];
    double x;
    if (is_missing(registration, field)) {
        column->empty++;
        return;
    }
    if (!column->as) return;
    if (column->as->type == DPN_COLUMN_CATEGORY && column->as->level) {
        for (size_t i = 0; i < column->as->levels; i++)
            if (is(field, column->as->level[i])) return;
        column->outside++;
    }
    if (column->as->type != DPN_COLUMN_NUMBER) return;
    bool fits = field->length < sizeof text;
    memcpy(text, field->text, fits ? field->length : 0);
    text[fits ? field->length : 0] = '\0';
    if (dpn_number_parse(&x, text, NULL))
        column->unusable++;
    else if (x < column->lower || x > column->upper)
        column->outside++;
}

static dpn_status read_rows(uint64_t *read, struct column *column, size_t columns, struct registering *registering,
                            dpn_error *why) {
    const dpn_field *field;
    struct progress progress = progress_start("check", 1);
    dpn_status status = DPN_OK;
    for (size_t rows = 1; rows > 0 && !status; *read += rows) {
        status = dpn_table_next(&field, &rows, registering->table, why);
        if (status) break;
        for (size_t i = 0; i < rows * columns; i++)
            look_at(&column[i % columns], &registering->registration, &field[i]);
        progress_rows(&progress, dpn_table_progress(registering->table), *read + rows);
    }
    progress_end(&progress);
    return status;
}

static void tell(FILE *out, const struct column *column, const dpn_registration *registration) {
    if (!column->empty && !column->unusable && !column->outside) return;
    fputs("  ", out);
    print_plain(out, column->as ? column->as->name : registration->person);
    const char *mark = ": ";
    const struct {
        uint64_t count;
        const char *words;
    } part[] = {{column->empty, "missing"},
                {column->unusable, "not a number"},
                {column->outside, column->as && column->as->level ? "in none of the levels" : "outside the bounds"}};
    for (size_t i = 0; i < 3; i++) {
        if (!part[i].count) continue;
        fprintf(out, "%s%" PRIu64 " %s", mark, part[i].count, part[i].words);
        mark = ", ";
    }
    putc('\n', out);
}

/* The columns that are registered, and the person's if it is not among them. */
static dpn_status find_columns(struct column *column, size_t *place, size_t *columns, struct registering *registering,
                               dpn_error *why) {
    const dpn_registration *registration = &registering->registration;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < registration->columns && !status; i++) {
        const dpn_registered_column *as = &registration->column[i];
        column[i].as = as;
        if (as->lower && (dpn_number_parse(&column[i].lower, as->lower, NULL) ||
                          dpn_number_parse(&column[i].upper, as->upper, NULL)))
            return refuse(why, DPN_EDOMAIN, "the bounds of '%.60s' are too large to be checked", as->name);
        status = dpn_table_find(&place[i], registering->table, as->name, why);
    }
    *columns = registration->columns;
    if (!status && registration->person && !dpn_registration_column(registration, registration->person))
        status = dpn_table_find(&place[(*columns)++], registering->table, registration->person, why);
    return status;
}

static dpn_status write_down(struct registering *registering, const struct column *column, size_t columns,
                             uint64_t rows, dpn_error *why) {
    size_t length;
    FILE *out = open_memstream(&registering->checked, &length);
    if (!out) return refuse(why, DPN_ENOMEM, "out of memory");
    fprintf(out, "%" PRIu64 " row%s checked; for the curator, not private\n", rows, rows == 1 ? "" : "s");
    for (size_t i = 0; i < columns; i++) tell(out, &column[i], &registering->registration);
    if (registering->identity.derived)
        fprintf(out, "  it is a %s: the rows that it shows may have a budget under another name\n",
                registering->identity.derived);
    dpn_error first;
    uint64_t unusable = dpn_table_unusable(registering->table, &first);
    if (unusable > 0) {
        fprintf(out, "  %" PRIu64 " line%s cannot be used and would be left out: ", unusable, unusable == 1 ? "" : "s");
        print_plain(out, first.sentence);
        putc('\n', out);
    }
    bool failed = ferror(out) != 0;
    return fclose(out) != 0 || failed ? refuse(why, DPN_ENOMEM, "out of memory") : DPN_OK;
}

dpn_status register_check(struct registering *registering, dpn_error *why) {
    const dpn_registration *registration = &registering->registration;
    struct column *column = calloc(registration->columns + 1, sizeof *column);
    size_t *place = calloc(registration->columns + 1, sizeof *place), columns = 0;
    uint64_t rows = 0;
    dpn_status status = column && place ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = find_columns(column, place, &columns, registering, why);
    if (!status) status = dpn_table_want(registering->table, place, columns, why);
    if (!status) status = read_rows(&rows, column, columns, registering, why);
    if (!status) status = write_down(registering, column, columns, rows, why);
    free(column);
    free(place);
    return status;
}
