/* Text that somebody else wrote, for whoever shows it: a terminal, a spreadsheet, a page. Keys and names of columns come from
 * the data, and may hold what a terminal or a spreadsheet obeys. */
#ifndef DPNOISE_CLI_KIT_PLAIN_H
#define DPNOISE_CLI_KIT_PLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum plain_kind {
    PLAIN_LETTER,
    PLAIN_CONTROL, /* of ASCII or from U+0080 to U+009F, which terminals obey; what turns the direction of writing; line ends */
    PLAIN_BROKEN, /* a byte that is no UTF-8: alone, 0x80 to 0x9f are control characters to some terminals */
};

/* What stands at text, which is not at its end: its number in Unicode, of a broken byte the byte. Returns its length. */
size_t plain_take(enum plain_kind *kind, uint32_t *code, const char *text);

/* Print it with a question mark for each letter that is not plain. */
void print_plain(FILE *out, const char *text);

/* Print it, and the suffix after it, as a field of comma-separated values (RFC 4180) that stays one line and that no spreadsheet
 * runs: control characters are written as \u001b, broken bytes as U+FFFD, and a text that begins with = + - or @ and is no
 * number gets an apostrophe in front (also after apostrophes, so that taking one away gives the text back). */
void print_csv_inside(FILE *out, const char *text); /* between quotes that stand already */
void print_csv_text(FILE *out, const char *text, const char *suffix);

#endif
