/* Persons, the groups of each, and the rows in these. */
#include "release/tally/persons.h"

#include "release/tally/winners.h"

#include <stdlib.h>
#include <string.h>

void dpn_persons_begin(dpn_persons *out, const dpn_lottery *lottery, dpn_group_text *text, const void *context,
                       dpn_memory *memory) {
    *out = (dpn_persons){.lottery = lottery,
                         .text = text,
                         .context = context,
                         .names = {.item_size = sizeof(dpn_person), .memory = memory},
                         .arena = {.memory = memory}};
}

void dpn_persons_free(dpn_persons *persons) {
    dpn_names_free(&persons->names);
    dpn_arena_free(&persons->arena);
    persons->free_row = NULL;
    persons->free_share = NULL;
}

/* ---- Memory ---- */

static void free_rows(dpn_persons *persons, dpn_held_row *row) {
    for (dpn_held_row *next; row; row = next) {
        next = row->next;
        row->next = persons->free_row;
        persons->free_row = row;
    }
}

static void free_share(dpn_persons *persons, dpn_share *share) {
    free_rows(persons, share->row);
    share->next = persons->free_share;
    persons->free_share = share;
}

static dpn_held_row *new_row(dpn_persons *persons) {
    dpn_held_row *row = persons->free_row;
    if (!row) return dpn_arena_take(&persons->arena, sizeof *row + persons->lottery->record * sizeof *row->record);
    persons->free_row = row->next;
    return row;
}

static dpn_share *new_share(dpn_persons *persons, size_t group) {
    enum { FIRST_LIMIT = 32 };
    dpn_share *share = persons->free_share;
    if (share)
        persons->free_share = share->next;
    else if (!(share = dpn_arena_take(&persons->arena, sizeof *share)))
        return NULL;
    *share = (dpn_share){.group = group, .limit = FIRST_LIMIT};
    return share;
}

/* ---- Rows of a share ---- */

static int compare(const dpn_held_row *a, const dpn_held_row *b, size_t numbers) {
    for (size_t i = 0; i < numbers; i++)
        if (a->record[i] != b->record[i]) return a->record[i] < b->record[i] ? -1 : 1;
    return 0;
}

static dpn_held_row *merge_lists(dpn_held_row *a, dpn_held_row *b, size_t numbers) {
    dpn_held_row *first = NULL, **at = &first;
    while (a && b) {
        dpn_held_row **less = compare(a, b, numbers) <= 0 ? &a : &b;
        *at = *less;
        at = &(*at)->next;
        *less = *at;
    }
    *at = a ? a : b;
    return first;
}

/* Merge sort; `count` rows of the list, the rest of which is left in *rest. */
static dpn_held_row *sort(dpn_held_row *row, uint64_t count, dpn_held_row **rest, size_t numbers) {
    if (count < 2) {
        *rest = count ? row->next : row;
        if (count) row->next = NULL;
        return count ? row : NULL;
    }
    dpn_held_row *middle, *low = sort(row, count / 2, &middle, numbers);
    dpn_held_row *high = sort(middle, count - count / 2, rest, numbers);
    return merge_lists(low, high, numbers);
}

void dpn_share_sort(dpn_persons *persons, dpn_share *share) {
    size_t numbers = persons->lottery->record;
    dpn_held_row *rest;
    share->row = sort(share->row, share->listed, &rest, numbers);
    for (dpn_held_row *row = share->row; row; row = row->next)
        while (row->next && compare(row, row->next, numbers) == 0) {
            dpn_held_row *equal = row->next;
            row->copies += equal->copies;
            row->next = equal->next;
            equal->next = NULL;
            free_rows(persons, equal);
            share->listed--;
        }
}

/* Equal rows are sorted out whenever the list has doubled: it is at most twice as long as there are different rows. */
static void tidy(dpn_persons *persons, dpn_share *share) {
    if (share->listed < share->limit) return;
    dpn_share_sort(persons, share);
    if (share->limit < 2 * share->listed) share->limit = 2 * share->listed;
}

static void add_total(const dpn_persons *persons, dpn_held_row *total, const int64_t *record, uint64_t rows) {
    for (size_t i = 0; i < persons->lottery->record; i++) total->record[i] += record[i];
    total->copies += rows;
}

