/* The cut of persons, in memory and on the disk, against one that looks at all lots: of each person the groups with the least, and in each of these the
 * rows with the least. While rows are cut, no more of them are listed than twice as many as are kept. */
#include "release/tally/person-runs.c" /* to see what is listed */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { PERSONS = 7, GROUPS = 6, NUMBERS = 2, VALUES = 3, MOST_KEPT = 4000 };

/* How many rows of each kind there are: a person, a group, and two numbers of few values. */
typedef struct table {
    uint64_t copies[PERSONS][GROUPS][VALUES][VALUES];
} table;

typedef struct kept_rows {
    table count;
    bool first[PERSONS][GROUPS];
    int calls;
} kept_rows;

static const char *const names[PERSONS] = {"a", "bb", "", "a longer name of a person", "a\xff", "c", "abcdefgh"};

static dpn_field group_text(const void *context, size_t group, size_t grouping) {
    static const char *const texts[2][GROUPS] = {{"x", "y", "", "x", "y", "long text"}, {"1", "1", "1", "2", "2", ""}};
    (void)context;
    return (dpn_field){texts[grouping][group], strlen(texts[grouping][group])};
}

/* What the numbers of a row are: far apart, on both sides of 0. */
static int64_t number_of(size_t value) {
    static const int64_t values[VALUES] = {-5, INT64_MIN, INT64_MAX - 1};
    return values[value];
}

static size_t value_of(int64_t number) {
    for (size_t v = 0; v < VALUES; v++)
        if (number_of(v) == number) return v;
    fail_msg("another number");
    return 0;
}

static dpn_lottery lottery_of(uint64_t max_groups, uint64_t max_rows) {
    dpn_lottery made = {
        .max_groups = max_groups, .max_rows = max_rows, .groupings = 2, .record = NUMBERS, .name = {{3, 4}}};
    memset(made.secret.byte, 9, sizeof made.secret.byte);
    return made;
}

/* ---- By all lots ---- */

typedef struct drawn {
    dpn_lot lot;
    size_t index;
} drawn;

static int by_lot(const void *a, const void *b) {
    const drawn *x = a, *y = b;
    return dpn_lot_less(x->lot, y->lot) ? -1 : dpn_lot_less(y->lot, x->lot);
}

static void cut_group(table *out, const table *all, dpn_drum *drum, const dpn_ticket *ticket, size_t person,
                      size_t group) {
    static drawn row[20000];
    size_t count = 0;
    for (size_t u = 0; u < VALUES; u++)
        for (size_t v = 0; v < VALUES; v++)
            for (uint64_t copy = 0; copy < all->copies[person][group][u][v]; copy++) {
                int64_t record[NUMBERS] = {number_of(u), number_of(v)};
                row[count++] = (drawn){dpn_lot_of_row(drum, ticket, record, copy), u * VALUES + v};
            }
    qsort(row, count, sizeof *row, by_lot);
    for (size_t i = 0; i < count && i < ticket->lottery->max_rows; i++)
        out->copies[person][group][row[i].index / VALUES][row[i].index % VALUES]++;
}

static void cut_by_all_lots(table *out, const table *all, const dpn_lottery *lottery) {
    dpn_drum drum = {0};
    *out = (table){0};
    for (size_t p = 0; p < PERSONS; p++) {
        drawn group[GROUPS];
        size_t count = 0;
        dpn_ticket ticket = {lottery, names[p], strlen(names[p]), 0, group_text, NULL};
        for (size_t g = 0; g < GROUPS; g++) {
            uint64_t rows = 0;
            for (size_t i = 0; i < VALUES * VALUES; i++) rows += all->copies[p][g][i / VALUES][i % VALUES];
            ticket.group = g;
            if (rows > 0) group[count++] = (drawn){dpn_lot_of_group(&drum, &ticket), g};
        }
        qsort(group, count, sizeof *group, by_lot);
        for (size_t i = 0; i < count && i < lottery->max_groups; i++) {
            ticket.group = group[i].index;
            cut_group(out, all, &drum, &ticket, p, group[i].index);
        }
    }
    dpn_drum_end(&drum);
}

