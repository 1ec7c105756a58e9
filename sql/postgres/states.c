/* Exact sums as aggregates, and noise on them.
 *
 * 1. dp_count_state(), dp_sum_state(x, lo, hi), dp_histogram_state(x, edges) and dp_moments_state(x, lo, hi) give a state: what the rows add, as whole
 *    numbers on a public grid, so that serial, parallel, partitioned and distributed plans give the same bytes. It is as confidential as the rows.
 * 2. lo, hi and edges are the same in all rows. A value that is NULL or NaN is left out.
 * 3. dp_merge(state) adds states that were made with the same numbers, on any servers.
 * 4. Noise is in dp_noisy_count(state, epsilon) and its like alone, which say all that is public again: no rows have the state NULL, and are as
 *    private as any others. Nothing is charged: they are for those who may read the rows, and keep count of what they publish.
 */
#include "postgres/front.h"

#include "states.h"

#include <catalog/pg_type.h>
#include <lib/stringinfo.h>
#include <miscadmin.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/numeric.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 512 };

/* Rows are gathered in batches, which the library adds as columns. */
typedef struct State {
    dpn_query *query;
    dpn_tally *tally;
    char *question;  /* what is counted: a declaration */
    double lo, hi;   /* of sums and moments */
    double per_step; /* of a sum whose steps are found quickly: steps a unit; else 0 */
    void *edges;     /* of a histogram: the array as it came first */
    int columns;     /* 0: of a count */
    int rows;        /* of the batch */
    double value[BATCH];
} State;

static void free_state(void *what) {
    State *state = what;
    dpn_tally_free(state->tally);
    dpn_query_free(state->query);
}

/* ---- What is counted ---- */

static char *number(double x) {
    char *out = palloc(DPN_NUMBER_SIZE);
    if (!isfinite(x))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("bounds and edges are finite numbers")));
    return dpn_number_print(out, x);
}

/* The declaration, but for its guarantee. */
static char *question_of(const char *kind, const char *members) {
    return psprintf(STATES_QUESTION, kind, members);
}

static char *question_bounded(const char *kind, double lo, double hi) {
    return question_of(kind, psprintf(STATES_BOUNDS, number(lo), number(hi)));
}

static char *question_histogram(ArrayType *edges) {
    StringInfoData members;
    if (ARR_NDIM(edges) != 1 || array_contains_nulls(edges) || ARR_DIMS(edges)[0] < 2 ||
        ARR_DIMS(edges)[0] > STATES_MOST_EDGES)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("edges is a list of 2 to %d numbers", STATES_MOST_EDGES)));
    const double *edge = (const double *)ARR_DATA_PTR(edges);
    initStringInfo(&members);
    for (int i = 0; i < ARR_DIMS(edges)[0]; i++)
        appendStringInfo(&members, "%s\"%s\"", i ? ", " : STATES_EDGES, number(edge[i]));
    appendStringInfoChar(&members, ']');
    return question_of("histogram", members.data);
}

static void compile(State *state, const char *question, const char *guarantee) {
    dpn_calibration_options options = dpn_calibration_options_init();
    char *text = psprintf("%s, %s}", question, guarantee);
    dpn_declaration declaration;
    dpn_error why;
    options.cancelled = front_cancelled;
    dpn_status status = dpn_declaration_read(&declaration, text, strlen(text), &why);
    FRONT_CHECK(status, &why);
    status = dpn_query_new(&state->query, &declaration, &options, &why);
    dpn_declaration_free(&declaration);
    FRONT_CHECK(status, &why);
    state->columns = dpn_query_column(state->query, 0) ? 1 : 0;
}

/* An empty state in a memory context. Without persons there is no lottery, and the secret that states have to share is none. */
static State *state_new(MemoryContext context, const char *question, const char *guarantee) {
    static const dpn_tally_secret none;
    dpn_error why;
    dpn_rng *rng = front_rng();
    MemoryContext before = MemoryContextSwitchTo(context);
    Held *held = front_hold(free_state);
    State *state = palloc0(sizeof *state);
    state->question = pstrdup(question);
    held->what = state;
    compile(state, question, guarantee);
    MemoryContextSwitchTo(before);
    dpn_status status = dpn_tally_new_with(&state->tally, state->query, &none, rng, &why);
    FRONT_CHECK(status, &why);
    return state;
}

/* The noise does not matter to a sum, and this kind is planned at once. */
static const char *const any_guarantee = "\"epsilon\": \"1\", \"noise\": \"laplace\"";

