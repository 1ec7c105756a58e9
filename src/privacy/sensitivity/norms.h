/* The norms of a sensitivity set: what bounds that rest on norms know of it. */
#ifndef DPN_PRIVACY_SENSITIVITY_NORMS_H
#define DPN_PRIVACY_SENSITIVITY_NORMS_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

/* Upper bounds over the moves of the set, rounded up. */
typedef struct dpn_norms {
    double changed;      /* how many coordinates move */
    double linf, l1, l2; /* the norms of a move */
    bool corner;         /* one move has them all, and for equal noise it dominates the others */
} dpn_norms;

/* Errors   DPN_EDOMAIN for an unbounded set, DPN_ENOMEM. The set was checked. */
dpn_status dpn_norms_of(dpn_norms *out, const dpn_sensitivity *set, dpn_error *why);

/* The most that coordinate i moves, +inf if that is not bounded. */
double dpn_coordinate_bound(const dpn_sensitivity *set, size_t i);

/* Whether the set is all of its box: every coordinate moves by its bound at once. */
bool dpn_set_is_box(const dpn_sensitivity *set, const dpn_norms *norms);

#endif
