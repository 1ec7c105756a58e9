/* Lines of at most 80 columns. */
#ifndef DPNOISE_CLI_KIT_WRAP_H
#define DPNOISE_CLI_KIT_WRAP_H

#include <stddef.h>
#include <stdio.h>

enum { WRAP_WIDTH = 80 };

/* Print text as one paragraph: its line ends and blanks are blanks. The line has `used` columns already; the next ones begin
 * with `indent` blanks. It ends with a line end. A word that is too long stands alone on a line. What a terminal would obey is
 * printed as question marks. */
void wrap_words(FILE *out, const char *text, size_t used, size_t indent);

/* Print the line of a usage, which breaks where no bracket is open if it can. */
void wrap_usage(FILE *out, const char *line, size_t length, size_t used, size_t indent);

/* Print command lines as they stand; those that are too long go on after a backslash, and never break between quotes. */
void wrap_commands(FILE *out, const char *lines);

#endif
