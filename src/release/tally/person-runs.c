/* Persons as records, and back. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/person-runs.h"

#include "base/error.h"
#include "release/tally/person-fetch.h"
#include "release/tally/winners.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
}

enum { NUMBER = 8, HEAD = 2 * NUMBER, LOT = 2 * NUMBER };

static void put_number(unsigned char *out, uint64_t number) {
    for (int i = 0; i < NUMBER; i++) out[i] = (unsigned char)(number >> 8 * (NUMBER - 1 - i));
}

static uint64_t get_number(const unsigned char *in) {
    uint64_t number = 0;
    for (int i = 0; i < NUMBER; i++) number = number << 8 | in[i];
    return number;
}

#define SIGN (UINT64_C(1) << 63)

_Static_assert(offsetof(dpn_held_row, record) == offsetof(dpn_held_row, copies) + sizeof(uint64_t),
               "copies and record are one list of numbers");

/* ---- Writing ---- */

/* The key of one record, made from left to right. */
typedef struct key_bytes {
    unsigned char *bytes;
    size_t length, room;
} key_bytes;

static void key_free(key_bytes *key) {
    if (key->bytes) explicit_bzero(key->bytes, key->room);
    free(key->bytes);
}

static bool append(key_bytes *key, const void *bytes, size_t length) {
    if (length > key->room - key->length) {
        size_t room = 2 * (key->length + length) + 256;
        unsigned char *larger = malloc(room);
        if (!larger) return false;
        if (key->length > 0) memcpy(larger, key->bytes, key->length);
        key_free(key);
        key->bytes = larger;
        key->room = room;
    }
    if (length > 0) memcpy(key->bytes + key->length, bytes, length);
    key->length += length;
    return true;
}

static bool append_number(key_bytes *key, uint64_t number) {
    unsigned char bytes[NUMBER];
    put_number(bytes, number);
    return append(key, bytes, sizeof bytes);
}

static bool append_group(key_bytes *key, const dpn_persons *persons, const dpn_share *share) {
    bool enough = append_number(key, share->lot.high) && append_number(key, share->lot.low);
    for (size_t i = 0; i < persons->lottery->groupings && enough; i++) {
        dpn_field text = persons->text(persons->context, share->group, i);
        enough = append(key, text.text, text.length) && append(key, "", 1);
    }
    return enough;
}

/* The rows of a share, for which the key is made but for its numbers. */
static dpn_status put_rows(dpn_runs *runs, key_bytes *key, dpn_persons *persons, dpn_share *share, dpn_error *why) {
    const dpn_lottery *lottery = persons->lottery;
    size_t group = key->length;
    dpn_status status = DPN_OK;
    dpn_share_sort(persons, share);
    for (dpn_held_row *row = share->row; row && !status; row = row->next) {
        bool enough = true;
        key->length = group;
        for (size_t i = 0; i < lottery->record && !lottery->totals && enough; i++)
            enough = append_number(key, (uint64_t)row->record[i] ^ SIGN);
        if (!enough) return no_memory(why);
        /* Copies stand before the record of a held row, and both are the numbers of a record with totals. */
        status = dpn_runs_put(runs, key->bytes, key->length, (const int64_t *)&row->copies, why);
    }
    return status;
}

static dpn_status put_person(dpn_runs *runs, key_bytes *key, dpn_persons *persons, dpn_person *who, bool by_lots,
                             dpn_error *why) {
    dpn_status status = DPN_OK;
    key->length = 0;
    dpn_person_order(persons, who, by_lots);
    if (!append_number(key, who->name.hash) || !append_number(key, who->name.length) ||
        !append(key, dpn_person_name(who), who->name.length))
        return no_memory(why);
    size_t person = key->length;
    for (dpn_share *share = who->share; share && !status; share = share->next) {
        if (share->rows == 0) continue; /* memory ran out before its first row */
        key->length = person;
        status = append_group(key, persons, share) ? put_rows(runs, key, persons, share, why) : no_memory(why);
    }
    return status;
}

