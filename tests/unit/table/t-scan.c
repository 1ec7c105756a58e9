/* The scanners against one byte after the other: random text at every length around the blocks, both ways. */
#include "place.h"

#include "table/scan.h"

#include "unit/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 400 };

/* What a scanner should find, by a state machine. */
static void expected(dpn_found *found, uint32_t *at, const char *text, size_t length, dpn_grammar grammar) {
    enum { BEGIN, PLAIN, QUOTED, CLOSED } state = BEGIN;
    *found = (dpn_found){0};
    for (size_t i = 0; i < length; i++) {
        char byte = text[i];
        bool quote = byte == '"' && !grammar.literal_quotes, separator = byte == grammar.delimiter || byte == '\n';
        if (byte == '\0') found->nul = true;
        if (quote) found->quoted = true;
        if (state == QUOTED) {
            if (quote) state = CLOSED;
            found->hidden += byte == '\n';
        } else if (separator) {
            at[found->separators++] = (uint32_t)i;
            found->newlines += byte == '\n';
            state = BEGIN;
        } else if (quote) {
            if (state == PLAIN) found->misplaced = true;
            state = QUOTED;
        } else {
            bool line_end = byte == '\r' && (i + 1 == length || text[i + 1] == '\n');
            if (state == CLOSED && !line_end) found->misplaced = true;
            if (state == BEGIN || !line_end) state = PLAIN;
        }
    }
    found->inside = state == QUOTED;
}

/* Whether there were quotes, and all right. */
static bool check(dpn_scanner *scanner, const char *text, size_t length, dpn_grammar grammar) {
    uint32_t right[LONGEST], at[LONGEST + DPN_SCAN_SLACK];
    dpn_found wanted, found;
    expected(&wanted, right, text, length, grammar);
    scanner(&found, at, text, length, grammar);
    assert_int_equal(found.misplaced, wanted.misplaced);
    assert_int_equal(found.nul, wanted.nul);
    assert_int_equal(found.quoted, wanted.quoted);
    if (wanted.misplaced) return false; /* what a wrong quote means is nobody's business */
    assert_int_equal(found.inside, wanted.inside);
    assert_int_equal(found.separators, wanted.separators);
    assert_int_equal(found.newlines, wanted.newlines);
    assert_int_equal(found.hidden, wanted.hidden);
    if (wanted.separators) assert_memory_equal(at, right, wanted.separators * sizeof *at);
    return wanted.quoted;
}

/* Rows of fields of all kinds, with a fault now and then. */
static void random_text(char *text, size_t length, uint64_t *state, char delimiter) {
    static const char *const fields[] = {"",
                                         "a",
                                         "bc",
                                         "12345678",
                                         "\"\"",
                                         "\"x\"",
                                         "\"y,z\"",
                                         "\"\n\"",
                                         "\"\r\n\"",
                                         "\"q\"\"r\"",
                                         "\xff\x80\xa2",
                                         "\"\"\"\"",
                                         "longer than a word",
                                         "\r",
                                         "\"long text, in quotes\"",
                                         "\x8c\x8a\xac"};
    unsigned quoted = next_random(state, 2) ? 16 : 4; /* the first four have no quotes */
    unsigned columns = 1 + next_random(state, 9);
    for (size_t count = 0; count < length;) {
        char piece[40];
        unsigned end = next_random(state, columns);
        snprintf(piece, sizeof piece, "%s%s", fields[next_random(state, quoted)],
                 end                     ? ","
                 : next_random(state, 2) ? "\n"
                                         : "\r\n");
        for (const char *p = piece; *p && count < length; p++) text[count++] = *p == ',' ? delimiter : *p;
    }
    if (length && next_random(state, 8) == 0) text[next_random(state, (unsigned)length)] = '"';
    if (length && next_random(state, 16) == 0) text[next_random(state, (unsigned)length)] = '\0';
}

static void all_lengths(dpn_scanner *scanner) {
    static const char delimiters[] = {',', '\t', ';', ' ', '|'};
    uint64_t state = 7;
    long texts = 0, right = 0;
    for (long round = 0; round < points(60, 1000); round++)
        for (size_t length = 0; length < 330; length++) {
            dpn_grammar grammar = {delimiters[next_random(&state, 5)], next_random(&state, 8) == 0};
            char *text = malloc(length + 1), *exact;
            random_text(text, length, &state, grammar.delimiter);
            exact = malloc(length ? length : 1); /* a sanitizer sees what is read beyond it */
            memcpy(exact, text, length);
            right += check(scanner, exact, length, grammar);
            texts++;
            free(text);
            free(exact);
        }
    assert_in_range(right, texts / 4, texts - texts / 10); /* the test has enough of both */
}

static void portable(void **state) {
    (void)state;
    all_lengths(dpn_scan_portable);
}

/* What this machine uses: AVX2 where it has it. */
static void best(void **state) {
    (void)state;
    all_lengths(dpn_scan_best());
}

/* Every byte value at every place of a block. */
static void every_byte(void **state) {
    (void)state;
    char text[130];
    for (size_t at = 0; at < sizeof text; at++)
        for (int byte = 0; byte < 256; byte++) {
            memset(text, 'x', sizeof text);
            text[at] = (char)byte;
            check(dpn_scan_portable, text, sizeof text, (dpn_grammar){',', false});
            check(dpn_scan_best(), text, sizeof text, (dpn_grammar){',', false});
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable),
        cmocka_unit_test(best),
        cmocka_unit_test(every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
