/* The tally: rows come in, exact sums of each group stay. */
#include "release/statistics/tally-inside.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making and freeing ---- */

static void *zeros(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

static dpn_status make_sums(dpn_sums *out, const dpn_reader *reader, size_t groups, dpn_error *why) {
    size_t moments = reader->query->moments, cells = moments > reader->counts ? moments : reader->counts;
    bool fits = cells == 0 || groups <= SIZE_MAX / sizeof(int64_t) / cells;
    out->sum = fits ? zeros(groups * moments, sizeof *out->sum) : NULL;
    out->count = fits ? zeros(groups * reader->counts, sizeof *out->count) : NULL;
    out->groups = groups;
    if (!out->sum || !out->count) return dpn_fail(why, DPN_ENOMEM, "no memory for the sums of %zu groups", groups);
    return DPN_OK;
}

/* Everything but what is shared. */
static dpn_status fill(dpn_tally *tally, dpn_error *why) {
    const dpn_reader *reader = &tally->shared->reader;
    tally->number = zeros(reader->numerics, sizeof *tally->number);
    tally->record = zeros(dpn_reader_record(reader), sizeof *tally->record);
    if (!tally->number || !tally->record) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    return make_sums(&tally->sums, reader, reader->query->groups, why);
}

static dpn_status finish(dpn_tally **out, dpn_tally *tally, dpn_status status) {
    if (status)
        dpn_tally_free(tally);
    else
        *out = tally;
    return status;
}

dpn_status dpn_tally_new(dpn_tally **out, const dpn_query *query, dpn_rng *rng, dpn_error *why) {
    if (!out || !query || !rng) return dpn_fail(why, DPN_EDOMAIN, "a tally needs a query and a random source");
    if (!query->known_keys || query->person != SIZE_MAX)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a tally by persons or of unknown keys is not served");
    dpn_tally *tally = calloc(1, sizeof *tally);
    dpn_tally_shared *shared = calloc(1, sizeof *shared);
    if (!tally || !shared) {
        free(tally);
        free(shared);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    }
    tally->shared = shared;
    atomic_init(&shared->owners, 1);
    dpn_status status = dpn_reader_make(&shared->reader, query, why);
    if (!status) status = fill(tally, why);
    return finish(out, tally, status);
}

dpn_status dpn_tally_split(dpn_tally **out, const dpn_tally *tally, dpn_error *why) {
    if (!out || !tally) return dpn_fail(why, DPN_EDOMAIN, "there is no tally to split");
    dpn_tally *part = calloc(1, sizeof *part);
    if (!part) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    part->shared = tally->shared;
    atomic_fetch_add(&part->shared->owners, 1);
    return finish(out, part, fill(part, why));
}

void dpn_tally_free(dpn_tally *tally) {
    if (!tally) return;
    if (atomic_fetch_sub(&tally->shared->owners, 1) == 1) {
        dpn_reader_free(&tally->shared->reader);
        free(tally->shared);
    }
    free(tally->sums.sum);
    free(tally->sums.count);
    free(tally->number);
    free(tally->record);
    free(tally->group);
    free(tally->key);
    free(tally);
}

/* ---- Rows ---- */

/* The group of a row whose levels are declared, else SIZE_MAX. */
static size_t known_group(const dpn_reader *reader, const dpn_field *row) {
    const dpn_query *query = reader->query;
    size_t group = 0;
    for (size_t i = 0; i < query->declaration.bys; i++) {
        size_t level = dpn_levels_find(&reader->levels[i], row[query->by[i]]);
        if (level == SIZE_MAX) return SIZE_MAX;
        group = group * query->declaration.by[i].levels + level;
    }
    return group;
}

/* A row that no predicate or level leaves out is read in full: a field that is bad is found whether or not the row is kept. */
static dpn_status add_row(dpn_tally *tally, const dpn_reader *reader, const dpn_field *row, dpn_error *why) {
    bool bad = false;
    if (!dpn_reader_admits(reader, row, &bad))
        return bad ? dpn_fail(why, DPN_EPARSE, "a field is no number where a predicate needs one") : DPN_OK;
    size_t group = known_group(reader, row);
    if (group == SIZE_MAX) return DPN_OK;
    size_t column = dpn_reader_read(reader, row, tally->number, tally->record);
    if (column != SIZE_MAX)
        return dpn_fail(why, DPN_EPARSE, "a field of column %.100s is missing or no number",
                        reader->query->column[column]);
    dpn_reader_add(reader, tally->record, true, tally->sums.sum + group * reader->query->moments,
                   tally->sums.count + group * reader->counts);
    return DPN_OK;
}

static dpn_status spoil(dpn_tally *tally, dpn_status status) {
    tally->spoiled = true;
    return status;
}

static dpn_status check_open(const dpn_tally *tally, dpn_error *why) {
    if (!tally) return dpn_fail(why, DPN_EDOMAIN, "the tally is missing");
    if (tally->spoiled) return dpn_fail(why, DPN_EDOMAIN, "the tally is of no more use: it failed or was merged");
    if (tally->settled) return dpn_fail(why, DPN_EDOMAIN, "the tally is settled: nothing can be added");
    return DPN_OK;
}

static dpn_status count_rows(dpn_tally *tally, uint64_t rows, dpn_error *why) {
    uint64_t most = tally->shared->reader.most_rows;
    if (rows > most - tally->rows)
        return spoil(tally, dpn_fail(why, DPN_EDOMAIN, "the table has more rows than %llu", (unsigned long long)most));
    tally->rows += rows;
    return DPN_OK;
}

dpn_status dpn_tally_rows(dpn_tally *tally, const dpn_field *field, size_t rows, size_t *bad_row, dpn_error *why) {
    dpn_status status = check_open(tally, why);
    if (!status && !field && rows > 0) status = dpn_fail(why, DPN_EDOMAIN, "the fields are missing");
    if (!status) status = count_rows(tally, rows, why);
    if (status) return status;
    const dpn_reader *reader = &tally->shared->reader;
    for (size_t i = 0; i < rows; i++, field += reader->query->columns) {
        status = add_row(tally, reader, field, why);
        if (!status) continue;
        if (bad_row && status == DPN_EPARSE) *bad_row = i;
        return spoil(tally, status);
    }
    return DPN_OK;
}

/* ---- Merging ---- */

static void add_all(int64_t *into, const int64_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) into[i] += from[i];
}

