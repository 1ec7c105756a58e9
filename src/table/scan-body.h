/* The scanner, but for how 64 bytes become masks and how a mask becomes positions: included by one file for each way. */
#ifndef DPN_TABLE_SCAN_BODY_H
#define DPN_TABLE_SCAN_BODY_H

#include "table/scan.h"

#include <string.h>

/* Bit i stands for byte i of a block. */
typedef struct dpn_masks {
    uint64_t separator, newline; /* delimiters and newlines; the newlines alone */
    bool special;                /* there are quotes or NUL bytes */
} dpn_masks;

/* What one block leaves to the next. */
typedef struct dpn_carry {
    uint64_t inside;    /* all ones within quotes, else zero */
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

/* The bytes of a block that are outside quotes; checks the quotes. `valid` has a bit for each byte of the text; may_open is 1
 * if a quote may open at the first of them. */
__attribute__((always_inline)) static inline uint64_t dpn_outside(dpn_found *found, dpn_carry *carry,
                                                                  const dpn_masks *masks, uint64_t quote,
                                                                  uint64_t may_open, uint64_t valid, const char *block,
                                                                  const char *end) {
    uint64_t inside = dpn_parity(quote) ^ carry->inside; /* an opening quote counts as inside, a closing one not */
    uint64_t opens = quote & inside, closes = quote & ~inside;
    uint64_t around = masks->separator | quote;
    uint64_t stops = (closes << 1 | carry->must_stop) & valid;
    if (opens & ~(around << 1 | may_open)) found->misplaced = true;
    if ((stops & ~around) && !dpn_only_line_ends(stops & ~around, block, end)) found->misplaced = true;
    if (quote) found->quoted = true;
    found->hidden += (size_t)__builtin_popcountll(masks->newline & inside);
    carry->inside = 0 - (inside >> 63);
    carry->must_stop = closes >> 63;
    return ~inside;
}

typedef dpn_masks dpn_masker(const char *block, char delimiter);
typedef uint64_t dpn_seeker(const char *block, char byte); /* where that byte is */
typedef uint32_t *dpn_flattener(uint32_t *at, uint64_t bits, uint32_t base);

/* How one processor does it. */
typedef struct dpn_scan_way {
    dpn_masker *masker;
    dpn_seeker *seek;
    dpn_flattener *flatten;
} dpn_scan_way;

/* A block of a text, whose bytes are the text's as far as they are valid. Quotes are looked for where there are some: most blocks
 * have none. */
__attribute__((always_inline)) static inline uint32_t *
dpn_scan_block(dpn_scan_way way, dpn_found *found, dpn_carry *carry, uint32_t *next, const char *text, size_t length,
               size_t base, const char *block, uint64_t valid, dpn_grammar grammar) {
    dpn_masks masks = way.masker(block, grammar.delimiter);
    uint64_t outside = UINT64_MAX;
    masks.separator &= valid; /* a space may be the delimiter */
    if (__builtin_expect(masks.special || (carry->inside | carry->must_stop) != 0, 0)) {
        uint64_t quote = grammar.literal_quotes ? 0 : way.seek(block, '"');
        char before = base > 0 ? text[base - 1] : '\n';
        bool may_open = before == grammar.delimiter || before == '\n' || before == '"';
        found->nul |= way.seek(block, '\0') != 0;
        if (quote | carry->inside | carry->must_stop)
            outside = dpn_outside(found, carry, &masks, quote, may_open, valid, text + base, text + length);
    }
    found->newlines += (size_t)__builtin_popcountll(masks.newline & outside);
    return way.flatten(next, masks.separator & outside, (uint32_t)base);
}

__attribute__((always_inline)) static inline void dpn_scan_with(dpn_scan_way way, dpn_found *found, uint32_t *at,
                                                                const char *text, size_t length, dpn_grammar grammar) {
    dpn_carry carry = {0};
    dpn_found all = {0};
    uint32_t *next = at;
    size_t whole = length / 64 * 64;
    for (size_t base = 0; base < whole; base += 64)
        next = dpn_scan_block(way, &all, &carry, next, text, length, base, text + base, UINT64_MAX, grammar);
    if (whole < length) { /* what lies behind the end has no meaning */
        char last[64];
        memset(last, ' ', sizeof last);
        memcpy(last, text + whole, length - whole);
        next = dpn_scan_block(way, &all, &carry, next, text, length, whole, last, (UINT64_C(1) << (length - whole)) - 1,
                              grammar);
    }
    all.separators = (size_t)(next - at);
    all.inside = carry.inside != 0;
    *found = all;
}

#endif
