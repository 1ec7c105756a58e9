/* The random source inside: the buffer of words that samplers take from, one at a time.
 *
 * The pool lies in pages that the kernel replaces by zeros in the child of a fork. Zeros mean: no words left, no key, and
 * nothing to give before the kernel is asked. So the one comparison that guards an empty pool also guards a fork, and the
 * path of every word pays nothing for it.
 */
#ifndef DPN_RANDOM_SOURCE_H
#define DPN_RANDOM_SOURCE_H

#include <dpnoise/random.h>
#include <stdbool.h>

/* The pool fills four pages of 4 KiB: large enough that the change of keys costs little beside the words, small enough to
 * stay in the first cache. */
enum { DPN_RNG_KEY_BYTES = 32, DPN_RNG_WORDS = (16384 - 16 - DPN_RNG_KEY_BYTES) / 8 };

/* A key gives at most this number of bytes of output before the kernel is asked again, counting the keys that follow from it. */
enum { DPN_RNG_RESEED_BYTES = 1 << 20 };

typedef struct dpn_rng_pool {
    uint64_t left;                        /* word[0 .. left-1] are still to be taken, the others are zero */
    uint64_t budget;                      /* bytes of output until the kernel is asked again */
    unsigned char key[DPN_RNG_KEY_BYTES]; /* of the next refill */
    uint64_t word[DPN_RNG_WORDS];
} dpn_rng_pool;

/* A source of another kind (the tape of the tests) has its own refill, which makes left positive and returns true, or
 * sets failed and reason and returns false. */
struct dpn_rng {
    dpn_rng_pool *pool;
    bool (*refill)(dpn_rng *rng);
    dpn_status failed;  /* DPN_OK, or DPN_EENTROPY for ever */
    const char *reason; /* of the failure, the rest of a sentence; static */
    int error;          /* the kernel's error number, 0 if it has no part in the failure */
    void *cipher;
};

/* Fill the pool, which is empty. False on failure, now or earlier. */
bool dpn_rng_refill(dpn_rng *rng);

/* Write the sentence for the failure of a source to *why (if not NULL). Returns DPN_EENTROPY. */
dpn_status dpn_rng_failure(const dpn_rng *rng, dpn_error *why);

/* Take one word. It is erased from the pool, so that what memory holds later does not tell the noise. False on failure;
 * *out is then not written. */
static inline bool dpn_rng_word(dpn_rng *rng, uint64_t *out) {
    dpn_rng_pool *pool = rng->pool;
    if (__builtin_expect(pool->left == 0, 0) && !dpn_rng_refill(rng)) return false;
    uint64_t *word = &pool->word[--pool->left];
    *out = *word;
    *word = 0;
    return true;
}

#endif
