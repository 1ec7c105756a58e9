/* The keys of groups that are not declared: those that appear. */
#ifndef DPN_TALLY_KEYS_H
#define DPN_TALLY_KEYS_H

#include "release/tally/names.h"
#include "release/compile/query.h"

/* The name of a group is, for each grouping, the length of the field, its bytes and a zero byte. */
typedef struct dpn_group_key {
    dpn_name name;
    size_t index;   /* in the order in which they appeared */
    size_t columns; /* groupings */
    bool summed;    /* there are sums of it, besides rows of persons */
    bool usable;    /* its texts are UTF-8 without a NUL byte: rows of other keys are left out */
} dpn_group_key;

typedef struct dpn_keys {
    dpn_hash_key hash;
    dpn_names names;
    dpn_arena arena;
    dpn_group_key **key; /* by their index */
    size_t keys_room;
    char *text; /* scratch for one name */
    size_t room;
} dpn_keys;

void dpn_keys_begin(dpn_keys *out, const dpn_hash_key *hash, dpn_memory *memory);
void dpn_keys_free(dpn_keys *keys);

/* The key with these texts, one for each grouping, a new one with the next index if it did not appear before; a NULL is the text
 * "". dpn_keys_get takes them from a row. NULL without memory. */
dpn_group_key *dpn_keys_put(dpn_keys *keys, const dpn_field *text, size_t groupings);
dpn_group_key *dpn_keys_get(dpn_keys *keys, const dpn_query *query, const dpn_field *row);

/* The keys of `from` too: index[i] is what its key i is here. False without memory. */
bool dpn_keys_absorb(dpn_keys *into, const dpn_keys *from, size_t *index);

/* The sign of a - b in the order of their bytes, column by column; all keys in that order, with room for names.count of them; and the
 * list of the keys themselves in that order, without any memory: no key can be looked up or added any more. */
int dpn_keys_compare(const dpn_group_key *a, const dpn_group_key *b);
void dpn_keys_sort(dpn_group_key **out, const dpn_keys *keys);
void dpn_keys_sort_in_place(dpn_keys *keys);

/* The text of one column, which ends with a zero byte too, and its length. */
char *dpn_key_text(const dpn_group_key *key, size_t column, size_t *length);

#endif
