/* What was done to the data before and after the noise, in sentences that every format of an answer prints: which rows count, what
 * values are clamped to, what was selected, what is post-processing, and what an interval holds. All of it is public. */
#ifndef DPNOISE_CLI_RELEASE_SAID_H
#define DPNOISE_CLI_RELEASE_SAID_H

#include "kit/json.h"

#include <dpnoise/statistics.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAID_MOST = 16 };

struct said {
    size_t count;
    struct {
        const char *topic; /* "clamped", one word */
        char *text;        /* a sentence without full stop */
    } line[SAID_MOST];
    size_t length; /* of the sentence that is being written: the stream keeps its address */
    bool failed;   /* there was no memory */
};

/* Of a query and its answer, NULL while there is none. said_free must follow, also if it failed. */
struct said said_of(const dpn_declaration *declaration, const dpn_query *query, const dpn_answer *answer);
void said_free(struct said *said);

/* The lines under a table, after the start that is given; the topic once for several lines about it. */
void said_print(FILE *out, const struct said *said, const char *start);

/* The member "treatment": a list of {"topic", "text"}. */
void said_json(struct json *json, const struct said *said);

#endif