/* ---- Rows ---- */

/* Whether steps of a sum can be found in doubles: one cell, whose grid divides the bounds. */
static void find_quick(State *state, double lo, double hi) {
    dpn_query_facts facts = dpn_query_look(state->query);
    if (facts.cells != 1 || dpn_query_sums(state->query) != 1) return;
    double grid = facts.cell[0].grid;
    bool whole = floor(lo / grid) == lo / grid && floor(hi / grid) == hi / grid;
    if (whole && fabs(lo / grid) < 0x1p50 && fabs(hi / grid) < 0x1p50)
        state->per_step = 1 / grid; /* powers of two: exact */
}

/* The sum of the values that are plainly nearer to one step than to the next; the others stay in the batch. A value stands for the shortest decimal
 * that reads back to it, which differs from the double by less than an ulp: near half way that is for the library to judge. */
static int64 take_quick(State *state, uint64_t *taken) {
    int64 sum = 0;
    int left = 0;
    for (int i = 0; i < state->rows; i++) {
        double x = state->value[i];
        double v = (x < state->lo   ? state->lo
                    : x > state->hi ? state->hi
                                    : x) *
                   state->per_step,
               down = floor(v), part = v - down;
        if (isfinite(x) && fabs(part - 0.5) > 0x1p-12 && fabs(v) < 0x1p36)
            sum += (int64)down + (part > 0.5);
        else
            state->value[left++] = x;
    }
    *taken = (uint64_t)(state->rows - left);
    state->rows = left;
    return sum;
}

static void flush(State *state) {
    dpn_column column = {.kind = DPN_VALUE_REAL, .data = state->value, .stride = sizeof *state->value};
    dpn_error why;
    uint64_t taken = 0;
    dpn_status status = DPN_OK;
    if (state->rows > 0 && state->per_step > 0) {
        int64_t sum = take_quick(state, &taken);
        if (taken > 0) status = dpn_tally_add_sums(state->tally, NULL, taken, &sum, &why);
        FRONT_CHECK(status, &why);
    }
    if (state->rows == 0) return;
    status = dpn_tally_columns(state->tally, &column, (size_t)state->rows, &why);
    state->rows = 0;
    FRONT_CHECK(status, &why);
}

static void add(State *state, double x) {
    state->value[state->rows++] = x;
    if (state->rows == BATCH) flush(state);
}

static MemoryContext aggregate(FunctionCallInfo fcinfo) {
    MemoryContext context;
    if (!AggCheckCallContext(fcinfo, &context))
        ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                        errmsg("this is a part of an aggregate, and not called by itself")));
    return context;
}

static State *state_at(FunctionCallInfo fcinfo, int place) {
    return PG_ARGISNULL(place) ? NULL : (State *)PG_GETARG_POINTER(place);
}

PG_FUNCTION_INFO_V1(dp_count_step);
Datum dp_count_step(PG_FUNCTION_ARGS) {
    MemoryContext context = aggregate(fcinfo);
    State *state = state_at(fcinfo, 0);
    if (!state) state = state_new(context, question_of("count", ""), any_guarantee);
    add(state, 0);
    PG_RETURN_POINTER(state);
}

static Datum bounded_step(FunctionCallInfo fcinfo, const char *kind) {
    State *state = state_at(fcinfo, 0);
    if (!state) {
        MemoryContext context = aggregate(fcinfo);
        if (PG_ARGISNULL(2) || PG_ARGISNULL(3))
            ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("lo and hi must not be NULL")));
        state = state_new(context, question_bounded(kind, PG_GETARG_FLOAT8(2), PG_GETARG_FLOAT8(3)), any_guarantee);
        state->lo = PG_GETARG_FLOAT8(2);
        state->hi = PG_GETARG_FLOAT8(3);
        find_quick(state, state->lo, state->hi);
    }
    if (PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_GETARG_FLOAT8(2) != state->lo || PG_GETARG_FLOAT8(3) != state->hi)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("lo and hi must be the same in all rows")));
    add(state, PG_ARGISNULL(1) ? (double)NAN : PG_GETARG_FLOAT8(1));
    PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(dp_sum_step);
Datum dp_sum_step(PG_FUNCTION_ARGS) {
    return bounded_step(fcinfo, "sum");
}

PG_FUNCTION_INFO_V1(dp_moments_step);
Datum dp_moments_step(PG_FUNCTION_ARGS) {
    return bounded_step(fcinfo, "variance");
}

