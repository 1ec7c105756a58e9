/* The random source: the cipher's known answers, erased words, no repetition, threads, and a look at the statistics.
 *
 * The statistical tests raise a false alarm with probability 1e-9 each, and are not repeated. */
#include <dpnoise/random.h>

#include "random/cipher.h"
#include "random/source.h"
#include "unit/random/tape.h"

#include <math.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_rng *new_source(void) {
    dpn_rng *rng = NULL;
    dpn_error why;
    if (dpn_rng_new(&rng, &why)) fail_msg("%s", why.sentence);
    return rng;
}

/* ---- The cipher ---- */

/* AES-256 of the all-zero key and block, computed elsewhere many times over. */
static const unsigned char zero_block[16] = {0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89,
                                             0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87};

static void known_answers(void **state) {
    (void)state;
    void *cipher = dpn_cipher_new();
    assert_non_null(cipher);
    assert_true(dpn_cipher_known_answer(cipher));
    static const unsigned char key[32], counter[16];
    unsigned char text[16] = {0};
    assert_true(dpn_cipher_stream(cipher, key, counter, text, sizeof text));
    assert_memory_equal(text, zero_block, sizeof text);
    assert_false(dpn_cipher_stream(cipher, key, counter, text, 15)); /* part of a block would leave key stream behind */
    dpn_cipher_free(cipher);
}

/* The stream of a refill, by single blocks of AES and schoolbook counting: another road through libcrypto. */
static void block_by_block(unsigned char *out, const unsigned char key[32], size_t blocks) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    assert_int_equal(EVP_EncryptInit_ex(context, EVP_aes_256_ecb(), NULL, key, NULL), 1);
    for (size_t i = 0; i < blocks; i++) {
        unsigned char counter[16] = {0};
        for (int byte = 0; byte < 8; byte++) counter[15 - byte] = (unsigned char)((uint64_t)i >> (8 * byte));
        int written = 0;
        assert_int_equal(EVP_EncryptUpdate(context, out + 16 * i, &written, counter, 16), 1);
        assert_int_equal(written, 16);
    }
    EVP_CIPHER_CTX_free(context);
}

/* From a known key, the words are the stream after its first 32 bytes, and those are the next key: twice over. */
static void words_are_the_stream(void **state) {
    (void)state;
    enum { STREAM = DPN_RNG_KEY_BYTES + 8 * DPN_RNG_WORDS };
    dpn_rng *rng = new_source();
    uint64_t spent;
    while (rng->pool->left > 0) assert_true(dpn_rng_word(rng, &spent));
    unsigned char key[32], *stream = malloc(STREAM);
    assert_non_null(stream);
    memcpy(key, rng->pool->key, sizeof key);
    for (int refill = 0; refill < 2; refill++) {
        block_by_block(stream, key, STREAM / 16);
        for (size_t i = DPN_RNG_WORDS; i-- > 0;) {
            uint64_t word, expected;
            assert_true(dpn_rng_word(rng, &word));
            memcpy(&expected, stream + DPN_RNG_KEY_BYTES + 8 * i, sizeof expected);
            assert_true(word == expected);
        }
        memcpy(key, stream, sizeof key);
        assert_memory_equal(rng->pool->key, key, sizeof key);
    }
    free(stream);
    dpn_rng_free(rng);
}

/* ---- Erasure ---- */

static bool erased(const dpn_rng *rng) {
    uint64_t bits = 0;
    for (size_t i = (size_t)rng->pool->left; i < DPN_RNG_WORDS; i++) bits |= rng->pool->word[i];
    return bits == 0;
}

static void what_is_taken_is_erased(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    static unsigned char out[3 * 8 * DPN_RNG_WORDS];
    static const size_t counts[] = {1, 7, 8, 9, 16, 127, 128, 129, 1000, 8 * DPN_RNG_WORDS, sizeof out};
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            assert_int_equal(dpn_rng_bytes(out, rng, counts[i], NULL), DPN_OK);
            assert_true(erased(rng));
            uint64_t word;
            assert_true(dpn_rng_word(rng, &word));
            assert_true(erased(rng));
        }
    dpn_rng_free(rng);
}

/* What libcrypto would go on with is the all-zero key. */
static void no_key_stays_in_the_cipher(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    unsigned char text[16] = {0};
    int written = 0;
    assert_int_equal(EVP_EncryptUpdate(rng->cipher, text, &written, text, sizeof text), 1);
    assert_memory_equal(text, zero_block, sizeof text);
    dpn_rng_free(rng);
}

/* ---- The public calls ---- */

/* Every byte asked for is written and none beyond: over 64 fillings each byte changes, the guard never does. */
static void bytes_of_every_count(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    for (size_t count = 0; count <= 300; count++) {
        unsigned char seen[301] = {0}, out[301];
        for (int i = 0; i < 64; i++) {
            memset(out, 0, sizeof out);
            assert_int_equal(dpn_rng_bytes(out, rng, count, NULL), DPN_OK);
            for (size_t j = 0; j < sizeof out; j++) seen[j] |= out[j];
        }
        for (size_t j = 0; j < sizeof out; j++) assert_true((seen[j] != 0) == (j < count));
    }
    dpn_rng_free(rng);
}

