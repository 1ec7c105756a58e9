/* The state of a tally, from bytes that anybody may have written: all is checked before anything is added. */
#include "release/tally/bounds.h"
#include "release/tally/state.h"

#include "base/error.h"
#include "base/text/hex.h"

#include <stdlib.h>
#include <string.h>

/* ---- Bytes ---- */

typedef struct cursor {
    const unsigned char *at;
    size_t left;
    dpn_error *why;
} cursor;

static dpn_status damaged(const cursor *in, const char *what) {
    return dpn_fail(in->why, DPN_EPARSE, "the state of a tally is damaged: %s", what);
}

static bool take(const unsigned char **out, cursor *in, size_t length) {
    if (length > in->left) return false;
    *out = in->at;
    in->at += length;
    in->left -= length;
    return true;
}

static bool take_number(uint64_t *out, cursor *in) {
    const unsigned char *bytes;
    if (!take(&bytes, in, 8)) return false;
    *out = 0;
    for (int i = 7; i >= 0; i--) *out = *out << 8 | bytes[i];
    return true;
}

static bool take_numbers(int64_t *out, cursor *in, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        if (!take_number(&number, in)) return false;
        memcpy(&out[i], &number, sizeof number);
    }
    return true;
}

static bool take_text(dpn_field *out, cursor *in) {
    uint64_t length;
    const unsigned char *bytes;
    if (!take_number(&length, in) || length > in->left || !take(&bytes, in, (size_t)length)) return false;
    *out = (dpn_field){(const char *)bytes, (size_t)length};
    return true;
}

/* ---- The head ---- */

static dpn_status check_bytes(cursor *in) {
    const unsigned char *magic;
    uint64_t version;
    unsigned char made[DPN_DIGEST_SIZE];
    const unsigned char *begin = in->at;
    size_t length = in->left;
    if (!take(&magic, in, DPN_STATE_MAGIC_SIZE) || memcmp(magic, DPN_STATE_MAGIC, DPN_STATE_MAGIC_SIZE) != 0)
        return dpn_fail(in->why, DPN_EPARSE, "this is not the state of a tally");
    if (!take_number(&version, in)) return damaged(in, "it is cut off");
    if (version != DPN_STATE_VERSION)
        return dpn_fail(in->why, DPN_EUNSUPPORTED, "the state of a tally has version %llu, and this library reads %d",
                        (unsigned long long)version, DPN_STATE_VERSION);
    if (in->left < DPN_DIGEST_SIZE) return damaged(in, "it is cut off");
    in->left -= DPN_DIGEST_SIZE;
    dpn_digest digest;
    dpn_digest_begin(&digest);
    dpn_digest_add(&digest, begin, length - DPN_DIGEST_SIZE);
    dpn_digest_end(made, &digest);
    return memcmp(made, begin + length - DPN_DIGEST_SIZE, sizeof made) == 0 ? DPN_OK
                                                                            : damaged(in, "its check does not fit");
}

static dpn_status check_shape(cursor *in, const dpn_tally *tally) {
    dpn_tally_shape ours;
    unsigned char secret[DPN_DIGEST_SIZE];
    const unsigned char *theirs;
    dpn_tally_shape_of(&ours, tally->shared->reader.query);
    for (size_t i = 0; i < DPN_SHAPE_PARTS; i++) {
        if (!take(&theirs, in, DPN_DIGEST_SIZE)) return damaged(in, "it is cut off");
        if (memcmp(theirs, ours.part[i], DPN_DIGEST_SIZE) != 0)
            return dpn_fail(in->why, DPN_EDOMAIN, "the state is that of another query: its %s differ",
                            dpn_tally_shape_word(i));
    }
    dpn_state_secret(secret, tally);
    if (!take(&theirs, in, DPN_DIGEST_SIZE)) return damaged(in, "it is cut off");
    if (memcmp(theirs, secret, sizeof secret) != 0)
        return dpn_fail(in->why, DPN_EDOMAIN,
                        "the state was made with another secret: its persons were cut by other lots");
    return DPN_OK;
}

/* ---- Groups ---- */

typedef struct loading {
    dpn_tally *part;
    uint64_t held; /* rows of persons that are still to come */
    uint64_t groups;
    int64_t *record; /* one, and the one before it */
    dpn_field *key;  /* of one group */
} loading;

