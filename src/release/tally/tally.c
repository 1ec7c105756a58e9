/* The tally: rows come in, exact sums of each group stay. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/row-block.h"
#include "release/tally/spill.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making and freeing ---- */

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
}

static void *zeros(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

/* Everything but what is shared. */
static dpn_status fill(dpn_tally *tally, dpn_error *why) {
    dpn_tally_shared *shared = tally->shared;
    const dpn_reader *reader = &shared->reader;
    tally->memory.limit = &shared->limit;
    tally->sums = dpn_sums_empty(reader, &tally->memory);
    dpn_keys_begin(&tally->keys, &shared->lottery.name, &tally->memory);
    dpn_persons_begin(&tally->persons, &shared->lottery, dpn_tally_group_text, tally, &tally->memory);
    tally->number = zeros(reader->numerics, sizeof *tally->number);
    tally->record = zeros(DPN_ROW_BLOCK * dpn_reader_record(reader), sizeof *tally->record);
    tally->marked = zeros(reader->query->columns, sizeof *tally->marked);
    if (!tally->number || !tally->record || !tally->marked || !dpn_sums_reserve(&tally->sums, reader->query->groups))
        return no_memory(why);
    return dpn_tally_make_runs(tally, why);
}

static dpn_status make_shared(dpn_tally_shared *shared, const dpn_query *query, const dpn_tally_secret *secret,
                              dpn_rng *rng, dpn_error *why) {
    const dpn_declaration *declaration = &query->declaration;
    dpn_status status = dpn_reader_make(&shared->reader, query, why);
    if (!status && dpn_tally_has_persons(query) && (declaration->max_rows == 0 || declaration->max_groups == 0))
        status = dpn_fail(why, DPN_EDOMAIN, "a person has to be allowed a row in a group");
    shared->lottery = (dpn_lottery){.max_groups = declaration->max_groups,
                                    .max_rows = declaration->max_rows,
                                    .groupings = declaration->bys,
                                    .record = dpn_reader_record(&shared->reader),
                                    .totals = declaration->per_person != DPN_PER_PERSON_ROWS};
    if (!status) status = dpn_rng_words(shared->lottery.name.word, rng, 2, why);
    if (!status && secret) shared->lottery.secret = *secret;
    if (!status && !secret) status = dpn_tally_secret_new(&shared->lottery.secret, rng, why);
    return status;
}

/* Merged or freed: the others may take what was held here. */
static void leave_limit(dpn_tally *tally) {
    if (tally->left) return;
    tally->left = true;
    atomic_fetch_sub(&tally->shared->limit.holders, 1);
}

static void leave_shared(dpn_tally_shared *shared) {
    if (atomic_fetch_sub(&shared->owners, 1) > 1) return;
    dpn_overflow_close(shared->overflow);
    dpn_reader_free(&shared->reader);
    explicit_bzero(&shared->lottery, sizeof shared->lottery);
    free(shared);
}

static dpn_status finish(dpn_tally **out, dpn_tally *tally, dpn_status status) {
    if (status)
        dpn_tally_free(tally);
    else
        *out = tally;
    return status;
}

dpn_status dpn_tally_secret_new(dpn_tally_secret *out, dpn_rng *rng, dpn_error *why) {
    if (!out || !rng) return dpn_fail(why, DPN_EDOMAIN, "a secret needs a random source");
    uint64_t word[sizeof out->byte / sizeof(uint64_t)];
    dpn_status status = dpn_rng_words(word, rng, sizeof word / sizeof *word, why);
    if (!status) memcpy(out->byte, word, sizeof word);
    explicit_bzero(word, sizeof word);
    return status;
}

dpn_status dpn_tally_new(dpn_tally **out, const dpn_query *query, dpn_rng *rng, dpn_error *why) {
    return dpn_tally_new_with(out, query, NULL, rng, why);
}

dpn_status dpn_tally_new_with(dpn_tally **out, const dpn_query *query, const dpn_tally_secret *secret, dpn_rng *rng,
                              dpn_error *why) {
    if (!out || !query || !rng) return dpn_fail(why, DPN_EDOMAIN, "a tally needs a query and a random source");
    dpn_tally *tally = calloc(1, sizeof *tally);
    dpn_tally_shared *shared = calloc(1, sizeof *shared);
    if (!tally || !shared) {
        free(tally);
        free(shared);
        return no_memory(why);
    }
    tally->shared = shared;
    atomic_init(&shared->owners, 1);
    atomic_init(&shared->limit.holders, 1);
    atomic_init(&shared->answered, false);
    dpn_status status = make_shared(shared, query, secret, rng, why);
    if (!status) status = fill(tally, why);
    return finish(out, tally, status);
}

dpn_status dpn_tally_split(dpn_tally **out, const dpn_tally *tally, dpn_error *why) {
    if (!out || !tally) return dpn_fail(why, DPN_EDOMAIN, "there is no tally to split");
    dpn_tally *part = calloc(1, sizeof *part);
    if (!part) return no_memory(why);
    part->shared = tally->shared;
    atomic_fetch_add(&part->shared->owners, 1);
    atomic_fetch_add(&part->shared->limit.holders, 1);
    return finish(out, part, fill(part, why));
}

void dpn_tally_free(dpn_tally *tally) {
    if (!tally) return;
    dpn_sums_free(&tally->sums);
    dpn_keys_free(&tally->keys);
    dpn_persons_free(&tally->persons);
    dpn_runs_free(&tally->person_runs);
    dpn_runs_free(&tally->key_runs);
    leave_limit(tally);
    leave_shared(tally->shared);
    free(tally->number);
    free(tally->record);
    free(tally->marked);
    free(tally->group);
    free(tally->key);
    free(tally->length);
    free(tally);
}

dpn_field dpn_tally_group_text(const void *context, size_t group, size_t grouping) {
    const dpn_tally *tally = context;
    const dpn_query *query = tally->shared->reader.query;
    dpn_field out;
    if (query->known_keys) {
        const dpn_grouping *by = query->declaration.by;
        for (size_t i = query->declaration.bys - 1; i > grouping; i--) group /= by[i].levels;
        out.text = by[grouping].level[group % by[grouping].levels];
        out.length = strlen(out.text);
    } else {
        out.text = dpn_key_text(tally->keys.key[group], grouping, &out.length);
    }
    return out;
}

/* ---- Rows ---- */

/* Whether the levels of a row are declared, where there are levels; *group is then the number of its group if all are. */
static inline bool find_levels(size_t *group, const dpn_reader *reader, const dpn_field *row) {
    const dpn_query *query = reader->query;
    *group = 0;
    for (size_t i = 0; i < query->declaration.bys; i++) {
        if (!reader->levels[i].slot) continue;
        size_t level = dpn_levels_find(&reader->levels[i], row[query->by[i]]);
        if (level == SIZE_MAX) return false;
        *group = *group * query->declaration.by[i].levels + level;
    }
    return true;
}

/* A row of which the record is read, with the hash of its person's name. One whose key is no text is left out. */
static inline bool keep_hashed(dpn_tally *tally, const dpn_query *query, const dpn_field *row, size_t group,
                               uint64_t hash, const int64_t *record) {
    bool persons = dpn_tally_has_persons(query);
    if (!query->known_keys) {
        dpn_group_key *key = dpn_keys_get(&tally->keys, query, row);
        if (!key) return false;
        if (!key->usable) return true;
        group = key->index;
        if (!persons && !dpn_tally_reserve_sums(tally, group)) return false;
        key->summed |= !persons;
    }
    if (persons) {
        dpn_field person = row[query->person];
        return dpn_persons_add_hashed(&tally->persons, hash, person.text, person.length, group, record, 1);
    }
    dpn_reader_add(&tally->shared->reader, record, true, dpn_sums_of(&tally->sums, group),
                   dpn_counts_of(&tally->sums, group));
    return true;
}

/* Nobody is known by a name that is missing. */
static inline bool lacks_person(const dpn_query *query, const dpn_field *row) {
    return dpn_tally_has_persons(query) && dpn_field_blank(row[query->person]);
}

static inline dpn_row_verdict examine(size_t *group, const char **why_not, size_t *column, dpn_tally *tally,
                                      const dpn_reader *reader, const dpn_field *row) {
    const dpn_query *query = reader->query;
    dpn_row_verdict verdict = DPN_ROW_USED;
    if (query->declaration.wheres > 0) verdict = dpn_reader_admits(reader, row, column);
    if (verdict == DPN_ROW_NOT_ASKED || !find_levels(group, reader, row)) return DPN_ROW_NOT_ASKED;
    if (lacks_person(query, row)) {
        *why_not = "a field of column %.100s, which tells persons apart, is missing";
        *column = query->person;
        return DPN_ROW_LOST;
    }
    *why_not = "a field of column %.100s is no number where a predicate needs one";
    if (verdict == DPN_ROW_LEFT_OUT) return verdict;
    *column = dpn_reader_read(reader, row, tally->number, tally->record);
    if (*column == SIZE_MAX) return DPN_ROW_USED;
    *why_not = "a field of column %.100s is missing or no number";
    return DPN_ROW_LEFT_OUT;
}

static inline const dpn_field *mark(dpn_tally *tally, const dpn_reader *reader, const dpn_field *row) {
    if (reader->query->declaration.nas == 0) return row;
    dpn_reader_mark_missing(reader, row, tally->marked);
    return tally->marked;
}

/* Where there is less memory than the limit says, what is there goes to the disk now; where there is as much, afterwards. */
static inline dpn_status keep(dpn_tally *tally, const dpn_query *query, const dpn_field *row, size_t group,
                              uint64_t hash, const int64_t *record, dpn_error *why) {
    if (!keep_hashed(tally, query, row, group, hash, record)) {
        if (!tally->shared->overflow || tally->memory.used == 0) return no_memory(why);
        dpn_status status = dpn_tally_spill(tally, why);
        if (status) return status;
        if (!keep_hashed(tally, query, row, group, hash, record)) return no_memory(why);
    }
    return tally->memory.full ? dpn_tally_spill(tally, why) : DPN_OK;
}

/* Nothing that a row holds is an error: whether it is used follows a rule that looks at this row alone. */
static dpn_status add_row(dpn_tally *tally, const dpn_reader *reader, const dpn_field *row, dpn_error *why) {
    const char *why_not;
    size_t group, column;
    row = mark(tally, reader, row);
    dpn_row_verdict verdict = examine(&group, &why_not, &column, tally, reader, row);
    if (verdict != DPN_ROW_USED) {
        if (verdict != DPN_ROW_LEFT_OUT || !reader->query->declaration.count_left_out) return DPN_OK;
        dpn_reader_leave_out(reader, tally->record);
    }
    uint64_t hash = 0;
    if (dpn_tally_has_persons(reader->query)) {
        dpn_field person = row[reader->query->person];
        hash = dpn_keyed_hash(&tally->shared->lottery.name, person.text, person.length);
    }
    return keep(tally, reader->query, row, group, hash, tally->record, why);
}

/* Rows that lie side by side, of a query that blocks serve. */
static dpn_status add_block(dpn_tally *tally, const dpn_reader *reader, const dpn_field *field, size_t rows,
                            dpn_error *why) {
    dpn_row_block block = {.record = tally->record};
    const dpn_query *query = reader->query;
    bool persons = dpn_tally_has_persons(query);
    dpn_status status = DPN_OK;
    size_t numbers = dpn_reader_record(reader);
    dpn_row_block_read(&block, reader, field, rows);
    if (query->known_keys && !persons) {
        dpn_row_block_add(&block, reader, &tally->sums);
        return DPN_OK;
    }
    if (persons) dpn_row_block_fetch(&block, query, &tally->persons, field);
    for (size_t i = 0; i < rows && !status; i++)
        if (block.group[i] != SIZE_MAX)
            status = keep(tally, query, field + i * query->columns, block.group[i], block.hash[i],
                          block.record + i * numbers, why);
    return status;
}

static dpn_status spoil(dpn_tally *tally, dpn_status status) {
    tally->spoiled = true;
    return status;
}

dpn_status dpn_tally_check_open(const dpn_tally *tally, dpn_error *why) {
    if (!tally) return dpn_fail(why, DPN_EDOMAIN, "the tally is missing");
    if (tally->spoiled) return dpn_fail(why, DPN_EDOMAIN, "the tally is of no more use: it failed or was merged");
    if (tally->settled) return dpn_fail(why, DPN_EDOMAIN, "the tally is settled: nothing can be added");
    return DPN_OK;
}

dpn_status dpn_tally_count_rows(dpn_tally *tally, uint64_t rows, dpn_error *why) {
    uint64_t most = tally->shared->reader.most_rows;
    if (rows > most - tally->rows)
        return spoil(tally, dpn_fail(why, DPN_EDOMAIN, "the table has more than %llu rows", (unsigned long long)most));
    tally->rows += rows;
    return DPN_OK;
}

dpn_status dpn_tally_add_rows(dpn_tally *tally, size_t rows, dpn_row_source *source, void *context, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status) status = dpn_tally_count_rows(tally, rows, why);
    if (status) return status;
    const dpn_reader *reader = &tally->shared->reader;
    for (size_t i = 0; i < rows && !status; i++) status = add_row(tally, reader, source(context, i), why);
    return status ? spoil(tally, status) : DPN_OK;
}