static bool add_row(dpn_persons *persons, dpn_share *share, const int64_t *record, uint64_t copies) {
    size_t size = persons->lottery->record * sizeof *record;
    if (persons->lottery->totals && share->row) {
        add_total(persons, share->row, record, copies);
        share->rows += copies;
        return true;
    }
    if (share->row && memcmp(share->row->record, record, size) == 0) {
        share->row->copies += copies;
        share->rows += copies;
        return true;
    }
    dpn_held_row *row = new_row(persons);
    if (!row) return false;
    share->rows += copies;
    row->copies = copies;
    memcpy(row->record, record, size);
    row->next = share->row;
    share->row = row;
    share->listed++;
    tidy(persons, share);
    return true;
}

/* ---- Groups of a person ---- */

static dpn_share *find_share(const dpn_person *who, size_t group) {
    dpn_share *share = who->share;
    while (share && share->group != group) share = share->next;
    return share;
}

static dpn_ticket ticket_of(const dpn_persons *persons, const dpn_person *who, size_t group) {
    return (dpn_ticket){persons->lottery, who->name.bytes, who->name.length, group, persons->text, persons->context};
}

static void draw(const dpn_persons *persons, const dpn_person *who, dpn_share *share) {
    dpn_ticket ticket = ticket_of(persons, who, share->group);
    share->lot = dpn_lot_of_group(&ticket);
}

/* Put a share into its place in the list of those whose lots are drawn. */
static void put_in_order(dpn_person *who, dpn_share *share) {
    dpn_share **at = &who->share;
    while (*at && dpn_lot_less(share->lot, (*at)->lot)) at = &(*at)->next;
    share->next = *at;
    *at = share;
}

static void draw_all(const dpn_persons *persons, dpn_person *who) {
    dpn_share *share = who->share, *next;
    for (who->share = NULL; share; share = next) {
        next = share->next;
        draw(persons, who, share);
        put_in_order(who, share);
    }
    who->drawn = true;
}

void dpn_person_order(const dpn_persons *persons, dpn_person *who, bool by_lots) {
    dpn_share *share = who->share, *next;
    if (by_lots && !who->drawn) {
        draw_all(persons, who);
    } else if (!by_lots) {
        for (who->share = NULL; share; share = next) {
            next = share->next;
            share->lot = (dpn_lot){0, share->group};
            put_in_order(who, share);
        }
    }
    for (share = who->share, who->share = NULL; share; share = next) {
        next = share->next;
        share->next = who->share;
        who->share = share;
    }
}

/* A share of a group of which the person has none yet. If that is one too many, the one with the largest lot leaves, which may
 * be the new one: false then. */
static bool put_share(dpn_persons *persons, dpn_person *who, dpn_share *share) {
    if (who->shares < persons->lottery->max_groups) {
        share->next = who->share;
        who->share = share;
        who->shares++;
        return true;
    }
    if (!who->drawn) draw_all(persons, who);
    draw(persons, who, share);
    put_in_order(who, share);
    dpn_share *largest = who->share;
    who->share = largest->next;
    free_share(persons, largest);
    return largest != share;
}

/* ---- Adding ---- */

static uint64_t hash_of(const dpn_persons *persons, const char *bytes, size_t length) {
    return dpn_keyed_hash(&persons->lottery->name, bytes, length);
}

static dpn_person *get_person(dpn_persons *persons, uint64_t hash, const char *bytes, size_t length) {
    bool fresh;
    return (dpn_person *)dpn_names_get(&persons->names, &persons->arena, hash, bytes, length, &fresh);
}

bool dpn_persons_add(dpn_persons *persons, const char *bytes, size_t length, size_t group, const int64_t *record,
                     uint64_t copies) {
    return dpn_persons_add_hashed(persons, hash_of(persons, bytes, length), bytes, length, group, record, copies);
}

bool dpn_persons_add_hashed(dpn_persons *persons, uint64_t hash, const char *bytes, size_t length, size_t group,
                            const int64_t *record, uint64_t copies) {
    dpn_person *who = get_person(persons, hash, bytes, length);
    if (!who) return false;
    dpn_share *share = find_share(who, group);
    if (!share) {
        share = new_share(persons, group);
        if (!share) return false;
        if (!put_share(persons, who, share)) return true;
    }
    return add_row(persons, share, record, copies);
}

