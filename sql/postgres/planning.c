/* What noise guarantees, and the least noise for a guarantee.
 *
 * 1. epsilon and delta are numeric: exact decimals, of which the largest double not above is taken.
 * 2. How far one unit moves the answers is said by sensitivity (each answer), sensitivities (one by one), max_changed, l1 and l2, all that are
 *    given holding at once; dim is the number of answers.
 * 3. Every upper end is certified. delta is the upper end, delta_lower the lower one.
 * 4. A search can be cancelled.
 */
#include "postgres/front.h"

#include <catalog/pg_type.h>
#include <fmgr.h>
#include <miscadmin.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/jsonb.h>
#include <utils/numeric.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---- */

/* A numeric as the largest double not above it. */
static double number_down(Datum numeric) {
    double x;
    dpn_error why;
    char *text = DatumGetCString(DirectFunctionCall1(numeric_out, numeric));
    dpn_status status = dpn_number_parse_down(&x, text, &why);
    FRONT_CHECK(status, &why);
    return x;
}

static double positive(FunctionCallInfo fcinfo, int place, const char *name) {
    if (PG_ARGISNULL(place)) return 0;
    double x = PG_GETARG_FLOAT8(place);
    if (!(x > 0 && isfinite(x)))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be positive", name)));
    return x;
}

/* sensitivity, dim, sensitivities, max_changed, l1, l2, relation, unit: the last eight arguments of every function here. */
static dpn_sensitivity read_set(FunctionCallInfo fcinfo, int first) {
    dpn_sensitivity set = {0};
    set.linf = positive(fcinfo, first, "sensitivity");
    int32 dim = PG_ARGISNULL(first + 1) ? 1 : PG_GETARG_INT32(first + 1);
    set.l1 = positive(fcinfo, first + 4, "l1");
    set.l2 = positive(fcinfo, first + 5, "l2");
    if (!PG_ARGISNULL(first + 2)) {
        ArrayType *array = PG_GETARG_ARRAYTYPE_P(first + 2);
        if (ARR_NDIM(array) != 1 || array_contains_nulls(array))
            ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("sensitivities is a list of numbers")));
        if (!PG_ARGISNULL(first + 1) && dim != 1 && dim != ARR_DIMS(array)[0])
            ereport(ERROR,
                    (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("dim is not the number of sensitivities")));
        dim = ARR_DIMS(array)[0];
        set.bound = (const double *)ARR_DATA_PTR(array);
    }
    if (dim < 1) ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("dim must be positive")));
    set.dimension = (size_t)dim;
    if (!PG_ARGISNULL(first + 3)) {
        if (PG_GETARG_INT32(first + 3) < 1)
            ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("max_changed must be positive")));
        set.max_changed = (size_t)PG_GETARG_INT32(first + 3);
    }
    if (set.linf == 0 && !set.bound && set.l1 == 0 && set.l2 == 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("how far does one unit move the answers? write for example sensitivity => 1")));
    char *relation = PG_ARGISNULL(first + 6) ? "add-remove" : front_text(PG_GETARG_DATUM(first + 6));
    char *unit = PG_ARGISNULL(first + 7) ? "row" : front_text(PG_GETARG_DATUM(first + 7));
    if (strcmp(relation, dpn_relation_name(DPN_REPLACE)) == 0)
        set.relation = DPN_REPLACE;
    else if (strcmp(relation, dpn_relation_name(DPN_ADD_REMOVE)) != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("relation is add-remove or replace")));
    if (strcmp(unit, dpn_unit_name(DPN_PERSON)) == 0)
        set.unit = DPN_PERSON;
    else if (strcmp(unit, dpn_unit_name(DPN_ROW)) != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unit is row or person")));
    return set;
}

/* ---- Profiles ---- */

static void free_workspace(void *workspace) {
    dpn_workspace_free(workspace);
}

/* dp_profile(law, epsilon, delta, set): exactly one of epsilon and delta is given. */
PG_FUNCTION_INFO_V1(dp_profile);
Datum dp_profile(PG_FUNCTION_ARGS) {
    Rows rows = front_rows(fcinfo);
    if (PG_ARGISNULL(0) || PG_ARGISNULL(1) == PG_ARGISNULL(2))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("give a law, and epsilon or delta")));
    dpn_sensitivity set = read_set(fcinfo, 3);
    dpn_law law;
    dpn_argument argument;
    dpn_workspace *workspace;
    dpn_error why;
    char *text = front_text(PG_GETARG_DATUM(0));
    dpn_status status = dpn_law_parse(&law, text, &why);
    FRONT_CHECK(status, &why);
    Datum value[6];
    bool null[6] = {false};
    Held *held = front_hold(free_workspace);
    if (dpn_workspace_new(&workspace)) ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
    held->what = workspace;
    dpn_workspace_watch(workspace, front_cancelled, NULL);
    if (!PG_ARGISNULL(1)) {
        dpn_delta delta;
        double epsilon = number_down(PG_GETARG_DATUM(1));
        status = dpn_sensitivity_delta(&delta, &argument, workspace, &law, 1, &set, epsilon, NULL, &why);
        FRONT_CHECK(status, &why);
        front_put_double(&value[0], &null[0], epsilon);
        front_put_double(&value[1], &null[1], epsilon);
        front_put_double(&value[2], &null[2], delta.upper);
        front_put_double(&value[3], &null[3], delta.lower);
        front_put_double(&value[4], &null[4], delta.log_upper);
    } else {
        dpn_epsilon epsilon;
        double delta = number_down(PG_GETARG_DATUM(2));
        status = dpn_sensitivity_epsilon(&epsilon, &argument, workspace, &law, 1, &set, delta, NULL, &why);
        FRONT_CHECK(status, &why);
        front_put_double(&value[0], &null[0], epsilon.upper);
        front_put_double(&value[1], &null[1], epsilon.lower);
        front_put_double(&value[2], &null[2], delta);
        front_put_double(&value[3], &null[3], delta);
        front_put_double(&value[4], &null[4], log(delta));
    }
    value[5] = CStringGetTextDatum(dpn_argument_name(argument));
    tuplestore_putvalues(rows.store, rows.shape, value, null);
    front_let_go(held);
    return (Datum)0;
}

