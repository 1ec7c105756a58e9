/* The shape of a law for its sampler: f(x) = density at x over density at 0, which decreases from 1 as x >= 0 grows.
 *
 * Two evaluations: in doubles, with bounds a million times wider than the rounding errors, and in wide numbers, with
 * bounds of any width. Lengths are in units of 2^unit_exponent of the law's own unit, so that doubles are always of
 * ordinary size. Nothing here knows a family: a law is drawn by its quadratic pieces, by its steps, or by its psi.
 */
#ifndef DPN_RANDOM_DENSITY_H
#define DPN_RANDOM_DENSITY_H

#include <dpnoise/law.h>
#include <stdbool.h>

#include "base/wide.h"
#include "law/facts.h"

typedef struct dpn_density dpn_density;

/* How laws of one kind are evaluated. With E = -log f, a double and the bounds of 1/f in wide numbers. */
typedef struct dpn_density_kind {
    /* Fill in what the kind needs; false if the law is not of this kind. */
    bool (*prepare)(dpn_density *density);

    /* E(x) for x >= 0 with a relative error below 2^-36 where E <= DPN_DENSITY_DEEPEST, up to the end of the support. */
    double (*exponent)(const dpn_density *density, double x);

    /* A bound in the direction of rounding of 1/f at x, a wide number in the law's own unit, up to the end of the
     * support. Upwards false says that there is no bound for all points below x. */
    bool (*inverse)(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out);

    /* Whether f(x + step) <= f(x)/2 for all x >= from. NULL: f is log-concave, so that x = from decides. */
    bool (*halves)(const dpn_density *density, double from, double step);
} dpn_density_kind;

/* A piece of E in units: start + y (slope + half y) at from + y. */
typedef struct dpn_density_piece {
    double from, start, slope, half;
} dpn_density_piece;

struct dpn_density {
    const dpn_density_kind *kind;
    dpn_law law;
    int unit_exponent;
    double end;   /* of the support, in units */
    double guard; /* relative; DPN_DENSITY_GUARD, more in tests */
    bool steep;   /* f may change by more than the guard between neighbouring doubles: it jumps, or E is so steep */
    union {       /* of the kind */
        struct {
            dpn_pieces pieces;
            dpn_density_piece piece[DPN_PIECES];
        };
        struct {
            dpn_stairs stairs;
            double period; /* in units */
        };
    };
};

/* exp, pow and what surrounds them err by less than 2^-36 of f; the guard band is 2^16 times that. */
#define DPN_DENSITY_GUARD 0x1p-20
#define DPN_DENSITY_DEEPEST 64.0

/* False if the law is of no kind: it has neither pieces nor steps nor bounds of e^psi. */
bool dpn_density_make(dpn_density *density, const dpn_law *law, int unit_exponent);

typedef struct dpn_bounds {
    double lower, upper;
} dpn_bounds;

/* Bounds of E and of f at all points within 2^-40 x + 2^-60 of x. */
dpn_bounds dpn_density_exponent(const dpn_density *density, double x);
dpn_bounds dpn_density_value(const dpn_density *density, double x);

/* A bound in the direction of rounding of 1/f at x, a wide number in the law's own unit. Downwards false says that f is
 * zero from x on; upwards that there is no bound for all points below x. */
bool dpn_density_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out);

/* A k >= 0 such that f(x + 2^k) <= f(x)/2 for all x >= from; -1 if there is none up to 2^50. */
int dpn_density_halving(const dpn_density *density, double from);

extern const dpn_density_kind dpn_density_pieces, dpn_density_stairs, dpn_density_psi;

#endif
