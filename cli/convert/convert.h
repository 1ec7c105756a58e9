/* dpnoise convert: what was asked and what came out. */
#ifndef DPNOISE_CLI_CONVERT_CONVERT_H
#define DPNOISE_CLI_CONVERT_CONVERT_H

#include "kit/options.h"

#include <dpnoise/convert.h>

/* What is asked of the guarantees. */
enum convert_target {
    TO_DELTA,
    TO_EPSILON,
    TO_ZCDP,
    TO_RENYI,
    TO_GDP,
    TO_REPLACE,
    TO_ADD_REMOVE,
    TO_GROUP, /* --group and nothing else */
};

struct conversion {
    const char **text; /* the guarantees as they were written */
    dpn_guarantee *from;
    size_t count;
    uint64_t group; /* 1: no groups */
    enum convert_target target;
    double asked,
        asked_below; /* epsilon, delta or order: the double nearest to the text, and the largest not above it */
    dpn_rule rule;
    dpn_conversion result;
};

void convert_print_json(const struct conversion *conversion);
void convert_print_text(const struct conversion *conversion);

#endif
