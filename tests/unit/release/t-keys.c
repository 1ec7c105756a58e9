/* Keys that appear, against a plain list of them: found, put in order in both ways, taken over from another table, with every byte of the list counted. */
#include "release/tally/keys.c" /* to see its pieces */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { KEYS = 300, COLUMNS = 3, TEXT = 6 };

typedef struct plain_key {
    char text[COLUMNS][TEXT];
    size_t length[COLUMNS];
} plain_key;

/* Few letters, zero bytes and bytes that are no UTF-8, so that many are equal or begin alike. */
static plain_key draw_key(draw_source *source) {
    static const char letters[] = {'a', 'b', 'a', '\0', (char)0xff, (char)0xc3};
    plain_key out = {0};
    for (size_t c = 0; c < COLUMNS; c++) {
        out.length[c] = (size_t)draw_uniform(source, 0, 4);
        for (size_t i = 0; i < out.length[c]; i++)
            out.text[c][i] = letters[(size_t)draw_uniform(source, 0, draw_chance(source, 0.8) ? 3 : 6)];
    }
    return out;
}

static void fields_of(dpn_field *out, const plain_key *key) {
    for (size_t c = 0; c < COLUMNS; c++)
        out[c] =
            key->length[c] ? (dpn_field){key->text[c], key->length[c]} : (dpn_field){c % 2 ? NULL : "", c % 2 ? 77 : 0};
}

static int compare_plain(const plain_key *a, const plain_key *b) {
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 0;; i++) {
            int x = i < a->length[c] ? (unsigned char)a->text[c][i] : -1,
                y = i < b->length[c] ? (unsigned char)b->text[c][i] : -1;
            if (x != y) return x < y ? -1 : 1;
            if (x < 0) break;
        }
    return 0;
}

static bool plain_usable(const plain_key *key) {
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 0; i < key->length[c]; i++)
            if (key->text[c][i] != 'a' && key->text[c][i] != 'b') return false;
    return true;
}

static void assert_is(const dpn_group_key *key, const plain_key *plain) {
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t length;
        const char *text = dpn_key_text(key, c, &length);
        assert_true(length == plain->length[c] && memcmp(text, plain->text[c], length) == 0 && text[length] == '\0');
    }
}

static void keys_are_known_by_their_texts(void **state) {
    (void)state;
    draw_source source = {1};
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    dpn_hash_key hash = {{7, 8}};
    dpn_keys keys;
    dpn_keys_begin(&keys, &hash, &memory);
    static plain_key known[KEYS];
    size_t count = 0, again = 0, unusable = 0;
    for (int i = 0; i < 1500 && count < KEYS; i++) {
        plain_key plain = draw_key(&source);
        dpn_field field[COLUMNS];
        fields_of(field, &plain);
        size_t at = 0;
        while (at < count && compare_plain(&known[at], &plain)) at++;
        dpn_group_key *key = dpn_keys_put(&keys, field, COLUMNS);
        assert_true(key && key->index == at && key->columns == COLUMNS && !key->summed);
        assert_is(key, &plain);
        assert_true(key->usable == plain_usable(&plain));
        again += at < count;
        unusable += !key->usable;
        if (at == count) known[count++] = plain;
        assert_true(keys.names.count == count && keys.key[at] == key);
        size_t list = 16;
        while (list < count) list *= 2;
        assert_int_equal(keys.keys_room, list);
        assert_int_equal(memory.used,
                         keys.arena.bytes + list * sizeof(dpn_group_key *) + keys.names.slots * sizeof(dpn_name_slot));
        size_t by[COLUMNS] = {4, 0, 2}; /* the same from a row, column by column */
        dpn_field row[5] = {field[1], {"?", 1}, field[2], {"?", 1}, field[0]};
        dpn_query query = {.by = by, .declaration = {.bys = COLUMNS}};
        assert_ptr_equal(dpn_keys_get(&keys, &query, row), key);
    }
    assert_true(count > 100 && again > 20 && unusable > 20);

    static dpn_group_key *sorted[KEYS];
    dpn_keys_sort(sorted, &keys);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const plain_key *a = &known[sorted[i]->index], *b = &known[sorted[j]->index];
            assert_true(compare_plain(a, b) < 0 && dpn_keys_compare(sorted[i], sorted[j]) < 0);
            assert_true(dpn_keys_compare(sorted[j], sorted[i]) > 0 && dpn_keys_compare(sorted[j], sorted[j]) == 0);
        }
    dpn_keys_sort_in_place(&keys);
    for (size_t i = 0; i < count; i++) assert_ptr_equal(keys.key[i], sorted[i]);
    dpn_keys_free(&keys);
    assert_int_equal(memory.used, 0);
}

