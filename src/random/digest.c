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

/* A bit of one, zeros, and the number of bits in 8 bytes, the highest first, to the end of a block of 64 (FIPS 180-4, 5.1.1). */
static size_t pad(unsigned char *message, size_t length) {
    size_t end = (length + 9 + 63) / 64 * 64;
    uint64_t bits = 8 * (uint64_t)length;
    memset(message + length, 0, 72); /* at least to the end, and of a length that needs no call */
    message[length] = 0x80;
    for (size_t i = 0; i < 8; i++) message[end - 1 - i] = (unsigned char)(bits >> 8 * i);
    return end;
}

_Static_assert(SHA256_CBLOCK == sizeof((dpn_digest_series *)0)->first, "SHA-256 has blocks of 64 bytes");

/* The state behind the first block. */
static void begin_series(SHA256_CTX *state, dpn_digest_series *series) {
    if (series->known && memcmp(series->message, series->first, sizeof series->first) == 0) {
        memcpy(state->h, series->behind, sizeof series->behind);
        return;
    }
    SHA256_Init(state);
    SHA256_Transform(state, series->message);
    memcpy(series->first, series->message, sizeof series->first);
    memcpy(series->behind, state->h, sizeof series->behind);
    series->known = true;
}

void dpn_digest_next(uint32_t out[8], dpn_digest_series *series, size_t length) {
    SHA256_CTX state;
    size_t end = pad(series->message, length);
    begin_series(&state, series);
    for (size_t at = sizeof series->first; at < end; at += SHA256_CBLOCK)
        SHA256_Transform(&state, series->message + at);
    for (int i = 0; i < 8; i++) out[i] = state.h[i];
    explicit_bzero(state.h, sizeof state.h); /* nothing else was written */
}

void dpn_digest_series_end(dpn_digest_series *series) {
    explicit_bzero(series, sizeof *series);
}
