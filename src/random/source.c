/* The random source: AES-256-CTR with fast key erasure, keyed by the kernel. docs/proofs/random/source.md */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "random/source.h"

#include "base/error.h"
#include "random/cipher.h"
#include "random/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(dpn_rng_pool, word) == offsetof(dpn_rng_pool, key) + DPN_RNG_KEY_BYTES,
               "a refill writes the next key and the words in one piece");
enum { OUTPUT = sizeof(uint64_t) * DPN_RNG_WORDS, STREAM = DPN_RNG_KEY_BYTES + OUTPUT };
_Static_assert(STREAM % DPN_CIPHER_BLOCK_BYTES == 0, "a refill is whole blocks of the cipher");

/* ---- Failure ---- */

/* No word, no key and no half-filled pool outlives a failure. */
static bool give_up(dpn_rng *rng, const char *reason, int error) {
    explicit_bzero(rng->pool, sizeof *rng->pool);
    rng->failed = DPN_EENTROPY;
    rng->reason = reason;
    rng->error = error;
    return false;
}

dpn_status dpn_rng_failure(const dpn_rng *rng, dpn_error *why) {
    const char *reason = rng->reason ? rng->reason : "it gave no words";
    if (rng->error > 0) return dpn_fail(why, DPN_EENTROPY, "no random bits: %s (error %d)", reason, rng->error);
    return dpn_fail(why, DPN_EENTROPY, "no random bits: %s", reason);
}

/* ---- Refilling ---- */

static bool seed(dpn_rng *rng) {
    int error = dpn_kernel_random(rng->pool->key, sizeof rng->pool->key);
    if (error == ENOSYS) return give_up(rng, "this kernel has no getrandom", error);
    if (error == EAGAIN) return give_up(rng, "the kernel has not gathered enough yet", error);
    if (error) return give_up(rng, "the kernel's getrandom failed", error);
    rng->pool->budget = DPN_RNG_RESEED_BYTES;
    return true;
}

/* The key is used for one stream from counter 0, whose first bytes are the next key; it is forgotten before its words
 * are given out. In the child of a fork the budget is 0, as in a new source. */
static bool refill(dpn_rng *rng) {
    static const unsigned char counter[DPN_CIPHER_BLOCK_BYTES];
    dpn_rng_pool *pool = rng->pool;
    if (pool->budget < OUTPUT && !seed(rng)) return false;
    unsigned char key[DPN_RNG_KEY_BYTES];
    memcpy(key, pool->key, sizeof key);
    memset(pool->key, 0, sizeof pool->key);
    unsigned char *stream = (unsigned char *)pool + offsetof(dpn_rng_pool, key);
    bool done = dpn_cipher_stream(rng->cipher, key, counter, stream, STREAM);
    explicit_bzero(key, sizeof key);
    if (!done) return give_up(rng, "libcrypto's AES-256-CTR failed", 0);
    pool->budget -= OUTPUT;
    pool->left = DPN_RNG_WORDS;
    return true;
}

bool dpn_rng_refill(dpn_rng *rng) {
    return rng->failed == DPN_OK && rng->refill(rng);
}

/* ---- The handle ---- */

/* What may fail, in order; the caller frees what is there. */
static dpn_status build(dpn_rng *rng, dpn_error *why) {
    const char *reason;
    rng->refill = refill;
    rng->pool = dpn_kernel_private_map(sizeof *rng->pool, &reason);
    if (!rng->pool && reason) return dpn_fail(why, DPN_EENTROPY, "no random source: %s", reason);
    if (!rng->pool) return dpn_fail(why, DPN_ENOMEM, "no memory for a random source");
    rng->cipher = dpn_cipher_new();
    if (!rng->cipher) return dpn_fail(why, DPN_EENTROPY, "no random source: libcrypto gives no AES-256-CTR");
    if (!dpn_cipher_known_answer(rng->cipher))
        return dpn_fail(why, DPN_EENTROPY, "no random source: libcrypto's AES-256-CTR fails its known-answer test");
    return dpn_rng_refill(rng) ? DPN_OK : dpn_rng_failure(rng, why);
}

