/* The room between entries, on pages and headers made by hand: what is empty passes, and one byte in it does not. */
#include "ledger/slack.c" /* to see each page */

#include "ledger/chain.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void numbers_of_two_bytes(void **state) {
    (void)state;
    for (unsigned x = 0; x < 65536; x += 7) {
        const unsigned char at[] = {(unsigned char)(x >> 8), (unsigned char)x, 0xff};
        assert_int_equal(two(at), x);
    }
    unsigned char zeros[40] = {0};
    assert_true(all_zero(zeros, zeros) && all_zero(zeros, zeros + 40) && all_zero(zeros + 1, zeros));
    for (size_t i = 0; i < 40; i++) {
        zeros[i] = 1;
        assert_true(!all_zero(zeros, zeros + 40) && all_zero(zeros, zeros + i) && all_zero(zeros + i + 1, zeros + 40));
        assert_false(all_zero(zeros + i, zeros + i + 1));
        zeros[i] = 0;
    }
}

/* Page size 4096, a rollback journal, three pages, schema format 4, UTF-8; change counter and version valid for the same number. */
static void make_header(unsigned char file[HEADER]) {
    memset(file, 0, HEADER);
    memcpy(file, "SQLite format 3", 16);
    const unsigned char set[][2] = {{16, 0x10}, {18, 1},    {19, 1},    {21, 64},   {22, 32}, {23, 32},
                                    {27, 5},    {31, 3},    {43, 2},    {47, 4},    {59, 1},  {63, 1},
                                    {68, 0x64}, {69, 0x70}, {70, 0x6e}, {71, 0x4c}, {95, 5},  {97, 0x2e}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) file[set[i][0]] = set[i][1];
}

/* The bytes that are 0, or fixed, or twice the same: each of them, by one bit and by all. What SQLite or integrity_check looks at is left to them. */
static void headers(void **state) {
    (void)state;
    unsigned char file[HEADER];
    make_header(file);
    assert_true(clean_header(file));
    for (size_t at = 0; at < HEADER; at++) {
        bool journal = at == 18 || at == 19, reserved = at == 20, free_pages = at >= 32 && at < 40;
        bool format = at >= 44 && at < 48, unused = at >= 48 && at < 56, encoding = at >= 56 && at < 60;
        bool vacuum = at >= 64 && at < 68, expansion = at >= 72 && at < 92,
             counter = (at >= 24 && at < 28) || (at >= 92 && at < 96);
        bool watched =
            journal || reserved || free_pages || format || unused || encoding || vacuum || expansion || counter;
        for (int change = 1; change < 256; change = 2 * change + 1) {
            file[at] = (unsigned char)(file[at] ^ change);
            if (clean_header(file) == watched) fail_msg("byte %zu of the header by %d", at, change);
            file[at] = (unsigned char)(file[at] ^ change);
        }
    }
    file[18] = file[19] = 2; /* a write-ahead log */
    assert_true(clean_header(file));
}

enum { SIZE = 1024 };

/* A page of a kind with so many cells that begin at a place. */
static void make_page(unsigned char page[SIZE], size_t start, unsigned char kind, unsigned cells, unsigned first) {
    memset(page, 0x5a, SIZE);
    unsigned char *head = page + start;
    size_t list = start + (kind > 9 ? 8 : 12) + 2 * cells;
    memset(head, 0, list - start);
    head[0] = kind;
    head[3] = (unsigned char)(cells >> 8), head[4] = (unsigned char)cells;
    head[5] = (unsigned char)(first >> 8), head[6] = (unsigned char)first;
    if (first > list && first <= SIZE) memset(page + list, 0, first - list);
    for (size_t i = start + (kind > 9 ? 8 : 12); i < list; i++) page[i] = 0x77; /* the list of the cells' places */
}

