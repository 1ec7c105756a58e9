/* Uniform points of a ball, drawn to as many bits as somebody needs to know. docs/proofs/geometry/draws.md
 *
 * A point is drawn in an envelope that has a formula, the box around the ball or a ball in an intersection, and tried again
 * until it lies in the ball. Envelopes nest: points of a product are drawn part by part, and those of a linear image are
 * images of points.
 */
#ifndef DPN_GEOMETRY_INTERIOR_H
#define DPN_GEOMETRY_INTERIOR_H

#include "geometry/ball.h"
#include "geometry/span.h"
#include "random/vector.h"

typedef enum dpn_envelope {
    DPN_ENVELOPE_BOX,     /* scale_i U_i, U_i uniform on (-1, 1) */
    DPN_ENVELOPE_LP,      /* scale_i X_i/(sum |X_i|^p + p Z)^(1/p), X_i of density exp(-|x|^p/p), Z exponential */
    DPN_ENVELOPE_SIMPLEX, /* sum E_k v_k/(sum E_k + Z), v_k the vertices of a cone of the hull */
    DPN_ENVELOPE_PARTS,   /* the points of the parts, one after the other */
    DPN_ENVELOPE_IMAGE,   /* the image of a point of the only part */
} dpn_envelope;

/* How points of a ball are drawn. Numbers, values and cones of all parts lie one after the other in a dpn_point_work. */
typedef struct dpn_interior {
    dpn_envelope envelope;
    const dpn_norm_ball *ball;
    bool tested; /* the envelope is larger than the ball */
    bool exact;  /* else somebody's function of doubles decides */
    size_t dimension;
    double *scale;
    dpn_cones cones;
    dpn_sampler *table, *exponential;
    struct dpn_interior **part;
    size_t parts;
    size_t number, numbers; /* random numbers: the first, and how many, with those of the parts */
    size_t value;           /* the first value */
    size_t cone;            /* which cone */
    double *unit;           /* bounds of |e_i|, and of the error of a norm in doubles */
    double evaluation;
    double acceptance; /* of points of the envelope; 1 if they are not tested */
} dpn_interior;

/* A point that is being drawn. Values are doubles within error of the true coordinates. */
typedef struct dpn_point_work {
    dpn_lazy *number;
    double *value, *error;
    size_t *cone;
    bool no_memory;
} dpn_point_work;

/* The ball must outlive it.
 * Errors   DPN_EUNSUPPORTED for a ball of points without facets; DPN_EACCURACY if less than one in a million points of an
 *          envelope lies in the ball; DPN_ENOMEM. */
dpn_status dpn_interior_new(dpn_interior **out, const dpn_norm_ball *ball, dpn_error *why);
void dpn_interior_free(dpn_interior *interior);

/* Room for points. False if there is no memory; free in any case. */
bool dpn_point_work_new(dpn_point_work *out, const dpn_interior *interior);
void dpn_point_work_free(dpn_point_work *work, const dpn_interior *interior);

/* Draw a point: DPN_AGAIN never. DPN_GIVEN_UP also if there is no memory, which work then tells. */
dpn_try dpn_interior_draw(const dpn_interior *interior, dpn_point_work *work, dpn_rng *rng);

/* One point of the envelope: DPN_AGAIN if it does not lie in the ball. */
dpn_try dpn_interior_try(const dpn_interior *interior, dpn_point_work *work, dpn_rng *rng);

/* Its coordinates from the random bits that are drawn; false if N limbs cannot tell, or there is no memory. */
bool dpn_interior_spans(dpn_span *out, const dpn_interior *interior, dpn_point_work *work, int limbs);

/* The least acceptance of all the tests, and whether all are exact. */
double dpn_interior_acceptance(const dpn_interior *interior);
bool dpn_interior_exact(const dpn_interior *interior);

/* The limbs that the numbers of a point deserve. */
int dpn_interior_limbs(const dpn_interior *interior, const dpn_point_work *work);

/* The cones of a hull, for dpn_cones_free. False if there is no memory. */
bool dpn_ball_cones(dpn_cones *out, const dpn_norm_ball *ball);

#endif
