/* The last step of a tally: persons are cut, and the groups can be looked at. */
#include "release/tally/inside.h"

#include "base/error.h"
#include "release/tally/totals.h"

#include <stdlib.h>
#include <string.h>

static void *zeros(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

/* ---- Persons ---- */

typedef struct settling {
    dpn_tally *tally;
    bool *kept; /* groups of which a row is kept */
} settling;

static void use_row(void *context, size_t group, const int64_t *record, uint64_t copies, bool first) {
    const settling *self = context;
    dpn_sums *sums = &self->tally->sums;
    self->kept[group] = true;
    const dpn_query *query = self->tally->shared->reader.query;
    if (query->declaration.per_person) { /* the scratch for records has room for one of steps too */
        for (size_t i = 0; i < query->measures; i++)
            self->tally->record[i] = dpn_total_step(&query->measure[i], query->declaration.per_person,
                                                    record + DPN_TOTAL_NUMBERS * i, copies);
        record = self->tally->record;
        copies = 1;
    }
    for (uint64_t i = 0; i < copies; i++)
        dpn_reader_add(&self->tally->shared->reader, record, first && i == 0, dpn_sums_of(sums, group),
                       dpn_counts_of(sums, group));
}

/* ---- Groups ---- */

/* The next group to be seen, which is number `index` of the sums; its key is still to be written. */
static dpn_group *next_group(dpn_tally *tally, size_t index) {
    size_t i = tally->groups++, bys = tally->shared->reader.query->declaration.bys;
    tally->group[i] = (dpn_group){tally->key + i * bys, dpn_sums_of(&tally->sums, index),
                                  dpn_counts_of(&tally->sums, index), tally->length + i * bys};
    return &tally->group[i];
}

/* All declared groups, the last column's levels fastest. */
static void list_known(dpn_tally *tally, const dpn_query *query) {
    for (size_t i = 0; i < query->groups; i++) {
        dpn_group *group = next_group(tally, i);
        size_t rest = i;
        for (size_t j = query->declaration.bys; j-- > 0;) {
            const dpn_grouping *by = &query->declaration.by[j];
            group->key[j] = by->level[rest % by->levels];
            group->length[j] = strlen(group->key[j]);
            rest /= by->levels;
        }
    }
}

/* The groups that appear. One of which the cut of persons has left nothing does not: it was in no person's share, and whether
 * somebody has dropped rows there must not be seen. */
static void list_unknown(dpn_tally *tally, const dpn_query *query, dpn_group_key **sorted, const bool *kept) {
    dpn_keys_sort(sorted, &tally->keys);
    for (size_t i = 0; i < tally->keys.names.count; i++) {
        if (!sorted[i]->summed && !kept[sorted[i]->index]) continue;
        dpn_group *group = next_group(tally, sorted[i]->index);
        for (size_t j = 0; j < query->declaration.bys; j++)
            group->key[j] = dpn_key_text(sorted[i], j, &group->length[j]);
    }
}

static dpn_status settle(dpn_tally *tally, dpn_error *why) {
    const dpn_query *query = tally->shared->reader.query;
    size_t groups = query->known_keys ? query->groups : tally->keys.names.count, bys = query->declaration.bys;
    bool fits = bys == 0 || groups <= SIZE_MAX / bys;
    tally->group = zeros(groups, sizeof *tally->group);
    tally->key = fits ? zeros(groups * bys, sizeof *tally->key) : NULL;
    tally->length = fits ? zeros(groups * bys, sizeof *tally->length) : NULL;
    dpn_group_key **sorted = zeros(tally->keys.names.count, sizeof(dpn_group_key *));
    bool *kept = zeros(groups, sizeof *kept);
    bool enough =
        tally->group && tally->key && tally->length && sorted && kept && dpn_sums_reserve(&tally->sums, groups);
    if (enough) enough = dpn_persons_empty(&tally->persons, use_row, &(settling){tally, kept});
    if (enough) {
        if (query->known_keys)
            list_known(tally, query);
        else
            list_unknown(tally, query, sorted, kept);
    }
    free(sorted);
    free(kept);
    return enough ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
}

dpn_status dpn_tally_settle(const dpn_group **group, size_t *groups, dpn_tally *tally, dpn_error *why) {
    if (!tally) return dpn_tally_check_open(tally, why);
    if (!tally->settled) {
        dpn_status status = dpn_tally_check_open(tally, why);
        if (!status) status = settle(tally, why);
        tally->spoiled |= status != DPN_OK;
        if (status) return status;
        tally->settled = true;
    }
    *group = tally->group;
    *groups = tally->groups;
    return DPN_OK;
}

/* ---- The answer ---- */

dpn_status dpn_tally_check_answer(const dpn_tally *tally, const dpn_query *query, dpn_error *why) {
    if (!tally || !query) return dpn_fail(why, DPN_EDOMAIN, "an answer needs a query and its tally");
    if (query->shape_only) return dpn_fail(why, DPN_EDOMAIN, "a shape without noise has no answer");
    if (tally->shared->reader.query != query) return dpn_fail(why, DPN_EDOMAIN, "the tally is that of another query");
    if (atomic_load(&tally->shared->answered))
        return dpn_fail(why, DPN_EDOMAIN, "the tally has been answered: another answer needs another charge and tally");
    return DPN_OK;
}

bool dpn_tally_mark_answered(dpn_tally *tally) {
    return !atomic_exchange(&tally->shared->answered, true);
}
