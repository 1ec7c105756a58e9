/* dp_profile, dp_calibrate, dp_compare: what noise guarantees, and the least noise for a guarantee, as table-valued functions.
 *
 *     SELECT law, mse FROM dp_calibrate('gaussian', 1, 1e-6) WHERE l2 = 1 AND dim = 20;
 *
 * 1. Arguments are hidden columns: in brackets in their order, or by name in WHERE. Those that are missing have the defaults of the PostgreSQL extension.
 * 2. epsilon and delta are the decimals that they are written as, of which the largest double not above is taken; written as text they are exact to the end.
 * 3. Every upper end is certified. delta_upper is the upper end, delta_lower the lower one.
 * 4. Nothing is read and nothing is drawn.
 */
#include "sqlite/cursor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked: each a hidden column, after those of the result. */
enum { SUBJECT, EPSILON, DELTA, SENSITIVITY, DIM, SENSITIVITIES, MAX_CHANGED, L1, L2, RELATION, UNIT, ARGUMENTS };
#define SET                                                                                                       \
    ", sensitivity HIDDEN, dim HIDDEN, sensitivities HIDDEN, max_changed HIDDEN, l1 HIDDEN, l2 HIDDEN, relation " \
    "HIDDEN, unit HIDDEN)"
#define PLAN "CREATE TABLE x(mechanism, law, mse, at_epsilon, delta_upper, delta_lower, pure, plan, note, "

typedef struct function {
    const char *name, *table;
    int results; /* columns of the result */
    int first;   /* the argument of the first hidden column */
} function;

static const function functions[] = {
    {"dp_profile",
     "CREATE TABLE x(epsilon_upper, epsilon_lower, delta_upper, delta_lower, log_delta, argument, law HIDDEN, epsilon "
     "HIDDEN, delta HIDDEN" SET,
     6, SUBJECT},
    {"dp_calibrate", PLAN "family HIDDEN, epsilon HIDDEN, delta HIDDEN" SET, 9, SUBJECT},
    {"dp_compare", PLAN "epsilon HIDDEN, delta HIDDEN" SET, 9, EPSILON},
};

typedef struct table {
    sqlite3_vtab base;
    const function *of;
} table;

typedef struct cursor {
    front_cursor all;
    double profile[5]; /* of dp_profile */
    dpn_argument argument;
    dpn_comparison comparison; /* of dp_compare */
    dpn_plan plan;             /* of dp_calibrate */
    char family[64];
} cursor;

static const function *function_of(const cursor *at) {
    return ((const table *)at->all.base.pVtab)->of;
}

/* ---- The table and its plan ---- */

static int connect(sqlite3 *db, void *of, int count, const char *const *word, sqlite3_vtab **out, char **message) {
    (void)count, (void)word, (void)message;
    int code = sqlite3_declare_vtab(db, ((const function *)of)->table);
    if (code) return code;
    table *made = front_zeros(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    made->of = of;
    *out = &made->base;
    return SQLITE_OK;
}

/* Which arguments are given, as bits; they come in their order. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *plan) {
    const function *of = ((const table *)base)->of;
    int code = front_arguments(base, plan, of->results);
    plan->idxNum <<= of->first;
    return code;
}

/* ---- Arguments ---- */

static dpn_status refuse(dpn_error *why, const char *sentence) {
    why->status = DPN_EDOMAIN;
    sqlite3_snprintf((int)sizeof why->sentence, why->sentence, "%s", sentence);
    return DPN_EDOMAIN;
}

static bool is_given(sqlite3_value *const *value, int argument) {
    return value[argument] && sqlite3_value_type(value[argument]) != SQLITE_NULL;
}

static const char *text_of(sqlite3_value *const *value, int argument, const char *otherwise) {
    const char *text = is_given(value, argument) ? (const char *)sqlite3_value_text(value[argument]) : NULL;
    return text ? text : otherwise;
}

static dpn_status positive(double *out, sqlite3_value *const *value, int argument, const char *sentence,
                           dpn_error *why) {
    *out = is_given(value, argument) ? sqlite3_value_double(value[argument]) : 0;
    return !is_given(value, argument) || (*out > 0 && isfinite(*out)) ? DPN_OK : refuse(why, sentence);
}

static dpn_status count(size_t *out, sqlite3_value *const *value, int argument, size_t otherwise, const char *sentence,
                        dpn_error *why) {
    *out = otherwise;
    if (!is_given(value, argument)) return DPN_OK;
    sqlite3_int64 number = sqlite3_value_int64(value[argument]);
    if (sqlite3_value_type(value[argument]) != SQLITE_INTEGER || number < 1 || number > INT32_MAX)
        return refuse(why, sentence);
    *out = (size_t)number;
    return DPN_OK;
}

/* '1, 2, 2.5' */
static dpn_status read_list(double **out, size_t *length, const char *text, dpn_error *why) {
    size_t most = strlen(text) + 1;
    double *number = calloc(most, sizeof *number);
    char *copy = sqlite3_mprintf("%s", text), *at = copy;
    dpn_status status = number && copy ? DPN_OK : DPN_ENOMEM;
    if (status) sqlite3_snprintf((int)sizeof why->sentence, why->sentence, "out of memory");
    *length = 0;
    while (!status && at) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        at += strspn(at, " ");
        status = dpn_number_parse(&number[(*length)++], at, why);
        at = comma ? comma + 1 : NULL;
    }
    sqlite3_free(copy);
    if (status)
        free(number);
    else
        *out = number;
    return status;
}

