/* What rows add, and the sums of it. */
#include "release/push/push.h"

#include "base/error.h"
#include "release/tally/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void dpn_push_number(dpn_text *out, const char *form, size_t number) {
    char text[64];
    snprintf(text, sizeof text, form, number);
    dpn_text_put(out, text);
}

/* What a row adds: steps above the lower bound of each measure. A number that is missing has that of the declared value. */
static dpn_status put_step(dpn_text *out, const dpn_push *push, size_t measure) {
    const dpn_measure *of = &push->query->measure[measure];
    char name[32];
    snprintf(name, sizeof name, "dpn_n%zu", push->reader.slot[measure]);
    if (!dpn_push_takes_value(push)) return dpn_push_step(out, push, of, name);
    dpn_text_put(out, "CASE WHEN ");
    dpn_text_put(out, name);
    dpn_text_put(out, " IS NULL THEN ");
    dpn_sql_integer(out, dpn_step_nearest(of, &push->reader.instead) - of->lower);
    dpn_text_put(out, " ELSE ");
    dpn_status status = dpn_push_step(out, push, of, name);
    dpn_text_put(out, " END");
    return status;
}

static void put_in_bin(dpn_text *out, const dpn_push *push, size_t set, size_t bin, int64_t instead) {
    char name[32];
    snprintf(name, sizeof name, "dpn_n%zu", push->reader.edges[set].slot);
    dpn_push_in_bin(out, push, set, bin, name);
    if (!dpn_push_takes_value(push) || (uint64_t)instead != bin) return;
    dpn_text_put(out, " OR ");
    dpn_text_put(out, name);
    dpn_text_put(out, " IS NULL");
}

/* The bin of the value for missing numbers. */
static int64_t bin_instead(const dpn_push *push, size_t set) {
    return dpn_push_takes_value(push) ? dpn_reader_bin(&push->reader.edges[set], &push->reader.instead) : DPN_ABSENT;
}

/* For persons: records as the lottery numbers them. */
dpn_status dpn_push_records(dpn_text *out, const dpn_push *push) {
    const dpn_query *query = push->query;
    bool left_out = query->declaration.count_left_out;
    dpn_status status = DPN_OK;
    dpn_text_put(out, "(SELECT dpn_a.*");
    for (size_t i = 0; i < query->measures && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, " AS dpn_m%zu", i);
        dpn_text_put(out, left_out ? ", CASE WHEN dpn_u = 1 THEN " : ", ");
        status = put_step(out, push, i);
        dpn_text_put(out, " + ");
        dpn_sql_integer(out, query->measure[i].lower);
        if (left_out) dpn_text_put(out, " ELSE (-9223372036854775807 - 1) END");
        dpn_text_put(out, name);
    }
    for (size_t i = 0; i < push->reader.edge_sets && !status; i++) {
        int64_t instead = bin_instead(push, i);
        char name[32];
        snprintf(name, sizeof name, " AS dpn_b%zu", i);
        dpn_text_put(out, ", CASE");
        if (left_out) dpn_text_put(out, " WHEN dpn_u = 0 THEN (-9223372036854775807 - 1)");
        for (size_t j = 0; j + 1 < push->reader.edges[i].edges; j++) {
            char bin[32];
            snprintf(bin, sizeof bin, " THEN %zu", j);
            dpn_text_put(out, " WHEN ");
            put_in_bin(out, push, i, j, instead);
            dpn_text_put(out, bin);
        }
        dpn_text_put(out, " ELSE (-9223372036854775807 - 1) END");
        dpn_text_put(out, name);
    }
    dpn_text_put(out, " FROM ");
    return status;
}

/* A step above the middle, from rows or from records. */
static dpn_status put_centred(dpn_text *out, const dpn_push *push, size_t measure) {
    const dpn_measure *of = &push->query->measure[measure];
    bool persons = push->query->person != SIZE_MAX;
    dpn_status status = DPN_OK;
    dpn_text step = {0};
    if (persons)
        dpn_push_number(&step, "dpn_m%zu", measure);
    else
        status = put_step(&step, push, measure);
    if (step.failed || !step.at)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->integer, step.at, NULL); /* of NULL NULL: a row may have none */
    free(step.at);
    dpn_text_put(out, " + ");
    dpn_sql_integer(out, persons ? -of->middle : of->lower - of->middle);
    return status;
}

/* The product is shifted; where an engine cannot shift what is below 0 it is made positive, divided, and made what it was. It is at least -2^50. */
enum { PRODUCT_BITS = 52 };

static void put_shifted(dpn_text *out, const dpn_push *push, const char *product, int shift) {
    char by[32];
    dpn_text above = {0};
    if (push->dialect->shift) {
        snprintf(by, sizeof by, "%d", shift);
        dpn_sql_put(out, push->dialect->shift, product, by);
        return;
    }
    snprintf(by, sizeof by, "%" PRId64, INT64_C(1) << shift);
    dpn_text_put(&above, product);
    dpn_text_put(&above, " + ");
    dpn_sql_integer(&above, INT64_C(1) << PRODUCT_BITS);
    if (above.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->divide, above.at, by);
    dpn_text_put(out, " - ");
    dpn_sql_integer(out, INT64_C(1) << (PRODUCT_BITS - shift));
    free(above.at);
}

