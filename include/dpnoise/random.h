/* dpnoise/random.h - the cryptographic random source: where all noise comes from.
 *
 * A source is AES-256 in counter mode, keyed by the kernel (getrandom). It is made once and asked often:
 *
 * Example
 *     dpn_rng *rng;
 *     uint64_t word;
 *     dpn_error why;
 *     if (dpn_rng_new(&rng, &why)) return puts(why.sentence);
 *     if (dpn_rng_words(&word, rng, 1, &why)) puts(why.sentence);
 *     dpn_rng_free(rng);
 *
 * What a source promises, and what it does not: docs/proofs/random/source.md. In short
 *   - a new key from the kernel after at most 1 MiB of output, and another key from the cipher itself every 16 KiB, after
 *     which nothing in memory tells what was given out before;
 *   - after fork() the child's copy of a source holds nothing of its parent's: it asks the kernel for a key of its own
 *     before it gives a word;
 *   - whatever fails, in the kernel or in the cipher, nothing is given out, then or later: a source that failed once
 *     stays failed, and a new one has to be made;
 *   - one thread at a time uses a source. Distinct sources are safe in distinct threads, and share nothing. No function
 *     here may be called from a signal handler.
 *
 * There is no way to seed a source: noise that can be repeated is noise that can be subtracted.
 */
#ifndef DPNOISE_RANDOM_H
#define DPNOISE_RANDOM_H

#include <dpnoise/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpn_rng dpn_rng;

/* Make a source. The cipher is tried on the known answer of NIST SP 800-38A and the kernel is asked for the first key.
 * Result   a source to be freed with dpn_rng_free.
 * Errors   DPN_EENTROPY if the kernel gives no random bits, if it cannot promise to empty the source's memory in the
 *          child of a fork (Linux before 4.14), or if libcrypto has no AES-256-CTR that gives the known answer;
 *          DPN_ENOMEM. On error *out is not written.
 * Cost     about ten microseconds, once libcrypto is loaded. */
DPN_API DPN_MUST_CHECK dpn_status dpn_rng_new(dpn_rng **out, dpn_error *why);

/* Wipe the source and free it. Accepts NULL. */
DPN_API void dpn_rng_free(dpn_rng *rng);

/* Random bytes into out[0 .. count-1]; random 64-bit words into out[0 .. count-1]. No byte is given out twice.
 * Domain   rng and out not NULL, except that out may be NULL when count is 0.
 * Errors   DPN_EDOMAIN; DPN_EENTROPY. After a failure of the kernel or the cipher all of out is zero, however far the
 *          filling had come.
 * Cost     bench/random.c: above 1 GB/s, and about as much a byte for eight bytes as for a million. */
DPN_API DPN_MUST_CHECK dpn_status dpn_rng_bytes(void *out, dpn_rng *rng, size_t count, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_rng_words(uint64_t *out, dpn_rng *rng, size_t count, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
