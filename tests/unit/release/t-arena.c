/* Memory for keys and persons: pieces that do not overlap, chunks as large as they are said to be, and every byte counted in and out. */
#include "release/tally/arena.c" /* to see its chunks */

#include "release/tally/names.h"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { PIECES = 4000 };

static size_t bytes_in_chunks(const dpn_arena *arena, size_t *count) {
    size_t bytes = 0;
    *count = 0;
    for (const dpn_chunk *chunk = arena->chunk; chunk; chunk = chunk->before, ++*count)
        bytes += sizeof *chunk + chunk->size;
    return bytes;
}

static bool is_inside(const dpn_arena *arena, const char *piece, size_t size) {
    for (const dpn_chunk *chunk = arena->chunk; chunk; chunk = chunk->before)
        if (piece >= chunk->memory && piece + size <= chunk->memory + chunk->size) return true;
    return false;
}

/* ---- Pieces ---- */

static void pieces_are_apart(void **state) {
    (void)state;
    draw_source source = {1};
    for (int kind = 0; kind < 3; kind++) {
        dpn_memory_limit limit = {0};
        dpn_memory memory = {.limit = &limit}, other_memory = {.limit = &limit};
        dpn_arena arena = {.memory = &memory}, other = {.memory = &other_memory};
        static unsigned char *piece[PIECES];
        static size_t size[PIECES];
        size_t asked = 0, chunks;
        for (size_t i = 0; i < PIECES; i++) {
            dpn_arena *from = kind == 2 && i % 3 == 0 ? &other : &arena;
            size[i] =
                kind == 0 ? 1 + (size_t)draw_uniform(&source, 0, 60) : (size_t)draw_log_uniform(&source, 1, 20000);
            piece[i] = dpn_arena_take(from, size[i]);
            assert_true(piece[i] && (uintptr_t)piece[i] % alignof(max_align_t) == 0);
            assert_true(is_inside(from, (char *)piece[i], size[i]));
            memset(piece[i], (int)(i % 251), size[i]);
            asked += size[i];
        }
        if (kind == 2) dpn_arena_absorb(&arena, &other);
        assert_true(!other.chunk && other.bytes == 0 && other.left == 0 && other_memory.used == 0);
        for (size_t i = 0; i < PIECES; i++)
            for (size_t k = 0; k < size[i]; k++) assert_true(piece[i][k] == i % 251);
        assert_true(bytes_in_chunks(&arena, &chunks) == arena.bytes && memory.used == arena.bytes);
        assert_true(arena.bytes >= asked && arena.bytes <= 3 * asked + 8 * LEAST); /* as chunks that double have it */
        if (kind == 0) assert_true(chunks <= 8);                                   /* 4, 8, ..., 512 kilobytes */
        dpn_arena_free(&arena);
        assert_true(memory.used == 0 && !arena.chunk && arena.bytes == 0 && arena.memory == &memory);
        dpn_arena_free(&arena);
    }
}

/* The first has 4 kilobytes, each has twice as many as the one before, up to a large page with its head. */
static void chunks_double(void **state) {
    (void)state;
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    dpn_arena arena = {.memory = &memory};
    size_t expected = 4096;
    const dpn_chunk *last = NULL;
    for (size_t taken = 0; taken < 8u << 20; taken += 64) {
        assert_non_null(dpn_arena_take(&arena, 64));
        if (arena.chunk == last) continue;
        last = arena.chunk;
        assert_int_equal(last->size, expected);
        expected =
            2 * expected < DPN_LARGE_PAGE - sizeof(dpn_chunk) ? 2 * expected : DPN_LARGE_PAGE - sizeof(dpn_chunk);
    }
    assert_int_equal(last->size, DPN_LARGE_PAGE - sizeof(dpn_chunk));
    dpn_arena_free(&arena);
}

