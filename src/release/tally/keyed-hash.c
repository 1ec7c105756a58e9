/* SipHash-2-4, as in Aumasson and Bernstein 2012. */
#include "release/tally/keyed-hash.h"

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static inline void mix(uint64_t v[4]) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

static inline void take(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    mix(v);
    mix(v);
    v[0] ^= word;
}

/* Eight bytes, the first one lowest, whatever the machine's own order: compilers know this for one load. */
static inline uint64_t whole_word(const unsigned char *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* The last bytes of all `length`, `left` of them, less than eight. Behind others they are the top of the last whole word. */
static inline uint64_t last_word(const unsigned char *p, size_t left, size_t length) {
    uint64_t word = 0;
    if (left == 0) return 0;
    if (length >= 8) return whole_word(p + left - 8) >> 8 * (8 - left);
    for (size_t i = 0; i < left; i++) word |= (uint64_t)p[i] << 8 * i;
    return word;
}

uint64_t dpn_keyed_hash(const dpn_hash_key *key, const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    uint64_t v[4] = {key->word[0] ^ UINT64_C(0x736f6d6570736575), key->word[1] ^ UINT64_C(0x646f72616e646f6d),
                     key->word[0] ^ UINT64_C(0x6c7967656e657261), key->word[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; left -= 8, p += 8) take(v, whole_word(p));
    take(v, last_word(p, left, length) | (uint64_t)length << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
