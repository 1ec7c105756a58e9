/* What `dpnoise renyi` was asked, and the parts of its answer. */
#ifndef DPNOISE_CLI_RENYI_RENYI_H
#define DPNOISE_CLI_RENYI_RENYI_H

#include "input/mechanisms.h"

#include <dpnoise/renyi.h>

/* What is known of one mechanism. */
struct renyi_answer {
    dpn_divergence *divergence; /* one for each order; owned */
    double *bound;              /* for each order one of each --bound, NaN if that is not about this law; owned */
    dpn_argument argument;
    bool has_zcdp;
    dpn_zcdp zcdp;
    char no_zcdp[sizeof((dpn_error *)0)->sentence]; /* why not */
};

struct renyi_question {
    struct mechanisms mechanisms;
    struct decimals order;
    const char **bound; /* the names of the bounds; owned, the names are not */
    size_t bounds;
    struct renyi_answer *answer; /* one for each mechanism */
    const char *plot;            /* a file, or NULL */
};

/* The divergences of a mechanism at these orders. Errors as in dpnoise/renyi.h. */
dpn_status renyi_divergences(dpn_divergence *out, dpn_argument *argument, const struct renyi_question *question,
                             size_t mechanism, const double *order, size_t orders, dpn_error *why);

/* A bound of a mechanism at an order; NaN if it is not about its law, or the order is 1 or infinite.
 * Errors   those of dpn_renyi_bound but that. */
dpn_status renyi_bound_at(double *out, const struct renyi_question *question, size_t mechanism, size_t bound,
                          double order, dpn_error *why);

/* The names of --bound; the list of all bounds on standard output. */
dpn_status renyi_read_bounds(struct renyi_question *out, const struct arguments *arguments, dpn_error *why);
void renyi_list_bounds(bool json);

/* The answers on standard output, as JSON or for people. */
void renyi_print_json(const struct renyi_question *question);
dpn_status renyi_print_text(const struct renyi_question *question, dpn_error *why);

/* Draw the divergences against the order into question->plot (.svg, .png or .pdf).
 * Errors   as law_plot, and those of the divergences. */
dpn_status renyi_plot(const struct renyi_question *question, dpn_error *why);

#endif
