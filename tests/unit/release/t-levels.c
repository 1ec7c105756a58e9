/* Levels found by their bytes, against a plain search: texts of all lengths, in tables of all sizes, beside others that are nearly the same. */
#include "release/tally/levels.c" /* to see where searches end */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST = 1500, TEXT = 40 };

static size_t plain_search(char *const *text, size_t count, dpn_field field) {
    for (size_t i = 0; i < count; i++)
        if (strlen(text[i]) == field.length && memcmp(text[i], field.text, field.length) == 0) return i;
    return SIZE_MAX;
}

/* The longest way from where a level belongs to where it is. */
static size_t longest_search(const dpn_levels *levels) {
    size_t longest = 0;
    for (size_t i = 0; i <= levels->mask; i++) {
        const dpn_level *level = &levels->slot[i];
        size_t home;
        if (!level->text) continue;
        (void)level_of(level->text, level->length, levels->seed, &home);
        size_t way = (i - home) & levels->mask;
        if (way > longest) longest = way;
    }
    return longest;
}

static void levels_are_found_by_their_bytes(void **state) {
    (void)state;
    static char room[MOST][TEXT], *text[MOST];
    draw_source source = {1};
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 100, 999, 1000, 1500};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        size_t count = 0;
        while (count < counts[c]) {
            size_t length = (size_t)draw_uniform(&source, 0, counts[c] < 20 ? 36 : 30);
            for (size_t i = 0; i < length; i++)
                room[count][i] = (char)('a' + (char)draw_uniform(&source, 0, draw_chance(&source, 0.5) ? 2 : 20));
            room[count][length] = '\0';
            text[count] = room[count];
            if (plain_search(text, count, (dpn_field){text[count], length}) == SIZE_MAX) count++;
        }
        dpn_levels levels;
        assert_true(dpn_levels_make(&levels, text, count));
        size_t size = levels.mask + 1;
        assert_true((size & levels.mask) == 0 && size >= 4 * count && (size == 4 || size < 8 * count));
        size_t taken = 0;
        for (size_t i = 0; i < size; i++) taken += levels.slot[i].text != NULL;
        assert_int_equal(taken, count);
        size_t longest = longest_search(&levels); /* none in short lists, and a few in others */
        assert_true(count > 5 ? longest < 24 : longest == 0);
        for (size_t i = 0; i < count; i++) {
            size_t length = strlen(text[i]);
            char near[TEXT + 2];
            assert_int_equal(dpn_levels_find(&levels, (dpn_field){text[i], length}), i);
            for (size_t k = 0; k < length; k++) { /* a byte is another, is missing, or there is one more */
                memcpy(near, text[i], length + 1);
                near[k] ^= 1;
                dpn_field field = {near, length};
                assert_int_equal(dpn_levels_find(&levels, field), plain_search(text, count, field));
                memcpy(near, text[i], length + 1);
                memmove(near + k, near + k + 1, length - k);
                field.length = length - 1;
                assert_int_equal(dpn_levels_find(&levels, field), plain_search(text, count, field));
            }
            memcpy(near, text[i], length);
            near[length] = 'a';
            dpn_field longer = {near, length + 1};
            assert_int_equal(dpn_levels_find(&levels, longer), plain_search(text, count, longer));
        }
        size_t none = plain_search(text, count, (dpn_field){"", 0}); /* a NULL is an empty text, whatever its length */
        assert_int_equal(dpn_levels_find(&levels, (dpn_field){NULL, 7}), none);
        assert_int_equal(dpn_levels_find(&levels, (dpn_field){"", 0}), none);
        dpn_levels_free(&levels);
    }
}

/* The seed is the first of those with the shortest searches. */
static void no_seed_has_shorter_searches(void **state) {
    (void)state;
    static char room[40][8], *text[40];
    for (size_t count = 1; count <= 40; count += 3) {
        for (size_t i = 0; i < count; i++) text[i] = room[i], snprintf(room[i], sizeof room[i], "%zu", i * 7919 % 1000);
        dpn_levels levels, other;
        assert_true(dpn_levels_make(&levels, text, count));
        other = levels;
        other.slot = calloc(levels.mask + 1, sizeof *other.slot);
        assert_non_null(other.slot);
        size_t least = longest_search(&levels), found = SIZE_MAX;
        for (uint64_t try = 1; try <= 64; try++) {
            memset(other.slot, 0, (levels.mask + 1) * sizeof *other.slot);
            other.seed = try * UINT64_C(0xbf58476d1ce4e5b9);
            size_t longest = fill(&other, text, count);
            assert_int_equal(longest, longest_search(&other));
            if (longest < found) found = longest;
        }
        assert_int_equal(least, found);
        free(other.slot);
        dpn_levels_free(&levels);
    }
}

/* Numbers of groups in the order of the levels; what is no level stays none. */
static void groups_are_counted_through(void **state) {
    (void)state;
    char *first[] = {"x", "y", "z"}, *second[] = {"1", "2"};
    dpn_levels one, two;
    assert_true(dpn_levels_make(&one, first, 3) && dpn_levels_make(&two, second, 2));
    static const char *const a[] = {"x", "y", "z", "?"}, *const b[] = {"1", "2", "?"};
    dpn_field field[12 * 3];
    size_t group[13] = {0}, rows = 0;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++, rows++) {
            field[3 * rows] = (dpn_field){"other", 5};
            field[3 * rows + 1] = (dpn_field){a[i], 1};
            field[3 * rows + 2] = (dpn_field){b[j], 1};
        }
    group[12] = 4711;
    dpn_levels_find_all(group, &one, 3, field + 1, 3, rows);
    dpn_levels_find_all(group, &two, 2, field + 2, 3, rows);
    for (size_t i = 0; i < 12; i++) assert_int_equal(group[i], i / 3 == 3 || i % 3 == 2 ? SIZE_MAX : i / 3 * 2 + i % 3);
    assert_int_equal(group[12], 4711);
    dpn_levels_free(&one);
    dpn_levels_free(&two);
}

/* Short texts of one length that differ have other words, longer ones other hashes; and each seed makes another hash. */
static void words_tell_texts_apart(void **state) {
    (void)state;
    draw_source source = {2};
    for (size_t length = 1; length < 36; length++)
        for (int i = 0; i < 60; i++) {
            char text[TEXT] = {0}, other[TEXT];
            for (size_t k = 0; k < length; k++) text[k] = (char)draw_uniform(&source, -128, 128);
            memcpy(other, text, sizeof text);
            other[(size_t)i % length] ^= (char)(1 << i % 7);
            const uint64_t seed = UINT64_C(0xbf58476d1ce4e5b9);
            size_t hash, other_hash, same_hash, seeded;
            dpn_level a = level_of(text, length, seed, &hash), b = level_of(other, length, seed, &other_hash);
            dpn_level same = level_of(text, length, seed, &same_hash);
            (void)level_of(text, length, 2 * seed, &seeded);
            assert_true(hash == same_hash && a.low == same.low && a.high == same.high && a.length == length);
            assert_true(hash != seeded && (length <= 16 || hash != other_hash));
            if (length <= 16)
                assert_true(a.low != b.low || a.high != b.high);
            else
                assert_true(a.low == 0 && a.high == 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_found_by_their_bytes),
        cmocka_unit_test(no_seed_has_shorter_searches),
        cmocka_unit_test(groups_are_counted_through),
        cmocka_unit_test(words_tell_texts_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
