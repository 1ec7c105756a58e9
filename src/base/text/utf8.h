/* UTF-8 (RFC 3629). */
#ifndef DPN_TEXT_UTF8_H
#define DPN_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the letter at text, 0 if there is none among the bytes left: no overlong forms, no surrogates, nothing above
 * U+10FFFF. Of a text that ends in a zero byte no more is read, however many are said to be left. Control characters are
 * letters.
 * Domain   left > 0. */
static inline size_t dpn_utf8_length(const char *text, size_t left) {
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || beyond ? 0 : length;
}

/* Whether a byte goes on with a letter that began before it. */
static inline bool dpn_utf8_goes_on(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Whether all bytes are letters. */
static inline bool dpn_utf8_is(const char *text, size_t length) {
    size_t step = 1;
    for (size_t i = 0; i < length && step > 0; i += step) step = dpn_utf8_length(text + i, length - i);
    return step > 0;
}

#endif
