/* Noise laws: what they look like, and draws from them.
 *
 * 1. A law is its text, 'gaussian(sigma=1)'; dp_laws() lists the families.
 * 2. Functions of a law and a point are immutable; what is undefined is NULL.
 * 3. dp_sample draws exactly, and is volatile: two calls are two draws.
 */
#include "postgres/front.h"

#include <catalog/pg_type.h>
#include <funcapi.h>
#include <miscadmin.h>
#include <utils/array.h>
#include <utils/builtins.h>

#include <math.h>
#include <string.h>

/* ---- The law of a call, kept while its text is the same ---- */

typedef struct Kept {
    dpn_law law;
    size_t length;
    char text[FLEXIBLE_ARRAY_MEMBER];
} Kept;

static const dpn_law *law_of(FunctionCallInfo fcinfo) {
    text *argument = PG_GETARG_TEXT_PP(0);
    const char *at = VARDATA_ANY(argument);
    size_t length = VARSIZE_ANY_EXHDR(argument);
    Kept *kept = fcinfo->flinfo->fn_extra;
    if (kept && kept->length == length && memcmp(kept->text, at, length) == 0) return &kept->law;
    dpn_law law;
    dpn_error why;
    char *copy = text_to_cstring(argument);
    dpn_status status = dpn_law_parse(&law, copy, &why);
    FRONT_CHECK(status, &why);
    Kept *fresh = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof *fresh + length);
    fresh->law = law;
    fresh->length = length;
    memcpy(fresh->text, at, length);
    fcinfo->flinfo->fn_extra = fresh;
    if (kept) pfree(kept);
    return &fresh->law;
}

/* ---- At a point, and of the whole law ---- */

static Datum give(FunctionCallInfo fcinfo, double x) {
    if (isnan(x)) PG_RETURN_NULL();
    PG_RETURN_FLOAT8(x);
}

#define AT_A_POINT(name)                                                          \
    PG_FUNCTION_INFO_V1(dp_##name);                                               \
    Datum dp_##name(PG_FUNCTION_ARGS) {                                           \
        return give(fcinfo, dpn_law_##name(law_of(fcinfo), PG_GETARG_FLOAT8(1))); \
    }
#define OF_THE_LAW(name)                                     \
    PG_FUNCTION_INFO_V1(dp_##name);                          \
    Datum dp_##name(PG_FUNCTION_ARGS) {                      \
        return give(fcinfo, dpn_law_##name(law_of(fcinfo))); \
    }

AT_A_POINT(pdf)
AT_A_POINT(log_pdf)
AT_A_POINT(cdf)
AT_A_POINT(log_cdf)
AT_A_POINT(sf)
AT_A_POINT(log_sf)
AT_A_POINT(quantile)
AT_A_POINT(isf)
AT_A_POINT(log_mgf)
OF_THE_LAW(variance)
OF_THE_LAW(mean_abs)
OF_THE_LAW(fisher)
OF_THE_LAW(nfi)
OF_THE_LAW(entropy)

/* The privacy loss at a point: dp_loss(law, shift, t). */
PG_FUNCTION_INFO_V1(dp_loss);
Datum dp_loss(PG_FUNCTION_ARGS) {
    return give(fcinfo, dpn_privacy_loss(law_of(fcinfo), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2)));
}

/* ---- The families ---- */

PG_FUNCTION_INFO_V1(dp_laws);
Datum dp_laws(PG_FUNCTION_ARGS) {
    Rows rows = front_rows(fcinfo);
    for (size_t family = 0; dpn_family_name(family); family++) {
        Datum name[DPN_LAW_PARAMETERS];
        int count = 0;
        for (const char *word; count < DPN_LAW_PARAMETERS && (word = dpn_family_parameter(family, (size_t)count));
             count++)
            name[count] = CStringGetTextDatum(word);
        Datum value[] = {CStringGetTextDatum(dpn_family_name(family)),
                         PointerGetDatum(construct_array(name, count, TEXTOID, -1, false, TYPALIGN_INT)),
                         CStringGetTextDatum(dpn_family_formula(family))};
        bool null[3] = {false};
        tuplestore_putvalues(rows.store, rows.shape, value, null);
    }
    return (Datum)0;
}

/* ---- Draws ---- */

static void free_sampler(void *sampler) {
    dpn_sampler_free(sampler);
}

/* The exponent of a grid, which is a power of two; NULL is 2^-40 standard deviations, or finer. */
static int grid_exponent(FunctionCallInfo fcinfo, const dpn_law *law) {
    int exponent;
    if (dpn_law_is_integer(law)) {
        if (!PG_ARGISNULL(2) && PG_GETARG_FLOAT8(2) != 1)
            ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a law on the integers has the grid 1")));
        return 0;
    }
    if (PG_ARGISNULL(2)) {
        (void)frexp(sqrt(dpn_law_variance(law)), &exponent);
        return exponent - 41;
    }
    if (frexp(PG_GETARG_FLOAT8(2), &exponent) != 0.5)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("grid is a power of two, such as 0.125")));
    return exponent - 1;
}

PG_FUNCTION_INFO_V1(dp_sample);
Datum dp_sample(PG_FUNCTION_ARGS) {
    enum { BATCH = 1024 };
    Rows rows = front_rows(fcinfo);
    if (PG_ARGISNULL(0) || PG_ARGISNULL(1)) return (Datum)0;
    dpn_law law = *law_of(fcinfo);
    int64 left = PG_GETARG_INT64(1);
    dpn_rng *rng = front_rng();
    Held *held = front_hold(free_sampler);
    dpn_sampler *sampler;
    dpn_error why;
    if (left < 0) ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("count must not be negative")));
    dpn_status status = dpn_sampler_new(&sampler, &law, grid_exponent(fcinfo, &law), &why);
    FRONT_CHECK(status, &why);
    held->what = sampler;
    while (left > 0) {
        double draw[BATCH];
        size_t count = left < BATCH ? (size_t)left : BATCH;
        status = dpn_sampler_values(draw, sampler, rng, count, &why);
        FRONT_CHECK(status, &why);
        for (size_t i = 0; i < count; i++) {
            Datum value = Float8GetDatum(draw[i]);
            bool null = false;
            tuplestore_putvalues(rows.store, rows.shape, &value, &null);
        }
        left -= (int64)count;
        CHECK_FOR_INTERRUPTS();
    }
    front_let_go(held);
    return (Datum)0;
}