dpn_row_verdict dpn_tally_examine(size_t *group, const char **why_not, size_t *column, dpn_tally *tally,
                                  const dpn_field *row) {
    const dpn_reader *reader = &tally->shared->reader;
    return examine(group, why_not, column, tally, reader, mark(tally, reader, row));
}

/* Rows that lie in memory. */
typedef struct laid_out {
    const dpn_field *field;
    size_t columns;
} laid_out;

static const dpn_field *laid_out_row(void *context, size_t row) {
    const laid_out *self = context;
    return self->field + row * self->columns;
}

static dpn_status add_blocks(dpn_tally *tally, const dpn_field *field, size_t rows, dpn_error *why) {
    const dpn_reader *reader = &tally->shared->reader;
    dpn_status status = dpn_tally_count_rows(tally, rows, why);
    if (status) return status;
    for (size_t i = 0; i < rows && !status; i += DPN_ROW_BLOCK) {
        size_t block = rows - i < DPN_ROW_BLOCK ? rows - i : DPN_ROW_BLOCK;
        status = add_block(tally, reader, field + i * reader->query->columns, block, why);
    }
    return status ? spoil(tally, status) : DPN_OK;
}

dpn_status dpn_tally_rows(dpn_tally *tally, const dpn_field *field, size_t rows, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status && !field && rows > 0) status = dpn_fail(why, DPN_EDOMAIN, "the fields are missing");
    if (status) return status;
    const dpn_query *query = tally->shared->reader.query;
    if (dpn_row_block_serves(query)) return add_blocks(tally, field, rows, why);
    laid_out table = {field, query->columns};
    return dpn_tally_add_rows(tally, rows, laid_out_row, &table, why);
}

