/* Persons, the groups of each, and the rows in these. */
#include "release/tally/persons.h"

#include "release/tally/person-fetch.h"
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
    dpn_drum_end(&persons->drum);
    persons->free_row = NULL;
    persons->free_share = NULL;
    persons->most_rows = 0;
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

static void count_rows(dpn_persons *persons, dpn_share *share, uint64_t more) {
    share->rows += more;
    if (share->rows > persons->most_rows) persons->most_rows = share->rows;
}

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

/* The first `count` rows of a list in order, one after the other put where it belongs; the rest is left in *rest. */
static dpn_held_row *sort_few(dpn_held_row *row, uint64_t count, dpn_held_row **rest, size_t numbers) {
    dpn_held_row *first = NULL, *next;
    for (; count > 0; count--, row = next) {
        dpn_held_row **at = &first;
        while (*at && compare(*at, row, numbers) < 0) at = &(*at)->next;
        next = row->next;
        row->next = *at;
        *at = row;
    }
    *rest = row;
    return first;
}

/* The same of any number of rows, by merging. */
static dpn_held_row *sort(dpn_held_row *row, uint64_t count, dpn_held_row **rest, size_t numbers) {
    enum { FEW = 8 };
    if (count <= FEW) return sort_few(row, count, rest, numbers);
    dpn_held_row *middle, *low = sort(row, count / 2, &middle, numbers);
    dpn_held_row *high = sort(middle, count - count / 2, rest, numbers);
    return merge_lists(low, high, numbers);
}

