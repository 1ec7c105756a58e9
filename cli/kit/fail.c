/* How the tool fails. */
#include "kit/fail.h"

#include "kit/json.h"

#include <stdarg.h>
#include <stdio.h>

dpn_status refuse(dpn_error *why, dpn_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    why->status = status;
    vsnprintf(why->sentence, sizeof why->sentence, format, arguments);
    va_end(arguments);
    return status;
}

/* Sentences quote what the person typed: a control character in it must not reach the terminal, in ASCII, as a single byte
 * from 0x80 to 0x9f, or as such a character in UTF-8 (0xc2 and that byte). Other bytes beyond ASCII are parts of UTF-8
 * letters where they follow a byte of the kind, and are left alone. */
static void print_harmless(FILE *out, const char *text) {
    bool inside = false; /* a UTF-8 letter */
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text, next = (unsigned char)text[1];
        bool c1 = (c >= 0x80 && c <= 0x9f && !inside) || (c == 0xc2 && next >= 0x80 && next <= 0x9f);
        inside = (c >= 0xc3 && c <= 0xf4) || (inside && c >= 0x80 && c <= 0xbf);
        putc(c < 0x20 || c == 0x7f || c1 ? '?' : c, out);
    }
}

int fail(const char *command, bool json, const dpn_error *why) {
    fputs(command ? "dpnoise " : "dpnoise", stderr);
    print_harmless(stderr, command ? command : "");
    fputs(": ", stderr);
    print_harmless(stderr, why->sentence);
    putc('\n', stderr);
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "error", why->sentence);
        json_string(&object, "status", dpn_status_name(why->status));
        json_end(&object);
    }
    return dpn_status_exit_code(why->status);
}
