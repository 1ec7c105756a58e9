/* Records on the disk: from runs cut anywhere, with any memory, all come back in order and each key once; and records of persons that are not what was
 * put there are refused, whatever byte of them is another. */
#include "release/tally/person-runs.h"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t below(draw_source *source, size_t count) {
    return draw_bits(source) % count;
}

/* ---- Records in order ---- */

enum { MOST_RECORDS = 120, MOST_KEY = 300, NUMBERS = 2 };

typedef struct record {
    unsigned char key[MOST_KEY];
    size_t length;
    int64_t number[NUMBERS];
} record;

static int compare(const void *a, const void *b) {
    const record *x = a, *y = b;
    size_t common = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->key, y->key, common);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Few letters, so that keys repeat and begin alike. */
static record some_record(draw_source *source) {
    record made = {.length = below(source, 20) == 0 ? below(source, MOST_KEY) : below(source, 4)};
    for (size_t i = 0; i < made.length; i++) made.key[i] = (unsigned char)(below(source, 2) * 255);
    for (size_t i = 0; i < NUMBERS; i++) made.number[i] = (int64_t)below(source, 1000) - 500;
    return made;
}

static void write_run(dpn_runs *runs, record *from, size_t count) {
    dpn_error why = {DPN_OK, ""};
    qsort(from, count, sizeof *from, compare);
    dpn_status status = dpn_runs_begin(runs, &why);
    for (size_t i = 0; i < count && !status; i++)
        status = dpn_runs_put(runs, from[i].key, from[i].length, from[i].number, &why);
    if (!status) status = dpn_runs_end(runs, &why);
    if (status) fail_msg("%s", why.sentence);
}

/* Sorted, and the numbers of equal keys added. */
static size_t added_up(record *all, size_t count) {
    size_t kept = 0;
    qsort(all, count, sizeof *all, compare);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare(&all[kept - 1], &all[i]) == 0)
            for (size_t n = 0; n < NUMBERS; n++) all[kept - 1].number[n] += all[i].number[n];
        else
            all[kept++] = all[i];
    }
    return kept;
}