static void pages(void **state) {
    (void)state;
    static const unsigned char kinds[] = {0x0d, 0x0a, 0x05, 0x02, 0x00, 0x0b, 0xff};
    unsigned char page[SIZE];
    for (size_t k = 0; k < sizeof kinds; k++)
        for (size_t start = 0; start <= HEADER; start += HEADER)
            for (unsigned cells = 0; cells < 300; cells = 3 * cells + 1) {
                unsigned char kind = kinds[k];
                bool leaf = k < 2, inner = k == 2 || k == 3;
                unsigned list = (unsigned)start + (leaf || kind == 0xff || kind == 0x0b ? 8 : 12) + 2 * cells;
                for (unsigned gap = 0; gap < 60; gap = 2 * gap + 1) {
                    unsigned first = list + gap;
                    if (first > SIZE) continue;
                    make_page(page, start, kind, cells, first);
                    assert_true(clean_page(page, SIZE, start, true) && clean_page(page, SIZE, start, false));
                    for (unsigned at = list; at < first; at++) { /* each byte of the gap */
                        page[at] = 1;
                        assert_true(clean_page(page, SIZE, start, true) == !(leaf || inner));
                        assert_true(clean_page(page, SIZE, start, false) == !leaf);
                        page[at] = 0;
                    }
                    if (gap == 0) continue;
                    page[list] = 1;
                    page[start + 2] = 9; /* holes: SQLite took the page apart */
                    assert_true(clean_page(page, SIZE, start, true));
                    page[start + 2] = 0, page[start + 1] = 9;
                    assert_true(clean_page(page, SIZE, start, true));
                }
                if (!leaf) continue;
                make_page(page, start, kind, cells, list); /* cells that begin within their list, or behind the page */
                unsigned wrong = list - 1;
                page[start + 5] = (unsigned char)(wrong >> 8), page[start + 6] = (unsigned char)wrong;
                assert_false(clean_page(page, SIZE, start, true));
                make_page(page, start, kind, cells, SIZE);
                assert_true(clean_page(page, SIZE, start, true));
                page[start + 5] = (unsigned char)((SIZE + 1) >> 8), page[start + 6] = (unsigned char)(SIZE + 1);
                assert_false(clean_page(page, SIZE, start, true));
            }
    /* 0 stands for 65536 */
    unsigned char *large = calloc(1, 65536);
    assert_non_null(large);
    large[0] = 0x0d;
    assert_true(clean_page(large, 65536, 0, true));
    large[65535] = 1;
    assert_false(clean_page(large, 65536, 0, true));
    large[65535] = 0;
    assert_false(clean_page(large, 32768, 0, true));
    free(large);
}

/* The whole file, of pages of every size: its length is that of its pages, and each of them is looked at. */
static void files(void **state) {
    (void)state;
    for (int size = 512; size <= 65536; size *= 2) {
        dpn_store store = {0};
        dpn_error why;
        char sql[100];
        assert_int_equal(sqlite3_open(":memory:", &store.db), SQLITE_OK);
        snprintf(sql, sizeof sql, "PRAGMA page_size=%d; CREATE TABLE entry (a); INSERT INTO entry VALUES (1)", size);
        assert_int_equal(sqlite3_exec(store.db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_int64 length;
        unsigned char *file = sqlite3_serialize(store.db, "main", &length, 0);
        assert_true(file && length == 2 * size);
        sqlite3_free(file);
        assert_int_equal(dpn_store_slack(&store, &why), DPN_OK);
        /* the same file, with a byte in the gap of its last page, with another number of pages, or cut */
        for (int change = 0; change < 4; change++) {
            file = sqlite3_serialize(store.db, "main", &length, 0);
            unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)length);
            memcpy(copy, file, (size_t)length);
            sqlite3_free(file);
            if (change == 1) copy[size + 12] = 1;
            if (change == 2) copy[31] = 0;  /* SQLite takes 0 for unknown */
            if (change == 3) copy[112] = 1; /* behind the place of its one table */
            dpn_store other = {0};
            assert_int_equal(sqlite3_open(":memory:", &other.db), SQLITE_OK);
            assert_int_equal(
                sqlite3_deserialize(other.db, "main", copy, length, length, SQLITE_DESERIALIZE_FREEONCLOSE), SQLITE_OK);
            dpn_status status = dpn_store_slack(&other, &why);
            assert_int_equal(status, change ? DPN_EIO : DPN_OK);
            if (status) assert_string_equal(why.sentence, "the file holds bytes that are of no entry: it was changed");
            sqlite3_close(other.db);
        }
        sqlite3_close(store.db);
    }
    /* so many pages that their number takes several bytes */
    dpn_store many = {0};
    sqlite3_int64 length;
    assert_int_equal(sqlite3_open(":memory:", &many.db), SQLITE_OK);
    const char *fill =
        "PRAGMA page_size=512; CREATE TABLE entry (a); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 700) INSERT INTO entry SELECT hex(zeroblob(100)) FROM n";
    assert_int_equal(sqlite3_exec(many.db, fill, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sqlite3_serialize(many.db, "main", &length, 0));
    assert_true(length > 256 * 512);
    assert_int_equal(dpn_store_slack(&many, NULL), DPN_OK);
    sqlite3_close(many.db);
    dpn_store none = {0}; /* nothing in it yet: no header that could be looked at */
    dpn_error why;
    assert_int_equal(sqlite3_open(":memory:", &none.db), SQLITE_OK);
    assert_true(dpn_store_slack(&none, &why) != DPN_OK);
    sqlite3_close(none.db);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_two_bytes), cmocka_unit_test(headers),
                                       cmocka_unit_test(pages), cmocka_unit_test(files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