/* ---- What is kept ---- */

static void keep(kept_rows *out, size_t person, size_t group, const int64_t *number, uint64_t copies, bool first) {
    uint64_t *at = &out->count.copies[person][group][value_of(number[0])][value_of(number[1])];
    assert_true(copies > 0);
    assert_true(first == !out->first[person][group]);
    out->first[person][group] = true;
    *at += copies;
    out->calls++;
}

static dpn_status keep_record(void *context, const dpn_person_record *record, dpn_error *why) {
    size_t person = 0, group = 0;
    (void)why;
    while (strlen(names[person]) != record->person.length ||
           memcmp(names[person], record->person.text, record->person.length) != 0)
        person++;
    for (bool same = false; !same; group += !same) {
        same = true;
        for (size_t i = 0; i < 2; i++) {
            dpn_field text = group_text(NULL, group, i);
            same &= text.length == record->text[i].length && memcmp(text.text, record->text[i].text, text.length) == 0;
        }
    }
    keep(context, person, group, record->number, record->copies, record->first);
    return DPN_OK;
}

static kept_rows *held; /* of the person that is looked at */
static size_t held_person;

static void keep_held(void *context, size_t group, const int64_t *record, uint64_t copies, bool first) {
    (void)context;
    keep(held, held_person, group, record, copies, first);
}

static void add_some(table *into, dpn_persons *persons, draw_source *source, bool many) {
    size_t p = (size_t)draw_uniform(source, 0, PERSONS), g = (size_t)draw_uniform(source, 0, GROUPS);
    size_t u = (size_t)draw_uniform(source, 0, VALUES), v = (size_t)draw_uniform(source, 0, p == 0 ? 1 : VALUES);
    if (p == 0) u = 1; /* whose rows are all equal */
    uint64_t copies = many && draw_chance(source, 0.05) ? 40 : 1 + (uint64_t)draw_uniform(source, 0, 2);
    int64_t record[NUMBERS] = {number_of(u), number_of(v)};
    into->copies[p][g][u][v] += copies;
    assert_true(dpn_persons_add(persons, names[p], strlen(names[p]), g, record, copies));
}