/* The public call gives the words that the pool held, each of them once. */
static void bytes_are_the_words_of_the_pool(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    static dpn_rng_pool before;
    for (size_t count = 1; count <= 60; count++) {
        uint64_t out[60];
        before = *rng->pool;
        assert_int_equal(dpn_rng_words(out, rng, count, NULL), DPN_OK);
        assert_true(rng->pool->left == before.left - count);
        uint64_t sum = 0; /* of a few the last comes first, of many the first */
        for (size_t i = 0; i < count; i++) sum += out[i] - before.word[before.left - count + i];
        assert_true(sum == 0);
    }
    dpn_rng_free(rng);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    dpn_error why = {0};
    uint64_t word = 7;
    assert_int_equal(dpn_rng_new(NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_rng_bytes(&word, NULL, 8, &why), DPN_EDOMAIN);
    assert_true(why.status == DPN_EDOMAIN && strstr(why.sentence, "random source"));
    assert_int_equal(dpn_rng_bytes(NULL, rng, 8, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_rng_bytes(NULL, rng, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_rng_words(&word, rng, SIZE_MAX / 8 + 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_rng_words(NULL, rng, 0, &why), DPN_OK);
    assert_true(word == 7);
    dpn_rng_free(rng);
    dpn_rng_free(NULL);
}

static void a_tape_gives_its_words_and_ends(void **state) {
    (void)state;
    static const uint64_t words[] = {11, 22, 33};
    static tape source;
    tape_begin(&source, words, 3);
    uint64_t word = 0, rest[2] = {5, 5};
    assert_true(dpn_rng_word(&source.rng, &word) && word == 11);
    assert_int_equal(dpn_rng_words(rest, &source.rng, 2, NULL), DPN_OK);
    assert_true(rest[0] == 22 && rest[1] == 33 && tape_taken(&source) == 3);
    dpn_error why = {0};
    assert_int_equal(dpn_rng_words(rest, &source.rng, 2, &why), DPN_EENTROPY);
    assert_string_equal(why.sentence, "no random bits: the tape has ended");
    assert_true(rest[0] == 0 && rest[1] == 0);
    assert_false(dpn_rng_word(&source.rng, &word));
    assert_true(word == 11);
}

/* ---- Statistics ---- */

enum { SAMPLE = 1 << 23 };

static void bits_and_bytes_are_even(void **state) {
    (void)state;
    dpn_rng *rng = new_source();
    unsigned char *sample = malloc(SAMPLE);
    assert_non_null(sample);
    assert_int_equal(dpn_rng_bytes(sample, rng, SAMPLE, NULL), DPN_OK);
    double count[256] = {0}, ones = 0, runs = 0, chi_squared = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        count[sample[i]]++;
        ones += __builtin_popcount(sample[i]);
        if (i > 0) runs += __builtin_popcount((unsigned)(sample[i] ^ sample[i - 1])); /* the same bit, a byte later */
    }
    double bits = 8.0 * SAMPLE, expected = SAMPLE / 256.0;
    for (int i = 0; i < 256; i++) chi_squared += (count[i] - expected) * (count[i] - expected) / expected;
    /* 1e-9 on two sides: 6.109 standard deviations; chi-squared with 255 degrees of freedom 140.2 and 418.6. */
    assert_true(fabs(ones - bits / 2) < 6.109 * sqrt(bits) / 2);
    assert_true(fabs(runs - (bits - 8) / 2) < 6.109 * sqrt(bits - 8) / 2);
    assert_true(chi_squared > 140.2 && chi_squared < 418.6);
    free(sample);
    dpn_rng_free(rng);
}

/* ---- No repetition, in one thread or several ---- */

typedef struct block {
    uint64_t high, low;
} block;

static int compare_blocks(const void *a, const void *b) {
    const block *x = a, *y = b;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

enum { THREADS = 4, BLOCKS = 1 << 15 };

typedef struct job {
    block *out;
    dpn_status status;
} job;

static void *draw_blocks(void *context) {
    job *mine = context;
    dpn_rng *rng;
    mine->status = dpn_rng_new(&rng, NULL);
    if (mine->status) return NULL;
    for (size_t i = 0; i < BLOCKS && !mine->status; i++) mine->status = dpn_rng_bytes(mine->out + i, rng, 16, NULL);
    dpn_rng_free(rng);
    return NULL;
}

static void threads_share_nothing(void **state) {
    (void)state;
    block *all = calloc((size_t)THREADS * BLOCKS, sizeof *all);
    assert_non_null(all);
    pthread_t thread[THREADS];
    job jobs[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        jobs[i] = (job){.out = all + i * BLOCKS};
        assert_int_equal(pthread_create(&thread[i], NULL, draw_blocks, &jobs[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(jobs[i].status, DPN_OK);
    }
    qsort(all, (size_t)THREADS * BLOCKS, sizeof *all, compare_blocks);
    for (size_t i = 1; i < (size_t)THREADS * BLOCKS; i++) assert_true(compare_blocks(all + i - 1, all + i) < 0);
    free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),           cmocka_unit_test(words_are_the_stream),
        cmocka_unit_test(what_is_taken_is_erased), cmocka_unit_test(no_key_stays_in_the_cipher),
        cmocka_unit_test(bytes_of_every_count),    cmocka_unit_test(bytes_are_the_words_of_the_pool),
        cmocka_unit_test(nonsense_is_refused),     cmocka_unit_test(a_tape_gives_its_words_and_ends),
        cmocka_unit_test(bits_and_bytes_are_even), cmocka_unit_test(threads_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