/* A piece of more than a quarter of what the next chunk would have gets one for itself; the others go on where they were. */
static void large_pieces_have_their_own_chunk(void **state) {
    (void)state;
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    dpn_arena arena = {.memory = &memory};
    assert_non_null(dpn_arena_take(&arena, 1024)); /* a quarter of the first */
    assert_true(arena.chunk->size == 4096 && arena.left == 3072);
    const char *next = arena.next;
    assert_non_null(dpn_arena_take(&arena, 3073)); /* 3088, beyond a quarter of 8192 */
    assert_true(arena.chunk->size == 3088 && arena.left == 3072 && arena.next == next);
    assert_ptr_equal(dpn_arena_take(&arena, 3072), next);
    assert_true(arena.left == 0);
    assert_non_null(dpn_arena_take(&arena, 2048)); /* a quarter of the next */
    assert_true(arena.chunk->size == 8192 && arena.left == 6144);
    assert_non_null(dpn_arena_take(&arena, 6145));
    assert_true(arena.chunk->size == 6160 && arena.left == 6144);
    size_t used = memory.used;
    assert_null(dpn_arena_take(&arena, SIZE_MAX));
    assert_null(dpn_arena_take(&arena, SIZE_MAX - 8));
    assert_null(dpn_arena_take(&arena, SIZE_MAX - 16));
    assert_true(memory.used == used && arena.left == 6144);
    dpn_arena_free(&arena);
    dpn_arena first = {.memory = &memory};
    assert_non_null(dpn_arena_take(&first, 1025));
    assert_true(first.chunk->size == 1040 && first.left == 0 && first.size == 0);
    dpn_arena_free(&first);
}

/* A 64th of what tables may take, and no less than the first chunk. */
static void chunks_are_small_parts_of_a_limit(void **state) {
    (void)state;
    for (size_t holders = 1; holders <= 4; holders *= 2)
        for (size_t bytes = 1 << 16; bytes <= (size_t)1 << 30; bytes *= 4) {
            dpn_memory_limit limit = {.bytes = bytes, .holders = holders};
            dpn_memory memory = {.limit = &limit};
            dpn_arena arena = {.memory = &memory};
            size_t part = bytes / 2 / holders / 64, page = DPN_LARGE_PAGE - sizeof(dpn_chunk);
            assert_int_equal(most_of(&arena), part < 4096 ? 4096 : part > page ? page : part);
        }
    dpn_memory_limit limit = {.bytes = 1 << 22, .holders = 1};
    dpn_memory memory = {.limit = &limit};
    dpn_arena arena = {.memory = &memory};
    size_t taken = 0;
    for (; !memory.full; taken += 64) assert_non_null(dpn_arena_take(&arena, 64));
    assert_true(taken <= 1 << 21 && taken > (1 << 21) * 15 / 16); /* half of it, and little of that is empty */
    assert_int_equal(arena.size, 1 << 15);
    dpn_arena_free(&arena);
}

/* ---- Limits ---- */

static void memory_is_full_beyond_its_half(void **state) {
    (void)state;
    for (size_t holders = 1; holders <= 3; holders++) {
        dpn_memory_limit limit = {.bytes = 6000, .holders = holders};
        size_t most = 3000 / holders;
        assert_true(dpn_memory_tables(&limit) == most && dpn_memory_merge(&limit) == 1500 &&
                    dpn_memory_rows(&limit) == 750);
        for (size_t used = 0; used <= most + 1; used++)
            for (size_t more = 0; more < 3; more++) {
                dpn_memory memory = {.limit = &limit, .used = used}, grown = memory, expected = memory;
                dpn_memory_expect(&expected, used > most ? 0 : most - used + more);
                assert_true(expected.full == (more > 0 || used > most) && expected.used == used);
                dpn_memory_grow(&grown, more);
                assert_true(grown.used == used + more && grown.full == (used + more > most));
                dpn_memory_shrink(&grown, more);
                assert_int_equal(grown.used, used);
            }
    }
    dpn_memory_limit none = {0};
    dpn_memory memory = {.limit = &none};
    dpn_memory_grow(&memory, SIZE_MAX / 2);
    dpn_memory_expect(&memory, SIZE_MAX);
    assert_false(memory.full);
}

/* ---- Tables of names ---- */

typedef struct item {
    dpn_name name;
    size_t number;
} item;

/* The least power of two from 16 on of which three quarters are so many. */
static size_t slots_for(size_t count) {
    size_t slots = 16;
    while (slots / 4 * 3 < count) slots *= 2;
    return slots;
}

static void tables_are_three_quarters_full_at_most(void **state) {
    (void)state;
    dpn_memory_limit limit = {0};
    for (size_t count = 0; count < 400; count++) {
        dpn_memory memory = {.limit = &limit};
        dpn_names names = {.item_size = sizeof(item), .memory = &memory};
        assert_int_equal(dpn_names_size(count), slots_for(count) * sizeof(dpn_name_slot));
        assert_true(dpn_names_reserve(&names, count));
        assert_int_equal(names.slots, count ? slots_for(count) : 0);
        if (count) assert_int_equal((uint64_t)1 << (64 - names.shift), names.slots);
        assert_int_equal(memory.used, names.slots * sizeof(dpn_name_slot));
        dpn_names_free(&names);
        assert_true(memory.used == 0 && names.slots == 0 && names.item_size == sizeof(item) && names.memory == &memory);
    }
    dpn_memory memory = {.limit = &limit};
    dpn_names names = {.item_size = sizeof(item), .memory = &memory};
    assert_false(dpn_names_reserve(&names, SIZE_MAX));
    assert_false(dpn_names_reserve(&names, SIZE_MAX / 16));
    assert_true(names.slots == 0 && memory.used == 0);
}