PG_FUNCTION_INFO_V1(dp_histogram_step);
Datum dp_histogram_step(PG_FUNCTION_ARGS) {
    MemoryContext context = aggregate(fcinfo);
    State *state = state_at(fcinfo, 0);
    if (PG_ARGISNULL(2)) ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("edges must not be NULL")));
    ArrayType *edges = PG_GETARG_ARRAYTYPE_P(2);
    if (!state) {
        state = state_new(context, question_histogram(edges), any_guarantee);
        state->edges = MemoryContextAlloc(context, VARSIZE(edges));
        memcpy(state->edges, edges, VARSIZE(edges));
    }
    if (VARSIZE(edges) != VARSIZE(state->edges) || memcmp(edges, state->edges, VARSIZE(edges)) != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("edges must be the same in all rows")));
    add(state, PG_ARGISNULL(1) ? (double)NAN : PG_GETARG_FLOAT8(1));
    PG_RETURN_POINTER(state);
}

/* ---- States as bytes: states.h ---- */

typedef struct Bytes {
    unsigned char *at;
    size_t length;
} Bytes;

static void free_bytes(void *what) {
    Bytes *bytes = what;
    dpn_tally_state_free(bytes->at, bytes->length);
}

static bytea *to_bytes(State *state) {
    Held *held = front_hold(free_bytes);
    Bytes *bytes = palloc0(sizeof *bytes);
    dpn_error why;
    flush(state);
    dpn_status status = dpn_tally_write(&bytes->at, &bytes->length, state->tally, &why);
    FRONT_CHECK(status, &why);
    held->what = bytes;
    size_t length = strlen(state->question);
    bytea *out = palloc(VARHDRSZ + STATES_HEAD + length + bytes->length);
    SET_VARSIZE(out, VARHDRSZ + STATES_HEAD + length + bytes->length);
    states_put_head((unsigned char *)VARDATA(out), length);
    memcpy(VARDATA(out) + STATES_HEAD, state->question, length);
    memcpy(VARDATA(out) + STATES_HEAD + length, bytes->at, bytes->length);
    front_let_go(held);
    return out;
}

/* The question of such bytes; what follows it is for the tally to judge. */
static char *question_in(const bytea *bytes, size_t *used) {
    const unsigned char *at = (const unsigned char *)VARDATA_ANY(bytes);
    size_t question = states_question(at, VARSIZE_ANY_EXHDR(bytes));
    if (question == 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("this is not a state of dpnoise")));
    *used = STATES_HEAD + question;
    return pnstrdup((const char *)at + STATES_HEAD, question);
}

static void add_bytes(State *state, const bytea *bytes) {
    size_t used;
    dpn_error why;
    char *question = question_in(bytes, &used);
    if (strcmp(question, state->question) != 0)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("the states count different things, or with different bounds or edges")));
    dpn_status status = dpn_tally_add_state(state->tally, (const unsigned char *)VARDATA_ANY(bytes) + used,
                                            VARSIZE_ANY_EXHDR(bytes) - used, &why);
    FRONT_CHECK(status, &why);
}

static State *from_bytes(MemoryContext context, const bytea *bytes) {
    size_t used;
    State *state = state_new(context, question_in(bytes, &used), any_guarantee);
    add_bytes(state, bytes);
    return state;
}