/* ---- Plans ---- */

static void free_text(void *text) {
    free(text);
}

static void free_plan(void *plan) {
    dpn_plan_free(plan);
}

static void free_comparison(void *comparison) {
    dpn_comparison_free(comparison);
}

/* The law that all coordinates share; NULL if they do not. */
static const dpn_law *common_law(const dpn_plan *plan) {
    return plan->blocks == 1 && plan->block[0].kind == DPN_BLOCK_LAW ? &plan->block[0].law : NULL;
}

/* family, law, mse, epsilon, delta, delta_lower, pure, plan, note */
static void put_plan(const Rows *rows, const char *family, const dpn_plan *plan) {
    Datum value[9];
    bool null[9] = {false};
    char law[DPN_LAW_TEXT_SIZE], *text;
    dpn_error why;
    const dpn_law *common = common_law(plan);
    value[0] = CStringGetTextDatum(family);
    null[1] = !common;
    value[1] = common ? CStringGetTextDatum(dpn_law_print(law, common)) : (Datum)0;
    front_put_double(&value[2], &null[2], plan->mse);
    front_put_double(&value[3], &null[3], plan->epsilon);
    front_put_double(&value[4], &null[4], plan->delta.upper);
    front_put_double(&value[5], &null[5], plan->delta.lower);
    value[6] = BoolGetDatum(plan->pure);
    Held *held = front_hold(free_text);
    dpn_status status = dpn_plan_write(&text, NULL, plan, &why);
    FRONT_CHECK(status, &why);
    held->what = text;
    value[7] = DirectFunctionCall1(jsonb_in, CStringGetDatum(text));
    null[8] = plan->note[0] == '\0';
    value[8] = null[8] ? (Datum)0 : CStringGetTextDatum(plan->note);
    tuplestore_putvalues(rows->store, rows->shape, value, null);
    front_let_go(held);
}

/* A family that cannot do it: its name and the reason. */
static void put_reason(const Rows *rows, const dpn_comparison_row *row) {
    Datum value[9] = {CStringGetTextDatum(row->family)};
    bool null[9] = {false, true, true, true, true, true, true, true, false};
    value[8] = CStringGetTextDatum(row->why.sentence);
    tuplestore_putvalues(rows->store, rows->shape, value, null);
}

static dpn_calibration_options search_options(void) {
    dpn_calibration_options options = dpn_calibration_options_init();
    options.cancelled = front_cancelled;
    return options;
}

/* dp_calibrate(family, epsilon, delta, set) */
PG_FUNCTION_INFO_V1(dp_calibrate);
Datum dp_calibrate(PG_FUNCTION_ARGS) {
    Rows rows = front_rows(fcinfo);
    if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("give a family and epsilon")));
    double epsilon = number_down(PG_GETARG_DATUM(1)), delta = PG_ARGISNULL(2) ? 0 : number_down(PG_GETARG_DATUM(2));
    dpn_sensitivity set = read_set(fcinfo, 3);
    dpn_calibration_options options = search_options();
    char *family = front_text(PG_GETARG_DATUM(0));
    Held *held = front_hold(free_plan);
    dpn_plan *plan = palloc0(sizeof *plan);
    dpn_error why;
    dpn_status status = dpn_calibrate(plan, family, epsilon, delta, &set, &options, &why);
    FRONT_CHECK(status, &why);
    held->what = plan;
    put_plan(&rows, family, plan);
    front_let_go(held);
    return (Datum)0;
}

/* dp_compare(epsilon, delta, set): every family, the least error first, then those that cannot do it. */
PG_FUNCTION_INFO_V1(dp_compare);
Datum dp_compare(PG_FUNCTION_ARGS) {
    Rows rows = front_rows(fcinfo);
    if (PG_ARGISNULL(0)) ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("give epsilon")));
    double epsilon = number_down(PG_GETARG_DATUM(0)), delta = PG_ARGISNULL(1) ? 0 : number_down(PG_GETARG_DATUM(1));
    dpn_sensitivity set = read_set(fcinfo, 2);
    dpn_calibration_options options = search_options();
    Held *held = front_hold(free_comparison);
    dpn_comparison *comparison = palloc0(sizeof *comparison);
    dpn_error why;
    dpn_status status = dpn_compare(comparison, epsilon, delta, &set, &options, &why);
    FRONT_CHECK(status, &why);
    held->what = comparison;
    CHECK_FOR_INTERRUPTS();
    for (size_t i = 0; i < comparison->rows; i++) {
        const dpn_comparison_row *row = &comparison->row[i];
        if (row->status)
            put_reason(&rows, row);
        else
            put_plan(&rows, row->family, &row->plan);
    }
    front_let_go(held);
    return (Datum)0;
}