/* One after the other, with hashes that are alike and at the very end of the table, where the search goes on at its beginning. */
static void names_are_found_and_sorted(void **state) {
    (void)state;
    enum { NAMES = 600 };
    static const uint64_t hashes[] = {0, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, UINT64_C(0xf000000000000000)};
    draw_source source = {2};
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    dpn_arena arena = {.memory = &memory};
    dpn_names names = {.item_size = sizeof(item), .memory = &memory};
    char text[NAMES][32];
    uint64_t hash[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        bool fresh = false;
        snprintf(text[i], sizeof text[i], "%.*s%zu", (int)(i % 17), "aaaaaaaaaaaaaaaaa", i);
        hash[i] = i % 3 ? draw_bits(&source) : hashes[i / 3 % 5];
        item *made = (item *)dpn_names_get(&names, &arena, hash[i], text[i], strlen(text[i]), &fresh);
        assert_true(made && fresh && made->number == 0 && made->name.hash == hash[i]);
        made->number = i + 1;
        assert_true(names.count == i + 1 && names.slots == slots_for(i + 1));
        assert_int_equal(memory.used, arena.bytes + names.slots * sizeof(dpn_name_slot));
    }
    for (size_t i = 0; i < NAMES; i++) {
        bool fresh = true;
        item *found = (item *)dpn_names_get(&names, &arena, hash[i], text[i], strlen(text[i]), &fresh);
        assert_true(found && !fresh && found->number == i + 1);
        const item *fetched = (const item *)dpn_names_fetch_item(&names, hash[i]);
        assert_true(fetched && fetched->name.hash == hash[i]);
    }
    assert_null(dpn_names_fetch_item(&names, 12345));
    dpn_names_sort(&names);
    bool seen[NAMES] = {false};
    for (size_t i = 0; i < NAMES; i++) {
        const item *here = (const item *)names.slot[i].item, *before = i ? (const item *)names.slot[i - 1].item : NULL;
        seen[here->number - 1] = true;
        if (!before) continue;
        const char *a = text[before->number - 1], *b = text[here->number - 1];
        bool less = before->name.hash != here->name.hash ? before->name.hash < here->name.hash
                    : strlen(a) != strlen(b)             ? strlen(a) < strlen(b)
                                                         : strcmp(a, b) < 0;
        assert_true(less);
    }
    for (size_t i = 0; i < NAMES; i++) assert_true(seen[i]);
    dpn_names_free(&names);
    dpn_arena_free(&arena);
    assert_true(memory.used == 0);
}

/* A table that is full will be twice as large with the next name: that is said before. */
static void what_the_next_name_takes_is_expected(void **state) {
    (void)state;
    for (size_t limit_bytes = 2048; limit_bytes < 1 << 16; limit_bytes += 1333) {
        dpn_memory_limit none = {0}, limit = {.bytes = limit_bytes, .holders = 1};
        dpn_memory apart = {.limit = &none}, memory = {.limit = &limit};
        dpn_arena arena = {.memory = &apart};
        dpn_names names = {.item_size = sizeof(item), .memory = &memory};
        for (size_t i = 0; i < 1500; i++) {
            bool fresh;
            assert_non_null(dpn_names_get(&names, &arena, i * UINT64_C(0x9e3779b97f4a7c15), "x", 1, &fresh));
            size_t own = names.slots * sizeof(dpn_name_slot);
            bool last = i + 1 == names.slots / 4 * 3;
            bool full = own > limit_bytes / 2 || (last && 3 * own > limit_bytes / 2);
            if (memory.full != full) fail_msg("%zu names in %zu bytes", i + 1, limit_bytes);
            if (full) break;
        }
        assert_true(memory.full);
        dpn_names_free(&names);
        dpn_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_apart),
        cmocka_unit_test(chunks_double),
        cmocka_unit_test(large_pieces_have_their_own_chunk),
        cmocka_unit_test(chunks_are_small_parts_of_a_limit),
        cmocka_unit_test(memory_is_full_beyond_its_half),
        cmocka_unit_test(tables_are_three_quarters_full_at_most),
        cmocka_unit_test(names_are_found_and_sorted),
        cmocka_unit_test(what_the_next_name_takes_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
