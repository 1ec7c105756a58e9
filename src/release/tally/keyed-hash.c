/* SipHash-2-4, as in Aumasson and Bernstein 2012. */
#include "release/tally/keyed-hash.h"

static uint64_t rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static void mix(uint64_t v[4], int rounds) {
    for (; rounds > 0; rounds--) {
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
}

/* Up to eight bytes, the first one lowest, whatever the machine's own order. */
static uint64_t word_of(const unsigned char *bytes, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint64_t dpn_keyed_hash(const dpn_hash_key *key, const void *bytes, size_t length) {
    const unsigned char *p = bytes;
    uint64_t v[4] = {key->word[0] ^ UINT64_C(0x736f6d6570736575), key->word[1] ^ UINT64_C(0x646f72616e646f6d),
                     key->word[0] ^ UINT64_C(0x6c7967656e657261), key->word[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = length;
    for (; left >= 8; left -= 8, p += 8) {
        uint64_t word = word_of(p, 8);
        v[3] ^= word;
        mix(v, 2);
        v[0] ^= word;
    }
    uint64_t last = word_of(p, left) | (uint64_t)length << 56;
    v[3] ^= last;
    mix(v, 2);
    v[0] ^= last;
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
