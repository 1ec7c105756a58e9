/* Digits with at most one point among them, up to 18 characters; from 4 to 16 without a branch for each. */
#ifndef DPN_TALLY_SHORT_DIGITS_H
#define DPN_TALLY_SHORT_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number of the digits without the point, and how many of them stand after it. False if the text is anything else.
 * Domain   length <= 18. */
static inline bool dpn_digits_one_by_one(uint64_t *number, int *places, const char *text, size_t length) {
    const char *point = NULL, *end = text + length;
    for (*number = 0; text < end; text++) {
        unsigned digit = (unsigned)(unsigned char)*text - '0';
        if (*text == '.' && !point)
            point = text;
        else if (digit <= 9)
            *number = 10 * *number + digit;
        else
            return false;
    }
    *places = point ? (int)(end - point) - 1 : 0;
    return length > (point != NULL);
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static inline uint64_t dpn_load_4(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word ^ UINT32_C(0x30303030);
}

static inline uint64_t dpn_load_8(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word ^ UINT64_C(0x3030303030303030);
}

/* The text at the upper end of 16 bytes, the last character in the highest one, with zero bytes before it. Characters have
 * '0' taken off by an exclusive or, so that digits are 0 to 9 and the point is 0x1e. */
static inline void dpn_load_short(uint64_t *low, uint64_t *high, const char *text, size_t length) {
    const char *end = text + length;
    if (length >= 8) {
        *high = dpn_load_8(end - 8);
        *low = dpn_load_8(text) << 4 * (16 - length) << 4 * (16 - length); /* in halves: 64 is too far for one shift */
    } else {
        *high = dpn_load_4(end - 4) << 32 | (dpn_load_4(text) << 8 * (8 - length) & UINT32_MAX);
        *low = 0;
    }
}

/* The lowest byte that is a point, as its highest bit; 0 if there is none. */
static inline uint64_t dpn_find_point(uint64_t word) {
    uint64_t other = word ^ UINT64_C(0x1e1e1e1e1e1e1e1e);
    uint64_t marks = (other - UINT64_C(0x0101010101010101)) & ~other & UINT64_C(0x8080808080808080);
    return marks & -marks;
}

/* Whether all bytes are 0 to 9: no sum reaches 0x80 then, and the first byte that is not shows in itself or in its sum. */
static inline bool dpn_all_digits(uint64_t word) {
    return ((word | (word + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080)) == 0;
}

/* The number of eight digits: pairs, then fours, then all. */
static inline uint64_t dpn_eight_digits(uint64_t word) {
    word = 10 * word + (word >> 8);
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    return ((word & mask) * UINT64_C(0x000f424000000064) + (word >> 16 & mask) * UINT64_C(0x0000271000000001)) >> 32;
}

/* The same, eight characters at a time.
 * Domain   4 <= length <= 16. */
static inline bool dpn_digits_by_eight(uint64_t *number, int *places, const char *text, size_t length) {
    uint64_t low, high;
    dpn_load_short(&low, &high, text, length);
    uint64_t point = dpn_find_point(high), low_point = dpn_find_point(low);
    *places = 0;
    if (low_point) { /* what stands before the point moves up by a byte; a second point stays and is no digit */
        *places = 15 - __builtin_ctzll(low_point) / 8;
        uint64_t after =
            ~((low_point << 1) - 1); /* 0 if the point is the highest byte: nothing in this word is after it */
        low = (low & after) | (low & ((low_point >> 7) - 1)) << 8;
    } else if (point) {
        *places = 7 - __builtin_ctzll(point) / 8;
        uint64_t after = ~((point << 1) - 1);
        high = (high & after) | (high & ((point >> 7) - 1)) << 8 | low >> 56;
        low <<= 8;
    }
    *number = 100000000 * dpn_eight_digits(low) + dpn_eight_digits(high);
    return dpn_all_digits(low) && dpn_all_digits(high);
}

static inline bool dpn_short_digits(uint64_t *number, int *places, const char *text, size_t length) {
    return length >= 4 && length <= 16 ? dpn_digits_by_eight(number, places, text, length)
                                       : dpn_digits_one_by_one(number, places, text, length);
}

#else /* the first character is not in the lowest byte of a word */

static inline bool dpn_short_digits(uint64_t *number, int *places, const char *text, size_t length) {
    return dpn_digits_one_by_one(number, places, text, length);
}

#endif

#endif
