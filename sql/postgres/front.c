/* The module: how it is loaded, how errors are raised, how memory and the random source are kept. */
#include "postgres/front.h"

#include "postgres/ledger.h"

#include <funcapi.h>
#include <miscadmin.h>
#include <nodes/execnodes.h>
#include <utils/builtins.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PG_MODULE_MAGIC;

void _PG_init(void);

/* It may run in the postmaster (shared_preload_libraries): nothing is opened, drawn or allocated by the library here. */
void _PG_init(void) {
    ledger_settings();
}

/* ---- Errors ---- */

void front_raise(const dpn_error *why) {
    const char *code = dpn_status_sqlstate(why->status);
    if (why->status == DPN_ECANCELLED) CHECK_FOR_INTERRUPTS(); /* which says why */
    ereport(ERROR, (errcode(MAKE_SQLSTATE(code[0], code[1], code[2], code[3], code[4])), errmsg("%s", why->sentence)));
}

bool front_cancelled(void *unused) {
    (void)unused;
    return InterruptPending && (QueryCancelPending || ProcDiePending);
}

/* ---- Memory ---- */

static void let_go(void *held) {
    front_let_go(held);
}

Held *front_hold(void (*free_it)(void *what)) {
    Held *held = palloc0(sizeof *held);
    held->free = free_it;
    held->callback.func = let_go;
    held->callback.arg = held;
    MemoryContextRegisterResetCallback(CurrentMemoryContext, &held->callback);
    return held;
}

void front_let_go(Held *held) {
    void *what = held->what;
    held->what = NULL;
    if (what) held->free(what);
}

/* ---- The random source ---- */

dpn_rng *front_rng(void) {
    static dpn_rng *rng;
    static pid_t owner;
    dpn_error why;
    if (rng && owner == getpid()) return rng;
    dpn_status status = dpn_rng_new(&rng, &why);
    FRONT_CHECK(status, &why);
    owner = getpid();
    return rng;
}

/* ---- Arguments and results ---- */

char *front_text(Datum datum) {
    return text_to_cstring(DatumGetTextPP(datum));
}

Rows front_rows(FunctionCallInfo fcinfo) {
    ReturnSetInfo *result = (ReturnSetInfo *)fcinfo->resultinfo;
    Rows rows;
    if (!result || !IsA(result, ReturnSetInfo) || !(result->allowedModes & SFRM_Materialize))
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                        errmsg("this function gives a set of rows: write SELECT * FROM it")));
    MemoryContext before = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
    if (get_call_result_type(fcinfo, NULL, &rows.shape) != TYPEFUNC_COMPOSITE) {
        /* A set of one column without a row type. */
        rows.shape = CreateTemplateTupleDesc(1);
        TupleDescInitEntry(rows.shape, 1, "value", get_fn_expr_rettype(fcinfo->flinfo), -1, 0);
    }
    rows.store = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0, false, work_mem);
    result->returnMode = SFRM_Materialize;
    result->setResult = rows.store;
    result->setDesc = rows.shape;
    MemoryContextSwitchTo(before);
    return rows;
}

void front_put_double(Datum *value, bool *null, double x) {
    *null = isnan(x);
    *value = *null ? (Datum)0 : Float8GetDatum(x);
}
