/* What `dpnoise renyi` was asked, and the parts of its answer. */
#ifndef DPNOISE_CLI_RENYI_RENYI_H
#define DPNOISE_CLI_RENYI_RENYI_H

#include "input/mechanisms.h"

#include <dpnoise/renyi.h>

/* What is known of one mechanism. */
struct renyi_answer {
    dpn_divergence *divergence; /* one for each order; owned */
    dpn_argument argument;
    bool has_zcdp;
    dpn_zcdp zcdp;
    char no_zcdp[sizeof((dpn_error *)0)->sentence]; /* why not */
};

struct renyi_question {
    struct mechanisms mechanisms;
    struct decimals order;
    struct renyi_answer *answer; /* one for each mechanism */
    const char *plot;            /* a file, or NULL */
};

/* The divergences of a mechanism at these orders. Errors as in dpnoise/renyi.h. */
dpn_status renyi_divergences(dpn_divergence *out, dpn_argument *argument, const struct renyi_question *question,
                             size_t mechanism, const double *order, size_t orders, dpn_error *why);

/* The answers on standard output, as JSON or for people. */
void renyi_print_json(const struct renyi_question *question);
dpn_status renyi_print_text(const struct renyi_question *question, dpn_error *why);

/* Draw the divergences against the order into question->plot (.svg, .png or .pdf).
 * Errors   as law_plot, and those of the divergences. */
dpn_status renyi_plot(const struct renyi_question *question, dpn_error *why);

#endif
