/* Neighbouring tables for the audit of a release. */
#define _POSIX_C_SOURCE 200809L
#include "audit/tables.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 2000, UNKNOWN_KEYS = 64, TEXT_SIZE = DPN_DECLARATION_NAME_SIZE + 40 };

/* What the values of a row are. */
typedef enum values { LOWER, MIDDLE, UPPER, BELOW, BEYOND, UNUSABLE } values;

/* ---- Texts ---- */

/* A copy that the tables own; NULL without memory. */
static char *keep(dpn_audit_tables *tables, const char *text) {
    if (tables->texts == tables->room) {
        size_t room = 2 * tables->room + 64;
        char **larger = realloc(tables->text, room * sizeof *larger);
        if (larger) tables->text = larger;
        if (larger) tables->room = room;
    }
    char *copy = tables->texts < tables->room ? strdup(text) : NULL;
    if (copy)
        tables->text[tables->texts++] = copy;
    else
        tables->failed = true;
    return copy;
}

/* ---- The value of a column ---- */

static void widen(char low[TEXT_SIZE], char high[TEXT_SIZE], bool *found, const char *lower, const char *upper) {
    double x, y;
    if (dpn_number_parse(&x, lower, NULL) || dpn_number_parse(&y, upper, NULL)) return;
    double least, most;
    if (!*found || dpn_number_parse(&least, low, NULL) || x < least) snprintf(low, TEXT_SIZE, "%s", lower);
    if (!*found || dpn_number_parse(&most, high, NULL) || y > most) snprintf(high, TEXT_SIZE, "%s", upper);
    *found = true;
}

/* The finite edges of a histogram. */
static void widen_to_edges(char low[TEXT_SIZE], char high[TEXT_SIZE], bool *found, const dpn_statistic *statistic) {
    size_t first = 0, last = statistic->edges - 1;
    if (strstr(statistic->edge[first], "inf")) first++;
    if (strstr(statistic->edge[last], "inf")) last--;
    if (first <= last) widen(low, high, found, statistic->edge[first], statistic->edge[last]);
}

/* The widest bounds of a column among all statistics; false if none is about it. */
static bool bounds_of(char low[TEXT_SIZE], char high[TEXT_SIZE], const dpn_declaration *declaration,
                      const char *column) {
    bool found = false, asked = false;
    snprintf(low, TEXT_SIZE, "0");
    snprintf(high, TEXT_SIZE, "1");
    for (size_t s = 0; s < declaration->statistics; s++) {
        const dpn_statistic *statistic = &declaration->statistic[s];
        for (size_t i = 0; i < statistic->columns; i++) {
            if (strcmp(statistic->column[i], column) != 0) continue;
            asked = true;
            if (statistic->lower)
                widen(low, high, &found, statistic->lower[i], statistic->upper[i]);
            else if (statistic->edges > 1)
                widen_to_edges(low, high, &found, statistic);
        }
    }
    return asked;
}

/* Whether the predicates on a column hold for a text, near enough: what comes out is a table, whichever. */
static bool accepted(const dpn_declaration *declaration, const char *column, const char *text) {
    for (size_t i = 0; i < declaration->wheres; i++) {
        const dpn_predicate *where = &declaration->where[i];
        double x, y;
        if (strcmp(where->column, column) != 0) continue;
        bool numbers = !dpn_number_parse(&x, text, NULL) && !dpn_number_parse(&y, where->value, NULL);
        int order = numbers ? (x > y) - (x < y) : strcmp(text, where->value);
        const char *is = dpn_predicate_is_name(where->is);
        bool holds = (strchr(is, '=') && is[0] != '!' && order == 0) || (is[0] == '!' && order != 0) ||
                     (is[0] == '<' && numbers && order < 0) || (is[0] == '>' && numbers && order > 0);
        if (!holds) return false;
    }
    return true;
}