/* The group with the next key, which is a later one than those before. */
static dpn_status read_key(size_t *group, cursor *in, loading *to) {
    dpn_tally *part = to->part;
    size_t bys = part->shared->reader.query->declaration.bys, before = part->keys.names.count;
    for (size_t i = 0; i < bys; i++) {
        if (!take_text(&to->key[i], in)) return damaged(in, "a key is cut off");
        const dpn_levels *levels = &part->shared->reader.levels[i];
        if (levels->slot && dpn_levels_find(levels, to->key[i]) == SIZE_MAX)
            return damaged(in, "a key is not among the declared levels");
    }
    const dpn_group_key *key = dpn_keys_put(&part->keys, to->key, bys);
    if (!key) return dpn_fail(in->why, DPN_ENOMEM, "no memory for the state of a tally");
    if (!key->usable) return damaged(in, "a key is not UTF-8, or has a NUL byte");
    if (key->index != before || (before > 0 && dpn_keys_compare(part->keys.key[before - 1], key) >= 0))
        return damaged(in, "its keys are not in order");
    *group = key->index;
    return DPN_OK;
}

static dpn_status read_group(cursor *in, loading *to, size_t group, uint64_t rows) {
    dpn_tally *part = to->part;
    const dpn_reader *reader = &part->shared->reader;
    dpn_status status = reader->query->known_keys ? DPN_OK : read_key(&group, in, to);
    uint64_t summed;
    const char *what;
    if (status) return status;
    if (!take_number(&summed, in) || summed > 1) return damaged(in, "a group is cut off");
    if (!summed) return DPN_OK;
    if (!dpn_sums_reserve(&part->sums, group + 1))
        return dpn_fail(in->why, DPN_ENOMEM, "no memory for the state of a tally");
    if (!reader->query->known_keys) part->keys.key[group]->summed = true;
    int64_t *sum = dpn_sums_of(&part->sums, group), *count = dpn_counts_of(&part->sums, group);
    if (!take_numbers(sum, in, part->sums.moments) || !take_numbers(count, in, part->sums.counts))
        return damaged(in, "the sums of a group are cut off");
    if (!dpn_sums_possible(&what, reader, rows, sum, count))
        return dpn_fail(in->why, DPN_EPARSE, "the state of a tally is damaged: %s cannot be that of its rows", what);
    return DPN_OK;
}

/* ---- Persons ---- */

static bool ascends(const int64_t *before, const int64_t *after, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (before[i] != after[i]) return before[i] < after[i];
    return false;
}

static dpn_status read_rows(cursor *in, loading *to, dpn_field person, uint64_t group) {
    const dpn_reader *reader = &to->part->shared->reader;
    size_t numbers = dpn_reader_record(reader);
    int64_t *before = to->record, *now = to->record + numbers;
    uint64_t entries, copies;
    if (!take_number(&entries, in) || entries == 0) return damaged(in, "a person's group has no rows");
    if (to->part->shared->lottery.totals && entries > 1) return damaged(in, "a person has two totals in a group");
    for (uint64_t i = 0; i < entries; i++) {
        if (!take_number(&copies, in) || !take_numbers(now, in, numbers)) return damaged(in, "a row is cut off");
        if (copies == 0 || copies > to->held) return damaged(in, "it has more rows of persons, or fewer, than it says");
        if (!dpn_record_possible(reader, now, copies)) return damaged(in, "a row is out of bounds");
        if (i > 0 && !ascends(before, now, numbers)) return damaged(in, "its rows are not in order");
        to->held -= copies;
        if (!dpn_persons_add(&to->part->persons, person.text, person.length, (size_t)group, now, copies))
            return dpn_fail(in->why, DPN_ENOMEM, "no memory for the state of a tally");
        memcpy(before, now, numbers * sizeof *now);
    }
    return DPN_OK;
}