/* To be freed: *bound. */
static dpn_status read_set(dpn_sensitivity *set, double **bound, sqlite3_value *const *value, dpn_error *why) {
    size_t dim, bounds = 0;
    const char *relation = text_of(value, RELATION, dpn_relation_name(DPN_ADD_REMOVE)),
               *unit = text_of(value, UNIT, dpn_unit_name(DPN_ROW));
    dpn_status status = positive(&set->linf, value, SENSITIVITY, "sensitivity must be positive", why);
    if (!status) status = positive(&set->l1, value, L1, "l1 must be positive", why);
    if (!status) status = positive(&set->l2, value, L2, "l2 must be positive", why);
    if (!status) status = count(&dim, value, DIM, 1, "dim must be a positive whole number", why);
    if (!status)
        status = count(&set->max_changed, value, MAX_CHANGED, 0, "max_changed must be a positive whole number", why);
    if (!status && is_given(value, SENSITIVITIES)) {
        status = read_list(bound, &bounds, text_of(value, SENSITIVITIES, ""), why);
        if (!status && is_given(value, DIM) && dim != bounds)
            status = refuse(why, "dim is not the number of sensitivities");
        set->bound = *bound;
        dim = bounds;
    }
    if (status) return status;
    set->dimension = dim;
    if (set->linf == 0 && !set->bound && set->l1 == 0 && set->l2 == 0)
        return refuse(why, "how far does one unit move the answers? write for example WHERE sensitivity = 1");
    if (strcmp(relation, dpn_relation_name(DPN_REPLACE)) == 0)
        set->relation = DPN_REPLACE;
    else if (strcmp(relation, dpn_relation_name(DPN_ADD_REMOVE)) != 0)
        return refuse(why, "relation is add-remove or replace");
    if (strcmp(unit, dpn_unit_name(DPN_PERSON)) == 0)
        set->unit = DPN_PERSON;
    else if (strcmp(unit, dpn_unit_name(DPN_ROW)) != 0)
        return refuse(why, "unit is row or person");
    return DPN_OK;
}

/* ---- What is asked ---- */

/* epsilon_upper, epsilon_lower, delta_upper, delta_lower, log_delta */
static dpn_status profile(cursor *at, sqlite3_value *const *value, const dpn_sensitivity *set, dpn_error *why) {
    dpn_law law;
    dpn_workspace *workspace = NULL;
    dpn_delta delta;
    dpn_epsilon epsilon;
    double given;
    bool forward = is_given(value, EPSILON);
    if (!is_given(value, SUBJECT) || forward == is_given(value, DELTA))
        return refuse(why, "give a law, and epsilon or delta");
    dpn_status status = dpn_law_parse(&law, text_of(value, SUBJECT, ""), why);
    if (!status) status = dpn_number_parse_down(&given, text_of(value, forward ? EPSILON : DELTA, ""), why);
    if (!status && dpn_workspace_new(&workspace)) status = refuse(why, "out of memory");
    if (!status && forward)
        status = dpn_sensitivity_delta(&delta, &at->argument, workspace, &law, 1, set, given, NULL, why);
    if (!status && !forward)
        status = dpn_sensitivity_epsilon(&epsilon, &at->argument, workspace, &law, 1, set, given, NULL, why);
    dpn_workspace_free(workspace);
    if (status) return status;
    const double by_epsilon[] = {given, given, delta.upper, delta.lower, delta.log_upper};
    const double by_delta[] = {epsilon.upper, epsilon.lower, given, given, log(given)};
    memcpy(at->profile, forward ? by_epsilon : by_delta, sizeof at->profile);
    at->all.rows = 1;
    return DPN_OK;
}