dpn_status dpn_rng_new(dpn_rng **out, dpn_error *why) {
    if (!out) return dpn_fail(why, DPN_EDOMAIN, "there is no place for the random source");
    dpn_rng *rng = calloc(1, sizeof *rng);
    if (!rng) return dpn_fail(why, DPN_ENOMEM, "no memory for a random source");
    dpn_status status = build(rng, why);
    if (status)
        dpn_rng_free(rng);
    else
        *out = rng;
    return status;
}

void dpn_rng_free(dpn_rng *rng) {
    if (!rng) return;
    dpn_cipher_free(rng->cipher);
    dpn_kernel_private_unmap(rng->pool, sizeof *rng->pool);
    free(rng);
}

/* ---- Many at once ---- */

/* Take whole words off the top of the pool, as many as there are or are wanted. Returns how many bytes that is. */
static size_t take(dpn_rng_pool *pool, unsigned char *out, size_t wanted) {
    size_t words = wanted < pool->left ? wanted : (size_t)pool->left;
    pool->left -= words;
    memcpy(out, pool->word + pool->left, 8 * words);
    memset(pool->word + pool->left, 0, 8 * words);
    return 8 * words;
}

/* The first bytes of one more word; what is left of it is lost. */
static bool fill_part(dpn_rng *rng, unsigned char *out, size_t count) {
    uint64_t word;
    if (!dpn_rng_word(rng, &word)) return false;
    memcpy(out, &word, count);
    return true;
}

/* A few words are taken one by one, since the calls to copy and erase would cost more than the words. */
static bool fill(dpn_rng *rng, unsigned char *out, size_t count) {
    enum { FEW = 64 };
    while (count >= FEW) {
        if (rng->pool->left == 0 && !dpn_rng_refill(rng)) return false;
        size_t bytes = take(rng->pool, out, count / 8);
        out += bytes;
        count -= bytes;
    }
    for (uint64_t word; count >= sizeof word; out += sizeof word, count -= sizeof word) {
        if (!dpn_rng_word(rng, &word)) return false;
        memcpy(out, &word, sizeof word);
    }
    return count == 0 || fill_part(rng, out, count);
}

static __attribute__((noinline)) dpn_status bytes_of_any_number(dpn_rng *rng, void *out, size_t count, dpn_error *why) {
    if (!rng) return dpn_fail(why, DPN_EDOMAIN, "the random source is missing");
    if (!out && count > 0) return dpn_fail(why, DPN_EDOMAIN, "the place for random bytes is missing");
    if (fill(rng, out, count)) return DPN_OK;
    explicit_bzero(out, count);
    return dpn_rng_failure(rng, why);
}

#define LIKELY(condition) __builtin_expect((condition), 1)

/* One word that is at hand is taken here, before the registers are saved that all else needs: half the cost. */
dpn_status dpn_rng_bytes(void *out, dpn_rng *rng, size_t count, dpn_error *why) {
    if (count == sizeof(uint64_t) && LIKELY(rng != NULL) && LIKELY(out != NULL) && LIKELY(rng->pool->left > 0)) {
        dpn_rng_pool *pool = rng->pool;
        uint64_t word = pool->word[--pool->left];
        pool->word[pool->left] = 0;
        memcpy(out, &word, sizeof word);
        return DPN_OK;
    }
    return bytes_of_any_number(rng, out, count, why);
}

dpn_status dpn_rng_words(uint64_t *out, dpn_rng *rng, size_t count, dpn_error *why) {
    if (count > SIZE_MAX / sizeof *out) return dpn_fail(why, DPN_EDOMAIN, "%zu words are too many", count);
    return dpn_rng_bytes(out, rng, count * sizeof *out, why);
}
