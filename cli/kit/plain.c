/* Text that somebody else wrote, for a terminal. */
#include "kit/plain.h"

#include <stdbool.h>

void print_plain(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text, next = (unsigned char)text[1];
        bool control = c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
        putc(control ? '?' : c, out);
    }
}
