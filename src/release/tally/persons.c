/* Persons, the groups of each, and the rows in these. */
#include "release/tally/persons.h"

#include <string.h>

/* ---- Rows: a skew heap, the largest lot on top (Sleator and Tarjan 1986) ---- */

struct dpn_kept_row {
    dpn_kept_row *left, *right;
    uint64_t lot;
    int64_t record[];
};

static dpn_kept_row *join(dpn_kept_row *a, dpn_kept_row *b) {
    dpn_kept_row *top = NULL, **at = &top;
    while (a && b) {
        if (a->lot < b->lot) {
            dpn_kept_row *other = a;
            a = b;
            b = other;
        }
        dpn_kept_row *right = a->right;
        *at = a;
        a->right = a->left;
        at = &a->left;
        a = right;
    }
    *at = a ? a : b;
    return top;
}

/* Take the row with the largest lot off the heap. */
static dpn_kept_row *take_top(dpn_kept_row **top) {
    dpn_kept_row *row = *top;
    *top = join(row->left, row->right);
    row->left = row->right = NULL;
    return row;
}

/* ---- Groups of a person: a list, the largest lot first ---- */

struct dpn_share {
    dpn_share *next;
    uint64_t lot;
    size_t group;
    uint64_t seen, kept; /* rows of this tally so far; rows in the heap */
    dpn_kept_row *top;
};

typedef struct person {
    dpn_name name;
    dpn_share *share;
    uint64_t groups;
} person;

void dpn_persons_begin(dpn_persons *out, const dpn_lottery *lottery, uint64_t stream) {
    *out = (dpn_persons){.lottery = lottery, .stream = stream, .names = {.item_size = sizeof(person)}};
}

void dpn_persons_free(dpn_persons *persons) {
    dpn_names_free(&persons->names);
    dpn_arena_free(&persons->arena);
}

static void free_row(dpn_persons *persons, dpn_kept_row *row) {
    row->left = persons->free_row;
    persons->free_row = row;
}

static void free_share(dpn_persons *persons, dpn_share *share) {
    while (share->top) free_row(persons, take_top(&share->top));
    share->next = persons->free_share;
    persons->free_share = share;
}

static dpn_kept_row *new_row(dpn_persons *persons) {
    size_t words = persons->lottery->record;
    dpn_kept_row *row = persons->free_row;
    if (!row) return dpn_arena_take(&persons->arena, sizeof *row + words * sizeof *row->record);
    persons->free_row = row->left;
    row->left = NULL;
    return row;
}

static dpn_share *new_share(dpn_persons *persons) {
    dpn_share *share = persons->free_share;
    if (!share) return dpn_arena_take(&persons->arena, sizeof *share);
    persons->free_share = share->next;
    *share = (dpn_share){0};
    return share;
}

static dpn_share *find_share(const person *who, size_t group) {
    dpn_share *share = who->share;
    while (share && share->group != group) share = share->next;
    return share;
}

/* Whether a group with that lot is among the least. */
static bool wins(const dpn_persons *persons, const person *who, uint64_t lot) {
    return who->groups < persons->lottery->max_groups || lot < who->share->lot;
}

/* A group that wins, of which the person has none yet; if there are too many then, the one with the largest lot leaves. */
static void put_share(dpn_persons *persons, person *who, dpn_share *share) {
    dpn_share **at = &who->share;
    while (*at && (*at)->lot > share->lot) at = &(*at)->next;
    share->next = *at;
    *at = share;
    if (who->groups < persons->lottery->max_groups) {
        who->groups++;
        return;
    }
    dpn_share *largest = who->share;
    who->share = largest->next;
    free_share(persons, largest);
}

/* ---- Adding ---- */

static person *get_person(dpn_persons *persons, uint64_t hash, const char *bytes, size_t length) {
    bool fresh;
    return (person *)dpn_names_get(&persons->names, &persons->arena, hash, bytes, length, &fresh);
}

static uint64_t group_lot(const dpn_lottery *lottery, const person *who, uint64_t group_hash) {
    uint64_t input[] = {who->name.hash, group_hash};
    return dpn_keyed_hash(&lottery->group, input, sizeof input);
}

static uint64_t row_lot(const dpn_persons *persons, const person *who, uint64_t group_hash, uint64_t row) {
    uint64_t input[] = {who->name.hash, group_hash, persons->stream, row};
    return dpn_keyed_hash(&persons->lottery->row, input, sizeof input);
}

static bool add_row(dpn_persons *persons, dpn_share *share, uint64_t lot, const int64_t *record) {
    bool full = share->kept == persons->lottery->max_rows;
    if (full && lot >= share->top->lot) return true;
    dpn_kept_row *row = full ? take_top(&share->top) : new_row(persons);
    if (!row) return false;
    row->lot = lot;
    memcpy(row->record, record, persons->lottery->record * sizeof *record);
    share->top = join(share->top, row);
    share->kept += !full;
    return true;
}

bool dpn_persons_add(dpn_persons *persons, const char *bytes, size_t length, size_t group, uint64_t group_hash,
                     const int64_t *record) {
    person *who = get_person(persons, dpn_keyed_hash(&persons->lottery->name, bytes, length), bytes, length);
    if (!who) return false;
    dpn_share *share = find_share(who, group);
    if (!share) {
        uint64_t lot = group_lot(persons->lottery, who, group_hash);
        if (!wins(persons, who, lot)) return true;
        share = new_share(persons);
        if (!share) return false;
        share->lot = lot;
        share->group = group;
        put_share(persons, who, share);
    }
    return add_row(persons, share, row_lot(persons, who, group_hash, share->seen++), record);
}

/* ---- Merging ---- */

static void join_rows(dpn_persons *persons, dpn_share *into, dpn_share *from) {
    into->top = join(into->top, from->top);
    from->top = NULL;
    for (into->kept += from->kept; into->kept > persons->lottery->max_rows; into->kept--)
        free_row(persons, take_top(&into->top));
}

static void merge_share(dpn_persons *into, person *who, dpn_share *share) {
    dpn_share *there = find_share(who, share->group);
    if (!there && wins(into, who, share->lot)) {
        put_share(into, who, share);
        return;
    }
    if (there) join_rows(into, there, share);
    free_share(into, share);
}

bool dpn_persons_absorb(dpn_persons *into, dpn_persons *from, const size_t *group) {
    dpn_arena_absorb(&into->arena, &from->arena);
    bool enough = true;
    for (size_t i = 0; i < from->names.slots && enough; i++) {
        person *their = (person *)from->names.slot[i].item;
        if (!their) continue;
        person *our = get_person(into, their->name.hash, their->name.bytes, their->name.length);
        enough = our != NULL;
        for (dpn_share *share = their->share, *next; share && enough; share = next) {
            next = share->next;
            if (group) share->group = group[share->group];
            merge_share(into, our, share);
        }
    }
    dpn_names_free(&from->names);
    from->free_row = NULL;
    from->free_share = NULL;
    return enough;
}

void dpn_persons_empty(dpn_persons *persons, dpn_kept_use *use, void *context) {
    for (size_t i = 0; i < persons->names.slots; i++) {
        person *who = (person *)persons->names.slot[i].item;
        for (dpn_share *share = who ? who->share : NULL; share; share = share->next)
            for (bool first = true; share->top; first = false)
                use(context, share->group, take_top(&share->top)->record, first);
    }
    dpn_persons_free(persons);
}