static void the_cut_on_the_disk_is_that_of_all_lots(void **state) {
    (void)state;
    draw_source source = {1};
    int cut = 0, whole = 0;
    for (int trial = 0; trial < 120; trial++) {
        dpn_lottery lottery = lottery_of(1 + (uint64_t)draw_uniform(&source, 0, GROUPS + 1),
                                         1 + (uint64_t)draw_uniform(&source, 0, trial % 3 ? 6 : 60));
        dpn_memory_limit limit = {0};
        dpn_memory memory = {.limit = &limit};
        dpn_overflow *file = NULL;
        dpn_runs runs = {0};
        dpn_error why = {DPN_OK, ""};
        table all = {0}, expected;
        kept_rows found = {0};
        if (dpn_overflow_open(&file, "/tmp", 512, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_runs_make(&runs, file, dpn_person_runs_numbers(&lottery), &why), DPN_OK);
        for (int run = 0; run < 1 + trial % 4; run++) {
            dpn_persons persons;
            dpn_persons_begin(&persons, &lottery, group_text, NULL, &memory);
            for (int i = 0; i < 150; i++) add_some(&all, &persons, &source, trial % 2);
            /* a run has no more groups of a person than may be kept: those that leave have larger lots */
            assert_int_equal(dpn_persons_spill(&persons, &runs, true, &why), DPN_OK);
            assert_true(persons.names.count == 0 && memory.used == 0);
        }
        cut_by_all_lots(&expected, &all, &lottery);
        assert_int_equal(dpn_person_runs_kept(&runs, &lottery, UINT64_C(1) << 36, 1 << 16, keep_record, &found, &why),
                         DPN_OK);
        assert_memory_equal(&found.count, &expected, sizeof expected);
        if (memcmp(&expected, &all, sizeof all) == 0)
            whole++;
        else
            cut++;
        dpn_runs_free(&runs);
        dpn_overflow_close(file);
    }
    assert_true(cut > 50 && whole >= 0);
}

/* The same in memory, one person alone in a table, so that it is known whose rows are given out. */
static void the_cut_in_memory_is_that_of_all_lots(void **state) {
    (void)state;
    draw_source source = {2};
    for (int trial = 0; trial < 200; trial++) {
        dpn_lottery lottery =
            lottery_of(1 + (uint64_t)draw_uniform(&source, 0, GROUPS + 1), 1 + (uint64_t)draw_uniform(&source, 0, 12));
        dpn_memory_limit limit = {0};
        dpn_memory memory = {.limit = &limit}, other_memory = {.limit = &limit};
        table all = {0}, expected;
        kept_rows found = {0};
        held = &found;
        held_person = (size_t)trial % PERSONS;
        dpn_persons persons, other;
        dpn_persons_begin(&persons, &lottery, group_text, NULL, &memory);
        dpn_persons_begin(&other, &lottery, group_text, NULL, &other_memory);
        for (int i = 0; i < 250; i++) {
            size_t g = (size_t)draw_uniform(&source, 0, GROUPS), u = (size_t)draw_uniform(&source, 0, VALUES);
            size_t v = trial % 5 ? (size_t)draw_uniform(&source, 0, VALUES) : 0;
            int64_t record[NUMBERS] = {number_of(u), number_of(v)};
            all.copies[held_person][g][u][v]++;
            dpn_persons *into = trial % 2 && i % 2 ? &other : &persons;
            assert_true(dpn_persons_add(into, names[held_person], strlen(names[held_person]), g, record, 1));
        }
        assert_true(dpn_persons_absorb(&persons, &other, NULL) && other.names.count == 0);
        cut_by_all_lots(&expected, &all, &lottery);
        assert_true(dpn_persons_empty(&persons, keep_held, NULL));
        assert_memory_equal(&found.count, &expected, sizeof expected);
        assert_true(memory.used == 0 && other_memory.used == 0);
    }
}

/* Where records are added to totals there is one for each person and group, with the sums of all and as many copies as rows, on the disk as in memory, in one
 * part or in two. */
static void totals_are_sums_of_all_rows(void **state) {
    (void)state;
    draw_source source = {7};
    for (int trial = 0; trial < 20; trial++) {
        dpn_lottery lottery = lottery_of(GROUPS, 1);
        lottery.totals = true;
        dpn_memory_limit limit = {0};
        dpn_memory memory = {.limit = &limit}, other_memory = {.limit = &limit};
        dpn_persons persons, other;
        int64_t total[GROUPS][NUMBERS] = {{0}};
        uint64_t rows[GROUPS] = {0};
        dpn_persons_begin(&persons, &lottery, group_text, NULL, &memory);
        dpn_persons_begin(&other, &lottery, group_text, NULL, &other_memory);
        for (int i = 0; i < 60; i++) {
            size_t g = (size_t)draw_uniform(&source, 0, GROUPS);
            int64_t record[NUMBERS] = {(int64_t)draw_uniform(&source, -1e6, 1e6),
                                       (int64_t)draw_uniform(&source, -9, 9)};
            uint64_t copies = 1 + (uint64_t)draw_uniform(&source, 0, 3);
            for (size_t k = 0; k < NUMBERS; k++) total[g][k] += record[k];
            rows[g] += copies;
            assert_true(dpn_persons_add(trial % 2 && i % 2 ? &other : &persons, "a", 1, g, record, copies));
        }
        assert_true(dpn_persons_absorb(&persons, &other, NULL));
        assert_int_equal(persons.names.count, 1);
        dpn_person *who = NULL;
        for (size_t i = 0; i < persons.names.slots; i++)
            if (persons.names.slot[i].item) who = (dpn_person *)persons.names.slot[i].item;
        size_t shares = 0;
        for (const dpn_share *share = who->share; share; share = share->next, shares++) {
            assert_true(share->row && !share->row->next && share->row->copies == rows[share->group]);
            assert_true(share->rows == rows[share->group]);
            for (size_t k = 0; k < NUMBERS; k++) assert_true(share->row->record[k] == total[share->group][k]);
        }
        assert_int_equal(shares, GROUPS);
        dpn_persons_free(&persons);
        assert_true(memory.used == 0 && other_memory.used == 0);
    }
}

/* Without a cut of rows every record is given out as it comes. */
static void records_without_a_cut_stay(void **state) {
    (void)state;
    draw_source source = {3};
    dpn_lottery lottery = lottery_of(GROUPS, 5);
    dpn_memory_limit limit = {0};
    dpn_memory memory = {.limit = &limit};
    for (int each = 0; each < 2; each++) {
        dpn_overflow *file = NULL;
        dpn_runs runs = {0};
        dpn_persons persons;
        dpn_error why;
        table all = {0};
        kept_rows found = {0};
        assert_int_equal(dpn_overflow_open(&file, "/tmp", 512, &why), DPN_OK);
        assert_int_equal(dpn_runs_make(&runs, file, 1, &why), DPN_OK);
        dpn_persons_begin(&persons, &lottery, group_text, NULL, &memory);
        for (int i = 0; i < 100; i++) add_some(&all, &persons, &source, false);
        assert_int_equal(dpn_persons_spill(&persons, &runs, each, &why), DPN_OK);
        lottery.max_rows = 5; /* among no more rows than that none is cut */
        assert_int_equal(dpn_person_runs_kept(&runs, &lottery, 5, 1 << 16, keep_record, &found, &why), DPN_OK);
        assert_memory_equal(&found.count, &all, sizeof all);
        dpn_runs_free(&runs);
        dpn_overflow_close(file);
    }
}

/* ---- What is listed ---- */

static void check_list(const cutting *cut) {
    uint64_t copies = 0, listed = 0, lost = 0;
    for (const dpn_held_row *row = cut->row; row; row = row->next) {
        copies += row->copies;
        listed++;
        lost += row->copies == 0;
    }
    assert_true(listed <= 2 * cut->most + 1 && lost <= cut->lost && listed - lost <= cut->most);
    if (cut->drawn) {
        assert_true(copies == cut->winners && cut->winners <= cut->most);
        for (size_t i = 1; i < cut->winners; i++)
            assert_false(dpn_lot_less(cut->heap[(i - 1) / 2].lot, cut->heap[i].lot));
    }
}

static void few_rows_are_listed(void **state) {
    (void)state;
    draw_source source = {4};
    for (uint64_t most = 1; most < 40; most += 1 + most / 3) {
        dpn_lottery lottery = lottery_of(3, most);
        dpn_field text[2] = {{"x", 1}, {"1", 1}};
        unsigned char before[HEAD + 4] = {0};
        cutting cut = {.reading = {.lottery = &lottery},
                       .most = most,
                       .text = text,
                       .before = before,
                       .parts = {HEAD + 4, HEAD + 4}};
        cut.memory.limit = &cut.limit;
        cut.arena.memory = &cut.memory;
        cut.heap = malloc((size_t)most * sizeof *cut.heap);
        assert_non_null(cut.heap);
        for (int64_t i = 0; i < 1500; i++) {
            int64_t number[NUMBERS] = {i, -i};
            dpn_person_record one = {.number = number, .copies = 1 + (uint64_t)draw_uniform(&source, 0, 3)};
            assert_true(add_row(&cut, &one));
            check_list(&cut);
        }
        assert_true(cut.drawn && cut.winners == most);
        assert_true(cut.arena.bytes <= 2 * dpn_person_runs_memory(&lottery, UINT64_MAX) + (1 << 13));
        free(cut.heap);
        dpn_drum_end(&cut.drum);
        dpn_arena_free(&cut.arena);
    }
}

/* What the cut takes: a winner and two listed rows for each row that is kept, nothing where none can be too many. */
static void memory_of_the_cut(void **state) {
    (void)state;
    dpn_lottery lottery = lottery_of(3, 10);
    size_t one = dpn_person_runs_memory(&lottery, 11) / 10;
    assert_true(one >= sizeof(dpn_winner) + 2 * (sizeof(dpn_held_row) + NUMBERS * sizeof(int64_t)) && one < 300);
    assert_int_equal(dpn_person_runs_memory(&lottery, 10), 0);
    assert_int_equal(dpn_person_runs_memory(&lottery, 11), 10 * one);
    lottery.max_rows = SIZE_MAX / one;
    assert_true(dpn_person_runs_memory(&lottery, UINT64_MAX) >= SIZE_MAX - 2 * one);
    lottery.max_rows = SIZE_MAX / one + 1;
    assert_true(dpn_person_runs_memory(&lottery, UINT64_MAX) == SIZE_MAX);
    lottery.max_rows = 10;
    lottery.totals = true;
    assert_int_equal(dpn_person_runs_memory(&lottery, 11), 0);
    assert_int_equal(dpn_person_runs_numbers(&lottery), 1 + NUMBERS);
    lottery.totals = false;
    assert_int_equal(dpn_person_runs_numbers(&lottery), 1);
    for (size_t groups = 1; groups < 6; groups++)
        for (int known = 0; known < 2; known++)
            assert_true(dpn_person_runs_by_lots(&lottery, known, groups) == (!known || groups > 3));
}

/* ---- Keys ---- */

static void numbers_are_in_the_order_of_bytes(void **state) {
    (void)state;
    draw_source source = {5};
    unsigned char a[NUMBER], b[NUMBER];
    for (int i = 0; i < 2000; i++) {
        uint64_t x = draw_bits(&source) >> (i % 60), y = draw_bits(&source) >> (i % 57);
        put_number(a, x);
        put_number(b, y);
        int order = memcmp(a, b, NUMBER);
        assert_true((order < 0) == (x < y) && (order == 0) == (x == y) && get_number(a) == x);
    }
}

static void keys_are_made_from_left_to_right(void **state) {
    (void)state;
    key_bytes key = {0}, one = {0}; /* nothing is lost where it grows, not even a single byte */
    static unsigned char expected[6000];
    assert_true(append(&one, "x", 1) && append(&one, expected, 1000) && one.bytes[0] == 'x' && one.length == 1001);
    key_free(&one);
    size_t length = 0;
    for (size_t piece = 0; length + piece < sizeof expected; piece += 37) {
        for (size_t i = 0; i < piece; i++) expected[length + i] = (unsigned char)(length + i);
        assert_true(append(&key, expected + length, piece));
        length += piece;
        assert_true(key.length == length && key.room >= length && key.room <= 2 * length + 256);
        assert_memory_equal(key.bytes, expected, length);
    }
    key_free(&key);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cut_on_the_disk_is_that_of_all_lots),
        cmocka_unit_test(the_cut_in_memory_is_that_of_all_lots),
        cmocka_unit_test(totals_are_sums_of_all_rows),
        cmocka_unit_test(records_without_a_cut_stay),
        cmocka_unit_test(few_rows_are_listed),
        cmocka_unit_test(memory_of_the_cut),
        cmocka_unit_test(numbers_are_in_the_order_of_bytes),
        cmocka_unit_test(keys_are_made_from_left_to_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
