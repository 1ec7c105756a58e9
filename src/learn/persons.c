/* Whose rows these are. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/persons.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the persons");
}

/* ---- Ids ---- */

static bool make_room(dpn_person_ids *ids, size_t more) {
    if (ids->rows == ids->rows_room) {
        size_t room = ids->rows_room ? 2 * ids->rows_room : 1024;
        size_t *longer = realloc(ids->end, room * sizeof *longer);
        if (!longer) return false;
        ids->end = longer;
        ids->rows_room = room;
    }
    size_t used = ids->rows ? ids->end[ids->rows - 1] : 0;
    if (used + more <= ids->room) return true;
    size_t room = 2 * (used + more) + 1024;
    char *longer = realloc(ids->bytes, room);
    if (!longer) return false;
    ids->bytes = longer;
    ids->room = room;
    return true;
}

dpn_status dpn_person_ids_add(dpn_person_ids *ids, dpn_field person, dpn_error *why) {
    size_t length = person.text ? person.length : 0;
    if (!make_room(ids, length)) return no_memory(why);
    size_t used = ids->rows ? ids->end[ids->rows - 1] : 0;
    if (length > 0) memcpy(ids->bytes + used, person.text, length);
    ids->end[ids->rows++] = used + length;
    return DPN_OK;
}

void dpn_person_ids_free(dpn_person_ids *ids) {
    if (ids->bytes) explicit_bzero(ids->bytes, ids->room);
    free(ids->bytes);
    free(ids->end);
    *ids = (dpn_person_ids){0};
}

/* ---- Choosing ---- */

typedef struct owned {
    const char *bytes;
    size_t length, row;
} owned;

static int same_person(const owned *a, const owned *b) {
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    return a->length ? memcmp(a->bytes, b->bytes, a->length) : 0;
}

static int by_person(const void *one, const void *other) {
    const owned *a = one, *b = other;
    int order = same_person(a, b);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Uniform on 0 .. count-1: words beyond the last whole multiple are drawn again. */
static dpn_status below(size_t *out, uint64_t count, dpn_rng *rng, dpn_error *why) {
    uint64_t word = 0, most = UINT64_MAX - UINT64_MAX % count;
    dpn_status status = DPN_OK;
    do status = dpn_rng_words(&word, rng, 1, why);
    while (!status && word >= most);
    *out = (size_t)(word % count);
    return status;
}

/* The first `most` of a person's rows in a random order. */
static dpn_status choose(bool *kept, owned *of, size_t count, uint64_t most, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < count && i < most && !status; i++) {
        size_t at = 0;
        if (count > most) status = below(&at, count - i, rng, why);
        owned chosen = of[i + at];
        of[i + at] = of[i];
        of[i] = chosen;
        kept[chosen.row] = true;
    }
    return status;
}

static dpn_status choose_all(bool *kept, owned *of, const dpn_person_ids *ids, uint64_t most, dpn_rng *rng,
                             dpn_error *why) {
    for (size_t r = 0; r < ids->rows; r++) {
        size_t begin = r ? ids->end[r - 1] : 0;
        of[r] = (owned){ids->bytes + begin, ids->end[r] - begin, r};
    }
    qsort(of, ids->rows, sizeof *of, by_person);
    dpn_status status = DPN_OK;
    for (size_t first = 0, next = 0; first < ids->rows && !status; first = next) {
        while (next < ids->rows && same_person(&of[first], &of[next]) == 0) next++;
        status = choose(kept, of + first, next - first, most, rng, why);
    }
    return status;
}

static dpn_status keep(dpn_rows *rows, const bool *kept, dpn_error *why) {
    dpn_rows left = {.columns = rows->columns};
    int32_t *step = malloc(rows->columns * sizeof *step);
    dpn_status status = step ? DPN_OK : no_memory(why);
    for (size_t r = 0; r < rows->count && !status; r++) {
        if (!kept[r]) continue;
        for (size_t c = 0; c < rows->columns; c++)
            step[c] = dpn_rows_column(rows, r / DPN_ROWS_A_BLOCK, c)[r % DPN_ROWS_A_BLOCK];
        status = dpn_rows_add(&left, step, why);
    }
    if (step) explicit_bzero(step, rows->columns * sizeof *step);
    free(step);
    dpn_rows gone = status ? left : *rows;
    if (!status) *rows = left;
    dpn_rows_free(&gone);
    return status;
}

dpn_status dpn_rows_of_persons(dpn_rows *rows, const dpn_person_ids *ids, uint64_t most, dpn_rng *rng, dpn_error *why) {
    if (ids->rows == 0) return DPN_OK;
    bool *kept = calloc(ids->rows, sizeof *kept);
    owned *of = malloc(ids->rows * sizeof *of);
    dpn_status status = kept && of ? choose_all(kept, of, ids, most, rng, why) : no_memory(why);
    if (!status) status = keep(rows, kept, why);
    free(kept);
    free(of);
    return status;
}

/* ---- What each row may have ---- */

void dpn_group_shares(double *epsilon, double *delta, uint64_t most) {
    if (most <= 1) return;
    const double down = 1 - 1e-12; /* more than all roundings below */
    double whole = *epsilon, each = whole / (double)most * down;
    *epsilon = each;
    *delta = *delta * (expm1(each) / expm1(whole)) * down; /* 0 where the quotient is, or is no number */
    if (!(*delta >= 0)) *delta = 0;
}
