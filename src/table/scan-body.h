/* The scanner, but for how 64 bytes become masks and how a mask becomes positions: included by one file for each way. */
#ifndef DPN_TABLE_SCAN_BODY_H
#define DPN_TABLE_SCAN_BODY_H

#include "table/scan.h"

#include <string.h>

/* Bit i stands for byte i of a block. */
typedef struct dpn_masks {
    uint64_t delimiter, newline, quote;
    bool nul;
} dpn_masks;

/* What one block leaves to the next. */
typedef struct dpn_carry {
    uint64_t inside;    /* all ones within quotes, else zero */
    uint64_t may_open;  /* 1 if a quote may open here */
    uint64_t must_stop; /* 1 if a quote was closed just before */
} dpn_carry;

/* Bit i is the parity of the bits 0 to i. */
static inline uint64_t dpn_parity(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/* After a quote that closes there are only separators, quotes, and a CR before the LF. */
static inline bool dpn_only_line_ends(uint64_t bits, const char *block, const char *end) {
    for (; bits; bits &= bits - 1) {
        const char *byte = block + __builtin_ctzll(bits);
        if (*byte != '\r' || (byte + 1 < end && byte[1] != '\n')) return false;
    }
    return true;
}

/* The bytes of a block that are outside quotes; checks the quotes. `valid` has a bit for each byte of the text. */
__attribute__((always_inline)) static inline uint64_t dpn_outside(dpn_found *found, dpn_carry *carry,
                                                                  const dpn_masks *masks, uint64_t valid,
                                                                  const char *block, const char *end) {
    uint64_t quote = masks->quote;
    uint64_t inside = dpn_parity(quote) ^ carry->inside; /* an opening quote counts as inside, a closing one not */
    uint64_t opens = quote & inside, closes = quote & ~inside;
    uint64_t around = masks->delimiter | masks->newline | quote;
    uint64_t stops = (closes << 1 | carry->must_stop) & valid;
    if (opens & ~(around << 1 | carry->may_open)) found->misplaced = true;
    if ((stops & ~around) && !dpn_only_line_ends(stops & ~around, block, end)) found->misplaced = true;
    if (quote) found->quoted = true;
    found->hidden += (size_t)__builtin_popcountll(masks->newline & inside);
    carry->inside = 0 - (inside >> 63);
    carry->must_stop = closes >> 63;
    return ~inside;
}

typedef dpn_masks dpn_masker(const char *block, char delimiter);
typedef uint32_t *dpn_flattener(uint32_t *at, uint64_t bits, uint32_t base);

__attribute__((always_inline)) static inline void dpn_scan_with(dpn_masker *masker, dpn_flattener *flatten,
                                                                dpn_found *found, uint32_t *at, const char *text,
                                                                size_t length, dpn_grammar grammar) {
    dpn_carry carry = {.may_open = 1};
    uint32_t *next = at;
    *found = (dpn_found){0};
    for (size_t base = 0; base < length; base += 64) {
        const char *block = text + base;
        uint64_t valid = UINT64_MAX;
        char last[64];
        if (length - base < 64) { /* what lies behind the end has no meaning */
            memset(last, ' ', sizeof last);
            memcpy(last, block, length - base);
            valid = (UINT64_C(1) << (length - base)) - 1;
            block = last;
        }
        dpn_masks masks = masker(block, grammar.delimiter);
        masks.delimiter &= valid; /* a space may be the delimiter */
        if (grammar.literal_quotes) masks.quote = 0;
        uint64_t outside = UINT64_MAX;
        if (masks.quote | carry.inside | carry.must_stop)
            outside = dpn_outside(found, &carry, &masks, valid, text + base, text + length);
        carry.may_open = (masks.delimiter | masks.newline | masks.quote) >> 63;
        found->newlines += (size_t)__builtin_popcountll(masks.newline & outside);
        found->nul |= masks.nul;
        next = flatten(next, (masks.delimiter | masks.newline) & outside, (uint32_t)base);
    }
    found->separators = (size_t)(next - at);
    found->inside = carry.inside != 0;
}

#endif