/* ---- Merging ---- */

/* Everything of `from`, whose group i is index[i] here; with known keys index is NULL. */
static bool absorb(dpn_tally *into, dpn_tally *from, const size_t *index) {
    const dpn_query *query = into->shared->reader.query;
    if (dpn_tally_has_persons(query) && !dpn_persons_absorb(&into->persons, &from->persons, index)) return false;
    if (!dpn_sums_reserve(&into->sums, index ? into->keys.names.count : query->groups)) return false;
    size_t theirs = index ? from->keys.names.count : query->groups;
    if (theirs > from->sums.room) theirs = from->sums.room; /* with persons, groups may have rows and no sums yet */
    for (size_t i = 0; i < theirs; i++) dpn_sums_add(&into->sums, index ? index[i] : i, &from->sums, i);
    return true;
}

static bool absorb_with_keys(dpn_tally *into, dpn_tally *from) {
    if (into->shared->reader.query->known_keys) return absorb(into, from, NULL);
    size_t *index = zeros(from->keys.names.count, sizeof *index);
    bool enough = index && dpn_keys_absorb(&into->keys, &from->keys, index) && absorb(into, from, index);
    free(index);
    return enough;
}

/* What both hold, with all that joining may need: keys that are in both tables, and tables that are larger. */
static bool fits_together(const dpn_tally *into, const dpn_tally *from) {
    const dpn_memory_limit *limit = &into->shared->limit;
    if (!limit->bytes) return true;
    size_t persons = into->persons.names.count + from->persons.names.count;
    size_t keys = into->keys.names.count + from->keys.names.count;
    size_t tables = 2 * (dpn_names_size(persons) + dpn_names_size(keys)) + dpn_sums_size(&into->sums, 2 * keys);
    size_t held = into->memory.used + from->memory.used + from->keys.arena.bytes;
    return held + tables <= dpn_memory_tables(limit);
}

