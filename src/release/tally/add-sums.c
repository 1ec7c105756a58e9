/* Sums that were made elsewhere. */
#include "release/tally/bounds.h"
#include "release/tally/spill.h"

#include "base/error.h"

#include <string.h>

static size_t count_bins(const dpn_query *query) {
    size_t bins = 0;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) bins += query->bins[i].edges - 1;
    return bins;
}

size_t dpn_query_sums(const dpn_query *query) {
    return query ? query->moments + count_bins(query) : 0;
}

/* The number of the group with these texts, a new one if keys are unknown. */
static dpn_status find_group(size_t *out, dpn_tally *tally, const dpn_field *key, dpn_error *why) {
    const dpn_reader *reader = &tally->shared->reader;
    const dpn_declaration *declaration = &reader->query->declaration;
    *out = 0;
    for (size_t i = 0; i < declaration->bys; i++) {
        if (!reader->levels[i].slot) continue;
        size_t level = dpn_levels_find(&reader->levels[i], key[i]);
        if (level == SIZE_MAX)
            return dpn_fail(why, DPN_EDOMAIN, "a key of column %.100s is not among its levels",
                            declaration->by[i].column);
        *out = *out * declaration->by[i].levels + level;
    }
    if (reader->query->known_keys) return DPN_OK;
    dpn_group_key *made = dpn_keys_put(&tally->keys, key, declaration->bys);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    if (!made->usable) return dpn_fail(why, DPN_EDOMAIN, "a key is not UTF-8, or has a NUL byte");
    *out = made->index;
    return DPN_OK;
}

/* All rows are in the number of rows, where there is one, or left out: a mistake that the bounds would let pass. */
static bool rows_agree(const dpn_query *query, uint64_t rows, const int64_t *sum) {
    int64_t used = (int64_t)rows;
    for (size_t i = 0; i < query->moments; i++)
        if (query->moment[i].kind == DPN_MOMENT_LEFT_OUT) used -= sum[i];
    for (size_t i = 0; i < query->moments; i++)
        if (query->moment[i].kind == DPN_MOMENT_ROWS && sum[i] != used) return false;
    return true;
}

dpn_status dpn_tally_add_sums(dpn_tally *tally, const dpn_field *key, uint64_t rows, const int64_t *sum,
                              dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (status) return status;
    const dpn_reader *reader = &tally->shared->reader;
    const dpn_query *query = reader->query;
    if (!sum || (!key && query->declaration.bys > 0))
        return dpn_fail(why, DPN_EDOMAIN, "the sums or their key are missing");
    if (rows > reader->most_rows - tally->rows)
        return dpn_fail(why, DPN_EDOMAIN, "the table has more than %llu rows", (unsigned long long)reader->most_rows);
    const int64_t *count = sum + query->moments;
    const char *what = "a number of rows";
    if (!dpn_sums_possible(&what, reader, rows, sum, count) || !rows_agree(query, rows, sum))
        return dpn_fail(why, DPN_EDOMAIN, "%s is not possible for that number of rows", what);
    if (rows == 0) return DPN_OK;
    size_t group;
    status = find_group(&group, tally, key, why);
    if (!status && !dpn_sums_reserve(&tally->sums, group + 1))
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    if (status) return status;
    if (!query->known_keys) tally->keys.key[group]->summed = true;
    int64_t *into = dpn_sums_of(&tally->sums, group), *counts = dpn_counts_of(&tally->sums, group);
    for (size_t i = 0; i < query->moments; i++) into[i] += sum[i];
    for (size_t i = 0; i < tally->sums.counts; i++) counts[i] += count[i];
    tally->rows += rows;
    if (!tally->memory.full) return DPN_OK;
    status = dpn_tally_spill(tally, why);
    tally->spoiled |= status != DPN_OK;
    return status;
}
