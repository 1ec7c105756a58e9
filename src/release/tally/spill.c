/* From memory to the disk, and back. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/spill.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
}

/* ---- To the disk ---- */

/* The texts of a key with a zero byte after each: in the order of these bytes keys are in the order of dpn_keys_compare, for there
 * is no zero byte within a key that can be used. */
static size_t write_key(unsigned char *out, const dpn_group_key *key) {
    size_t at = 0, length;
    for (size_t i = 0; i < key->columns; i++) {
        const char *text = dpn_key_text(key, i, &length);
        if (out) memcpy(out + at, text, length + 1);
        at += length + 1;
    }
    return at;
}

static size_t longest_key(const dpn_keys *keys) {
    size_t longest = 0;
    for (size_t i = 0; i < keys->names.count; i++) {
        size_t length = write_key(NULL, keys->key[i]);
        if (length > longest) longest = length;
    }
    return longest;
}

static dpn_status put_keys(dpn_tally *tally, unsigned char *name, int64_t *number, dpn_error *why) {
    const dpn_sums *sums = &tally->sums;
    dpn_status status = dpn_runs_begin(&tally->key_runs, why);
    dpn_keys_sort_in_place(&tally->keys);
    for (size_t i = 0; i < tally->keys.names.count && !status; i++) {
        const dpn_group_key *key = tally->keys.key[i];
        if (!key->summed) continue; /* only persons have rows there, which are in their own runs */
        memcpy(number, dpn_sums_of(sums, key->index), sums->moments * sizeof *number);
        memcpy(number + sums->moments, dpn_counts_of(sums, key->index), sums->counts * sizeof *number);
        status = dpn_runs_put(&tally->key_runs, name, write_key(name, key), number, why);
    }
    return status ? status : dpn_runs_end(&tally->key_runs, why);
}

static dpn_status spill_keys(dpn_tally *tally, dpn_error *why) {
    size_t longest = longest_key(&tally->keys), numbers = tally->key_runs.numbers;
    unsigned char *name = malloc(longest + 1);
    int64_t *number = calloc(numbers + 1, sizeof *number);
    dpn_status status = name && number ? put_keys(tally, name, number, why) : no_memory(why);
    if (name) explicit_bzero(name, longest);
    if (number) explicit_bzero(number, numbers * sizeof *number);
    free(name);
    free(number);
    dpn_keys_free(&tally->keys);
    dpn_keys_begin(&tally->keys, &tally->shared->lottery.name, &tally->memory);
    dpn_sums_free(&tally->sums);
    return status;
}

dpn_status dpn_tally_spill(dpn_tally *tally, dpn_error *why) {
    const dpn_query *query = tally->shared->reader.query;
    const dpn_lottery *lottery = &tally->shared->lottery;
    bool by_lots = dpn_person_runs_by_lots(lottery, query->known_keys, query->groups);
    dpn_status status = dpn_persons_spill(&tally->persons, &tally->person_runs, by_lots, why);
    if (!status && tally->keys.names.count > 0) status = spill_keys(tally, why);
    tally->memory.full = false;
    return status;
}

/* ---- Groups ---- */

bool dpn_tally_find_group(size_t *out, dpn_tally *tally, const dpn_field *text) {
    const dpn_reader *reader = &tally->shared->reader;
    const dpn_declaration *declaration = &reader->query->declaration;
    *out = 0;
    for (size_t i = 0; i < declaration->bys && reader->query->known_keys; i++) {
        size_t level = dpn_levels_find(&reader->levels[i], text[i]);
        if (level == SIZE_MAX) return false;
        *out = *out * declaration->by[i].levels + level;
    }
    if (reader->query->known_keys) return true;
    dpn_group_key *key = dpn_keys_put(&tally->keys, text, declaration->bys);
    if (key) *out = key->index;
    return key != NULL;
}

/* The same, with room for its sums, if there are some. */
static bool find_sums(size_t *out, dpn_tally *tally, const dpn_field *text) {
    if (!dpn_tally_find_group(out, tally, text)) return false;
    if (tally->shared->reader.query->known_keys) return true;
    tally->keys.key[*out]->summed = true;
    return dpn_tally_reserve_sums(tally, *out);
}

/* ---- Persons from the disk ---- */

static dpn_status use_kept(void *context, const dpn_person_record *one, dpn_error *why) {
    dpn_tally *tally = context;
    size_t group;
    if (!find_sums(&group, tally, one->text)) return no_memory(why);
    dpn_tally_add_kept(tally, group, one->number, one->copies, one->first);
    return tally->memory.full ? dpn_tally_spill(tally, why) : DPN_OK; /* no person is in memory: these are keys */
}

dpn_status dpn_tally_cut_spilled(dpn_tally *tally, dpn_error *why) {
    const dpn_tally_shared *shared = tally->shared;
    dpn_status status = dpn_person_runs_kept(&tally->person_runs, &shared->lottery, shared->reader.most_rows,
                                             dpn_memory_merge(&shared->limit), use_kept, tally, why);
    tally->person_runs.count = 0;
    return status;
}

static dpn_status use_whole(void *context, const dpn_person_record *one, dpn_error *why) {
    dpn_tally *tally = context;
    size_t group;
    if (!dpn_tally_find_group(&group, tally, one->text) ||
        !dpn_persons_add(&tally->persons, one->person.text, one->person.length, group, one->number, one->copies))
        return no_memory(why);
    return DPN_OK;
}

/* ---- Keys from the disk ---- */

static bool add_sums(dpn_tally *tally, const dpn_run_record *record, dpn_field *text) {
    size_t group;
    dpn_key_texts(text, tally->shared->reader.query->declaration.bys, record->key);
    if (!find_sums(&group, tally, text)) return false;
    int64_t *sum = dpn_sums_of(&tally->sums, group), *count = dpn_counts_of(&tally->sums, group);
    for (size_t i = 0; i < tally->sums.moments; i++) sum[i] += record->number[i];
    for (size_t i = 0; i < tally->sums.counts; i++) count[i] += record->number[tally->sums.moments + i];
    return true;
}

static dpn_status unspill_keys(dpn_tally *tally, dpn_error *why) {
    dpn_merge *merge = NULL;
    dpn_run_record record = {NULL, 0, NULL};
    dpn_field *text = calloc(tally->shared->reader.query->declaration.bys + 1, sizeof *text);
    dpn_status status = text ? DPN_OK : no_memory(why);
    if (!status) status = dpn_merge_begin(&merge, &tally->key_runs, dpn_memory_merge(&tally->shared->limit), why);
    do {
        if (!status) status = dpn_merge_next(&record, merge, why);
        if (!status && record.key && !add_sums(tally, &record, text)) status = no_memory(why);
    } while (!status && record.key);
    dpn_merge_free(merge);
    free(text);
    tally->key_runs.count = 0;
    return status;
}

dpn_status dpn_tally_unspill(dpn_tally *tally, dpn_error *why) {
    const dpn_tally_shared *shared = tally->shared;
    dpn_status status = DPN_OK;
    if (tally->person_runs.count > 0)
        status = dpn_person_runs_each(&tally->person_runs, &shared->lottery, dpn_memory_merge(&shared->limit),
                                      use_whole, tally, why);
    tally->person_runs.count = 0;
    if (!status && tally->key_runs.count > 0) status = unspill_keys(tally, why);
    return status;
}
