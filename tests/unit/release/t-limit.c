/* What is counted before memory is taken. Blocks of the file: a 1024th of the memory in whole blocks of the cipher, from 512 bytes to 64 kilobytes. */
#include "release/tally/limit.c" /* to see them */
#undef _DEFAULT_SOURCE
#include "release/tally/tally.c"
#define zeros zeros_again /* each file has its own */
#include "release/tally/settle.c"
#undef _DEFAULT_SOURCE
#include "release/tally/merge.c"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void blocks_are_small_parts_of_the_memory(void **state) {
    (void)state;
    for (size_t bytes = 1 << 12; bytes < (size_t)1 << 34; bytes += 1 + bytes / 17) {
        size_t block = block_of(bytes);
        assert_true(block % DPN_CIPHER_BLOCK_BYTES == 0 && block >= 512 && block <= 65536);
        if (block > 512) assert_true(block <= bytes / 1024);
        if (block < 65536) assert_true(block + DPN_CIPHER_BLOCK_BYTES > bytes / 1024);
    }
}

/* Two tallies are joined in memory if it has room for what both hold, for the texts of the keys of the second once more, for tables of all names that were just doubled, and for sums of
 * twice the keys: to the byte. Without a limit they always are. */
static void joining_needs_room_for_larger_tables(void **state) {
    (void)state;
    static dpn_tally_shared shared;
    static dpn_tally into, from;
    into.shared = from.shared = &shared;
    into.sums.moments = 3;
    into.sums.counts = 4;
    atomic_init(&shared.limit.holders, 1);
    for (size_t trial = 0; trial < 2000; trial++) {
        size_t of[4], arena = trial * 7919 % 5000;
        for (size_t i = 0; i < 4; i++) of[i] = trial * (31 + 10 * i) % (i == trial % 4 ? 1 : 700);
        into.persons.names.count = of[0];
        from.persons.names.count = of[1];
        into.keys.names.count = of[2];
        from.keys.names.count = of[3];
        into.memory.used = 100000 + trial * 101 % 30000;
        from.memory.used = trial * 211 % 50000;
        from.keys.arena.bytes = arena;
        size_t tables = dpn_names_size(of[0] + of[1]) + dpn_names_size(of[2] + of[3]);
        size_t sums = (of[2] + of[3]) * (3 + 4) * 8;
        size_t needed = into.memory.used + from.memory.used + arena + tables + tables + sums + sums;
        shared.limit.bytes = 2 * needed; /* of which tables take half */
        assert_true(fits_together(&into, &from));
        shared.limit.bytes = 2 * needed - 1;
        assert_false(fits_together(&into, &from));
        shared.limit.bytes = 0;
        assert_true(fits_together(&into, &from));
    }
}

/* The list of groups has for each of them itself, a text and its length by column, its place, a mark and its sums: as many as the memory has room for beside what is held and what the
 * rows of one person need. Declared groups are public, and are listed whatever they need. */
static void groups_are_listed_where_there_is_room(void **state) {
    (void)state;
    static dpn_tally_shared shared;
    static dpn_tally tally;
    static dpn_query query;
    tally.shared = &shared;
    shared.reader.query = &query;
    for (size_t bys = 0; bys < 4; bys++)
        for (size_t moments = 0; moments < 5; moments++)
            for (size_t groups = 0; groups < 50; groups += 7)
                for (size_t used = 0; used < 9000; used += 1777) {
                    query.declaration.bys = bys;
                    tally.sums.moments = moments;
                    tally.sums.counts = 2 * moments;
                    tally.keys.names.count = groups;
                    tally.memory.used = used;
                    size_t each = sizeof(dpn_group) + bys * (8 + 8) + 8 + 1 + 3 * moments * 8,
                           needed = used + groups * each;
                    size_t least = needed * 8 / 7; /* the first limit of which seven eighths are that much */
                    while (least - least / 8 < needed) least++;
                    while (least > 0 && least - 1 - (least - 1) / 8 >= needed) least--;
                    query.known_keys = false;
                    shared.limit.bytes = least > 0 ? least : 1;
                    assert_true(fits(&tally));
                    if (least < 2) continue;
                    shared.limit.bytes = least - 1;
                    assert_false(fits(&tally));
                    query.known_keys = true;
                    assert_true(fits(&tally));
                    query.known_keys = false;
                    shared.limit.bytes = 0;
                    assert_true(fits(&tally));
                }
}

/* Of the first runs as many are read at once as have room with a cursor, a block, the longest of their keys and the numbers for each: two at least. */
static void runs_are_read_while_there_is_room(void **state) {
    (void)state;
    enum { RUNS = 9 };
    draw_source source = {1};
    for (int trial = 0; trial < 5000; trial++) {
        dpn_run run[RUNS] = {0};
        dpn_overflow file = {.block = 512};
        dpn_runs runs = {
            .file = &file, .run = run, .numbers = draw_bits(&source) % 9, .count = draw_bits(&source) % (RUNS + 1)};
        for (size_t i = 0; i < RUNS; i++)
            run[i].longest = trial % 5 == 0 ? 0 : draw_bits(&source) % 3 ? draw_bits(&source) % 400 : 5;
        size_t expected = 0, longest = 0, memory = draw_bits(&source) % 9000;
        for (size_t count = 1; count <= runs.count; count++) {
            if (run[count - 1].longest > longest) longest = run[count - 1].longest;
            size_t each = sizeof(run_cursor) + 8 + 512 + longest + 8 * runs.numbers;
            if (trial % 3 == 0 && count == 4) memory = count * each - (size_t)(trial & 1); /* just enough, or not */
        }
        longest = 0;
        for (size_t count = 1; count <= runs.count; count++) {
            if (run[count - 1].longest > longest) longest = run[count - 1].longest;
            size_t each = sizeof(run_cursor) + 8 + 512 + longest + 8 * runs.numbers;
            if (count > 2 && count * each > memory) break;
            expected = count;
        }
        assert_int_equal(count_within(&runs, memory), expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_small_parts_of_the_memory), cmocka_unit_test(joining_needs_room_for_larger_tables),
        cmocka_unit_test(groups_are_listed_where_there_is_room), cmocka_unit_test(runs_are_read_while_there_is_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