PG_FUNCTION_INFO_V1(dp_state_serialise);
Datum dp_state_serialise(PG_FUNCTION_ARGS) {
    (void)aggregate(fcinfo);
    PG_RETURN_BYTEA_P(to_bytes((State *)PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(dp_state_deserialise);
Datum dp_state_deserialise(PG_FUNCTION_ARGS) {
    (void)aggregate(fcinfo);
    PG_RETURN_POINTER(from_bytes(CurrentMemoryContext, PG_GETARG_BYTEA_PP(0)));
}

PG_FUNCTION_INFO_V1(dp_state_combine);
Datum dp_state_combine(PG_FUNCTION_ARGS) {
    MemoryContext context = aggregate(fcinfo);
    State *into = state_at(fcinfo, 0), *from = state_at(fcinfo, 1);
    if (!from) {
        if (!into) PG_RETURN_NULL();
        PG_RETURN_POINTER(into);
    }
    if (!into) into = state_new(context, from->question, any_guarantee);
    if (strcmp(into->question, from->question) != 0)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("bounds and edges must be the same in all rows")));
    into->lo = from->lo;
    into->hi = from->hi;
    flush(into);
    flush(from);
    /* By their bytes, which leaves `from` as it is. */
    bytea *bytes = to_bytes(from);
    add_bytes(into, bytes);
    pfree(bytes);
    PG_RETURN_POINTER(into);
}

PG_FUNCTION_INFO_V1(dp_state_final);
Datum dp_state_final(PG_FUNCTION_ARGS) {
    (void)aggregate(fcinfo);
    if (PG_ARGISNULL(0)) PG_RETURN_NULL();
    PG_RETURN_BYTEA_P(to_bytes((State *)PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(dp_merge_step);
Datum dp_merge_step(PG_FUNCTION_ARGS) {
    MemoryContext context = aggregate(fcinfo);
    State *state = state_at(fcinfo, 0);
    if (PG_ARGISNULL(1)) { /* of no rows */
        if (!state) PG_RETURN_NULL();
        PG_RETURN_POINTER(state);
    }
    if (!state) PG_RETURN_POINTER(from_bytes(context, PG_GETARG_BYTEA_PP(1)));
    add_bytes(state, PG_GETARG_BYTEA_PP(1));
    PG_RETURN_POINTER(state);
}

/* ---- Noise ---- */

static void free_answer(void *answer) {
    dpn_answer_free(answer);
}

static char *decimal(Datum numeric) {
    return DatumGetCString(DirectFunctionCall1(numeric_out, numeric));
}

/* statistic, value, low, high, interval of the state at place 0, with the question that the arguments say and the guarantee at `place`. */
static Datum noisy(FunctionCallInfo fcinfo, const char *question, int place) {
    Rows rows = front_rows(fcinfo);
    if (PG_ARGISNULL(place))
        ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("epsilon must not be NULL")));
    char *guarantee = psprintf("\"epsilon\": \"%s\", \"delta\": \"%s\"", decimal(PG_GETARG_DATUM(place)),
                               PG_ARGISNULL(place + 1) ? "0" : decimal(PG_GETARG_DATUM(place + 1)));
    State *state = state_new(CurrentMemoryContext, question, guarantee);
    if (!PG_ARGISNULL(0)) add_bytes(state, PG_GETARG_BYTEA_PP(0));
    Held *held = front_hold(free_answer);
    dpn_answer *answer;
    dpn_error why;
    dpn_status status = dpn_query_answer(&answer, state->query, state->tally, front_rng(), &why);
    FRONT_CHECK(status, &why);
    held->what = answer;
    for (size_t i = 0; i < answer->outputs; i++) {
        const dpn_answer_cell *cell = &answer->cell[i];
        const char *kind = dpn_interval_kind_name(cell->kind);
        Datum value[5] = {CStringGetTextDatum(answer->output[i])};
        bool null[5] = {false};
        front_put_double(&value[1], &null[1], cell->value);
        front_put_double(&value[2], &null[2], cell->low);
        front_put_double(&value[3], &null[3], cell->high);
        null[4] = !kind;
        value[4] = kind ? CStringGetTextDatum(kind) : (Datum)0;
        tuplestore_putvalues(rows.store, rows.shape, value, null);
    }
    front_let_go(held);
    return (Datum)0;
}

static Datum noisy_bounded(FunctionCallInfo fcinfo, const char *kind) {
    if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
        ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("lo and hi must not be NULL")));
    return noisy(fcinfo, question_bounded(kind, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2)), 3);
}

PG_FUNCTION_INFO_V1(dp_noisy_count);
Datum dp_noisy_count(PG_FUNCTION_ARGS) {
    return noisy(fcinfo, question_of("count", ""), 1);
}

PG_FUNCTION_INFO_V1(dp_noisy_sum);
Datum dp_noisy_sum(PG_FUNCTION_ARGS) {
    return noisy_bounded(fcinfo, "sum");
}

PG_FUNCTION_INFO_V1(dp_noisy_moments);
Datum dp_noisy_moments(PG_FUNCTION_ARGS) {
    return noisy_bounded(fcinfo, "variance");
}

PG_FUNCTION_INFO_V1(dp_noisy_histogram);
Datum dp_noisy_histogram(PG_FUNCTION_ARGS) {
    if (PG_ARGISNULL(1)) ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("edges must not be NULL")));
    return noisy(fcinfo, question_histogram(PG_GETARG_ARRAYTYPE_P(1)), 2);
}
