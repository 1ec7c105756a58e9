/* A composition that is asked for delta at several epsilons. */
#ifndef DPN_PRIVACY_COMPOSE_H
#define DPN_PRIVACY_COMPOSE_H

#include "privacy/compose/fft-delta.h"

/* What is composed, how, and what the engines keep from one epsilon to the next. accuracy and method may change between
 * calls. If reader.brief is set, what takes more than some milliseconds is refused. */
typedef struct dpn_composition {
    dpn_part *part;
    size_t parts;
    dpn_workspace *workspace;
    dpn_accounting_options options;
    dpn_fft_reader reader;
    double enough; /* a delta below this may be answered with any lower end; 0: none */
    bool
        bounds; /* the contour sum alone and, where it refuses, Chernoff's bound: an answer for what the engines cannot do */
} dpn_composition;

/* Check the parts and gather equal ones. how may be NULL. Errors: DPN_EDOMAIN, DPN_ENOMEM. */
dpn_status dpn_composition_open(dpn_composition *out, dpn_workspace *workspace, const dpn_part *part, size_t parts,
                                const dpn_accounting_options *options, dpn_error *why);
void dpn_composition_close(dpn_composition *composition);

/* Gaussian losses compose to one: the squares of sensitivity/sigma add. The losses of the root rounded down and up; false
 * if some part is another loss, or none moves. Laws of any family count that are Gaussian. */
bool dpn_compose_gaussian(dpn_loss loss[2], const dpn_part *part, size_t parts);

/* epsilon is not NaN. */
dpn_status dpn_composition_delta(dpn_delta *out, dpn_composition *composition, double epsilon, dpn_error *why);

#endif