/* A text near the wanted one that the predicates accept; the wanted one if none is found. */
static void accept(char text[TEXT_SIZE], const dpn_declaration *declaration, const char *column) {
    static const double apart[] = {0, 1, -1, 0.5, -0.5, 1e6, -1e6};
    if (accepted(declaration, column, text)) return;
    for (size_t i = 0; i < declaration->wheres; i++) {
        const dpn_predicate *where = &declaration->where[i];
        double y;
        char tried[TEXT_SIZE];
        if (strcmp(where->column, column) != 0) continue;
        snprintf(tried, sizeof tried, "%s", where->value);
        bool number = !dpn_number_parse(&y, where->value, NULL);
        for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
            if (number && k > 0) dpn_number_print(tried, y + apart[k]);
            if (!number && k == 1) snprintf(tried, sizeof tried, "%.200s-not", where->value);
            if (!accepted(declaration, column, tried)) continue;
            snprintf(text, TEXT_SIZE, "%s", tried);
            return;
        }
    }
}

static void write_value(char text[TEXT_SIZE], const dpn_declaration *declaration, const char *column, values kind) {
    char low[TEXT_SIZE], high[TEXT_SIZE];
    bool asked = bounds_of(low, high, declaration, column);
    snprintf(text, TEXT_SIZE, "%s", kind == LOWER || kind == BELOW ? low : high);
    double x, y;
    if (!dpn_number_parse(&x, low, NULL) && !dpn_number_parse(&y, high, NULL)) {
        if (kind == MIDDLE) dpn_number_print(text, 0.5 * x + 0.5 * y);
        /* Beyond the bounds, and not so far that a number has no steps of the grid any more. */
        if (kind == BEYOND) dpn_number_print(text, y + 1000 * (y - x));
        if (kind == BELOW) dpn_number_print(text, x - 1000 * (y - x));
    }
    if (asked && kind == UNUSABLE) text[0] = '\0';
    if (asked && kind == UNUSABLE) return;
    accept(text, declaration, column);
}

/* The text of a grouping in the group of that number: the first column turns fastest. */
static void write_key(char text[TEXT_SIZE], const dpn_declaration *declaration, size_t by, size_t group) {
    for (size_t i = 0; i < by; i++) group /= declaration->by[i].level ? declaration->by[i].levels : UNKNOWN_KEYS;
    const dpn_grouping *grouping = &declaration->by[by];
    if (grouping->level)
        snprintf(text, TEXT_SIZE, "%s", grouping->level[group % grouping->levels]);
    else
        snprintf(text, TEXT_SIZE, "key%zu", group % UNKNOWN_KEYS);
}

/* ---- Rows ---- */

static dpn_field *new_row(dpn_audit_tables *tables, dpn_audit_table *table) {
    if (table->rows == table->room) {
        size_t room = 2 * table->room + 64;
        dpn_field *larger = realloc(table->field, (room * tables->columns + 1) * sizeof *larger);
        if (!larger) tables->failed = true;
        if (!larger) return NULL;
        table->field = larger;
        table->room = room;
    }
    return table->field + table->rows++ * tables->columns;
}

static void add_row(dpn_audit_tables *tables, dpn_audit_table *table, const char *unit, size_t group, values kind) {
    const dpn_declaration *declaration = tables->declaration;
    dpn_field *field = new_row(tables, table);
    for (size_t c = 0; c < tables->columns && field && !tables->failed; c++) {
        const char *column = dpn_query_column(tables->query, c);
        char text[TEXT_SIZE];
        size_t by = 0;
        while (by < declaration->bys && strcmp(declaration->by[by].column, column) != 0) by++;
        if (declaration->person && strcmp(declaration->person, column) == 0)
            snprintf(text, sizeof text, "%s", unit);
        else if (by < declaration->bys)
            write_key(text, declaration, by, group);
        else
            write_value(text, declaration, column, kind);
        const char *kept = keep(tables, text);
        if (kept) field[c] = (dpn_field){kept, strlen(kept)};
    }
}

/* One unit: more rows in each of some groups than count. */
static void add_unit(dpn_audit_tables *tables, dpn_audit_table *table, size_t from, size_t groups, values kind) {
    const dpn_declaration *declaration = tables->declaration;
    size_t rows = declaration->person ? (size_t)fmin((double)declaration->max_rows + 1, ROWS_MOST) : 1;
    for (size_t g = from; g < from + groups; g++)
        for (size_t i = 0; i < rows && !tables->failed; i++) add_row(tables, table, "unit", g, kind);
}

