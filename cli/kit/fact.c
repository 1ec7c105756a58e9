/* Lines of an answer for people. */
#define _POSIX_C_SOURCE 200809L
#include "kit/fact.h"

#include "kit/columns.h"
#include "kit/plain.h"
#include "kit/wrap.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A line that fits is printed as it is: blanks that belong to a name stay. */
static void print(FILE *out, const char *label, const char *said) {
    size_t used = columns_letters(label);
    fputs(label, out);
    if (used + columns_letters(said) > WRAP_WIDTH) {
        wrap_words(out, said, used, used);
        return;
    }
    print_plain(out, said);
    putc('\n', out);
}

void fact_begin(struct fact *fact, FILE *out, const char *label) {
    *fact = (struct fact){.out = out, .label = label};
    fact->text = open_memstream(&fact->said, &fact->length);
    if (fact->text) return;
    fact->text = out; /* without memory the line is as long as it is */
    fputs(label, out);
}

void fact_end(struct fact *fact) {
    if (fact->text == fact->out) {
        putc('\n', fact->out);
        return;
    }
    if (fclose(fact->text) == 0 && fact->said) print(fact->out, fact->label, fact->said);
    free(fact->said);
}

void fact_print(FILE *out, const char *label, const char *format, ...) {
    struct fact fact;
    va_list arguments;
    va_start(arguments, format);
    fact_begin(&fact, out, label);
    vfprintf(fact.text, format, arguments);
    fact_end(&fact);
    va_end(arguments);
}
