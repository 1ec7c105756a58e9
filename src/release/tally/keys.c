/* Keys that appear, in a table of names. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/keys.h"

#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

void dpn_keys_begin(dpn_keys *out, const dpn_hash_key *hash, dpn_memory *memory) {
    *out = (dpn_keys){
        .hash = *hash, .names = {.item_size = sizeof(dpn_group_key), .memory = memory}, .arena = {.memory = memory}};
}

void dpn_keys_free(dpn_keys *keys) {
    if (keys->text) explicit_bzero(keys->text, keys->room);
    free(keys->text);
    if (keys->keys_room > 0) dpn_memory_shrink(keys->names.memory, keys->keys_room * sizeof(dpn_group_key *));
    free(keys->key);
    dpn_names_free(&keys->names);
    dpn_arena_free(&keys->arena);
}

/* ---- Names ---- */

static size_t length_of(dpn_field field) {
    return field.text ? field.length : 0;
}

/* Room for N bytes in the scratch, whose contents are lost. */
static bool make_room(dpn_keys *keys, size_t size) {
    if (size <= keys->room) return true;
    size_t room = size < SIZE_MAX / 2 ? 2 * size : size;
    char *text = malloc(room);
    if (!text) return false;
    if (keys->text) explicit_bzero(keys->text, keys->room);
    free(keys->text);
    keys->text = text;
    keys->room = room;
    return true;
}

/* Write the name of the group with the texts field[at[0]], field[at[1]], ..., or field[0], field[1], ... if at is NULL. Returns
 * its length, 0 without memory. */
static size_t write_name(dpn_keys *keys, const dpn_field *field, const size_t *at, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = length_of(field[at ? at[i] : i]);
        if (length > SIZE_MAX - size - sizeof length - 1) return 0;
        size += sizeof length + length + 1;
    }
    if (!make_room(keys, size)) return 0;
    char *p = keys->text;
    for (size_t i = 0; i < count; i++) {
        dpn_field text = field[at ? at[i] : i];
        size_t length = length_of(text);
        memcpy(p, &length, sizeof length);
        p += sizeof length;
        if (length > 0) memcpy(p, text.text, length);
        p += length;
        *p++ = '\0';
    }
    return size;
}

char *dpn_key_text(const dpn_group_key *key, size_t column, size_t *length) {
    const char *p = (const char *)(key + 1);
    for (;; column--) {
        memcpy(length, p, sizeof *length);
        p += sizeof *length;
        if (column == 0) return (char *)p;
        p += *length + 1;
    }
}

/* ---- The table ---- */

/* Room for one more in the list by index. */
static bool grow_list(dpn_keys *keys) {
    if (keys->names.count < keys->keys_room) return true;
    size_t room = keys->keys_room > 0 ? 2 * keys->keys_room : 16;
    dpn_group_key **key = realloc(keys->key, room * sizeof *key);
    if (!key) return false;
    dpn_memory_grow(keys->names.memory, (room - keys->keys_room) * sizeof(dpn_group_key *));
    keys->key = key;
    keys->keys_room = room;
    return true;
}

/* What can be printed as a key. */
static bool is_text(const dpn_group_key *key) {
    for (size_t i = 0; i < key->columns; i++) {
        size_t length;
        const char *text = dpn_key_text(key, i, &length);
        if (!dpn_utf8_is(text, length) || memchr(text, '\0', length)) return false;
    }
    return true;
}

static dpn_group_key *get(dpn_keys *keys, uint64_t hash, const char *name, size_t length, size_t columns) {
    bool fresh;
    if (!grow_list(keys)) return NULL;
    dpn_group_key *key = (dpn_group_key *)dpn_names_get(&keys->names, &keys->arena, hash, name, length, &fresh);
    if (key && fresh) {
        key->index = keys->names.count - 1;
        key->columns = columns;
        key->usable = is_text(key);
        keys->key[key->index] = key;
        if (keys->names.count == keys->keys_room)
            dpn_memory_expect(keys->names.memory, 2 * keys->keys_room * sizeof(dpn_group_key *));
    }
    return key;
}

static dpn_group_key *get_written(dpn_keys *keys, size_t length, size_t columns) {
    if (length == 0) return NULL;
    return get(keys, dpn_keyed_hash(&keys->hash, keys->text, length), keys->text, length, columns);
}

dpn_group_key *dpn_keys_put(dpn_keys *keys, const dpn_field *text, size_t groupings) {
    return get_written(keys, write_name(keys, text, NULL, groupings), groupings);
}

dpn_group_key *dpn_keys_get(dpn_keys *keys, const dpn_query *query, const dpn_field *row) {
    size_t groupings = query->declaration.bys;
    return get_written(keys, write_name(keys, row, query->by, groupings), groupings);
}

bool dpn_keys_absorb(dpn_keys *into, const dpn_keys *from, size_t *index) {
    for (size_t i = 0; i < from->names.count; i++) {
        const dpn_group_key *their = from->key[i];
        dpn_group_key *our = get(into, their->name.hash, (const char *)(their + 1), their->name.length, their->columns);
        if (!our) return false;
        our->summed |= their->summed;
        index[i] = our->index;
    }
    return true;
}

/* ---- Order ---- */

int dpn_keys_compare(const dpn_group_key *x, const dpn_group_key *y) {
    for (size_t i = 0; i < x->columns; i++) {
        size_t x_length, y_length;
        const char *x_text = dpn_key_text(x, i, &x_length), *y_text = dpn_key_text(y, i, &y_length);
        int sign = memcmp(x_text, y_text, x_length < y_length ? x_length : y_length);
        if (sign) return sign;
        if (x_length != y_length) return x_length < y_length ? -1 : 1;
    }
    return 0;
}

static int compare(const void *a, const void *b) {
    return dpn_keys_compare(*(dpn_group_key *const *)a, *(dpn_group_key *const *)b);
}

void dpn_keys_sort(dpn_group_key **out, const dpn_keys *keys) {
    if (keys->names.count == 0) return;
    memcpy(out, keys->key, keys->names.count * sizeof *out);
    qsort(out, keys->names.count, sizeof *out, compare);
}

/* The last key first, below `at`. */
static void sink(dpn_group_key **key, size_t count, size_t at) {
    dpn_group_key *in = key[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && dpn_keys_compare(key[child], key[child + 1]) < 0) child++;
        if (dpn_keys_compare(in, key[child]) >= 0) break;
        key[at] = key[child];
    }
    key[at] = in;
}

void dpn_keys_sort_in_place(dpn_keys *keys) {
    size_t count = keys->names.count;
    for (size_t i = count / 2; i-- > 0;) sink(keys->key, count, i);
    while (count > 1) {
        dpn_group_key *last = keys->key[0];
        keys->key[0] = keys->key[--count];
        keys->key[count] = last;
        sink(keys->key, count, 0);
    }
}