/* Units with a row each, so many that a key is shown, in the middle: there one unit more moves a quantile most. */
static void add_background(dpn_audit_tables *tables, dpn_audit_table *table, size_t groups) {
    dpn_query_facts facts = dpn_query_look(tables->query);
    double units = facts.unknown_keys ? fmin((double)facts.threshold + 8, ROWS_MOST) : 4;
    char name[64];
    for (size_t g = 0; g < groups; g++)
        for (size_t i = 0; i < (size_t)units && !tables->failed; i++) {
            snprintf(name, sizeof name, "other%zu-%zu", g, i);
            add_row(tables, table, name, g, MIDDLE);
        }
}

/* ---- Pairs ---- */

static size_t groups_there_are(const dpn_declaration *declaration) {
    size_t groups = 1;
    for (size_t i = 0; i < declaration->bys && groups < UNKNOWN_KEYS; i++)
        groups *= declaration->by[i].level ? declaration->by[i].levels : UNKNOWN_KEYS;
    return groups;
}

/* A unit of some groups and values; no groups: no unit. */
typedef struct unit {
    size_t from, groups;
    values kind;
} unit;

static void add_pair(dpn_audit_tables *tables, const char *name, size_t groups, unit a, unit b) {
    bool replace = tables->declaration->relation == DPN_REPLACE;
    size_t i = tables->pairs++;
    tables->pair[i].name = name;
    add_background(tables, &tables->pair[i].a, groups);
    add_background(tables, &tables->pair[i].b, groups);
    if (replace) add_unit(tables, &tables->pair[i].a, a.from, a.groups, a.kind);
    add_unit(tables, &tables->pair[i].b, b.from, b.groups, b.kind);
}

static bool has_numbers(const dpn_declaration *declaration) {
    for (size_t s = 0; s < declaration->statistics; s++)
        if (declaration->statistic[s].columns > 0) return true;
    return false;
}

static void add_pairs(dpn_audit_tables *tables) {
    const dpn_declaration *declaration = tables->declaration;
    size_t most = declaration->person ? (size_t)fmin((double)declaration->max_groups + 1, DPN_TRACKED_MOST - 1) : 2;
    size_t there = groups_there_are(declaration), groups = there < most ? there : most;
    bool unknown = dpn_query_look(tables->query).unknown_keys;
    add_pair(tables, "upper", groups, (unit){0, 1, LOWER}, (unit){0, 1, UPPER});
    add_pair(tables, "lower", groups, (unit){0, 1, UPPER}, (unit){groups - 1, 1, LOWER});
    if (groups > 2) add_pair(tables, "wide", groups, (unit){0, groups - 1, LOWER}, (unit){0, groups - 1, UPPER});
    if (groups > 1)
        add_pair(tables, "spread", groups, (unit){0, 1, LOWER}, (unit){0, declaration->person ? groups : 1, UPPER});
    if (has_numbers(declaration)) add_pair(tables, "beyond", groups, (unit){0, 1, BELOW}, (unit){0, 1, BEYOND});
    if (has_numbers(declaration)) add_pair(tables, "unusable", groups, (unit){0, 1, UPPER}, (unit){0, 1, UNUSABLE});
    if (unknown) add_pair(tables, "own key", groups, (unit){0, 1, LOWER}, (unit){groups, 1, UPPER});
    tables->has_own = unknown;
    tables->tracked = groups + unknown;
    tables->key = calloc(tables->tracked * declaration->bys + 1, sizeof *tables->key);
    for (size_t i = 0; tables->key && i < tables->tracked * declaration->bys; i++) {
        char text[TEXT_SIZE];
        write_key(text, declaration, i % declaration->bys, i / declaration->bys);
        tables->key[i] = keep(tables, text);
    }
    if (!tables->key) tables->failed = true;
}

dpn_status dpn_audit_tables_make(dpn_audit_tables *out, const dpn_query *query, const dpn_declaration *declaration,
                                 dpn_error *why) {
    *out = (dpn_audit_tables){.query = query, .declaration = declaration};
    while (dpn_query_column(query, out->columns)) out->columns++;
    add_pairs(out);
    return out->failed ? dpn_fail(why, DPN_ENOMEM, "no memory for the tables") : DPN_OK;
}

void dpn_audit_tables_free(dpn_audit_tables *tables) {
    for (size_t i = 0; i < tables->pairs; i++) {
        free(tables->pair[i].a.field);
        free(tables->pair[i].b.field);
    }
    for (size_t i = 0; i < tables->texts; i++) free(tables->text[i]);
    free(tables->text);
    free(tables->key);
    *tables = (dpn_audit_tables){0};
}
