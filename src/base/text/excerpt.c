/* Text that people wrote. */
#include "base/text/excerpt.h"

#include "base/error.h"
#include "base/text/utf8.h"

#include <string.h>

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
        step = dpn_utf8_length(text + i, length - i);
        if (step == 0 || is_control((const unsigned char *)text + i))
            return dpn_fail(why, DPN_EDOMAIN, "%s holds a control character or is not UTF-8", what);
    }
    return DPN_OK;
}

char *dpn_show(char out[DPN_SHOWN_SIZE], const char *text) {
    enum { MOST = 40 };
    size_t length = strlen(text), kept = length;
    bool letters = dpn_text_check(text, "", length + 1, true, NULL) == DPN_OK;
    if (length > MOST) {
        kept = MOST;
        while (letters && dpn_utf8_goes_on(text[kept])) kept--;
    }
    memcpy(out, text, kept);
    for (size_t i = 0; i < kept && !letters; i++)
        if (out[i] < 0x20 || out[i] > 0x7e) out[i] = '?';
    strcpy(out + kept, kept < length ? "..." : "");
    return out;
}
