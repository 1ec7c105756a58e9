/* Numbers: steps, bounds and bins, exactly. */
#include "release/push/push.h"

#include "base/dyadic.h"
#include "base/error.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The least value whose text reaches a decimal ---- */

/* Doubles in their order, from 0 on. */
#define DOUBLES (UINT64_C(2) * 0x7ff0000000000000)
static double double_of(uint64_t order) {
    uint64_t zero = DOUBLES / 2, bits = order >= zero ? order - zero : zero - 1 - order;
    double size;
    memcpy(&size, &bits, sizeof size);
    return order >= zero ? size : -size;
}

static int64_t integer_of(uint64_t order) {
    return (int64_t)(order - (UINT64_C(1) << 63));
}

static bool reaches(bool real, uint64_t order, const dpn_numeral *bound, bool above) {
    char text[DPN_NUMBER_SIZE];
    dpn_numeral number;
    if (real)
        dpn_number_print(text, double_of(order));
    else
        snprintf(text, sizeof text, "%" PRId64, integer_of(order));
    (void)dpn_numeral_read(&number, (dpn_field){text, strlen(text)});
    return dpn_numeral_compare(&number, bound) >= (above ? 1 : 0);
}

/* Texts ascend with the numbers they stand for. False if no number reaches it. */
static bool find_least(uint64_t *out, bool real, const dpn_numeral *bound, bool above) {
    uint64_t low = 0, high = real ? DOUBLES - 1 : UINT64_MAX;
    if (!reaches(real, high, bound, above)) return false;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (reaches(real, middle, bound, above))
            high = middle;
        else
            low = middle + 1;
    }
    *out = low;
    return true;
}

/* The decimal itself: all of it stands in the text that it was read from, or in its first digits. */
static void put_decimal(dpn_text *out, const dpn_push *push, const dpn_numeral *bound) {
    char digits[64];
    dpn_text text = {0};
    if (bound->negative) dpn_text_put(&text, "-");
    if (bound->more) {
        for (const char *at = bound->digits; at < bound->end; at++)
            if (*at != '.') dpn_text_add(&text, at, 1);
        /* lead has the first 18 digits, with the exponent of the last of them */
        int64_t count = (int64_t)text.length - bound->negative;
        snprintf(digits, sizeof digits, "e%" PRId64, bound->exponent + 18 - count);
    } else {
        snprintf(digits, sizeof digits, "%" PRIu64 "e%" PRId64, bound->lead, bound->exponent);
    }
    dpn_text_put(&text, digits);
    if (text.failed) {
        out->failed = true;
    } else {
        dpn_text quoted = {0};
        dpn_sql_text(&quoted, push->dialect, text.at);
        if (quoted.failed)
            out->failed = true;
        else
            dpn_sql_put(out, push->dialect->number, quoted.at, NULL);
        free(quoted.at);
    }
    free(text.at);
}

void dpn_push_reaches(dpn_text *out, const dpn_push *push, size_t column, const char *name, const dpn_numeral *bound,
                      bool above) {
    dpn_sql_type type = dpn_push_type(push, column);
    uint64_t least = 0;
    bool real = type != DPN_SQL_INTEGER;
    if (type == DPN_SQL_DECIMAL) {
        dpn_text_put(out, name);
        dpn_text_put(out, above ? " > " : " >= ");
        put_decimal(out, push, bound);
        return;
    }
    if (!find_least(&least, real, bound, above)) {
        dpn_text_put(out, "1 = 0");
        return;
    }
    dpn_text_put(out, name);
    dpn_text_put(out, " >= ");
    if (real)
        dpn_sql_real(out, push->dialect, double_of(least));
    else
        dpn_sql_integer(out, integer_of(least));
}

/* ---- Steps ---- */

static double size_of(const dpn_measure *measure) {
    return fmax(fabs((double)measure->lower), fabs((double)measure->upper));
}

/* Whether each point half way between two steps, which has so many places, is its own shortest text. It is if no two decimals with as many places are
 * within one unit of a double's last place, for then no shorter one reads back to the same double; so are whole numbers below 2^53. */
static bool halves_are_texts(const dpn_measure *measure) {
    int places = measure->exponent < 1 ? 1 - measure->exponent : 0;
    double most = ldexp(size_of(measure), measure->exponent);
    if (places == 0) return most < 0x1p53;
    return places <= 22 && 0.999 > ldexp(pow(10, places), ilogb(nextafter(most, 0)) - 52);
}

static void put_dyadic(dpn_text *out, const dpn_push *push, int64_t steps, int exponent) {
    char text[DPN_DYADIC_TEXT_SIZE];
    dpn_text quoted = {0};
    dpn_dyadic_print(text, steps, exponent);
    dpn_sql_text(&quoted, push->dialect, text);
    if (quoted.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->number, quoted.at, NULL);
    free(quoted.at);
}