static void assert_merged(dpn_runs *runs, const record *all, size_t count, size_t memory) {
    dpn_merge *merge = NULL;
    dpn_run_record one = {NULL, 0, NULL};
    dpn_error why = {DPN_OK, ""};
    if (dpn_merge_begin(&merge, runs, memory, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i <= count; i++) {
        if (dpn_merge_next(&one, merge, &why)) fail_msg("%s", why.sentence);
        assert_true((one.key != NULL) == (i < count));
        if (!one.key) break;
        assert_int_equal(one.length, all[i].length);
        assert_memory_equal(one.key, all[i].key, one.length);
        assert_memory_equal(one.number, all[i].number, sizeof all[i].number);
    }
    dpn_merge_free(merge);
}

static void all_come_back_in_order(void **state) {
    (void)state;
    static record all[MOST_RECORDS];
    draw_source source = {5};
    for (int trial = 0; trial < 60; trial++) {
        size_t block = 64u << below(&source, 4), count = below(&source, MOST_RECORDS + 1);
        dpn_overflow *file = NULL;
        dpn_runs runs[2] = {{0}};
        dpn_error why = {DPN_OK, ""};
        if (dpn_overflow_open(&file, "/tmp", block, &why)) fail_msg("%s", why.sentence);
        for (int r = 0; r < 2; r++)
            if (dpn_runs_make(&runs[r], file, NUMBERS, &why)) fail_msg("%s", why.sentence);
        for (size_t i = 0; i < count; i++) all[i] = some_record(&source);
        for (size_t at = 0; at < count;) {
            size_t some = below(&source, 1 + below(&source, 30));
            if (some > count - at) some = count - at;
            write_run(&runs[below(&source, 2)], all + at, some);
            at += some;
        }
        assert_true(dpn_runs_absorb(&runs[0], &runs[1]));
        assert_int_equal(runs[1].count, 0);
        size_t kept = added_up(all, count);
        size_t memory = trial % 3 == 0 ? 1 : below(&source, 20000);
        for (int again = 0; again < 2; again++) assert_merged(&runs[0], all, kept, memory);
        for (int r = 0; r < 2; r++) dpn_runs_free(&runs[r]);
        dpn_overflow_close(file);
    }
}

/* ---- Records of persons ---- */

enum { NUMBER = 8, LOT = 16, MOST_GROUPINGS = 3, MOST_PARTS = 3 };

typedef struct seen {
    dpn_lottery lottery;
    size_t count, person, length[MOST_GROUPINGS];
    char bytes[MOST_KEY], text[MOST_GROUPINGS][MOST_KEY];
    int64_t number[MOST_PARTS];
    uint64_t copies;
} seen;

static dpn_status keep(void *context, const dpn_person_record *one, dpn_error *why) {
    (void)why;
    seen *out = context;
    out->count++;
    out->person = one->person.length;
    out->copies = one->copies;
    memcpy(out->bytes, one->person.text, one->person.length);
    memcpy(out->number, one->number, out->lottery.record * sizeof *one->number);
    for (size_t i = 0; i < out->lottery.groupings; i++) {
        out->length[i] = one->text[i].length;
        memcpy(out->text[i], one->text[i].text, one->text[i].length);
    }
    return DPN_OK;
}

/* What the bytes of a key say by the layout of person-runs.h; false if they say nothing. */
static bool understood(seen *out, const record *from) {
    size_t at = 0, numbers = out->lottery.totals ? 0 : out->lottery.record;
    uint64_t person = 0;
    if (from->length < 2 * NUMBER) return false;
    for (at = NUMBER; at < 2 * NUMBER; at++) person = person * 256 + from->key[at];
    if (person > from->length) return false;
    out->person = (size_t)person;
    if (at + out->person + LOT > from->length) return false;
    memcpy(out->bytes, from->key + at, out->person);
    at += out->person + LOT;
    for (size_t i = 0; i < out->lottery.groupings; i++) {
        for (out->length[i] = 0; at < from->length && from->key[at]; at++)
            out->text[i][out->length[i]++] = (char)from->key[at];
        if (at++ >= from->length) return false;
    }
    if (at + numbers * NUMBER != from->length) return false;
    for (size_t i = 0; i < out->lottery.record; i++) {
        __int128 value = 0;
        for (size_t b = 0; b < NUMBER && !out->lottery.totals; b++) value = value * 256 + from->key[at++];
        out->number[i] = out->lottery.totals ? from->number[1 + i] : (int64_t)(value - ((__int128)1 << 63));
    }
    out->copies = (uint64_t)from->number[0];
    return true;
}

static record some_person(draw_source *source, const dpn_lottery *lottery) {
    record made = {.length = 0};
    size_t name = below(source, 6);
    for (size_t i = 0; i < NUMBER; i++) made.key[made.length++] = (unsigned char)below(source, 256);
    for (size_t i = 0; i < NUMBER; i++) made.key[made.length++] = i + 1 < NUMBER ? 0 : (unsigned char)name;
    for (size_t i = 0; i < name + LOT; i++) made.key[made.length++] = (unsigned char)(below(source, 3) * 100);
    for (size_t g = 0; g < lottery->groupings; g++) {
        for (size_t i = below(source, 4); i > 0; i--) made.key[made.length++] = (unsigned char)(1 + below(source, 255));
        made.key[made.length++] = 0;
    }
    for (size_t i = 0; i < lottery->record * NUMBER && !lottery->totals; i++)
        made.key[made.length++] = (unsigned char)(below(source, 3) * 127);
    made.number[0] = 1 + (int64_t)below(source, 9);
    made.number[1] = (int64_t)below(source, 1000) - 500;
    return made;
}

static void assert_read(const record *one, const dpn_lottery *lottery) {
    static seen expected, found;
    dpn_overflow *file = NULL;
    dpn_runs runs = {0};
    dpn_error why = {DPN_OK, ""};
    expected = found = (seen){.lottery = *lottery};
    bool sound = understood(&expected, one);
    if (dpn_overflow_open(&file, "/tmp", 512, &why)) fail_msg("%s", why.sentence);
    if (dpn_runs_make(&runs, file, dpn_person_runs_numbers(lottery), &why)) fail_msg("%s", why.sentence);
    record copy = *one;
    write_run(&runs, &copy, 1);
    dpn_status status = dpn_person_runs_each(&runs, lottery, 4096, keep, &found, &why);
    assert_int_equal(status, sound ? DPN_OK : DPN_EIO);
    assert_int_equal(found.count, sound);
    if (sound) {
        assert_true(found.person == expected.person && found.copies == expected.copies);
        assert_memory_equal(found.bytes, expected.bytes, found.person);
        assert_memory_equal(found.number, expected.number, sizeof found.number);
        for (size_t i = 0; i < lottery->groupings; i++) {
            assert_int_equal(found.length[i], expected.length[i]);
            assert_memory_equal(found.text[i], expected.text[i], found.length[i]);
        }
    }
    dpn_runs_free(&runs);
    dpn_overflow_close(file);
}

/* Cut short, longer, with another length of the name, with a byte more or less that is 0. */
static void damage(record *one, draw_source *source, int how) {
    switch (how) {
    case 0:
        break;
    case 1:
        one->length = below(source, one->length + 1);
        break;
    case 2:
        for (size_t i = below(source, 20); i > 0; i--) one->key[one->length++] = (unsigned char)(below(source, 2) * 9);
        break;
    case 3:
        one->key[2 * NUMBER - 1] = (unsigned char)below(source, one->length + 40);
        break;
    case 4:
        one->key[NUMBER + below(source, NUMBER)] = (unsigned char)below(source, 256);
        break;
    default:
        one->key[below(source, one->length)] = (unsigned char)(below(source, 2) * 5);
    }
}

static void persons_come_back_or_are_refused(void **state) {
    (void)state;
    draw_source source = {6};
    for (int trial = 0; trial < 1500; trial++) {
        bool totals = trial % 4 == 0;
        dpn_lottery lottery = {.groupings = below(&source, MOST_GROUPINGS + 1),
                               .record = below(&source, totals ? 2 : MOST_PARTS + 1),
                               .totals = totals};
        record one = some_person(&source, &lottery);
        damage(&one, &source, trial % 6);
        assert_read(&one, &lottery);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_back_in_order),
        cmocka_unit_test(persons_come_back_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
