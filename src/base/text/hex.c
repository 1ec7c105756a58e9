/* Bytes in hexadecimal. */
#include "base/text/hex.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

char *dpn_hex_write(char *out, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = '\0';
    return out;
}

bool dpn_hex_read(unsigned char *out, size_t count, const char *text, size_t length) {
    if (length != 2 * count) return false;
    for (size_t i = 0; i < length; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit) return false;
        unsigned char value = (unsigned char)(digit - digits);
        out[i / 2] = (unsigned char)(i % 2 ? out[i / 2] | value : value << 4);
    }
    return true;
}
