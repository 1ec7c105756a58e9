/* Lines of an answer for people: a label and what it says, in lines of at most 80 columns. */
#ifndef DPNOISE_CLI_KIT_FACT_H
#define DPNOISE_CLI_KIT_FACT_H

#include <stdio.h>

/* Print a label as it stands and, as by printf, what it says. What is too long for the line goes on below it, where the label
 * ends. What a terminal would obey is not printed. */
void fact_print(FILE *out, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same piece by piece: write what the label says to `text`, then end it. */
struct fact {
    FILE *text, *out;
    char *said;
    size_t length;
    const char *label;
};
void fact_begin(struct fact *fact, FILE *out, const char *label);
void fact_end(struct fact *fact);

#endif
