/* The neighbouring inputs of an audit: all zeros, and a few moves of the sensitivity set, in steps of the grid. */
#ifndef DPN_AUDIT_NEIGHBOURS_H
#define DPN_AUDIT_NEIGHBOURS_H

#include <dpnoise/privacy.h>

enum { DPN_AUDIT_PAIRS = 4 };

typedef struct dpn_neighbours {
    size_t dimension, count;
    int64_t *move[DPN_AUDIT_PAIRS]; /* `dimension` numbers each */
    size_t first[DPN_AUDIT_PAIRS];  /* the coordinate that moves farthest */
} dpn_neighbours;

/* The moves, all within the set and different: as far as it goes on the largest coordinates; the same on all that may move,
 * evenly; one coordinate alone; and the first of them less one step. Free with dpn_neighbours_free, also after an error.
 * Errors   DPN_EDOMAIN if nothing moves by a step; DPN_EUNSUPPORTED; DPN_ENOMEM. */
dpn_status dpn_neighbours_make(dpn_neighbours *out, const dpn_sensitivity *set, const int *exponent, dpn_error *why);
void dpn_neighbours_free(dpn_neighbours *neighbours);

#endif