static dpn_status read_person(cursor *in, loading *to, dpn_field *before) {
    dpn_field person;
    uint64_t shares, group, last = 0;
    if (!take_text(&person, in) || dpn_field_blank(person)) return damaged(in, "a person has no name");
    if (before->text && dpn_state_compare_names(before->text, before->length, person.text, person.length) >= 0)
        return damaged(in, "its persons are not in order");
    if (!take_number(&shares, in) || shares == 0 || shares > to->part->shared->lottery.max_groups)
        return damaged(in, "a person is in no group or in too many");
    for (uint64_t i = 0; i < shares; i++) {
        if (!take_number(&group, in) || group >= to->groups || (i > 0 && group <= last))
            return damaged(in, "a person is in a group that is not there, or twice");
        dpn_status status = read_rows(in, to, person, group);
        if (status) return status;
        last = group;
    }
    *before = person;
    return DPN_OK;
}

/* ---- All of it ---- */

static dpn_status read_all(cursor *in, loading *to) {
    const dpn_reader *reader = &to->part->shared->reader;
    const dpn_query *query = reader->query;
    uint64_t rows, persons;
    if (!take_number(&rows, in) || !take_number(&to->held, in) || !take_number(&to->groups, in))
        return damaged(in, "it is cut off");
    if (rows > reader->most_rows || to->held > rows) return damaged(in, "it has more rows than there can be");
    if (query->known_keys && to->groups != query->groups) return damaged(in, "it has not as many groups as the query");
    dpn_status status = DPN_OK;
    uint64_t summed = rows - to->held;
    for (uint64_t i = 0; i < to->groups && !status; i++) status = read_group(in, to, (size_t)i, summed);
    if (status) return status;
    if (!take_number(&persons, in)) return damaged(in, "it is cut off");
    if (persons > 0 && !dpn_tally_has_persons(query)) return damaged(in, "it has persons, and the query has none");
    dpn_field before = {NULL, 0};
    for (uint64_t i = 0; i < persons && !status; i++) status = read_person(in, to, &before);
    if (status) return status;
    if (to->held > 0) return damaged(in, "it has more rows of persons, or fewer, than it says");
    if (in->left > 0) return damaged(in, "something follows its end");
    to->part->rows = rows;
    return DPN_OK;
}

static dpn_status load(cursor *in, dpn_tally *part) {
    size_t numbers = dpn_reader_record(&part->shared->reader), bys = part->shared->reader.query->declaration.bys;
    loading to = {.part = part};
    to.record = calloc(2 * numbers + 1, sizeof *to.record);
    to.key = calloc(bys + 1, sizeof *to.key);
    dpn_status status =
        to.record && to.key ? read_all(in, &to) : dpn_fail(in->why, DPN_ENOMEM, "no memory for the state of a tally");
    free(to.record);
    free(to.key);
    return status;
}

/* All that a state holds, as a tally that was split from `tally`, which can take it. What is known before a charge and what is added after
 * it go through here, so that the second cannot refuse what the first has let pass. */
static dpn_status read_state(dpn_tally **out, const dpn_tally *tally, const unsigned char *state, size_t length,
                             dpn_error *why) {
    cursor in = {state, length, why};
    dpn_tally *part = NULL;
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status && !state) status = dpn_fail(why, DPN_EDOMAIN, "the state is missing");
    if (!status) status = check_bytes(&in);
    if (!status) status = check_shape(&in, tally);
    if (!status) status = dpn_tally_split(&part, tally, why);
    if (!status) status = load(&in, part);
    if (!status && part->rows > tally->shared->reader.most_rows - tally->rows)
        status = dpn_fail(why, DPN_EDOMAIN, "the table has more than %llu rows",
                          (unsigned long long)tally->shared->reader.most_rows);
    if (status)
        dpn_tally_free(part);
    else
        *out = part;
    return status;
}

dpn_status dpn_tally_check_state(char name[DPN_TALLY_STATE_NAME_SIZE], const dpn_tally *tally,
                                 const unsigned char *state, size_t length, dpn_error *why) {
    dpn_tally *part;
    dpn_status status = read_state(&part, tally, state, length, why);
    if (status) return status;
    dpn_tally_free(part);
    dpn_hex_write(name, state + length - DPN_DIGEST_SIZE, DPN_DIGEST_SIZE);
    return DPN_OK;
}

dpn_status dpn_tally_add_state(dpn_tally *tally, const unsigned char *state, size_t length, dpn_error *why) {
    dpn_tally *part;
    dpn_status status = read_state(&part, tally, state, length, why);
    if (status) return status;
    status = dpn_tally_merge(tally, part, why);
    dpn_tally_free(part);
    return status;
}
