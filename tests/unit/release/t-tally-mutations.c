/* States of tallies with bytes changed, cut out, doubled, spliced from another state, and lengths that lie: a tally refuses them, says
 * why and is as it was; or takes them, and what it then writes is read as itself. A million in a long run. */
#include "unit/release/random-table.h"
#include "unit/points.h"

#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HEAD = 8 + 8 + 6 * 32 + 32, CHECK = 32, ROOM = 1 << 16 };

typedef struct bytes {
    unsigned char *at;
    size_t length;
} bytes;

static bytes written(dpn_tally *tally) {
    bytes out;
    dpn_error why;
    if (dpn_tally_write(&out.at, &out.length, tally, &why)) fail_msg("%s", why.sentence);
    return out;
}

static void discard(bytes *state) {
    dpn_tally_state_free(state->at, state->length);
}

static void seal(bytes state) {
    size_t length = state.length - CHECK;
    assert_int_equal(EVP_Digest(state.at, length, state.at + length, NULL, EVP_sha256(), NULL), 1);
}

/* ---- Mutations of what stands between the head and the check, and of the head now and then ---- */

typedef struct stretch {
    size_t begin, end;
} stretch;

static stretch draw_stretch(const bytes *state, draw_source *source) {
    size_t from = draw_chance(source, 0.02) ? 0 : HEAD, length = state->length - CHECK - from;
    if (length == 0) return (stretch){from, from};
    size_t begin = from + draw_bits(source) % length, most = state->length - CHECK - begin;
    size_t size = draw_chance(source, 0.8) ? 8 * (1 + draw_bits(source) % 4) : draw_bits(source) % (most + 1);
    return (stretch){begin, begin + (size < most ? size : most)};
}

static void change_bytes(bytes *state, draw_source *source) {
    for (uint64_t i = 1 + draw_bits(source) % 3; i > 0; i--) {
        size_t at = draw_stretch(state, source).begin;
        if (draw_chance(source, 0.7) && at >= 8) at = at / 8 * 8; /* often the lowest byte of a number */
        uint64_t byte = draw_chance(source, 0.5) ? state->at[at] + draw_bits(source) % 5 + 254 : draw_bits(source);
        state->at[at] = byte & 255;
    }
}

static void cut_out(bytes *state, draw_source *source) {
    stretch gone = draw_stretch(state, source);
    memmove(state->at + gone.begin, state->at + gone.end, state->length - gone.end);
    state->length -= gone.end - gone.begin;
}

static void insert(bytes *state, size_t at, const unsigned char *from, size_t length) {
    if (state->length + length > ROOM) return;
    memmove(state->at + at + length, state->at + at, state->length - at);
    memcpy(state->at + at, from, length);
    state->length += length;
}

static void put_twice(bytes *state, draw_source *source) {
    static unsigned char copy[ROOM];
    stretch twice = draw_stretch(state, source);
    memcpy(copy, state->at + twice.begin, twice.end - twice.begin);
    insert(state, twice.begin, copy, twice.end - twice.begin);
}

/* The begin of one and the end of the other; or a piece of the other put in, or put in place. */
static void splice(bytes *state, const bytes *other, draw_source *source) {
    stretch piece = draw_stretch(other, source);
    size_t at = draw_stretch(state, source).begin;
    uint64_t how = draw_bits(source) % 3;
    if (how == 0) {
        state->length = at;
        insert(state, at, other->at + piece.begin, other->length - piece.begin);
    } else if (how == 1) {
        insert(state, at, other->at + piece.begin, piece.end - piece.begin);
    } else if (at + (piece.end - piece.begin) + CHECK <= state->length) {
        memcpy(state->at + at, other->at + piece.begin, piece.end - piece.begin);
    }
}

/* Any eight bytes, most of them a number, become another number. */
static void lie_about_a_length(bytes *state, draw_source *source) {
    static const uint64_t lies[] = {0,
                                    1,
                                    2,
                                    255,
                                    256,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 36,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX - 7,
                                    UINT64_MAX};
    size_t at = draw_stretch(state, source).begin;
    if (at + 8 + CHECK > state->length) return;
    uint64_t number = 0;
    for (int i = 7; i >= 0; i--) number = number << 8 | state->at[at + (size_t)i];
    uint64_t how = draw_bits(source) % 4;
    if (how == 0) number = lies[draw_bits(source) % (sizeof lies / sizeof *lies)];
    if (how == 1) number += draw_bits(source) % 17 - 8;
    if (how == 2) number = state->length - at + draw_bits(source) % 33 - 16;
    if (how == 3) number = -number;
    for (size_t i = 0; i < 8; i++) state->at[at + i] = number >> 8 * i & 255;
}

