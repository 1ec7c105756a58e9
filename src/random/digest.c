/* SHA-256, with a buffer before libcrypto. */
#define _DEFAULT_SOURCE             /* explicit_bzero */
#define OPENSSL_SUPPRESS_DEPRECATED /* EVP allocates for each digest, and may then fail in the middle of a tally */
#include "random/digest.h"

#include <openssl/sha.h>
#include <string.h>

_Static_assert(sizeof(SHA256_CTX) <= sizeof((dpn_digest *)0)->state, "there is room for libcrypto's state");
_Static_assert(DPN_DIGEST_SIZE == SHA256_DIGEST_LENGTH, "SHA-256 has 32 bytes");

static SHA256_CTX *context(dpn_digest *digest) {
    return (SHA256_CTX *)(void *)digest->state;
}

void dpn_digest_begin(dpn_digest *out) {
    out->used = 0;
    SHA256_Init(context(out));
}

void dpn_digest_add(dpn_digest *digest, const void *bytes, size_t length) {
    if (length == 0) return;
    if (length > sizeof digest->buffer - digest->used) {
        SHA256_Update(context(digest), digest->buffer, digest->used);
        digest->used = 0;
    }
    if (length > sizeof digest->buffer) {
        SHA256_Update(context(digest), bytes, length);
        return;
    }
    memcpy(digest->buffer + digest->used, bytes, length);
    digest->used += length;
}

void dpn_digest_number(dpn_digest *digest, uint64_t number) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    dpn_digest_add(digest, bytes, sizeof bytes);
}

void dpn_digest_field(dpn_digest *digest, const void *bytes, size_t length) {
    dpn_digest_number(digest, length);
    dpn_digest_add(digest, bytes, length);
}

void dpn_digest_end(unsigned char out[DPN_DIGEST_SIZE], dpn_digest *digest) {
    SHA256_Update(context(digest), digest->buffer, digest->used);
    SHA256_Final(out, context(digest));
    explicit_bzero(digest->buffer, digest->used);
    explicit_bzero(digest->state, sizeof digest->state);
}
