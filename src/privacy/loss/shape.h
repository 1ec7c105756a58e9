/* A loss taken apart: mass at infinity, atoms, and segments on which its density is the exponential of a quadratic or
 * of powers.
 *
 * A symmetric law with density g has the loss L(t) = psi(t + D) - psi(t) at the noise t, psi = log g(0)/g. The
 * reflection t -> -D - t turns L into -L, and g(-D - t) = g(t) e^-L(t). So the half t >= -D/2, where L >= 0, says
 * everything:
 *
 *     E e^(zL) = integral of (e^(z L) + e^(-(1+z) L)) m(dL),  m the P-mass of the half.
 *
 * A shape holds m up to a constant factor: only quotients of its integrals are used, so the law's normalising
 * constant and its error play no part. Explicit losses are not symmetric; they have atoms only, on the whole line.
 */
#ifndef DPN_PRIVACY_LOSS_SHAPE_H
#define DPN_PRIVACY_LOSS_SHAPE_H

#include <dpnoise/privacy.h>
#include <stdbool.h>

/* c[0] + c[1] s + c[2] s^2. */
typedef struct dpn_quadratic {
    double c[3];
} dpn_quadratic;

static inline double dpn_quadratic_at(const dpn_quadratic *q, double s) {
    return q->c[0] + s * (q->c[1] + s * q->c[2]);
}

static inline double dpn_quadratic_slope(const dpn_quadratic *q, double s) {
    return q->c[1] + 2 * s * q->c[2];
}

/* psi(s) = weight s^p, s the noise in units of the sensitivity, and the neighbour at 1 + side s, side = +-1: see
 * loss/power.h. */
typedef struct dpn_power {
    double p, weight, side;
} dpn_power;

/* 0 <= s <= length (+inf for the last one of an unbounded law): the mass is exp(log_density) ds, and the loss is
 * strictly monotone, but for a slope of zero at one end. If power.p is not 0 the segment is one of powers, and its
 * quadratics are not set. */
typedef struct dpn_segment {
    double length;
    dpn_quadratic log_density, loss;
    dpn_power power;
} dpn_segment;

/* A mass exp(log_mass) at one value. */
typedef struct dpn_atom {
    double value, log_mass;
} dpn_atom;

/* Between the points where psi(t) or psi(t + D) changes its formula: -D/2, and three for each of four pieces. */
enum { DPN_SHAPE_SEGMENTS = 13, DPN_SHAPE_ATOMS = DPN_SHAPE_SEGMENTS };

typedef struct dpn_shape {
    bool symmetric;
    double infinite;         /* P(L = inf) */
    double reverse_infinite; /* Q(L = -inf); equal to the former if symmetric */
    double gaussian; /* not 0: the loss of a Gaussian law with this sensitivity/sigma, and nothing below is set */
    size_t segments, atoms;
    dpn_segment segment[DPN_SHAPE_SEGMENTS];
    dpn_atom atom[DPN_SHAPE_ATOMS];
    bool listed;  /* instead of the above the loss has a longer list of atoms, see loss/atoms.h */
    double scale; /* the total of m (1 + e^-L), to a few digits */
} dpn_shape;

/* The shape of a loss, or of the loss with P and Q exchanged (which differs for explicit losses only).
 * Errors   DPN_EACCURACY if the shape has numbers that overflow, DPN_EUNSUPPORTED for families that have none.
 */
dpn_status dpn_shape_make(dpn_shape *out, const dpn_loss *loss, bool reversed, dpn_error *why);

/* Whether the shape of a law on the reals has segments of quadratics, or atoms, alone. */
bool dpn_shape_is_closed(const dpn_law *law);

#endif
