/* A composition: several releases, each of them a number of times, from options or from a file.
 *
 * The file is text, one part a line:
 *
 *     # times sensitivity law
 *     20 1 laplace(scale=10)
 *     5 - pure(epsilon=0.1)
 *     1 - block(epsilon=0.5)
 *     3 - approximate(epsilon=1,delta=0.001)
 *
 * block is a block of K-norm noise; pure, approximate, zcdp, renyi and gdp are mechanisms known only by such a guarantee. They have
 * no sensitivity of their own. */
#ifndef DPNOISE_CLI_INPUT_COMPOSITION_H
#define DPNOISE_CLI_INPUT_COMPOSITION_H

#include "kit/json.h"
#include "kit/options.h"

#include <dpnoise/guarantees.h>
#include <dpnoise/privacy.h>

enum part_kind { PART_LAW, PART_PURE, PART_BLOCK, PART_GUARANTEE };

/* "law", "pure", "block", "guarantee". */
const char *part_kind_name(enum part_kind kind);

/* What a part was called. */
struct part_words {
    enum part_kind kind;
    dpn_law law;
    char *number; /* the sensitivity of the law, the epsilon or the guarantee, as it was written; owned */
    uint64_t times;
};

/* The parts in words, and what the engine takes: losses and guarantees. */
struct composition {
    struct part_words *words;
    size_t parts, room;
    dpn_part *loss;
    dpn_known *known;
    size_t losses, knowns;
};

/* Rows of a table of options. */
/* clang-format off */
#define COMPOSITION_OPTIONS                                                                        \
    {"--law", "LAW", true, "a part of a composition; its --sensitivity and --times follow it"},    \
    {"--pure", "E", true, "a part known only to be E-differentially private"},                     \
    {"--block", "E", true, "a block of K-norm noise with density exp(-E |x|), |move| <= 1"},       \
    {"--guarantee", "G", true, "a part known by its guarantee: approximate(epsilon=E,delta=D), ..."}, \
    {"--times", "N", true, "how often the part before it is released (1)"},                        \
    {"--import", "FILE", true, "parts from FILE, one a line: times sensitivity law"},              \
    {"--export", "FILE", false, "write the composition to FILE, for --import"}
/* clang-format on */

/* Whether the options speak of a composition. */
bool composition_given(const struct arguments *arguments);

/* Whether one law without --law is a composition all the same: LAW --sensitivity S --times N. */
bool composition_of_law(const struct arguments *arguments);

/* Read the parts in their order. Release with composition_free.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM; then nothing needs to be released. */
dpn_status composition_read(struct composition *out, const struct arguments *arguments, dpn_error *why);
void composition_free(struct composition *composition);

/* What was written about a part; NULL for what was not. The number is the sensitivity of the law, the epsilon, or the guarantee. */
struct part_text {
    enum part_kind kind;
    const char *law, *number, *times;
};

/* For the readers: add a part, or the parts of a file (composition-file.c). Errors as above; the sentence of a part
 * begins with the member at fault, which is law, sensitivity, pure, block, guarantee or times. */
dpn_status composition_add(struct composition *out, const struct part_text *text, dpn_error *why);
dpn_status composition_import(struct composition *out, const char *file, dpn_error *why);

/* Write the file of --export; numbers stand in it as they were written.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status composition_export(const struct composition *composition, const char *file, dpn_error *why);

/* A part in words, "20 times laplace(scale=10) with sensitivity 1". */
void composition_describe(FILE *out, const struct composition *composition, size_t part);

/* The parts in an array of that name. */
void composition_json(struct json *json, const char *name, const struct composition *composition);

#endif
