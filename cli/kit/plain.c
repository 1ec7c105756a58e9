/* Text that somebody else wrote. */
#include "kit/plain.h"

#include "base/text/utf8.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Controls, marks that turn the direction of writing, ends of lines and paragraphs, invisible marks around annotations. */
static bool is_control(uint32_t code) {
    static const uint32_t from_to[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},  {0x200e, 0x200f},
                                          {0x2028, 0x202e}, {0x2066, 0x206f}, {0xfff9, 0xfffb}};
    for (size_t i = 0; i < sizeof from_to / sizeof *from_to; i++)
        if (code >= from_to[i][0] && code <= from_to[i][1]) return true;
    return false;
}

size_t plain_take(enum plain_kind *kind, uint32_t *code, const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = dpn_utf8_length(text, SIZE_MAX);
    *code = byte[0];
    *kind = PLAIN_BROKEN;
    if (length == 0) return 1;
    if (length > 1) *code &= 0xffu >> (length + 1);
    for (size_t i = 1; i < length; i++) *code = *code << 6 | (byte[i] & 0x3f);
    *kind = is_control(*code) ? PLAIN_CONTROL : PLAIN_LETTER;
    return length;
}

void print_plain(FILE *out, const char *text) {
    enum plain_kind kind;
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = plain_take(&kind, &code, text);
        if (kind == PLAIN_LETTER)
            fwrite(text, 1, length, out);
        else
            putc('?', out);
    }
}

/* ---- Comma-separated values ---- */

static bool is_formula(const char *text) {
    double x;
    const char *start = text + strspn(text, "'");
    return *start && strchr("=+-@", *start) && dpn_number_parse(&x, start, NULL) != DPN_OK;
}

void print_csv_inside(FILE *out, const char *text) {
    enum plain_kind kind;
    uint32_t code;
    if (is_formula(text)) putc('\'', out);
    for (size_t length; *text; text += length) {
        length = plain_take(&kind, &code, text);
        if (kind == PLAIN_CONTROL)
            fprintf(out, "\\u%04" PRIx32, code);
        else if (kind == PLAIN_BROKEN)
            fputs("\xef\xbf\xbd", out);
        else if (code == '"')
            fputs("\"\"", out);
        else
            fwrite(text, 1, length, out);
    }
}

void print_csv_text(FILE *out, const char *text, const char *suffix) {
    bool quoted = strpbrk(text, ",;\"#") || text[0] == ' ' || (text[0] && text[strlen(text) - 1] == ' ');
    if (quoted) putc('"', out);
    print_csv_inside(out, text);
    fputs(suffix, out);
    if (quoted) putc('"', out);
}
