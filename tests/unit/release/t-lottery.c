/* Lots against SHA-256 of libcrypto over the bytes that lottery.h says: names and keys of every length around the ends of blocks. */
#include "release/tally/lottery.h"

#include "reference/draw.h"

#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 300, GROUPINGS = 3 };

static unsigned char said[4 * LONGEST + 200];
static size_t length_said;

static void say(const void *bytes, size_t length) {
    if (length > 0) memcpy(said + length_said, bytes, length);
    length_said += length;
}

static void say_number(uint64_t number) {
    for (int i = 0; i < 8; i++) said[length_said++] = number >> 8 * i & 255;
}

static void say_field(const void *bytes, size_t length) {
    say_number(length);
    say(bytes, length);
}

static void assert_lot(dpn_lot lot) {
    unsigned char digest[32];
    uint64_t high = 0, low = 0;
    assert_int_equal(EVP_Digest(said, length_said, digest, NULL, EVP_sha256(), NULL), 1);
    for (int i = 0; i < 8; i++) {
        high = high << 8 | digest[i];
        low = low << 8 | digest[8 + i];
    }
    assert_true(lot.high == high && lot.low == low);
}

static char name[LONGEST], key[LONGEST];
static size_t key_length[GROUPINGS];

static dpn_field key_of(const void *context, size_t group, size_t grouping) {
    (void)context;
    return (dpn_field){key + group, key_length[grouping]};
}

static void say_head(const dpn_ticket *ticket, const char *what) {
    length_said = 0;
    say_field(what, strlen(what));
    say_field(ticket->lottery->secret.byte, sizeof ticket->lottery->secret.byte);
    say_field(ticket->person, ticket->length);
    for (size_t i = 0; i < ticket->lottery->groupings; i++) say_field(key + ticket->group, key_length[i]);
}

static void try_lot(dpn_drum *drum, size_t length, draw_source *source) {
    dpn_lottery lottery = {.groupings = draw_bits(source) % (GROUPINGS + 1), .record = draw_bits(source) % 4};
    dpn_ticket ticket = {&lottery, name, length, draw_bits(source) % 8, key_of, NULL};
    int64_t record[4];
    if (draw_chance(source, 0.5)) /* another secret than that of the lot before */
        for (size_t i = 0; i < sizeof lottery.secret.byte; i++) lottery.secret.byte[i] = draw_bits(source) & 255;
    for (size_t i = 0; i < 4; i++) record[i] = (int64_t)draw_bits(source);
    for (size_t i = 0; i < GROUPINGS; i++)
        key_length[i] = draw_bits(source) % (draw_chance(source, 0.8) ? 20 : LONGEST - 8);
    say_head(&ticket, "group");
    assert_lot(dpn_lot_of_group(drum, &ticket));
    uint64_t copy = draw_bits(source) % 1000;
    say_head(&ticket, "row");
    say_number(8 * lottery.record);
    for (size_t i = 0; i < lottery.record; i++) say_number((uint64_t)record[i]);
    say_number(8);
    say_number(copy);
    assert_lot(dpn_lot_of_row(drum, &ticket, record, copy));
}

static void lots_are_what_they_are_said_to_be(void **state) {
    (void)state;
    draw_source source = {1};
    dpn_drum drum = {0};
    for (size_t i = 0; i < LONGEST; i++)
        name[i] = (char)(draw_bits(&source) & 127), key[i] = (char)(draw_bits(&source) & 127);
    for (size_t length = 0; length < LONGEST; length++)
        for (int i = 0; i < 10; i++) try_lot(&drum, length, &source);
    dpn_drum_end(&drum);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lots_are_what_they_are_said_to_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
