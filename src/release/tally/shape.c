/* The parts of a shape as bytes: numbers of 8 bytes, texts with their lengths. */
#include "release/tally/shape.h"

#include <string.h>

static void put_signed(dpn_digest *out, int64_t number) {
    dpn_digest_number(out, (uint64_t)number);
}

static void put_text(dpn_digest *out, const char *text) {
    dpn_digest_field(out, text, strlen(text));
}

static void put_columns(dpn_digest *out, const dpn_query *query) {
    for (size_t i = 0; i < query->columns; i++) put_text(out, query->column[i]);
}

static void put_groups(dpn_digest *out, const dpn_query *query) {
    for (size_t i = 0; i < query->declaration.bys; i++) {
        const dpn_grouping *by = &query->declaration.by[i];
        dpn_digest_number(out, query->by[i]);
        dpn_digest_number(out, by->level != NULL);
        dpn_digest_number(out, by->level ? by->levels : 0);
        for (size_t j = 0; by->level && j < by->levels; j++) put_text(out, by->level[j]);
    }
}

static void put_predicates(dpn_digest *out, const dpn_query *query) {
    for (size_t i = 0; i < query->declaration.wheres; i++) {
        dpn_digest_number(out, query->where[i]);
        dpn_digest_number(out, (uint64_t)query->declaration.where[i].is);
        put_text(out, query->declaration.where[i].value);
    }
}

static void put_limits(dpn_digest *out, const dpn_query *query) {
    dpn_digest_number(out, query->person);
    if (query->person == SIZE_MAX) return;
    dpn_digest_number(out, query->declaration.max_groups);
    dpn_digest_number(out, query->declaration.max_rows);
    if (query->declaration.per_person) dpn_digest_number(out, query->declaration.per_person);
}

static void put_sums(dpn_digest *out, const dpn_query *query) {
    dpn_digest_number(out, query->declaration.missing);
    if (query->declaration.missing == DPN_MISSING_VALUE) put_text(out, query->declaration.missing_value);
    dpn_digest_number(out, query->declaration.nas);
    for (size_t i = 0; i < query->declaration.nas; i++) put_text(out, query->declaration.na[i]);
    dpn_digest_number(out, query->measures);
    for (size_t i = 0; i < query->measures; i++) {
        const dpn_measure *measure = &query->measure[i];
        dpn_digest_number(out, measure->column);
        put_signed(out, measure->exponent);
        put_signed(out, measure->lower);
        put_signed(out, measure->upper);
        put_signed(out, measure->middle);
    }
    for (size_t i = 0; i < query->moments; i++) {
        const dpn_moment *moment = &query->moment[i];
        dpn_digest_number(out, moment->kind);
        dpn_digest_number(out, moment->a);
        dpn_digest_number(out, moment->b);
        put_signed(out, moment->shift);
        put_signed(out, moment->exponent);
        put_signed(out, moment->offset);
        put_signed(out, moment->bound);
    }
}

static void put_bins(dpn_digest *out, const dpn_query *query) {
    for (size_t i = 0; i < dpn_bin_sets(query); i++) {
        const dpn_bins *bins = &query->bins[i];
        dpn_digest_number(out, bins->column);
        dpn_digest_number(out, bins->clamp);
        dpn_digest_number(out, bins->edges);
        for (size_t j = 0; j < bins->edges; j++) put_text(out, bins->edge[j]);
    }
}

static const struct {
    const char *word;
    void (*put)(dpn_digest *out, const dpn_query *query);
} parts[DPN_SHAPE_PARTS] = {{"columns", put_columns},           {"groups", put_groups},
                            {"predicates", put_predicates},     {"persons and their limits", put_limits},
                            {"sums and their grids", put_sums}, {"bins", put_bins}};

void dpn_tally_shape_of(dpn_tally_shape *out, const dpn_query *query) {
    for (size_t i = 0; i < DPN_SHAPE_PARTS; i++) {
        dpn_digest digest;
        dpn_digest_begin(&digest);
        put_text(&digest, parts[i].word);
        parts[i].put(&digest, query);
        dpn_digest_end(out->part[i], &digest);
    }
}

const char *dpn_tally_shape_word(size_t part) {
    return parts[part].word;
}
