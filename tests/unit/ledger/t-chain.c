/* Tags against HMAC-SHA-256 of a message that is put together here, heads in their one spelling, and an error queue that is left alone. */
#include "ledger/chain.h"

#include "reference/draw.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void tags_are_hmacs(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 300; i++) {
        unsigned char key[32], before[DPN_TAG_SIZE], out[3][DPN_TAG_SIZE], wanted[EVP_MAX_MD_SIZE], message[200];
        char text[100];
        unsigned size;
        size_t length = draw_bits(&source) % 100;
        uint64_t number = i % 3 ? draw_bits(&source) : (uint64_t)i;
        for (size_t k = 0; k < 32; k++)
            key[k] = (unsigned char)draw_bits(&source), before[k] = (unsigned char)draw_bits(&source);
        for (size_t k = 0; k < length; k++) text[k] = (char)draw_bits(&source);
        dpn_chain *chain;
        assert_int_equal(dpn_chain_new(&chain, key, sizeof key, NULL), DPN_OK);
        for (int again = 0; again < 2; again++) { /* a chain is used more than once */
            assert_int_equal(dpn_chain_entry(out[0], chain, before, number, text, length, NULL), DPN_OK);
            assert_int_equal(dpn_chain_result(out[1], chain, before, number, text, length, NULL), DPN_OK);
            assert_int_equal(dpn_chain_name(out[2], chain, text, length, NULL), DPN_OK);
        }
        for (int kind = 0; kind < 3; kind++) {
            message[0] = (unsigned char)"ERN"[kind];
            for (size_t k = 0; k < DPN_TAG_SIZE; k++) message[1 + k] = kind == 2 ? 0 : before[k];
            for (size_t k = 0; k < 8; k++)
                message[1 + DPN_TAG_SIZE + k] = kind == 2 ? 0 : (unsigned char)(number >> 8 * (7 - k));
            memcpy(message + 1 + DPN_TAG_SIZE + 8, text, length);
            HMAC(EVP_sha256(), key, sizeof key, message, 1 + DPN_TAG_SIZE + 8 + length, wanted, &size);
            assert_int_equal(size, DPN_TAG_SIZE);
            assert_memory_equal(out[kind], wanted, DPN_TAG_SIZE);
        }
        /* the tag before may be where the new one goes */
        unsigned char same[DPN_TAG_SIZE];
        memcpy(same, before, sizeof same);
        assert_int_equal(dpn_chain_entry(same, chain, same, number, text, length, NULL), DPN_OK);
        assert_true(dpn_tag_equal(same, out[0]) && !dpn_tag_equal(same, out[1]));
        for (size_t bit = 0; bit < 8 * DPN_TAG_SIZE; bit += 5) {
            same[bit / 8] = (unsigned char)(same[bit / 8] ^ 1 << bit % 8);
            assert_false(dpn_tag_equal(same, out[0]));
            same[bit / 8] = (unsigned char)(same[bit / 8] ^ 1 << bit % 8);
        }
        dpn_chain_free(chain);
    }
    dpn_chain_free(NULL);
}

/* FIPS 180-2, appendix B, and the empty text. */
static void hashes(void **state) {
    (void)state;
    char out[65];
    assert_int_equal(dpn_hash(out, "abc", 3, NULL), DPN_OK);
    assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(dpn_hash(out, "", 0, NULL), DPN_OK);
    assert_string_equal(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_int_equal(dpn_hash(out, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, NULL), DPN_OK);
    assert_string_equal(out, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* What the caller's own use of libcrypto has left in the queue is still there, and nothing else. */
static void the_error_queue_is_left_alone(void **state) {
    (void)state;
    static const unsigned char key[32];
    unsigned char tag[DPN_TAG_SIZE];
    char hash[65];
    dpn_chain *chain;
    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 77);
    assert_int_equal(dpn_chain_new(&chain, key, sizeof key, NULL), DPN_OK);
    assert_int_equal(dpn_chain_name(tag, chain, "a", 1, NULL), DPN_OK);
    assert_int_equal(dpn_hash(hash, "a", 1, NULL), DPN_OK);
    dpn_chain_free(chain);
    assert_int_equal(ERR_GET_REASON(ERR_get_error()), 77);
    assert_int_equal(ERR_get_error(), 0);
    assert_int_equal(ERR_pop_to_mark(), 0); /* no mark is left */
}

static void heads(void **state) {
    (void)state;
    unsigned char tag[DPN_TAG_SIZE];
    char text[DPN_HEAD_TEXT_SIZE], wanted[DPN_HEAD_TEXT_SIZE];
    dpn_error why;
    for (size_t k = 0; k < DPN_TAG_SIZE; k++) tag[k] = (unsigned char)(0x10 * k + k + 1);
    static const uint64_t numbers[] = {1, 9, 10, 123456789, 99999999999999999, 999999999999999999};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        dpn_head head = dpn_head_make(numbers[i], tag), again;
        assert_true(head.number == numbers[i] && memcmp(head.tag, tag, sizeof head.tag) == 0);
        snprintf(wanted, sizeof wanted, "%llu:0112233445566778", (unsigned long long)numbers[i]);
        assert_ptr_equal(dpn_head_print(text, &head), text);
        assert_string_equal(text, wanted);
        assert_int_equal(dpn_head_parse(&again, text, &why), DPN_OK);
        assert_memory_equal(&head, &again, sizeof head);
    }
    dpn_head all = dpn_head_make(UINT64_MAX, tag);
    assert_string_equal(dpn_head_print(text, &all), "18446744073709551615:0112233445566778");
    static const char *const bad[] = {"",
                                      ":",
                                      "1",
                                      "1:",
                                      ":0112233445566778",
                                      "01:0112233445566778",
                                      "0:0112233445566778",
                                      "1 :0112233445566778",
                                      "1:011223344556677",
                                      "1:01122334455667788",
                                      "1:011223344556677g",
                                      "1:0112233445566778 ",
                                      "+1:0112233445566778",
                                      "1000000000000000000:0112233445566778",
                                      "1:A112233445566778",
                                      "a:0112233445566778",
                                      "/:0112233445566778",
                                      "1/:0112233445566778",
                                      "1::112233445566778"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char sentence[200];
        dpn_head out = {.number = 7};
        assert_int_equal(dpn_head_parse(&out, bad[i], &why), DPN_EPARSE);
        snprintf(sentence, sizeof sentence, "'%.40s' is not a head: a number, a colon and 16 hexadecimal digits",
                 bad[i]);
        assert_string_equal(why.sentence, sentence);
        assert_true(out.number == 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tags_are_hmacs), cmocka_unit_test(hashes),
                                       cmocka_unit_test(the_error_queue_is_left_alone), cmocka_unit_test(heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
