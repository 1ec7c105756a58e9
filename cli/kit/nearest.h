/* Which known name did the person mean? */
#ifndef DPNOISE_CLI_KIT_NEAREST_H
#define DPNOISE_CLI_KIT_NEAREST_H

#include <stddef.h>

/* Search for the name nearest to a word of that length: ask for each name in turn, keep the best. */
struct nearest {
    const char *word;
    size_t length;
    const char *name; /* the best so far, NULL while none is near */
    size_t distance;
};

struct nearest nearest_to(const char *word, size_t length);
void nearest_try(struct nearest *search, const char *name);

#endif
