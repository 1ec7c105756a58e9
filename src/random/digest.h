/* SHA-256, from libcrypto. */
#ifndef DPN_RANDOM_DIGEST_H
#define DPN_RANDOM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { DPN_DIGEST_SIZE = 32, DPN_DIGEST_BUFFER = 256 };

/* A digest that is under way. Nothing is allocated and nothing can fail; it can be copied. */
typedef struct dpn_digest {
    uint64_t state[14]; /* libcrypto's */
    size_t used;        /* of the buffer: most inputs are short, and a call into libcrypto is not */
    unsigned char buffer[DPN_DIGEST_BUFFER];
} dpn_digest;

void dpn_digest_begin(dpn_digest *out);

/* Bytes as they are; a number as 8 bytes, the lowest first; bytes with their number before them, so that no two lists of
 * fields are the same bytes. */
void dpn_digest_add(dpn_digest *digest, const void *bytes, size_t length);
void dpn_digest_number(dpn_digest *digest, uint64_t number);
void dpn_digest_field(dpn_digest *digest, const void *bytes, size_t length);

/* The digest of all that was added. What is left of it in memory is wiped. */
void dpn_digest_end(unsigned char out[DPN_DIGEST_SIZE], dpn_digest *digest);

/* The digest of a short message at once, in half the time: as eight words, the first bytes of the digest highest in the first.
 * `message` is overwritten and wiped.
 * Domain   length <= DPN_DIGEST_SHORT. */
enum { DPN_DIGEST_SHORT = DPN_DIGEST_BUFFER - 9 };
void dpn_digest_short(uint32_t out[8], unsigned char message[DPN_DIGEST_BUFFER], size_t length);

#endif