static dpn_status plan(cursor *at, sqlite3_value *const *value, const dpn_sensitivity *set, dpn_error *why) {
    bool all = function_of(at)->first == EPSILON;
    double epsilon, delta;
    if (!is_given(value, EPSILON) || (!all && !is_given(value, SUBJECT)))
        return refuse(why, all ? "give epsilon" : "give a family and epsilon");
    dpn_status status = dpn_number_parse_down(&epsilon, text_of(value, EPSILON, ""), why);
    if (!status) status = dpn_number_parse_down(&delta, text_of(value, DELTA, "0"), why);
    if (!status && all) status = dpn_compare(&at->comparison, epsilon, delta, set, NULL, why);
    if (!status && !all) {
        sqlite3_snprintf((int)sizeof at->family, at->family, "%s", text_of(value, SUBJECT, ""));
        status = dpn_calibrate(&at->plan, at->family, epsilon, delta, set, NULL, why);
    }
    if (!status) at->all.rows = all ? at->comparison.rows : 1;
    return status;
}

static void finish(cursor *at) {
    dpn_plan_free(&at->plan);
    dpn_comparison_free(&at->comparison);
    memset(&at->plan, 0, sizeof at->plan);
    memset(&at->comparison, 0, sizeof at->comparison);
    at->all.place = at->all.rows = 0;
}

static int filter(sqlite3_vtab_cursor *base, int found, const char *unused, int given, sqlite3_value **values) {
    cursor *at = (cursor *)base;
    sqlite3_value *value[ARGUMENTS] = {NULL};
    dpn_sensitivity set = {0};
    double *bound = NULL;
    dpn_error why = {DPN_OK, ""};
    (void)unused;
    finish(at);
    for (int argument = 0, next = 0; argument < ARGUMENTS && next < given; argument++)
        if (found >> argument & 1) value[argument] = values[next++];
    dpn_status status = read_set(&set, &bound, value, &why);
    if (!status) status = function_of(at)->results == 6 ? profile(at, value, &set, &why) : plan(at, value, &set, &why);
    free(bound);
    if (!status) return SQLITE_OK;
    finish(at);
    return front_fail(base, why.sentence);
}

/* ---- The rows ---- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    (void)base;
    cursor *at = front_zeros(sizeof *at);
    if (!at) return SQLITE_NOMEM;
    *out = &at->all.base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    finish((cursor *)base);
    sqlite3_free(base);
    return SQLITE_OK;
}

static void put_text(sqlite3_context *call, const char *text) {
    if (text[0]) sqlite3_result_text(call, text, -1, SQLITE_TRANSIENT);
}

/* law, mse, at_epsilon, delta_upper, delta_lower, pure, plan, note */
static void put_plan(sqlite3_context *call, const dpn_plan *plan, int place) {
    const double number[] = {plan->mse, plan->epsilon, plan->delta.upper, plan->delta.lower};
    char law[DPN_LAW_TEXT_SIZE], *text = NULL;
    dpn_error why;
    if (place == 1 && plan->blocks == 1 && plan->block[0].kind == DPN_BLOCK_LAW)
        put_text(call, dpn_law_print(law, &plan->block[0].law));
    if (place >= 2 && place <= 5) front_put_number(call, number[place - 2]);
    if (place == 6) sqlite3_result_int(call, plan->pure);
    if (place == 7 && dpn_plan_write(&text, NULL, plan, &why))
        sqlite3_result_error(call, why.sentence, -1);
    else if (place == 7)
        put_text(call, text);
    if (place == 8) put_text(call, plan->note);
    free(text);
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *call, int place) {
    const cursor *at = (cursor *)base;
    const dpn_comparison_row *row = at->comparison.rows ? &at->comparison.row[at->all.place] : NULL;
    if (place >= function_of(at)->results) return SQLITE_OK;
    if (function_of(at)->results == 6) {
        if (place < 5)
            front_put_number(call, at->profile[place]);
        else
            put_text(call, dpn_argument_name(at->argument));
    } else if (place == 0)
        put_text(call, row ? row->family : at->family);
    else if (row && row->status) { /* a family that cannot do it, and why */
        if (place == 8) put_text(call, row->why.sentence);
    } else
        put_plan(call, row ? &row->plan : &at->plan, place);
    return SQLITE_OK;
}

int front_planning(sqlite3 *db) {
    static const sqlite3_module module = {
        .xConnect = connect,
        .xBestIndex = best_index,
        .xDisconnect = front_disconnect,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = filter,
        .xNext = front_next,
        .xEof = front_eof,
        .xColumn = column,
        .xRowid = front_rowid,
    };
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !code; i++)
        code = sqlite3_create_module(db, functions[i].name, &module, (void *)&functions[i]);
    return code;
}