void dpn_share_sort(dpn_persons *persons, dpn_share *share) {
    size_t numbers = persons->lottery->record;
    dpn_held_row *rest;
    if (share->listed < 2) return;
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

static bool is_same(const int64_t *a, const int64_t *b, size_t numbers) {
    for (size_t i = 0; i < numbers; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static bool add_row(dpn_persons *persons, dpn_share *share, const int64_t *record, uint64_t copies) {
    size_t numbers = persons->lottery->record;
    if (persons->lottery->totals && share->row) {
        add_total(persons, share->row, record, copies);
        count_rows(persons, share, copies);
        return true;
    }
    if (share->row && is_same(share->row->record, record, numbers)) {
        share->row->copies += copies;
        count_rows(persons, share, copies);
        return true;
    }
    dpn_held_row *row = new_row(persons);
    if (!row) return false;
    count_rows(persons, share, copies);
    row->copies = copies;
    for (size_t i = 0; i < numbers; i++) row->record[i] = record[i];
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
    return (dpn_ticket){persons->lottery, dpn_person_name(who), who->name.length, group,
                        persons->text,    persons->context};
}

static void draw(dpn_persons *persons, const dpn_person *who, dpn_share *share) {
    dpn_ticket ticket = ticket_of(persons, who, share->group);
    share->lot = dpn_lot_of_group(&persons->drum, &ticket);
}

/* Put a share into its place in the list of those whose lots are drawn. */
static void put_in_order(dpn_person *who, dpn_share *share) {
    dpn_share **at = &who->share;
    while (*at && dpn_lot_less(share->lot, (*at)->lot)) at = &(*at)->next;
    share->next = *at;
    *at = share;
}

static void draw_all(dpn_persons *persons, dpn_person *who) {
    dpn_share *share = who->share, *next;
    for (who->share = NULL; share; share = next) {
        next = share->next;
        draw(persons, who, share);
        put_in_order(who, share);
    }
    who->drawn = true;
}

void dpn_person_order(dpn_persons *persons, dpn_person *who, bool by_lots) {
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

/* What was dropped stays so: whoever drops a group has max_groups of lesser lots. */
static uint64_t bit_of(size_t group) {
    return group < 64 ? UINT64_C(1) << group : 0;
}

static bool is_dropped(const dpn_person *who, size_t group) {
    return (who->dropped & bit_of(group)) != 0;
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
    for (const dpn_share *old = who->share; old; old = who->drawn ? NULL : old->next)
        __builtin_prefetch(old->row); /* which may have to leave, and comes while lots are drawn */
    if (!who->drawn) draw_all(persons, who);
    draw(persons, who, share);
    put_in_order(who, share);
    dpn_share *largest = who->share;
    who->share = largest->next;
    who->dropped |= bit_of(largest->group);
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
        if (is_dropped(who, group)) return true;
        share = new_share(persons, group);
        if (!share) return false;
        if (!put_share(persons, who, share)) return true;
    }
    return add_row(persons, share, record, copies);
}

/* ---- Merging ---- */

static void join_rows(dpn_persons *persons, dpn_share *into, dpn_share *from) {
    count_rows(persons, into, from->rows);
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

/* The shares of a person of `from`, which have our numbers of groups. */
static void join_shares(dpn_persons *into, dpn_person *our, const dpn_person *their) {
    for (dpn_share *share = their->share, *next; share; share = next) {
        next = share->next;
        dpn_share *there = find_share(our, share->group);
        if (there)
            join_rows(into, there, share);
        else if (is_dropped(our, share->group))
            free_share(into, share);
        else
            put_share(into, our, share);
    }
}

static void renumber(dpn_person *who, const size_t *group) {
    who->dropped = 0; /* of other numbers */
    for (dpn_share *share = who->share; share; share = share->next) share->group = group[share->group];
}

bool dpn_persons_absorb(dpn_persons *into, dpn_persons *from, const size_t *group) {
    dpn_arena_absorb(&into->arena, &from->arena);
    if (from->most_rows > into->most_rows) into->most_rows = from->most_rows;
    bool enough = dpn_names_reserve(&into->names, into->names.count + from->names.count);
    for (size_t i = 0; i < from->names.slots && enough; i++) {
        if (i % DPN_FETCH_BATCH == 0) {
            dpn_persons_fetch(&from->names, i);
            dpn_persons_fetch_like(&into->names, &from->names, i);
        }
        dpn_person *their = (dpn_person *)from->names.slot[i].item;
        if (!their) continue;
        if (group) renumber(their, group);
        dpn_person *our = (dpn_person *)dpn_names_adopt(&into->names, &their->name);
        enough = our != NULL;
        if (enough && our != their) join_shares(into, our, their);
    }
    dpn_names_free(&from->names);
    from->free_row = NULL;
    from->free_share = NULL;
    return enough;
}

/* ---- The cut of rows ---- */

/* Leave each row of the share the copies with the max_rows least lots. The heap has room for that many. Where all rows are equal, whichever
 * win are equal too, and no lot is drawn: there may be billions of them, and a state says so in a few bytes. */
static void cut(dpn_persons *persons, const dpn_person *who, dpn_share *share, dpn_winner *heap) {
    dpn_ticket ticket = ticket_of(persons, who, share->group);
    size_t most = (size_t)persons->lottery->max_rows, count = 0;
    dpn_share_sort(persons, share);
    if (share->listed == 1) {
        share->row->copies = most;
        return;
    }
    for (dpn_held_row *row = share->row; row; row = row->next) {
        for (uint64_t copy = 0; copy < row->copies; copy++) {
            dpn_winner one = {dpn_lot_of_row(&persons->drum, &ticket, row->record, copy), row};
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

bool dpn_persons_empty(dpn_persons *persons, dpn_kept_use *use, void *context) {
    dpn_winner *heap = NULL;
    if (!persons->lottery->totals && persons->most_rows > persons->lottery->max_rows) {
        uint64_t most = persons->lottery->max_rows;
        heap = most <= SIZE_MAX / sizeof *heap ? malloc((size_t)most * sizeof *heap) : NULL;
        if (!heap) return false;
    }
    for (size_t i = 0; i < persons->names.slots; i++) {
        if (i % DPN_FETCH_BATCH == 0) dpn_persons_fetch(&persons->names, i);
        const dpn_person *who = (const dpn_person *)persons->names.slot[i].item;
        for (dpn_share *share = who ? who->share : NULL; share; share = share->next)
            empty_share(persons, who, share, heap, use, context);
    }
    free(heap);
    dpn_persons_free(persons);
    return true;
}
