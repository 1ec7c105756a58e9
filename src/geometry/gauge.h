/* Norms of spans: what a ball says of a point that is known to many digits. docs/proofs/geometry/draws.md */
#ifndef DPN_GEOMETRY_GAUGE_H
#define DPN_GEOMETRY_GAUGE_H

#include "geometry/ball.h"
#include "geometry/span.h"

typedef enum dpn_gauge_status { DPN_GAUGE_FOUND, DPN_GAUGE_OPEN, DPN_GAUGE_NO_MEMORY } dpn_gauge_status;

/* Whether a ball has one: all but those known by members, those of points without facets, and what is made of them. */
bool dpn_gauge_exists(const dpn_norm_ball *ball);

/* A span that holds |u|_K for every u of the spans, and shrinks with them. DPN_GAUGE_OPEN if N limbs cannot tell. */
dpn_gauge_status dpn_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs);

#endif
