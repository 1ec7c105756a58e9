/* Headings that stand out on a terminal. Elsewhere, where NO_COLOR is set (no-color.org) and where TERM is dumb, text is plain. */
#ifndef DPNOISE_CLI_KIT_LOOK_H
#define DPNOISE_CLI_KIT_LOOK_H

#include <stdio.h>

/* What begins and what ends bold letters on this stream: empty texts where there are none. */
const char *look_bold(FILE *out);
const char *look_plain(FILE *out);

/* How wide a table may be: as wide as the terminal, and 80 columns elsewhere. */
size_t look_width(FILE *out);

#endif