dpn_status dpn_persons_spill(dpn_persons *persons, dpn_runs *runs, bool by_lots, dpn_error *why) {
    if (persons->names.count == 0) return DPN_OK;
    key_bytes key = {0};
    dpn_status status = dpn_runs_begin(runs, why);
    dpn_names_sort(&persons->names);
    for (size_t i = 0; i < persons->names.count && !status; i++) {
        if (i % DPN_FETCH_BATCH == 0) dpn_persons_fetch(&persons->names, i);
        status = put_person(runs, &key, persons, (dpn_person *)persons->names.slot[i].item, by_lots, why);
    }
    if (!status) status = dpn_runs_end(runs, why);
    key_free(&key);
    dpn_persons_free(persons);
    return status;
}

/* ---- Reading ---- */

/* Where the parts of a key end. */
typedef struct key_parts {
    size_t person, group;
} key_parts;

static bool find_parts(key_parts *out, const dpn_run_record *record, const dpn_lottery *lottery) {
    size_t tail = lottery->totals ? 0 : lottery->record * NUMBER;
    if (record->length < HEAD + LOT + tail) return false;
    uint64_t name = get_number(record->key + NUMBER);
    if (name > record->length - HEAD - LOT - tail) return false;
    *out = (key_parts){HEAD + (size_t)name, record->length - tail};
    return true;
}

/* The texts of the group, as many as there are groupings. */
static bool find_texts(dpn_field *text, const dpn_lottery *lottery, const char *at, const char *end) {
    for (size_t i = 0; i < lottery->groupings; i++) {
        const char *zero = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!zero) return false;
        text[i] = (dpn_field){at, (size_t)(zero - at)};
        at = zero + 1;
    }
    return at == end;
}

/* What is read from the runs, one record after the other. */
typedef struct record_reader {
    const dpn_lottery *lottery;
    dpn_merge *merge;
    dpn_field *text;
    int64_t *number;
} record_reader;

static void reading_end(record_reader *reading) {
    dpn_merge_free(reading->merge);
    free(reading->text);
    if (reading->number) explicit_bzero(reading->number, reading->lottery->record * sizeof *reading->number);
    free(reading->number);
}

static dpn_status reading_begin(record_reader *out, dpn_runs *runs, const dpn_lottery *lottery, size_t memory,
                                dpn_error *why) {
    *out = (record_reader){.lottery = lottery,
                           .text = calloc(lottery->groupings + 1, sizeof *out->text),
                           .number = calloc(lottery->record + 1, sizeof *out->number)};
    if (!out->text || !out->number) return no_memory(why);
    return dpn_merge_begin(&out->merge, runs, memory, why);
}

/* *record->key is NULL after the last. */
static dpn_status read_next(dpn_person_record *out, dpn_run_record *record, key_parts *parts, record_reader *reading,
                            dpn_error *why) {
    const dpn_lottery *lottery = reading->lottery;
    dpn_status status = dpn_merge_next(record, reading->merge, why);
    if (status || !record->key) return status;
    const char *bytes = (const char *)record->key;
    if (!find_parts(parts, record, lottery) ||
        !find_texts(reading->text, lottery, bytes + parts->person + LOT, bytes + parts->group))
        return dpn_fail(why, DPN_EIO, "the disk gives back other keys and persons than were put there");
    for (size_t i = 0; i < lottery->record; i++) {
        uint64_t number = lottery->totals ? (uint64_t)record->number[1 + i]
                                          : get_number(record->key + parts->group + i * NUMBER) ^ SIGN;
        memcpy(&reading->number[i], &number, sizeof number);
    }
    *out = (dpn_person_record){.person = {bytes + HEAD, parts->person - HEAD},
                               .text = reading->text,
                               .number = reading->number,
                               .copies = (uint64_t)record->number[0]};
    return DPN_OK;
}

dpn_status dpn_person_runs_each(dpn_runs *runs, const dpn_lottery *lottery, size_t memory, dpn_person_use *use,
                                void *context, dpn_error *why) {
    record_reader reading;
    dpn_person_record one;
    dpn_run_record record = {NULL, 0, NULL};
    key_parts parts;
    dpn_status status = reading_begin(&reading, runs, lottery, memory, why);
    do {
        if (!status) status = read_next(&one, &record, &parts, &reading, why);
        if (!status && record.key) status = use(context, &one, why);
    } while (!status && record.key);
    reading_end(&reading);
    return status;
}

/* ---- The cut ---- */