static dpn_status put_term(dpn_text *out, int64_t *each, const dpn_push *push, const dpn_moment *moment) {
    const dpn_query *query = push->query;
    dpn_status status = DPN_OK;
    if (moment->kind == DPN_MOMENT_VALUE) {
        *each = (query->person != SIZE_MAX ? 0 : query->measure[moment->a].lower) - moment->offset;
        if (query->person == SIZE_MAX) return put_step(out, push, moment->a);
        dpn_push_number(out, "dpn_m%zu", moment->a);
        return DPN_OK;
    }
    dpn_text product = {0};
    *each = -moment->offset;
    dpn_text_put(&product, "(");
    status = put_centred(&product, push, moment->a);
    dpn_text_put(&product, ") * (");
    if (!status) status = put_centred(&product, push, moment->b);
    dpn_text_put(&product, ") + ");
    dpn_sql_integer(&product, moment->shift > 0 ? INT64_C(1) << (moment->shift - 1) : 0);
    if (product.failed)
        out->failed = true;
    else
        put_shifted(out, push, product.at, moment->shift);
    free(product.at);
    return status;
}

/* The sum of what rows add, and what each of them adds besides. */
static dpn_status put_sum(dpn_text *out, const dpn_push *push, const dpn_moment *moment) {
    bool left_out = push->query->declaration.count_left_out;
    int64_t each = 0;
    dpn_text term = {0}, whole = {0};
    dpn_status status = put_term(&term, &each, push, moment);
    if (left_out) dpn_text_put(&whole, "CASE WHEN dpn_u = 1 THEN ");
    /* Steps above the lower bound, and products with their offset, are below 2^27. */
    bool small = push->dialect->small && moment->bound < INT64_C(1) << 27 &&
                 (moment->kind == DPN_MOMENT_PRODUCT || push->query->person == SIZE_MAX);
    if (!term.failed && term.at) dpn_sql_put(&whole, small ? push->dialect->small : "%s", term.at, NULL);
    if (left_out) dpn_text_put(&whole, " END");
    if (term.failed || whole.failed || !whole.at)
        out->failed |= !status;
    else
        dpn_sql_put(out, push->dialect->sum, whole.at, NULL);
    if (each != 0) {
        dpn_text_put(out, " + ");
        dpn_sql_integer(out, each);
        dpn_text_put(out, " * ");
        dpn_sql_put(out, left_out ? push->dialect->count_if : "count(*)", "dpn_u = 1", NULL);
    }
    free(term.at);
    free(whole.at);
    return status;
}

static dpn_status put_moment(dpn_text *out, const dpn_push *push, const dpn_moment *moment) {
    bool left_out = push->query->declaration.count_left_out, persons = push->query->person != SIZE_MAX;
    switch (moment->kind) {
    case DPN_MOMENT_ROWS:
        dpn_sql_put(out, left_out ? push->dialect->count_if : "count(*)", "dpn_u = 1", NULL);
        return DPN_OK;
    case DPN_MOMENT_LEFT_OUT:
        dpn_sql_put(out, push->dialect->count_if, "dpn_u = 0", NULL);
        return DPN_OK;
    case DPN_MOMENT_PERSONS:
        dpn_sql_put(out, persons ? push->dialect->count_if : "count(*)", "dpn_r = 1", NULL);
        return DPN_OK;
    case DPN_MOMENT_BINS:
        dpn_text_put(out, "0");
        return DPN_OK;
    case DPN_MOMENT_VALUE:
    case DPN_MOMENT_PRODUCT:
        break;
    }
    return put_sum(out, push, moment);
}

static void put_bin_count(dpn_text *out, const dpn_push *push, size_t set, size_t bin) {
    dpn_text condition = {0};
    if (push->query->person != SIZE_MAX) {
        dpn_push_number(&condition, "dpn_b%zu", set);
        dpn_push_number(&condition, " = %zu", bin);
    } else {
        dpn_text_put(&condition, push->query->declaration.count_left_out ? "dpn_u = 1 AND (" : "(");
        put_in_bin(&condition, push, set, bin, bin_instead(push, set));
        dpn_text_put(&condition, ")");
    }
    if (condition.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->count_if, condition.at, NULL);
    free(condition.at);
}

dpn_status dpn_push_sums(dpn_text *out, const dpn_push *push) {
    size_t number = 0;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < push->query->moments && !status; i++) {
        dpn_text_put(out, ",\n  ");
        status = put_moment(out, push, &push->query->moment[i]);
        dpn_push_number(out, " AS dpn_%zu", number++);
    }
    for (size_t i = 0; i < push->reader.edge_sets && !status; i++)
        for (size_t j = 0; j + 1 < push->reader.edges[i].edges; j++) {
            dpn_text_put(out, ",\n  ");
            put_bin_count(out, push, i, j);
            dpn_push_number(out, " AS dpn_%zu", number++);
        }
    return status;
}
