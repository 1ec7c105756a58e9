/* A tally as bytes. The same function is run twice: it counts the bytes, then writes them, so that no copy of exact sums is left
 * behind in memory that was too small. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/spill.h"
#include "release/tally/state.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int dpn_state_compare_names(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t shorter = a_length < b_length ? a_length : b_length;
    int sign = shorter > 0 ? memcmp(a, b, shorter) : 0;
    return sign ? sign : (a_length > b_length) - (a_length < b_length);
}

void dpn_state_secret(unsigned char out[DPN_DIGEST_SIZE], const dpn_tally *tally) {
    memset(out, 0, DPN_DIGEST_SIZE);
    if (!dpn_tally_has_persons(tally->shared->reader.query)) return;
    const dpn_tally_secret *secret = &tally->shared->lottery.secret;
    dpn_digest digest;
    dpn_digest_begin(&digest);
    dpn_digest_field(&digest, "secret", 6);
    dpn_digest_field(&digest, secret->byte, sizeof secret->byte);
    dpn_digest_end(out, &digest);
}

/* ---- Bytes ---- */

typedef struct writer {
    unsigned char *bytes; /* NULL: only count */
    size_t length;
} writer;

static void put(writer *out, const void *bytes, size_t length) {
    if (out->bytes && length > 0) memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

static void put_number(writer *out, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    put(out, bytes, sizeof bytes);
}

static void put_numbers(writer *out, const int64_t *number, size_t count) {
    for (size_t i = 0; i < count; i++) put_number(out, (uint64_t)number[i]);
}

static void put_text(writer *out, const char *text, size_t length) {
    put_number(out, length);
    put(out, text, length);
}

/* ---- What is written, in order ---- */

/* A person's rows in a group, and the place of that group in the state. */
typedef struct ranked {
    size_t rank;
    const dpn_share *share;
} ranked;

typedef struct listing {
    size_t *group; /* of this tally, in the order of the state */
    size_t groups;
    size_t *rank; /* the place in that order, by the number of the group */
    dpn_person **person;
    size_t persons;
    struct ranked *share; /* room for those of one person */
    uint64_t held;
} listing;

static void *zeros(size_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

static void listing_free(listing *list) {
    free(list->group);
    free(list->rank);
    free(list->person);
    free(list->share);
}

static int compare_persons(const void *a, const void *b) {
    const dpn_person *x = *(dpn_person *const *)a, *y = *(dpn_person *const *)b;
    return dpn_state_compare_names(dpn_person_name(x), x->name.length, dpn_person_name(y), y->name.length);
}

static int compare_shares(const void *a, const void *b) {
    size_t x = ((const ranked *)a)->rank, y = ((const ranked *)b)->rank;
    return (x > y) - (x < y);
}

/* All persons of whom rows are held; `used` tells the groups of these. */
static bool list_persons(listing *list, dpn_tally *tally, bool *used) {
    const dpn_names *names = &tally->persons.names;
    uint64_t most = 0;
    list->person = zeros(names->count, sizeof *list->person);
    if (!list->person) return false;
    for (size_t i = 0; i < names->slots; i++) {
        dpn_person *who = (dpn_person *)names->slot[i].item;
        if (!who || !who->share) continue;
        list->person[list->persons++] = who;
        if (who->shares > most) most = who->shares;
        for (dpn_share *share = who->share; share; share = share->next) {
            used[share->group] = true;
            list->held += share->rows;
            dpn_share_sort(&tally->persons, share);
        }
    }
    if (list->persons > 1) qsort(list->person, list->persons, sizeof *list->person, compare_persons);
    list->share = zeros((size_t)most, sizeof *list->share);
    return list->share != NULL;
}

static bool list_groups(listing *list, const dpn_tally *tally, const bool *used, size_t groups) {
    bool known = tally->shared->reader.query->known_keys;
    dpn_group_key **sorted = zeros(tally->keys.names.count, sizeof *sorted);
    list->group = zeros(groups, sizeof *list->group);
    list->rank = zeros(groups, sizeof *list->rank);
    bool enough = sorted && list->group && list->rank;
    if (enough) dpn_keys_sort(sorted, &tally->keys);
    for (size_t i = 0; i < groups && enough; i++) {
        size_t group = known ? i : sorted[i]->index;
        if (!known && !sorted[i]->summed && !used[group]) continue;
        list->rank[group] = list->groups;
        list->group[list->groups++] = group;
    }
    free(sorted);
    return enough;
}

static bool list_all(listing *list, dpn_tally *tally) {
    const dpn_query *query = tally->shared->reader.query;
    size_t groups = query->known_keys ? query->groups : tally->keys.names.count;
    bool *used = zeros(groups, sizeof *used);
    bool enough = used && list_persons(list, tally, used) && list_groups(list, tally, used, groups);
    free(used);
    return enough;
}

/* ---- Writing ---- */

static bool any(const int64_t *number, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (number[i]) return true;
    return false;
}

/* Whether the sums of a group are written: of declared groups if there is one that is not 0. */
static bool is_summed(const dpn_tally *tally, size_t group) {
    const dpn_sums *sums = &tally->sums;
    if (!tally->shared->reader.query->known_keys) return tally->keys.key[group]->summed;
    return any(dpn_sums_of(sums, group), sums->moments) || any(dpn_counts_of(sums, group), sums->counts);
}

static void put_group(writer *out, const dpn_tally *tally, size_t group) {
    const dpn_query *query = tally->shared->reader.query;
    for (size_t i = 0; i < query->declaration.bys && !query->known_keys; i++) {
        dpn_field text = dpn_tally_group_text(tally, group, i);
        put_text(out, text.text, text.length);
    }
    bool summed = is_summed(tally, group);
    put_number(out, summed);
    if (!summed) return;
    put_numbers(out, dpn_sums_of(&tally->sums, group), tally->sums.moments);
    put_numbers(out, dpn_counts_of(&tally->sums, group), tally->sums.counts);
}

static void put_person(writer *out, const dpn_tally *tally, const listing *list, const dpn_person *who) {
    size_t count = 0;
    for (const dpn_share *share = who->share; share; share = share->next)
        list->share[count++] = (ranked){list->rank[share->group], share};
    qsort(list->share, count, sizeof *list->share, compare_shares);
    put_text(out, dpn_person_name(who), who->name.length);
    put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        const dpn_share *share = list->share[i].share;
        put_number(out, list->share[i].rank);
        put_number(out, share->listed);
        for (const dpn_held_row *row = share->row; row; row = row->next) {
            put_number(out, row->copies);
            put_numbers(out, row->record, tally->shared->lottery.record);
        }
    }
}

static void put_all(writer *out, const dpn_tally *tally, const listing *list) {
    unsigned char secret[DPN_DIGEST_SIZE];
    dpn_tally_shape shape;
    dpn_state_secret(secret, tally);
    dpn_tally_shape_of(&shape, tally->shared->reader.query);
    put(out, DPN_STATE_MAGIC, DPN_STATE_MAGIC_SIZE);
    put_number(out, DPN_STATE_VERSION);
    put(out, shape.part, sizeof shape.part);
    put(out, secret, sizeof secret);
    put_number(out, tally->rows);
    put_number(out, list->held);
    put_number(out, list->groups);
    for (size_t i = 0; i < list->groups; i++) put_group(out, tally, list->group[i]);
    put_number(out, list->persons);
    for (size_t i = 0; i < list->persons; i++) put_person(out, tally, list, list->person[i]);
}

dpn_status dpn_tally_write(unsigned char **out, size_t *length, dpn_tally *tally, dpn_error *why) {
    dpn_status status = dpn_tally_check_open(tally, why);
    if (!status && (!out || !length)) status = dpn_fail(why, DPN_EDOMAIN, "there is no place for the state");
    if (status) return status;
    status = dpn_tally_unspill(tally, why); /* all of the state is in memory in any case */
    if (status) {
        tally->spoiled = true;
        return status;
    }
    listing list = {0};
    writer bytes = {0};
    if (list_all(&list, tally)) {
        put_all(&bytes, tally, &list);
        bytes.bytes = malloc(bytes.length + DPN_DIGEST_SIZE);
        bytes.length = 0;
    }
    if (bytes.bytes) {
        dpn_digest digest;
        put_all(&bytes, tally, &list);
        dpn_digest_begin(&digest);
        dpn_digest_add(&digest, bytes.bytes, bytes.length);
        dpn_digest_end(bytes.bytes + bytes.length, &digest);
        *out = bytes.bytes;
        *length = bytes.length + DPN_DIGEST_SIZE;
    } else {
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the state of the tally");
    }
    listing_free(&list);
    return status;
}

void dpn_tally_state_free(unsigned char *state, size_t length) {
    if (state) explicit_bzero(state, length);
    free(state);
}