/* What `from` has on the disk, and all that it has if the two do not fit in memory together. */
static dpn_status absorb_spilled(dpn_tally *into, dpn_tally *from, dpn_error *why) {
    dpn_status status = fits_together(into, from) ? DPN_OK : dpn_tally_spill(from, why);
    if (status) return status;
    if (!dpn_runs_absorb(&into->person_runs, &from->person_runs) || !dpn_runs_absorb(&into->key_runs, &from->key_runs))
        return no_memory(why);
    return DPN_OK;
}

dpn_status dpn_tally_merge(dpn_tally *into, dpn_tally *from, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(into, why);
    if (!status) status = dpn_tally_check_open(from, why);
    if (!status && (into == from || into->shared != from->shared))
        status = dpn_fail(why, DPN_EDOMAIN, "only a tally that was split from another can be merged with it");
    if (status) return status;
    spoil(from, DPN_OK);
    status = dpn_tally_count_rows(into, from->rows, why);
    if (status) return status;
    leave_limit(from);
    status = absorb_spilled(into, from, why);
    if (!status) status = absorb_with_keys(into, from) ? DPN_OK : no_memory(why);
    if (!status && into->memory.full) status = dpn_tally_spill(into, why);
    return status ? spoil(into, status) : DPN_OK;
}