/* The rows of a person in one group, as far as they may be kept. While there are no more than max_rows, or all are equal, they are listed with
 * their copies; from then on a row has as many copies as are among the winners. Rows that have lost all of theirs are swept out
 * when there are as many of them as of winners. */
typedef struct cutting {
    record_reader reading;
    uint64_t most; /* rows that are kept; 0: all */
    dpn_person_use *use;
    void *context;

    unsigned char *before; /* the key of the group that is read */
    size_t room;
    key_parts parts;
    dpn_field *text; /* of that key */
    uint64_t groups; /* of this person, with this one */

    dpn_held_row *row, *unused;
    dpn_memory_limit limit;
    dpn_memory memory;
    dpn_arena arena;
    uint64_t rows, lost;
    bool drawn;
    dpn_drum drum;
    dpn_winner *heap;
    size_t winners;
} cutting;

size_t dpn_person_runs_memory(const dpn_lottery *lottery, uint64_t most_rows) {
    if (lottery->totals || lottery->max_rows >= most_rows) return 0;
    size_t row = sizeof(dpn_held_row) + lottery->record * sizeof(int64_t) + sizeof(max_align_t);
    size_t each = sizeof(dpn_winner) + 2 * row;
    return lottery->max_rows < SIZE_MAX / each ? (size_t)lottery->max_rows * each : SIZE_MAX;
}

static dpn_held_row *list_row(cutting *cut, const int64_t *number) {
    size_t size = cut->reading.lottery->record * sizeof *number;
    dpn_held_row *row = cut->unused;
    if (row)
        cut->unused = row->next;
    else if (!(row = dpn_arena_take(&cut->arena, sizeof *row + size)))
        return NULL;
    row->copies = 0;
    memcpy(row->record, number, size);
    row->next = cut->row;
    cut->row = row;
    return row;
}

static void sweep(cutting *cut) {
    for (dpn_held_row **at = &cut->row; *at;) {
        dpn_held_row *row = *at;
        if (row->copies > 0) {
            at = &row->next;
            continue;
        }
        *at = row->next;
        row->next = cut->unused;
        cut->unused = row;
    }
    cut->lost = 0;
}

static dpn_field ticket_text(const void *context, size_t group, size_t grouping) {
    (void)group;
    return ((const dpn_field *)context)[grouping];
}

/* Let copies of a row compete; NULL: of one that is not listed, and is as soon as one of them wins. */
static bool compete(cutting *cut, dpn_held_row *row, const int64_t *number, uint64_t copies) {
    const char *person = (const char *)cut->before + HEAD;
    dpn_ticket ticket = {cut->reading.lottery, person, cut->parts.person - HEAD, 0, ticket_text, cut->text};
    if (!row && cut->lost > cut->most) sweep(cut);
    for (uint64_t copy = 0; copy < copies; copy++) {
        dpn_lot lot = dpn_lot_of_row(&cut->drum, &ticket, number, copy);
        bool more = cut->winners < cut->most;
        if (!more && !dpn_lot_less(lot, cut->heap[0].lot)) continue;
        if (!row && !(row = list_row(cut, number))) return false;
        if (!more && --cut->heap[0].row->copies == 0) cut->lost++;
        row->copies++;
        if (more)
            dpn_winners_rise(cut->heap, cut->winners++, (dpn_winner){lot, row});
        else
            dpn_winners_sink(cut->heap, cut->winners, 0, (dpn_winner){lot, row});
    }
    return true;
}

/* There are too many rows: lots are drawn, also for those that were listed without. */
static bool draw_listed(cutting *cut) {
    cut->drawn = true;
    for (dpn_held_row *row = cut->row; row; row = row->next) {
        uint64_t copies = row->copies;
        row->copies = 0;
        if (!compete(cut, row, row->record, copies)) return false;
    }
    return true;
}

static bool add_row(cutting *cut, const dpn_person_record *one) {
    bool fits = cut->rows <= cut->most && one->copies <= cut->most - cut->rows;
    if (!cut->drawn && (fits || cut->rows == 0)) {
        dpn_held_row *row = list_row(cut, one->number);
        if (!row) return false;
        cut->rows += row->copies = one->copies;
        return true;
    }
    return (cut->drawn || draw_listed(cut)) && compete(cut, NULL, one->number, one->copies);
}

