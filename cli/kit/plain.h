/* Text that somebody else wrote, for a terminal. */
#ifndef DPNOISE_CLI_KIT_PLAIN_H
#define DPNOISE_CLI_KIT_PLAIN_H

#include <stdio.h>

/* Print it without what a terminal would obey: each control character becomes a question mark. */
void print_plain(FILE *out, const char *text);

#endif