dpn_status dpn_tally_merge(dpn_tally *into, dpn_tally *from, dpn_error *why) {
    dpn_status status = check_open(into, why);
    if (!status) status = check_open(from, why);
    if (!status && (into == from || into->shared != from->shared))
        status = dpn_fail(why, DPN_EDOMAIN, "only a tally that was split from another can be merged with it");
    if (status) return status;
    from->spoiled = true;
    status = count_rows(into, from->rows, why);
    if (status) return status;
    const dpn_reader *reader = &into->shared->reader;
    add_all(into->sums.sum, from->sums.sum, into->sums.groups * reader->query->moments);
    add_all(into->sums.count, from->sums.count, into->sums.groups * reader->counts);
    return DPN_OK;
}

/* ---- Settling ---- */

/* The keys of all declared groups, the last column's fastest. */
static void write_known_keys(char **key, const dpn_query *query) {
    size_t bys = query->declaration.bys;
    for (size_t i = 0; i < query->groups; i++) {
        size_t rest = i;
        for (size_t j = bys; j-- > 0;) {
            const dpn_grouping *by = &query->declaration.by[j];
            key[i * bys + j] = by->level[rest % by->levels];
            rest /= by->levels;
        }
    }
}

static dpn_status settle(dpn_tally *tally, dpn_error *why) {
    const dpn_reader *reader = &tally->shared->reader;
    size_t groups = tally->sums.groups, bys = reader->query->declaration.bys;
    tally->group = zeros(groups, sizeof *tally->group);
    tally->key = zeros(groups * bys, sizeof *tally->key);
    if (!tally->group || !tally->key) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu groups", groups);
    write_known_keys(tally->key, reader->query);
    for (size_t i = 0; i < groups; i++)
        tally->group[i] = (dpn_group){tally->key + i * bys, tally->sums.sum + i * reader->query->moments,
                                      tally->sums.count + i * reader->counts};
    return DPN_OK;
}

dpn_status dpn_tally_settle(const dpn_group **group, size_t *groups, dpn_tally *tally, dpn_error *why) {
    if (!tally || !tally->settled) {
        dpn_status status = check_open(tally, why);
        if (!status) status = settle(tally, why);
        if (status) return tally ? spoil(tally, status) : status;
        tally->settled = true;
    }
    *group = tally->group;
    *groups = tally->sums.groups;
    return DPN_OK;
}
