/* The columns of `dpnoise register`: --number, --category, --text, --drop, --where-columns. */
#define _POSIX_C_SOURCE 200809L
#include "register/register.h"

#include "input/levels.h"
#include "kit/fail.h"
#include "kit/guard.h"

#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return refuse(why, DPN_ENOMEM, "out of memory");
}

/* ---- A column and its place ---- */

static void free_texts(char **text, size_t count) {
    for (size_t i = 0; i < count && text; i++) free(text[i]);
    free(text);
}

static void free_column(dpn_registered_column *column) {
    free(column->name);
    free(column->lower);
    free(column->upper);
    free(column->unit);
    free_texts(column->level, column->levels);
}

/* Take over a column: in the place of the one of its name, or after the last. */
static dpn_status put_column(dpn_registration *registration, dpn_registered_column *column, dpn_error *why) {
    for (size_t i = 0; i < registration->columns; i++) {
        if (strcmp(registration->column[i].name, column->name) != 0) continue;
        free_column(&registration->column[i]);
        registration->column[i] = *column;
        return DPN_OK;
    }
    dpn_registered_column *more = realloc(registration->column, (registration->columns + 1) * sizeof *more);
    if (!more) {
        free_column(column);
        return no_memory(why);
    }
    registration->column = more;
    registration->column[registration->columns++] = *column;
    return DPN_OK;
}

static dpn_status drop_column(dpn_registration *registration, const char *name, dpn_error *why) {
    for (size_t i = 0; i < registration->columns; i++) {
        if (strcmp(registration->column[i].name, name) != 0) continue;
        free_column(&registration->column[i]);
        registration->columns--;
        memmove(registration->column + i, registration->column + i + 1,
                (registration->columns - i) * sizeof *registration->column);
        return DPN_OK;
    }
    return refuse(why, DPN_EDOMAIN, "--drop: '%.60s' is not registered", name);
}

/* ---- Words of the options ---- */

/* Where the unit of income:0:200000:EUR begins, after its colon; NULL if there is none. A colon in double quotes is a letter. */
static const char *find_unit(const char *text) {
    size_t colons = 0;
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '"') quoted = !quoted;
        if (*text == ':' && !quoted && ++colons == 3) return text + 1;
    }
    return NULL;
}

/* A number is declared as the column of a sum is, and by the same rules of quoting. */
static dpn_status read_number(dpn_registration *registration, const char *value, dpn_error *why) {
    const char *unit = find_unit(value);
    char *text = unit ? strndup(value, (size_t)(unit - value) - 1) : strdup(value);
    dpn_declaration declaration = {.statistic = NULL};
    dpn_error reason;
    if (!text) return no_memory(why);
    dpn_status status = dpn_declare_statistic(&declaration, DPN_STATISTIC_SUM, text, &reason);
    free(text);
    if (status) return refuse(why, status, "--number: %.200s", reason.sentence);
    dpn_statistic *sum = &declaration.statistic[0];
    if (!sum->lower || !sum->lower[0])
        status = refuse(
            why, DPN_EPARSE,
            "--number: '%.60s' needs public bounds, column:lower:upper, which are never taken from the data", value);
    dpn_registered_column column = {.type = DPN_COLUMN_NUMBER};
    if (!status && unit && !(column.unit = strdup(unit))) status = no_memory(why);
    if (!status) {
        column.name = sum->column[0], column.lower = sum->lower[0], column.upper = sum->upper[0];
        sum->column[0] = sum->lower[0] = sum->upper[0] = NULL;
        status = put_column(registration, &column, why);
    }
    dpn_declaration_free(&declaration);
    return status;
}

/* The groups of a declaration, likewise; region alone, region=a,b or region=@FILE. */
static dpn_status read_category(dpn_registration *registration, const char *data, const char *value, dpn_error *why) {
    char name[1024];
    const char *list = levels_column(name, sizeof name, value);
    dpn_declaration declaration = {.by = NULL};
    dpn_error reason;
    size_t shown = list ? (size_t)(list - value) - 1 : strlen(value);
    char *text = strndup(value, shown);
    if (!text) return no_memory(why);
    dpn_status status = dpn_declare_by(&declaration, text, &reason);
    free(text);
    if (!status && list && list[0] != '@') status = dpn_declare_levels(&declaration, value, &reason);
    if (!status && declaration.bys != 1)
        status = refuse(&reason, DPN_EPARSE, "write one column, or column=level,level, not '%.40s'", value);
    if (status) {
        dpn_declaration_free(&declaration);
        return refuse(why, status, "--category: %.200s", reason.sentence);
    }
    if (list && list[0] == '@') status = guard_read("--category", list + 1, data, why);
    if (!status && list && list[0] == '@') status = levels_read_file(&declaration.by[0], "--category", list + 1, why);
    dpn_grouping *by = &declaration.by[0];
    if (!status) {
        dpn_registered_column column = {
            .name = by->column, .type = DPN_COLUMN_CATEGORY, .level = by->level, .levels = by->levels};
        by->column = NULL, by->level = NULL, by->levels = 0;
        status = put_column(registration, &column, why);
    }
    dpn_declaration_free(&declaration);
    return status;
}

static dpn_status read_text(dpn_registration *registration, const char *value, dpn_error *why) {
    dpn_registered_column column = {.name = strdup(value), .type = DPN_COLUMN_TEXT};
    return column.name ? put_column(registration, &column, why) : no_memory(why);
}

/* ---- All of them ---- */

static dpn_status read_where(dpn_registration *registration, const char *value, dpn_error *why) {
    dpn_declaration declaration = {.by = NULL};
    dpn_error reason;
    dpn_status status = value[0] ? dpn_declare_by(&declaration, value, &reason) : DPN_OK;
    if (status) return refuse(why, status, "--where-columns: %.200s", reason.sentence);
    char **where = declaration.bys ? calloc(declaration.bys, sizeof *where) : NULL;
    if (declaration.bys && !where) status = no_memory(why);
    if (!status) {
        free_texts(registration->where, registration->wheres);
        registration->where = where;
        registration->wheres = declaration.bys;
        for (size_t i = 0; i < declaration.bys; i++) {
            where[i] = declaration.by[i].column;
            declaration.by[i].column = NULL;
        }
    }
    dpn_declaration_free(&declaration);
    return status;
}

dpn_status register_columns(struct registering *registering, dpn_error *why) {
    const struct arguments *arguments = registering->arguments;
    dpn_registration *registration = &registering->registration;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        const char *option = arguments->given[i].option->name, *value = arguments->given[i].value;
        if (strcmp(option, "--number") == 0) status = read_number(registration, value, why);
        if (strcmp(option, "--category") == 0) status = read_category(registration, registering->data, value, why);
        if (strcmp(option, "--text") == 0) status = read_text(registration, value, why);
        if (strcmp(option, "--drop") == 0) status = drop_column(registration, value, why);
        if (strcmp(option, "--where-columns") == 0) status = read_where(registration, value, why);
    }
    return status;
}
