/* The search over the shapes and spreads of one family, by loose errors: what search.c certifies then. */
#ifndef DPN_CALIBRATE_HUNT_H
#define DPN_CALIBRATE_HUNT_H

#include "calibrate/boundary.h"

/* How noise may be spread over coordinates: the same on all (and the same where it has a corner, see below), by a power of their
 * sensitivities (and by the power of INID Theorem 8), or each by itself. */
enum { DPN_HUNT_SAME, DPN_HUNT_CORNER, DPN_HUNT_POWER, DPN_HUNT_INID, DPN_HUNT_SPREAD, DPN_HUNT_KINDS };

typedef struct dpn_hunt {
    const dpn_problem *problem;
    dpn_law *law;
    dpn_candidate at;                   /* the last one that had an error, to start from */
    dpn_candidate best;                 /* so far, by its loose error */
    dpn_candidate kind[DPN_HUNT_KINDS]; /* the best of each kind */
    double from, to;                    /* of the place of the shape */
    double width;                       /* of steps, in sensitivities */
    dpn_spread *room;                   /* for the one spread that is looked at */
    double limit;                       /* the error in the limit towards which the scan runs, +inf if unknown */
    double enough;                      /* noise with more error than this is not worth finding, +inf: all is */
    dpn_effort effort;                  /* of the estimates on several coordinates */
    double done, step;                  /* for the progress */
    bool cancelled;                     /* from then on nothing is measured any more */
    dpn_status status;                  /* of the last failure */
    dpn_error why;
} dpn_hunt;

/* The accuracy of the estimates that a search ends with, and how many errors a golden section looks at, on one coordinate and on
 * several. */
#define DPN_HUNT_ACCURACY 2e-3
enum { DPN_HUNT_STEPS = 30, DPN_HUNT_STEPS_SEVERAL = 9 };

/* One error was looked at: progress, and whether to go on. */
void dpn_hunt_report(dpn_hunt *hunt);

/* Whether coordinates may get different scales. Integer laws of two parameters compose only if they share them. */
bool dpn_hunt_may_differ(const dpn_problem *problem, const struct dpn_family *family);

/* The best candidates of the family alone, of each kind, by loose errors; the error of the best of all, +inf if there is
 * none. */
double dpn_hunt_family(dpn_hunt *hunt, const struct dpn_family *family);

#endif