static void mutate(bytes *state, const bytes *other, draw_source *source) {
    do switch (draw_bits(source) % 5) {
        case 0:
            change_bytes(state, source);
            break;
        case 1:
            cut_out(state, source);
            break;
        case 2:
            put_twice(state, source);
            break;
        case 3:
            splice(state, other, source);
            break;
        default:
            lie_about_a_length(state, source);
        }
    while (draw_chance(source, 0.3) && state->length > HEAD + CHECK);
    if (state->length < HEAD + CHECK) return;
    if (draw_chance(source, 0.98)) seal(*state);
}

/* ---- What becomes of them ---- */

static dpn_tally *empty_tally(const table_query *query) {
    static const dpn_tally_secret secret = {{7}};
    return table_open_with(query, &secret, 1);
}

/* What a tally writes that took a state: another one takes it and writes the same. */
static void assert_reads_as_itself(const table_query *query, dpn_tally *tally) {
    dpn_tally *again = empty_tally(query);
    bytes once = written(tally);
    dpn_error why;
    if (dpn_tally_add_state(again, once.at, once.length, &why)) fail_msg("%s", why.sentence);
    bytes twice = written(again);
    assert_int_equal(once.length, twice.length);
    assert_memory_equal(once.at, twice.at, once.length);
    discard(&once);
    discard(&twice);
    dpn_tally_free(again);
}

static bytes state_of(const table_query *query, draw_source *source) {
    random_table table;
    dpn_tally *tally = empty_tally(query);
    table_random(&table, source, query, 12, 3);
    table_add(tally, table.field, table.rows);
    bytes made = written(tally);
    assert_true(made.length < ROOM / 4);
    dpn_tally_free(tally);
    table_free(&table);
    return made;
}

typedef struct outcome {
    long taken, refused;
} outcome;

static outcome try_states(const table_query *query, long trials, draw_source *source) {
    bytes made = state_of(query, source), other = state_of(query, source);
    bytes changed = {malloc(ROOM), 0};
    assert_non_null(changed.at);
    dpn_tally *tally = empty_tally(query);
    bytes before = written(tally);
    outcome out = {0, 0};
    for (long i = 0; i < trials; i++) {
        memcpy(changed.at, made.at, made.length);
        changed.length = made.length;
        mutate(&changed, &other, source);
        bytes exact = {malloc(changed.length + (changed.length == 0)),
                       changed.length}; /* nothing behind its end may be read */
        assert_non_null(exact.at);
        memcpy(exact.at, changed.at, changed.length);
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_tally_add_state(tally, exact.at, exact.length, &why);
        free(exact.at);
        if (status) {
            assert_true(why.status == status && why.sentence[0] && status != DPN_ENOMEM);
            out.refused++;
            if (i % 8 > 0) continue;
            bytes after = written(tally);
            assert_int_equal(after.length, before.length);
            assert_memory_equal(after.at, before.at, before.length);
            discard(&after);
            continue;
        }
        out.taken++;
        assert_reads_as_itself(query, tally);
        dpn_tally_free(tally);
        tally = empty_tally(query);
    }
    discard(&made);
    discard(&other);
    discard(&before);
    free(changed.at);
    dpn_tally_free(tally);
    return out;
}

static void mutations_are_refused_or_make_sense(void **state) {
    (void)state;
    enum { KINDS = 8 };
    long trials = points(8000, 1000000);
    outcome all = {0, 0};
    draw_source source = {6};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        table_query query;
        do
            table_random_query(
                &query, &source,
                (table_options){
                    .persons = kind & 1, .unknown_keys = kind & 2, .skip = kind & 4, .left_out = kind == 7});
        while (query.query.declaration.bys == 0);
        query.query.declaration.wheres = 0;
        outcome some = try_states(&query, trials / KINDS, &source);
        all.taken += some.taken;
        all.refused += some.refused;
    }
    assert_int_equal(all.taken + all.refused, trials / KINDS * KINDS);
    assert_true(all.taken > trials / 200 && all.refused > trials / 2);
    print_message("# %ld states taken, %ld refused\n", all.taken, all.refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations_are_refused_or_make_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