/* Any number of keys, in any order, by the heap. */
static void heaps_sort_any_number(void **state) {
    (void)state;
    for (size_t count = 0; count < 40; count++)
        for (size_t step = 1; step < 40; step += 6) {
            dpn_memory_limit limit = {0};
            dpn_memory memory = {.limit = &limit};
            dpn_keys keys;
            dpn_keys_begin(&keys, &(dpn_hash_key){{1, 2}}, &memory);
            for (size_t i = 0; i < count; i++) {
                char letter[2] = {(char)('A' + i * step % 41), '\0'};
                dpn_field field = {letter, 1};
                assert_int_equal(dpn_keys_put(&keys, &field, 1)->index, i);
            }
            dpn_keys_sort_in_place(&keys);
            for (size_t i = 1; i < count; i++) assert_true(dpn_keys_compare(keys.key[i - 1], keys.key[i]) < 0);
            dpn_keys_free(&keys);
        }
}

/* The numbers of another table's keys here, new ones after ours; what is summed there is here too. */
static void keys_of_another_table_are_taken_over(void **state) {
    (void)state;
    draw_source source = {2};
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit}, other_memory = {.limit = &limit};
    dpn_hash_key hash = {{7, 8}};
    for (int round = 0; round < 30; round++) {
        dpn_keys keys, other;
        static plain_key plain[2 * KEYS];
        size_t index[KEYS], ours = 0;
        bool summed[2][KEYS] = {{false}};
        dpn_keys_begin(&keys, &hash, &memory);
        dpn_keys_begin(&other, &hash, &other_memory);
        for (size_t i = 0; i < 60; i++)
            for (int side = 0; side < 2; side++) {
                dpn_field field[COLUMNS];
                plain_key one = draw_key(&source);
                fields_of(field, &one);
                dpn_group_key *key = dpn_keys_put(side ? &other : &keys, field, COLUMNS);
                plain[(side ? KEYS : 0) + key->index] = one;
                if (draw_chance(&source, 0.2)) key->summed = summed[side][key->index] = true;
            }
        ours = keys.names.count;
        assert_true(dpn_keys_absorb(&keys, &other, index));
        size_t fresh = ours;
        for (size_t i = 0; i < other.names.count; i++) {
            const plain_key *their = &plain[KEYS + i];
            size_t at = 0;
            while (at < ours && compare_plain(&plain[at], their)) at++;
            bool found = at < ours;
            assert_int_equal(index[i], found ? at : fresh++);
            assert_is(keys.key[index[i]], their);
            assert_true(keys.key[index[i]]->summed == (summed[1][i] || (found && summed[0][at])));
            assert_true(keys.key[index[i]]->usable == plain_usable(their));
        }
        assert_int_equal(keys.names.count, fresh);
        dpn_keys_free(&keys);
        dpn_keys_free(&other);
        assert_true(memory.used == 0 && other_memory.used == 0);
    }
}

/* The scratch for names grows to twice what is asked, and no name is so long that its length overflows. */
static void long_names(void **state) {
    (void)state;
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    dpn_keys keys;
    dpn_keys_begin(&keys, &(dpn_hash_key){{1, 2}}, &memory);
    static char text[5000];
    memset(text, 'x', sizeof text);
    for (size_t length = 0; length < sizeof text; length += 611) {
        dpn_field field[2] = {{text, length}, {text, 1}};
        const dpn_group_key *key = dpn_keys_put(&keys, field, 2);
        size_t name = 2 * (sizeof(size_t) + 1) + length + 1;
        assert_true(key && key->name.length == name && keys.room >= name && keys.room <= 2 * name + 4 * 611);
    }
    dpn_field endless[2] = {{text, SIZE_MAX - 20}, {text, 12}};
    assert_null(dpn_keys_put(&keys, endless, 2));
    endless[0].length = SIZE_MAX;
    assert_null(dpn_keys_put(&keys, endless, 2));
    dpn_keys_free(&keys);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_known_by_their_texts),
        cmocka_unit_test(heaps_sort_any_number),
        cmocka_unit_test(keys_of_another_table_are_taken_over),
        cmocka_unit_test(long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