/* A number by its name, within bounds. DuckDB computes LEAST and GREATEST row by row: they take longer than the rest of a step, and half of it as a CASE,
 * whose first branch takes most rows at once. */
static void put_clamped(dpn_text *out, const dpn_push *push, const char *name, const dpn_text *lower,
                        const dpn_text *upper) {
    dpn_text inner = {0};
    if (lower->failed || upper->failed) {
        out->failed = true;
    } else if (push->dialect->between) {
        dpn_sql_put(out, "CASE WHEN %s BETWEEN ", name, NULL);
        dpn_text_put(out, lower->at);
        dpn_sql_put(out, " AND %s THEN ", upper->at, NULL);
        dpn_text_put(out, name);
        dpn_sql_put(out, " WHEN %s > %s THEN ", name, lower->at);
        dpn_text_put(out, upper->at);
        dpn_sql_put(out, " ELSE %s END", lower->at, NULL);
    } else {
        dpn_sql_put(&inner, push->dialect->greatest, name, lower->at);
        if (inner.failed)
            out->failed = true;
        else
            dpn_sql_put(out, push->dialect->least, inner.at, upper->at);
    }
    free(inner.at);
}

/* floor(v + 1/2) is the half of floor(2 v) + 1 rounded down, for every v; with v clamped to the bounds 2 v is a double, exactly. */
static dpn_status put_real_step(dpn_text *out, const dpn_push *push, const dpn_measure *measure, const char *name) {
    const dpn_dialect_row *dialect = push->dialect;
    dpn_text lower = {0}, upper = {0}, clamped = {0}, twice = {0}, whole = {0}, sum = {0};
    bool small = dialect->small_floor && size_of(measure) < 0x1p29, plain = halves_are_texts(measure);
    if (!plain && !dialect->shortest)
        return dpn_fail(
            push->why, DPN_EUNSUPPORTED,
            "column %.60s: its steps are so fine that the engine cannot tell how a number half way between two of "
            "them is written; wider bounds have coarser steps",
            push->query->column[measure->column]);
    dpn_sql_real(&lower, dialect, ldexp((double)measure->lower, measure->exponent));
    dpn_sql_real(&upper, dialect, ldexp((double)measure->upper, measure->exponent));
    put_clamped(&clamped, push, name, &lower, &upper);
    if (!clamped.failed) { /* steps of 4 and more, and half of them, are whole: floor(v / s) = floor(floor(v) / s) */
        dpn_sql_put(&twice, dialect->whole && measure->exponent > 1 ? dialect->whole : "%s", clamped.at, NULL);
        dpn_text_put(&twice, " * ");
        dpn_sql_real(&twice, dialect, ldexp(1, 1 - measure->exponent));
    }
    if (twice.at && !twice.failed) dpn_sql_put(&whole, small ? dialect->small_floor : dialect->floor, twice.at, NULL);
    if (whole.at && !whole.failed) {
        dpn_text_put(&sum, whole.at);
        dpn_text_put(&sum, " + ");
        dpn_sql_integer(&sum, 1 - 2 * measure->lower);
        if (!plain) { /* half way, and written below that */
            dpn_text_put(&sum, " - CASE WHEN ");
            dpn_text_put(&sum, twice.at);
            dpn_text_put(&sum, " = ");
            dpn_text_put(&sum, whole.at);
            dpn_text_put(&sum, " AND (");
            dpn_text_put(&sum, whole.at);
            dpn_text_put(&sum, ") % 2 <> 0 THEN CASE WHEN (");
            dpn_sql_put(&sum, dialect->text, name, NULL);
            dpn_text_put(&sum, ")::numeric < (");
            dpn_text_put(&sum, whole.at);
            dpn_text_put(&sum, ")::numeric * ");
            put_dyadic(&sum, push, 1, measure->exponent - 1);
            dpn_text_put(&sum, " THEN 1 ELSE 0 END ELSE 0 END");
        }
    }
    if (sum.failed || !sum.at)
        out->failed = true;
    else
        dpn_sql_put(out, dialect->halve, sum.at, NULL);
    free(lower.at), free(upper.at), free(clamped.at), free(twice.at), free(whole.at), free(sum.at);
    return DPN_OK;
}

