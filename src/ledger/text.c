/* Text that grows, and text that people wrote. */
#include "ledger/text.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void dpn_text_add(dpn_text *text, const char *bytes, size_t count) {
    if (text->failed) return;
    if (count >= text->room - text->length) {
        size_t room = 2 * text->room + count + 256;
        char *larger = realloc(text->at, room);
        if (!larger) {
            text->failed = true;
            return;
        }
        text->at = larger;
        text->room = room;
    }
    memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = '\0';
}

void dpn_text_put(dpn_text *text, const char *string) {
    dpn_text_add(text, string, strlen(string));
}

static const char digits[] = "0123456789abcdef";

void dpn_text_quote(dpn_text *text, const char *string) {
    if (!string) {
        dpn_text_put(text, "null");
        return;
    }
    dpn_text_put(text, "\"");
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\') {
            dpn_text_add(text, (const char[]){'\\', (char)c}, 2);
        } else if (c < 0x20) {
            dpn_text_put(text, "\\u00");
            dpn_text_add(text, (const char[]){digits[c >> 4], digits[c & 15]}, 2);
        } else {
            dpn_text_add(text, string, 1);
        }
    }
    dpn_text_put(text, "\"");
}

void dpn_text_decimal(dpn_text *text, const dpn_decimal *decimal) {
    char written[DPN_DECIMAL_TEXT_SIZE];
    dpn_text_quote(text, dpn_decimal_print(written, decimal));
}

void dpn_text_hex(dpn_text *text, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        dpn_text_add(text, (const char[]){digits[bytes[i] >> 4], digits[bytes[i] & 15]}, 2);
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

/* The length of the UTF-8 sequence at s (RFC 3629), 0 if there is none among the bytes left. */
static size_t letter_length(const unsigned char *s, size_t left) {
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

bool dpn_text_is_utf8(const char *text, size_t length) {
    size_t step = 1;
    for (size_t i = 0; i < length && step > 0; i += step)
        step = letter_length((const unsigned char *)text + i, length - i);
    return step > 0;
}

/* What does not show, or turns round what stands beside it on a terminal: the control characters, U+2028 to U+202E and
 * U+2066 to U+2069. */
static bool is_control(const unsigned char *s) {
    if (s[0] == 0xe2 && s[1] == 0x80) return s[2] >= 0xa8 && s[2] <= 0xae;
    if (s[0] == 0xe2 && s[1] == 0x81) return s[2] >= 0xa6 && s[2] <= 0xa9;
    return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

dpn_status dpn_text_check(const char *text, const char *what, size_t size, bool may_be_empty, dpn_error *why) {
    size_t length = strlen(text);
    if (length == 0 && !may_be_empty) return dpn_fail(why, DPN_EDOMAIN, "%s is empty", what);
    if (length >= size) return dpn_fail(why, DPN_EDOMAIN, "%s has more than %zu bytes", what, size - 1);
    if (!may_be_empty && (text[0] == ' ' || text[length - 1] == ' '))
        return dpn_fail(why, DPN_EDOMAIN, "%s begins or ends with a blank", what);
    for (size_t i = 0, step; i < length; i += step) {
        const unsigned char *letter = (const unsigned char *)text + i;
        step = letter_length(letter, length - i);
        if (step == 0 || is_control(letter))
            return dpn_fail(why, DPN_EDOMAIN, "%s holds a control character or is not UTF-8", what);
    }
    return DPN_OK;
}