/* Give out what is kept of the group, and forget it. */
static dpn_status end_group(cutting *cut, dpn_error *why) {
    dpn_person_record one = {.text = cut->text, .first = true};
    dpn_status status = DPN_OK;
    for (dpn_held_row *row = cut->row; row && !status; row = row->next) {
        if (row->copies == 0) continue;
        one.person = (dpn_field){(const char *)cut->before + HEAD, cut->parts.person - HEAD};
        one.number = row->record;
        one.copies = row->copies < cut->most ? row->copies : cut->most; /* more only where all are equal */
        status = cut->use(cut->context, &one, why);
        one.first = false;
        row->copies = 0;
    }
    sweep(cut);
    cut->rows = 0;
    cut->winners = 0;
    cut->drawn = false;
    return status;
}

static bool remember(cutting *cut, const dpn_run_record *record, const key_parts *now) {
    if (now->group > cut->room) {
        unsigned char *larger = malloc(2 * now->group);
        if (!larger) return false;
        if (cut->before) explicit_bzero(cut->before, cut->room);
        free(cut->before);
        cut->before = larger;
        cut->room = 2 * now->group;
    }
    memcpy(cut->before, record->key, now->group);
    cut->parts = *now;
    const char *bytes = (const char *)cut->before;
    return find_texts(cut->text, cut->reading.lottery, bytes + now->person + LOT, bytes + now->group);
}

/* A record of another group than the one before, or of another person. */
static dpn_status begin_group(cutting *cut, const dpn_run_record *record, const key_parts *now, dpn_error *why) {
    bool same_person =
        cut->groups > 0 && now->person == cut->parts.person && memcmp(record->key, cut->before, now->person) == 0;
    dpn_status status = end_group(cut, why);
    cut->groups = same_person ? cut->groups + 1 : 1;
    if (!status && !remember(cut, record, now)) status = no_memory(why);
    return status;
}

static dpn_status cut_record(cutting *cut, dpn_person_record *one, const dpn_run_record *record, const key_parts *now,
                             dpn_error *why) {
    dpn_status status = DPN_OK;
    one->first =
        cut->groups == 0 || now->group != cut->parts.group || memcmp(record->key, cut->before, now->group) != 0;
    if (one->first) status = begin_group(cut, record, now, why);
    if (status || cut->groups > cut->reading.lottery->max_groups) return status;
    if (cut->most == 0) return cut->use(cut->context, one, why);
    return add_row(cut, one) ? DPN_OK : no_memory(why);
}

static dpn_status cut_all(cutting *cut, dpn_error *why) {
    dpn_person_record one;
    dpn_run_record record = {NULL, 0, NULL};
    key_parts now;
    dpn_status status;
    do {
        status = read_next(&one, &record, &now, &cut->reading, why);
        if (!status && record.key) status = cut_record(cut, &one, &record, &now, why);
    } while (!status && record.key);
    return status ? status : end_group(cut, why);
}

dpn_status dpn_person_runs_kept(dpn_runs *runs, const dpn_lottery *lottery, uint64_t most_rows, size_t memory,
                                dpn_person_use *use, void *context, dpn_error *why) {
    cutting cut = {.use = use, .context = context};
    cut.memory.limit = &cut.limit;
    cut.arena.memory = &cut.memory;
    dpn_status status = reading_begin(&cut.reading, runs, lottery, memory, why);
    cut.most = dpn_person_runs_memory(lottery, most_rows) > 0 ? lottery->max_rows : 0;
    cut.text = calloc(lottery->groupings + 1, sizeof *cut.text);
    if (cut.most > 0 && cut.most <= SIZE_MAX / sizeof *cut.heap) cut.heap = malloc((size_t)cut.most * sizeof *cut.heap);
    if (!status && (!cut.text || (cut.most > 0 && !cut.heap))) status = no_memory(why);
    if (!status) status = cut_all(&cut, why);
    reading_end(&cut.reading);
    if (cut.before) explicit_bzero(cut.before, cut.room);
    free(cut.before);
    free(cut.text);
    free(cut.heap);
    dpn_drum_end(&cut.drum);
    dpn_arena_free(&cut.arena);
    return status;
}