/* A whole number, clamped before it is shifted. */
static dpn_status put_integer_step(dpn_text *out, const dpn_push *push, const dpn_measure *measure, const char *name) {
    const dpn_dialect_row *dialect = push->dialect;
    int e = measure->exponent;
    if (e > 0 && ldexp(size_of(measure), e) >= 0x1p61)
        return dpn_fail(push->why, DPN_EUNSUPPORTED,
                        "column %.60s: its bounds are too large for the engine's whole numbers",
                        push->query->column[measure->column]);
    if (e < -60)
        return dpn_fail(push->why, DPN_EUNSUPPORTED, "column %.60s: its bounds are too narrow for whole numbers",
                        push->query->column[measure->column]);
    /* For e <= 0 the whole numbers just outside the bounds, which are then clamped once more, in steps, unless the bounds are whole. */
    int64_t unit = (int64_t)1 << abs(e);
    int64_t low = e > 0 ? measure->lower * unit : measure->lower / unit - (measure->lower % unit < 0);
    int64_t high = e > 0 ? measure->upper * unit : measure->upper / unit + (measure->upper % unit > 0);
    dpn_text bound = {0}, upper = {0}, inner = {0}, clamped = {0}, steps = {0};
    dpn_sql_integer(&bound, low);
    dpn_sql_integer(&upper, high);
    put_clamped(&clamped, push, name, &bound, &upper);
    bool failed = clamped.failed;
    if (!failed && e > 0) {
        char divisor[32];
        snprintf(divisor, sizeof divisor, "%" PRId64, unit);
        dpn_text_put(&steps, clamped.at);
        dpn_text_put(&steps, " + ");
        dpn_sql_integer(&steps, unit / 2 - low);
        if (!steps.failed) dpn_sql_put(out, dialect->divide, steps.at, divisor);
    } else if (!failed) {
        char text[64];
        int64_t width = measure->upper - measure->lower;
        snprintf(text, sizeof text, " * %" PRId64 " - ", unit);
        dpn_text_put(&steps, clamped.at);
        dpn_text_put(&steps, text);
        dpn_sql_integer(&steps, measure->lower);
        bound.length = 0;
        dpn_sql_integer(&bound, width);
        bool within = measure->lower % unit == 0 && measure->upper % unit == 0;
        if (!steps.failed && within) {
            dpn_sql_put(out, "(%s)", steps.at, NULL);
        } else if (!steps.failed && !bound.failed) {
            dpn_sql_put(&inner, dialect->greatest, steps.at, "0");
            if (!inner.failed) dpn_sql_put(out, dialect->least, inner.at, bound.at);
        }
    }
    out->failed |= failed || steps.failed || inner.failed || bound.failed;
    free(bound.at), free(upper.at), free(inner.at), free(clamped.at), free(steps.at);
    return DPN_OK;
}

/* Exact numbers of any length: floor((x - lower) / step + 1/2). Where that changes, x - lower has at most 901 places, so that what lies beyond 1000 changes
 * nothing; with more, a product could have more places than the engine keeps, and be rounded. */
static void put_decimal_step(dpn_text *out, const dpn_push *push, const dpn_measure *measure, const char *name) {
    dpn_text_put(out, "pg_catalog.floor(pg_catalog.trunc(LEAST(GREATEST(");
    dpn_text_put(out, name);
    dpn_text_put(out, ", ");
    put_dyadic(out, push, measure->lower, measure->exponent);
    dpn_text_put(out, "), ");
    put_dyadic(out, push, measure->upper, measure->exponent);
    dpn_text_put(out, ") - ");
    put_dyadic(out, push, measure->lower, measure->exponent);
    dpn_text_put(out, ", 1000) * ");
    put_dyadic(out, push, 1, -measure->exponent);
    dpn_text_put(out, " + 0.5)::int4");
}

dpn_status dpn_push_step(dpn_text *out, const dpn_push *push, const dpn_measure *measure, const char *name) {
    dpn_sql_type type = dpn_push_type(push, measure->column);
    if (size_of(measure) >= 0x1p51)
        return dpn_fail(push->why, DPN_EUNSUPPORTED, "column %.60s: its bounds have more digits than a double",
                        push->query->column[measure->column]);
    if (type == DPN_SQL_INTEGER) return put_integer_step(out, push, measure, name);
    if (type != DPN_SQL_DECIMAL) return put_real_step(out, push, measure, name);
    put_decimal_step(out, push, measure, name);
    return DPN_OK;
}

/* ---- Bins ---- */

void dpn_push_in_bin(dpn_text *out, const dpn_push *push, size_t set, size_t bin, const char *name) {
    const dpn_edges *edges = &push->reader.edges[set];
    size_t column = push->query->bins[set].column, last = edges->edges - 2;
    bool from = bin > 0 || (edges->from == 0 && !edges->clamp);
    bool to = bin < last || (edges->to == edges->edges && !edges->clamp);
    dpn_text_put(out, name);
    dpn_text_put(out, " IS NOT NULL");
    if (from) {
        dpn_text_put(out, " AND ");
        dpn_push_reaches(out, push, column, name, &edges->number[bin], edges->upward);
    }
    if (!to) return;
    dpn_text_put(out, " AND NOT (");
    dpn_push_reaches(out, push, column, name, &edges->number[bin + 1], edges->upward || bin == last);
    dpn_text_put(out, ")");
}
