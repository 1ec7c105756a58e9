/* Keys that appear, in a table of names. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/keys.h"

#include <stdlib.h>
#include <string.h>

void dpn_keys_begin(dpn_keys *out, const dpn_hash_key *hash) {
    *out = (dpn_keys){.hash = *hash, .names = {.item_size = sizeof(dpn_group_key)}};
}

void dpn_keys_free(dpn_keys *keys) {
    if (keys->text) explicit_bzero(keys->text, keys->room);
    free(keys->text);
    dpn_names_free(&keys->names);
    dpn_arena_free(&keys->arena);
}

/* ---- Names ---- */

static size_t length_of(dpn_field field) {
    return field.text ? field.length : 0;
}

/* Room for so many bytes in the scratch, whose contents are lost. */
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

/* Write the name of a row's group. Returns its length, 0 without memory. */
static size_t write_name(dpn_keys *keys, const dpn_query *query, const dpn_field *row) {
    size_t size = 0;
    for (size_t i = 0; i < query->declaration.bys; i++) {
        size_t length = length_of(row[query->by[i]]);
        if (length > SIZE_MAX - size - sizeof length - 1) return 0;
        size += sizeof length + length + 1;
    }
    if (!make_room(keys, size)) return 0;
    char *p = keys->text;
    for (size_t i = 0; i < query->declaration.bys; i++) {
        dpn_field field = row[query->by[i]];
        size_t length = length_of(field);
        memcpy(p, &length, sizeof length);
        p += sizeof length;
        if (length > 0) memcpy(p, field.text, length);
        p += length;
        *p++ = '\0';
    }
    return size;
}

char *dpn_key_text(const dpn_group_key *key, size_t column, size_t *length) {
    const char *p = key->name.bytes;
    for (;; column--) {
        memcpy(length, p, sizeof *length);
        p += sizeof *length;
        if (column == 0) return (char *)p;
        p += *length + 1;
    }
}

/* ---- The table ---- */

static dpn_group_key *get(dpn_keys *keys, uint64_t hash, const char *name, size_t length, size_t columns) {
    bool fresh;
    dpn_group_key *key = (dpn_group_key *)dpn_names_get(&keys->names, &keys->arena, hash, name, length, &fresh);
    if (key && fresh) {
        key->index = keys->names.count - 1;
        key->columns = columns;
    }
    return key;
}

dpn_group_key *dpn_keys_get(dpn_keys *keys, const dpn_query *query, const dpn_field *row) {
    size_t length = write_name(keys, query, row);
    if (length == 0) return NULL;
    return get(keys, dpn_keyed_hash(&keys->hash, keys->text, length), keys->text, length, query->declaration.bys);
}

bool dpn_keys_absorb(dpn_keys *into, const dpn_keys *from, size_t *index) {
    for (size_t i = 0; i < from->names.slots; i++) {
        const dpn_group_key *their = (const dpn_group_key *)from->names.slot[i].item;
        if (!their) continue;
        const dpn_group_key *our = get(into, their->name.hash, their->name.bytes, their->name.length, their->columns);
        if (!our) return false;
        index[their->index] = our->index;
    }
    return true;
}

/* ---- Order ---- */

static int compare(const void *a, const void *b) {
    const dpn_group_key *x = *(dpn_group_key *const *)a, *y = *(dpn_group_key *const *)b;
    for (size_t i = 0; i < x->columns; i++) {
        size_t x_length, y_length;
        const char *x_text = dpn_key_text(x, i, &x_length), *y_text = dpn_key_text(y, i, &y_length);
        int sign = memcmp(x_text, y_text, x_length < y_length ? x_length : y_length);
        if (sign) return sign;
        if (x_length != y_length) return x_length < y_length ? -1 : 1;
    }
    return 0;
}

void dpn_keys_sort(dpn_group_key **out, const dpn_keys *keys) {
    size_t count = 0;
    for (size_t i = 0; i < keys->names.slots; i++)
        if (keys->names.slot[i].item) out[count++] = (dpn_group_key *)keys->names.slot[i].item;
    if (count > 1) qsort(out, count, sizeof(dpn_group_key *), compare);
}
