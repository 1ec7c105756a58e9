/* SHA-256, from libcrypto. */
#ifndef DPN_RANDOM_DIGEST_H
#define DPN_RANDOM_DIGEST_H

#include <stdbool.h>
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

/* Digests of short messages, in a quarter of the time: what many of them begin with is hashed once. All zero: there was no message yet. */
typedef struct dpn_digest_series {
    unsigned char message[DPN_DIGEST_BUFFER + 64]; /* to be written by the caller */
    unsigned char first[64];                       /* block of the message before, */
    uint32_t behind[8];                            /* and the state behind it */
    bool known;
} dpn_digest_series;

/* The digest of the message, as eight words, the first bytes of the digest highest in the first. What stands in `message` after its
 * length is overwritten. The message stays in memory until the end, which wipes all.
 * Domain   length <= DPN_DIGEST_SHORT. */
enum { DPN_DIGEST_SHORT = DPN_DIGEST_BUFFER - 9 };
void dpn_digest_next(uint32_t out[8], dpn_digest_series *series, size_t length);
void dpn_digest_series_end(dpn_digest_series *series);

#endif
