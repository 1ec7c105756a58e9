/* SHA-256 in pieces against libcrypto's at once, and the published answers. */
#include "random/digest.h"

#include "reference/draw.h"

#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* FIPS 180-4, the examples of one and two blocks. */
static void answers_are_those_published(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned char first[8];
    } known[] = {
        {"", {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14}},
        {"abc", {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea}},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", {0x24, 0x8d, 0x6a, 0x61, 0xd2, 0x06, 0x38, 0xb8}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned char out[DPN_DIGEST_SIZE];
        dpn_digest digest;
        dpn_digest_begin(&digest);
        dpn_digest_add(&digest, known[i].text, strlen(known[i].text));
        dpn_digest_end(out, &digest);
        assert_memory_equal(out, known[i].first, 8);
    }
}

static void pieces_are_the_whole(void **state) {
    (void)state;
    draw_source source = {1};
    unsigned char text[2000], out[DPN_DIGEST_SIZE], all[DPN_DIGEST_SIZE];
    for (size_t i = 0; i < sizeof text; i++) text[i] = draw_bits(&source) & 255;
    for (int i = 0; i < 2000; i++) {
        size_t length = draw_bits(&source) % sizeof text, most = 2 + draw_bits(&source) % 600;
        dpn_digest digest;
        dpn_digest_begin(&digest);
        for (size_t at = 0, piece; at < length; at += piece) {
            piece = draw_bits(&source) % most;
            if (piece > length - at) piece = length - at;
            dpn_digest_add(&digest, text + at, piece);
        }
        dpn_digest_end(out, &digest);
        assert_int_equal(EVP_Digest(text, length, all, NULL, EVP_sha256(), NULL), 1);
        assert_memory_equal(out, all, sizeof all);
    }
}

static void assert_next(dpn_digest_series *series, const unsigned char *message, size_t length) {
    unsigned char all[DPN_DIGEST_SIZE];
    uint32_t word[8];
    assert_int_equal(EVP_Digest(message, length, all, NULL, EVP_sha256(), NULL), 1);
    memcpy(series->message, message, length);
    dpn_digest_next(word, series, length);
    for (int i = 0; i < DPN_DIGEST_SIZE; i++) assert_int_equal(word[i / 4] >> (24 - 8 * (i % 4)) & 255, all[i]);
    assert_memory_equal(series->message, message, length);
}

/* Each message of a series differs from the one before in nothing, in one byte anywhere, or in its length, which are all ways for a block
 * to be taken for another. */
static void a_series_forgets_and_remembers(void **state) {
    (void)state;
    draw_source source = {2};
    dpn_digest_series series = {0};
    unsigned char message[DPN_DIGEST_SHORT];
    for (size_t i = 0; i < sizeof message; i++) message[i] = draw_bits(&source) & 255;
    for (size_t length = 0; length <= DPN_DIGEST_SHORT; length++) {
        assert_next(&series, message, length);
        assert_next(&series, message, length);
        for (int trial = 0; trial < 8; trial++) {
            size_t at = draw_bits(&source) % (trial % 2 ? 64 : DPN_DIGEST_SHORT);
            message[at] ^= (unsigned char)(1 + draw_bits(&source) % 255);
            assert_next(&series, message, length);
            assert_next(&series, message, draw_bits(&source) % (DPN_DIGEST_SHORT + 1));
        }
    }
    dpn_digest_series_end(&series);
    for (size_t i = 0; i < sizeof series; i++) assert_int_equal(((const unsigned char *)&series)[i], 0); /* wiped */
}

static void fields_have_their_length(void **state) {
    (void)state;
    static const unsigned char bytes[] = {2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 0, 0, 0,
                                          0, 0, 0, 0, 0, 1, 2, 3, 4,   5,   6, 7, 8};
    unsigned char out[DPN_DIGEST_SIZE], all[DPN_DIGEST_SIZE];
    dpn_digest digest;
    dpn_digest_begin(&digest);
    dpn_digest_field(&digest, "ab", 2);
    dpn_digest_field(&digest, NULL, 0);
    dpn_digest_number(&digest, UINT64_C(0x0807060504030201));
    dpn_digest_end(out, &digest);
    assert_int_equal(EVP_Digest(bytes, sizeof bytes, all, NULL, EVP_sha256(), NULL), 1);
    assert_memory_equal(out, all, sizeof all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_published),
        cmocka_unit_test(pieces_are_the_whole),
        cmocka_unit_test(a_series_forgets_and_remembers),
        cmocka_unit_test(fields_have_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
