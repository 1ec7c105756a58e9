/* The letters of a JSON string. */
#ifndef DPN_TEXT_JSON_LETTER_H
#define DPN_TEXT_JSON_LETTER_H

#include "base/text/utf8.h"

#include <stdint.h>
#include <string.h>

enum { DPN_JSON_LETTER_SIZE = 6 };

/* Write the letter at *text as it stands in a JSON string, and go on to the next one: quotes, backslashes and control characters
 * escaped, U+FFFD for a byte that is not UTF-8. Returns the number of bytes.
 * Domain   *text ends in a zero byte, and is not at it. */
static inline size_t dpn_json_letter(char out[DPN_JSON_LETTER_SIZE], const char **text) {
    static const char digits[] = "0123456789abcdef";
    unsigned char c = (unsigned char)**text;
    size_t length = dpn_utf8_length(*text, SIZE_MAX);
    const char *from = *text;
    *text += length > 0 ? length : 1;
    if (c == '"' || c == '\\') {
        out[0] = '\\';
        out[1] = (char)c;
        return 2;
    }
    if (c < 0x20 || c == 0x7f) {
        memcpy(out, "\\u00", 4);
        out[4] = digits[c >> 4];
        out[5] = digits[c & 15];
        return 6;
    }
    if (length == 0) {
        memcpy(out, "\xef\xbf\xbd", 3);
        return 3;
    }
    memcpy(out, from, length);
    return length;
}

#endif