/* ---- Merging ---- */

static void join_rows(dpn_persons *persons, dpn_share *into, dpn_share *from) {
    into->rows += from->rows;
    if (persons->lottery->totals) {
        add_total(persons, into->row, from->row->record, from->row->copies);
        free_share(persons, from);
        return;
    }
    dpn_held_row **end = &from->row;
    while (*end) end = &(*end)->next;
    *end = into->row;
    into->row = from->row;
    from->row = NULL;
    into->listed += from->listed;
    tidy(persons, into);
    free_share(persons, from);
}

bool dpn_persons_absorb(dpn_persons *into, dpn_persons *from, const size_t *group) {
    dpn_arena_absorb(&into->arena, &from->arena);
    bool enough = true;
    for (size_t i = 0; i < from->names.slots && enough; i++) {
        dpn_person *their = (dpn_person *)from->names.slot[i].item;
        if (!their) continue;
        dpn_person *our = get_person(into, their->name.hash, their->name.bytes, their->name.length);
        enough = our != NULL;
        for (dpn_share *share = their->share, *next; share && enough; share = next) {
            next = share->next;
            if (group) share->group = group[share->group];
            dpn_share *there = find_share(our, share->group);
            if (there)
                join_rows(into, there, share);
            else
                put_share(into, our, share);
        }
    }
    dpn_names_free(&from->names);
    from->free_row = NULL;
    from->free_share = NULL;
    return enough;
}

/* ---- The cut of rows ---- */

/* Leave each row of the share the copies with the max_rows least lots. The heap has room for that many. */
static void cut(dpn_persons *persons, const dpn_person *who, dpn_share *share, dpn_winner *heap) {
    dpn_ticket ticket = ticket_of(persons, who, share->group);
    size_t most = (size_t)persons->lottery->max_rows, count = 0;
    dpn_share_sort(persons, share);
    for (dpn_held_row *row = share->row; row; row = row->next) {
        for (uint64_t copy = 0; copy < row->copies; copy++) {
            dpn_winner one = {dpn_lot_of_row(&ticket, row->record, copy), row};
            if (count < most)
                dpn_winners_rise(heap, count++, one);
            else if (dpn_lot_less(one.lot, heap[0].lot))
                dpn_winners_sink(heap, count, 0, one);
        }
        row->copies = 0;
    }
    for (size_t i = 0; i < count; i++) heap[i].row->copies++;
}

static void empty_share(dpn_persons *persons, const dpn_person *who, dpn_share *share, dpn_winner *heap,
                        dpn_kept_use *use, void *context) {
    if (!persons->lottery->totals && share->rows > persons->lottery->max_rows) cut(persons, who, share, heap);
    bool first = true;
    for (const dpn_held_row *row = share->row; row; row = row->next) {
        if (row->copies == 0) continue;
        use(context, share->group, row->record, row->copies, first);
        first = false;
    }
}

/* Whether somebody has too many rows in a group. */
static bool needs_cut(const dpn_persons *persons) {
    if (persons->lottery->totals) return false;
    for (size_t i = 0; i < persons->names.slots; i++) {
        const dpn_person *who = (const dpn_person *)persons->names.slot[i].item;
        for (const dpn_share *share = who ? who->share : NULL; share; share = share->next)
            if (share->rows > persons->lottery->max_rows) return true;
    }
    return false;
}

bool dpn_persons_empty(dpn_persons *persons, dpn_kept_use *use, void *context) {
    dpn_winner *heap = NULL;
    if (needs_cut(persons)) {
        uint64_t most = persons->lottery->max_rows;
        heap = most <= SIZE_MAX / sizeof *heap ? malloc((size_t)most * sizeof *heap) : NULL;
        if (!heap) return false;
    }
    for (size_t i = 0; i < persons->names.slots; i++) {
        const dpn_person *who = (const dpn_person *)persons->names.slot[i].item;
        for (dpn_share *share = who ? who->share : NULL; share; share = share->next)
            empty_share(persons, who, share, heap, use, context);
    }
    free(heap);
    dpn_persons_free(persons);
    return true;
}
