/* The last step of a tally: persons are cut, and the groups can be looked at. */
#include "release/tally/spill.h"

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

void dpn_tally_add_kept(dpn_tally *tally, size_t group, const int64_t *record, uint64_t copies, bool first) {
    const dpn_reader *reader = &tally->shared->reader;
    const dpn_query *query = reader->query;
    if (query->declaration.per_person) { /* the scratch for records has room for one of steps too */
        for (size_t i = 0; i < query->measures; i++)
            tally->record[i] = dpn_total_step(&query->measure[i], query->declaration.per_person,
                                              record + DPN_TOTAL_NUMBERS * i, copies);
        record = tally->record;
        copies = 1;
    }
    dpn_reader_add_copies(reader, record, first, copies, dpn_sums_of(&tally->sums, group),
                          dpn_counts_of(&tally->sums, group));
}

static void use_row(void *context, size_t group, const int64_t *record, uint64_t copies, bool first) {
    const settling *self = context;
    self->kept[group] = true;
    dpn_tally_add_kept(self->tally, group, record, copies, first);
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

/* Cut persons, and list the groups in memory. */
static dpn_status list_groups(dpn_tally *tally, dpn_error *why) {
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

/* Whether the list of groups fits in memory; that of declared ones is public and does. */
static bool fits(const dpn_tally *tally) {
    const dpn_query *query = tally->shared->reader.query;
    const dpn_memory_limit *limit = &tally->shared->limit;
    if (!limit->bytes || query->known_keys) return true;
    size_t text = query->declaration.bys * (sizeof *tally->key + sizeof *tally->length);
    size_t each = sizeof *tally->group + text + sizeof(dpn_group_key *) + sizeof(bool) + dpn_sums_size(&tally->sums, 1);
    size_t most = limit->bytes - dpn_memory_rows(limit);
    return tally->memory.used <= most && tally->keys.names.count <= (most - tally->memory.used) / each;
}

static dpn_status settle(dpn_tally *tally, dpn_error *why) {
    if (!dpn_tally_has_spilled(tally) && fits(tally)) return list_groups(tally, why);
    dpn_status status = dpn_tally_spill(tally, why);
    if (!status) status = dpn_tally_cut_spilled(tally, why);
    if (status || (tally->key_runs.count == 0 && fits(tally))) return status ? status : list_groups(tally, why);
    tally->on_disk = true;
    return dpn_tally_spill(tally, why);
}

static dpn_status settle_once(dpn_tally *tally, dpn_error *why) {
    if (!tally) return dpn_tally_check_open(tally, why);
    if (tally->settled) return DPN_OK;
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status) status = settle(tally, why);
    tally->spoiled |= status != DPN_OK;
    tally->settled = status == DPN_OK;
    return status;
}

dpn_status dpn_tally_settle(const dpn_group **group, size_t *groups, dpn_tally *tally, dpn_error *why) {
    dpn_status status = settle_once(tally, why);
    if (!status && tally->on_disk) {
        status = dpn_tally_unspill(tally, why);
        if (!status) status = list_groups(tally, why);
        tally->on_disk = false;
        tally->spoiled |= status != DPN_OK;
    }
    if (status) return status;
    *group = tally->group;
    *groups = tally->groups;
    return DPN_OK;
}

/* ---- One group after the other ---- */

struct dpn_walk {
    dpn_tally *tally;
    size_t at;        /* in the list */
    dpn_merge *merge; /* or on the disk */
    dpn_group group;
    dpn_field *text;
};

void dpn_walk_free(dpn_walk *walk) {
    if (!walk) return;
    dpn_merge_free(walk->merge);
    free(walk->group.key);
    free(walk->group.length);
    free(walk->text);
    free(walk);
}

dpn_status dpn_walk_begin(dpn_walk **out, dpn_tally *tally, dpn_error *why) {
    dpn_status status = settle_once(tally, why);
    if (status) return status;
    size_t bys = tally->shared->reader.query->declaration.bys;
    dpn_walk *walk = calloc(1, sizeof *walk);
    if (walk)
        *walk = (dpn_walk){.tally = tally,
                           .group = {.key = zeros(bys, sizeof(char *)), .length = zeros(bys, sizeof(size_t))},
                           .text = zeros(bys, sizeof *walk->text)};
    if (!walk || !walk->group.key || !walk->group.length || !walk->text)
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    else if (tally->on_disk)
        status = dpn_merge_begin(&walk->merge, &tally->key_runs, dpn_memory_merge(&tally->shared->limit), why);
    if (status)
        dpn_walk_free(walk);
    else
        *out = walk;
    return status;
}

dpn_status dpn_walk_next(const dpn_group **out, dpn_walk *walk, dpn_error *why) {
    const dpn_tally *tally = walk->tally;
    dpn_run_record record;
    *out = NULL;
    if (!walk->merge) {
        if (walk->at < tally->groups) *out = &tally->group[walk->at++];
        return DPN_OK;
    }
    dpn_status status = dpn_merge_next(&record, walk->merge, why);
    if (status || !record.key) return status;
    size_t bys = tally->shared->reader.query->declaration.bys;
    dpn_key_texts(walk->text, bys, record.key);
    for (size_t i = 0; i < bys; i++) {
        walk->group.key[i] = (char *)walk->text[i].text;
        walk->group.length[i] = walk->text[i].length;
    }
    walk->group.sum = record.number;
    walk->group.count = record.number + tally->sums.moments;
    *out = &walk->group;
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
