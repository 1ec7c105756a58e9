/* The shape of a law for its sampler: f(x) = density at x over density at 0, which decreases from 1 as x >= 0 grows.
 *
 * Two evaluations: in doubles, with bounds a million times wider than the rounding errors, and in wide numbers, with
 * bounds of any width. Lengths are in units of 2^unit_exponent of the law's own unit, so that doubles are always of
 * ordinary size.
 */
#ifndef DPN_RANDOM_DENSITY_H
#define DPN_RANDOM_DENSITY_H

#include <dpnoise/law.h>
#include <stdbool.h>

#include "random/wide.h"

typedef struct dpn_density dpn_density;

/* How one family is evaluated. With E = -log f, a double and the bounds of 1/f in wide numbers. */
typedef struct dpn_density_kind {
    const char *family;

    /* Fill in density->number. */
    void (*prepare)(dpn_density *density);

    /* E(x) for x >= 0 with a relative error below 2^-36 where E <= DPN_DENSITY_DEEPEST, if E is continuous. */
    double (*exponent)(const dpn_density *density, double x);

    /* A bound in the direction of rounding of 1/f at x, a wide number in the law's own unit. Downwards false says
     * that f is zero from x on; upwards that there is no bound for all points below x. */
    bool (*inverse)(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out);

    bool jumps; /* f is not continuous */
} dpn_density_kind;

enum { DPN_DENSITY_NUMBERS = 6 };

struct dpn_density {
    const dpn_density_kind *kind;
    double parameter[DPN_LAW_PARAMETERS]; /* of the law, exact */
    int unit_exponent;
    double number[DPN_DENSITY_NUMBERS]; /* of the kind, in units */
    double guard;                       /* relative; DPN_DENSITY_GUARD, more in tests */
};

/* exp, pow and what surrounds them err by less than 2^-36 of f; the guard band is 2^16 times that. */
#define DPN_DENSITY_GUARD 0x1p-20
#define DPN_DENSITY_DEEPEST 64.0

/* False if the family is not known here. */
bool dpn_density_make(dpn_density *density, const dpn_law *law, int unit_exponent);

typedef struct dpn_bounds {
    double lower, upper;
} dpn_bounds;

/* Bounds of E and of f at all points within 2^-40 x + 2^-60 of x. */
dpn_bounds dpn_density_exponent(const dpn_density *density, double x);
dpn_bounds dpn_density_value(const dpn_density *density, double x);

/* A k >= 0 such that f(x + 2^k) <= f(x)/2 for all x >= from; -1 if there is none up to 2^50. */
int dpn_density_halving(const dpn_density *density, double from);

extern const dpn_density_kind dpn_density_gaussian, dpn_density_laplace, dpn_density_flipped_huber, dpn_density_osgt,
    dpn_density_huber, dpn_density_truncated_laplace, dpn_density_staircase, dpn_density_subbotin, dpn_density_logistic;

#endif
